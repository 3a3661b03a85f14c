use super::{
    board::{Square, SquareSet},
    circuit::{LAP, Track},
    route::{Corner, Route, Turn},
};

/// A way along a circuit, of fewer than [`LAP`] steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Travel {
    pub(super) track: Track,
    /// The place where it starts, below [`LAP`].
    start: u32,
    turn: Turn,
    pub(super) steps: u32,
}

impl Travel {
    /// A way of so many steps from a place below twice [`LAP`].
    pub(super) fn new(track: Track, start: u32, turn: Turn, steps: u32) -> Travel {
        Travel { track, start: start % LAP, turn, steps }
    }

    /// The ways from a point, each as far as the first piece that it meets: up to four. On a round
    /// that passes the point again, the piece that left it is not met.
    pub(super) fn all_from(from: Square, occupied: SquareSet) -> impl Iterator<Item = Travel> {
        Travel::starts(from).filter_map(move |start| start.extended(occupied))
    }

    fn starts(from: Square) -> impl Iterator<Item = Travel> {
        let places = move |track: Track| track.places_of(from).map(move |place| (track, place));
        let both_ways = |(track, place)| Turn::BOTH.map(|turn| Travel::new(track, place, turn, 0));
        Track::BOTH.into_iter().flat_map(places).flat_map(both_ways)
    }

    fn extended(self, occupied: SquareSet) -> Option<Travel> {
        let blockers = occupied & !SquareSet::from(self.from());
        (1..LAP).map(|steps| Travel { steps, ..self }).find(|travel| blockers.contains(travel.to()))
    }

    pub(super) fn from(self) -> Square {
        self.track.at(self.start)
    }

    pub(super) fn to(self) -> Square {
        match self.turn {
            Turn::Clockwise => self.track.at(self.start + self.steps),
            Turn::Anticlockwise => self.track.at(self.start + LAP - self.steps),
        }
    }

    /// Every point touched, the first and the last included.
    pub(super) fn points(self) -> impl Iterator<Item = Square> {
        (0..=self.steps).map(move |steps| Travel { steps, ..self }.to())
    }

    /// The arcs on the way; `None` straight along one line.
    pub(super) fn route(self) -> Option<Route> {
        let line = self.start / 6;
        let (first, count) = match self.turn {
            Turn::Clockwise => (line, (self.start + self.steps) / 6 - line),
            Turn::Anticlockwise => (line + 3, line + 4 - (self.start + LAP - self.steps) / 6),
        };
        (0 < count).then(|| Route::travelled(self.turn, Corner::ALL[first as usize % 4], count as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(turn: Turn, start: u32, steps: u32) -> (String, Option<String>) {
        let travel = Travel::new(Track::Inner, start, turn, steps);
        let points: Vec<&str> = travel.points().map(Square::name).collect();
        (points.join(" "), travel.route().map(|route| route.to_string()))
    }

    #[test]
    fn a_way_follows_its_circuit() {
        let arcs = |names: &str| Some(names.to_owned());
        assert_eq!(way(Turn::Clockwise, 0, 5), ("a2 b2 c2 d2 e2 f2".to_owned(), None));
        assert_eq!(way(Turn::Anticlockwise, 11, 5), ("e6 e5 e4 e3 e2 e1".to_owned(), None));
        assert_eq!(way(Turn::Clockwise, 5, 1), ("f2 e1".to_owned(), arcs("top-right")));
        assert_eq!(way(Turn::Anticlockwise, 6, 1), ("e1 f2".to_owned(), arcs("top-right")));
        assert_eq!(way(Turn::Anticlockwise, 0, 1), ("a2 b1".to_owned(), arcs("top-left")));
        assert_eq!(way(Turn::Clockwise, 22, 3), ("b2 b1 a2 b2".to_owned(), arcs("top-left")));
    }

    #[test]
    fn the_longest_ways_go_through_four_arcs() {
        let round = Some("top-right,bottom-right,bottom-left,top-left".to_owned());
        assert_eq!(way(Turn::Clockwise, 5, 23).1, round);
        let back = Some("top-left,bottom-left,bottom-right,top-right".to_owned());
        assert_eq!(way(Turn::Anticlockwise, 0, 23).1, back);
        assert_eq!(way(Turn::Clockwise, 0, 23).1, Some("top-right,bottom-right,bottom-left".to_owned()));
    }
}
