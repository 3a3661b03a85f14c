use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::timeout;

use super::{LedgerError, shelf::Kept};
use crate::{game::GameKey, store::patience};

/// Looks at games in the store, shared: one look serves all who asked for it before it began.
///
/// So a thousand watchers who are woken together read the store twice, not a thousand times: the first
/// of them, and one for all others.
#[derive(Default)]
pub(super) struct Looks {
    by_game: Mutex<HashMap<GameKey, Arc<Gate>>>,
}

/// How long one waits for the look of another, or less in haste: it may be one that never ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// Those who want to look at one game.
#[derive(Default)]
struct Gate {
    /// How many have asked so far.
    asked: AtomicU64,
    last: tokio::sync::Mutex<Option<Look>>,
}

/// The last look at a game.
struct Look {
    /// How many had asked when it began.
    serves: u64,
    shown: Result<Arc<Kept>, LedgerError>,
    /// Whether the store was given up for the sake of a caller's deadline.
    hasty: bool,
}

impl Look {
    /// What it shows to somebody else. What a caller in haste has not seen might be seen by others.
    fn serve(&self, number: u64) -> Option<Result<Arc<Kept>, LedgerError>> {
        let serves = number < self.serves && (self.shown.is_ok() || !self.hasty || patience().is_some());
        serves.then(|| self.shown.clone())
    }
}

/// Somebody at a gate, until it is dropped.
struct Visit<'a> {
    looks: &'a Looks,
    key: &'a GameKey,
    gate: Arc<Gate>,
}

impl Looks {
    /// What a look at the game shows that begins after this call.
    pub(super) async fn share(
        &self,
        key: &GameKey,
        look: impl Future<Output = Result<Arc<Kept>, LedgerError>>,
    ) -> Result<Arc<Kept>, LedgerError> {
        let visit = self.visit(key);
        let number = visit.gate.asked.fetch_add(1, Ordering::SeqCst);
        let wait = patience().map_or(PATIENCE, |patience| PATIENCE.min(patience / 2));
        let Ok(mut last) = timeout(wait, visit.gate.last.lock()).await else { return look.await };
        if let Some(shown) = last.as_ref().and_then(|last| last.serve(number)) {
            return shown;
        }
        let serves = visit.gate.asked.load(Ordering::SeqCst);
        let shown = look.await;
        *last = Some(Look { serves, shown: shown.clone(), hasty: patience().is_some() });
        shown
    }

    fn visit<'a>(&'a self, key: &'a GameKey) -> Visit<'a> {
        let gate = self.gates().entry(key.clone()).or_default().clone();
        Visit { looks: self, key, gate }
    }

    fn gates(&self) -> MutexGuard<'_, HashMap<GameKey, Arc<Gate>>> {
        // A panic elsewhere leaves the map whole: each change is one insertion or removal.
        self.by_game.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        let mut gates = self.looks.gates();
        // The map's and this one: nobody else is there, and none can come while the map is locked.
        if Arc::strong_count(&self.gate) == 2 {
            gates.remove(self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::*;

    fn missing(key: &GameKey) -> Result<Arc<Kept>, LedgerError> {
        Err(LedgerError::NotFound(key.clone()))
    }

    #[tokio::test]
    async fn one_look_serves_all_who_asked_before_it_began() {
        let key = GameKey { tenant: "club".parse().unwrap(), id: "game".parse().unwrap() };
        let (looks, count, gate) = (Looks::default(), AtomicU64::new(0), Semaphore::new(0));
        let look = || async {
            count.fetch_add(1, Ordering::SeqCst);
            gate.acquire().await.unwrap().forget();
            missing(&key)
        };
        let all = futures_util::future::join_all((0..100).map(|_| looks.share(&key, look())));
        let (shown, ()) = tokio::join!(all, async { gate.add_permits(2) });
        assert!(shown.iter().all(Result::is_err));
        assert_eq!(count.load(Ordering::SeqCst), 2, "the first, and one for the others");
        assert!(looks.gates().is_empty(), "nobody is left");
    }

    #[tokio::test]
    async fn a_look_that_never_ends_holds_nobody_up_for_long() {
        let key = GameKey { tenant: "club".parse().unwrap(), id: "game".parse().unwrap() };
        let looks = Looks::default();
        let mut endless = Box::pin(looks.share(&key, std::future::pending()));
        assert!(futures_util::poll!(&mut endless).is_pending());
        assert!(looks.share(&key, async { missing(&key) }).await.is_err());
    }

    #[tokio::test]
    async fn who_gives_up_leaves_the_look_to_the_next() {
        let key = GameKey { tenant: "club".parse().unwrap(), id: "game".parse().unwrap() };
        let looks = Looks::default();
        let mut endless = Box::pin(looks.share(&key, std::future::pending()));
        assert!(futures_util::poll!(&mut endless).is_pending());
        let next = looks.share(&key, async { missing(&key) });
        drop(endless);
        assert!(next.await.is_err());
        assert!(looks.gates().is_empty());
    }
}
