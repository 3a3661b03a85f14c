use std::time::Duration;

use super::Limits;

/// How a bot thinks: how far it looks, how surely it judges, and its chances.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bot {
    pub limits: Limits,
    /// Every estimate is off by up to so much, either way: see [`super::Score::Estimate`].
    pub noise: u16,
    /// Decides between equal moves, and how estimates are off. The same seed, the same game.
    pub seed: u64,
}

/// One of the bots on offer. Not a calibrated human rating.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Level {
    /// 1 to 5, weakest first.
    pub number: u32,
    pub name: &'static str,
    pub limits: Limits,
    /// See [`Bot::noise`].
    pub noise: u16,
}

impl Level {
    pub const fn bot(&self, seed: u64) -> Bot {
        Bot { limits: self.limits, noise: self.noise, seed }
    }
}

/// The five levels. A lower one sees less far and judges less surely, and makes sense all the same: each
/// sees a win in two.
pub const LEVELS: [Level; 5] = [
    level(1, "GolemBot One", Limits::new(3, 2_500, Duration::from_millis(250)), 210),
    level(2, "GolemBot Two", Limits::new(4, 6_000, Duration::from_millis(500)), 115),
    level(3, "GolemBot Three", Limits::new(5, 12_000, Duration::from_millis(750)), 48),
    level(4, "GolemBot Four", Limits::new(7, 30_000, Duration::from_secs(1)), 21),
    level(5, "GolemBot Five", Limits::MAX, 0),
];

const fn level(number: u32, name: &'static str, limits: Limits, noise: u16) -> Level {
    Level { number, name, limits, noise }
}
