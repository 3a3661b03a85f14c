//! Connections that break at any byte, on the way to Redis and on the way back.

use std::time::Duration;

use boardkeeper::store::{Redis, Store};

use super::{RedisServer, faults, open_with};
use crate::{
    proxy::{Cut, Proxy},
    store::games::{begin, commit, go_on, key, request},
};

/// Plays a game over connections of which each ends after so many bytes, and looks what became of it.
async fn play_through(server: &RedisServer, game: &str, cut: Cut) {
    let proxy = Proxy::cutting(&format!("127.0.0.1:{}", server.port()), cut).await;
    let url = proxy.address().replace("http://", "redis://");
    // What is lost on the way is noticed by the cut, not by waiting.
    let store = open_with(&url, |settings| settings.patience = Duration::from_secs(20)).await;
    let key = key("cut", game);
    let whole = super::open(&server.url()).await;
    let mut head = begin(&whole, &key).await;
    while head.version < 60 {
        head = faults::go_on_anyhow(&store, &key, head).await;
    }
    faults::assert_whole(&whole, &key, head).await;
}

/// The least that takes a connection through its beginning and one change, with a margin; a cut after
/// that many bytes and some more falls anywhere into what follows.
const LEAST: Cut = Cut { requests: Some(4_000), replies: Some(9_000) };

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_was_cut_off_is_asked_again() {
    let server = RedisServer::durable();
    for more in (0..420).step_by(41) {
        let cut = Cut { requests: LEAST.requests.map(|least| least + more), replies: None };
        play_through(&server, &format!("question-{more}"), cut).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_was_cut_off_is_asked_for_again() {
    let server = RedisServer::durable();
    for more in 0..12 {
        let cut = Cut { requests: None, replies: LEAST.replies.map(|least| least + more) };
        play_through(&server, &format!("answer-{more}"), cut).await;
    }
}

/// Whatever the answer would have been, a change happened at most once and is found.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_whose_answer_is_swallowed_is_known_from_the_next_connection() {
    let server = RedisServer::durable();
    let proxy = Proxy::to(&format!("127.0.0.1:{}", server.port())).await;
    let url = proxy.address().replace("http://", "redis://");
    let store: Redis = open_with(&url, |settings| settings.longest_call = Duration::from_millis(1_500)).await;
    let key = key("swallow", "game");
    let head = begin(&store, &key).await;
    // Redis knows the script after this, or it would only answer that it does not.
    let head = go_on(&store, &key, head, 1).await;
    proxy.swallow_replies();
    let lost = commit(&key, head, request(2));
    assert!(store.commit(lost).await.is_err());
    proxy.cut();
    let found = store.find(&key, request(2)).await.unwrap();
    assert_eq!(found, Some(3), "it had arrived");
}
