//! Many games on one stream: of a list, or all of a tenant.

use std::time::Duration;

use boardkeeper::api::proto::{Cursor, Game, WatchGamesRequest};
use tokio::{task::JoinSet, time::sleep};
use tonic::Code;

use super::{
    crowd::{Crowd, watched},
    house::House,
    portal::{assert_refused, assert_whole, cursor},
    reader::Reader,
    until::until,
    wander,
};

#[tokio::test]
async fn a_list_is_watched_each_game_from_its_own_place() {
    let house = House::open().await;
    let portal = house.portal().await;
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(wander::begin_after(&portal, 50).await);
    }
    let middle = portal.history(&games[2].id).await[19].clone();
    let request = WatchGamesRequest {
        games: vec![
            watched(&games[0], None),
            watched(&games[1], Some(Cursor::default())),
            watched(&games[2], Some(Cursor { version: middle.version, digest: middle.digest })),
            watched(&games[3], Some(cursor(&games[3]))),
        ],
        ..Default::default()
    };
    let mut crowd = Crowd::watch(&portal, request).await.expect("it begins");
    crowd.read_until(|crowd| games.iter().all(|game| crowd.place(game) == 51)).await;
    assert_eq!(crowd.snapshots.get(&games[0].id), Some(&games[0]));
    assert_eq!(crowd.snapshots.len(), 1);
    // It ends with the last of its games, and not before.
    for game in &games {
        let game = wander::go_on(&portal, &game.id, game.version).await;
        portal.flag(&game.id, game.version).await.expect("it goes on");
        crowd.read_until(|crowd| crowd.place(&game) == 53).await;
    }
    crowd.rest().await;
    assert_whole(&crowd.events[&games[1].id]);
    assert_eq!(crowd.current, 0);
    until("nobody watches any more", async || house.watched() == 0).await;
}

#[tokio::test]
async fn a_list_of_finished_games_ends_at_once() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = wander::begin_after(&portal, wander::MOVES).await;
    for (after, frames) in
        [(None, 1), (Some(cursor(&game)), 0), (Some(Cursor { version: 990, ..Cursor::default() }), 11)]
    {
        let request = WatchGamesRequest { games: vec![watched(&game, after)], ..Default::default() };
        let mut crowd = Crowd::watch(&portal, request).await.expect("it begins");
        let mut seen = 0;
        while crowd.frame().await.expect("it is all there").is_some() {
            seen += 1;
        }
        assert_eq!(seen, frames);
    }
}

#[tokio::test]
async fn a_game_named_twice_is_watched_once() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = wander::begin(&portal).await;
    let request = WatchGamesRequest { games: vec![watched(&game, None); 2], all: true, ..Default::default() };
    let mut crowd = Crowd::watch(&portal, request).await.expect("it begins");
    crowd.read_until(|crowd| crowd.current == 1).await;
    wander::go_on(&portal, &game.id, 1).await;
    crowd.read_until(|crowd| crowd.place(&game) == 2).await;
    drop(crowd);
    until("nobody watches any more", async || house.watched() == 0).await;
}

#[tokio::test]
async fn all_games_are_watched_with_those_yet_to_be_created() {
    let house = House::open_with(|config| config.heartbeat = Duration::from_millis(30)).await;
    let portal = house.portal().await;
    let mut running = Vec::new();
    for moves in 0..5 {
        running.push(wander::begin_after(&portal, moves).await);
    }
    let finished = wander::begin_after(&portal, 3).await;
    let mut reader = Reader::new(&portal, &finished.id);
    reader.read_to(finished.version).await;
    portal.flag(&finished.id, finished.version).await.expect("it goes on");
    // Nobody is woken late for what a watcher has heard of.
    reader.rest().await;
    let mut crowd = Crowd::watch_all(&portal).await;
    crowd.read_until(|crowd| crowd.current == 1).await;
    assert_eq!(crowd.snapshots.values().cloned().collect::<Vec<_>>(), by_id(&running));
    assert!(crowd.events.is_empty(), "an event before all that existed had come");
    // Games that come into being now come from their first version on.
    let new = [wander::begin(&portal).await, wander::begin_after(&portal, 60).await];
    let old = wander::go_on(&portal, &running[0].id, running[0].version).await;
    crowd.read_until(|crowd| new.iter().chain([&old]).all(|game| crowd.place(game) == game.version)).await;
    for game in &new {
        assert_whole(&crowd.events[&game.id]);
    }
    // When every game has ended the stream goes on.
    for game in new.iter().chain([&old]).chain(&running[1..]) {
        portal.flag(&game.id, game.version).await.expect("it goes on");
        crowd.read_until(|crowd| crowd.place(game) == game.version + 1).await;
    }
    let before = crowd.heartbeats;
    crowd.read_until(|crowd| before + 2 <= crowd.heartbeats).await;
    let late = wander::begin(&portal).await;
    crowd.read_until(|crowd| crowd.place(&late) == 1).await;
    assert_eq!((crowd.current, crowd.snapshots.len()), (1, running.len()));
    assert!(!crowd.games().contains(&finished.id), "a finished game that nobody asked for");
}

fn by_id(games: &[Game]) -> Vec<Game> {
    let mut games = games.to_vec();
    games.sort_by(|one, other| one.id.cmp(&other.id));
    games
}

#[tokio::test]
async fn where_there_are_no_games_everything_has_come_at_once() {
    let house = House::open().await;
    let portal = house.portal().await;
    let mut crowd = Crowd::watch_all(&portal).await;
    crowd.read_until(|crowd| crowd.current == 1).await;
    let game = wander::begin(&portal).await;
    crowd.read_until(|crowd| crowd.place(&game) == 1).await;
}

#[tokio::test]
async fn a_reader_that_comes_back_misses_no_game() {
    let house = House::open().await;
    let portal = house.portal().await;
    let long_ago = wander::begin(&portal).await;
    portal.flag(&long_ago.id, 1).await.expect("it goes on");
    let known = wander::begin_after(&portal, 4).await;
    let until_now = known.create_time.expect("a time");
    // Creations of one millisecond cannot be told apart by time.
    sleep(Duration::from_millis(3)).await;
    let ended = wander::begin_after(&portal, 5).await;
    let ended = portal.flag(&ended.id, ended.version).await.expect("it goes on").game.expect("a game");
    let begun = wander::begin_after(&portal, 2).await;
    let known_now = wander::go_on(&portal, &known.id, known.version).await;
    let request = WatchGamesRequest {
        games: vec![watched(&known, Some(cursor(&known)))],
        all: true,
        finished_created_after: Some(until_now),
    };
    let mut crowd = Crowd::watch(&portal, request.clone()).await.expect("it begins");
    crowd.read_until(|crowd| crowd.current == 1).await;
    assert_eq!(crowd.events[&known.id].len(), 1);
    assert_eq!(crowd.place(&known), known_now.version);
    assert_eq!(crowd.snapshots.values().cloned().collect::<Vec<_>>(), by_id(&[ended.clone(), begun.clone()]));
    // From the beginning of time on: with the oldest.
    let request = WatchGamesRequest { finished_created_after: Some(Default::default()), ..request };
    let mut crowd = Crowd::watch(&portal, request).await.expect("it begins");
    crowd.read_until(|crowd| crowd.current == 1).await;
    assert!(crowd.snapshots.contains_key(&long_ago.id));
    assert_eq!(crowd.snapshots.len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_game_is_missed_however_many_begin_and_end_meanwhile() {
    let house = House::open().await;
    let portal = house.portal().await;
    let mut makers = JoinSet::new();
    for _ in 0..4 {
        let portal = portal.clone();
        makers.spawn(async move {
            let mut made = Vec::new();
            for number in 0..100 {
                let game = wander::begin(&portal).await;
                let game = wander::go_on(&portal, &game.id, 1).await;
                if number % 2 == 0 {
                    portal.flag(&game.id, 2).await.expect("it goes on");
                }
                made.push(game.id);
            }
            made
        });
    }
    let mut crowds = Vec::new();
    for _ in 0..8 {
        // They begin at different moments of the making.
        sleep(Duration::from_millis(20)).await;
        let request = WatchGamesRequest {
            all: true,
            finished_created_after: Some(Default::default()),
            ..Default::default()
        };
        let mut crowd = Crowd::watch(&portal, request).await.expect("it begins");
        crowd.read_until(|crowd| crowd.current == 1).await;
        crowds.push(crowd);
    }
    let mut made = makers.join_all().await.concat();
    made.sort();
    for crowd in &mut crowds {
        crowd.read_until(|crowd| crowd.places_summed() == 400 * 2 + 200).await;
        assert_eq!(crowd.games(), made);
    }
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused() {
    let house = House::open_with(|config| config.games_per_stream = 5).await;
    let portal = house.portal().await;
    let game = wander::begin(&portal).await;
    let ask = |games| Crowd::watch(&portal, WatchGamesRequest { games, ..Default::default() });
    let malformed = [Vec::new(), vec![watched(&game, None); 1001]];
    for games in malformed {
        assert_refused(ask(games).await.map(drop), Code::InvalidArgument, "MALFORMED_REQUEST");
    }
    let nowhere = Game { id: "nowhere".to_owned(), ..Game::default() };
    let games = vec![watched(&game, None), watched(&nowhere, None)];
    assert_refused(ask(games).await.map(drop), Code::NotFound, "GAME_NOT_FOUND");
    // One game of a lost history ends the stream.
    let lost = Cursor { version: 1, digest: vec![7; 32] };
    let mut crowd = ask(vec![watched(&game, Some(lost))]).await.expect("it begins");
    assert_refused(crowd.frame().await, Code::DataLoss, "HISTORY_DIVERGED");
    // More games than a stream may have, from the start or later.
    let mut crowd = Crowd::watch_all(&portal).await;
    for _ in 0..5 {
        wander::begin(&portal).await;
    }
    let status = loop {
        match crowd.frame().await {
            Ok(frame) => assert!(frame.is_some(), "OK"),
            Err(status) => break status,
        }
    };
    assert_refused::<()>(Err(status), Code::ResourceExhausted, "QUOTA_EXCEEDED");
    let mut crowd = Crowd::watch_all(&portal).await;
    assert_refused(crowd.frame().await, Code::ResourceExhausted, "QUOTA_EXCEEDED");
}

#[tokio::test]
async fn no_more_streams_than_a_server_takes_on() {
    let house = House::open_with(|config| config.streams = 3).await;
    let portal = house.portal().await;
    let game = wander::begin(&portal).await;
    let mut readers = Vec::new();
    for _ in 0..2 {
        let mut reader = Reader::of_snapshot(&portal, &game.id);
        reader.snapshot().await;
        readers.push(reader);
    }
    let mut crowd = Crowd::watch_all(&portal).await;
    crowd.read_until(|crowd| crowd.current == 1).await;
    assert_refused(portal.watch(&game.id, None).await, Code::ResourceExhausted, "QUOTA_EXCEEDED");
    drop(crowd);
    until("a stream is free again", async || portal.watch(&game.id, None).await.is_ok()).await;
}

#[tokio::test]
async fn nobody_is_interested_in_games_after_the_streams_have_gone() {
    let house = House::open_with(|config| config.heartbeat = Duration::from_millis(30)).await;
    let portal = house.portal().await;
    let mut games = Vec::new();
    for _ in 0..10 {
        games.push(wander::begin(&portal).await);
    }
    let mut readers = Vec::new();
    for game in &games {
        for _ in 0..3 {
            let mut reader = Reader::of_snapshot(&portal, &game.id);
            reader.snapshot().await;
            readers.push(reader);
        }
    }
    let list = games.iter().map(|game| watched(game, None)).collect();
    let list = WatchGamesRequest { games: list, all: true, ..Default::default() };
    let mut crowd = Crowd::watch(&portal, list).await.expect("it begins");
    crowd.read_until(|crowd| crowd.current == 1).await;
    assert_eq!(house.watched(), games.len() + 1);
    // The reader goes away.
    drop(readers.split_off(15));
    drop(crowd);
    until("half of the games are watched", async || house.watched() == 5).await;
    // The game ends.
    for game in &games[..2] {
        portal.flag(&game.id, 1).await.expect("it goes on");
    }
    until("three games are watched", async || house.watched() == 3).await;
    // The whole connection goes away.
    let other = house.portal().await;
    let mut last = Reader::of_snapshot(&other, &games[9].id);
    last.snapshot().await;
    drop(other);
    drop(readers);
    until("one game is watched", async || house.watched() == 1).await;
    drop(last);
    until("nobody watches", async || house.watched() == 0).await;
}
