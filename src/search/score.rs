use std::fmt;

use crate::rules::{Outcome, Side};

/// Estimates lie strictly within plus and minus this.
pub const EVALUATION_LIMIT: i32 = 20_000;

/// The value of a game that is drawn.
pub(super) const DRAW: i32 = 0;

/// A bound above every value.
pub(super) const INFINITY: i32 = 32_001;

/// The value of a game that is won here; a win that comes later is worth a point less a turn.
const WON: i32 = 32_000;

/// What a search found a position to be worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// An estimate, in hundredths of the logarithm of the odds: 100 stands for odds of e to 1, about
    /// three chances in four.
    Estimate(i32),
    /// Proven: a win by force, in so many turns of either side or fewer.
    Win { turns: u32 },
    /// Proven: a loss, which can be put off for so many turns of either side.
    Loss { turns: u32 },
    /// Proven: neither side can do better.
    Draw,
}

impl Score {
    /// Reads a value of the search; `proven` where no estimate had a part in it.
    pub(super) fn new(value: i32, proven: bool) -> Score {
        if is_win(value) {
            return Score::Win { turns: (WON - value) as u32 };
        }
        if is_loss(value) {
            return Score::Loss { turns: (WON + value) as u32 };
        }
        if proven { Score::Draw } else { Score::Estimate(value) }
    }

    /// Whether the rules prove this score.
    pub fn is_proven(self) -> bool {
        !matches!(self, Score::Estimate(_))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Estimate(centi) => write!(f, "{:+.2}", f64::from(centi) / 100.0),
            Score::Win { turns } => write!(f, "win in {turns}"),
            Score::Loss { turns } => write!(f, "loss in {turns}"),
            Score::Draw => f.write_str("draw"),
        }
    }
}

/// The value to `side` of a game that has ended `turns` after the root.
pub(super) fn of_outcome(outcome: Outcome, side: Side, turns: i32) -> i32 {
    match outcome.winner {
        None => DRAW,
        Some(winner) if winner == side => WON - turns,
        Some(_) => turns - WON,
    }
}

pub(super) fn is_win(value: i32) -> bool {
    EVALUATION_LIMIT <= value
}

pub(super) fn is_loss(value: i32) -> bool {
    value <= -EVALUATION_LIMIT
}

/// Turns a value counted from the root into one counted from a node `turns` below it.
pub(super) fn from_node(value: i32, turns: i32) -> i32 {
    if is_win(value) {
        value + turns
    } else if is_loss(value) {
        value - turns
    } else {
        value
    }
}

/// The reverse of [`from_node`].
pub(super) fn from_root(value: i32, turns: i32) -> i32 {
    from_node(value, -turns)
}

/// The values that matter to a node: above `alpha`, below `beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// Asks only whether the value is above `alpha`.
    pub(super) fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The same window from the other side.
    pub(super) fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether values fit in between: the node is on the main line.
    pub(super) fn is_open(self) -> bool {
        self.alpha + 1 < self.beta
    }

    pub(super) fn is_empty(self) -> bool {
        self.beta <= self.alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_become_scores() {
        let won = Outcome::won(Side::White, "test");
        assert_eq!(Score::new(of_outcome(won, Side::White, 3), true), Score::Win { turns: 3 });
        assert_eq!(Score::new(of_outcome(won, Side::Black, 4), true), Score::Loss { turns: 4 });
        assert_eq!(Score::new(of_outcome(Outcome::drawn("test"), Side::Black, 4), true), Score::Draw);
        assert_eq!(Score::new(120, false), Score::Estimate(120));
    }

    #[test]
    fn distances_are_counted_from_either_end() {
        let value = of_outcome(Outcome::won(Side::White, "test"), Side::White, 7);
        assert_eq!(from_node(value, 3), WON - 4);
        assert_eq!(from_root(from_node(-value, 3), 3), -value);
        assert_eq!(from_node(55, 3), 55);
    }

    #[test]
    fn scores_read_well() {
        assert_eq!(Score::Estimate(-205).to_string(), "-2.05");
        assert_eq!(Score::Win { turns: 3 }.to_string(), "win in 3");
    }
}
