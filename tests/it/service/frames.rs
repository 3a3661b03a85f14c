//! What the frames of a stream say, and when it ends well.

use std::{collections::BTreeMap, time::Duration};

use boardkeeper::api::proto::{self, Cell, Event, Game, GameStatus, Side};

use super::{
    busy::{Busy, one_thread, until_searching},
    house::House,
    portal::{Portal, cursor},
    reader::Reader,
    recorded,
    until::until,
    wander,
};

/// A server whose streams are never silent for long.
async fn lively() -> House {
    House::open_with(|config| config.heartbeat = Duration::from_millis(30)).await
}

#[tokio::test]
async fn heartbeats_say_how_far_the_stream_is() {
    let house = lively().await;
    let portal = house.portal().await;
    let game = wander::begin(&portal).await;
    // The reader compares version and digest of every heartbeat with its own place.
    let mut readers = [
        Reader::of_snapshot(&portal, &game.id),
        Reader::new(&portal, &game.id),
        Reader::after(&portal, &game.id, Some(cursor(&game))),
    ];
    readers[0].snapshot().await;
    readers[1].event().await;
    let mut game = game;
    for _ in 0..3 {
        for reader in &mut readers {
            reader.heartbeats(2).await;
        }
        game = wander::go_on(&portal, &game.id, game.version).await;
        for reader in &mut readers {
            assert_eq!(reader.event().await.version, game.version);
        }
    }
}

#[tokio::test]
async fn s15_events_come_after_heartbeats() {
    let house = lively().await;
    let portal = house.portal().await;
    let game = wander::begin(&portal).await;
    let mut reader = Reader::of_snapshot(&portal, &game.id);
    reader.snapshot().await;
    for version in 1..6 {
        reader.heartbeats(5).await;
        wander::go_on(&portal, &game.id, version).await;
        assert_eq!(reader.event().await.version, version + 1);
    }
}

#[tokio::test]
async fn s16_a_snapshot_is_the_whole_state() {
    let house = House::open().await;
    let portal = house.portal().await;
    for game_type in ["kvantumsakk", "quantum-control", "quantum", "surakarta"] {
        snapshots_are_whole(&portal, game_type).await;
    }
}

/// Follows a recorded game, and at some of its versions compares what a new stream shows, and what
/// follows from the events before, with the game as it is.
async fn snapshots_are_whole(portal: &Portal, game_type: &str) {
    let recorded = recorded::games(game_type).into_iter().min_by_key(|game| game.moves.len());
    let request = proto::ImportGameRequest {
        request_id: super::portal::request_id(),
        record: recorded.expect("there are games").record(game_type).to_string(),
        ..Default::default()
    };
    let game = portal.client.clone().import_game(request).await.expect("legal").into_inner();
    let game = game.game.expect("a game");
    assert_eq!(Reader::of_snapshot(portal, &game.id).snapshot().await, game);
    let mut reader = Reader::new(portal, &game.id);
    let mut mirror = Mirror::default();
    for version in 1..=game.version {
        let event = reader.event().await;
        mirror.follow(&event);
        if version % 7 == 1 || version == game.version {
            let request = proto::GetGameRequest { game_id: game.id.clone(), version };
            let then = portal.client.clone().get_game(request).await.expect("it was").into_inner().game;
            mirror.assert_is(&then.expect("a game"), &event);
        }
    }
}

/// The cells of a game as its events tell them.
#[derive(Default)]
struct Mirror(BTreeMap<String, Cell>);

impl Mirror {
    fn follow(&mut self, event: &Event) {
        for change in &event.changes {
            match &change.now {
                Some(cell) => self.0.insert(change.point.clone(), cell.clone()),
                None => self.0.remove(&change.point),
            };
        }
    }

    #[track_caller]
    fn assert_is(&self, game: &Game, event: &Event) {
        let cells: BTreeMap<String, Cell> =
            game.cells.iter().map(|cell| (cell.point.clone(), cell.clone())).collect();
        assert_eq!(self.0, cells);
        let told = (&event.digest, &event.position, event.side_to_move(), &event.phase, &event.scores);
        let held = (&game.digest, &game.position, game.side_to_move(), &game.phase, &game.scores);
        assert_eq!(told, held);
        assert_eq!((event.consecutive_passes, &event.outcome), (game.consecutive_passes, &game.outcome));
        assert_eq!(event.time, game.update_time);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s16_a_snapshot_shows_the_search_that_goes_on() {
    let house = House::open_with(|config| config.pool = one_thread(64)).await;
    let portal = house.portal().await;
    // The only searcher has all of these before it.
    let busy = Busy::keep(&portal, 8).await;
    let last = portal.create("quantum-control").await;
    let (caller, id) = (portal.clone(), last.id.clone());
    let order = tokio::spawn(async move { caller.bot(&id, 1, 5).await });
    until_searching(&portal, &last.id).await.expect("it waits behind the others");
    let mut reader = Reader::of_snapshot(&portal, &last.id);
    let snapshot = reader.snapshot().await;
    let search = snapshot.bot_search.expect("a search that goes on");
    assert_eq!((search.level, search.version), (5, 1));
    assert!(snapshot.update_time.expect("a time").seconds <= search.request_time.expect("a time").seconds);
    assert_eq!(Game { bot_search: None, ..snapshot }, last);
    busy.release();
    order.await.expect("no panic").expect("a move");
    assert_eq!(reader.event().await.version, 2);
    assert_eq!(Reader::of_snapshot(&portal, &last.id).snapshot().await.bot_search, None);
}

#[tokio::test]
async fn a_finished_game_is_a_snapshot_and_the_end() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = wander::begin_after(&portal, 9).await;
    let ended = portal.flag(&game.id, game.version).await.expect("it goes on").game.expect("a game");
    let mut reader = Reader::of_snapshot(&portal, &game.id);
    assert_eq!(reader.snapshot().await, ended);
    assert_eq!(reader.frame().await.expect("OK"), None);
}

#[tokio::test]
async fn a_stream_ends_with_ok_only_after_the_event_that_ends_the_game() {
    let house = lively().await;
    let portal = house.portal().await;
    let by_rules = wander::begin_after(&portal, wander::MOVES - 1).await;
    let by_resigning = wander::begin_after(&portal, 9).await;
    let by_the_portal = wander::begin_after(&portal, 9).await;
    for game in [&by_rules, &by_resigning, &by_the_portal] {
        let mut readers = [
            Reader::of_snapshot(&portal, &game.id),
            Reader::after(&portal, &game.id, Some(cursor(game))),
            Reader::new(&portal, &game.id),
        ];
        readers[0].snapshot().await;
        readers[2].read_to(game.version).await;
        for reader in &mut readers {
            // The stream of a game that goes on goes on.
            reader.heartbeats(2).await;
        }
        let ended = if game.id == by_rules.id {
            wander::go_on(&portal, &game.id, game.version).await
        } else if game.id == by_resigning.id {
            portal
                .resign(&game.id, game.version, Side::Black)
                .await
                .expect("it goes on")
                .game
                .expect("a game")
        } else {
            portal.flag(&game.id, game.version).await.expect("it goes on").game.expect("a game")
        };
        assert_eq!(ended.status(), GameStatus::Finished);
        for mut reader in readers {
            let last = reader.event().await;
            assert_eq!((last.version, &last.digest), (ended.version, &ended.digest));
            assert_eq!(last.outcome, ended.outcome);
            reader.rest().await;
        }
    }
    until("nobody watches any more", async || house.watched() == 0).await;
}
