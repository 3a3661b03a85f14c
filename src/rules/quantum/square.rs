use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::rules::Point;

/// A square of any board: its file and rank on a grid of 16 by 8.
///
/// The widest board has twelve files, so four columns of the grid are always off the board. A step
/// over the edge of a board ends on one of them or outside the grid, and never on a far square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Square(u8);

/// The columns of the grid, and so the distance between a square and the one above it.
const COLUMNS: u8 = 16;

impl Square {
    /// The square at `file` (0 is `a`, below 12) and `rank` (0 is White's, below 8).
    pub(crate) const fn at(file: u8, rank: u8) -> Square {
        debug_assert!(file < 12 && rank < 8);
        Square(rank * COLUMNS + file)
    }

    /// Counted from 0, which is the file `a`.
    pub(crate) const fn file(self) -> u8 {
        self.0 % COLUMNS
    }

    /// Counted from 0, which is White's back rank.
    pub(crate) const fn rank(self) -> u8 {
        self.0 / COLUMNS
    }

    /// A number below 128, the same for this square on every board.
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// The file's letter and the rank's number, such as `e5`.
    pub fn name(self) -> Point {
        NAMES[usize::from(self.rank())][usize::from(self.file())]
    }

    pub(crate) const fn set(self) -> SquareSet {
        SquareSet(1 << self.0)
    }

    /// The squares with a lower number.
    pub(super) const fn below(self) -> SquareSet {
        SquareSet((1 << self.0) - 1)
    }

    /// The square `by` steps of the grid further on. The caller knows that it is on the board.
    pub(super) const fn plus(self, by: i32) -> Square {
        Square((self.0 as i32 + by) as u8)
    }
}

macro_rules! rank_names {
    ($rank:literal) => {
        [
            concat!("a", $rank),
            concat!("b", $rank),
            concat!("c", $rank),
            concat!("d", $rank),
            concat!("e", $rank),
            concat!("f", $rank),
            concat!("g", $rank),
            concat!("h", $rank),
            concat!("i", $rank),
            concat!("j", $rank),
            concat!("k", $rank),
            concat!("l", $rank),
        ]
    };
}

static NAMES: [[Point; 12]; 8] = [
    rank_names!("1"),
    rank_names!("2"),
    rank_names!("3"),
    rank_names!("4"),
    rank_names!("5"),
    rank_names!("6"),
    rank_names!("7"),
    rank_names!("8"),
];

/// A set of squares. Steps over the edge leave bits off the board: whoever shifts a set masks it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SquareSet(u128);

impl SquareSet {
    pub(crate) const EMPTY: SquareSet = SquareSet(0);

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    pub(crate) const fn with(self, square: Square) -> SquareSet {
        SquareSet(self.0 | 1 << square.0)
    }

    /// The set moved by `BY` steps of the grid: +1 to the right, +16 upwards.
    pub(crate) const fn shift<const BY: i32>(self) -> SquareSet {
        if BY < 0 { SquareSet(self.0 >> -BY) } else { SquareSet(self.0 << BY) }
    }
}

/// Squares in ascending order: rank by rank from White's side, each from the file `a`.
impl Iterator for SquareSet {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        let first = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Square(first))
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;

    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;

    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl Not for SquareSet {
    type Output = SquareSet;

    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: SquareSet) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: SquareSet) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_its_file_and_rank() {
        let square = Square::at(10, 7);
        assert_eq!((square.file(), square.rank(), square.name()), (10, 7, "k8"));
        assert_eq!(Square::at(0, 0).name(), "a1");
    }

    #[test]
    fn a_set_gives_its_squares_in_order() {
        let set = SquareSet::EMPTY.with(Square::at(3, 4)).with(Square::at(9, 0)).with(Square::at(0, 4));
        assert_eq!(set.len(), 3);
        assert_eq!(set.map(Square::name).collect::<Vec<_>>(), ["j1", "a5", "d5"]);
        assert!(set.contains(Square::at(0, 4)) && !set.contains(Square::at(1, 4)));
    }

    #[test]
    fn squares_below_are_those_with_lower_numbers() {
        let below = Square::at(2, 1).below();
        assert!(below.contains(Square::at(1, 1)) && below.contains(Square::at(11, 0)));
        assert!(!below.contains(Square::at(2, 1)) && !below.contains(Square::at(0, 2)));
    }
}
