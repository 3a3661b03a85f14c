//! The stream of one game joins: with the state before it, with the stream before it, with the log.

use std::collections::BTreeSet;

use boardkeeper::api::proto::{Cursor, Event, Side, watch_game_response::Frame};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tonic::Code;

use super::{
    house::{House, Process},
    portal::{Portal, assert_refused, assert_whole, cursor, metadata},
    reader::Reader,
    recorded, wander,
};

/// Of the ten thousand races that the promise was set for, as many as a busy machine runs in some
/// seconds: each is two moves and a stream.
const RACES: u64 = 4_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s1_no_event_is_lost_between_the_state_and_the_stream() {
    let house = House::open().await;
    let portal = house.portal().await;
    moves_race_streams(&portal, &portal, RACES).await;
}

/// Makes moves while streams of their games are opened, perhaps at another server.
pub(super) async fn moves_race_streams(playing: &Portal, watching: &Portal, races: u64) {
    let mut racers = JoinSet::new();
    for _ in 0..25 {
        racers.spawn(race(playing.clone(), watching.clone(), races / 25));
    }
    let starts = racers.join_all().await.into_iter().flatten().collect::<BTreeSet<u64>>();
    assert!(1 < starts.len(), "the stream always came at the same moment: {starts:?}");
}

/// Makes two moves while a stream is opened, so many times; how many of the moves were in the
/// snapshots.
async fn race(playing: Portal, watching: Portal, races: u64) -> BTreeSet<u64> {
    let mut game = wander::begin(&playing).await;
    let mut starts = BTreeSet::new();
    for number in 0..races {
        let last = game.version + 2;
        let mut reader = Reader::of_snapshot(&watching, &game.id);
        let moves = wander::go_to(&playing, &game, last);
        let watch = async {
            for _ in 0..number % 8 {
                tokio::task::yield_now().await;
            }
            let start = reader.snapshot().await.version;
            reader.read_to(last).await;
            start
        };
        let (after, start) = tokio::join!(moves, watch);
        assert!((game.version..=last).contains(&start));
        starts.insert(start - game.version);
        game = after;
    }
    starts
}

#[tokio::test]
async fn s2_the_first_frame_is_the_state_or_the_next_event() {
    let house = House::open().await;
    starts_with_state_or_next_event(&house.portal().await).await;
}

#[tokio::test]
async fn s2_the_program_starts_streams_as_the_library_does() {
    let dir = TempDir::new().expect("a temporary directory");
    let process = Process::start(dir.path(), &[]).await;
    starts_with_state_or_next_event(&process.portal().await).await;
    assert_eq!(process.terminate().await, Some(0));
}

async fn starts_with_state_or_next_event(portal: &Portal) {
    let mut game = wander::begin(portal).await;
    for _ in 0..5 {
        let mut fresh = Reader::of_snapshot(portal, &game.id);
        assert_eq!(fresh.snapshot().await, game);
        let mut waiting = Reader::after(portal, &game.id, Some(cursor(&game)));
        let mut behind =
            Reader::after(portal, &game.id, Some(Cursor { version: game.version - 1, ..Cursor::default() }));
        assert_eq!(behind.event().await.digest, game.digest);
        game = wander::go_on(portal, &game.id, game.version).await;
        for reader in [&mut fresh, &mut waiting, &mut behind] {
            assert_eq!(reader.event().await.version, game.version);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s4_versions_never_go_down_however_often_a_reader_resumes() {
    let mut house = House::open().await;
    let mut portal = house.portal().await;
    let mut game = wander::begin(&portal).await;
    let mut readers: Vec<Reader> = (0..4).map(|_| Reader::new(&portal, &game.id)).collect();
    for round in 0..6 {
        let last = game.version + 20;
        let play = wander::go_to(&portal, &game, last);
        let mut reading = JoinSet::new();
        for (stride, mut reader) in (1..).zip(readers) {
            reading.spawn(async move {
                while reader.events.len() < last as usize {
                    reader.event().await;
                    if reader.events.len() % (3 * stride) == 0 {
                        reader.cut();
                    }
                }
                reader
            });
        }
        game = play.await;
        readers = reading.join_all().await;
        if round % 2 == 1 {
            house = House::open_in(house.stop().await, |_| ()).await;
            portal = house.portal().await;
            for reader in &mut readers {
                reader.cut();
                reader.portal = portal.clone();
            }
        }
    }
    let history = portal.history(&game.id).await;
    assert_whole(&history);
    for reader in readers {
        assert_eq!(reader.events, history);
    }
}

#[tokio::test]
async fn s5_every_event_has_a_version_of_its_own_to_resume_from() {
    let house = House::open().await;
    let portal = house.portal().await;
    // Forty moves of one request, and one more.
    let game = wander::begin_after(&portal, 40).await;
    let game = wander::go_on(&portal, &game.id, game.version).await;
    let mut reader = Reader::new(&portal, &game.id);
    while reader.events.len() < game.version as usize {
        reader.event().await;
        reader.cut();
    }
    assert_eq!(reader.events, portal.history(&game.id).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s18_concurrent_writers_make_no_event_come_twice() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = wander::begin(&portal).await;
    let last = 120;
    let mut readers = JoinSet::new();
    for _ in 0..4 {
        let mut reader = Reader::new(&portal, &game.id);
        readers.spawn(async move {
            reader.rest().await;
            reader.events
        });
    }
    let mut writers = JoinSet::new();
    for _ in 0..8 {
        let (portal, id) = (house.portal().await, game.id.clone());
        writers.spawn(async move { write_to(&portal, &id, last).await });
    }
    let lost: usize = writers.join_all().await.into_iter().sum();
    assert!(0 < lost, "the writers never met");
    portal.resign(&game.id, last, Side::White).await.expect("it goes on");
    let history = portal.history(&game.id).await;
    assert_whole(&history);
    assert_eq!(history.len() as u64, last + 1);
    for events in readers.join_all().await {
        assert_eq!(events, history);
    }
}

/// Makes moves as fast as others let it, until the game is at a version; how many moves came too late.
pub(super) async fn write_to(portal: &Portal, id: &str, last: u64) -> usize {
    let mut version = 1;
    let mut lost = 0;
    while version < last {
        match portal.submit(id, version, &wander::step(version)).await {
            Ok(played) => version = played.game.expect("a game").version,
            Err(status) => {
                assert_eq!(status.code(), Code::Aborted, "{status:?}");
                version = metadata(&status, "current_version").parse().expect("a version");
                lost += 1;
            }
        }
    }
    lost
}

#[tokio::test]
async fn s20_a_stream_from_version_0_replays_everything() {
    let house = House::open().await;
    let portal = house.portal().await;
    // More events than are sent in one turn, are at hand in memory, or are read at a time.
    let finished = wander::begin_after(&portal, wander::MOVES).await;
    let running = wander::begin_after(&portal, 70).await;
    assert_replayed(&portal, &finished.id).await;
    let mut reader = Reader::new(&portal, &running.id);
    reader.read_to(71).await;
    assert_eq!(reader.events, portal.history(&running.id).await);
    // And from a server that has seen neither game before.
    let house = House::open_in(house.stop().await, |_| ()).await;
    let portal = house.portal().await;
    assert_replayed(&portal, &finished.id).await;
    let game = wander::go_on(&portal, &running.id, running.version).await;
    let mut reader = Reader::new(&portal, &running.id);
    reader.read_to(game.version).await;
}

async fn assert_replayed(portal: &Portal, id: &str) {
    let mut reader = Reader::new(portal, id);
    reader.rest().await;
    assert_whole(&reader.events);
    assert_eq!(reader.events.len() as u64, wander::MOVES + 1);
    assert_eq!(reader.events, portal.history(id).await);
}

#[tokio::test]
async fn a_finished_game_can_be_resumed_from_any_version() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = finished(&portal).await;
    let history = portal.history(&game).await;
    resumes_anywhere(&portal, &game, &history).await;
    let house = House::open_in(house.stop().await, |_| ()).await;
    resumes_anywhere(&house.portal().await, &game, &history).await;
}

/// A whole game of Quantum Control, played move by move.
async fn finished(portal: &Portal) -> String {
    let recorded = recorded::games("quantum-control").swap_remove(0);
    let mut game = portal.create_from("quantum-control", &recorded.start).await;
    for text in &recorded.moves {
        game = portal.submit(&game.id, game.version, text).await.expect("legal").game.expect("a game");
    }
    assert!(game.outcome.is_some());
    game.id
}

async fn resumes_anywhere(portal: &Portal, id: &str, history: &[Event]) {
    for after in 0..=history.len() {
        let digest = history[..after].last().map(|event| event.digest.clone()).unwrap_or_default();
        for digest in [digest, Vec::new()] {
            let place = Cursor { version: after as u64, digest };
            let mut reader = Reader::after(portal, id, Some(place));
            while reader.frame().await.expect("it is all there").is_some() {}
            assert_eq!(reader.events, history[after..]);
        }
    }
}

#[tokio::test]
async fn a_cursor_of_another_history_is_data_loss() {
    let house = House::open().await;
    let portal = house.portal().await;
    let running = wander::begin_after(&portal, 60).await;
    let finished = wander::begin_after(&portal, wander::MOVES).await;
    let fresh = wander::begin(&portal).await;
    let fresh = wander::go_to(&portal, &fresh, 4).await;
    for game in [&running, &finished, &fresh] {
        diverges(&portal, game).await;
    }
    let house = House::open_in(house.stop().await, |_| ()).await;
    let portal = house.portal().await;
    for game in [&running, &finished, &fresh] {
        diverges(&portal, game).await;
    }
}

async fn diverges(portal: &Portal, game: &boardkeeper::api::proto::Game) {
    let wrong = |version| Cursor { version, digest: vec![7; 32] };
    let ahead = game.version + 1;
    let lost = [
        wrong(1),
        wrong(game.version / 2),
        wrong(game.version - 1),
        wrong(game.version),
        wrong(ahead),
        Cursor { version: ahead, digest: Vec::new() },
        Cursor { version: ahead, digest: game.digest.clone() },
        Cursor { version: u64::MAX, digest: Vec::new() },
        // The right digest at the wrong place.
        Cursor { version: game.version - 1, digest: game.digest.clone() },
    ];
    for place in lost {
        let mut reader = Reader::after(portal, &game.id, Some(place.clone()));
        let answer = reader.frame().await;
        let status = assert_refused(answer, Code::DataLoss, "HISTORY_DIVERGED");
        assert_eq!(metadata(&status, "current_version"), game.version.to_string(), "{place:?}");
        let digest: String = game.digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(metadata(&status, "current_digest"), digest);
    }
    // The place itself is a good one.
    let mut reader =
        Reader::after(portal, &game.id, Some(Cursor { version: game.version - 1, ..Cursor::default() }));
    assert!(matches!(reader.frame().await, Ok(Some(Frame::Event(_)))));
}

#[tokio::test]
async fn a_stream_is_refused_before_it_begins() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = wander::begin(&portal).await;
    assert_refused(portal.watch("nowhere", None).await, Code::NotFound, "GAME_NOT_FOUND");
    assert_refused(portal.watch("no where", None).await, Code::InvalidArgument, "MALFORMED_REQUEST");
    for after in
        [Cursor { version: 1, digest: vec![0; 31] }, Cursor { version: 0, digest: game.digest.clone() }]
    {
        let answer = portal.watch(&game.id, Some(after)).await;
        assert_refused(answer, Code::InvalidArgument, "MALFORMED_REQUEST");
    }
}
