use super::Board;
use crate::rules::{Cell, Score};

/// What there is to see of a board: what callers are told of every version.
#[derive(Debug)]
pub struct Shown {
    /// The position text.
    pub position: String,
    /// What stands where, in the order of the board's geometry.
    pub cells: Vec<Cell>,
    pub scores: Vec<Score>,
}

impl Shown {
    pub(super) fn of(board: &dyn Board) -> Shown {
        Shown { position: board.position(), cells: board.cells(), scores: board.scores() }
    }
}
