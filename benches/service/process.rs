use std::{
    env, fs, io,
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};

/// A server in a process of its own, killed when it is dropped.
pub(crate) struct Process {
    child: Child,
    port: u16,
}

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// In which /proc counts processor time: a hundredth of a second on every Linux (USER_HZ).
const TICK: f64 = 0.01;

impl Process {
    /// The program's own server, as `serve` starts it, with these arguments that say where games are.
    pub(crate) fn boardkeeper(dir: &Path, store: [&str; 2]) -> anyhow::Result<Process> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardkeeper"));
        // No heartbeat comes between what is counted.
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--heartbeat-ms", "300000"]);
        Process::with_port_file(command.args(store), dir)
    }

    /// The server that does the least.
    pub(crate) fn floor(dir: &Path, redis: &str) -> anyhow::Result<Process> {
        let mut command = Command::new(env::current_exe()?);
        Process::with_port_file(command.args(["--floor-over", redis]), dir)
    }

    fn with_port_file(command: &mut Command, dir: &Path) -> anyhow::Result<Process> {
        let file = dir.join(format!("port-{}", uuid::Uuid::now_v7()));
        command.arg("--port-file").arg(&file).stdin(Stdio::null());
        let mut process = Process { child: command.spawn()?, port: 0 };
        process.wait_until(|| fs::exists(&file).unwrap_or(false))?;
        process.port = fs::read_to_string(&file)?.trim().parse()?;
        Ok(process)
    }

    /// A private `redis-server` that writes every change to its append-only file.
    pub(crate) fn redis(dir: &Path, fsync: &str) -> anyhow::Result<Process> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let settings = [
            ("port", port.to_string()),
            ("bind", "127.0.0.1".to_owned()),
            ("dir", dir.display().to_string()),
            ("logfile", "redis.log".to_owned()),
            ("save", String::new()),
            ("appendonly", "yes".to_owned()),
            ("appendfsync", fsync.to_owned()),
            // Rewriting the file would burden one round and not the next.
            ("auto-aof-rewrite-percentage", "0".to_owned()),
        ];
        let mut command = Command::new("redis-server");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        for (name, value) in settings {
            command.args([format!("--{name}"), value]);
        }
        let child = match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                bail!("redis-server is missing; tests/install redis-server redis-server installs it")
            }
            child => child.context("redis-server cannot be started")?,
        };
        let mut process = Process { child, port };
        let url = process.redis_url();
        process.wait_until(|| answers(&url))?;
        Ok(process)
    }

    fn wait_until(&mut self, is_so: impl Fn() -> bool) -> anyhow::Result<()> {
        let begun = Instant::now();
        while !is_so() {
            if let Some(status) = self.child.try_wait()? {
                bail!("a server has not started: {status}");
            }
            ensure!(begun.elapsed() < PATIENCE, "a server does not start");
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn redis_url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The processor time that it has taken so far, in seconds, all its threads together.
    pub(crate) fn cpu(&self) -> anyhow::Result<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name before it may hold anything but ends with the last parenthesis; then user and
        // system time are the 12th and 13th word (proc(5)).
        let words = stat.rsplit_once(')').map_or("", |(_, words)| words).split_whitespace();
        let ticks = words.skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?;
        Ok(ticks as f64 * TICK)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn answers(url: &str) -> bool {
    let asked = redis::Client::open(url)
        .and_then(|client| client.get_connection_with_timeout(Duration::from_secs(1)))
        .and_then(|mut connection| redis::cmd("PING").query::<String>(&mut connection));
    asked.is_ok()
}
