//! A store that is not fit to keep games is refused in plain words.

use std::time::Duration;

use boardkeeper::store::{RedisOpenError, Unfit};

use super::{RedisCluster, RedisServer, open, try_open};

async fn refusal(url: &str) -> RedisOpenError {
    let opened = try_open(url, |settings| settings.longest_call = Duration::from_millis(500)).await;
    opened.err().unwrap()
}

async fn unfitness(url: &str) -> Unfit {
    match refusal(url).await {
        RedisOpenError::Unfit(_, unfit) => unfit,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn one_that_throws_games_away_is_refused() {
    for policy in ["allkeys-lru", "volatile-ttl", "allkeys-random"] {
        let server = RedisServer::start(&[("maxmemory-policy", policy)]);
        let unfit = unfitness(&server.url()).await;
        assert_eq!(unfit, Unfit::Evicts(policy.into()));
        assert!(unfit.to_string().contains("set maxmemory-policy to noeviction"));
    }
}

#[tokio::test]
async fn a_replica_is_refused() {
    let master = RedisServer::durable();
    let replica = RedisServer::replica_of(&master);
    assert_eq!(unfitness(&replica.url()).await, Unfit::Replica);
    open(&master.url()).await;
}

#[tokio::test]
async fn a_cluster_and_a_single_server_are_told_apart() {
    let cluster = RedisCluster::start(false);
    assert_eq!(unfitness(&cluster.masters[0].url()).await, Unfit::InCluster);
    let single = RedisServer::durable();
    let url = single.url().replace("redis://", "redis-cluster://");
    assert_eq!(unfitness(&url).await, Unfit::NoCluster);
}

#[tokio::test]
async fn a_cluster_that_is_not_whole_is_refused() {
    let cluster = RedisCluster::start(false);
    cluster.masters[2].ask::<()>(&["CLUSTER", "DELSLOTS", "16383"]);
    crate::store::servers::wait_until("the node has noticed", || {
        let info: String = cluster.masters[2].ask(&["CLUSTER", "INFO"]);
        info.contains("cluster_state:fail")
    });
    let unfit = unfitness(&cluster.url()).await;
    assert!(matches!(unfit, Unfit::NotWhole(_)), "{unfit}");
    assert!(unfit.to_string().contains("its state is fail, 16383 of 16384 slots are kept"), "{unfit}");
}

#[tokio::test]
async fn nobody_who_answers_is_said_to_be_nobody() {
    let mut server = RedisServer::durable();
    server.kill();
    let gone = refusal(&server.url()).await;
    assert_eq!(gone.to_string(), format!("Redis at 127.0.0.1:{}, database 0 cannot be used", server.port()));
    let RedisOpenError::Silent(_, cause) = gone else { panic!("{gone:?}") };
    assert!(cause.to_string().contains("Redis cannot be reached"), "{cause}");
    for url in ["redis-cluster", "redis-sentinel"] {
        let url =
            format!("{url}://{}127.0.0.1:{}", if url.ends_with('l') { "games@" } else { "" }, server.port());
        let RedisOpenError::Silent(..) = refusal(&url).await else { panic!("{url}") };
    }
}

#[tokio::test]
async fn a_url_that_cannot_be_read_is_not_repeated() {
    let refusal = refusal("redis://ada:secret@host:port").await;
    assert!(matches!(refusal, RedisOpenError::Url(_)));
    assert!(!format!("{refusal:?} {refusal}").contains("secret"));
}
