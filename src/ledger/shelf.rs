use std::{
    iter,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use lru::LruCache;

use crate::game::{Digest, Game, GameKey, Told, Version};

/// How many of a game's last events are kept as told, up to twice as many: enough for watchers that
/// keep up.
const TAIL: usize = 16;

/// The games used last, each at the latest version that this server knows of.
pub(super) struct Shelf {
    games: Mutex<LruCache<GameKey, Arc<Kept>>>,
}

/// A game at hand: its state, and how it got there.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) game: Arc<Game>,
    /// The last events; the newest made the game's version.
    tail: Tail,
}

/// The last events of a game, contiguous. Shared with the tails of earlier versions, so that a move
/// adds one event and touches no other: copying them all is dear where most are in no cache.
#[derive(Clone, Default)]
struct Tail {
    /// At most [`TAIL`].
    recent: Option<Arc<Link>>,
    /// Those before, none or [`TAIL`].
    older: Option<Arc<Link>>,
}

/// An event, and those before it.
struct Link {
    told: Arc<Told>,
    before: Option<Arc<Link>>,
    /// How many there are with this one.
    count: usize,
}

impl Tail {
    fn then(&self, told: Arc<Told>) -> Tail {
        let count = self.recent.as_ref().map_or(0, |link| link.count);
        let (before, older) = match count {
            TAIL => (None, &self.recent),
            _ => (self.recent.clone(), &self.older),
        };
        let count = if before.is_some() { count + 1 } else { 1 };
        Tail { recent: Some(Arc::new(Link { told, before, count })), older: older.clone() }
    }

    /// The newest first.
    fn iter(&self) -> impl Iterator<Item = &Arc<Told>> {
        chain(&self.recent).chain(chain(&self.older))
    }
}

fn chain(newest: &Option<Arc<Link>>) -> impl Iterator<Item = &Arc<Told>> {
    iter::successors(newest.as_deref(), |link| link.before.as_deref()).map(|link| &link.told)
}

impl Kept {
    /// A game with the event that made it, if that is known.
    pub(super) fn new(game: Game, told: Option<Arc<Told>>) -> Kept {
        let tail = told.map_or_else(Tail::default, |told| Tail::default().then(told));
        Kept { game: Arc::new(game), tail }
    }

    /// The game one event later.
    pub(super) fn then(&self, game: Game, told: Arc<Told>) -> Kept {
        Kept { game: Arc::new(game), tail: self.tail.then(told) }
    }

    /// The events of the versions after `after`, if all of them are at hand.
    pub(super) fn since(&self, after: Version) -> Option<Vec<Arc<Told>>> {
        let missing = usize::try_from(self.game.version().checked_sub(after)?).ok()?;
        let mut events: Vec<_> = self.tail.iter().take(missing).cloned().collect();
        events.reverse();
        (events.len() == missing).then_some(events)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Body, Creation, Entry, Event, Fingerprint, Millis, RULES_VERSION, RequestId};

    fn event(version: Version, body: Body) -> Event {
        let (request, fingerprint) = (RequestId::NONE, Fingerprint([0; 16]));
        Event { version, time: Millis(0), request, fingerprint, body }
    }

    fn begin() -> Kept {
        let key = GameKey { tenant: "club".parse().unwrap(), id: "game".parse().unwrap() };
        let creation = Creation {
            game_type: "quantum-control".to_owned(),
            rules_version: RULES_VERSION,
            options: Default::default(),
            position: None,
            black_player: String::new(),
            white_player: String::new(),
            labels: Default::default(),
            imported_moves: 0,
        };
        let created = event(1, Body::Created(creation));
        let (game, event) = Game::follow(None, &key, &Entry::first(&key, &created)).unwrap();
        let told = Told::new(event, None, &game);
        Kept::new(game, Some(Arc::new(told)))
    }

    fn go_on(kept: &Kept) -> Kept {
        let before = kept.game.as_ref().clone();
        let text = before.board().listing()[0].text.clone();
        let entry = before.entry(&event(before.version() + 1, Body::Moved { text, bot: None }));
        let key = before.key().clone();
        let (game, event) = Game::follow(Some(before), &key, &entry).unwrap();
        let told = Told::new(event, Some(&kept.game), &game);
        kept.then(game, Arc::new(told))
    }

    #[test]
    fn the_last_events_are_at_hand_in_order() {
        let mut kept = begin();
        for _ in 0..3 * TAIL {
            let version = kept.game.version();
            let oldest = version.saturating_sub(TAIL as Version);
            for after in oldest..=version {
                let events = kept.since(after).expect("it is at hand");
                let versions: Vec<_> = events.iter().map(|told| told.event.version).collect();
                assert_eq!(versions, (after + 1..=version).collect::<Vec<_>>());
                assert!(after == 0 || kept.digest(after).is_some() || after == oldest);
            }
            assert!(kept.since(version + 1).is_none());
            assert!(kept.tail.iter().count() <= 2 * TAIL);
            kept = go_on(&kept);
        }
        assert!(kept.since(0).is_none() && kept.digest(1).is_none());
        assert_eq!(kept.digest(kept.game.version()), Some(kept.game.digest()));
    }
}
