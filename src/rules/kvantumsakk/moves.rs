use std::fmt;

use super::{Portion, Square, Wing};

/// One turn of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A portion of the stack on one square goes to another, empty or not.
    Transfer { from: Square, to: Square, portion: Portion },
    /// King and rook of the side to move go together.
    Castle(Wing),
}

/// What a transfer finds where it lands, which its text shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Landing {
    Empty,
    Enemy,
    Own,
}

impl Landing {
    /// The sign between the squares of a move text.
    pub(super) const fn sign(self) -> char {
        match self {
            Landing::Empty => '-',
            Landing::Enemy => 'x',
            Landing::Own => '+',
        }
    }
}

/// The canonical text of a transfer.
pub(super) struct TransferText {
    pub(super) portion: Portion,
    pub(super) from: Square,
    pub(super) landing: Landing,
    pub(super) to: Square,
}

impl fmt::Display for TransferText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}{}{}", self.portion.quanta(), self.from, self.landing.sign(), self.to)
    }
}
