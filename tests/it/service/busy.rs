use std::time::{Duration, Instant};

use boardkeeper::{api::proto, bots::PoolSize};
use tonic::Status;

use super::portal::Portal;

/// A pool in which searches wait for the only thread, however slow the machine is.
pub(super) fn one_thread(queue: usize) -> PoolSize {
    PoolSize { threads: 1, queue, patience: Duration::from_secs(3600) }
}

/// An order of the strongest bot for a game.
pub(super) fn order(id: &str, version: u64, request: &str) -> proto::RequestBotMoveRequest {
    proto::RequestBotMoveRequest {
        game_id: id.to_owned(),
        expected_version: version,
        request_id: request.to_owned(),
        level: 5,
        ..Default::default()
    }
}

/// Waits until a game shows a search that goes on, or, if that was quicker, its move: then `None`.
pub(super) async fn until_searching(portal: &Portal, id: &str) -> Option<proto::BotSearch> {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(30) {
        let game = portal.get(id).await.expect("kept");
        if game.bot_search.is_some() || 1 < game.version {
            return game.bot_search;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("no search was shown within 30 seconds");
}

/// Searches that keep a server's only thread busy, so that one asked for later waits.
pub(super) struct Busy {
    pub(super) games: Vec<proto::Game>,
    pub(super) calls: Vec<tokio::task::JoinHandle<Result<proto::RequestBotMoveResponse, Status>>>,
}

impl Busy {
    /// Asks for so many searches at once, each of a game of its own.
    pub(super) async fn keep(portal: &Portal, searches: usize) -> Busy {
        let mut busy = Busy { games: Vec::new(), calls: Vec::new() };
        for _ in 0..searches {
            busy.games.push(portal.create("quantum-control").await);
        }
        for game in &busy.games {
            let (of, id) = (portal.clone(), game.id.clone());
            busy.calls.push(tokio::spawn(async move { of.bot(&id, 1, 5).await }));
        }
        for game in &busy.games {
            until_searching(portal, &game.id).await;
        }
        busy
    }

    /// Gives all of them up.
    pub(super) fn release(self) {
        self.calls.iter().for_each(|call| call.abort());
    }
}
