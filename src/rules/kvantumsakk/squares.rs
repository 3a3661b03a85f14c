use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use super::Square;

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Squares(pub(crate) u64);

impl Squares {
    pub(crate) const NONE: Squares = Squares(0);
    pub(crate) const ALL: Squares = Squares(!0);

    pub(crate) const fn of(square: Square) -> Squares {
        Squares(1 << square.index())
    }

    /// The squares of this set that `keep` accepts.
    pub(crate) fn filter(self, mut keep: impl FnMut(Square) -> bool) -> Squares {
        let mut kept = Squares::NONE;
        for square in self {
            if keep(square) {
                kept |= Squares::of(square);
            }
        }
        kept
    }

    /// The one square of this set, if it has exactly one.
    pub(crate) fn only(self) -> Option<Square> {
        (self.len() == 1).then(|| Square::from_bit(self.0.trailing_zeros()))
    }

    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn contains(self, square: Square) -> bool {
        self.0 & Squares::of(square).0 != 0
    }
}

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        let square = Square::from_bit(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl BitAnd for Squares {
    type Output = Squares;

    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Squares;

    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl BitXor for Squares {
    type Output = Squares;

    fn bitxor(self, other: Squares) -> Squares {
        Squares(self.0 ^ other.0)
    }
}

impl Not for Squares {
    type Output = Squares;

    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

impl BitAndAssign for Squares {
    fn bitand_assign(&mut self, other: Squares) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Squares {
    fn bitor_assign(&mut self, other: Squares) {
        self.0 |= other.0;
    }
}
