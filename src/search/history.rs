use super::table::NO_STEP;

/// Scores stay within plus and minus this.
const LIMIT: i32 = 8192;

/// Which steps have refuted the other side's play so far, anywhere in the tree.
pub(super) struct History {
    /// How well a step has done, by side and code.
    scores: Vec<i16>,
    /// The last two quiet steps that cut off, by ply.
    killers: Vec<[u16; 2]>,
    /// The last quiet step that refuted a step, by that step's side and code.
    counters: Vec<u16>,
    codes: usize,
}

impl History {
    pub(super) fn new() -> History {
        History { scores: Vec::new(), killers: Vec::new(), counters: Vec::new(), codes: 0 }
    }

    /// Forgets everything, and makes room for steps with codes below `codes`.
    pub(super) fn clear(&mut self, codes: usize) {
        self.codes = codes;
        self.scores.clear();
        self.scores.resize(2 * codes, 0);
        self.counters.clear();
        self.counters.resize(2 * codes, NO_STEP);
        self.killers.clear();
    }

    pub(super) fn score(&self, side: usize, step: u16) -> i32 {
        i32::from(self.scores[self.index(side, step)])
    }

    pub(super) fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers.get(ply).copied().unwrap_or([NO_STEP; 2])
    }

    /// The refutation of the step that the side's opponent has just made.
    pub(super) fn counter(&self, side: usize, last: u16) -> u16 {
        if last == NO_STEP { NO_STEP } else { self.counters[self.index(side, last)] }
    }

    /// Remembers that a quiet step cut off at this ply, as an answer to `last`.
    pub(super) fn refuted(&mut self, side: usize, ply: usize, step: u16, last: u16) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NO_STEP; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != step {
            *second = *first;
            *first = step;
        }
        if last != NO_STEP {
            let index = self.index(side, last);
            self.counters[index] = step;
        }
    }

    /// Moves a step's score up or down; the further it already is that way, the less.
    pub(super) fn adjust(&mut self, side: usize, step: u16, bonus: i32) {
        let index = self.index(side, step);
        let score = i32::from(self.scores[index]);
        self.scores[index] = (score + bonus - score * bonus.abs() / LIMIT) as i16;
    }

    fn index(&self, side: usize, step: u16) -> usize {
        side * self.codes + usize::from(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_the_limit() {
        let mut history = History::new();
        history.clear(4);
        for _ in 0..1000 {
            history.adjust(1, 2, 1000);
            history.adjust(0, 2, -1000);
        }
        assert!((LIMIT / 2..=LIMIT).contains(&history.score(1, 2)));
        assert!((-LIMIT..=-LIMIT / 2).contains(&history.score(0, 2)));
        assert_eq!(history.score(1, 3), 0);
    }

    #[test]
    fn the_two_latest_killers_are_kept() {
        let mut history = History::new();
        history.clear(9);
        for step in [3, 4, 4, 5] {
            history.refuted(0, 2, step, NO_STEP);
        }
        assert_eq!(history.killers(2), [5, 4]);
        assert_eq!(history.killers(3), [NO_STEP; 2]);
    }
}
