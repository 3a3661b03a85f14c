//! The rights in deploy/redis.acl are enough, and none is too many.

use std::fs;

use boardkeeper::store::{RedisOpenError, Unfit};

use super::{RedisServer, open, try_open};
use crate::store::{contract, servers::wait_until};

const RIGHTS: &str = include_str!("../../../../deploy/redis.acl");

/// Those that are asked for only in a cluster, with replicas to wait for, or in another database.
const ELSEWHERE: [&str; 5] = ["asking", "cluster|slots", "cluster|info", "wait", "lset"];

/// A server with the rights of the file, and somebody who may change them.
fn server() -> RedisServer {
    RedisServer::prepare(&[("aclfile", "users.acl"), ("appendonly", "yes")], "admin:secret@", |dir| {
        let admin = "user admin on >secret ~* &* +@all\n";
        fs::write(dir.join("users.acl"), format!("{RIGHTS}{admin}")).unwrap();
    })
}

fn url(server: &RedisServer) -> String {
    server.url().replace("redis://", "redis://boardkeeper:change-me@")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn they_are_enough() {
    let server = server();
    let store = std::sync::Arc::new(open(&format!("{}/3", url(&server))).await);
    contract::holds(store.clone()).await;
    // Listening as well.
    wait_until("the store listens", || {
        let clients: String = server.ask(&["CLIENT", "LIST", "TYPE", "pubsub"]);
        clients.contains("sub=1")
    });
    let denied: Vec<Vec<String>> = server.ask(&["ACL", "LOG"]);
    // What the check asks for in vain, and can do without.
    let unnoticed = denied.iter().find(|entry| !entry.contains(&"config|get".into()));
    assert_eq!(unnoticed, None);
}

#[tokio::test]
async fn none_is_too_many() {
    let server = server();
    let rights = RIGHTS.split_whitespace().filter_map(|word| word.strip_prefix('+'));
    for right in rights.filter(|right| !ELSEWHERE.contains(right)) {
        server.ask::<()>(&["ACL", "SETUSER", "boardkeeper", &format!("-{right}")]);
        let at = if right == "select" { format!("{}/1", url(&server)) } else { url(&server) };
        let opened = try_open(&at, |settings| settings.longest_call = std::time::Duration::from_millis(200));
        let refusal = opened.await.err().unwrap_or_else(|| panic!("it opens without {right}"));
        match &refusal {
            RedisOpenError::Unfit(_, Unfit::Forbidden(commands)) => {
                assert!(commands.to_lowercase().contains(right), "{commands} is forbidden, not {right}");
            }
            _ => assert_eq!(right, "select", "{refusal:?}"),
        }
        server.ask::<()>(&["ACL", "SETUSER", "boardkeeper", &format!("+{right}")]);
    }
    open(&url(&server)).await;
}

#[tokio::test]
async fn other_keys_and_channels_are_out_of_reach() {
    let server = server();
    for (pattern, back) in [("resetkeys", "~bk1:*"), ("resetchannels", "&bk1:bell:*")] {
        server.ask::<()>(&["ACL", "SETUSER", "boardkeeper", pattern]);
        let refusal = try_open(&url(&server), |_| ()).await.err().unwrap();
        assert!(matches!(refusal, RedisOpenError::Unfit(_, Unfit::Forbidden(_))), "{refusal}");
        server.ask::<()>(&["ACL", "SETUSER", "boardkeeper", back]);
    }
}

#[tokio::test]
async fn a_wrong_password_is_called_one() {
    let server = server();
    let wrong = url(&server).replace("change-me", "guess");
    let refusal = try_open(&wrong, |settings| settings.longest_call = std::time::Duration::from_millis(200));
    let refusal = refusal.await.err().unwrap();
    let RedisOpenError::Silent(_, cause) = &refusal else { panic!("{refusal:?}") };
    assert!(cause.to_string().contains("does not accept the user and password"), "{cause}");
    assert!(!format!("{refusal:?}").contains("guess"));
}
