//! A replica takes over from a master that died, as sentinels arrange it.

use boardkeeper::store::{Committed, Head, Store};

use super::{RedisServer, insist, open};
use crate::store::{
    games::{after, begin, commit, entries, entry, go_on, key, request},
    servers::{sentinel, wait_until},
};

fn url(sentinel: &RedisServer) -> String {
    format!("redis-sentinel://games@127.0.0.1:{}", sentinel.port())
}

/// Waits until the sentinel knows the replica, without which it cannot put it in charge.
fn wait_for_replica(sentinel: &RedisServer, replica: &RedisServer) {
    wait_until("the sentinel knows the replica", || {
        let known = sentinel.ask::<::redis::Value>(&["SENTINEL", "REPLICAS", "games"]);
        format!("{known:?}").contains(&replica.port().to_string())
    });
}

fn wait_for_takeover(replica: &RedisServer) {
    wait_until("the replica is in charge", || replica.info("role").as_deref() == Some("master"));
}

#[tokio::test]
async fn the_new_master_is_found() {
    let mut master = RedisServer::durable();
    let replica = RedisServer::replica_of(&master);
    let sentinel = sentinel(&master);
    wait_for_replica(&sentinel, &replica);
    let store = open(&url(&sentinel)).await;
    let key = key("take-over", "game");
    let head = begin(&store, &key).await;
    let head = go_on(&store, &key, head, 5).await;
    wait_until("the replica has everything", || {
        master.info("master_repl_offset") == replica.info("slave_repl_offset")
    });
    master.kill();
    let next = commit(&key, head, request(9));
    let committed = insist(&store, next.clone()).await;
    assert!(matches!(committed, Committed::Done | Committed::Repeated(7)), "{committed:?}");
    let log = store.read(&key, 0, 100).await.unwrap().unwrap();
    assert_eq!((log.head, log.entries), (after(&next), entries(&key, 7)));
}

/// The master lives on, and is one no more.
#[tokio::test]
async fn a_master_made_a_replica_is_left() {
    let master = RedisServer::durable();
    let replica = RedisServer::replica_of(&master);
    let sentinel = sentinel(&master);
    wait_for_replica(&sentinel, &replica);
    let store = open(&url(&sentinel)).await;
    let key = key("demote", "game");
    let head = begin(&store, &key).await;
    wait_until("the sentinel agrees", || sentinel.try_ask::<()>(&["SENTINEL", "FAILOVER", "games"]).is_ok());
    wait_for_takeover(&replica);
    wait_until("the master follows", || master.info("role").as_deref() == Some("slave"));
    assert!(matches!(insist(&store, commit(&key, head, request(1))).await, Committed::Done));
    assert_eq!(replica.ask::<u64>(&["LLEN", "bk1:{demote/game}:log"]), 2);
}

/// The replica was cut off, so that what was acknowledged last is lost with the master: a version is
/// then made a second time, with other content.
#[tokio::test]
async fn what_a_failover_has_lost_shows_in_the_digests() {
    let mut master = RedisServer::durable();
    let replica = RedisServer::replica_of(&master);
    let sentinel = sentinel(&master);
    wait_for_replica(&sentinel, &replica);
    let store = open(&url(&sentinel)).await;
    let key = key("lose", "game");
    let head = begin(&store, &key).await;
    let kept = go_on(&store, &key, head, 2).await;
    wait_until("the replica has it", || replica.ask::<u64>(&["LLEN", "bk1:{lose/game}:log"]) == 3);
    replica.ask::<()>(&["REPLICAOF", "127.0.0.1", "1"]);
    let lost = commit(&key, kept, request(3));
    assert_eq!(store.commit(lost.clone()).await.unwrap(), Committed::Done);
    master.kill();
    replica.ask::<()>(&["REPLICAOF", "NO", "ONE"]);
    let store = open(&replica.url()).await;

    // Who goes on from what was lost is told where the log ends now.
    let on_top = commit(&key, after(&lost), request(4));
    assert_eq!(store.commit(on_top.clone()).await.unwrap(), Committed::Stale(kept));
    assert_eq!(store.find(&key, request(3)).await.unwrap(), None);
    let mut other = commit(&key, kept, request(5));
    other.entry = entry(kept.digest, b"other");
    assert_eq!(store.commit(other.clone()).await.unwrap(), Committed::Done);
    // The version is the same again, and still it is not taken for the same.
    let fork = Head { version: 4, digest: other.entry.digest };
    assert_eq!(fork.version, after(&lost).version);
    assert_eq!(store.commit(on_top).await.unwrap(), Committed::Stale(fork));
}
