use std::collections::HashMap;

use super::{
    Medium,
    canvas::{Canvas, Place},
};
use crate::api::proto::Board;

/// Where the points of a board are on the sheet.
pub(super) struct Layout {
    places: HashMap<String, Place>,
    /// Columns from a point to the next.
    pub(super) step: usize,
    /// Lines from a row to the next.
    pub(super) pitch: usize,
    /// How many rings of arcs lie around the points.
    pub(super) rings: usize,
    width: usize,
    height: usize,
}

/// Columns that a ring of arcs takes on each side; it takes one line.
pub(super) const RING: usize = 2;

/// Columns for the names of rows, and what they keep from the board.
const LABELS: usize = 3;

impl Layout {
    /// Lays out a board whose symbols take up to `widest` characters.
    pub(super) fn new(board: &Board, widest: usize, medium: Medium) -> Layout {
        let rings = board.circuits.len();
        let rows = rows(board);
        let step = step(board, widest, medium);
        let pitch = if medium == Medium::Colour || rings != 0 { 2 } else { 1 };
        let left = LABELS + rings * RING + step / 2;
        let top = rings.max(pitch - 1);
        let least = board.points.iter().map(|point| point.x).fold(f32::INFINITY, f32::min);
        let place = |x: f32, y: f32| {
            let column = ((x - least) * step as f32).round() as usize + left;
            let row = rows.iter().position(|&row| row == y).unwrap_or_default();
            (column, top + row * pitch)
        };
        let places: HashMap<String, Place> =
            board.points.iter().map(|point| (point.name.clone(), place(point.x, point.y))).collect();
        let right = places.values().map(|place| place.0).max().unwrap_or_default();
        let bottom = places.values().map(|place| place.1).max().unwrap_or_default();
        Layout {
            places,
            step,
            pitch,
            rings,
            width: right + 1 + step + rings * RING,
            height: bottom + 1 + pitch + rings,
        }
    }

    pub(super) fn canvas(&self) -> Canvas {
        Canvas::new(self.width, self.height)
    }

    /// The place of a point, unless the board has no such point.
    pub(super) fn place(&self, point: &str) -> Option<Place> {
        self.places.get(point).copied()
    }
}

/// The heights of all rows, from the top down.
fn rows(board: &Board) -> Vec<f32> {
    let mut rows: Vec<f32> = board.points.iter().map(|point| point.y).collect();
    rows.sort_by(f32::total_cmp);
    rows.dedup();
    rows
}

/// The columns from a point to the next: an even number where rows are set off by half a step.
fn step(board: &Board, widest: usize, medium: Medium) -> usize {
    let room = if medium == Medium::Colour { widest + 2 } else { widest + 3 };
    let halves = board.points.iter().any(|point| point.x.fract() != 0.0);
    let step = room.max(4);
    if halves { step.next_multiple_of(2) } else { step }
}
