//! Changes that are acknowledged only once replicas have them.

use std::time::Duration;

use boardkeeper::store::{Committed, Created, Redis, Store, StoreError};

use super::{RedisServer, insist, open_with};
use crate::store::{
    contract,
    games::{begin, birth, commit, entries, go_on, key, request},
};

async fn open(url: &str, replicated: u32) -> Redis {
    open_with(url, |settings| {
        settings.replicated = replicated;
        settings.patience = Duration::from_millis(500);
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_waits_for_a_replica_keeps_the_contract() {
    let master = RedisServer::durable();
    let replica = RedisServer::replica_of(&master);
    contract::holds(std::sync::Arc::new(open(&master.url(), 1).await)).await;
    let (here, there): (u64, u64) = (master.ask(&["DBSIZE"]), replica.ask(&["DBSIZE"]));
    assert_eq!(here, there, "what was acknowledged last is on the replica too");
}

#[tokio::test]
async fn what_no_replica_has_is_not_acknowledged() {
    let master = RedisServer::durable();
    let replica = RedisServer::replica_of(&master);
    let store = open(&master.url(), 1).await;
    let key = key("replica", "game");
    let head = begin(&store, &key).await;
    replica.signal("STOP");
    let next = commit(&key, head, request(1));
    let refusal = store.commit(next.clone()).await.unwrap_err();
    assert_eq!(refusal.to_string(), "the store does not answer: 0 of 1 replicas have the change so far");
    // The master has it, and still neither asking again nor looking it up acknowledges it.
    for store in [&store, &open(&master.url(), 1).await] {
        assert!(matches!(store.commit(next.clone()).await, Err(StoreError::Unavailable(..))));
        assert!(matches!(store.find(&key, request(1)).await, Err(StoreError::Unavailable(..))));
        assert!(matches!(store.create(birth(&key)).await, Err(StoreError::Unavailable(..))));
    }
    // Reading waits for nobody.
    assert_eq!(store.read(&key, 0, 0).await.unwrap().unwrap().head.version, 2);

    replica.signal("CONT");
    assert_eq!(insist(&store, next).await, Committed::Repeated(2));
    assert_eq!(store.find(&key, request(1)).await.unwrap(), Some(2));
    assert_eq!(store.create(birth(&key)).await.unwrap(), Created::Exists(entries(&key, 1).remove(0)));
}

#[tokio::test]
async fn changes_do_not_wait_for_those_of_other_games() {
    let master = RedisServer::durable();
    let _replica = RedisServer::replica_of(&master);
    let store = open(&master.url(), 1).await;
    let keys: Vec<_> = (0..4).map(|number| key("lanes", &format!("game-{number}"))).collect();
    for key in &keys {
        let head = begin(&store, key).await;
        go_on(&store, key, head, 5).await;
    }
    let clients: String = master.ask(&["CLIENT", "LIST", "TYPE", "normal"]);
    let waiting = clients.lines().filter(|line| line.contains("cmd=wait")).count();
    assert!(2 <= waiting, "{clients}");
}
