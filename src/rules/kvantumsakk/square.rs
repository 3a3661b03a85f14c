use std::fmt;

use crate::rules::Point;

/// One of the 64 squares, from a1 (0) along the rank to h1 (7) and up to h8 (63).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

#[rustfmt::skip]
const NAMES: [Point; 64] = [
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1",
    "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2",
    "a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3",
    "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4",
    "a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5",
    "a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6",
    "a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7",
    "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8",
];

impl Square {
    /// The square on this file (0 is a) and rank (0 is rank 1). Only the last three bits of each
    /// are looked at.
    pub(crate) const fn at(file: u8, rank: u8) -> Square {
        Square((rank & 7) * 8 + (file & 7))
    }

    /// The square of this bit of a [`super::squares::Squares`].
    pub(super) const fn from_bit(bit: u32) -> Square {
        Square(bit as u8 & 63)
    }

    /// Reads `e4`; upper-case letters as `E4` too.
    pub fn read(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file, rank @ b'1'..=b'8'] => match file.to_ascii_lowercase() {
                file @ b'a'..=b'h' => Some(Square::at(file - b'a', rank - b'1')),
                _ => None,
            },
            _ => None,
        }
    }

    /// The name, such as `e4`.
    pub const fn name(self) -> Point {
        NAMES[self.index()]
    }

    /// Below 64, which the mask lets the compiler see.
    pub(crate) const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 is the a-file.
    pub(crate) const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 is rank 1.
    pub(crate) const fn rank(self) -> u8 {
        self.0 >> 3
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
