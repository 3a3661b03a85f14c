use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::time::timeout_at;

use super::{
    Pool, PoolError, Thoughts,
    flight::{Flights, Found, Seat, Wires},
    search::{ANSWERING, BUDGET, Search},
};
use crate::{
    game::{BotOrder, Command, Deed, Digest, Game, GameKey, Millis, Rejection, RequestId, Version, stands},
    ledger::{Answer, Ledger, LedgerError},
    watch::Interest,
};

/// Takes orders for bot moves: searches, and plays what was found if the game still stands where it
/// was ordered for.
pub struct Desk {
    ledger: Arc<Ledger>,
    pool: Pool,
    flights: Arc<Flights>,
}

/// An order that has been taken.
pub enum Taken {
    /// Its move has been made already.
    Answered(Box<Answer>),
    Pending(Pending),
}

/// An order whose search goes on. Dropping it stops the search, unless another call shares it.
pub struct Pending {
    /// As it was when the order was taken.
    game: Arc<Game>,
    request: RequestId,
    order: BotOrder,
    /// Rung for whatever happens to the game after it was looked at.
    interest: Interest,
    seat: Seat,
    asked: Instant,
}

impl Pending {
    /// Listens to the search.
    pub fn thoughts(&self) -> Option<Thoughts> {
        self.seat.thoughts()
    }
}

/// Why an order was not carried out.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DeskError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The game moved on during the search.
    #[error("the game moved on to version {current} while the bot was thinking about version {expected}")]
    Superseded { expected: Version, current: Version },
    /// The caller's deadline comes before a search could start.
    #[error("a search could start in {wait:?} at the earliest, after the deadline")]
    TooLate { wait: Duration },
}

impl Desk {
    pub fn new(ledger: Arc<Ledger>, pool: Pool) -> Desk {
        Desk { ledger, pool, flights: Arc::default() }
    }

    /// Searches for and plays the move of an order, before `deadline` if there is one, in a game whose
    /// digest at the order's version is `seen`, if one is given. Dropping the future stops the search,
    /// unless another call shares it.
    ///
    /// # Errors
    /// The order is refused, the pool is full, the game moved on, or the store did not answer.
    pub async fn order(
        &self,
        key: &GameKey,
        request: RequestId,
        order: BotOrder,
        seen: Option<Digest>,
        deadline: Option<Instant>,
    ) -> Result<Answer, DeskError> {
        match self.take(key, request, order, seen, deadline).await? {
            Taken::Answered(answer) => Ok(*answer),
            Taken::Pending(pending) => self.finish(pending).await,
        }
    }

    /// Takes an order: starts its search, or joins an equal one that goes on.
    ///
    /// # Errors
    /// The order is refused, the pool is full, or the store did not answer.
    pub async fn take(
        &self,
        key: &GameKey,
        request: RequestId,
        order: BotOrder,
        seen: Option<Digest>,
        deadline: Option<Instant>,
    ) -> Result<Taken, DeskError> {
        let asked = Instant::now();
        if let Some(answer) = self.ledger.answered(key, request, order.fingerprint()).await? {
            return Ok(Taken::Answered(Box::new(answer)));
        }
        // Interest comes before the look: whatever happens after the look is rung for.
        let mut interest = Interest::new(self.ledger.hub());
        interest.add(key);
        let game = self.ledger.current(key).await?;
        if let Err(rejection) = stands(&game, order.expected, seen) {
            return match self.ledger.ordered(key, &order).await? {
                Some(equal) => Ok(Taken::Answered(Box::new(equal))),
                None => Err(LedgerError::Rejected(rejection).into()),
            };
        }
        let seat = self.take_off(&game, order, asked, deadline)?;
        Ok(Taken::Pending(Pending { game, request, order, interest, seat, asked }))
    }

    /// Waits for the search of an order and plays the move that it finds.
    ///
    /// # Errors
    /// The search failed, the game moved on, or the store did not answer.
    pub async fn finish(&self, pending: Pending) -> Result<Answer, DeskError> {
        let Pending { game, request, order, interest, seat, asked } = pending;
        let last = asked + BUDGET + ANSWERING;
        let found = tokio::select! {
            found = timeout_at(last.into(), seat.landed()) => match found {
                Ok(found) => found.map_err(DeskError::from).map(Some),
                Err(_) => Err(PoolError::Late.into()),
            },
            moved = self.moved_on(&game, &interest) => moved.map(|()| None),
        };
        drop(seat);
        match found? {
            Some(found) => self.play(&game, request, order, found).await,
            None => self.superseded(game.key(), &order).await,
        }
    }

    /// The level of a search for this version of a game that goes on, and when it was asked for.
    pub fn pending(&self, key: &GameKey, version: Version) -> Option<(u8, Millis)> {
        self.flights.of(key, version)
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    fn take_off(
        &self,
        game: &Arc<Game>,
        order: BotOrder,
        asked: Instant,
        deadline: Option<Instant>,
    ) -> Result<Seat, DeskError> {
        let tenant = &game.key().tenant;
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let patience = left.map_or(Some(Duration::MAX), |left| left.checked_sub(ANSWERING));
        let Some(patience) = patience else {
            return Err(DeskError::TooLate { wait: self.pool.expected_wait(tenant) });
        };
        let search = Search { game: game.clone(), order, asked };
        let start = |wires: Wires| {
            let work = move |searcher: &mut _, stop: &_| search.run(searcher, &wires, stop);
            self.pool.submit(tenant, patience, work)
        };
        let joined = self.flights.join(game.key(), order, deadline, self.ledger.now(), start);
        joined.map_err(|error| match error {
            PoolError::Full { wait, .. } if left.is_some_and(|left| left < wait + ANSWERING) => {
                DeskError::TooLate { wait }
            }
            error => error.into(),
        })
    }

    /// Returns when the game no longer stands where it was.
    async fn moved_on(&self, game: &Game, interest: &Interest) -> Result<(), DeskError> {
        loop {
            interest.next(1).await;
            let now = self.ledger.current(game.key()).await?;
            if stands(&now, game.version(), Some(game.digest())).is_err() {
                return Ok(());
            }
        }
    }

    async fn play(
        &self,
        game: &Game,
        request: RequestId,
        order: BotOrder,
        (text, report): Found,
    ) -> Result<Answer, DeskError> {
        let (key, digest) = (game.key(), Some(game.digest()));
        let command = Command { expected: order.expected, digest, deed: Deed::BotMove { text, report } };
        match self.ledger.execute_order(key, request, &order, command).await {
            Err(LedgerError::Rejected(
                Rejection::Version { .. } | Rejection::Diverged { .. } | Rejection::Over { .. },
            )) => self.superseded(key, &order).await,
            done => Ok(done?),
        }
    }

    /// The answer of a call that others were faster than: an equal order's move is its move too.
    async fn superseded(&self, key: &GameKey, order: &BotOrder) -> Result<Answer, DeskError> {
        if let Some(answer) = self.ledger.ordered(key, order).await? {
            return Ok(answer);
        }
        let current = self.ledger.current(key).await?.version();
        Err(DeskError::Superseded { expected: order.expected, current })
    }
}
