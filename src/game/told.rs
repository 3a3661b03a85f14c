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
    pub mv: Option<(Side, MoveView)>,
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
            position: after.board().position(),
            to_move: after.to_move(),
            phase: after.board().phase(),
            changes: changes(before, after),
            scores: after.board().scores(),
            passes: after.board().passes(),
            ending: after.ending().cloned(),
        }
    }
}

fn changes(before: Option<&Game>, after: &Game) -> Vec<(Point, Option<Cell>)> {
    let old = before.map(|game| game.board().cells()).unwrap_or_default();
    let new = after.board().cells();
    let vacated = old.iter().filter(|cell| !new.iter().any(|now| now.point == cell.point));
    let mut changes: Vec<(Point, Option<Cell>)> = vacated.map(|cell| (cell.point, None)).collect();
    changes
        .extend(new.iter().filter(|cell| !old.contains(cell)).map(|cell| (cell.point, Some(cell.clone()))));
    changes.sort_by_key(|(point, _)| *point);
    changes
}
