use std::{ops::Range, time::Duration};

use boardkeeper::chance;

/// What happens by chance to one table of the town.
pub(super) struct Chance(chance::Chance);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(chance::Chance::new(seed))
    }

    /// Another source, for somebody else.
    pub(super) fn split(&mut self) -> Chance {
        Chance::new(self.0.draw())
    }

    /// A number of a range that is not empty.
    pub(super) fn of(&mut self, range: Range<usize>) -> usize {
        range.start + (self.0.draw() % range.len() as u64) as usize
    }

    pub(super) fn one_in(&mut self, many: usize) -> bool {
        self.of(0..many) == 0
    }

    pub(super) fn millis(&mut self, range: Range<usize>) -> Duration {
        Duration::from_millis(self.of(range) as u64)
    }
}
