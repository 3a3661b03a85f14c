use crate::rules::{
    self, Action, BySide, Geometry, MoveView, Point, PointView, Region, RegionKind, Score, Shade, Side, Taken,
};

use super::{AREAS, CENTRES, Cell, GAPS, Move, PLAYABLE, QuantumControl, board::rows};

/// The height of an equilateral triangle of side 1.
const ROW_HEIGHT: f32 = 0.866_025_4;

/// The board for drawing: rows are horizontal, `a` is the nearest to the reader.
pub(super) fn geometry() -> Geometry {
    let areas = AREAS.iter().zip(CENTRES).map(|(area, centre)| Region {
        kind: RegionKind::Area,
        name: centre.name(),
        points: area.names(),
    });
    let gaps = Region { kind: RegionKind::Gaps, name: "gaps", points: GAPS.names() };
    Geometry {
        points: rows().flatten().map(point).collect(),
        regions: areas.chain([gaps]).collect(),
        circuits: Vec::new(),
    }
}

fn point(cell: Cell) -> PointView {
    let (row, number) = cell.coordinates();
    let mut neighbours: Vec<Point> = cell.neighbours().map(Cell::name).collect();
    neighbours.sort_unstable();
    PointView {
        name: cell.name(),
        x: f32::from(number) - f32::from(row - 4) / 2.0,
        y: f32::from(8 - row) * ROW_HEIGHT,
        playable: PLAYABLE.contains(cell),
        shade: Shade::Plain,
        neighbours,
    }
}

pub(super) fn cells(position: &QuantumControl) -> Vec<rules::Cell> {
    let stone = |cell: Cell| {
        let owner = position.owner(cell)?;
        let pieces = owner.letter().to_string();
        Some(rules::Cell { point: cell.name(), owner, count: 1, pieces, fixed: false })
    };
    rows().flatten().filter_map(stone).collect()
}

pub(super) fn scores(position: &QuantumControl) -> Vec<Score> {
    let [black, white] = Side::BOTH.map(|side| position.stones(side).len());
    vec![
        Score { name: "areas", points: position.areas() },
        Score { name: "stones", points: BySide { black, white } },
    ]
}

pub(super) fn describe(position: &QuantumControl, mv: Move) -> MoveView {
    let text = mv.to_string();
    match mv {
        Move::Place(cell) => MoveView::plain(text, Action::Place, vec![cell.name()], 1),
        Move::PlacePair(a, b) => MoveView::plain(text, Action::Place, vec![a.name(), b.name()], 2),
        Move::Capture { from, to } => MoveView {
            captures: vec![stone_of(!position.side, to)],
            ..MoveView::plain(text, Action::Capture, vec![from.name(), to.name()], 1)
        },
        Move::Pass => MoveView::plain(text, Action::Pass, Vec::new(), 0),
    }
}

fn stone_of(owner: Side, cell: Cell) -> Taken {
    Taken { point: cell.name(), owner, count: 1, pieces: owner.letter().to_string() }
}
