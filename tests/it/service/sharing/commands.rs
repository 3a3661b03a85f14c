//! What is asked of Redis for each call.

use tonic::Code;

use super::row::Row;
use crate::service::{
    load,
    portal::{assert_refused, assert_whole, metadata},
    wander,
};

#[tokio::test]
async fn a_move_is_one_round_trip() {
    let row = Row::open().await;
    let [portal, other] = row.portals().await;
    // The first move teaches the script.
    let game = wander::begin_after(&other, 3).await;
    let game = wander::go_on(&portal, &game.id, game.version).await;
    let heard = row.redis.overhear(async { drop(wander::go_to(&portal, &game, 25).await) }).await;
    assert_eq!(heard.len(), 20, "{heard:#?}");
    assert!(heard.iter().all(|line| line.contains("] \"EVALSHA\"")), "{heard:#?}");
}

/// A server that the other has left behind reads once, and is up to date again.
#[tokio::test]
async fn a_server_that_was_left_behind_reads_once() {
    let row = Row::open().await;
    let [ahead, behind] = row.portals().await;
    let game = wander::begin(&behind).await;
    let game = wander::go_to(&ahead, &game, 9).await;
    let heard = row.redis.overhear(async { drop(wander::go_on(&behind, &game.id, 9).await) }).await;
    assert_eq!(heard.len(), 2, "{heard:#?}");
    let heard = row.redis.overhear(async { drop(wander::go_on(&behind, &game.id, 10).await) }).await;
    assert_eq!(heard.len(), 1, "{heard:#?}");
    assert_whole(&ahead.history(&game.id).await);
}

/// What the server has in memory fits the caller's version, and is old all the same.
#[tokio::test]
async fn a_server_learns_the_truth_from_the_answer_to_its_write() {
    let row = Row::open().await;
    let [ahead, behind] = row.portals().await;
    let game = wander::begin(&behind).await;
    let game = wander::go_to(&ahead, &game, 4).await;
    let heard = row
        .redis
        .overhear(async {
            let refused = behind.submit(&game.id, 1, &wander::step(1)).await;
            let status = assert_refused(refused, Code::Aborted, "VERSION_MISMATCH");
            assert_eq!(metadata(&status, "current_version"), "4");
            let digest: String = game.digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(metadata(&status, "current_digest"), digest);
        })
        .await;
    assert!(heard[0].contains("] \"EVALSHA\""), "the write comes first: {heard:#?}");
    assert_eq!(ahead.history(&game.id).await.len(), 4);
    assert_eq!(behind.get(&game.id).await.expect("it is there"), game);
}

#[tokio::test]
async fn nothing_is_watched_and_nothing_blocks() {
    let row = Row::open().await;
    let [one, other] = row.portals().await;
    let game = wander::begin(&one).await;
    let mut stream = other.watch(&game.id, None).await.expect("it begins");
    for version in 1..20 {
        let portal = if version % 2 == 0 { &one } else { &other };
        wander::go_on(portal, &game.id, version).await;
    }
    assert_eq!(load::list(&one, Default::default()).await.len(), 1);
    one.flag(&game.id, 20).await.expect("it goes on");
    while stream.message().await.expect("it goes on").is_some() {}
    let stats: String = row.redis.ask(&["INFO", "commandstats"]);
    let asked = stats.lines().filter_map(|line| line.strip_prefix("cmdstat_")?.split_once(':'));
    let mut strange: Vec<&str> = asked.map(|(command, _)| command).collect();
    strange.retain(|command| !ASKED.contains(command));
    assert!(strange.is_empty(), "{strange:?}");
}

/// All that servers ask of Redis, by themselves and in scripts: no WATCH, no MULTI, nothing that blocks.
const ASKED: [&str; 23] = [
    "acl|whoami",
    "client|setinfo",
    "config|get",
    "eval",
    "evalsha",
    "get",
    "hello",
    "hget",
    "hlen",
    "hset",
    "info",
    "lindex",
    "llen",
    "lrange",
    "ping",
    "publish",
    "rpush",
    "select",
    "set",
    "subscribe",
    "zadd",
    "zrange",
    "zrem",
];
