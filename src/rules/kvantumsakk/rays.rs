//! Where men go on a board, for whole sets of men at once.
//!
//! Sliders are filled by doubling (Kogge and Stone's prefix method as chess programs use it): three
//! steps cover all seven squares of a ray, without tables and without a loop over the men.

use super::squares::Squares;
use crate::rules::Side;

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// One of the eight ways along which sliders go.
#[derive(Clone, Copy)]
struct Direction {
    /// How many bits one square further is; downwards if negative.
    bits: i32,
    /// The squares that a man can arrive on, since no ray leaves the board at one edge and comes
    /// back at the other.
    arrivals: u64,
}

const NORTH: Direction = Direction { bits: 8, arrivals: !0 };
const SOUTH: Direction = Direction { bits: -8, arrivals: !0 };
const EAST: Direction = Direction { bits: 1, arrivals: NOT_A };
const WEST: Direction = Direction { bits: -1, arrivals: NOT_H };
const NORTH_EAST: Direction = Direction { bits: 9, arrivals: NOT_A };
const NORTH_WEST: Direction = Direction { bits: 7, arrivals: NOT_H };
const SOUTH_EAST: Direction = Direction { bits: -7, arrivals: NOT_A };
const SOUTH_WEST: Direction = Direction { bits: -9, arrivals: NOT_H };

#[inline(always)]
const fn shift(set: u64, bits: i32) -> u64 {
    if bits < 0 { set >> -bits } else { set << bits }
}

#[inline(always)]
const fn step(from: u64, way: Direction) -> u64 {
    shift(from, way.bits) & way.arrivals
}

/// Every square that a slider on one of `from` reaches this way: the empty ones and the first
/// that is not.
#[inline(always)]
const fn ray(from: u64, empty: u64, way: Direction) -> u64 {
    let free = empty & way.arrivals;
    let mut reach = from;
    reach |= free & shift(reach, way.bits);
    let free = free & shift(free, way.bits);
    reach |= free & shift(reach, 2 * way.bits);
    let free = free & shift(free, 2 * way.bits);
    reach |= free & shift(reach, 4 * way.bits);
    step(reach, way)
}

/// The squares that rooks on `from` reach.
#[inline(always)]
pub(super) fn rook(from: Squares, empty: Squares) -> Squares {
    let along = |way| ray(from.0, empty.0, way);
    Squares(along(NORTH) | along(SOUTH) | along(EAST) | along(WEST))
}

/// The squares that bishops on `from` reach.
#[inline(always)]
pub(super) fn bishop(from: Squares, empty: Squares) -> Squares {
    let along = |way| ray(from.0, empty.0, way);
    Squares(along(NORTH_EAST) | along(NORTH_WEST) | along(SOUTH_EAST) | along(SOUTH_WEST))
}

/// The squares that knights on `from` leap to.
#[inline(always)]
pub(super) fn knight(Squares(from): Squares) -> Squares {
    let one = (from << 1 & NOT_A) | (from >> 1 & NOT_H);
    let two = (from << 2 & NOT_AB) | (from >> 2 & NOT_GH);
    Squares(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// The squares next to kings on `from`.
#[inline(always)]
pub(super) fn king(Squares(from): Squares) -> Squares {
    let beside = step(from, EAST) | step(from, WEST);
    let row = from | beside;
    Squares(beside | row << 8 | row >> 8)
}

/// The squares one ahead of single quanta of `side` on `from`.
#[inline(always)]
pub(super) fn ahead(side: Side, Squares(from): Squares) -> Squares {
    match side {
        Side::White => Squares(step(from, NORTH)),
        Side::Black => Squares(step(from, SOUTH)),
    }
}

/// The squares diagonally ahead of single quanta of `side` on `from`.
#[inline(always)]
pub(super) fn aside(side: Side, from: Squares) -> Squares {
    let Squares(ahead) = ahead(side, from);
    Squares(step(ahead, EAST) | step(ahead, WEST))
}

/// The squares where a ray from one of `kings` meets the ray of an enemy slider coming the other
/// way: empty squares between the two, and the one stack that keeps them apart.
#[inline(always)]
pub(super) fn meetings(kings: Squares, rooks: Squares, bishops: Squares, empty: Squares) -> Squares {
    let meet = |sliders: Squares, out, back| ray(kings.0, empty.0, out) & ray(sliders.0, empty.0, back);
    let straight = meet(rooks, NORTH, SOUTH)
        | meet(rooks, SOUTH, NORTH)
        | meet(rooks, EAST, WEST)
        | meet(rooks, WEST, EAST);
    let diagonal = meet(bishops, NORTH_EAST, SOUTH_WEST)
        | meet(bishops, SOUTH_WEST, NORTH_EAST)
        | meet(bishops, NORTH_WEST, SOUTH_EAST)
        | meet(bishops, SOUTH_EAST, NORTH_WEST);
    Squares(straight | diagonal)
}

/// The squares strictly between two that lie on one rank, file or diagonal; none for others.
pub(super) fn between(a: super::Square, b: super::Square) -> Squares {
    let (a, b) = (Squares::of(a), Squares::of(b));
    let empty = !(a | b);
    meetings(a, b, b, empty) & empty
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::kvantumsakk::Square;

    fn squares(names: &str) -> Squares {
        names.split(' ').filter_map(Square::read).fold(Squares::NONE, |set, s| set | Squares::of(s))
    }

    #[test]
    fn sliders_stop_at_the_first_stack_and_at_the_edge() {
        let empty = !squares("d4 d6 f4 f6");
        assert_eq!(rook(squares("d4"), empty), squares("d5 d6 e4 f4 c4 b4 a4 d3 d2 d1"));
        assert_eq!(bishop(squares("d4"), empty), squares("e5 f6 c5 b6 a7 c3 b2 a1 e3 f2 g1"));
        assert_eq!(rook(squares("h8"), Squares::ALL).len(), 14);
        assert_eq!(bishop(squares("a4 h4"), Squares::ALL).len(), 14);
    }

    #[test]
    fn leapers_do_not_leave_the_board() {
        assert_eq!(knight(squares("a1 h8")), squares("b3 c2 g6 f7"));
        assert_eq!(king(squares("a1 h5")), squares("a2 b1 b2 h4 h6 g4 g5 g6"));
        assert_eq!(aside(Side::White, squares("a2 h7 c8")), squares("b3 g8"));
        assert_eq!(aside(Side::Black, squares("a2 h7 c1")), squares("b1 g6"));
        assert_eq!(ahead(Side::Black, squares("a2 h7")), squares("a1 h6"));
    }

    #[test]
    fn between_needs_a_common_line() {
        let between = |a, b| between(Square::read(a).unwrap(), Square::read(b).unwrap());
        assert_eq!(between("a1", "d4"), squares("b2 c3"));
        assert_eq!(between("e4", "e7"), squares("e5 e6"));
        assert_eq!(between("e4", "e5"), Squares::NONE);
        assert_eq!(between("e4", "f6"), Squares::NONE);
    }
}
