use std::{
    fmt,
    ops::{BitAnd, BitOr, Not},
};

use crate::rules::Point;

/// One of the 36 points, numbered in the order of position texts: a1, b1, .. f1, a2, .. f6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Square(u8);

#[rustfmt::skip]
const NAMES: [Point; Square::COUNT] = [
    "a1", "b1", "c1", "d1", "e1", "f1",
    "a2", "b2", "c2", "d2", "e2", "f2",
    "a3", "b3", "c3", "d3", "e3", "f3",
    "a4", "b4", "c4", "d4", "e4", "f4",
    "a5", "b5", "c5", "d5", "e5", "f5",
    "a6", "b6", "c6", "d6", "e6", "f6",
];

impl Square {
    pub const COUNT: usize = 36;
    pub(super) const A1: Square = Square::at(0, 0);

    /// The point on this file, 0 for `a`, and rank, 0 for `1`; both below 6.
    pub(super) const fn at(file: u8, rank: u8) -> Square {
        assert!(file < 6 && rank < 6);
        Square(rank * 6 + file)
    }

    /// Every point, in the order of position texts.
    pub fn all() -> impl Iterator<Item = Square> {
        SquareSet::ALL
    }

    /// Below [`Square::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file `a` to 5 for file `f`.
    pub const fn file(self) -> u8 {
        self.0 % 6
    }

    /// 0 for rank `1`, the top one, to 5 for rank `6`.
    pub const fn rank(self) -> u8 {
        self.0 / 6
    }

    pub const fn name(self) -> Point {
        NAMES[self.index()]
    }

    /// Reads a name such as `b2`. The letter may be upper case.
    pub(super) fn read(name: &[u8]) -> Option<Square> {
        let &[letter, digit] = name else { return None };
        let file = letter.to_ascii_lowercase().wrapping_sub(b'a');
        let rank = digit.wrapping_sub(b'1');
        (file < 6 && rank < 6).then(|| Square::at(file, rank))
    }

    /// How many single steps, in any of the eight directions, lead from here to `other`.
    pub fn distance(self, other: Square) -> u32 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        files.max(ranks).into()
    }

    /// The points one step away, in any of the eight directions.
    pub fn neighbours(self) -> SquareSet {
        NEIGHBOURS[self.index()]
    }

    /// Whether this is a1, f1, a6 or f6.
    pub fn is_corner(self) -> bool {
        CORNERS.contains(self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of points: bit i is the point of index i, the other bits are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SquareSet(u64);

const NEIGHBOURS: [SquareSet; Square::COUNT] = {
    let mut table = [SquareSet(0); Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let point = SquareSet(1 << i);
        table[i] = SquareSet(point.reach().0 & !point.0);
        i += 1;
    }
    table
};

const CORNERS: SquareSet = SquareSet(1 << 35 | 1 << 30 | 1 << 5 | 1);
const NOT_FILE_A: u64 = SquareSet::ALL.0 & !FILE_A;
const NOT_FILE_F: u64 = SquareSet::ALL.0 & !(FILE_A << 5);
const FILE_A: u64 = 1 << 30 | 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6 | 1;

impl SquareSet {
    pub const EMPTY: SquareSet = SquareSet(0);
    pub const ALL: SquareSet = SquareSet((1 << Square::COUNT) - 1);

    /// The whole ranks from `first` to `last`, both included, numbered from 0.
    pub(super) const fn ranks(first: u8, last: u8) -> SquareSet {
        SquareSet(SquareSet::ALL.0 >> (30 - 6 * last) & SquareSet::ALL.0 << (6 * first))
    }

    pub const fn bits(self) -> u64 {
        self.0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// This set, with `square` added if it was absent and removed if it was present.
    pub(super) const fn toggled(self, square: Square) -> SquareSet {
        SquareSet(self.0 ^ 1 << square.0)
    }

    /// The six points of a rank, numbered from 0, as bits: `a` is bit 0.
    pub(super) const fn row(self, rank: usize) -> usize {
        (self.0 >> (6 * rank)) as usize & 63
    }

    /// These points and all that are one step from one of them.
    pub(super) const fn reach(self) -> SquareSet {
        let wide = self.0 | (self.0 & NOT_FILE_F) << 1 | (self.0 & NOT_FILE_A) >> 1;
        SquareSet((wide | wide << 6 | wide >> 6) & SquareSet::ALL.0)
    }

    /// How many single steps lead from a point of this set to one of `targets`.
    pub(super) const fn count_steps(self, targets: SquareSet) -> u32 {
        let (all, targets) = (self.0, targets.0);
        let (east, west) = (all & NOT_FILE_F, all & NOT_FILE_A);
        (all << 6 & targets).count_ones()
            + (all >> 6 & targets).count_ones()
            + (east << 1 & targets).count_ones()
            + (east << 7 & targets).count_ones()
            + (east >> 5 & targets).count_ones()
            + (west >> 1 & targets).count_ones()
            + (west << 5 & targets).count_ones()
            + (west >> 7 & targets).count_ones()
    }
}

impl From<Square> for SquareSet {
    fn from(square: Square) -> SquareSet {
        SquareSet(1 << square.0)
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
        SquareSet(!self.0 & SquareSet::ALL.0)
    }
}

/// Hands out the points in the order of their index.
impl Iterator for SquareSet {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Square(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_index_agree() {
        for square in Square::all() {
            assert_eq!(Square::read(square.name().as_bytes()), Some(square));
            assert_eq!(Square::read(square.name().to_uppercase().as_bytes()), Some(square));
        }
        for name in ["", "a", "a0", "a7", "g1", "`1", "a11", "1a"] {
            assert_eq!(Square::read(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn neighbours_are_what_is_at_distance_one() {
        for a in Square::all() {
            let near: Vec<Square> = Square::all().filter(|&b| a.distance(b) == 1).collect();
            assert_eq!(a.neighbours().collect::<Vec<_>>(), near);
            let steps = Square::all().map(|b| SquareSet::from(a).count_steps(b.into())).sum::<u32>();
            assert_eq!(steps, near.len() as u32);
            assert_eq!(SquareSet::from(a).reach(), a.neighbours() | a.into());
        }
    }

    #[test]
    fn ranks_are_whole() {
        let names: Vec<Point> = SquareSet::ranks(4, 5).map(Square::name).collect();
        assert_eq!(names, ["a5", "b5", "c5", "d5", "e5", "f5", "a6", "b6", "c6", "d6", "e6", "f6"]);
        assert_eq!(SquareSet::ranks(0, 1).count(), 12);
    }
}
