//! Servers come and go beside each other, and games end: nothing that was acknowledged goes with
//! them, and nothing stays that need not.

use std::{path::Path, time::Duration};

use boardkeeper::{api::proto::Cursor, store::RedisSettings};
use tempfile::TempDir;

use super::row::{Row, house_with, tenant, wait_for_listeners};
use crate::{
    service::{house::Process, load, load::Load, reader::Reader, until::until, wander},
    store::servers::RedisServer,
};

/// The program as a server over this Redis, with files in this directory.
pub(super) async fn program(dir: &Path, redis: &RedisServer) -> Process {
    let store = format!("--store={}", redis.url());
    let started = Process::begin(dir, &tenant(), &[&store, "--grace-s", "5"]).await;
    started.expect("it goes on until it listens")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r11_what_a_killed_server_leaves_its_neighbour_lists_as_it_can_be_read() {
    let (dirs, redis) = ([dir(), dir()], RedisServer::durable());
    let neighbour = program(dirs[1].path(), &redis).await;
    let portal = neighbour.portal().await;
    let mut load = Load::new();
    for acks in [1, 60, 200] {
        let server = program(dirs[0].path(), &redis).await;
        load.play_until(server, acks, async |server| server.kill()).await;
        load.check(&portal).await;
        load.settle(&portal).await;
        load.check(&portal).await;
    }
    assert!(261 <= load.told());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o2_what_was_acknowledged_before_sigterm_is_there_for_a_neighbour() {
    let (dirs, redis) = ([dir(), dir()], RedisServer::durable());
    let neighbour = program(dirs[1].path(), &redis).await;
    let portal = neighbour.portal().await;
    let mut load = Load::new();
    for acks in [5, 150] {
        let server = program(dirs[0].path(), &redis).await;
        let code = load.play_until(server, acks, async |server| server.terminate().await).await;
        assert_eq!(code, Some(0));
        load.check(&portal).await;
        load.settle(&portal).await;
    }
}

fn dir() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

#[tokio::test]
async fn r12_a_game_is_there_for_the_other_server_as_soon_as_it_is_created() {
    let row = Row::open().await;
    let portals = row.portals().await;
    for number in 0..100 {
        let (here, there) = (&portals[number % 2], &portals[(number + 1) % 2]);
        let game = wander::begin(here).await;
        assert_eq!(there.get(&game.id).await.expect("it has been created"), game);
        let after = wander::go_on(there, &game.id, 1).await;
        assert_eq!(here.get(&game.id).await.expect("it is there"), after);
    }
    for portal in &portals {
        assert_eq!(load::list(portal, Default::default()).await.len(), 100);
    }
}

/// A finished game leaves no watcher, no connection and, when its time is up, no key of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o8_a_finished_game_leaves_nothing_behind_at_any_server() {
    let redis = RedisServer::durable();
    let keep = Duration::from_secs(2);
    let brief = RedisSettings { keep_finished: Some(keep), ..RedisSettings::default() };
    let houses = [
        house_with(&redis.url(), brief.clone(), |_| ()).await,
        house_with(&redis.url(), brief, |_| ()).await,
    ];
    let portals = [houses[0].portal().await, houses[1].portal().await];
    let running = wander::begin_after(&portals[0], 3).await;
    let connections = || redis.info("connected_clients").expect("Redis tells");
    wait_for_listeners(&redis, 2);
    let before = connections();
    for round in 0..40 {
        let (here, there) = (&portals[round % 2], &portals[(round + 1) % 2]);
        let game = wander::begin(here).await;
        let mut readers =
            [here, there, there].map(|portal| Reader::after(portal, &game.id, Some(Cursor::default())));
        for reader in &mut readers {
            reader.read_to(1).await;
        }
        wander::go_on(there, &game.id, 1).await;
        here.flag(&game.id, 2).await.expect("it goes on");
        for reader in &mut readers {
            reader.rest().await;
        }
    }
    for house in &houses {
        until("nothing is watched", async || house.watched() == 0).await;
    }
    assert_eq!(connections(), before);
    let games = || redis.ask::<Vec<String>>(&["KEYS", "bk1:{*"]);
    until("the games' time is up", async || games().len() == 3).await;
    assert!(games().iter().all(|key| key.contains(&running.id)), "a running game is kept");
    for portal in &portals {
        assert_eq!(load::list(portal, Default::default()).await.len(), 1);
        wander::go_on(portal, &running.id, portal.get(&running.id).await.expect("kept").version).await;
    }
}
