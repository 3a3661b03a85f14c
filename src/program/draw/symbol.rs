use super::{
    Medium,
    palette::{BLACK, Colour, WHITE},
};
use crate::api::proto::{Cell, Side};

/// The sign of a stone where sides have colours.
const STONE: &str = "●";

/// What is written on a point for what stands there: one to three characters.
///
/// A stone (`b`) is a disc or its letter. A stack of equal things (`w8`) is their number, with the
/// letter in front where there is no colour. A tower (`scS`) is its height and its top piece, which
/// by its case tells whose it is.
pub(super) fn symbol(cell: &Cell, medium: Medium) -> String {
    let mut letters = cell.pieces.chars();
    let first = letters.next().unwrap_or('?');
    let rest = letters.as_str();
    let is_stack = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    match medium {
        Medium::Colour if is_stack => rest.to_owned(),
        Medium::Plain if is_stack => cell.pieces.clone(),
        Medium::Colour if cell.pieces == "b" || cell.pieces == "w" => STONE.to_owned(),
        _ if cell.count <= 1 => first.to_string(),
        _ => format!("{}{}", cell.count, cell.pieces.chars().last().unwrap_or('?')),
    }
}

/// The most characters that a symbol of this board takes, now and later: boards of stones need one,
/// others grow stacks.
pub(super) fn widest(cells: &[Cell], medium: Medium) -> usize {
    let stones = cells.iter().all(|cell| cell.pieces == "b" || cell.pieces == "w");
    let numbers = cells.iter().all(|cell| cell.pieces.bytes().skip(1).any(|byte| byte.is_ascii_digit()));
    match medium {
        _ if stones => 1,
        Medium::Colour if numbers => 2,
        _ => 3,
    }
}

/// The ink of a side's pieces.
pub(super) fn ink(owner: Side) -> Colour {
    match owner {
        Side::White => WHITE,
        Side::Black | Side::Unspecified => BLACK,
    }
}
