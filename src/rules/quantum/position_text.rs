use super::{
    Board, Piece, Quantum, QuantumOptions, Shape, Square, Tower, position::FIXED_TO_WIN, tower::MAX_HEIGHT,
};
use crate::rules::{PositionError, Side};

type Standing = (Square, Tower);

impl Quantum {
    /// `ROWS TURN QUIET`, as the game's page says.
    pub(super) fn write_text(&self) -> String {
        let ranks = (0..self.board().ranks()).rev();
        let rows: Vec<String> = ranks.map(|rank| self.write_rank(rank)).collect();
        format!("{} {} {}", rows.join("/"), self.turn().letter(), self.quiet())
    }

    fn write_rank(&self, rank: u8) -> String {
        let files = self.board().files();
        let mut items = Vec::new();
        let mut file = 0;
        while file < files {
            let square = |file| Square::at(file, rank);
            let run = (file..files).take_while(|&file| self.tower(square(file)).is_empty()).count() as u8;
            if run == 0 {
                items.push(self.tower(square(file)).to_string());
            } else {
                items.push(run.to_string());
            }
            file += run.max(1);
        }
        items.join(",")
    }

    pub(super) fn read_text(text: &str, options: QuantumOptions) -> Result<Quantum, PositionError> {
        let fields: Vec<&str> = text.split(' ').collect();
        let &[rows, turn, quiet] = fields.as_slice() else {
            let found = fields.len();
            let expected = format!("three fields ROWS TURN QUIET with one space between them, not {found}");
            return Err(PositionError::new("position", expected));
        };
        let standing = read_rows(rows, options.board)?;
        check_supply(&standing)?;
        check_fixed(&standing)?;
        let mut position = Quantum::empty(options, read_turn(turn)?, read_quiet(quiet, options)?);
        for (square, tower) in standing {
            position.put(square, tower);
        }
        Ok(position)
    }
}

fn read_rows(rows: &str, board: Board) -> Result<Vec<Standing>, PositionError> {
    let found = rows.split('/').count();
    if found != usize::from(board.ranks()) {
        return Err(rows_error(format!("{}, joined by /, not {found} ranks", size(board))));
    }
    let mut standing = Vec::new();
    for (rank, row) in (0..board.ranks()).rev().zip(rows.split('/')) {
        read_rank(row, rank, board, &mut standing)?;
    }
    Ok(standing)
}

fn read_rank(row: &str, rank: u8, board: Board, standing: &mut Vec<Standing>) -> Result<(), PositionError> {
    let mut file = 0;
    let mut after_run = false;
    for item in row.split(',') {
        let run = read_run(item, rank, board)?;
        if run.is_some() && after_run {
            return Err(rank_error(rank, "one number for a whole run of empty squares, not two in a row"));
        }
        if board.files() - file < run.unwrap_or(1) {
            return Err(rank_error(rank, format!("no more squares than {} has", size(board))));
        }
        if run.is_none() {
            standing.push((Square::at(file, rank), read_tower(item, rank)?));
        }
        file += run.unwrap_or(1);
        after_run = run.is_some();
    }
    if file < board.files() {
        return Err(rank_error(rank, format!("as many squares as {} has, not {file}", size(board))));
    }
    Ok(())
}

/// The length of a run of empty squares, or nothing where the item is a tower.
fn read_run(item: &str, rank: u8, board: Board) -> Result<Option<u8>, PositionError> {
    if !item.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(None);
    }
    match read_number(item) {
        Some(run) if (1..=u32::from(board.files())).contains(&run) => Ok(Some(run as u8)),
        _ => {
            let most = board.files();
            Err(rank_error(rank, format!("a number of empty squares from 1 to {most} without leading zeros")))
        }
    }
}

fn read_tower(item: &str, rank: u8) -> Result<Tower, PositionError> {
    let found = item.chars().count();
    if !(1..=MAX_HEIGHT).contains(&found) {
        return Err(rank_error(rank, format!("towers of 1 to {MAX_HEIGHT} pieces, not of {found}")));
    }
    let piece = |letter| {
        let expected = || format!("numbers of empty squares and towers in S C X s c x, not {letter:?}");
        Piece::from_letter(letter).ok_or_else(|| rank_error(rank, expected()))
    };
    Ok(Tower::of(item.chars().map(piece).collect::<Result<Vec<Piece>, _>>()?))
}

/// Nobody has more pieces of a shape than at the start.
fn check_supply(standing: &[Standing]) -> Result<(), PositionError> {
    for side in Side::BOTH {
        for shape in Shape::ALL {
            let pieces = standing.iter().flat_map(|(_, tower)| tower.pieces());
            let found = pieces.filter(|&piece| piece == Piece { side, shape }).count();
            if shape.supply() < found {
                let (most, letter) = (shape.supply(), Piece { side, shape }.letter());
                return Err(rows_error(format!("at most {most} pieces {letter} in all towers, not {found}")));
            }
        }
    }
    Ok(())
}

/// Three fixed towers would have won.
fn check_fixed(standing: &[Standing]) -> Result<(), PositionError> {
    for side in Side::BOTH {
        let fixed = standing.iter().filter(|(_, tower)| tower.is_fixed() && tower.owner() == side).count();
        if FIXED_TO_WIN as usize <= fixed {
            return Err(rows_error(format!("at most two fixed towers of {side}, not {fixed}")));
        }
    }
    Ok(())
}

fn read_turn(turn: &str) -> Result<Side, PositionError> {
    let mut letters = turn.chars();
    match (letters.next().and_then(Side::from_letter), letters.next()) {
        (Some(side), None) => Ok(side),
        _ => Err(PositionError::new("turn", "w or b, whose turn it is")),
    }
}

fn read_quiet(quiet: &str, options: QuantumOptions) -> Result<u32, PositionError> {
    let limit = u32::from(options.move_limit);
    let expected = || format!("the moves since the last capture, a whole number from 0 to {}", limit - 1);
    let number = read_number(quiet).filter(|&number| number < limit);
    number.ok_or_else(|| PositionError::new("quiet", expected()))
}

/// A whole number in its only canonical form.
fn read_number(text: &str) -> Option<u32> {
    let number = text.parse::<u32>().ok()?;
    (number.to_string() == text).then_some(number)
}

fn size(board: Board) -> String {
    format!("the {} board of {} ranks with {} squares each", board.name(), board.ranks(), board.files())
}

fn rows_error(expected: String) -> PositionError {
    PositionError::new("rows", expected)
}

fn rank_error(rank: u8, expected: impl Into<String>) -> PositionError {
    rows_error(format!("in rank {}: {}", rank + 1, expected.into()))
}
