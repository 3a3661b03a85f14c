/// The chances of one search: the same seed and number, the same chance.
#[derive(Clone, Copy)]
pub(super) struct Seed(pub(super) u64);

impl Seed {
    /// Spreads the seed and a number over a whole word, by the finaliser of SplitMix64.
    fn mix(self, number: u64) -> u64 {
        let x = number ^ self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// How far the estimate of the position with this key is off, at most `most` either way.
    pub(super) fn noise(self, key: u64, most: u16) -> i32 {
        let width = 2 * u64::from(most) + 1;
        (self.mix(key) % width) as i32 - i32::from(most)
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(self, number: u64, end: u64) -> u64 {
        self.mix(number) % end
    }

    /// A seed of its own for each number.
    pub(super) fn child(self, number: u64) -> Seed {
        Seed(self.mix(number))
    }

    /// Puts the items into an order of chance.
    pub(super) fn shuffle<X>(self, items: &mut [X]) {
        for end in (1..items.len()).rev() {
            let other = self.mix(end as u64) % (end as u64 + 1);
            items.swap(end, other as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_keeps_its_bounds_and_differs() {
        let noises: Vec<i32> = (0..1000).map(|key| Seed(5).noise(key, 20)).collect();
        assert_eq!(noises.iter().min(), Some(&-20));
        assert_eq!(noises.iter().max(), Some(&20));
        assert_eq!(Seed(5).noise(3, 0), 0);
        assert_ne!(noises, (0..1000).map(|key| Seed(6).noise(key, 20)).collect::<Vec<i32>>());
    }

    #[test]
    fn shuffling_loses_nothing() {
        let mut items: Vec<u32> = (0..50).collect();
        Seed(1).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<u32>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<u32>>());
    }
}
