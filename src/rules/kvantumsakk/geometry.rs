use super::{Square, rays, squares::Squares};
use crate::rules::{Geometry, PointView, Shade};

/// Every square in the order of position texts: from a8 along the rank and down to h1.
pub(super) fn squares() -> impl Iterator<Item = Square> {
    (0..8).rev().flat_map(|rank| (0..8).map(move |file| Square::at(file, rank)))
}

pub(super) fn board() -> Geometry {
    Geometry { points: squares().map(point).collect(), ..Geometry::default() }
}

fn point(square: Square) -> PointView {
    let mut neighbours: Vec<_> = rays::king(Squares::of(square)).map(Square::name).collect();
    neighbours.sort_unstable();
    let dark = (square.file() + square.rank()).is_multiple_of(2);
    PointView {
        name: square.name(),
        x: f32::from(square.file()),
        y: f32::from(7 - square.rank()),
        playable: true,
        shade: if dark { Shade::Dark } else { Shade::Light },
        neighbours,
    }
}
