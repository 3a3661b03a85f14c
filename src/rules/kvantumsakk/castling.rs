use super::{
    Square,
    board::Board,
    portion::{KING_PIECE, Portion},
    squares::Squares,
};
use crate::rules::Side;

/// On which side of the board king and rook castle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wing {
    /// Short, towards the h-file.
    King,
    /// Long, towards the a-file.
    Queen,
}

impl Wing {
    /// Short, then long.
    pub const BOTH: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The text of the move.
    pub const fn text(self) -> &'static str {
        match self {
            Wing::King => "O-O",
            Wing::Queen => "O-O-O",
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Wing::King => "king",
            Wing::Queen => "queen",
        }
    }
}

/// Where king and rook of one side go on one wing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    pub(super) king_from: Square,
    pub(super) king_to: Square,
    pub(super) rook_from: Square,
    pub(super) rook_to: Square,
    /// The square that only the rook passes, on the queen's wing.
    pub(super) rook_passes: Option<Square>,
}

impl Route {
    pub(super) const fn of(side: Side, wing: Wing) -> Route {
        let rank = match side {
            Side::White => 0,
            Side::Black => 7,
        };
        let (king_to, rook_from, rook_to, rook_passes) = match wing {
            Wing::King => (6, 7, 5, None),
            Wing::Queen => (2, 0, 3, Some(Square::at(1, rank))),
        };
        Route {
            king_from: Square::at(4, rank),
            king_to: Square::at(king_to, rank),
            rook_from: Square::at(rook_from, rank),
            rook_to: Square::at(rook_to, rank),
            rook_passes,
        }
    }

    /// The squares that must not be attacked: the king passes the square where the rook lands.
    pub(super) const fn king_walk(&self) -> [Square; 3] {
        [self.king_from, self.rook_to, self.king_to]
    }

    pub(super) const fn landings(&self) -> [Square; 2] {
        [self.rook_to, self.king_to]
    }

    const fn homes(&self) -> Squares {
        Squares(Squares::of(self.king_from).0 | Squares::of(self.rook_from).0)
    }
}

/// Which castlings are still possible, one bit each in the order of [`CastlingRights::LETTERS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct CastlingRights(u8);

impl CastlingRights {
    pub(super) const NONE: CastlingRights = CastlingRights(0);

    /// In the order of position texts.
    pub(super) const LETTERS: [(char, Side, Wing); 4] = [
        ('K', Side::White, Wing::King),
        ('Q', Side::White, Wing::Queen),
        ('k', Side::Black, Wing::King),
        ('q', Side::Black, Wing::Queen),
    ];

    const fn bit(side: Side, wing: Wing) -> u8 {
        match (side, wing) {
            (Side::White, Wing::King) => 1,
            (Side::White, Wing::Queen) => 2,
            (Side::Black, Wing::King) => 4,
            (Side::Black, Wing::Queen) => 8,
        }
    }

    /// Below 16.
    pub(super) const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    pub(super) const fn has(self, side: Side, wing: Wing) -> bool {
        self.0 & CastlingRights::bit(side, wing) != 0
    }

    pub(super) const fn with(self, side: Side, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | CastlingRights::bit(side, wing))
    }

    /// What is left of the rights once something has left or landed on these squares.
    pub(super) fn after(self, touched: Squares) -> CastlingRights {
        if self == CastlingRights::NONE {
            return self;
        }
        let lost =
            |(_, side, wing): &&(char, Side, Wing)| !(Route::of(*side, *wing).homes() & touched).is_empty();
        let bits = CastlingRights::LETTERS
            .iter()
            .filter(lost)
            .map(|&(_, side, wing)| CastlingRights::bit(side, wing));
        CastlingRights(self.0 & !bits.sum::<u8>())
    }
}

/// Whether king and rook stand at home on this wing, as they have since the start where the right
/// is still there.
pub(super) fn at_home(board: &Board, side: Side, wing: Wing) -> bool {
    let route = Route::of(side, wing);
    let holds = |square, count| board.owner(square) == Some(side) && board.count(square) == count;
    holds(route.king_from, KING_PIECE) && holds(route.rook_from, Portion::Four.quanta())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: CastlingRights = CastlingRights(0b1111);

    fn touched(names: &[&str]) -> CastlingRights {
        let squares = names
            .iter()
            .filter_map(|name| Square::read(name))
            .fold(Squares::NONE, |set, s| set | Squares::of(s));
        ALL.after(squares)
    }

    #[test]
    fn a_rook_s_square_loses_one_right_and_a_king_s_square_both() {
        assert_eq!(touched(&["a1"]).index(), 0b1101);
        assert_eq!(touched(&["h8", "h1"]).index(), 0b1010);
        assert_eq!(touched(&["e8"]).index(), 0b0011);
        assert_eq!(touched(&["e1", "a1", "h1", "f1"]).index(), 0b1100);
        assert_eq!(touched(&["d1", "g8"]), ALL);
    }
}
