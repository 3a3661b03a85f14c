//! Redis servers for tests: private, on free ports, stopped and removed with their tests.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use redis::{FromRedisValue, IntoConnectionInfo, RedisResult, Value};

/// How long a server may take to do what is waited for; a busy machine takes its time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A `redis-server` of this test's own.
pub(crate) struct RedisServer {
    process: Option<Child>,
    port: u16,
    settings: Vec<(String, String)>,
    /// Who may do everything, as it stands in a URL, where not everybody may.
    admin: String,
    dir: tempfile::TempDir,
}

impl RedisServer {
    /// A server that loses nothing acknowledged.
    pub(crate) fn durable() -> RedisServer {
        RedisServer::start(&[("appendonly", "yes"), ("appendfsync", "always"), ("save", "")])
    }

    /// A server with these settings besides those that make it private.
    pub(crate) fn start(settings: &[(&str, &str)]) -> RedisServer {
        RedisServer::prepare(settings, "", |_| ())
    }

    /// A server with settings that name files, which are written into its directory first; `admin` is
    /// `user:password@`, if only that user may do everything.
    pub(crate) fn prepare(
        settings: &[(&str, &str)],
        admin: &str,
        write_files: impl FnOnce(&Path),
    ) -> RedisServer {
        let dir = tempfile::tempdir().unwrap();
        write_files(dir.path());
        let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        let mut server = RedisServer { process: None, port: free_port(), settings, admin: admin.into(), dir };
        server.run();
        server
    }

    /// A server that does what `master` does.
    pub(crate) fn replica_of(master: &RedisServer) -> RedisServer {
        let follow = format!("127.0.0.1 {}", master.port());
        let replica = RedisServer::start(&[("replicaof", &follow), ("appendonly", "yes")]);
        replica.wait_until_it_follows();
        replica
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.as_ref().unwrap().id()
    }

    /// The URL under which it is a store.
    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Asks it something on a connection of its own.
    pub(crate) fn ask<T: FromRedisValue>(&self, words: &[&str]) -> T {
        self.try_ask(words).unwrap_or_else(|error| panic!("{words:?}: {error}"))
    }

    pub(crate) fn try_ask<T: FromRedisValue>(&self, words: &[&str]) -> RedisResult<T> {
        let info = format!("redis://{}127.0.0.1:{}", self.admin, self.port).into_connection_info()?;
        // Redis 7.0 counts the library's telling of its name as an error.
        let settings = info.redis_settings().clone().set_skip_set_lib_name();
        let client = redis::Client::open(info.set_redis_settings(settings))?;
        let mut connection = client.get_connection_with_timeout(Duration::from_secs(5))?;
        let mut command = redis::cmd(words[0]);
        command.arg(&words[1..]).query(&mut connection)
    }

    /// A value out of a section of INFO.
    pub(crate) fn info(&self, name: &str) -> Option<String> {
        let info: String = self.ask(&["INFO", "everything"]);
        info.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.to_owned()))
    }

    /// Sends it a signal by name: STOP lets it hang, CONT go on.
    pub(crate) fn signal(&self, signal: &str) {
        let kill = Command::new("kill").args([&format!("-{signal}"), &self.id().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    /// What its clients ask it while something is done, without what scripts do and what belongs to
    /// connections.
    pub(crate) async fn overhear(&self, doing: impl Future<Output = ()>) -> Vec<String> {
        let mut ear = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        ear.write_all(b"MONITOR\r\n").unwrap();
        let mut lines = BufReader::new(ear).lines().map(Result::unwrap);
        assert_eq!(lines.next().as_deref(), Some("+OK"));
        doing.await;
        self.ask::<()>(&["ECHO", "that was all"]);
        let heard = lines.take_while(|line| !line.contains("that was all"));
        let of_connections = ["PING", "HELLO", "SELECT", "SUBSCRIBE"].map(|word| format!("] \"{word}\""));
        heard
            .filter(|line| !line.contains(" lua] "))
            .filter(|line| !of_connections.iter().any(|word| line.contains(word)))
            .collect()
    }

    pub(crate) fn wait_until_it_follows(&self) {
        wait_until("the replica follows", || self.info("master_link_status").as_deref() == Some("up"));
    }

    /// Kills it at once, as a power cut would.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// Starts it again with what is on its disk.
    pub(crate) fn run(&mut self) {
        self.kill();
        let mut attempts = 0;
        while !self.try_run() {
            attempts += 1;
            assert!(attempts < 5, "redis-server does not start: {}", self.log());
        }
    }

    /// Whether it came up; another process may have taken the port meanwhile.
    fn try_run(&mut self) -> bool {
        let mut command = Command::new("redis-server");
        let sentinel = self.dir.path().join("sentinel.conf");
        if sentinel.exists() {
            command.arg(sentinel).arg("--sentinel");
        }
        command
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--logfile", "log"])
            .args(["--dir", &self.dir.path().display().to_string()]);
        for (name, value) in &self.settings {
            command.args([&format!("--{name}"), value]);
        }
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        let mut process = process.unwrap_or_else(|error| {
            panic!("redis-server cannot be started: {error}; tests/install installs it")
        });
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if process.try_wait().unwrap().is_some() {
                return false;
            }
            if self.try_ask::<Value>(&["PING"]).is_ok() {
                self.process = Some(process);
                return true;
            }
            thread::sleep(Duration::from_millis(10));
        }
        process.kill().unwrap();
        process.wait().unwrap();
        false
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Three masters that keep a third of the slots each, and perhaps a replica of each.
pub(crate) struct RedisCluster {
    pub(crate) masters: Vec<RedisServer>,
    pub(crate) replicas: Vec<RedisServer>,
}

impl RedisCluster {
    pub(crate) fn start(replicated: bool) -> RedisCluster {
        // A busy machine is not to look like a dead node, but a dead one is to be replaced soon.
        let timeout = if replicated { "2000" } else { "10000" };
        let node = || {
            let bus = free_port().to_string();
            RedisServer::start(&[
                ("cluster-enabled", "yes"),
                ("cluster-config-file", "nodes.conf"),
                ("cluster-port", &bus),
                ("cluster-node-timeout", timeout),
                ("appendonly", "yes"),
                ("save", ""),
                ("repl-diskless-sync-delay", "0"),
            ])
        };
        let masters: Vec<_> = (0..3).map(|_| node()).collect();
        let replicas: Vec<_> = (0..if replicated { 3 } else { 0 }).map(|_| node()).collect();
        let cluster = RedisCluster { masters, replicas };
        cluster.divide();
        cluster.meet();
        cluster.attach_replicas();
        cluster.wait_until_whole();
        cluster
    }

    pub(crate) fn url(&self) -> String {
        let hosts: Vec<_> = self.nodes().map(|node| format!("127.0.0.1:{}", node.port())).collect();
        format!("redis-cluster://{}", hosts.join(","))
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = &RedisServer> {
        self.masters.iter().chain(&self.replicas)
    }

    /// Waits until every node says that all slots are kept.
    pub(crate) fn wait_until_whole(&self) {
        let known = self.masters.len() + self.replicas.len();
        for node in self.nodes() {
            wait_until("the cluster is whole", || {
                let info: String = node.ask(&["CLUSTER", "INFO"]);
                info.contains("cluster_state:ok")
                    && info.contains("cluster_slots_ok:16384")
                    && info.contains(&format!("cluster_known_nodes:{known}"))
            });
        }
    }

    fn divide(&self) {
        for (number, (first, last)) in [(0, 5_460), (5_461, 10_922), (10_923, 16_383)].into_iter().enumerate()
        {
            let node = &self.masters[number];
            let (first, last): (u16, u16) = (first, last);
            node.ask::<()>(&["CLUSTER", "ADDSLOTSRANGE", &first.to_string(), &last.to_string()]);
            node.ask::<()>(&["CLUSTER", "SET-CONFIG-EPOCH", &(number + 1).to_string()]);
        }
    }

    fn meet(&self) {
        let first = &self.masters[0];
        for node in self.nodes().skip(1) {
            let bus: Vec<String> = node.ask(&["CONFIG", "GET", "cluster-port"]);
            first.ask::<()>(&["CLUSTER", "MEET", "127.0.0.1", &node.port().to_string(), &bus[1]]);
        }
        let known = self.nodes().count();
        for node in self.nodes() {
            wait_until("the nodes know each other", || {
                let nodes: String = node.ask(&["CLUSTER", "NODES"]);
                nodes.lines().filter(|line| line.contains(" connected")).count() == known
                    && !nodes.contains("handshake")
            });
        }
    }

    fn attach_replicas(&self) {
        for (replica, master) in self.replicas.iter().zip(&self.masters) {
            let id: String = master.ask(&["CLUSTER", "MYID"]);
            replica.ask::<()>(&["CLUSTER", "REPLICATE", &id]);
        }
        self.replicas.iter().for_each(RedisServer::wait_until_it_follows);
    }
}

/// A sentinel that watches a master named `games`.
pub(crate) fn sentinel(master: &RedisServer) -> RedisServer {
    let monitor = format!("games 127.0.0.1 {} 1", master.port());
    RedisServer::prepare(&[], "", |dir| {
        let conf = format!(
            "sentinel monitor {monitor}\nsentinel down-after-milliseconds games 1000\n\
             sentinel failover-timeout games 5000\n"
        );
        std::fs::write(dir.join("sentinel.conf"), conf).unwrap();
    })
}

/// Waits for a state.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
