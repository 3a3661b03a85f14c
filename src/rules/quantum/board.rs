use super::{Square, SquareSet};
use crate::rules::{Geometry, Point, PointView, Region, RegionKind, Shade};

/// Steps of the grid, one for each of the eight directions.
pub(super) const EAST: i32 = 1;
pub(super) const WEST: i32 = -1;
pub(super) const NORTH: i32 = 16;
pub(super) const SOUTH: i32 = -16;
pub(super) const NORTH_EAST: i32 = NORTH + EAST;
pub(super) const NORTH_WEST: i32 = NORTH + WEST;
pub(super) const SOUTH_EAST: i32 = SOUTH + EAST;
pub(super) const SOUTH_WEST: i32 = SOUTH + WEST;

/// The board in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Board {
    /// The central 10 by 6 squares.
    #[default]
    Inner,
    /// 10 by 8: the inner board between two outer ranks.
    Whole,
    /// 12 by 8: the inner board in a full ring.
    Wide,
}

impl Board {
    pub const ALL: [Board; 3] = [Board::Inner, Board::Whole, Board::Wide];

    /// The name as a value of the option `board`.
    pub const fn name(self) -> &'static str {
        match self {
            Board::Inner => "inner",
            Board::Whole => "whole",
            Board::Wide => "wide",
        }
    }

    /// The board of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Board> {
        Board::ALL.into_iter().find(|board| board.name() == name)
    }

    /// The board whose size a position text has, going by its number of ranks and its top rank.
    pub fn of_position(text: &str) -> Option<Board> {
        let rows = text.split(' ').next()?;
        let top = rows.split('/').next()?;
        let widths = top.split(',').map(|item| item.parse::<u8>().map_or(1, usize::from));
        let (files, ranks) = (widths.sum::<usize>(), rows.split('/').count());
        let fits = |board: &Board| (usize::from(board.files()), usize::from(board.ranks())) == (files, ranks);
        Board::ALL.into_iter().find(fits)
    }

    /// How many files it has.
    pub const fn files(self) -> u8 {
        match self {
            Board::Inner | Board::Whole => 10,
            Board::Wide => 12,
        }
    }

    /// How many ranks it has.
    pub const fn ranks(self) -> u8 {
        match self {
            Board::Inner => 6,
            Board::Whole | Board::Wide => 8,
        }
    }

    /// The greatest distance between two squares in a straight line.
    pub(super) const fn longest_line(self) -> u32 {
        self.files() as u32 - 1
    }

    pub(crate) const fn squares(self) -> SquareSet {
        SQUARES[self as usize]
    }

    /// The squares from which a piece or tower goes any distance.
    pub(crate) const fn power_squares(self) -> SquareSet {
        POWER_SQUARES[self as usize]
    }

    /// The square of this name, if this board has it. Letters are small.
    pub(super) fn square(self, file: char, rank: char) -> Option<Square> {
        let file = (file as u32).checked_sub('a' as u32)?;
        let rank = (rank as u32).checked_sub('1' as u32)?;
        let on_board = file < u32::from(self.files()) && rank < u32::from(self.ranks());
        on_board.then(|| Square::at(file as u8, rank as u8))
    }

    /// All squares in the order of position texts: from the top rank down, from the left.
    pub(super) fn reading_order(self) -> impl Iterator<Item = Square> {
        let ranks = (0..self.ranks()).rev();
        ranks.flat_map(move |rank| (0..self.files()).map(move |file| Square::at(file, rank)))
    }

    pub(super) fn geometry(self) -> Geometry {
        let power = self.reading_order().filter(|&square| self.power_squares().contains(square));
        Geometry {
            points: self.reading_order().map(|square| self.point(square)).collect(),
            regions: vec![Region {
                kind: RegionKind::PowerSquares,
                name: "power",
                points: power.map(Square::name).collect(),
            }],
            circuits: Vec::new(),
        }
    }

    /// The set has black power squares on a light board.
    fn point(self, square: Square) -> PointView {
        let power = self.power_squares().contains(square);
        PointView {
            name: square.name(),
            x: f32::from(square.file()),
            y: f32::from(self.ranks() - 1 - square.rank()),
            playable: true,
            shade: if power { Shade::Dark } else { Shade::Light },
            neighbours: self.neighbours(square),
        }
    }

    fn neighbours(self, square: Square) -> Vec<Point> {
        let row = square.set() | square.set().shift::<EAST>() | square.set().shift::<WEST>();
        let around = row | row.shift::<NORTH>() | row.shift::<SOUTH>();
        let mut names: Vec<Point> = (around & self.squares() & !square.set()).map(Square::name).collect();
        names.sort_unstable();
        names
    }
}

const SQUARES: [SquareSet; 3] = [rectangle(Board::Inner), rectangle(Board::Whole), rectangle(Board::Wide)];

/// The corners of the board in play and, on the larger boards, those of the inner board in it.
const POWER_SQUARES: [SquareSet; 3] = [
    with_corners(SquareSet::EMPTY, [0, 9], [0, 5]),
    with_corners(with_corners(SquareSet::EMPTY, [0, 9], [0, 7]), [0, 9], [1, 6]),
    with_corners(with_corners(SquareSet::EMPTY, [0, 11], [0, 7]), [1, 10], [1, 6]),
];

const fn with_corners(set: SquareSet, files: [u8; 2], ranks: [u8; 2]) -> SquareSet {
    let low = set.with(Square::at(files[0], ranks[0])).with(Square::at(files[1], ranks[0]));
    low.with(Square::at(files[0], ranks[1])).with(Square::at(files[1], ranks[1]))
}

const fn rectangle(board: Board) -> SquareSet {
    let mut set = SquareSet::EMPTY;
    let mut rank = 0;
    while rank < board.ranks() {
        let mut file = 0;
        while file < board.files() {
            set = set.with(Square::at(file, rank));
            file += 1;
        }
        rank += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(set: SquareSet) -> String {
        set.map(Square::name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn power_squares_are_the_corners_of_the_board_and_of_the_inner_one() {
        assert_eq!(names(Board::Inner.power_squares()), "a1 j1 a6 j6");
        assert_eq!(names(Board::Whole.power_squares()), "a1 j1 a2 j2 a7 j7 a8 j8");
        assert_eq!(names(Board::Wide.power_squares()), "a1 l1 b2 k2 b7 k7 a8 l8");
    }

    #[test]
    fn boards_have_60_80_and_96_squares() {
        assert_eq!(Board::ALL.map(|board| board.squares().len()), [60, 80, 96]);
    }

    #[test]
    fn squares_are_read_from_the_top_left() {
        let order: Vec<Point> = Board::Wide.reading_order().map(Square::name).collect();
        assert_eq!((order.len(), order[0], order[11], order[12], order[95]), (96, "a8", "l8", "a7", "l1"));
    }

    #[test]
    fn edges_have_fewer_neighbours() {
        assert_eq!(Board::Wide.neighbours(Square::at(11, 7)), ["k7", "k8", "l7"]);
        assert_eq!(Board::Inner.neighbours(Square::at(0, 0)), ["a2", "b1", "b2"]);
        assert_eq!(Board::Whole.neighbours(Square::at(9, 3)), ["i3", "i4", "i5", "j3", "j5"]);
    }
}
