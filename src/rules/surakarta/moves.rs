use std::fmt;

use super::{board::Square, route::Route};

/// One turn: a piece goes from a point to another one, for a capture by a route.
///
/// Captures of one pair of points by different routes are different moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    from: Square,
    to: Square,
    route: Option<Route>,
}

impl Move {
    pub(super) fn quiet(from: Square, to: Square) -> Move {
        Move { from, to, route: None }
    }

    pub(super) fn capture(from: Square, to: Square, route: Route) -> Move {
        Move { from, to, route: Some(route) }
    }

    pub fn from(self) -> Square {
        self.from
    }

    pub fn to(self) -> Square {
        self.to
    }

    /// The arcs that a capture travels; `None` for a quiet move.
    pub fn route(self) -> Option<Route> {
        self.route
    }

    pub fn is_capture(self) -> bool {
        self.route.is_some()
    }
}

/// The canonical text.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.route {
            None => write!(f, "{}-{}", self.from, self.to),
            Some(route) => write!(f, "{}x{}[{route}]", self.from, self.to),
        }
    }
}
