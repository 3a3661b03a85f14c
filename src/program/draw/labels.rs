use std::collections::BTreeMap;

use super::{
    canvas::{Canvas, Place},
    layout::{Layout, RING},
    palette::FAINT,
};
use crate::api::proto::Board;

/// Writes the letter and the number of each line of points at its end: at the left of a row, else
/// below the lowest point, one step further on.
pub(super) fn write(canvas: &mut Canvas, board: &Board, layout: &Layout) {
    for (label, places) in lines(board, layout) {
        if let Some(place) = label_place(places, layout) {
            canvas.write(place, label, Some(FAINT), false);
        }
    }
}

/// The places of the points that share a letter or a number.
fn lines<'a>(board: &'a Board, layout: &Layout) -> BTreeMap<&'a str, Vec<Place>> {
    let mut lines: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
    for point in &board.points {
        let digits = point.name.find(|sign: char| sign.is_ascii_digit());
        let Some((letter, number)) = digits.and_then(|at| point.name.split_at_checked(at)) else { continue };
        for label in [letter, number] {
            lines.entry(label).or_default().extend(layout.place(&point.name));
        }
    }
    lines
}

fn label_place(mut places: Vec<Place>, layout: &Layout) -> Option<Place> {
    places.sort_by_key(|&(column, line)| (usize::MAX - line, column));
    let (&end, &next) = (places.first()?, places.get(1)?);
    if end.1 == next.1 {
        let column = end.0.checked_sub(layout.rings * RING + layout.step)?;
        return Some((column, end.1));
    }
    let column = (2 * end.0).checked_sub(next.0)?;
    Some((column, end.1 + layout.pitch.max(layout.rings + 1)))
}
