use std::{ops::Range, time::Duration};

/// A source of chance: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Another source, for somebody else.
    pub(super) fn split(&mut self) -> Chance {
        Chance(self.next())
    }

    /// A number of a range that is not empty.
    pub(super) fn of(&mut self, range: Range<usize>) -> usize {
        range.start + (self.next() % range.len() as u64) as usize
    }

    pub(super) fn one_in(&mut self, many: usize) -> bool {
        self.of(0..many) == 0
    }

    pub(super) fn millis(&mut self, range: Range<usize>) -> Duration {
        Duration::from_millis(self.of(range) as u64)
    }
}
