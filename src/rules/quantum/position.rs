use super::{Board, Piece, QuantumOptions, Shape, Square, SquareSet, Tower, towers::Towers};
use crate::rules::{BySide, Side, zobrist};

/// How many fixed towers win.
pub(crate) const FIXED_TO_WIN: u32 = 3;

/// A position of Quantum with its counter and its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quantum {
    /// Where each side's colour is on top.
    tops: BySide<SquareSet>,
    /// Where a square or a cross is on top.
    straight: SquareSet,
    /// Where a circle or a cross is on top.
    diagonal: SquareSet,
    fixed: SquareSet,
    /// All towers of two or more; what stands elsewhere is single.
    towers: Towers,
    key: u64,
    /// Moves since the last capture.
    quiet: u32,
    /// Pieces of both colours outside fixed towers.
    loose: u8,
    turn: Side,
    options: QuantumOptions,
}

impl Quantum {
    /// A board with nothing on it.
    pub(super) fn empty(options: QuantumOptions, turn: Side, quiet: u32) -> Quantum {
        Quantum {
            tops: BySide::default(),
            straight: SquareSet::EMPTY,
            diagonal: SquareSet::EMPTY,
            fixed: SquareSet::EMPTY,
            towers: Towers::NONE,
            key: frame_key(options.board, turn),
            quiet,
            loose: 0,
            turn,
            options,
        }
    }

    pub(crate) fn board(&self) -> Board {
        self.options.board
    }

    pub(super) fn settings(&self) -> QuantumOptions {
        self.options
    }

    pub(super) fn turn(&self) -> Side {
        self.turn
    }

    /// Moves since the last capture.
    pub(crate) fn quiet(&self) -> u32 {
        self.quiet
    }

    pub(super) fn running_key(&self) -> u64 {
        self.key
    }

    /// The key of everything on the board, from nothing.
    pub(super) fn fresh_key(&self) -> u64 {
        let towers = self.occupied().map(|square| tower_key(square, self.tower(square)));
        towers.fold(frame_key(self.board(), self.turn), |key, tower| key ^ tower)
    }

    /// Whether both are one position where repetition is counted.
    pub(super) fn same_board_and_turn(&self, other: &Quantum) -> bool {
        let board = |position: &Quantum| {
            let Quantum { tops, straight, diagonal, towers, turn, .. } = *position;
            (tops, straight, diagonal, towers, turn, position.board())
        };
        board(self) == board(other)
    }

    /// Where this side's colour is on top, fixed towers included.
    pub(crate) fn tops(&self, side: Side) -> SquareSet {
        self.tops[side]
    }

    pub(crate) fn occupied(&self) -> SquareSet {
        self.tops.black | self.tops.white
    }

    /// Where a square or a cross is on top.
    pub(crate) fn straight(&self) -> SquareSet {
        self.straight
    }

    /// Where a circle or a cross is on top.
    pub(crate) fn diagonal(&self) -> SquareSet {
        self.diagonal
    }

    /// The fixed towers of both sides.
    pub(crate) fn fixed(&self) -> SquareSet {
        self.fixed
    }

    /// Where two or more pieces stand, fixed towers included.
    pub(crate) fn tall(&self) -> SquareSet {
        self.towers.squares()
    }

    /// What stands on a square, the empty tower if nothing does.
    pub(crate) fn tower(&self, square: Square) -> Tower {
        if self.towers.squares().contains(square) { self.towers.get(square) } else { self.single(square) }
    }

    /// How many squares far what stands here goes, while nothing is in its way.
    pub(crate) fn reach(&self, square: Square) -> u32 {
        if self.board().power_squares().contains(square) {
            self.board().longest_line()
        } else {
            self.tower(square).height()
        }
    }

    /// Pieces of both colours outside fixed towers.
    pub(crate) fn loose(&self) -> u32 {
        u32::from(self.loose)
    }

    pub(crate) fn fixed_towers(&self, side: Side) -> u32 {
        (self.fixed & self.tops[side]).len()
    }

    /// All pieces in towers and singles with this side's colour on top.
    pub(crate) fn controlled(&self, side: Side) -> u32 {
        let in_towers: u32 = (self.tops[side] & self.tall()).map(|square| self.tower(square).height()).sum();
        in_towers + (self.tops[side] & !self.tall()).len()
    }

    /// Puts a tower on an empty square.
    pub(super) fn put(&mut self, square: Square, tower: Tower) {
        let bit = square.set();
        self.tops[tower.owner()] |= bit;
        if tower.moves_straight() {
            self.straight |= bit;
        }
        if tower.moves_diagonally() {
            self.diagonal |= bit;
        }
        if 1 < tower.height() {
            self.towers.insert(square, tower);
        }
        if tower.is_fixed() {
            self.fixed |= bit;
        } else {
            self.loose += tower.height() as u8;
        }
        self.key ^= tower_key(square, tower);
    }

    /// Takes what stands on a square, which is no fixed tower, off the board.
    fn lift(&mut self, square: Square) -> Tower {
        let bit = square.set();
        let tower =
            if self.tall().contains(square) { self.towers.remove(square) } else { self.single(square) };
        self.tops.black &= !bit;
        self.tops.white &= !bit;
        self.straight &= !bit;
        self.diagonal &= !bit;
        self.loose -= tower.height() as u8;
        self.key ^= tower_key(square, tower);
        tower
    }

    /// Moves what stands on `from` on top of what stands on `to`, if anything, and passes the turn on.
    pub(super) fn advance(&mut self, from: Square, to: Square) {
        let mover = self.lift(from);
        if self.occupied().contains(to) {
            let taken = self.lift(to);
            self.put(to, taken.under(mover));
            self.quiet = 0;
        } else {
            self.put(to, mover);
            self.quiet += 1;
        }
        self.turn = !self.turn;
        self.key ^= WHITE_TO_MOVE;
    }

    /// The single piece on a square, read from the sets.
    fn single(&self, square: Square) -> Tower {
        let (straight, diagonal) = (self.straight.contains(square), self.diagonal.contains(square));
        let shape = match (straight, diagonal) {
            (true, true) => Shape::Cross,
            (true, false) => Shape::Square,
            (false, true) => Shape::Circle,
            (false, false) => return Tower::EMPTY,
        };
        let side = if self.tops.white.contains(square) { Side::White } else { Side::Black };
        Tower::single(Piece { side, shape })
    }
}

const FRAME: [u64; 4] = zobrist::keys(0x5155_414e_5455_4d31);
const WHITE_TO_MOVE: u64 = FRAME[3];

/// The key of an empty board: a table shared by all boards must not take one for another.
fn frame_key(board: Board, turn: Side) -> u64 {
    let board = FRAME[board as usize];
    if turn == Side::White { board ^ WHITE_TO_MOVE } else { board }
}

fn tower_key(square: Square, tower: Tower) -> u64 {
    zobrist::mix(u64::from(square.index()) << 32 | u64::from(tower.code()))
}
