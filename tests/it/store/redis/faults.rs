//! What goes wrong between a store and its Redis, and what is left of it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use boardkeeper::{
    game::GameKey,
    store::{Committed, Created, Head, Redis, Store, StoreError},
};
use tokio::time::sleep;

use super::{RedisServer, insist, open, open_with};
use crate::store::games::{after, begin, birth, commit, entries, go_on, key, request};

/// Makes a game's next entry, however often that takes.
pub(super) async fn go_on_anyhow(store: &Redis, key: &GameKey, head: Head) -> Head {
    let commit = commit(key, head, request(head.version.into()));
    let done = after(&commit);
    match insist(store, commit).await {
        Committed::Done => (),
        Committed::Repeated(version) if version == done.version => (),
        other => panic!("{other:?}"),
    }
    done
}

pub(super) async fn assert_whole(store: &Redis, key: &GameKey, head: Head) {
    let log = store.read(key, 0, usize::MAX).await.unwrap().unwrap();
    assert_eq!((log.head, log.entries), (head, entries(key, head.version)));
    for made in 1..=head.version {
        assert_eq!(store.find(key, request((made - 1).into())).await.unwrap(), Some(made));
    }
    assert_eq!(store.find(key, request(head.version.into())).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_and_started_again_has_lost_nothing() {
    let mut server = RedisServer::durable();
    let store = Arc::new(open(&server.url()).await);
    let over = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = (0..8)
        .map(|number| {
            let (store, over) = (store.clone(), over.clone());
            tokio::spawn(async move {
                let key = key("kill", &format!("game-{number}"));
                let mut head = begin(&*store, &key).await;
                while !over.load(Ordering::Relaxed) {
                    head = go_on_anyhow(&store, &key, head).await;
                }
                (key, head)
            })
        })
        .collect();
    for _ in 0..3 {
        sleep(Duration::from_millis(150)).await;
        server = tokio::task::spawn_blocking(move || {
            server.kill();
            server.run();
            server
        })
        .await
        .unwrap();
    }
    sleep(Duration::from_millis(150)).await;
    over.store(true, Ordering::Relaxed);
    for player in players {
        let (key, head) = player.await.unwrap();
        assert!(10 < head.version, "{key} got nowhere");
        assert_whole(&store, &key, head).await;
    }
}

#[tokio::test]
async fn scripts_that_were_forgotten_are_taught_again() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    let key = key("flush", "game");
    let mut head = begin(&store, &key).await;
    for number in 1..5 {
        server.ask::<()>(&["SCRIPT", "FLUSH"]);
        assert_eq!(store.commit(commit(&key, head, request(number))).await.unwrap(), Committed::Done);
        server.ask::<()>(&["SCRIPT", "FLUSH"]);
        head = store.read(&key, 0, 0).await.unwrap().unwrap().head;
    }
    server.ask::<()>(&["SCRIPT", "FLUSH"]);
    begin(&store, &self::key("flush", "other")).await;
    assert_whole(&store, &key, head).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_were_cut_are_made_again() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    let key = key("cut", "game");
    let mut head = begin(&store, &key).await;
    let stop = Arc::new(AtomicBool::new(false));
    let cutting = {
        let (stop, url) = (stop.clone(), server.url());
        tokio::task::spawn_blocking(move || {
            let mut killer = ::redis::Client::open(url).unwrap().get_connection().unwrap();
            while !stop.load(Ordering::Relaxed) {
                let kill =
                    ::redis::cmd("CLIENT").arg(&["KILL", "TYPE", "normal", "SKIPME", "yes"]).to_owned();
                kill.exec(&mut killer).unwrap();
                std::thread::sleep(Duration::from_millis(3));
            }
        })
    };
    while head.version < 100 {
        head = go_on_anyhow(&store, &key, head).await;
    }
    stop.store(true, Ordering::Relaxed);
    cutting.await.unwrap();
    assert_whole(&store, &key, head).await;
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up_in_time_and_found_again() {
    let server = RedisServer::durable();
    let store = open_with(&server.url(), |settings| {
        settings.patience = Duration::from_millis(300);
        settings.longest_call = Duration::from_millis(900);
    })
    .await;
    let key = key("hang", "game");
    let head = begin(&store, &key).await;
    server.signal("STOP");
    let began = Instant::now();
    let hanging = store.commit(commit(&key, head, request(1))).await;
    assert!(matches!(hanging, Err(StoreError::Unavailable(..))), "{hanging:?}");
    assert!(began.elapsed() < Duration::from_secs(9), "it took {:?}", began.elapsed());
    assert!(matches!(store.ready().await, Err(StoreError::Unavailable(..))));

    server.signal("CONT");
    // Redis finds what it was asked while it hung, and the first of it happens.
    let head = go_on_anyhow(&store, &key, head).await;
    assert_whole(&store, &key, head).await;
    store.ready().await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_gone_is_said_to_be() {
    let mut server = RedisServer::durable();
    let store = open_with(&server.url(), |settings| settings.longest_call = Duration::from_millis(300)).await;
    let key = key("gone", "game");
    let head = begin(&store, &key).await;
    server.kill();
    let refusal = store.commit(commit(&key, head, request(1))).await.unwrap_err();
    assert_eq!(refusal.to_string(), "the store does not answer: Redis cannot be reached");
    assert!(store.read(&key, 0, 1).await.is_err());
    assert!(store.ready().await.is_err());
    server.run();
    go_on(&store, &key, head, 1).await;
    store.ready().await.unwrap();
}

/// What Redis holds, byte for byte.
fn contents(server: &RedisServer) -> String {
    server.ask(&["DEBUG", "DIGEST"])
}

fn debuggable() -> RedisServer {
    RedisServer::start(&[("appendonly", "yes"), ("appendfsync", "always"), ("enable-debug-command", "yes")])
}

#[tokio::test]
async fn without_memory_nothing_is_half_written() {
    let server = debuggable();
    let store = open_with(&server.url(), |settings| settings.longest_call = Duration::from_millis(300)).await;
    let key = key("memory", "game");
    let head = begin(&store, &key).await;
    let before = contents(&server);
    server.ask::<()>(&["CONFIG", "SET", "maxmemory", "1"]);
    let full = "the store does not answer: Redis has reached its maxmemory";
    let refusal = store.commit(commit(&key, head, request(1))).await.unwrap_err();
    assert_eq!(refusal.to_string(), full);
    let mut last = commit(&key, head, request(2));
    last.finished = Some(boardkeeper::store::Card { finished: true, ..crate::store::games::card() });
    assert_eq!(store.commit(last).await.unwrap_err().to_string(), full);
    let refusal = store.create(birth(&self::key("memory", "other"))).await.unwrap_err();
    assert_eq!(refusal.to_string(), full);
    assert_eq!(store.ready().await.unwrap_err().to_string(), full);
    assert_eq!(contents(&server), before);
    // Reading goes on.
    assert_eq!(store.find(&key, request(1)).await.unwrap(), None);
    assert_eq!(store.read(&key, 0, 1).await.unwrap().unwrap().head, head);

    server.ask::<()>(&["CONFIG", "SET", "maxmemory", "0"]);
    go_on(&store, &key, head, 1).await;
}

#[tokio::test]
async fn a_write_that_is_forbidden_leaves_nothing_half_written() {
    let server = debuggable();
    server.ask::<()>(&["ACL", "SETUSER", "keeper", "on", ">secret", "~*", "&*", "+@all"]);
    let url = server.url().replace("redis://", "redis://keeper:secret@");
    let store = open_with(&url, |settings| settings.keep_finished = Some(Duration::from_secs(3600))).await;
    let key = key("forbid", "game");
    let head = begin(&store, &key).await;
    let mut last = commit(&key, head, request(1));
    last.finished = Some(boardkeeper::store::Card { finished: true, ..crate::store::games::card() });
    let mut ended = birth(&self::key("forbid", "ended"));
    ended.card.finished = true;
    let games = |server: &RedisServer| {
        let mut keys: Vec<String> = server.ask(&["KEYS", "bk1:{*"]);
        keys.sort();
        keys.into_iter().map(|key| server.ask(&["DUMP", &key])).collect::<Vec<Vec<u8>>>()
    };
    let before = games(&server);
    for command in ["rpush", "hset", "set", "pexpire"] {
        server.ask::<()>(&["ACL", "SETUSER", "keeper", &format!("-{command}")]);
        let refusal = store.commit(last.clone()).await.unwrap_err();
        assert!(refusal.to_string().contains("Redis forbids what is needed"), "{refusal}");
        let refusal = store.create(ended.clone()).await.unwrap_err();
        assert!(refusal.to_string().contains("Redis forbids what is needed"), "{refusal}");
        assert_eq!(games(&server), before, "{command}");
        assert_eq!(store.find(&key, request(1)).await.unwrap(), None);
        server.ask::<()>(&["ACL", "SETUSER", "keeper", &format!("+{command}")]);
    }
    // A notification is worth no failure.
    server.ask::<()>(&["ACL", "SETUSER", "keeper", "-publish"]);
    assert_eq!(store.commit(last).await.unwrap(), Committed::Done);
    assert_eq!(store.create(ended).await.unwrap(), Created::Done);
}

#[tokio::test]
async fn a_key_of_another_kind_leaves_nothing_half_written() {
    let server = debuggable();
    let store = open(&server.url()).await;
    for (name, of_log) in [("log", true), ("ids", false)] {
        let key = key("kind", name);
        let stranger = format!("bk1:{{kind/{name}}}:{}", if of_log { "log" } else { "ids" });
        server.ask::<()>(&["SET", &stranger, "stranger"]);
        assert!(store.create(birth(&key)).await.is_err());
        let head = Head { version: 1, digest: entries(&key, 1)[0].digest };
        assert!(store.commit(commit(&key, head, request(1))).await.is_err());
        let keys: Vec<String> = server.ask(&["KEYS", &format!("bk1:{{kind/{name}}}:*")]);
        assert_eq!(keys, [stranger]);
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_damage() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    let key = key("damage", "game");
    let head = begin(&store, &key).await;
    server.ask::<()>(&["LSET", "bk1:{damage/game}:log", "0", "\u{2}"]);
    let damage = store.read(&key, 0, 1).await.unwrap_err();
    assert!(matches!(damage, StoreError::Damaged(_)), "{damage}");
    let damage = store.commit(commit(&key, head, request(1))).await.unwrap_err();
    assert!(matches!(damage, StoreError::Damaged(_)), "{damage}");
    server.ask::<()>(&["SET", "bk1:{damage/game}:card", "?"]);
    let filter = boardkeeper::store::Filter::default();
    let damage = store.list(&key.tenant, &filter, None, 1).await.unwrap_err();
    assert!(damage.to_string().contains("has format 63, and this release reads format 1"), "{damage}");
}
