use super::{
    Square, Tower,
    board::{EAST, NORTH},
};

/// A straight or diagonal way from one square to another.
pub(super) struct Line {
    from: Square,
    /// One step of the grid.
    step: i32,
    diagonal: bool,
    /// In squares, at least 1.
    pub(super) distance: u32,
}

impl Line {
    /// The line from a square to a different one, if they lie on one.
    pub(super) fn between(from: Square, to: Square) -> Option<Line> {
        let files = i32::from(to.file()) - i32::from(from.file());
        let ranks = i32::from(to.rank()) - i32::from(from.rank());
        let diagonal = files.abs() == ranks.abs();
        let straight = files == 0 || ranks == 0;
        (straight || diagonal).then(|| Line {
            from,
            step: files.signum() * EAST + ranks.signum() * NORTH,
            diagonal,
            distance: files.abs().max(ranks.abs()).unsigned_abs(),
        })
    }

    /// Whether what has this top moves along such a line.
    pub(super) fn suits(&self, tower: Tower) -> bool {
        if self.diagonal { tower.moves_diagonally() } else { tower.moves_straight() }
    }

    /// The squares between the ends, from the start on.
    pub(super) fn squares_between(&self) -> impl Iterator<Item = Square> {
        (1..self.distance as i32).map(|steps| self.from.plus(steps * self.step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_distance_and_squares_between() {
        let line = Line::between(Square::at(7, 5), Square::at(3, 1)).expect("a diagonal");
        assert_eq!(line.distance, 4);
        assert_eq!(line.squares_between().map(Square::name).collect::<Vec<_>>(), ["g5", "f4", "e3"]);
        let line = Line::between(Square::at(0, 2), Square::at(11, 2)).expect("a rank");
        assert_eq!((line.distance, line.squares_between().count()), (11, 10));
    }

    #[test]
    fn other_pairs_of_squares_have_none() {
        assert!(Line::between(Square::at(0, 0), Square::at(1, 2)).is_none());
    }
}
