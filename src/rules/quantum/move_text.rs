use super::{Move, Quantum, Square};
use crate::rules::MoveError;

/// A move as it is written: two squares, and whether it says that it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WrittenMove {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) takes: bool,
}

impl Quantum {
    /// Reads the form of a move, with white space around it and capital letters for files allowed.
    pub(super) fn read_form(&self, text: &str) -> Result<WrittenMove, MoveError> {
        let characters: Vec<char> = text.trim().chars().take(6).collect();
        let &[file, rank, sign, to_file, to_rank] = characters.as_slice() else {
            return Err(self.malformed());
        };
        let takes = match sign {
            '-' => false,
            'x' => true,
            _ => return Err(self.malformed()),
        };
        let square = |file: char, rank| self.board().square(file.to_ascii_lowercase(), rank);
        match (square(file, rank), square(to_file, to_rank)) {
            (Some(from), Some(to)) => Ok(WrittenMove { from, to, takes }),
            _ => Err(self.malformed()),
        }
    }

    fn malformed(&self) -> MoveError {
        let board = self.board();
        let last = Square::at(board.files() - 1, board.ranks() - 1).name();
        MoveError::malformed(format!(
            "two squares from a1 to {last} of the {} board with - between them, or x to take, \
             such as b2-b3 or b2xc3",
            board.name()
        ))
    }

    /// The canonical text of a move.
    pub(super) fn write_move(&self, mv: Move) -> String {
        let sign = if self.occupied().contains(mv.to) { 'x' } else { '-' };
        format!("{}{sign}{}", mv.from.name(), mv.to.name())
    }
}
