use std::fmt;

use Corner::{BottomLeft, BottomRight, TopLeft, TopRight};

use crate::rules::Arc;

/// One of the four places where the circuits leave the grid and come back by an arc.
///
/// The numbers go clockwise, and number n lies between line n and line n + 1 of each circuit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Corner {
    TopRight = 0,
    BottomRight = 1,
    BottomLeft = 2,
    TopLeft = 3,
}

impl Corner {
    pub const ALL: [Corner; 4] = [TopRight, BottomRight, BottomLeft, TopLeft];

    pub const fn name(self) -> Arc {
        match self {
            TopRight => "top-right",
            BottomRight => "bottom-right",
            BottomLeft => "bottom-left",
            TopLeft => "top-left",
        }
    }

    /// The corner that a piece comes to next when it goes on turning the same way.
    const fn next(self, turn: Turn) -> Corner {
        match turn {
            Turn::Clockwise => Corner::ALL[(self as usize + 1) % 4],
            Turn::Anticlockwise => Corner::ALL[(self as usize + 3) % 4],
        }
    }
}

/// Which way round a circuit, seen with rank 1 at the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Turn {
    Clockwise = 0,
    Anticlockwise = 1,
}

impl Turn {
    pub(super) const BOTH: [Turn; 2] = [Turn::Clockwise, Turn::Anticlockwise];
}

/// The arcs that a capture travels, in order: one to four, all turning the same way.
///
/// Routes compare as their texts do in byte order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Route(u8);

/// Every route, in the byte order of texts such as `[top-left,top-right]`. There a comma comes
/// before the closing bracket, so a longer list comes before its own beginning.
const LISTS: [&[Corner]; 28] = [
    &[BottomLeft, BottomRight, TopRight, TopLeft],
    &[BottomLeft, BottomRight, TopRight],
    &[BottomLeft, BottomRight],
    &[BottomLeft, TopLeft, TopRight, BottomRight],
    &[BottomLeft, TopLeft, TopRight],
    &[BottomLeft, TopLeft],
    &[BottomLeft],
    &[BottomRight, BottomLeft, TopLeft, TopRight],
    &[BottomRight, BottomLeft, TopLeft],
    &[BottomRight, BottomLeft],
    &[BottomRight, TopRight, TopLeft, BottomLeft],
    &[BottomRight, TopRight, TopLeft],
    &[BottomRight, TopRight],
    &[BottomRight],
    &[TopLeft, BottomLeft, BottomRight, TopRight],
    &[TopLeft, BottomLeft, BottomRight],
    &[TopLeft, BottomLeft],
    &[TopLeft, TopRight, BottomRight, BottomLeft],
    &[TopLeft, TopRight, BottomRight],
    &[TopLeft, TopRight],
    &[TopLeft],
    &[TopRight, BottomRight, BottomLeft, TopLeft],
    &[TopRight, BottomRight, BottomLeft],
    &[TopRight, BottomRight],
    &[TopRight, TopLeft, BottomLeft, BottomRight],
    &[TopRight, TopLeft, BottomLeft],
    &[TopRight, TopLeft],
    &[TopRight],
];

/// The route by turn, first corner and number of arcs less one.
const TRAVELLED: [[[Route; 4]; 4]; 2] = {
    let mut table = [[[Route(0); 4]; 4]; 2];
    let mut i = 0;
    while i < 32 {
        let (turn, first, count) = (i / 16, i / 4 % 4, i % 4);
        table[turn][first][count] = listed(Turn::BOTH[turn], Corner::ALL[first], count + 1);
        i += 1;
    }
    table
};

const fn listed(turn: Turn, first: Corner, count: usize) -> Route {
    let mut i = 0;
    while !travels(LISTS[i], turn, first, count) {
        i += 1;
    }
    Route(i as u8)
}

const fn travels(list: &[Corner], turn: Turn, first: Corner, count: usize) -> bool {
    let mut corner = first;
    let mut i = 0;
    while i < list.len() {
        if list[i] as u8 != corner as u8 {
            return false;
        }
        corner = corner.next(turn);
        i += 1;
    }
    list.len() == count
}

impl Route {
    /// The route through `count` arcs, 1 to 4, from the corner `first` on.
    pub(super) const fn travelled(turn: Turn, first: Corner, count: u8) -> Route {
        TRAVELLED[turn as usize][first as usize][count as usize - 1]
    }

    /// The arcs in the order travelled.
    pub const fn corners(self) -> &'static [Corner] {
        LISTS[self.0 as usize]
    }

    /// Reads the arcs as they stand between the brackets of a move text.
    pub(super) fn read(list: &str) -> Option<Route> {
        (0..LISTS.len() as u8).map(Route).find(|route| route.to_string() == list)
    }

    /// Whether this is a list of arcs at all, though perhaps no route goes by it.
    pub(super) fn is_list(text: &str) -> bool {
        text.split(',').all(|name| Corner::ALL.iter().any(|corner| corner.name() == name))
    }
}

/// The arcs as they stand between the brackets of a move text.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, corner) in self.corners().iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            f.write_str(corner.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Route> {
        (0..LISTS.len() as u8).map(Route)
    }

    #[test]
    fn routes_compare_as_their_texts() {
        let texts: Vec<String> = all().map(|route| format!("[{route}]")).collect();
        assert!(texts.is_sorted_by(|a, b| a < b), "{texts:?}");
    }

    #[test]
    fn every_route_is_travelled_and_read() {
        let travelled: Vec<Route> = TRAVELLED.into_iter().flatten().flatten().collect();
        for route in all() {
            assert!(travelled.contains(&route), "{route}");
            assert_eq!(Route::read(&route.to_string()), Some(route));
        }
    }

    #[test]
    fn a_list_of_arcs_need_not_be_a_route() {
        assert!(Route::is_list("top-left,bottom-right"));
        assert_eq!(Route::read("top-left,bottom-right"), None);
        for text in ["", "top-left,", "top", "Top-left", "top-left, top-right", "top-left,top-left "] {
            assert!(!Route::is_list(text), "{text}");
        }
    }
}
