use std::{
    sync::{Arc, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

use super::{
    flight::{Found, Unfound, Wires},
    report::{found, thought},
};
use crate::{
    game::{BotOrder, Game},
    search::{Bot, Control, LEVELS, Level, Limits, MAX_TIME, Searcher},
};

/// The most time that a call has until its move is found, waiting included: as much as the longest
/// search alone may take.
pub(super) const BUDGET: Duration = MAX_TIME;

/// What a call needs besides its search: the time to write the move and to answer.
pub(super) const ANSWERING: Duration = Duration::from_millis(50);

/// With less time than this left, a search is not worth starting.
const LEAST: Duration = Duration::from_millis(20);

/// The search of an order, to be run by the pool.
pub(super) struct Search {
    pub(super) game: Arc<Game>,
    pub(super) order: BotOrder,
    /// When the call came that began it.
    pub(super) asked: Instant,
}

impl Search {
    /// Searches for the move, telling whoever listens how far it is.
    pub(super) fn run(
        self,
        searcher: &mut Searcher,
        wires: &Wires,
        stop: &AtomicBool,
    ) -> Result<Found, Unfound> {
        let started = Instant::now();
        let deadline = *wires.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        let left = end(self.asked, started, deadline).saturating_duration_since(started);
        let order = self.order;
        let wanted = Limits::new(order.depth, order.nodes, Duration::from_micros(order.micros));
        if left < LEAST.min(wanted.time()) {
            return Err(Unfound::Late);
        }
        let limits = wanted.at_most(Limits::new(u32::MAX, u64::MAX, left));
        let bot = Bot { limits, ..level(order.level).bot(order.seed) };
        let elapsed = move || started.elapsed();
        let control = Control { stop, elapsed: &elapsed };
        let mut tell = |line: &_| drop(wires.newest.send_replace(Some(thought(line))));
        let line = self.game.board().search(searcher, bot, control, &mut tell);
        found(order, line.ok_or(Unfound::Stopped)?)
    }
}

/// When the search has to end that starts now: with the budget of the call that began it, or sooner
/// where nobody waits that long. One that has waited leaves time for the rest of its call.
fn end(asked: Instant, started: Instant, deadline: Option<Instant>) -> Instant {
    let waited = started.saturating_duration_since(asked);
    let budget = if waited < ANSWERING { BUDGET } else { BUDGET.saturating_sub(ANSWERING) };
    let end = asked + budget;
    match deadline.and_then(|deadline| deadline.checked_sub(ANSWERING)) {
        Some(sooner) => sooner.min(end),
        None => end,
    }
}

/// The level of this number, or the nearest.
fn level(number: u8) -> &'static Level {
    &LEVELS[usize::from(number.max(1) - 1).min(LEVELS.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_and_deadlines_take_time_off_a_search() {
        let asked = Instant::now();
        let at = |millis| asked + Duration::from_millis(millis);
        assert_eq!(end(asked, at(10), None), at(2000));
        assert_eq!(end(asked, at(300), None), at(1950));
        assert_eq!(end(asked, at(10), Some(at(500))), at(450));
        assert_eq!(end(asked, at(10), Some(at(9000))), at(2000));
    }
}
