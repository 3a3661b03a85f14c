//! Floor 4: where the events are kept.
//!
//! The log of a game is the truth about it. A store appends to it under compare-and-set, remembers
//! request ids, and keeps an index to list games by. It never looks into an event.

mod card;
mod embedded;
mod facet;
mod haste;
mod home;
mod redis;

use std::{error::Error, sync::Arc};

use async_trait::async_trait;

pub use card::{Card, Filter, Page, Place};
pub use embedded::{Embedded, OpenError};
pub use haste::{in_haste, patience};
pub use home::{Home, HomeError};
pub use redis::{Redis, RedisOpenError, RedisSettings, Unfit, UrlError};

use crate::game::{Digest, Entry, GameKey, RequestId, Tenant, Version};

/// A durable home of games.
///
/// What a call has answered is durable and seen by every later call. An error of a changing call
/// says nothing about whether the change happened: the caller looks its request id up.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Begins the log of a game, with all of these entries or none.
    ///
    /// # Errors
    /// The store did not answer, or answered nonsense.
    async fn create(&self, birth: Birth) -> Result<Created, StoreError>;

    /// Appends one entry to the log of a game, if its request is new and the log still ends where the
    /// caller thinks. Checked in this order: request id, existence, end of the log.
    ///
    /// # Errors
    /// The store did not answer, or answered nonsense.
    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError>;

    /// Where the log of a game ends, and at most `limit` entries of the versions after `after`, in
    /// order, all of one moment; `None` if there is no game.
    ///
    /// # Errors
    /// The store did not answer, or answered nonsense.
    async fn read(&self, key: &GameKey, after: Version, limit: usize) -> Result<Option<Log>, StoreError>;

    /// The version that a request made in a game, if it made one. For a creation, 1.
    ///
    /// # Errors
    /// The store did not answer, or answered nonsense.
    async fn find(&self, key: &GameKey, request: RequestId) -> Result<Option<Version>, StoreError>;

    /// A tenant's games that fit a filter, newest first, those after `after` only. A page may hold
    /// fewer than `limit` games, even none, and still name a place to go on from.
    ///
    /// # Errors
    /// The store did not answer, or answered nonsense.
    async fn list(
        &self,
        tenant: &Tenant,
        filter: &Filter,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Page, StoreError>;

    /// Whether the store can take changes now.
    ///
    /// # Errors
    /// Why it can't.
    async fn ready(&self) -> Result<(), StoreError>;
}

/// A game to begin.
#[derive(Clone, Debug)]
pub struct Birth {
    pub key: GameKey,
    /// The request that asked for it.
    pub request: RequestId,
    /// The creation, and the moves of an import behind it: versions 1, 2, ...
    pub entries: Vec<Entry>,
    pub card: Card,
}

/// What came of beginning a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Created {
    Done,
    /// There is a game of this key already; its first entry.
    Exists(Entry),
}

/// An entry to append.
#[derive(Clone, Debug)]
pub struct Commit {
    pub key: GameKey,
    pub request: RequestId,
    /// The version and digest that the log must end with.
    pub parent: Head,
    pub entry: Entry,
    /// The card of the game, if this entry ends it: the index then lists it as finished.
    pub finished: Option<Card>,
}

/// What came of appending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Committed {
    Done,
    /// The request id has been seen: the version that it made.
    Repeated(Version),
    /// There is no such game.
    Missing,
    /// The log ends elsewhere.
    Stale(Head),
}

/// A part of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    pub head: Head,
    pub entries: Vec<Entry>,
}

/// Where a log ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    pub version: Version,
    pub digest: Digest,
}

/// Told of each game whose log has grown, after it has: a wake-up and no more, which may come twice,
/// late, or not at all.
pub trait Bell: Send + Sync + 'static {
    fn ring(&self, key: &GameKey);
}

/// Why a store did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// It did not answer in time or refused: whether a change happened is not known.
    #[error("the store does not answer: {0}")]
    Unavailable(String, #[source] Option<Arc<dyn Error + Send + Sync>>),
    /// More changes wait than the store takes on.
    #[error("the store has too much to do")]
    Busy,
    /// What it holds makes no sense.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}
