//! The configurations in deploy/ are what Redis reads, and what the store's check likes.

use std::{fs, path::Path};

use super::{RedisServer, open};

const SINGLE: &str = include_str!("../../../../deploy/redis.conf");
const CLUSTER: &str = include_str!("../../../../deploy/redis-cluster.conf");
const RIGHTS: &str = include_str!("../../../../deploy/redis.acl");

/// A configuration for this machine: with the test's own port, address and files.
fn here(conf: &str) -> String {
    let mine = ["port ", "bind "];
    let lines = conf.lines().filter(|line| !mine.iter().any(|word| line.starts_with(word)));
    lines.map(|line| line.replace("/etc/redis/", "") + "\n").collect()
}

fn write(dir: &Path) {
    fs::write(dir.join("redis.conf"), here(SINGLE)).unwrap();
    fs::write(dir.join("redis-cluster.conf"), here(CLUSTER)).unwrap();
    let admin = "user admin on >secret ~* &* +@all\n";
    fs::write(dir.join("redis.acl"), format!("{RIGHTS}{admin}")).unwrap();
}

fn setting(server: &RedisServer, name: &str) -> String {
    server.ask::<Vec<String>>(&["CONFIG", "GET", name]).remove(1)
}

#[tokio::test]
async fn a_single_server_runs_with_it() {
    let server = RedisServer::prepare(&[("include", "redis.conf")], "admin:secret@", write);
    for (name, value) in
        [("appendonly", "yes"), ("appendfsync", "always"), ("maxmemory-policy", "noeviction")]
    {
        assert_eq!(setting(&server, name), value);
    }
    open(&server.url().replace("redis://", "redis://boardkeeper:change-me@")).await;
}

#[test]
fn a_node_of_a_cluster_runs_with_it() {
    let server = RedisServer::prepare(&[("include", "redis-cluster.conf")], "admin:secret@", write);
    for (name, value) in
        [("cluster-enabled", "yes"), ("min-replicas-to-write", "1"), ("appendfsync", "always")]
    {
        assert_eq!(setting(&server, name), value);
    }
    let info: String = server.ask(&["CLUSTER", "INFO"]);
    assert!(info.contains("cluster_known_nodes:1"), "{info}");
}
