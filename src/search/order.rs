use super::{Tree, history::History, table::NO_STEP};

/// A step that waits to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<S> {
    pub(super) step: S,
    pub(super) code: u16,
    pub(super) noisy: bool,
    /// The first guess of what it wins, in hundredths of the game's unit.
    pub(super) promise: i32,
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
    pub(super) fn of<T: Tree<Step = S>>(tree: &T, step: S, promise: i32) -> Candidate<S> {
        let noisy = tree.is_noisy(step);
        Candidate { step, code: T::code(step), noisy, promise, rank: 0 }
    }

    pub(super) fn ranked(self, history: &History, side: usize, hints: &Hints) -> Candidate<S> {
        Candidate { rank: self.rank_among(history, side, hints), ..self }
    }

    fn rank_among(&self, history: &History, side: usize, hints: &Hints) -> i32 {
        if self.code == hints.table {
            TABLE
        } else if self.noisy && 0 <= self.promise {
            WINNING + self.promise
        } else if self.code == hints.killers[0] {
            KILLERS[0]
        } else if self.code == hints.killers[1] {
            KILLERS[1]
        } else if self.code == hints.counter {
            COUNTER
        } else {
            self.promise * PROMISE + history.score(side, self.code)
        }
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
