use super::Side;

/// The name of a point, cell or square of a board, such as `e5`.
pub type Point = &'static str;

/// The name of an arc of a circuit, such as `bottom-left`.
pub type Arc = &'static str;

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Puts one new piece on each of its points.
    Place,
    /// Goes to an empty point.
    Step,
    /// Goes to a point that enemies held.
    Capture,
    /// Goes to a point that own pieces hold, and joins them.
    Merge,
    /// King and rook move together.
    Castle,
    Pass,
}

/// Pieces that a move removes from their owner, or joins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Taken {
    pub point: Point,
    pub owner: Side,
    /// How many pieces or quanta stood there.
    pub count: u32,
    /// What stood there in the letters of position texts, from the bottom up.
    pub pieces: String,
}

/// A legal move with all that a board or a log shows of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MoveView {
    /// The canonical text.
    pub text: String,
    pub action: Action,
    /// The points that a player selects to put the move together, in the order of selecting: the
    /// placed points (any order), or from and to. Empty for a pass.
    pub points: Vec<Point>,
    /// How many pieces or quanta move (or are placed). 0 for a pass.
    pub count: u32,
    /// What the move captures, or in a game of towers converts. At most one point in these games.
    pub captures: Vec<Taken>,
    /// Own pieces that the move joins.
    pub merges: Vec<Taken>,
    /// The arcs that a capture travels, in order.
    pub arcs: Vec<Arc>,
    /// Every point that the piece touches, the first and the last included, where it does not
    /// simply go straight from the one to the other. Else empty.
    pub route: Vec<Point>,
    /// Other texts for the same pair of points, by other routes, in byte order.
    pub other_texts: Vec<String>,
}

impl MoveView {
    /// A move with nothing captured, merged or travelled.
    pub fn plain(text: String, action: Action, points: Vec<Point>, count: u32) -> MoveView {
        MoveView {
            text,
            action,
            points,
            count,
            captures: Vec::new(),
            merges: Vec::new(),
            arcs: Vec::new(),
            route: Vec::new(),
            other_texts: Vec::new(),
        }
    }

    /// Whether a player who has selected these points so far can still mean this move.
    pub fn goes_on_from<P: AsRef<str>>(&self, selected: &[P]) -> bool {
        if self.action == Action::Place {
            let placed = |point: &P| self.points.contains(&point.as_ref());
            return selected.len() <= self.points.len() && selected.iter().all(placed);
        }
        selected.len() <= self.points.len()
            && selected.iter().zip(&self.points).all(|(a, b)| a.as_ref() == *b)
    }
}
