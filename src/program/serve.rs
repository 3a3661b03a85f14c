use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use super::home::HomeFlags;
use crate::{
    game::Tenant,
    server::{Config, Server},
};

/// Start the service.
///
/// Games are kept in an embedded store in a directory, where an acknowledged change has been flushed
/// to the disk, or with --store in Redis, by any number of servers side by side. SIGTERM and SIGINT
/// stop the server: streams are told where to resume, calls under way are finished. Every flag can be set in the environment instead, as shown.
#[derive(clap::Args, Debug)]
pub(super) struct Serve {
    /// Where to listen; port 0 takes a free one. Callers are not asked who they are: an address that
    /// is not of the loopback device needs --trust-network.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50051", env = "BOARDKEEPER_LISTEN")]
    listen: SocketAddr,

    #[command(flatten)]
    home: HomeFlags,

    /// Lets whoever reaches the port play every game: for a network in which every machine is trusted.
    #[arg(long, env = "BOARDKEEPER_TRUST_NETWORK")]
    trust_network: bool,

    /// The tenant whose games are served: 1 to 64 characters of A-Z, a-z, 0-9, '_' and '-'.
    #[arg(long, value_name = "NAME", default_value = "default", env = "BOARDKEEPER_TENANT")]
    tenant: Tenant,

    /// Threads that search for bots. By default one a core, one less where there are more than two.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024),
          env = "BOARDKEEPER_SEARCH_THREADS")]
    search_threads: Option<u16>,

    /// Searches of one tenant that may wait for a thread; more are refused with a time to try again.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=10_000),
          env = "BOARDKEEPER_SEARCH_QUEUE")]
    search_queue: u16,

    /// Milliseconds that a search may be expected to wait for a thread, by how long searches take; where
    /// it would be more, the call is refused with a time to try again. None waits longer than 2 seconds.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(0..=600_000),
          env = "BOARDKEEPER_SEARCH_PATIENCE_MS")]
    search_patience_ms: u64,

    /// Games kept in memory; the others are read from the store when they are needed.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=10_000_000),
          env = "BOARDKEEPER_GAMES_IN_MEMORY")]
    games_in_memory: u32,

    /// Streams at once; more are refused with a time to try again.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000),
          env = "BOARDKEEPER_STREAMS")]
    streams: u32,

    /// Milliseconds of silence after which a stream sends a heartbeat.
    #[arg(long, value_name = "MS", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(10..=300_000),
          env = "BOARDKEEPER_HEARTBEAT_MS")]
    heartbeat_ms: u64,

    /// Milliseconds that a reader of a stream may leave a frame untaken before it is ended as too
    /// slow.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(10..=300_000),
          env = "BOARDKEEPER_PATIENCE_MS")]
    patience_ms: u64,

    /// Seconds after which a stream is ended politely, to be resumed, perhaps on another server.
    #[arg(long, value_name = "S", default_value_t = 3600, value_parser = clap::value_parser!(u64).range(1..=604_800),
          env = "BOARDKEEPER_STREAM_AGE_S")]
    stream_age_s: u64,

    /// Seconds that a stopping server waits for calls under way.
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=600),
          env = "BOARDKEEPER_GRACE_S")]
    grace_s: u64,

    /// Writes the port that is listened on into this file, once it is.
    #[arg(long, value_name = "FILE", env = "BOARDKEEPER_PORT_FILE")]
    port_file: Option<PathBuf>,

    /// Logs as JSON, one object a line.
    #[arg(long, env = "BOARDKEEPER_LOG_JSON")]
    log_json: bool,

    /// What to log: `error`, `warn`, `info`, `debug`, `trace`, or a filter such as
    /// `boardkeeper=debug,warn`.
    #[arg(
        long,
        value_name = "FILTER",
        default_value = "info,fjall=warn,lsm_tree=warn",
        env = "BOARDKEEPER_LOG"
    )]
    log: String,
}

impl Serve {
    /// Serves until a signal says stop.
    ///
    /// # Errors
    /// The address or the store cannot be used.
    pub(super) async fn run(self) -> anyhow::Result<()> {
        log_to_stderr(&self.log, self.log_json)?;
        if !self.listen.ip().is_loopback() && !self.trust_network {
            bail!(
                "--listen {}: expected a loopback address such as 127.0.0.1:50051, since callers are not \
                 asked who they are; --trust-network allows any",
                self.listen
            );
        }
        let (home, config) = (self.home.home()?, self.config());
        let listener = TcpListener::bind(self.listen)
            .await
            .with_context(|| format!("cannot listen on {}", self.listen))?;
        let address = listener.local_addr()?;
        let stop = stop_signal()?;
        let (tenant, pool) = (config.tenant.clone(), config.pool);
        let server = Server::open(&home, config).await?;
        tracing::info!(%tenant, search_threads = pool.threads, search_queue = pool.queue, "listening on {address}");
        if let Some(file) = &self.port_file {
            write_port(file, address.port()).with_context(|| format!("cannot write {}", file.display()))?;
        }
        server.serve(listener, stop).await?;
        tracing::info!("stopped");
        Ok(())
    }

    fn config(&self) -> Config {
        let usual = Config::default();
        Config {
            tenant: self.tenant.clone(),
            pool: crate::bots::PoolSize {
                threads: self.search_threads.map_or(usual.pool.threads, usize::from),
                queue: self.search_queue.into(),
                patience: Duration::from_millis(self.search_patience_ms),
            },
            games_in_memory: self.games_in_memory as usize,
            streams: self.streams as usize,
            heartbeat: Duration::from_millis(self.heartbeat_ms),
            patience: Duration::from_millis(self.patience_ms),
            stream_age: Duration::from_secs(self.stream_age_s),
            grace: Duration::from_secs(self.grace_s),
            ..usual
        }
    }
}

/// Whoever waits for the file never reads half of it.
fn write_port(file: &Path, port: u16) -> io::Result<()> {
    let part = file.with_extension("part");
    fs::write(&part, format!("{port}\n"))?;
    fs::rename(part, file)
}

fn log_to_stderr(filter: &str, json: bool) -> anyhow::Result<()> {
    let filter = tracing_subscriber::EnvFilter::try_new(filter)
        .with_context(|| format!("--log {filter}: expected a level or a filter"))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    if json {
        log.json().init();
    } else {
        log.with_target(false).with_ansi(io::IsTerminal::is_terminal(&io::stderr())).init();
    }
    Ok(())
}

/// Completes when the process is asked to stop.
fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
