use super::{
    board::Square,
    circuit::{LAP, Track},
    route::Corner,
};
use crate::rules::{Circuit, Geometry, PointView, Shade, TrackStep};

/// The board as it is drawn: rank 1 at the top, away from Black, who moves first.
pub(super) fn geometry() -> Geometry {
    Geometry {
        points: Square::all().map(point).collect(),
        regions: Vec::new(),
        circuits: Track::BOTH.map(circuit).into(),
    }
}

fn point(square: Square) -> PointView {
    let mut neighbours: Vec<_> = square.neighbours().map(Square::name).collect();
    neighbours.sort_unstable();
    PointView {
        name: square.name(),
        x: square.file().into(),
        y: square.rank().into(),
        playable: true,
        shade: Shade::Plain,
        neighbours,
    }
}

fn circuit(track: Track) -> Circuit {
    let step = |place: u32| TrackStep {
        point: track.at(place).name(),
        arc: (place % 6 == 5).then(|| Corner::ALL[place as usize / 6].name()),
    };
    Circuit { name: track.name(), steps: (0..LAP).map(step).collect() }
}
