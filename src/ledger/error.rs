use std::sync::Arc;

use crate::{
    game::{CreationError, Digest, GameKey, Rejection, ReplayError, RequestId, Version},
    store::StoreError,
};

/// Why the ledger did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("there is no game {0}")]
    NotFound(GameKey),
    /// The caller's id is taken by a game of other content.
    #[error("game {0} exists with other content")]
    Exists(GameKey),
    #[error("request id {0} was used with other content")]
    RequestIdReused(RequestId),
    #[error(transparent)]
    Rejected(#[from] Rejection),
    #[error(transparent)]
    Creation(#[from] CreationError),
    /// A move of a record to import is refused: its number from 1 on, its text, and why.
    #[error("move {number} of the record, {text:?}: {why}")]
    ImportedMove { number: usize, text: String, why: Box<Rejection> },
    /// A record to import ends otherwise than its moves do.
    #[error("the record says {recorded}, but after its last move {replayed}")]
    ImportedEnding { recorded: String, replayed: String },
    /// The caller's place in the history does not exist, or holds another event.
    #[error("the history of the game no longer holds version {version} as it was read")]
    Diverged { version: Version, current: Version, digest: Digest },
    /// A version that the game has not reached.
    #[error("the game is at version {current}; version {asked} does not exist yet")]
    NoSuchVersion { asked: Version, current: Version },
    /// Whether the change happened cannot be told.
    #[error("whether the change happened is not known")]
    CommitUnknown(#[source] StoreError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the stored game is damaged")]
    Replay(#[source] Arc<ReplayError>),
}

impl From<ReplayError> for LedgerError {
    fn from(error: ReplayError) -> LedgerError {
        LedgerError::Replay(Arc::new(error))
    }
}
