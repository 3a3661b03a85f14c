use crate::api::proto::{Game, Move};

/// What a player has in hand: nothing, the beginning of a move, or something to be sent or dropped.
#[derive(Clone, Debug)]
pub(super) enum Hand {
    /// Points selected so far, and the moves that go on from them.
    Selecting {
        points: Vec<String>,
        moves: Vec<Move>,
    },
    /// A legal move, and the game as it would be after it.
    Move {
        mv: Box<Move>,
        after: Box<Game>,
    },
    Resignation,
}

impl Hand {
    pub(super) const fn empty() -> Hand {
        Hand::Selecting { points: Vec::new(), moves: Vec::new() }
    }

    /// The selected points.
    pub(super) fn selected(&self) -> &[String] {
        match self {
            Hand::Selecting { points, .. } => points,
            Hand::Move { .. } | Hand::Resignation => &[],
        }
    }

    /// The selection after these points are selected too, or taken back if they were.
    pub(super) fn toggled(&self, points: &[String]) -> Vec<String> {
        let mut selected = self.selected().to_vec();
        for point in points {
            match selected.iter().position(|known| known == point) {
                Some(place) => drop(selected.remove(place)),
                None => selected.push(point.clone()),
            }
        }
        selected
    }

    /// The points that can be selected next.
    pub(super) fn targets(&self) -> Vec<String> {
        match self {
            Hand::Selecting { points, moves } => {
                let next = moves.iter().flat_map(|mv| &mv.points).filter(|point| !points.contains(point));
                next.cloned().collect()
            }
            Hand::Move { .. } | Hand::Resignation => Vec::new(),
        }
    }

    /// What the prompt says of it.
    pub(super) fn prompt(&self) -> String {
        match self {
            Hand::Selecting { points, .. } if points.is_empty() => String::new(),
            Hand::Selecting { points, .. } => format!(" [{}]", points.join(" ")),
            Hand::Move { mv, .. } => format!(" {{{}}}", mv.text),
            Hand::Resignation => " {resign}".to_owned(),
        }
    }
}
