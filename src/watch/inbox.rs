use std::{
    collections::{HashSet, VecDeque},
    sync::{Mutex, PoisonError},
};

use tokio::sync::Notify;

use crate::game::GameKey;

/// The games that a watcher has to look at, in the order in which they asked for it.
///
/// A game stands in it once however often it is rung for, so it is never larger than the number of
/// games watched, and a busy game waits behind the quiet ones.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    waiting: Mutex<Waiting>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    queue: VecDeque<GameKey>,
    queued: HashSet<GameKey>,
}

impl Inbox {
    /// Puts a game at the end, unless it waits already.
    pub(super) fn put(&self, key: &GameKey) {
        let mut waiting = self.waiting();
        if waiting.queued.insert(key.clone()) {
            waiting.queue.push_back(key.clone());
            drop(waiting);
            self.filled.notify_one();
        }
    }

    /// Takes the games that have waited longest, at least one and at most `limit`, as soon as there
    /// are any. Only one caller may wait.
    pub(super) async fn take(&self, limit: usize) -> Vec<GameKey> {
        loop {
            let filled = self.filled.notified();
            let games = self.pop(limit);
            if !games.is_empty() {
                return games;
            }
            filled.await;
        }
    }

    fn pop(&self, limit: usize) -> Vec<GameKey> {
        let mut waiting = self.waiting();
        let count = limit.min(waiting.queue.len());
        let games: Vec<GameKey> = waiting.queue.drain(..count).collect();
        for key in &games {
            waiting.queued.remove(key);
        }
        games
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        // A panic elsewhere leaves the queue whole: each change is one insertion or removal.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
