use super::{Arc, BySide, Point, Side};

/// A board as it is drawn: where its points are, and what is special about them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Geometry {
    /// Every point, gaps included, in the order of position texts.
    pub points: Vec<PointView>,
    /// Named groups of points: areas, gaps, power squares.
    pub regions: Vec<Region>,
    /// Closed tracks along which pieces travel.
    pub circuits: Vec<Circuit>,
}

/// One point of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct PointView {
    pub name: Point,
    /// To the right. Neighbouring points are about one unit apart.
    pub x: f32,
    /// Downwards, the first player's usual view: what is nearer to the reader is larger.
    pub y: f32,
    /// Whether a piece can ever stand here.
    pub playable: bool,
    pub shade: Shade,
    /// Points that are one step away, in byte order.
    pub neighbours: Vec<Point>,
}

/// The colour of a point where the board has two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shade {
    Plain,
    Light,
    Dark,
}

/// A named group of points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    pub kind: RegionKind,
    /// For an area its centre's name, else a plain word.
    pub name: &'static str,
    pub points: Vec<Point>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// Scored as one.
    Area,
    /// Points on which nothing ever stands.
    Gaps,
    /// Points from which pieces go any distance.
    PowerSquares,
}

/// A closed track over points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Circuit {
    pub name: &'static str,
    /// The points in the order of travelling; after the last comes the first again.
    pub steps: Vec<TrackStep>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrackStep {
    pub point: Point,
    /// The arc between this point and the next one, if it is an arc.
    pub arc: Option<Arc>,
}

/// What stands on a point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    pub point: Point,
    pub owner: Side,
    /// How many pieces or quanta stand here, at least 1.
    pub count: u32,
    /// What stands here in the letters of position texts, from the bottom up: `b`, `scS`, `w8`.
    pub pieces: String,
    /// Whether it can never move again by the rules (a fixed tower).
    pub fixed: bool,
}

/// A count that the game's end looks at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Score {
    /// Such as `areas`, `pieces`, `fixed_towers`.
    pub name: &'static str,
    pub points: BySide<u32>,
}
