use super::{rays, squares::Squares};
use crate::rules::Side;

/// The stacks of one side, by the portions with which they attack. Seven attacks nothing that four
/// and five do not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attackers {
    pub(super) side: Side,
    pub(super) ones: Squares,
    pub(super) threes: Squares,
    pub(super) fours: Squares,
    pub(super) fives: Squares,
    pub(super) eights: Squares,
}

impl Attackers {
    /// Those of these stacks that stand on `squares`.
    pub(super) fn among(self, squares: Squares) -> Attackers {
        Attackers {
            side: self.side,
            ones: self.ones & squares,
            threes: self.threes & squares,
            fours: self.fours & squares,
            fives: self.fives & squares,
            eights: self.eights & squares,
        }
    }

    /// The squares where these stacks would capture, now or were an enemy there, when these
    /// squares are empty.
    #[inline]
    pub(super) fn squares(&self, empty: Squares) -> Squares {
        rays::aside(self.side, self.ones)
            | rays::knight(self.threes)
            | rays::rook(self.fours, empty)
            | rays::bishop(self.fives, empty)
            | rays::king(self.eights)
    }

    /// The squares where a ray from one of `kings` meets the ray of one of these stacks.
    #[inline]
    pub(super) fn meetings(&self, kings: Squares, empty: Squares) -> Squares {
        rays::meetings(kings, self.fours, self.fives, empty)
    }
}
