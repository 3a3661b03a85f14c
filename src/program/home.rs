use std::{env, fmt, fs, path::PathBuf, str::FromStr, time::Duration};

use anyhow::{Context, bail};

use crate::store::{Home, RedisSettings};

/// The flags that say where games are kept.
#[derive(clap::Args, Debug)]
pub(super) struct HomeFlags {
    /// Keeps games in Redis or Valkey, 7.0 or newer, for any number of servers: redis://,
    /// redis-cluster:// or redis-sentinel://, each with rediss for TLS, as in
    /// rediss://user:password@host:6379/0, redis-cluster://host:6379,host,host or
    /// redis-sentinel://master@host:26379,host. Without it games are kept in the embedded store.
    #[arg(long, value_name = "URL", env = "BOARDKEEPER_STORE", hide_env_values = true)]
    store: Option<String>,

    /// The directory of the embedded store, made if missing; without use where there is --store. By
    /// default `boardkeeper` in $XDG_STATE_HOME, or in ~/.local/state.
    #[arg(long, value_name = "DIR", env = "BOARDKEEPER_DATA_DIR")]
    data_dir: Option<PathBuf>,

    /// What must have a change before it is acknowledged: `stored` is the store, `replicated=N` so
    /// many replicas of a Redis master as well.
    #[arg(long, value_name = "WHAT", default_value_t = Ack(0), env = "BOARDKEEPER_ACK")]
    ack: Ack,

    /// Seconds for which Redis keeps a game after its end. By default for ever, as running games are
    /// always.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=315_360_000),
          env = "BOARDKEEPER_KEEP_FINISHED_S")]
    keep_finished_s: Option<u64>,

    /// A file of certificates, in PEM, that those of Redis must be signed by. By default the usual
    /// authorities of the web.
    #[arg(long, value_name = "FILE", env = "BOARDKEEPER_STORE_CA")]
    store_ca: Option<PathBuf>,
}

/// How many replicas must have a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ack(u32);

impl FromStr for Ack {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Ack, &'static str> {
        let count = text.strip_prefix("replicated=").and_then(|count| count.parse().ok());
        match (text, count) {
            ("stored", _) => Ok(Ack(0)),
            (_, Some(count @ 1..=16)) => Ok(Ack(count)),
            _ => Err("expected stored, or replicated=N with N from 1 to 16"),
        }
    }
}

impl fmt::Display for Ack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("stored"),
            count => write!(f, "replicated={count}"),
        }
    }
}

impl HomeFlags {
    /// Where games are kept.
    ///
    /// # Errors
    /// Flags that do not go together, or a file that cannot be read.
    pub(super) fn home(&self) -> anyhow::Result<Home> {
        match &self.store {
            Some(url) => self.redis(url),
            None => self.directory(),
        }
    }

    fn redis(&self, url: &str) -> anyhow::Result<Home> {
        let authorities = self.store_ca.as_ref().map(|file| {
            fs::read(file).with_context(|| format!("--store-ca {}: it cannot be read", file.display()))
        });
        let settings = RedisSettings {
            keep_finished: self.keep_finished_s.map(Duration::from_secs),
            replicated: self.ack.0,
            authorities: authorities.transpose()?,
            ..RedisSettings::default()
        };
        Ok(Home::Redis { url: url.to_owned(), settings })
    }

    fn directory(&self) -> anyhow::Result<Home> {
        let for_redis = [
            ("--ack replicated", self.ack != Ack(0)),
            ("--keep-finished-s", self.keep_finished_s.is_some()),
            ("--store-ca", self.store_ca.is_some()),
        ];
        if let Some((flag, _)) = for_redis.iter().find(|(_, given)| *given) {
            bail!("{flag} is for games in Redis: expected --store with it");
        }
        Ok(Home::Directory(match &self.data_dir {
            Some(dir) => dir.clone(),
            None => state_dir()?.join("boardkeeper"),
        }))
    }
}

/// The platform's directory for the state of programs (XDG Base Directory Specification).
fn state_dir() -> anyhow::Result<PathBuf> {
    let of = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    of("XDG_STATE_HOME")
        .or_else(|| Some(of("HOME")?.join(".local/state")))
        .context("neither XDG_STATE_HOME nor HOME is set: name a directory with --data-dir")
}
