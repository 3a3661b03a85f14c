//! Numbers of chance for openings, loads and tests.

/// A source of chance: the same seed, the same numbers on every machine. SplitMix64 (Steele, Lea,
/// Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// One of the items. `None` where there are none.
    pub fn pick<'a, X>(&mut self, items: &'a [X]) -> Option<&'a X> {
        let place = self.draw().checked_rem(items.len() as u64)?;
        items.get(place as usize)
    }
}
