use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use tempfile::TempDir;
use tokio::task::spawn_blocking;

use super::{super::row::tenant, chance::Chance};
use crate::{
    proxy::{Cut, Proxy},
    service::{
        house::{Process, connect_later},
        portal::Portal,
    },
    store::servers::RedisServer,
};

/// Servers, each in a process of its own, that share a Redis; all that is between them, and between
/// them and their callers, goes through wires that break.
pub(super) struct Town {
    sites: Vec<Site>,
    redis: Arc<Mutex<RedisServer>>,
    /// Whether new connections are cut somewhere.
    frail: Arc<AtomicBool>,
}

/// Where a server is, or will be again.
struct Site {
    /// From callers to the server.
    front: Proxy,
    /// From the server to Redis.
    back: Proxy,
    process: tokio::sync::Mutex<Option<Process>>,
    dir: TempDir,
}

/// An address to which nobody answers.
const NOWHERE: &str = "127.0.0.1:1";

impl Town {
    pub(super) async fn found(servers: usize, mut chance: Chance) -> Town {
        let redis = spawn_blocking(RedisServer::durable).await.expect("no panic");
        let frail = Arc::new(AtomicBool::new(false));
        let mut sites = Vec::new();
        for _ in 0..servers {
            let front = Proxy::cutting_each(NOWHERE, cuts(chance.split(), frail.clone())).await;
            let back = Proxy::cutting_each(&redis.url(), cuts(chance.split(), frail.clone())).await;
            let dir = tempfile::tempdir().expect("a temporary directory");
            sites.push(Site { front, back, process: tokio::sync::Mutex::default(), dir });
        }
        let town = Town { sites, redis: Arc::new(Mutex::new(redis)), frail };
        for server in 0..servers {
            town.start(server).await;
        }
        town
    }

    pub(super) fn servers(&self) -> usize {
        self.sites.len()
    }

    /// The URL of Redis itself.
    pub(super) fn store(&self) -> String {
        self.redis.lock().unwrap_or_else(PoisonError::into_inner).url()
    }

    /// A connection of its own to each server, made anew whenever it is needed.
    pub(super) fn portals(&self) -> Vec<Portal> {
        self.sites.iter().map(|site| Portal::new(connect_later(site.front.address()))).collect()
    }

    /// Starts a server, again and again until it has found Redis.
    pub(super) async fn start(&self, server: usize) {
        let site = &self.sites[server];
        let mut process = site.process.lock().await;
        let store = format!("--store={}", site.back.store());
        let arguments = [&store, "--games-in-memory", "16", "--grace-s", "2", "--search-threads", "1"];
        for _ in 0..100 {
            if let Some(started) = Process::begin(site.dir.path(), &tenant(), &arguments).await {
                site.front.lead_to(&started.address);
                *process = Some(started);
                return;
            }
        }
        panic!("the server finds no Redis");
    }

    /// Kills a server at once.
    pub(super) async fn kill(&self, server: usize) {
        self.sites[server].process.lock().await.take().expect("it runs").kill();
    }

    /// Asks a server to stop, as operators do.
    pub(super) async fn stop(&self, server: usize) {
        let process = self.sites[server].process.lock().await.take().expect("it runs");
        assert_eq!(process.terminate().await, Some(0));
    }

    /// A wire, of which there are two for each server.
    pub(super) fn wire(&self, number: usize) -> &Proxy {
        let site = &self.sites[number / 2];
        if number.is_multiple_of(2) { &site.front } else { &site.back }
    }

    /// Does something to Redis.
    pub(super) async fn redis(&self, deed: impl FnOnce(&mut RedisServer) + Send + 'static) {
        let redis = self.redis.clone();
        let doing = spawn_blocking(move || deed(&mut redis.lock().unwrap_or_else(PoisonError::into_inner)));
        doing.await.expect("no panic");
    }

    /// Whether connections made from now on are cut somewhere.
    pub(super) fn set_frail(&self, frail: bool) {
        self.frail.store(frail, Ordering::Relaxed);
        if !frail {
            (0..2 * self.servers()).for_each(|wire| self.wire(wire).cut());
        }
    }
}

/// Where connections are cut: of three in four nowhere.
fn cuts(mut chance: Chance, frail: Arc<AtomicBool>) -> impl FnMut() -> Cut + Send + 'static {
    move || {
        let place = chance.of(1..20_000);
        match chance.of(0..8) {
            _ if !frail.load(Ordering::Relaxed) => Cut::default(),
            0 => Cut { requests: Some(place), replies: None },
            1 => Cut { requests: None, replies: Some(place) },
            _ => Cut::default(),
        }
    }
}
