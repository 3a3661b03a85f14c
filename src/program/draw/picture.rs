use std::collections::HashMap;

use super::{
    Marks, Medium,
    canvas::{Canvas, Place},
    labels,
    layout::{Layout, RING},
    marks::Mark,
    palette::{self, Colour},
    symbol, tints, tracks,
};
use crate::api::proto::{Board, Cell, Point};

/// Draws what stands on a board, with its marks, as lines of text.
pub(crate) fn picture(board: &Board, cells: &[Cell], marks: &Marks, medium: Medium) -> String {
    let layout = Layout::new(board, symbol::widest(cells, medium), medium);
    let mut canvas = layout.canvas();
    labels::write(&mut canvas, board, &layout);
    if !board.circuits.is_empty() {
        wood(&mut canvas, board, &layout);
        tracks::draw(&mut canvas, board, &layout);
    }
    let pen = Pen { layout: &layout, tints: tints::tints(board), medium };
    let standing: HashMap<&str, &Cell> = cells.iter().map(|cell| (cell.point.as_str(), cell)).collect();
    for point in &board.points {
        pen.draw(&mut canvas, point, standing.get(point.name.as_str()).copied(), marks.of(&point.name));
    }
    canvas.render(medium)
}

/// Lays a ground under a board of lines, arcs included.
fn wood(canvas: &mut Canvas, board: &Board, layout: &Layout) {
    let places: Vec<Place> = board.points.iter().filter_map(|point| layout.place(&point.name)).collect();
    let (Some(&first), Some(&last)) = (places.iter().min(), places.iter().max()) else { return };
    let (across, up) = (layout.rings * RING + 1, layout.rings);
    let columns = first.0.saturating_sub(across)..last.0 + across + 1;
    canvas.fill(columns, 2 * first.1.saturating_sub(up)..2 * (last.1 + up + 1), palette::WOOD);
}

/// Draws points.
struct Pen<'a> {
    layout: &'a Layout,
    tints: HashMap<&'a str, Colour>,
    medium: Medium,
}

impl Pen<'_> {
    fn draw(&self, canvas: &mut Canvas, point: &Point, cell: Option<&Cell>, mark: Option<Mark>) {
        let Some(place) = self.layout.place(&point.name) else { return };
        if let Some(ground) = self.ground(point, cell, mark) {
            self.fill(canvas, place, ground);
        }
        let sign = match cell {
            Some(cell) => symbol::symbol(cell, self.medium),
            None => self.empty_sign(point, mark).to_owned(),
        };
        let ink = match cell {
            Some(cell) => symbol::ink(cell.owner()),
            None if mark == Some(Mark::Target) => palette::TARGET_SIGN,
            None if point.playable => palette::EMPTY,
            None => palette::GAP,
        };
        let start = place.0 - sign.chars().count() / 2;
        if !sign.is_empty() {
            canvas.write((start, place.1), &sign, Some(ink), cell.is_some());
        }
        if let (Medium::Plain, Some(mark)) = (self.medium, mark) {
            let [open, close] = mark.brackets();
            canvas.write((start - 1, place.1), open, None, false);
            canvas.write((start + sign.chars().count().max(1), place.1), close, None, false);
        }
    }

    /// The ground of a point: an empty one that can be gone to keeps its own and shows a sign.
    fn ground(&self, point: &Point, cell: Option<&Cell>, mark: Option<Mark>) -> Option<Colour> {
        let own = self.tints.get(point.name.as_str()).copied();
        match (mark, cell) {
            (Some(Mark::Target), None) => own,
            (Some(mark), _) => Some(mark.ground()),
            (None, Some(cell)) if cell.fixed => Some(palette::FIXED),
            (None, _) => own,
        }
    }

    /// Colours the square of a point, or on a board of lines what is just around it.
    fn fill(&self, canvas: &mut Canvas, (column, line): Place, ground: Colour) {
        if self.layout.rings != 0 {
            return canvas.fill(column - 1..column + 2, 2 * line..2 * line + 2, ground);
        }
        let left = column - self.layout.step / 2;
        let above = (2 * line + 1).saturating_sub(self.layout.pitch);
        canvas.fill(left..left + self.layout.step, above..2 * line + 1 + self.layout.pitch, ground);
    }

    /// What is written on an empty point. On a board of lines their crossing is enough.
    fn empty_sign(&self, point: &Point, mark: Option<Mark>) -> &'static str {
        let lines = self.layout.rings != 0;
        match (self.medium, point.playable) {
            (Medium::Colour, true) if mark == Some(Mark::Target) => "•",
            _ if lines => "",
            (Medium::Colour, _) => "·",
            (Medium::Plain, true) if self.tints.get(point.name.as_str()) == Some(&palette::POWER) => "*",
            (Medium::Plain, true) => ".",
            (Medium::Plain, false) => "-",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::proto::{Region, RegionKind, Side};

    /// A board of three squares in a row above two, set off by half a step as on a hexagon.
    fn hexagon() -> Board {
        let point = |name: &str, x: f32, y: f32| Point {
            name: name.to_owned(),
            x,
            y,
            playable: name != "a1",
            ..Point::default()
        };
        let points = vec![
            point("b1", 0.0, 0.0),
            point("b2", 1.0, 0.0),
            point("b3", 2.0, 0.0),
            point("a1", 0.5, 0.9),
            point("a2", 1.5, 0.9),
        ];
        let power = Region {
            kind: RegionKind::PowerSquares.into(),
            points: vec!["a2".to_owned()],
            ..Region::default()
        };
        Board { points, regions: vec![power], ..Board::default() }
    }

    fn cell(point: &str, owner: Side, pieces: &str, count: u32) -> Cell {
        let (point, pieces) = (point.to_owned(), pieces.to_owned());
        Cell { point, owner: owner.into(), pieces, count, ..Cell::default() }
    }

    fn marks() -> Marks {
        let one = |name: &str| vec![name.to_owned()];
        Marks { last: one("b1"), pending: one("b2"), targets: one("b3"), ..Marks::default() }
    }

    #[test]
    fn plain_pictures_are_letters_and_signs() {
        let cells = [cell("b1", Side::Black, "b", 1), cell("b2", Side::White, "w", 1)];
        let drawn = picture(&hexagon(), &cells, &marks(), Medium::Plain);
        assert_eq!(drawn, " b  (b) {w} <.>\n   a   -   *\n         1   2\n");
    }

    #[test]
    fn stacks_and_towers_show_how_high_they_are() {
        let stacks = [cell("b1", Side::Black, "b12", 12), cell("b2", Side::White, "w8", 8)];
        let drawn = picture(&hexagon(), &stacks, &Marks::default(), Medium::Plain);
        assert!(drawn.contains("b12") && drawn.contains("w8"), "{drawn}");
        let towers = [cell("b1", Side::Black, "CSx", 3), cell("b2", Side::White, "S", 1)];
        let drawn = picture(&hexagon(), &towers, &Marks::default(), Medium::Plain);
        assert!(drawn.contains("3x") && drawn.contains('S') && !drawn.contains("1S"), "{drawn}");
    }

    #[test]
    fn colours_end_with_every_line() {
        let cells = [cell("b1", Side::Black, "b", 1)];
        let drawn = picture(&hexagon(), &cells, &marks(), Medium::Colour);
        assert!(drawn.contains('●') && drawn.contains('▄') && drawn.contains('▀'), "{drawn}");
        for line in drawn.lines().filter(|line| line.contains('\x1b')) {
            assert!(line.ends_with("\x1b[0m"), "{line:?}");
        }
    }
}
