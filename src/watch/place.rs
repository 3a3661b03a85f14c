use std::sync::Arc;

use crate::{
    game::{Digest, Game, GameKey, Version},
    ledger::{Batch, Ledger, LedgerError},
    store::Head,
};

/// Where the stream of one game starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// With a snapshot of the present state.
    Snapshot,
    /// After a version, whose event must have this digest if one is given.
    After(Version, Option<Digest>),
}

/// How far the stream of one game is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Nothing has been sent yet.
    New(Start),
    Sent(Head),
    /// The event that ended the game has been sent.
    Ended,
}

/// What a look at a game has shown.
pub(super) enum News {
    None,
    Snapshot(Arc<Game>),
    Events(Batch),
    /// Nothing has happened after the place at which the stream of a game begins.
    Nothing {
        head: Head,
        over: bool,
    },
}

/// How many events of one game are sent before the others have their turn.
const TURN: usize = 32;

/// Looks whether a game has gone on from a place in it.
pub(super) async fn look(ledger: &Ledger, key: &GameKey, place: Place) -> Result<News, LedgerError> {
    match place {
        Place::New(Start::Snapshot) => ledger.current(key).await.map(News::Snapshot),
        Place::New(Start::After(version, digest)) => {
            // Before the creation there is no event whose digest could be compared.
            let digest = digest.filter(|_| version != 0);
            let batch = ledger.events(key, version, digest, TURN).await?;
            if !batch.events.is_empty() {
                return Ok(News::Events(batch));
            }
            let game = ledger.current(key).await?;
            let over = game.version() == version && game.ending().is_some();
            let head = Head { version, digest: digest.unwrap_or(batch.head.digest) };
            Ok(News::Nothing { head, over })
        }
        Place::Sent(head) => {
            let digest = Some(head.digest).filter(|_| head.version != 0);
            let batch = ledger.events(key, head.version, digest, TURN).await?;
            Ok(if batch.events.is_empty() { News::None } else { News::Events(batch) })
        }
        Place::Ended => Ok(News::None),
    }
}
