//! What is played through one server is watched at another.

use std::time::Duration;

use boardkeeper::{
    api::proto::{Cursor, Side, WatchGamesRequest},
    store::RedisSettings,
};
use tokio::{task::JoinSet, time::Instant};

use super::row::{Row, house_with, listeners, wait_for_listeners};
use crate::service::{
    crowd::{Crowd, watched},
    delivery,
    portal::assert_whole,
    reader::{Reader, soon},
    slow_readers, streams, wander,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_reaches_the_watchers_of_another_server_at_once() {
    let row = Row::open().await;
    wait_for_listeners(&row.redis, 2);
    let [playing, watching] = row.portals().await;
    let mut game = wander::begin(&playing).await;
    let mut reader = Reader::new(&watching, &game.id);
    reader.read_to(1).await;
    let began = Instant::now();
    for _ in 0..50 {
        game = wander::go_on(&playing, &game.id, game.version).await;
        assert_eq!(reader.event().await.digest, game.digest);
    }
    // Who only looks from time to time would take five seconds for the first one.
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    playing.resign(&game.id, game.version, Side::White).await.expect("it goes on");
    reader.rest().await;
    assert_eq!(reader.events, playing.history(&game.id).await);
}

/// Whatever is published is refused by Redis, and nobody may listen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_any_notification_watchers_hear_of_everything() {
    let row = Row::open().await;
    wait_for_listeners(&row.redis, 2);
    let [playing, watching] = row.portals().await;
    let game = wander::begin(&playing).await;
    let mut reader = Reader::new(&watching, &game.id);
    reader.read_to(1).await;
    let mut crowd = Crowd::watch_all(&watching).await;
    crowd.read_until(|crowd| crowd.current == 1).await;
    row.redis.ask::<()>(&["ACL", "SETUSER", "default", "resetchannels"]);
    wait_for_listeners(&row.redis, 0);
    let game = wander::go_to(&playing, &game, 40).await;
    // Games of which nobody has heard yet, one of which has ended before anybody could.
    let new = wander::begin_after(&playing, 4).await;
    let short = wander::begin(&playing).await;
    let short = playing.flag(&short.id, 1).await.expect("it goes on").game.expect("a game");
    soon(reader.read_to(40)).await;
    let all_came = |crowd: &Crowd| [&game, &new, &short].iter().all(|game| crowd.place(game) == game.version);
    soon(crowd.read_until(all_came)).await;
    for game in [&new, &short] {
        assert_whole(&crowd.events[&game.id]);
    }
    playing.flag(&game.id, 40).await.expect("it goes on");
    reader.rest().await;
    assert_eq!(reader.events, watching.history(&game.id).await);
    assert_eq!(listeners(&row.redis), 0, "somebody could listen");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_server_has_one_connection_for_notifications_however_many_games_are_watched() {
    let row = Row::open().await;
    wait_for_listeners(&row.redis, 2);
    let [playing, watching] = row.portals().await;
    let mut games = Vec::new();
    let mut readers = Vec::new();
    for number in 0..120 {
        let game = wander::begin(&playing).await;
        let mut reader = Reader::of_snapshot(if number % 3 == 0 { &playing } else { &watching }, &game.id);
        reader.snapshot().await;
        games.push(game);
        readers.push(reader);
    }
    assert_eq!(row.houses[0].watched() + row.houses[1].watched(), 120);
    for (game, reader) in games.iter().zip(&mut readers) {
        wander::go_on(&playing, &game.id, 1).await;
        reader.read_to(2).await;
    }
    assert_eq!(listeners(&row.redis), 2);
    let clients: String = row.redis.ask(&["CLIENT", "LIST", "TYPE", "pubsub"]);
    assert_eq!(clients.lines().count(), 2, "{clients}");
    // Each server's other connection, and the one that asks.
    let clients: String = row.redis.ask(&["CLIENT", "LIST", "TYPE", "normal"]);
    assert_eq!(clients.lines().count(), 3, "{clients}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s8_a_busy_game_does_not_delay_those_that_another_server_watches() {
    let row = Row::open().await;
    delivery::a_busy_game_beside_others(&row.houses[0], &row.houses[1]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s9_reads_do_not_starve_a_stream_of_a_game_that_another_server_plays() {
    let row = Row::open().await;
    delivery::a_stream_beside_reads(&row.houses[0], &row.houses[1]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s1_no_event_is_lost_between_the_state_and_the_stream_of_another_server() {
    let row = Row::open().await;
    let [playing, watching] = row.portals().await;
    streams::moves_race_streams(&playing, &watching, 1_000).await;
}

/// Each reader resumes at the other server, one of them after every event.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s4_s5_versions_never_go_down_for_readers_who_go_from_server_to_server() {
    let row = Row::open().await;
    let [playing, other] = row.portals().await;
    let game = wander::begin(&playing).await;
    let last = 60;
    let mut reading = JoinSet::new();
    for stride in 1..5 {
        let portals = [playing.clone(), other.clone()];
        let mut reader = Reader::after(&portals[stride % 2], &game.id, Some(Cursor::default()));
        reading.spawn(async move {
            while reader.events.len() < last {
                reader.event().await;
                if reader.events.len().is_multiple_of(stride) {
                    reader.cut();
                    reader.portal = portals[reader.events.len() / stride % 2].clone();
                }
            }
            reader.events
        });
    }
    let mut game = game;
    while game.version < last as u64 {
        let portal = if game.version.is_multiple_of(2) { &playing } else { &other };
        game = wander::go_on(portal, &game.id, game.version).await;
    }
    let history = playing.history(&game.id).await;
    assert_whole(&history);
    for events in reading.join_all().await {
        assert_eq!(events, history);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s18_concurrent_writers_at_two_servers_make_no_event_come_twice() {
    let row = Row::open().await;
    let portals = row.portals().await;
    let game = wander::begin(&portals[0]).await;
    let last = 80;
    let mut readers = JoinSet::new();
    let mut writers = JoinSet::new();
    for number in 0..6 {
        let mut reader = Reader::new(&portals[number % 2], &game.id);
        readers.spawn(async move {
            reader.rest().await;
            reader.events
        });
        let (portal, id) = (row.houses[number % 2].portal().await, game.id.clone());
        writers.spawn(async move { streams::write_to(&portal, &id, last).await });
    }
    let lost: usize = writers.join_all().await.into_iter().sum();
    assert!(0 < lost, "the writers never met");
    portals[1].resign(&game.id, last, Side::White).await.expect("it goes on");
    let history = portals[0].history(&game.id).await;
    assert_whole(&history);
    assert_eq!(history.len() as u64, last + 1);
    for events in readers.join_all().await {
        assert_eq!(events, history);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_a_stalled_reader_of_a_game_that_another_server_plays_is_told() {
    let row = Row::open().await;
    let patience = Duration::from_millis(200);
    let url = row.redis.url();
    let impatient = house_with(&url, RedisSettings::default(), |config| config.patience = patience).await;
    slow_readers::a_stalled_reader(&impatient, &row.houses[0].portal().await).await;
}

/// A list that is watched at one server goes on where it was at another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_games_is_resumed_at_another_server() {
    let row = Row::open().await;
    let [playing, watching] = row.portals().await;
    let mut games = Vec::new();
    for moves in 0..20 {
        games.push(wander::begin_after(&playing, moves).await);
    }
    let list = |places: &[Option<Cursor>]| WatchGamesRequest {
        games: games.iter().zip(places).map(|(game, place)| watched(game, place.clone())).collect(),
        ..Default::default()
    };
    let start = vec![Some(Cursor::default()); games.len()];
    let mut first = Crowd::watch(&watching, list(&start)).await.expect("it begins");
    first.read_until(|crowd| games.iter().all(|game| crowd.place(game) == game.version)).await;
    drop(first);
    let mut places = Vec::new();
    for game in &games {
        places.push(Some(crate::service::portal::cursor(game)));
        wander::go_on(&playing, &game.id, game.version).await;
    }
    let mut second = Crowd::watch(&playing, list(&places)).await.expect("it begins");
    second.read_until(|crowd| games.iter().all(|game| crowd.place(game) == game.version + 1)).await;
    assert!(second.events.values().all(|events| events.len() == 1));
}
