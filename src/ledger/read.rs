use std::sync::Arc;

use super::{Ledger, LedgerError, shelf::Kept};
use crate::{
    game::{Body, Digest, Event, Game, GameKey, Told, Version},
    store::{Head, Log},
};

/// How many entries are read from the store at a time.
const CHUNK: usize = 512;

/// Some events in order, and the version at which the log ended when they were read.
#[derive(Clone, Debug)]
pub struct Batch {
    pub events: Vec<Arc<Told>>,
    pub head: Head,
}

impl Ledger {
    /// The game as it is now.
    ///
    /// # Errors
    /// There is none, the store did not answer, or holds nonsense.
    pub async fn current(&self, key: &GameKey) -> Result<Arc<Game>, LedgerError> {
        Ok(self.fresh(key).await?.game.clone())
    }

    /// The game as it was at a version, 1 up to the present one.
    ///
    /// # Errors
    /// As for [`Ledger::current`], or the game has not reached that version.
    pub async fn at(&self, key: &GameKey, version: Version) -> Result<Arc<Game>, LedgerError> {
        let now = self.fresh(key).await?;
        let current = now.game.version();
        if current < version || version == 0 {
            return Err(LedgerError::NoSuchVersion { asked: version, current });
        }
        if current == version {
            return Ok(now.game.clone());
        }
        let game = self.walk(key, version, |_, _| ()).await?;
        game.map(Arc::new).ok_or_else(|| LedgerError::NotFound(key.clone()))
    }

    /// The name of a game's type.
    ///
    /// # Errors
    /// As for [`Ledger::current`].
    pub async fn game_type(&self, key: &GameKey) -> Result<String, LedgerError> {
        let kept = match self.shelf.get(key) {
            Some(kept) => kept,
            None => self.fresh(key).await?,
        };
        Ok(kept.game.creation().game_type.clone())
    }

    /// The game as it is now, and the texts of all its moves.
    ///
    /// # Errors
    /// As for [`Ledger::current`].
    pub async fn with_moves(&self, key: &GameKey) -> Result<(Arc<Game>, Vec<String>), LedgerError> {
        let game = self.current(key).await?;
        let mut moves = Vec::new();
        self.walk(key, game.version(), |event, _| {
            if let Body::Moved { text, .. } = event.body {
                moves.push(text);
            }
        })
        .await?;
        Ok((game, moves))
    }

    /// Up to `limit` events of the versions after `after`. If `digest` is given, it must be that of
    /// the event of version `after`.
    ///
    /// # Errors
    /// As for [`Ledger::current`], or the history does not hold that place.
    pub async fn events(
        &self,
        key: &GameKey,
        after: Version,
        digest: Option<Digest>,
        limit: usize,
    ) -> Result<Batch, LedgerError> {
        // A game that is not at hand need not be read to learn that nothing is new.
        if let (None, Some(digest)) = (self.shelf.get(key), digest) {
            let head = self.read(key, after, 0).await?.head;
            if head == (Head { version: after, digest }) {
                return Ok(Batch { events: Vec::new(), head });
            }
        }
        // What is at hand may be old: of two changes for which a watcher was woken, the second is in the
        // store, but perhaps not here yet.
        let now = self.fresh(key).await?;
        if let Some(batch) = at_hand(&now, after, digest, limit) {
            return Ok(batch);
        }
        self.read_through(key, head(&now.game), after, digest, limit).await
    }

    async fn read_through(
        &self,
        key: &GameKey,
        head: Head,
        after: Version,
        digest: Option<Digest>,
        limit: usize,
    ) -> Result<Batch, LedgerError> {
        let diverged =
            || LedgerError::Diverged { version: after, current: head.version, digest: head.digest };
        if head.version < after {
            return Err(diverged());
        }
        let last = head.version.min(after.saturating_add(limit as u64));
        let mut before: Option<Game> = None;
        let mut events = Vec::new();
        let mut found = None;
        self.walk(key, last, |event, game| {
            if game.version() == after {
                found = Some(game.digest());
            }
            if after < game.version() {
                events.push(Arc::new(Told::new(event, before.as_ref(), game)));
            }
            if after <= game.version() {
                before = Some(game.clone());
            }
        })
        .await?;
        match (digest, found) {
            (Some(digest), Some(found)) if digest != found => Err(diverged()),
            _ => Ok(Batch { events, head }),
        }
    }

    /// The game as it is now, with its last events where they are at hand.
    pub(super) async fn fresh(&self, key: &GameKey) -> Result<Arc<Kept>, LedgerError> {
        self.looks.share(key, self.look(key)).await
    }

    async fn look(&self, key: &GameKey) -> Result<Arc<Kept>, LedgerError> {
        let kept = self.shelf.get(key);
        let known = kept.as_ref().map_or(0, |kept| kept.game.version());
        let log = self.read(key, known, CHUNK).await?;
        match kept {
            Some(kept) if log.head == head(&kept.game) => Ok(kept),
            Some(kept) => match self.catch_up(&kept, log).await? {
                Some(kept) => Ok(kept),
                // Another history than the one in memory: a failover has lost what was read before.
                None => {
                    self.shelf.forget(key);
                    self.load(key).await
                }
            },
            None => self.load_from(key, log).await,
        }
    }

    /// What is kept, brought up to the log; `None` if the log does not go on from it.
    async fn catch_up(&self, kept: &Arc<Kept>, log: Log) -> Result<Option<Arc<Kept>>, LedgerError> {
        let mut now = kept.as_ref().clone();
        let mut log = log;
        while !log.entries.is_empty() {
            for entry in &log.entries {
                let Ok((game, event)) = Game::follow(Some(now.game.as_ref().clone()), now.game.key(), entry)
                else {
                    return Ok(None);
                };
                let told = Told::new(event, Some(&now.game), &game);
                now = now.then(game, Arc::new(told));
            }
            if log.head == head(&now.game) {
                self.shelf.put(now.clone());
                return Ok(Some(Arc::new(now)));
            }
            log = self.read(now.game.key(), now.game.version(), CHUNK).await?;
        }
        Ok(None)
    }

    async fn load(&self, key: &GameKey) -> Result<Arc<Kept>, LedgerError> {
        let log = self.read(key, 0, CHUNK).await?;
        self.load_from(key, log).await
    }

    async fn load_from(&self, key: &GameKey, mut log: Log) -> Result<Arc<Kept>, LedgerError> {
        let mut game: Option<Game> = None;
        loop {
            for entry in &log.entries {
                game = Some(Game::follow(game, key, entry)?.0);
            }
            let Some(loaded) = game.as_ref() else { return Err(LedgerError::NotFound(key.clone())) };
            if log.head.version <= loaded.version() || log.entries.is_empty() {
                break;
            }
            log = self.read(key, loaded.version(), CHUNK).await?;
        }
        let game = game.ok_or_else(|| LedgerError::NotFound(key.clone()))?;
        let kept = Kept::new(game, None);
        self.shelf.put(kept.clone());
        Ok(Arc::new(kept))
    }

    /// Replays the log up to a version, handing over each event with the game after it; the game then.
    async fn walk(
        &self,
        key: &GameKey,
        last: Version,
        mut visit: impl FnMut(Event, &Game) + Send,
    ) -> Result<Option<Game>, LedgerError> {
        let mut game: Option<Game> = None;
        let mut version = 0;
        while version < last {
            let limit = CHUNK.min(usize::try_from(last - version).unwrap_or(CHUNK));
            let log = self.read(key, version, limit).await?;
            if log.entries.is_empty() {
                break;
            }
            for entry in &log.entries {
                let (after, event) = Game::follow(game.take(), key, entry)?;
                version = after.version();
                visit(event, &after);
                game = Some(after);
            }
        }
        Ok(game)
    }

    async fn read(&self, key: &GameKey, after: Version, limit: usize) -> Result<Log, LedgerError> {
        let log = self.store.read(key, after, limit).await?;
        log.ok_or_else(|| LedgerError::NotFound(key.clone()))
    }
}

pub(super) fn head(game: &Game) -> Head {
    Head { version: game.version(), digest: game.digest() }
}

/// The events after a place, if they and that place are at hand and the place is as it was read.
fn at_hand(kept: &Kept, after: Version, digest: Option<Digest>, limit: usize) -> Option<Batch> {
    let mut events = kept.since(after)?;
    let agrees = match digest {
        Some(digest) => kept.digest(after) == Some(digest),
        None => true,
    };
    events.truncate(limit);
    agrees.then(|| Batch { events, head: head(&kept.game) })
}
