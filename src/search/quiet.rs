/// How near a game is to its limit of moves without a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quiet {
    /// Moves since the last capture.
    pub moves: u32,
    /// The number of them at which the game ends. `u32::MAX` where there is no limit.
    pub limit: u32,
}

impl Quiet {
    pub const UNLIMITED: Quiet = Quiet { moves: 0, limit: u32::MAX };

    /// What must be mixed into a table key, so that no score is reused across a limit, or where
    /// [`Quiet::fade`] would make another one.
    pub(super) fn key(self) -> u64 {
        u64::from(self.moves).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Draws an estimate towards zero as the limit nears, down to a half, so that the side that is
    /// ahead gets on with it.
    pub fn fade(self, estimate: i32) -> i32 {
        if self.limit == u32::MAX {
            return estimate;
        }
        let (moves, limit) = (i64::from(self.moves), i64::from(self.limit));
        (i64::from(estimate) * (2 * limit - moves) / (2 * limit)) as i32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn estimates_fade_to_a_half_at_the_limit() {
        assert_eq!(Quiet { moves: 0, limit: 80 }.fade(1000), 1000);
        assert_eq!(Quiet { moves: 40, limit: 80 }.fade(-1000), -750);
        assert_eq!(Quiet { moves: 79, limit: 80 }.fade(1000), 506);
        assert_eq!(Quiet::UNLIMITED.fade(1000), 1000);
    }

    #[test]
    fn counts_that_fade_otherwise_have_keys_of_their_own() {
        let keys: HashSet<u64> = (0..80).map(|moves| Quiet { moves, limit: 80 }.key()).collect();
        assert_eq!(keys.len(), 80);
        assert_eq!(Quiet::UNLIMITED.key(), 0);
    }
}
