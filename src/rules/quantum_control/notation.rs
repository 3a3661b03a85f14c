use std::fmt;

use crate::rules::{BySide, MoveError, PositionError, Side};

use super::{Cell, CellSet, Move, PLAYABLE, Phase, QuantumControl, board::rows};

/// A text that has the form of a move, legal or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    One(Cell),
    Two(Cell, Cell),
    Jump { from: Cell, to: Cell },
    Pass,
}

/// Reads the form of a move. White space around it and upper-case row letters are taken.
pub(super) fn read_move(text: &str) -> Result<Form, MoveError> {
    let text = text.trim();
    let form = if text == "pass" {
        Some(Form::Pass)
    } else if let Some((a, b)) = text.split_once('+') {
        read_cell(a).zip(read_cell(b)).map(|(a, b)| Form::Two(a, b))
    } else if let Some((from, to)) = text.split_once('x') {
        read_cell(from).zip(read_cell(to)).map(|(from, to)| Form::Jump { from, to })
    } else {
        read_cell(text).map(Form::One)
    };
    form.ok_or_else(|| {
        MoveError::malformed(
            "a stone such as e5, two stones such as a1+e5, a capture such as e5xh8, or pass, \
             with cells from a1 to i9 that are on the board",
        )
    })
}

fn read_cell(name: &str) -> Option<Cell> {
    Cell::named(&name.to_ascii_lowercase())
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(cell) => write!(f, "{cell}"),
            Move::PlacePair(a, b) => write!(f, "{a}+{b}"),
            Move::Capture { from, to } => write!(f, "{from}x{to}"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

pub(super) fn write_position(position: &QuantumControl) -> String {
    let letter = |cell: Cell| match position.owner(cell) {
        Some(side) => side.letter(),
        None if PLAYABLE.contains(cell) => '.',
        None => '-',
    };
    let rows: Vec<String> = rows().map(|row| row.map(letter).collect()).collect();
    let phase = match position.part() {
        Phase::Placement => 'p',
        Phase::Capture => 'c',
    };
    let last = position.last_capturer().map_or('-', Side::letter);
    format!("{} {} {phase} {} {last}", rows.join("/"), position.side.letter(), position.passes)
}

pub(super) fn read_position(text: &str) -> Result<QuantumControl, PositionError> {
    let fields: Vec<&str> = text.split(' ').collect();
    let &[rows, turn, phase, passes, last] = fields.as_slice() else {
        return Err(PositionError::new(
            "position",
            format!("five fields ROWS TURN PHASE PASSES LAST, one space between them, not {}", fields.len()),
        ));
    };
    let stones = read_rows(rows)?;
    let side = read_side(turn).ok_or_else(|| PositionError::new("turn", "b or w"))?;
    let phase = match phase {
        "p" => Phase::Placement,
        "c" => Phase::Capture,
        _ => return Err(PositionError::new("phase", "p or c")),
    };
    let passes = match passes {
        "0" => 0,
        "1" => 1,
        _ => return Err(PositionError::new("passes", "0 or 1")),
    };
    let last = match last {
        "-" => None,
        _ => Some(read_side(last).ok_or_else(|| PositionError::new("last", "b, w or -"))?),
    };
    match phase {
        Phase::Placement => check_placement(&stones, side, passes, last)?,
        Phase::Capture => check_capture(&stones, last)?,
    }
    Ok(QuantumControl::new(stones, side, passes, last))
}

fn read_side(text: &str) -> Option<Side> {
    Side::from_letter(text.parse().ok()?)
}

fn read_rows(text: &str) -> Result<BySide<CellSet>, PositionError> {
    let mut stones = BySide::<CellSet>::default();
    let mut texts = text.split('/');
    for (row, letter) in rows().zip(('a'..='i').rev()) {
        let Some(text) = texts.next() else {
            return Err(PositionError::new(
                "rows",
                format!("nine rows from i down to a; row {letter} is missing"),
            ));
        };
        read_row(letter, row.collect(), text, &mut stones)?;
    }
    match texts.next() {
        None => Ok(stones),
        Some(_) => Err(PositionError::new("rows", "nine rows from i down to a, not more")),
    }
}

fn read_row(
    letter: char,
    row: Vec<Cell>,
    text: &str,
    stones: &mut BySide<CellSet>,
) -> Result<(), PositionError> {
    let found = text.chars().count();
    if found != row.len() {
        let expected = format!("{} cells in row {letter}, not {found}", row.len());
        return Err(PositionError::new("rows", expected));
    }
    for (cell, found) in row.into_iter().zip(text.chars()) {
        let playable = PLAYABLE.contains(cell);
        match (found, Side::from_letter(found)) {
            (_, Some(side)) if playable => stones[side].insert(cell),
            ('.', _) if playable => (),
            ('-', _) if !playable => (),
            _ => {
                let expected = if playable { "b, w or . on" } else { "- on the gap" };
                return Err(PositionError::new("rows", format!("{expected} {cell}, not {found:?}")));
            }
        }
    }
    Ok(())
}

fn check_placement(
    stones: &BySide<CellSet>,
    side: Side,
    passes: u8,
    last: Option<Side>,
) -> Result<(), PositionError> {
    let (black, white) = (stones.black.len(), stones.white.len());
    if black + white == PLAYABLE.len() {
        return Err(PositionError::new("phase", "c on a full board, on which placement is over"));
    }
    let to_move = side_in_placement(black, white).ok_or_else(|| {
        let expected = "counts of stones that fit the order of placement";
        PositionError::new("rows", format!("{expected}, not {black} black and {white} white"))
    })?;
    if side != to_move {
        let expected = format!("{} after {black} black and {white} white stones", to_move.letter());
        return Err(PositionError::new("turn", expected));
    }
    if passes != 0 {
        return Err(PositionError::new("passes", "0 in placement, which has no passing"));
    }
    match last {
        None => Ok(()),
        Some(_) => Err(PositionError::new("last", "- in placement, which has no captures")),
    }
}

/// Whose turn it is after so many stones, if placement comes by them: Black one, White two, Black
/// two, and so on.
fn side_in_placement(black: u32, white: u32) -> Option<Side> {
    match (black, white) {
        (0, 0) => Some(Side::Black),
        _ if black.is_multiple_of(2) => None,
        _ if white + 1 == black => Some(Side::White),
        _ if white == black + 1 => Some(Side::Black),
        _ => None,
    }
}

fn check_capture(stones: &BySide<CellSet>, last: Option<Side>) -> Result<(), PositionError> {
    let (black, white) = (stones.black.len(), stones.white.len());
    if 25 < black || 24 < white {
        let expected = format!("at most 25 black and 24 white stones, not {black} and {white}");
        return Err(PositionError::new("rows", expected));
    }
    let full = black + white == PLAYABLE.len();
    match (full, last) {
        (true, Some(_)) => Err(PositionError::new("last", "- on a full board, on which nobody has captured")),
        (false, None) => Err(PositionError::new("last", "b or w once a stone has been captured")),
        _ => Ok(()),
    }
}
