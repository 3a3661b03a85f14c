use std::{
    fmt,
    ops::{BitAnd, BitOr, Not},
};

use crate::rules::Point;

use super::{
    Cell,
    board::{CELLS, rows},
};

/// A set of cells, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct CellSet(pub(super) u64);

impl CellSet {
    pub(crate) const EMPTY: CellSet = CellSet(0);

    pub(crate) const fn of(cell: Cell) -> CellSet {
        CellSet(1 << cell.index())
    }

    pub(crate) const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many cells are in the set.
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) const fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.index();
    }

    pub(crate) const fn remove(&mut self, cell: Cell) {
        self.0 &= !(1 << cell.index());
    }

    /// Takes the cell of the lowest bit out of the set.
    pub(crate) const fn pop(&mut self) -> Option<Cell> {
        if self.is_empty() {
            return None;
        }
        let cell = Cell::from_bit(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(cell)
    }

    /// The cells in the order of position texts.
    pub(super) fn names(self) -> Vec<Point> {
        rows().flatten().filter(|&cell| self.contains(cell)).map(Cell::name).collect()
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Cells;

    fn into_iter(self) -> Cells {
        Cells(self)
    }
}

/// The cells of a set in ascending order of their bits, which is no order on the board.
#[derive(Clone, Debug)]
pub(crate) struct Cells(CellSet);

impl Iterator for Cells {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        self.0.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl BitAnd for CellSet {
    type Output = CellSet;

    fn bitand(self, other: CellSet) -> CellSet {
        CellSet(self.0 & other.0)
    }
}

impl BitOr for CellSet {
    type Output = CellSet;

    fn bitor(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }
}

impl Not for CellSet {
    type Output = CellSet;

    fn not(self) -> CellSet {
        CellSet(!self.0 & ((1 << CELLS) - 1))
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
