use std::sync::Arc;

use super::{Digest, Ending, Event, Game};
use crate::rules::{Cell, MoveView, Point, Score, Side};

/// An event as readers get it: with all that it made of the game.
#[derive(Clone, Debug)]
pub struct Told {
    /// The name of the game's type.
    pub game_type: String,
    pub event: Event,
    pub digest: Digest,
    /// The move and who made it, for an event that is one.
    pub mv: Option<Arc<(Side, MoveView)>>,
    /// The position text that the game started from, for its creation.
    pub initial_position: Option<String>,
    pub position: String,
    pub to_move: Option<Side>,
    pub phase: &'static str,
    /// The points that changed, with what stands there now.
    pub changes: Vec<(Point, Option<Cell>)>,
    pub scores: Vec<Score>,
    pub passes: u32,
    /// How the game ended, if this event ended it.
    pub ending: Option<Ending>,
}

impl Told {
    /// Tells the event that led from `before` to `after`; the creation leads from nothing.
    pub fn new(event: Event, before: Option<&Game>, after: &Game) -> Told {
        let moved = matches!(event.body, super::Body::Moved { .. });
        Told {
            game_type: after.creation().game_type.clone(),
            event,
            digest: after.digest(),
            mv: if moved { after.last_move().cloned() } else { None },
            initial_position: before.is_none().then(|| after.origin().position.clone()),
            position: after.shown().position.clone(),
            to_move: after.to_move(),
            phase: after.board().phase(),
            changes: changes(before, after),
            scores: after.shown().scores.clone(),
            passes: after.board().passes(),
            ending: after.ending().cloned(),
        }
    }
}

/// The points whose cells differ, in byte order. Both boards list their cells in one order.
fn changes(before: Option<&Game>, after: &Game) -> Vec<(Point, Option<Cell>)> {
    let old = before.map_or(&[][..], |game| &game.shown().cells);
    let mut rest = &after.shown().cells[..];
    let mut changes = Vec::new();
    let now = |cell: &Cell| (cell.point, Some(cell.clone()));
    for was in old {
        match rest.iter().position(|cell| cell.point == was.point) {
            Some(place) => {
                changes.extend(rest[..place].iter().map(now));
                changes.extend(Some(&rest[place]).filter(|cell| *cell != was).map(now));
                rest = &rest[place + 1..];
            }
            None => changes.push((was.point, None)),
        }
    }
    changes.extend(rest.iter().map(now));
    changes.sort_by_key(|(point, _)| *point);
    changes
}
