//! Games in a cluster whose parts move and die.

use std::time::Duration;

use boardkeeper::{
    game::GameKey,
    store::{Committed, Filter, Head, Redis, Store},
};
use tokio::time::sleep;

use super::{RedisCluster, RedisServer, insist, open};
use crate::store::games::{after, begin, commit, entries, go_on, key, request};

/// A slot with games in it, that moves from one node to another.
struct Move<'a> {
    slot: String,
    from: &'a RedisServer,
    to: &'a RedisServer,
}

impl<'a> Move<'a> {
    fn of(cluster: &'a RedisCluster, key: &GameKey) -> Move<'a> {
        let slot: u16 = cluster.masters[0].ask(&["CLUSTER", "KEYSLOT", &format!("bk1:{{{key}}}:log")]);
        let from = [5_460, 10_922, 16_383].iter().position(|&last| slot <= last).unwrap();
        Move { slot: slot.to_string(), from: &cluster.masters[from], to: &cluster.masters[(from + 1) % 3] }
    }

    fn begin(&self) {
        let (from, to) = (self.id(self.from), self.id(self.to));
        self.to.ask::<()>(&["CLUSTER", "SETSLOT", &self.slot, "IMPORTING", &from]);
        self.from.ask::<()>(&["CLUSTER", "SETSLOT", &self.slot, "MIGRATING", &to]);
    }

    /// Carries some of the keys over.
    fn carry(&self, keys: &[String]) {
        for key in keys {
            let port = self.to.port().to_string();
            self.from.ask::<()>(&["MIGRATE", "127.0.0.1", &port, key, "0", "5000"]);
        }
    }

    fn keys(&self) -> Vec<String> {
        self.from.ask(&["CLUSTER", "GETKEYSINSLOT", &self.slot, "100"])
    }

    fn end(&self) {
        let to = self.id(self.to);
        self.to.ask::<()>(&["CLUSTER", "SETSLOT", &self.slot, "NODE", &to]);
        self.from.ask::<()>(&["CLUSTER", "SETSLOT", &self.slot, "NODE", &to]);
    }

    fn id(&self, server: &RedisServer) -> String {
        server.ask(&["CLUSTER", "MYID"])
    }
}

async fn assert_whole(store: &Redis, key: &GameKey, head: Head) {
    let log = store.read(key, 0, usize::MAX).await.unwrap().unwrap();
    assert_eq!((log.head, log.entries), (head, entries(key, head.version)));
}

#[tokio::test]
async fn a_game_goes_on_while_it_moves() {
    let cluster = RedisCluster::start(false);
    let store = open(&cluster.url()).await;
    let key = key("move", "game");
    let head = begin(&store, &key).await;
    let head = go_on(&store, &key, head, 1).await;
    let moving = Move::of(&cluster, &key);
    moving.begin();
    let next = commit(&key, head, request(2));
    assert_eq!(store.commit(next.clone()).await.unwrap(), Committed::Done);

    moving.carry(&moving.keys());
    let head = after(&next);
    let next = commit(&key, head, request(3));
    assert_eq!(store.commit(next.clone()).await.unwrap(), Committed::Done);
    assert_eq!(store.find(&key, request(3)).await.unwrap(), Some(4));
    assert_eq!(store.commit(next.clone()).await.unwrap(), Committed::Repeated(4));
    let page = store.list(&key.tenant, &Filter::default(), None, 10).await.unwrap();
    assert_eq!(page.games.len(), 1);

    moving.end();
    let head = after(&next);
    let next = commit(&key, head, request(4));
    assert_eq!(store.commit(next.clone()).await.unwrap(), Committed::Done);
    assert_whole(&store, &key, after(&next)).await;
    let page = store.list(&key.tenant, &Filter::default(), None, 10).await.unwrap();
    assert_eq!(page.games.len(), 1);
}

#[tokio::test]
async fn a_game_that_is_torn_between_nodes_waits_until_it_is_whole() {
    let cluster = RedisCluster::start(false);
    let store = open(&cluster.url()).await;
    let key = key("tear", "game");
    let head = begin(&store, &key).await;
    let moving = Move::of(&cluster, &key);
    moving.begin();
    moving.carry(&moving.keys()[..1]);
    let next = commit(&key, head, request(1));
    let (committed, ()) = tokio::join!(store.commit(next.clone()), async {
        sleep(Duration::from_millis(200)).await;
        moving.carry(&moving.keys());
    });
    assert_eq!(committed.unwrap(), Committed::Done);
    moving.end();
    assert_whole(&store, &key, after(&next)).await;
}

#[tokio::test]
async fn every_script_stays_in_one_slot() {
    let cluster = RedisCluster::start(false);
    crate::store::contract::holds(std::sync::Arc::new(open(&cluster.url()).await)).await;
    for master in &cluster.masters {
        for error in ["errorstat_CROSSSLOT", "errorstat_MOVED", "errorstat_ERR"] {
            assert_eq!(master.info(error), None);
        }
    }
}

#[tokio::test]
async fn a_dead_master_is_replaced_without_anybodys_help() {
    let mut cluster = RedisCluster::start(true);
    let store = open(&cluster.url()).await;
    let keys: Vec<GameKey> = (0..12).map(|number| key("fail", &format!("game-{number}"))).collect();
    let mut heads = Vec::new();
    for key in &keys {
        let head = begin(&store, key).await;
        heads.push(go_on(&store, key, head, 3).await);
    }
    // Replicas have all of it before the blow: what would be lost otherwise is another test.
    for master in &cluster.masters {
        assert_eq!(master.ask::<u32>(&["WAIT", "1", "5000"]), 1);
    }
    for (master, replica) in cluster.masters.iter().zip(&cluster.replicas) {
        crate::store::servers::wait_until("the replica has everything", || {
            master.info("master_repl_offset") == replica.info("slave_repl_offset")
        });
    }
    cluster.masters[0].kill();
    for (key, head) in keys.iter().zip(heads) {
        let next = commit(key, head, request(10));
        let committed = insist(&store, next.clone()).await;
        assert!(matches!(committed, Committed::Done | Committed::Repeated(5)), "{committed:?}");
        assert_whole(&store, key, after(&next)).await;
    }
    store.ready().await.unwrap();
    let page = store.list(&keys[0].tenant, &Filter::default(), None, 100).await.unwrap();
    assert_eq!(page.games.len(), 12);
}
