use std::ops::ControlFlow;

use crate::rules::Side;

use super::{
    Cell, CellSet, Jumpers, QuantumControl,
    board::{AREAS, PLAYABLE},
};

/// A turn of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Black's first stone.
    Place(Cell),
    /// Two stones, in the byte order of the cells' names. See [`Move::pair`].
    PlacePair(Cell, Cell),
    Capture {
        from: Cell,
        to: Cell,
    },
    Pass,
}

const _: () = assert!(size_of::<Move>() <= 4);

impl Move {
    /// Two stones, given in any order.
    pub fn pair(a: Cell, b: Cell) -> Move {
        if a.rank() < b.rank() { Move::PlacePair(a, b) } else { Move::PlacePair(b, a) }
    }
}

impl QuantumControl {
    /// The stones of a side as they would capture now, were it to move and in capture play.
    #[inline]
    pub(crate) fn jumpers(&self, side: Side) -> Jumpers {
        Jumpers::new(self.stones(side), self.stones(!side))
    }

    /// The playable cells on which nothing stands.
    pub(crate) fn empty(&self) -> CellSet {
        PLAYABLE & !self.occupied()
    }

    /// Whether this turn of placement puts down one stone, as only the first does.
    pub(crate) fn places_one(&self) -> bool {
        self.occupied().is_empty()
    }

    /// The cells on which the second stone of a turn may go, the first being on the board already or
    /// not: those of other areas, or any if the others are full.
    pub(super) fn second_cells(&self, first: Cell) -> CellSet {
        let empty = self.empty();
        let own_area = first.area().map_or(CellSet::EMPTY, |area| AREAS[area]);
        let elsewhere = empty & !own_area;
        if elsewhere.is_empty() { empty & !CellSet::of(first) } else { elsewhere }
    }

    pub(super) fn visit_placements<B>(
        &self,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.places_one() {
            for cell in self.empty() {
                visit(Move::Place(cell))?;
            }
            return ControlFlow::Continue(());
        }
        let mut firsts = self.empty();
        while let Some(first) = firsts.pop() {
            for second in self.second_cells(first) & firsts {
                visit(Move::pair(first, second))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Pairs across areas are half of the square of all less the squares of each.
    pub(super) fn count_placements(&self) -> u64 {
        let empty = self.empty();
        let all = empty.len();
        if self.places_one() {
            return all.into();
        }
        let squares: u32 = AREAS.iter().map(|&area| (empty & area).len().pow(2)).sum();
        let across = (all * all - squares) / 2;
        let pairs = if across == 0 { all * all.saturating_sub(1) / 2 } else { across };
        pairs.into()
    }

    pub(super) fn visit_captures<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        for (from, to) in self.jumpers(self.side).captures().iter() {
            visit(Move::Capture { from, to })?;
        }
        visit(Move::Pass)
    }
}
