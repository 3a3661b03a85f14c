use std::{
    env,
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use boardkeeper::{
    api::proto::game_service_client::GameServiceClient,
    game::Tenant,
    server::{Config, Server},
    store::{Home, RedisSettings, Store},
    watch::Hub,
};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};
use tonic::transport::{Channel, Endpoint};

use super::portal::Portal;

/// Names the store of all tests of the service, by its URL; without it each has an embedded one.
const STORE: &str = "BOARDKEEPER_TEST_STORE";

/// A server in this process, on a free port, with games of its own that go with it.
pub(super) struct House {
    address: String,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<anyhow::Result<()>>,
    hub: Arc<Hub>,
    dir: TempDir,
}

impl House {
    /// A server of the usual bounds.
    pub(super) async fn open() -> House {
        House::open_with(|_| ()).await
    }

    /// A server whose bounds the test changes.
    pub(super) async fn open_with(change: impl FnOnce(&mut Config)) -> House {
        let dir = tempfile::tempdir().expect("a temporary directory");
        House::open_in(dir, change).await
    }

    /// A server over a store that an earlier one has left.
    pub(super) async fn open_in(dir: TempDir, change: impl FnOnce(&mut Config)) -> House {
        let hub = Arc::new(Hub::default());
        let store = open_store(&dir, &hub).await;
        House::over(dir, store, hub, change).await
    }

    /// A server over a store that the test has opened in this directory.
    pub(super) async fn over(
        dir: TempDir,
        store: Arc<dyn Store>,
        hub: Arc<Hub>,
        change: impl FnOnce(&mut Config),
    ) -> House {
        let server = Server::over(config(&dir, change), store, hub.clone());
        House::serve(server, hub, dir).await
    }

    /// Another server over the same store, for the same tenant.
    pub(super) async fn beside(&self, store: Arc<dyn Store>, hub: Arc<Hub>) -> House {
        let tenant = tenant(self.dir.path());
        let dir = tempfile::tempdir().expect("a temporary directory");
        House::over(dir, store, hub, |config| config.tenant = tenant).await
    }

    async fn serve(server: Server, hub: Arc<Hub>, dir: TempDir) -> House {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.serve(listener, async move {
            // A dropped sender means the same: the test is over.
            let _ = stopped.await;
        }));
        House { address, stop: Some(stop), serving, hub, dir }
    }

    /// A portal's client on a connection of its own.
    pub(super) async fn portal(&self) -> Portal {
        Portal::new(connect(&self.address).await)
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// How many games and tenants somebody watches.
    pub(super) fn watched(&self) -> usize {
        self.hub.watched()
    }

    /// Asks the server to stop, as SIGTERM does, and waits until it has; gives back its store.
    pub(super) async fn stop(mut self) -> TempDir {
        drop(self.stop.take());
        self.serving.await.expect("no panic").expect("a clean end");
        self.dir
    }

    /// Asks the server to stop without waiting for it.
    pub(super) fn begin_stop(&mut self) {
        drop(self.stop.take());
    }
}

fn config(dir: &TempDir, change: impl FnOnce(&mut Config)) -> Config {
    let grace = Duration::from_secs(3);
    let mut config = Config { tenant: tenant(dir.path()), grace, ..Config::default() };
    change(&mut config);
    config
}

/// The store that goes with a test's directory.
pub(super) async fn open_store(dir: &TempDir, hub: &Arc<Hub>) -> Arc<dyn Store> {
    let home = match shared_store() {
        Some(url) => Home::Redis { url, settings: RedisSettings::default() },
        None => Home::Directory(dir.path().join("games")),
    };
    home.open(hub.clone()).await.expect("the store opens")
}

/// Whether all tests share a store.
pub(super) fn shared_store() -> Option<String> {
    env::var(STORE).ok()
}

/// The tenant that goes with a test's directory: each test has its own, since the store may be shared.
pub(super) fn tenant(dir: &Path) -> Tenant {
    let name = dir.file_name().and_then(|name| name.to_str()).expect("a readable name");
    name.trim_matches('.').parse().expect("letters and digits")
}

/// A connection of its own to a server.
pub(super) async fn connect(address: &str) -> GameServiceClient<Channel> {
    let endpoint = Endpoint::from_shared(address.to_owned()).expect("an address");
    let channel = endpoint.connect().await.expect("the server accepts connections");
    GameServiceClient::new(channel).max_decoding_message_size(64 << 20)
}

/// A connection that is made with the first call, and again after it was cut.
pub(super) fn connect_later(address: &str) -> GameServiceClient<Channel> {
    let endpoint = Endpoint::from_shared(address.to_owned()).expect("an address");
    GameServiceClient::new(endpoint.connect_lazy())
}

/// A connection on which little is under way at a time: what a reader does not take stays with the
/// server.
pub(super) async fn narrow(address: &str) -> GameServiceClient<Channel> {
    let endpoint = Endpoint::from_shared(address.to_owned()).expect("an address");
    let endpoint = endpoint.initial_stream_window_size(1024).initial_connection_window_size(1 << 20);
    GameServiceClient::new(endpoint.connect().await.expect("the server accepts connections"))
}

/// A server in a process of its own, to be killed.
pub(super) struct Process {
    child: Child,
    pub(super) address: String,
}

impl Process {
    /// Starts `boardkeeper serve` over the store in this directory, and waits until it listens.
    pub(super) async fn start(dir: &Path, arguments: &[&str]) -> Process {
        let store = shared_store().map(|url| format!("--store={url}"));
        let arguments = store.as_deref().into_iter().chain(arguments.iter().copied()).collect::<Vec<_>>();
        let process = Process::begin(dir, &tenant(dir), &arguments).await;
        process.expect("the server goes on until it listens")
    }

    /// Starts `boardkeeper serve` for a tenant, with files in this directory, and waits until it
    /// listens; `None` if it ends before.
    pub(super) async fn begin(dir: &Path, tenant: &Tenant, arguments: &[&str]) -> Option<Process> {
        let port_file = dir.join("port");
        // What an earlier server has left there would be read instead.
        let _ = std::fs::remove_file(&port_file);
        let child = Command::new(env!("CARGO_BIN_EXE_boardkeeper"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn"])
            .env("BOARDKEEPER_DATA_DIR", dir.join("games"))
            .arg("--port-file")
            .arg(&port_file)
            .args(["--tenant", tenant.as_str()])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program was built with the tests");
        let mut process = Process { child, address: String::new() };
        for _ in 0..600 {
            if let Ok(port) = std::fs::read_to_string(&port_file) {
                process.address = format!("http://127.0.0.1:{}", port.trim());
                return Some(process);
            }
            if process.child.try_wait().expect("it was ours").is_some() {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the server did not listen within 30 seconds");
    }

    pub(super) async fn portal(&self) -> Portal {
        Portal::new(connect(&self.address).await)
    }

    /// The memory that the process has in use, in bytes.
    pub(super) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("the kernel tells");
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
        kibibytes * 1024
    }

    /// Kills the process at once, as a machine that dies would.
    pub(super) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it was ours");
    }

    /// Sends SIGTERM and waits for the end: its exit code.
    pub(super) async fn terminate(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status().expect("kill is everywhere");
        assert!(sent.success());
        let waited = tokio::task::spawn_blocking(move || self.child.wait().map(|status| status.code()));
        waited.await.expect("no panic").expect("it was ours")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Already ended or not: no process outlives its test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
