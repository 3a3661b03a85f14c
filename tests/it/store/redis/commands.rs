//! What is asked of Redis for each call.

use boardkeeper::{
    game::Millis,
    store::{Card, Filter, Store},
};

use super::{RedisServer, open};
use crate::store::games::{begin, card, commit, go_on, key, request};

#[tokio::test]
async fn a_change_is_one_command() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    let key = key("count", "game");
    let head = begin(&store, &key).await;
    // The first of them teaches the script.
    let head = go_on(&store, &key, head, 1).await;
    let heard = server
        .overhear(async {
            let mut head = head;
            for number in 100..120 {
                let commit = commit(&key, head, request(number));
                head = crate::store::games::after(&commit);
                store.commit(commit).await.unwrap();
            }
        })
        .await;
    assert_eq!(heard.len(), 20, "{heard:?}");
    assert!(heard.iter().all(|line| line.contains("] \"EVALSHA\"")), "{heard:?}");
}

/// So that a server may die in between, and no game is missing from a list.
#[tokio::test]
async fn places_are_entered_before_a_game_is_written() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    let key = key("order", "game");
    let heard = server.overhear(async { _ = begin(&store, &key).await }).await;
    let (enter, write) = heard.split_at(5);
    assert!(enter.iter().all(|line| line.contains("] \"ZADD\"")), "{heard:?}");
    assert!(write.iter().all(|line| line.contains("] \"EVAL")), "{heard:?}");

    let head = store.read(&key, 0, 0).await.unwrap().unwrap().head;
    let mut last = commit(&key, head, request(1));
    last.finished = Some(Card { finished: true, ..card() });
    let heard = server.overhear(async { _ = store.commit(last).await.unwrap() }).await;
    let words = ["ZADD", "ZADD", "ZADD", "ZADD", "ZADD", "EVAL", "ZREM"];
    let heard: Vec<_> = heard.iter().filter(|line| !line.contains("] \"EVALSHA\"")).collect();
    let in_order = words.iter().zip(&heard).all(|(word, line)| line.contains(&format!("] \"{word}\"")));
    assert!(in_order && heard.len() == words.len(), "{heard:?}");
}

#[tokio::test]
async fn reading_and_finding_are_one_command_each() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    let key = key("count", "game");
    let head = begin(&store, &key).await;
    go_on(&store, &key, head, 5).await;
    store.read(&key, 0, 10).await.unwrap();
    let heard = server
        .overhear(async {
            store.read(&key, 3, 10).await.unwrap();
            store.find(&key, request(3)).await.unwrap();
        })
        .await;
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(heard[0].contains("] \"EVALSHA\"") && heard[1].contains("] \"HGET\""), "{heard:?}");
}

#[tokio::test]
async fn a_page_is_two_trips() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    for number in 0..30 {
        let key = key("page", &format!("game-{number}"));
        let mut birth = crate::store::games::birth(&key);
        birth.card = Card { created: Millis(number), ..card() };
        store.create(birth).await.unwrap();
    }
    let heard = server
        .overhear(async {
            let page = store.list(&key("page", "x").tenant, &Filter::default(), None, 20).await.unwrap();
            assert_eq!(page.games.len(), 20);
        })
        .await;
    let (places, cards): (Vec<_>, Vec<_>) = heard.iter().partition(|line| line.contains("] \"ZRANGE\""));
    assert_eq!((places.len(), cards.len()), (1, 21), "{heard:?}");
}

#[tokio::test]
async fn nothing_is_watched_and_nothing_blocks() {
    let server = RedisServer::durable();
    let store = std::sync::Arc::new(open(&server.url()).await);
    let stats =
        || server.info("cmdstat_watch").or(server.info("cmdstat_multi")).or(server.info("cmdstat_xread"));
    crate::store::contract::holds(store).await;
    assert_eq!(stats(), None);
}
