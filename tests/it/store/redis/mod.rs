//! The store in Redis, against servers of its own.

mod acl;
mod checks;
mod cluster;
mod commands;
mod cuts;
mod deploy;
mod failover;
mod faults;
mod lists;
mod notifications;
mod replicas;
mod sharing;
mod sizes;
mod tls;

use std::{sync::Arc, time::Duration};

use boardkeeper::store::{Commit, Committed, Redis, RedisOpenError, RedisSettings, Store, StoreError};
use tokio::time::{sleep, timeout};

use super::{
    contract,
    embedded::Silent,
    servers::{RedisCluster, RedisServer},
};

async fn open(url: &str) -> Redis {
    open_with(url, |_| ()).await
}

async fn open_with(url: &str, change: impl FnOnce(&mut RedisSettings)) -> Redis {
    try_open(url, change).await.unwrap()
}

async fn try_open(url: &str, change: impl FnOnce(&mut RedisSettings)) -> Result<Redis, RedisOpenError> {
    let mut settings = RedisSettings::default();
    change(&mut settings);
    Redis::open(url, settings, Arc::new(Silent)).await
}

/// Commits until it is known what came of it, as portals do that send a request again.
async fn insist(store: &Redis, commit: Commit) -> Committed {
    let insisting = async {
        loop {
            match store.commit(commit.clone()).await {
                Err(StoreError::Unavailable(..)) => sleep(Duration::from_millis(20)).await,
                answer => return answer.unwrap(),
            }
        }
    };
    timeout(Duration::from_secs(60), insisting).await.expect("Redis is there again")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_server_keeps_the_contract() {
    let server = RedisServer::durable();
    contract::holds(Arc::new(open(&server.url()).await)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_a_server_keeps_the_contract() {
    let server = RedisServer::durable();
    contract::holds(Arc::new(open(&format!("{}/7", server.url())).await)).await;
    let keys = server.info("db7").unwrap();
    assert!(keys.starts_with("keys="), "{keys}");
    assert_eq!(server.info("db0"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_keeps_the_contract() {
    let cluster = RedisCluster::start(false);
    contract::holds(Arc::new(open(&cluster.url()).await)).await;
    for master in &cluster.masters {
        let keys: u64 = master.ask(&["DBSIZE"]);
        assert!(1_000 < keys, "each master keeps its part, and this one has {keys} keys");
    }
}
