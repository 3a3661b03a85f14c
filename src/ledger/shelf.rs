use std::{
    collections::VecDeque,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use lru::LruCache;

use crate::game::{Digest, Game, GameKey, Told, Version};

/// How many of a game's last events are kept as told: enough for watchers that keep up.
const TAIL: usize = 16;

/// The games used last, each at the latest version that this server knows of.
pub(super) struct Shelf {
    games: Mutex<LruCache<GameKey, Arc<Kept>>>,
}

/// A game at hand: its state, and how it got there.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) game: Arc<Game>,
    /// The last events, the newest last. Contiguous, and the newest made the game's version, unless
    /// empty.
    tail: VecDeque<Arc<Told>>,
}

impl Kept {
    /// A game with the event that made it, if that is known.
    pub(super) fn new(game: Game, told: Option<Arc<Told>>) -> Kept {
        Kept { game: Arc::new(game), tail: told.into_iter().collect() }
    }

    /// The game one event later.
    pub(super) fn then(&self, game: Game, told: Arc<Told>) -> Kept {
        let skip = (self.tail.len() + 1).saturating_sub(TAIL);
        let mut tail: VecDeque<_> = self.tail.iter().skip(skip).cloned().collect();
        tail.push_back(told);
        Kept { game: Arc::new(game), tail }
    }

    /// The events of the versions after `after`, if all of them are at hand.
    pub(super) fn since(&self, after: Version) -> Option<Vec<Arc<Told>>> {
        let missing = usize::try_from(self.game.version().checked_sub(after)?).ok()?;
        let skip = self.tail.len().checked_sub(missing)?;
        Some(self.tail.iter().skip(skip).cloned().collect())
    }

    /// The digest of a version, if it is at hand.
    pub(super) fn digest(&self, version: Version) -> Option<Digest> {
        if version == self.game.version() {
            return Some(self.game.digest());
        }
        self.tail.iter().find(|told| told.event.version == version).map(|told| told.digest)
    }
}

impl Shelf {
    pub(super) fn new(games: usize) -> Shelf {
        let games = NonZeroUsize::new(games).unwrap_or(NonZeroUsize::MIN);
        Shelf { games: Mutex::new(LruCache::new(games)) }
    }

    pub(super) fn get(&self, key: &GameKey) -> Option<Arc<Kept>> {
        self.games().get(key).cloned()
    }

    /// Keeps a game, unless a later version of the same history is kept already.
    pub(super) fn put(&self, kept: Kept) {
        let mut games = self.games();
        let key = kept.game.key().clone();
        let later = games.peek(&key).is_some_and(|old| kept.game.version() <= old.game.version());
        if !later {
            games.put(key, Arc::new(kept));
        }
    }

    /// Forgets a game whose history here has turned out to be another than the store's.
    pub(super) fn forget(&self, key: &GameKey) {
        self.games().pop(key);
    }

    fn games(&self) -> std::sync::MutexGuard<'_, LruCache<GameKey, Arc<Kept>>> {
        // A panic elsewhere leaves the shelf whole: each change is one insertion or removal.
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
