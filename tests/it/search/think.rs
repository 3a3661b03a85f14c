//! Searches with the knobs that tests turn.

use std::{cell::RefCell, sync::atomic::AtomicBool, time::Duration};

use boardkeeper::{
    chance,
    rules::{Game, Record},
    search::{Bot, Control, LEVELS, Limits, Line, Searchable, Searcher},
};

/// A clock that stands still: what is searched depends on no machine.
pub(super) fn at_leisure() -> Duration {
    Duration::ZERO
}

/// GolemBot Five, with at most so many turns.
pub(super) fn five(depth: u32) -> Bot {
    Bot { limits: Limits::new(depth, u64::MAX, Duration::MAX), ..LEVELS[4].bot(1) }
}

/// What the bot finds, undisturbed.
pub(super) fn think<G: Searchable>(
    searcher: &mut Searcher,
    record: &Record<G>,
    bot: Bot,
) -> Option<Line<G::Move>> {
    let stop = AtomicBool::new(false);
    searcher.search(record, bot, Control { stop: &stop, elapsed: &at_leisure }, &mut |_| ())
}

/// A source of chance that is passed around in a test.
pub(super) struct Chance(RefCell<chance::Chance>);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(RefCell::new(chance::Chance::new(seed)))
    }

    /// A number below `end`.
    pub(super) fn below(&self, end: usize) -> usize {
        (self.0.borrow_mut().draw() % end as u64) as usize
    }
}

/// Games of random moves from the usual start: every position in which the game goes on.
pub(super) fn random_game<G: Game>(options: &G::Options, chance: &Chance, most: usize) -> Vec<Record<G>> {
    let mut record = Record::<G>::start(options);
    let mut records = Vec::new();
    while record.outcome().is_none() && records.len() < most {
        records.push(record.clone());
        let moves = record.state().moves();
        record.advance(moves[chance.below(moves.len())]);
    }
    records
}
