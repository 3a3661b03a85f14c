//! Readers that do not keep up are ended, lose nothing, slow nobody, and cost little.

use std::time::Duration;

use boardkeeper::api::proto::{self, Cursor, WatchGameResponse, watch_game_response::Frame};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};
use tonic::{Code, Streaming};
use tonic_types::StatusExt;

use super::{
    house::{House, Process, narrow},
    portal::{Portal, metadata, reason},
    reader::{Reader, next, soon},
    until::until,
    wander,
};

/// A server that ends readers soon.
async fn impatient() -> House {
    House::open_with(|config| config.patience = Duration::from_millis(200)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_a_stalled_reader_is_told_and_misses_nothing() {
    let house = impatient().await;
    a_stalled_reader(&house, &house.portal().await).await;
}

/// Stalls at a server that ends readers soon, and reads on through a portal.
pub(super) async fn a_stalled_reader(house: &House, portal: &Portal) {
    let game = wander::begin_after(portal, wander::MOVES).await;
    let stalled = Portal::new(narrow(house.address()).await);
    let mut reader = Reader::new(&stalled, &game.id);
    reader.event().await;
    until("the server gives the reader up", async || house.watched() == 0).await;
    // What the transport had taken still comes, then the truth, and never OK.
    let status = reader.failure().await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "SLOW_CONSUMER"));
    let after = reader.after.clone().expect("a place");
    assert!(after.version < game.version, "it was not slow: {}", after.version);
    assert_eq!(metadata(&status, "last_sent_version"), after.version.to_string());
    let digest: String = after.digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(metadata(&status, "last_sent_digest"), digest);
    reader.portal = portal.clone();
    reader.rest().await;
    assert_eq!(reader.events, portal.history(&game.id).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_a_stalled_reader_of_many_games_is_told_and_misses_nothing() {
    let house = impatient().await;
    let portal = house.portal().await;
    let games = [
        wander::begin_after(&portal, wander::MOVES).await,
        wander::begin_after(&portal, wander::MOVES).await,
    ];
    let stalled = Portal::new(narrow(house.address()).await);
    let watched = games
        .iter()
        .map(|game| proto::WatchedGame { game_id: game.id.clone(), after: Some(Cursor::default()) });
    let request = proto::WatchGamesRequest { games: watched.collect(), ..Default::default() };
    let mut stream = stalled.client.clone().watch_games(request).await.expect("it begins").into_inner();
    until("the server gives the reader up", async || house.watched() == 0).await;
    let mut seen = [0, 0];
    let status = loop {
        match next(&mut stream).await {
            Ok(Some(response)) => {
                let index = usize::from(response.game_id == games[1].id);
                let Some(proto::watch_games_response::Frame::Event(event)) = response.frame else {
                    panic!("expected an event, not {response:?}");
                };
                seen[index] += 1;
                assert_eq!(event.version, seen[index]);
            }
            Ok(None) => panic!("a stalled stream ended with OK"),
            Err(status) => break status,
        }
    };
    assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "SLOW_CONSUMER"));
    // One version would not be the place of all games.
    let details = status.get_error_details();
    assert!(details.error_info().is_some_and(|info| info.metadata.is_empty()), "{details:?}");
    for (game, seen) in games.iter().zip(seen) {
        let mut reader =
            Reader::after(&portal, &game.id, Some(Cursor { version: seen, ..Cursor::default() }));
        reader.rest().await;
        assert_eq!(reader.events.len() as u64, game.version - seen);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_stalled_readers_slow_nobody() {
    let house = House::open_with(|config| config.patience = Duration::from_secs(50)).await;
    let portal = house.portal().await;
    let game = wander::begin_after(&portal, 800).await;
    let stalled = Portal::new(narrow(house.address()).await);
    let mut streams: Vec<Streaming<WatchGameResponse>> = Vec::new();
    for _ in 0..50 {
        streams.push(stalled.watch(&game.id, Some(Cursor::default())).await.expect("it begins"));
    }
    let mut reader = Reader::of_snapshot(&portal, &game.id);
    let mut game = reader.snapshot().await;
    let began = Instant::now();
    for _ in 0..100 {
        game = wander::go_on(&portal, &game.id, game.version).await;
        assert_eq!(reader.event().await.version, game.version);
    }
    assert!(began.elapsed() < Duration::from_secs(25), "as slow as the stalled: {:?}", began.elapsed());
    assert_ne!(house.watched(), 0);
    for mut stream in streams {
        // They were stalled all the time: the first events are what they get now.
        let frame = next(&mut stream).await.expect("it goes on").expect("a frame").frame;
        assert!(matches!(frame, Some(Frame::Event(event)) if event.version == 1));
    }
}

/// How many watchers stall at once.
const STALLED: usize = 1_000;

/// The most memory that one stalled watcher may cost the server, in bytes. Half of it is the buffer in
/// which the transport encodes 32 KiB and one frame ahead; the frames that wait before it and one
/// turn of events behind them are small beside that.
const BOUND: u64 = 128 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s12_a_thousand_stalled_watchers_cost_a_bounded_memory() {
    let dir = TempDir::new().expect("a temporary directory");
    let process = Process::start(dir.path(), &["--patience-ms", "300000"]).await;
    let portal = process.portal().await;
    let game = wander::begin_after(&portal, wander::MOVES).await;
    // Whatever the first stream costs once is no watcher's.
    let mut reader = Reader::new(&portal, &game.id);
    reader.rest().await;
    let offered: usize = reader.events.iter().map(prost::Message::encoded_len).sum();
    let before = process.memory();
    let mut streams = Vec::new();
    for _ in 0..STALLED / 100 {
        let stalled = Portal::new(narrow(&process.address).await);
        for _ in 0..100 {
            streams.push(soon(stalled.watch(&game.id, Some(Cursor::default()))).await.expect("it begins"));
        }
    }
    for stream in &mut streams {
        assert!(next(stream).await.expect("it goes on").is_some());
    }
    let after = settled(&process).await;
    let each = after.saturating_sub(before) / STALLED as u64;
    assert!(BOUND < offered as u64, "{offered} bytes were offered: the test shows nothing");
    assert!(each <= BOUND, "{each} bytes for each of {STALLED} stalled watchers");
}

/// The memory of a process that has stopped growing.
async fn settled(process: &Process) -> u64 {
    let mut memory = process.memory();
    loop {
        sleep(Duration::from_secs(1)).await;
        let now = process.memory();
        if now < memory + (1 << 20) {
            return now;
        }
        memory = now;
    }
}
