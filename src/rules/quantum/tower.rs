use std::fmt;

use crate::rules::Side;

/// A tower of this many pieces or more is fixed.
pub(crate) const FIXED_HEIGHT: u32 = 6;

/// No tower is higher: five pieces on five.
pub(super) const MAX_HEIGHT: usize = 10;

/// The shape of a piece, which says where it moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Shape {
    /// Moves straight.
    Square = 0b01,
    /// Moves diagonally.
    Circle = 0b10,
    /// Moves both ways.
    Cross = 0b11,
}

impl Shape {
    pub const ALL: [Shape; 3] = [Shape::Square, Shape::Circle, Shape::Cross];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Shape::Square => "square",
            Shape::Circle => "circle",
            Shape::Cross => "cross",
        }
    }

    /// How many of them a player has at the start.
    pub(super) const fn supply(self) -> usize {
        match self {
            Shape::Square | Shape::Circle => 6,
            Shape::Cross => 4,
        }
    }

    const fn letter(self) -> char {
        match self {
            Shape::Square => 's',
            Shape::Circle => 'c',
            Shape::Cross => 'x',
        }
    }
}

/// One piece: three bits, never all zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Piece {
    pub(super) side: Side,
    pub(super) shape: Shape,
}

impl Piece {
    pub(super) fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        let shape = Shape::ALL.into_iter().find(|shape| shape.letter() == letter.to_ascii_lowercase())?;
        Some(Piece { side, shape })
    }

    pub(super) const fn letter(self) -> char {
        match self.side {
            Side::Black => self.shape.letter(),
            Side::White => self.shape.letter().to_ascii_uppercase(),
        }
    }

    const fn code(self) -> u32 {
        self.shape as u32 | (self.side as u32) << 2
    }

    const fn from_code(code: u32) -> Piece {
        let shape = match code & 0b11 {
            0b01 => Shape::Square,
            0b10 => Shape::Circle,
            _ => Shape::Cross,
        };
        let side = if code & 0b100 == 0 { Side::Black } else { Side::White };
        Piece { side, shape }
    }
}

/// The pieces on one square, none to ten: three bits a piece, the top one lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Tower(u32);

impl Tower {
    pub(super) const EMPTY: Tower = Tower(0);

    pub(super) fn single(piece: Piece) -> Tower {
        Tower(piece.code())
    }

    /// Pieces on one another, at most ten, from the bottom up.
    pub(super) fn of(pieces: impl IntoIterator<Item = Piece>) -> Tower {
        pieces.into_iter().fold(Tower::EMPTY, |tower, piece| tower.under(Tower::single(piece)))
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many pieces it has.
    pub(crate) const fn height(self) -> u32 {
        (u32::BITS - self.0.leading_zeros()).div_ceil(3)
    }

    pub(crate) const fn is_fixed(self) -> bool {
        self.height() >= FIXED_HEIGHT
    }

    /// This tower with `upper` on top. The two have at most ten pieces.
    pub(super) const fn under(self, upper: Tower) -> Tower {
        Tower(self.0 << (3 * upper.height()) | upper.0)
    }

    /// The colour on top, for a tower that is not empty.
    pub(crate) const fn owner(self) -> Side {
        Piece::from_code(self.0).side
    }

    /// The shape on top, for a tower that is not empty.
    pub(crate) const fn shape(self) -> Shape {
        Piece::from_code(self.0).shape
    }

    pub(super) const fn moves_straight(self) -> bool {
        self.0 & Shape::Square as u32 != 0
    }

    pub(super) const fn moves_diagonally(self) -> bool {
        self.0 & Shape::Circle as u32 != 0
    }

    /// From the bottom up.
    pub(super) fn pieces(self) -> impl Iterator<Item = Piece> {
        (0..self.height()).rev().map(move |above| Piece::from_code(self.0 >> (3 * above)))
    }

    /// Tells towers apart; 0 only for the empty one.
    pub(super) const fn code(self) -> u32 {
        self.0
    }
}

/// The letters of position texts, from the bottom up.
impl fmt::Display for Tower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| write!(f, "{}", piece.letter()))
    }
}

impl fmt::Debug for Tower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tower(letters: &str) -> Tower {
        Tower::of(letters.chars().filter_map(Piece::from_letter))
    }

    #[test]
    fn a_tower_knows_its_height_top_and_pieces() {
        let five = tower("scxSC");
        assert_eq!((five.height(), five.owner(), five.shape()), (5, Side::White, Shape::Circle));
        assert!(!five.is_fixed() && five.moves_diagonally() && !five.moves_straight());
        assert_eq!(five.to_string(), "scxSC");
    }

    #[test]
    fn the_taken_tower_goes_below() {
        let taken = tower("SCsxX").under(tower("CSCsx"));
        assert_eq!((taken.to_string().as_str(), taken.height()), ("SCsxXCSCsx", 10));
        assert_eq!((taken.owner(), taken.shape(), taken.is_fixed()), (Side::Black, Shape::Cross, true));
    }

    #[test]
    fn every_piece_has_its_letter() {
        let pieces: Vec<Piece> = "SCXscx".chars().filter_map(Piece::from_letter).collect();
        assert_eq!(pieces.iter().map(|piece| piece.letter()).collect::<String>(), "SCXscx");
        assert_eq!("bwKq-".chars().find_map(Piece::from_letter), None);
    }

    #[test]
    fn nothing_has_no_height() {
        assert_eq!((Tower::EMPTY.height(), Tower::EMPTY.is_fixed()), (0, false));
    }
}
