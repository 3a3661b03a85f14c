use super::{Quantum, position::FIXED_TO_WIN, tower::FIXED_HEIGHT};
use crate::rules::{Outcome, Side};

/// Every reason, in the order in which they are looked at.
pub(super) const REASONS: &[&str] =
    &["three_fixed_towers", "towers_impossible", "no_moves", "threefold", "move_limit"];

impl Quantum {
    pub(super) fn ending(&self, occurrences: u32) -> Option<Outcome> {
        let won = |&side: &Side| FIXED_TO_WIN <= self.fixed_towers(side);
        if let Some(winner) = Side::BOTH.into_iter().find(won) {
            return Some(Outcome::won(winner, "three_fixed_towers"));
        }
        let reason = if !Side::BOTH.into_iter().any(|side| self.can_complete(side)) {
            "towers_impossible"
        } else if !self.can_move() {
            "no_moves"
        } else if 3 <= occurrences {
            "threefold"
        } else if u32::from(self.settings().move_limit) <= self.quiet() {
            "move_limit"
        } else {
            return None;
        };
        Some(Outcome { winner: self.ahead(), reason })
    }

    /// Whether there are enough loose pieces for the fixed towers that this side lacks.
    pub(crate) fn can_complete(&self, side: Side) -> bool {
        let lacking = FIXED_TO_WIN.saturating_sub(self.fixed_towers(side));
        FIXED_HEIGHT * lacking <= self.loose()
    }

    /// Who wins if the game stops here: the side that controls more pieces, if it has a fixed tower.
    pub(crate) fn ahead(&self) -> Option<Side> {
        let leads = |&side: &Side| self.controlled(!side) < self.controlled(side);
        Side::BOTH.into_iter().find(leads).filter(|&side| 0 < self.fixed_towers(side))
    }
}
