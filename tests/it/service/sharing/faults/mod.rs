//! Servers, Redis and all wires fail at random while games are played and watched. Afterwards the
//! histories are checked.

mod chance;
mod player;
mod town;
mod verdict;
mod watcher;
mod weather;

use std::{env, sync::Arc, time::Duration};

use futures_util::future::join_all;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use self::{
    chance::Chance,
    player::{Script, play},
    town::Town,
    verdict::{Game, judge},
    watcher::watch,
    weather::Weather,
};
use crate::service::{portal::request_id, recorded};

/// For how many seconds things go wrong.
const SECONDS: &str = "BOARDKEEPER_FAULTS_SECONDS";

/// What the schedule of faults is made from.
const SEED: &str = "BOARDKEEPER_FAULTS_SEED";

/// How many games are played at once.
const TABLES: usize = 8;

fn setting(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name}: expected a number")))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_fails_no_acknowledged_event_is_lost_doubled_or_out_of_order() {
    let (seconds, seed) = (setting(SECONDS, 6), setting(SEED, 1));
    println!("faults for {seconds} seconds, seed {seed}");
    let mut chance = Chance::new(seed);
    let town = Arc::new(Town::found(2, chance.split()).await);
    let over = CancellationToken::new();
    let tables = sit_down(&town, &mut chance, &over);
    let weather = Weather { town: town.clone(), until: Instant::now() + Duration::from_secs(seconds) };
    let damage = weather.rage(&mut chance).await;
    over.cancel();
    let games: Vec<Game> = tables.join_all().await.into_iter().flatten().collect();
    println!("{damage:#?}");
    report(&games);
    judge(&town, &games).await;
    println!("every history is whole");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o3_restarting_one_server_after_the_other_loses_no_acknowledged_event() {
    let mut chance = Chance::new(3);
    let town = Arc::new(Town::found(2, chance.split()).await);
    let over = CancellationToken::new();
    let tables = sit_down(&town, &mut chance, &over);
    for server in [0, 1, 0, 1] {
        sleep(Duration::from_millis(300)).await;
        town.stop(server).await;
        town.start(server).await;
    }
    over.cancel();
    let games: Vec<Game> = tables.join_all().await.into_iter().flatten().collect();
    report(&games);
    judge(&town, &games).await;
}

/// Lets games be played and watched until it is over.
fn sit_down(town: &Arc<Town>, chance: &mut Chance, over: &CancellationToken) -> JoinSet<Vec<Game>> {
    let mut tables = JoinSet::new();
    for _ in 0..TABLES {
        tables.spawn(play_on(town.clone(), chance.split(), over.clone()));
    }
    tables
}

/// Plays one game after the other at one table, each with two watchers.
async fn play_on(town: Arc<Town>, mut chance: Chance, over: CancellationToken) -> Vec<Game> {
    let recorded = recorded::games("quantum-control");
    let mut games = Vec::new();
    while !over.is_cancelled() {
        let id = request_id();
        let script = match chance.one_in(2) {
            true => Script::Wander(chance.of(1..80) as u64),
            false => Script::Recorded(recorded[chance.of(0..recorded.len())].clone()),
        };
        let watchers = [chance.split(), chance.split()].map(|chance| watch(&town, &id, chance));
        let (story, watched) =
            tokio::join!(play(&town, &id, &script, &mut chance, &over), join_all(watchers));
        games.push(Game { story, watched });
    }
    games
}

fn report(games: &[Game]) {
    let sum = |of: fn(&Game) -> usize| games.iter().map(of).sum::<usize>();
    println!(
        "{} games, {} acknowledged events, {} of them answered again, {} calls in vain, {} requests refused, \
         {} given up; streams resumed {} times",
        games.len(),
        sum(|game| game.story.told.len()),
        sum(|game| game.story.replayed),
        sum(|game| game.story.in_vain),
        sum(|game| game.story.refused.len()),
        sum(|game| game.story.unknown.len()),
        sum(|game| game.watched.iter().map(|watched| watched.resumed).sum()),
    );
    let acknowledged = sum(|game| game.story.told.len());
    assert!(games.len() <= acknowledged && 100 < acknowledged, "next to nothing was played");
}
