use super::MAX_DEPTH;

/// How near a game is to its limit of moves without a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quiet {
    /// Moves since the last capture.
    pub moves: u32,
    /// The number of them at which the game ends. `u32::MAX` where there is no limit.
    pub limit: u32,
}

/// Estimates change once in so many quiet moves, so that the table can tell them apart cheaply.
const BUCKET: u32 = 8;

impl Quiet {
    pub const UNLIMITED: Quiet = Quiet { moves: 0, limit: u32::MAX };

    /// What must be mixed into a table key, so that no score is reused across a limit: near it,
    /// the count itself; far from it, only what [`Quiet::fade`] looks at.
    pub(super) fn key(self) -> u64 {
        let near = self.limit.saturating_sub(self.moves) <= MAX_DEPTH + 4;
        let count = if near { self.moves } else { self.moves / BUCKET * BUCKET };
        u64::from(count).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Draws an estimate towards zero as the limit nears, down to a half, so that the side that is
    /// ahead gets on with it.
    pub fn fade(self, estimate: i32) -> i32 {
        if self.limit == u32::MAX {
            return estimate;
        }
        let (moves, limit) = (i64::from(self.moves / BUCKET * BUCKET), i64::from(self.limit));
        (i64::from(estimate) * (2 * limit - moves) / (2 * limit)) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_fade_to_a_half_at_the_limit() {
        assert_eq!(Quiet { moves: 0, limit: 80 }.fade(1000), 1000);
        assert_eq!(Quiet { moves: 40, limit: 80 }.fade(-1000), -750);
        assert_eq!(Quiet { moves: 79, limit: 80 }.fade(1000), 550);
        assert_eq!(Quiet::UNLIMITED.fade(1000), 1000);
    }

    #[test]
    fn counts_are_told_apart_near_the_limit_only() {
        let key = |moves| Quiet { moves, limit: 50 }.key();
        assert_eq!(key(8), key(15));
        assert_ne!(key(15), key(16));
        assert_ne!(key(40), key(41));
    }
}
