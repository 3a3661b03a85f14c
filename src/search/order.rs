use super::{Prospect, history::History, table::NO_STEP};

/// A step that waits to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<S> {
    pub(super) prospect: Prospect<S>,
    pub(super) code: u16,
    rank: i32,
}

/// What is known of the node from elsewhere that helps to order its steps.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    /// The code of the step that the table holds, or [`NO_STEP`].
    pub(super) table: u16,
    pub(super) killers: [u16; 2],
    pub(super) counter: u16,
}

/// The order: the table's step, captures that promise to win, killers, the counter move, then the
/// others by promise and history.
const TABLE: i32 = 1 << 30;
const WINNING: i32 = 1 << 28;
const KILLERS: [i32; 2] = [1 << 27, (1 << 27) - 1];
const COUNTER: i32 = 1 << 26;

/// What a hundredth of promise weighs against a point of history.
const PROMISE: i32 = 32;

impl Hints {
    pub(super) const NONE: Hints = Hints { table: NO_STEP, killers: [NO_STEP; 2], counter: NO_STEP };
}

impl<S: Copy> Candidate<S> {
    /// Ranks a step of this code among the others of its node.
    pub(super) fn new(
        prospect: Prospect<S>,
        code: u16,
        history: &History,
        side: usize,
        hints: &Hints,
    ) -> Candidate<S> {
        let rank = if code == hints.table {
            TABLE
        } else if prospect.noisy && 0 <= prospect.promise {
            WINNING + prospect.promise
        } else if code == hints.killers[0] {
            KILLERS[0]
        } else if code == hints.killers[1] {
            KILLERS[1]
        } else if code == hints.counter {
            COUNTER
        } else {
            prospect.promise * PROMISE + history.score(side, code)
        };
        Candidate { prospect, code, rank }
    }

    pub(super) fn step(&self) -> S {
        self.prospect.step
    }

    pub(super) fn promise(&self) -> i32 {
        self.prospect.promise
    }

    pub(super) fn is_noisy(&self) -> bool {
        self.prospect.noisy
    }
}

/// Brings the best of the steps from `index` on to `index`. Equal ones keep the order of the seed.
pub(super) fn pick<S: Copy>(candidates: &mut [Candidate<S>], index: usize) -> Option<Candidate<S>> {
    let mut best = *candidates.get(index)?;
    let mut place = index;
    for (i, candidate) in candidates.iter().enumerate().skip(index + 1) {
        if best.rank < candidate.rank {
            best = *candidate;
            place = i;
        }
    }
    candidates.swap(index, place);
    Some(best)
}
