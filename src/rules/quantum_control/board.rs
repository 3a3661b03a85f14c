use std::fmt;

use crate::rules::Point;

use super::CellSet;

/// Cells of the hexagon, gaps included.
pub(crate) const CELLS: usize = 61;

/// The centres of the seven areas, in the order of [`AREAS`].
pub(crate) const CENTRES: [Cell; 7] = cells(["e5", "e8", "h8", "h5", "e2", "b2", "b5"]);

/// The areas: each a centre with its six neighbours.
pub(crate) const AREAS: [CellSet; 7] = areas();

/// The cells on which nothing ever stands.
pub(crate) const GAPS: CellSet =
    set(&cells(["a3", "c1", "c4", "c7", "d3", "d6", "f4", "f7", "g3", "g6", "g9", "i7"]));

/// The cells on which stones stand: all but the gaps.
pub(crate) const PLAYABLE: CellSet = CellSet(((1 << CELLS) - 1) & !GAPS.0);

/// The six directions as steps of row and number. Each is followed by its opposite.
pub(super) const DIRECTIONS: [(i8, i8); 6] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)];

/// A cell of the hexagon, perhaps a gap.
///
/// The number inside is the cell's bit in a set of cells. Copies of a hexagon of 61 cells tile the
/// plane, and for this size there is a numbering modulo 61 in which a step in each of the six
/// directions adds the same constant everywhere. So whole sets of cells move along a
/// direction by one rotation of 61 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell of this name, `a1` to `i9`, if the hexagon has it.
    pub fn named(name: &str) -> Option<Cell> {
        match *name.as_bytes() {
            [row @ b'a'..=b'i', number @ b'1'..=b'9'] => Cell::at((row - b'a') as i8, (number - b'1') as i8),
            _ => None,
        }
    }

    /// The name in texts, such as `e5`.
    pub fn name(self) -> Point {
        NAMES[BY_BIT[self.index()] as usize]
    }

    /// The area of this cell as an index of [`AREAS`]; `None` for a gap.
    pub(crate) fn area(self) -> Option<usize> {
        match AREA_OF[self.index()] {
            7 => None,
            area => Some(area.into()),
        }
    }

    /// The number of this cell's bit, below [`CELLS`].
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell of this bit, which must be below [`CELLS`].
    pub(super) const fn from_bit(bit: u32) -> Cell {
        debug_assert!(bit < CELLS as u32);
        Cell(bit as u8)
    }

    /// The cell whose bit is so much further, modulo 61.
    pub(super) const fn forward(self, step: u8) -> Cell {
        let bit = self.0 + step;
        Cell(if bit < CELLS as u8 { bit } else { bit - CELLS as u8 })
    }

    /// The cell in this row, `a` = 0, and of this number, counted from 0.
    pub(super) const fn at(row: i8, number: i8) -> Option<Cell> {
        let in_range = 0 <= row && row < 9 && 0 <= number && number < 9;
        if in_range && -4 <= row - number && row - number <= 4 {
            // Any number would do for 14; with it most jumps need no going around.
            Some(Cell(((14 + step(row, number)) % CELLS) as u8))
        } else {
            None
        }
    }

    /// Row and number, both counted from 0.
    pub(super) const fn coordinates(self) -> (i8, i8) {
        let name = NAMES[BY_BIT[self.index()] as usize].as_bytes();
        ((name[0] - b'a') as i8, (name[1] - b'1') as i8)
    }

    /// The rank of this cell in the byte order of names.
    pub(super) const fn rank(self) -> u8 {
        BY_BIT[self.index()]
    }

    /// How far it is from here to there along one of the six directions, 0 to 8, if it is at all.
    pub(super) fn distance(self, there: Cell) -> Option<u8> {
        let ((r, n), (row, number)) = (self.coordinates(), there.coordinates());
        match (row - r, number - n) {
            (rows, 0) => Some(rows.unsigned_abs()),
            (0, numbers) => Some(numbers.unsigned_abs()),
            (rows, numbers) => (rows == numbers).then_some(rows.unsigned_abs()),
        }
    }

    /// The cell that is `far` cells away along one of the [`DIRECTIONS`].
    const fn towards(self, direction: usize, far: i8) -> Option<Cell> {
        let (row, number) = self.coordinates();
        let (rows, numbers) = DIRECTIONS[direction];
        Cell::at(row + far * rows, number + far * numbers)
    }

    pub(super) fn neighbours(self) -> impl Iterator<Item = Cell> {
        (0..6).filter_map(move |direction| self.towards(direction, 1))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a step of so many rows and numbers adds to a cell's bit, modulo 61.
pub(super) const fn step(rows: i8, numbers: i8) -> usize {
    (rows as i32 + 13 * numbers as i32).rem_euclid(CELLS as i32) as usize
}

/// The cells on which a stone with `friends` friends can land along one of the [`DIRECTIONS`],
/// from a lower bit or, `around`, from a higher one.
pub(super) const fn landings(friends: usize, direction: usize, around: bool) -> u64 {
    let mut landings = 0;
    let mut bit = 0;
    while bit < CELLS {
        let cell = Cell(bit as u8);
        if PLAYABLE.contains(cell)
            && friends <= playable_neighbours(cell)
            && let Some(there) = cell.towards(direction, friends as i8)
            && PLAYABLE.contains(there)
            && around == (there.0 < cell.0)
        {
            landings |= 1 << there.0;
        }
        bit += 1;
    }
    landings
}

/// The rows of position texts, `i` first: their cells in order of number.
pub(super) fn rows() -> impl Iterator<Item = impl Iterator<Item = Cell>> {
    (0..9).rev().map(|row| (0..9).filter_map(move |number| Cell::at(row, number)))
}

#[rustfmt::skip]
const NAMES: [Point; CELLS] = [
    "a1", "a2", "a3", "a4", "a5",
    "b1", "b2", "b3", "b4", "b5", "b6",
    "c1", "c2", "c3", "c4", "c5", "c6", "c7",
    "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8",
    "e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9",
    "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9",
    "g3", "g4", "g5", "g6", "g7", "g8", "g9",
    "h4", "h5", "h6", "h7", "h8", "h9",
    "i5", "i6", "i7", "i8", "i9",
];

/// The index in [`NAMES`] of the cell of each bit.
const BY_BIT: [u8; CELLS] = by_bit();

const fn by_bit() -> [u8; CELLS] {
    let mut by_bit = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        by_bit[cell(NAMES[i]).index()] = i as u8;
        i += 1;
    }
    by_bit
}

const fn cell(name: &str) -> Cell {
    let name = name.as_bytes();
    match Cell::at((name[0] - b'a') as i8, (name[1] - b'1') as i8) {
        Some(cell) => cell,
        None => panic!("evaluated at compile time only"),
    }
}

const fn cells<const N: usize>(names: [&str; N]) -> [Cell; N] {
    let mut cells = [Cell(0); N];
    let mut i = 0;
    while i < N {
        cells[i] = cell(names[i]);
        i += 1;
    }
    cells
}

const fn set(cells: &[Cell]) -> CellSet {
    let mut set = 0;
    let mut i = 0;
    while i < cells.len() {
        set |= 1 << cells[i].0;
        i += 1;
    }
    CellSet(set)
}

const fn areas() -> [CellSet; 7] {
    let mut areas = [CellSet::EMPTY; 7];
    let mut i = 0;
    while i < 7 {
        areas[i] = CellSet(1 << CENTRES[i].0 | neighbourhood(CENTRES[i]));
        i += 1;
    }
    areas
}

/// The area of the cell of each bit; 7 for a gap.
const AREA_OF: [u8; CELLS] = area_of();

const fn area_of() -> [u8; CELLS] {
    let mut area_of = [7; CELLS];
    let mut i = 0;
    while i < CELLS * 7 {
        if AREAS[i % 7].contains(Cell((i / 7) as u8)) {
            area_of[i / 7] = (i % 7) as u8;
        }
        i += 1;
    }
    area_of
}

const fn playable_neighbours(cell: Cell) -> usize {
    (neighbourhood(cell) & PLAYABLE.0).count_ones() as usize
}

const fn neighbourhood(cell: Cell) -> u64 {
    let mut set = 0;
    let mut direction = 0;
    while direction < 6 {
        if let Some(there) = cell.towards(direction, 1) {
            set |= 1 << there.0;
        }
        direction += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Cell> {
        (0..CELLS as u32).map(Cell::from_bit)
    }

    #[test]
    fn names_and_bits_are_one_to_one() {
        for cell in all() {
            assert_eq!(Cell::named(cell.name()), Some(cell));
        }
        assert_eq!(all().map(Cell::name).collect::<std::collections::BTreeSet<_>>().len(), CELLS);
        assert!(NAMES.is_sorted());
    }

    #[test]
    fn a_direction_adds_the_same_everywhere() {
        for cell in all() {
            for (direction, (rows, numbers)) in DIRECTIONS.into_iter().enumerate() {
                for far in 1..=8 {
                    if let Some(there) = cell.towards(direction, far) {
                        assert_eq!(cell.forward(step(far * rows, far * numbers) as u8), there);
                        assert_eq!(cell.distance(there), Some(far as u8));
                    }
                }
            }
        }
    }

    #[test]
    fn areas_and_gaps_share_out_the_board() {
        let union = AREAS.into_iter().fold(GAPS, |all, area| all | area);
        assert_eq!(union, !CellSet::EMPTY);
        assert_eq!(AREAS.map(CellSet::len), [7; 7]);
        for (index, area) in AREAS.into_iter().enumerate() {
            assert!(area.into_iter().all(|cell| cell.area() == Some(index)));
        }
        assert!(GAPS.into_iter().all(|gap| gap.area().is_none()));
    }
}
