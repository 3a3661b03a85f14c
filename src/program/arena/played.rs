use std::time::Duration;

use crate::{
    rules::{Outcome, Side},
    search::{Line, StopReason},
};

/// A game of a match that has ended.
pub(super) struct Played {
    /// The side that player `a` had.
    pub(super) side_of_a: Side,
    pub(super) outcome: Outcome,
    /// What `a` and `b` needed.
    pub(super) effort: [Effort; 2],
}

/// What a player needed for its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Effort {
    /// Moves that were searched for: the only legal one is not.
    pub(super) searches: u64,
    pub(super) nodes: u64,
    /// The sum of completed depths, in whole turns.
    pub(super) depth: u64,
    pub(super) time: Duration,
    pub(super) longest: Duration,
    /// Searches that their time limit ended.
    pub(super) timed_out: u64,
}

impl Effort {
    pub(super) fn note(&mut self, line: &Line<String>) {
        if line.stop == Some(StopReason::OnlyMove) {
            return;
        }
        self.add(&Effort {
            searches: 1,
            nodes: line.nodes,
            depth: line.depth.into(),
            time: line.elapsed,
            longest: line.elapsed,
            timed_out: u64::from(line.stop == Some(StopReason::Time)),
        });
    }

    /// A sum over all searches as the mean of one.
    pub(super) fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.searches.max(1) as f64
    }

    pub(super) fn add(&mut self, other: &Effort) {
        self.searches += other.searches;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
        self.timed_out += other.timed_out;
    }
}
