use super::{Piece, Quantum, QuantumOptions, Shape, Square, Tower};
use crate::rules::Side;

use Shape::{Circle as C, Cross as X, Square as S};

/// What a player starts with on the eight central files, the back rank first. The printed diagram
/// of 1975 is lost: this is a reconstruction, and any other set-up is a position text.
const RANKS: [[Shape; 8]; 2] = [[S, C, S, X, X, S, C, S], [C, S, C, X, X, C, S, C]];

impl Quantum {
    /// The usual start. Black's pieces mirror White's.
    pub(super) fn set_up(options: QuantumOptions) -> Quantum {
        let board = options.board;
        let margin = (board.files() - 8) / 2;
        let mut position = Quantum::empty(options, Side::White, 0);
        for (rank, shapes) in (0..).zip(RANKS) {
            for (file, shape) in (margin..).zip(shapes) {
                let white = Square::at(file, rank);
                let black = Square::at(file, board.ranks() - 1 - rank);
                position.put(white, Tower::single(Piece { side: Side::White, shape }));
                position.put(black, Tower::single(Piece { side: Side::Black, shape }));
            }
        }
        position
    }
}
