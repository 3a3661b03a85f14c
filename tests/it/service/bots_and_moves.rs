//! Bots never hurt moves.

use std::time::{Duration, Instant};

use boardkeeper::bots::PoolSize;
use tonic::Code;

use super::{house::House, portal::Portal, wander};

/// How many moves are timed, without bots and with: fewer than a game has.
const MOVES: usize = 300;

/// Calls for bot moves that are always under way: many times what two threads can search.
const CALLS: usize = 32;

/// What is noise, however quick moves are.
const NOISE: Duration = Duration::from_millis(5);

/// How long moves take, from the quickest to the slowest.
async fn moves(portal: &Portal) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut game = wander::begin(portal).await;
    for _ in 0..MOVES {
        let asked = Instant::now();
        game = wander::go_on(portal, &game.id, game.version).await;
        times.push(asked.elapsed());
    }
    times.sort_unstable();
    times
}

/// Asks for one bot move after the other, each in a new game, for ever.
async fn keep_asking(portal: Portal) {
    loop {
        let game = portal.create("quantum-control").await;
        while let Err(status) = portal.bot(&game.id, 1, 5).await {
            assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_stay_quick_while_bots_are_asked_for_more_than_they_can() {
    let house = House::open_with(|config| config.pool = PoolSize { threads: 2, ..PoolSize::default() }).await;
    let portal = house.portal().await;
    let quiet = moves(&portal).await;
    let asking = house.portal().await;
    let callers: Vec<_> = (0..CALLS).map(|_| tokio::spawn(keep_asking(asking.clone()))).collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let busy = moves(&portal).await;
    assert!(callers.iter().all(|caller| !caller.is_finished()), "a caller was refused otherwise");
    callers.iter().for_each(|caller| caller.abort());
    let [quiet, busy] = [quiet, busy].map(|times| times[times.len() * 99 / 100]);
    // The goal is twice as long; the test is content with ten times that.
    assert!(busy <= 20 * quiet.max(NOISE), "{quiet:?} without bots, {busy:?} with");
}
