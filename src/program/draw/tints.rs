use std::collections::HashMap;

use super::palette::{self, Colour};
use crate::api::proto::{Board, Point, Region, RegionKind, Shade};

/// The ground of every point that has one, by name.
pub(super) fn tints(board: &Board) -> HashMap<&str, Colour> {
    let mut tints = HashMap::new();
    let power = names(board, RegionKind::PowerSquares);
    let chequered = board
        .points
        .iter()
        .any(|point| point.shade() == Shade::Dark && !power.contains(&point.name.as_str()));
    if !board.circuits.is_empty() {
        return tints;
    }
    let playable = board.points.iter().filter(|point| point.playable);
    tints.extend(playable.map(|point| (point.name.as_str(), ground(point, chequered))));
    tints.extend(power.into_iter().map(|name| (name, palette::POWER)));
    tints.extend(area_tints(board));
    tints
}

fn names(board: &Board, kind: RegionKind) -> Vec<&str> {
    let regions = board.regions.iter().filter(|region| region.kind() == kind);
    regions.flat_map(|region| region.points.iter().map(String::as_str)).collect()
}

/// The ground of a square: by its shade, or by turns where the board has but one.
fn ground(point: &Point, chequered: bool) -> Colour {
    match (chequered, point.shade()) {
        (true, Shade::Dark) => palette::DARK,
        (true, _) => palette::LIGHT,
        (false, _) if (point.x + point.y).round() as i64 % 2 == 0 => palette::ONE,
        (false, _) => palette::OTHER,
    }
}

/// Gives each area the first colour that no neighbouring area before it has.
fn area_tints(board: &Board) -> Vec<(&str, Colour)> {
    let areas: Vec<&Region> =
        board.regions.iter().filter(|region| region.kind() == RegionKind::Area).collect();
    let mut given: Vec<Colour> = Vec::new();
    for area in &areas {
        let taken: Vec<Colour> = areas
            .iter()
            .zip(&given)
            .filter(|(other, _)| touch(board, area, other))
            .map(|(_, &tint)| tint)
            .collect();
        let free = palette::AREAS.into_iter().find(|tint| !taken.contains(tint));
        given.push(free.unwrap_or(palette::ONE));
    }
    let tinted = areas.into_iter().zip(given);
    tinted.flat_map(|(area, tint)| area.points.iter().map(move |name| (name.as_str(), tint))).collect()
}

/// Whether a point of one area is a neighbour of a point of the other.
fn touch(board: &Board, one: &Region, other: &Region) -> bool {
    let mine = board.points.iter().filter(|point| one.points.contains(&point.name));
    mine.flat_map(|point| &point.neighbours).any(|name| other.points.contains(name))
}
