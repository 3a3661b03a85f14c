use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use tokio::{sync::watch, task::JoinHandle};
use tokio_stream::wrappers::WatchStream;

use super::{PoolError, Thought, Thoughts, Ticket, ticket::Place};
use crate::game::{BotOrder, BotReport, GameKey, Millis, Version};

/// What a search has found: the text of a move, and how.
pub(super) type Found = (String, BotReport);

/// Why a search has found nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unfound {
    /// It was told to stop.
    Stopped,
    /// It could not start in time.
    Late,
}

/// A search that goes on, shared by all who ordered it; the last to let go stops it.
#[derive(Debug)]
pub(super) struct Flight {
    order: BotOrder,
    asked: Millis,
    /// The latest moment at which anybody still wants the result.
    deadline: Arc<Mutex<Option<Instant>>>,
    result: watch::Receiver<Option<Result<Found, PoolError>>>,
    /// The newest that it has found.
    newest: watch::Receiver<Option<Thought>>,
    /// Passes the result on to all who wait for it.
    task: JoinHandle<()>,
    /// Given up with the flight: then the search stops.
    place: Place,
}

/// What a search gets from those who wait for it, and tells them.
pub(super) struct Wires {
    /// The latest moment at which anybody still wants the result.
    pub(super) deadline: Arc<Mutex<Option<Instant>>>,
    pub(super) newest: watch::Sender<Option<Thought>>,
}

/// A caller's part in a flight, until it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    flights: Arc<Flights>,
    key: GameKey,
    flight: Option<Arc<Flight>>,
}

/// The searches that go on, by game.
#[derive(Debug, Default)]
pub(super) struct Flights {
    by_game: Mutex<HashMap<GameKey, Vec<Weak<Flight>>>>,
}

impl Seat {
    /// Waits for the result.
    pub(super) async fn landed(&self) -> Result<Found, PoolError> {
        let Some(flight) = &self.flight else { return Err(PoolError::Closed) };
        let mut result = flight.result.clone();
        match result.wait_for(Option::is_some).await {
            Ok(found) => found.clone().unwrap_or(Err(PoolError::Closed)),
            Err(_) => Err(PoolError::Closed),
        }
    }

    /// Listens to the search.
    pub(super) fn thoughts(&self) -> Option<Thoughts> {
        let flight = self.flight.as_ref()?;
        Some(Thoughts::new(WatchStream::new(flight.newest.clone()), Arc::downgrade(flight)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // The flight goes first: with the last seat it stops.
        drop(self.flight.take());
        self.flights.forget(&self.key);
    }
}

impl Flight {
    /// How many searches start before this one, and about how long that takes.
    pub(super) fn waiting(&self) -> Option<(usize, Duration)> {
        self.place.waiting()
    }

    /// Extends the time in which the result is wanted; `None` is without end.
    fn extend(&self, deadline: Option<Instant>) {
        let mut latest = self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = latest.and_then(|old| deadline.map(|new| old.max(new)));
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        // Nobody waits any more.
        self.task.abort();
    }
}

impl Flights {
    /// Joins the search of an equal order, or starts one.
    ///
    /// `start` makes the ticket of a new search.
    pub(super) fn join(
        self: &Arc<Self>,
        key: &GameKey,
        order: BotOrder,
        deadline: Option<Instant>,
        asked: Millis,
        start: impl FnOnce(Wires) -> Result<Ticket<Result<Found, Unfound>>, PoolError>,
    ) -> Result<Seat, PoolError> {
        let seat = |flight| Seat { flights: self.clone(), key: key.clone(), flight: Some(flight) };
        let mut by_game = self.by_game();
        let list = by_game.entry(key.clone()).or_default();
        list.retain(|flight| flight.strong_count() > 0);
        let equal = list.iter().filter_map(Weak::upgrade).find(|flight| flight.order == order);
        if let Some(flight) = equal {
            flight.extend(deadline);
            return Ok(seat(flight));
        }
        let deadline = Arc::new(Mutex::new(deadline));
        let (newest, newest_seen) = watch::channel(None);
        let started = start(Wires { deadline: deadline.clone(), newest });
        let ticket = match started {
            Ok(ticket) => ticket,
            Err(error) => {
                if list.is_empty() {
                    by_game.remove(key);
                }
                return Err(error);
            }
        };
        let flight = Arc::new(launch(order, asked, deadline, newest_seen, ticket));
        list.push(Arc::downgrade(&flight));
        Ok(seat(flight))
    }

    /// Forgets flights of a game that have ended, and the game with the last of them.
    fn forget(&self, key: &GameKey) {
        let mut by_game = self.by_game();
        if let Some(list) = by_game.get_mut(key) {
            list.retain(|flight| flight.strong_count() > 0);
            if list.is_empty() {
                by_game.remove(key);
            }
        }
    }

    /// A search of this version that goes on: its level and when it was asked for.
    pub(super) fn of(&self, key: &GameKey, version: Version) -> Option<(u8, Millis)> {
        let by_game = self.by_game();
        let mut flights = by_game.get(key)?.iter().filter_map(Weak::upgrade);
        flights
            .find(|flight| flight.order.expected == version)
            .map(|flight| (flight.order.level, flight.asked))
    }

    fn by_game(&self) -> MutexGuard<'_, HashMap<GameKey, Vec<Weak<Flight>>>> {
        // A panic elsewhere leaves the map whole: each change is one insertion or removal.
        self.by_game.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn launch(
    order: BotOrder,
    asked: Millis,
    deadline: Arc<Mutex<Option<Instant>>>,
    newest: watch::Receiver<Option<Thought>>,
    ticket: Ticket<Result<Found, Unfound>>,
) -> Flight {
    let (mut outcome, place) = ticket.split();
    let (tell, result) = watch::channel(None);
    let task = tokio::spawn(async move {
        let found = outcome.come().await.and_then(|found| {
            found.map_err(|why| match why {
                // It was not dropped, so the pool closes.
                Unfound::Stopped => PoolError::Closed,
                Unfound::Late => PoolError::Late,
            })
        });
        tell.send_replace(Some(found));
    });
    Flight { order, asked, deadline, result, newest, task, place }
}
