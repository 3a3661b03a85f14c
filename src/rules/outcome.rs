use super::Side;

/// How a game ended by its rules: a winner or a draw, and the reason as its page names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// A name in `snake_case`, such as `two_passes`; every reason of a game is listed in its type.
    pub reason: &'static str,
}

impl Outcome {
    pub const fn won(winner: Side, reason: &'static str) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    pub const fn drawn(reason: &'static str) -> Outcome {
        Outcome { winner: None, reason }
    }
}
