use std::ops::ControlFlow;

use super::{
    Quantum, Square, SquareSet,
    board::{EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST},
};

/// A piece or tower goes from one square to another; whether it takes there, the position knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    pub from: Square,
    pub to: Square,
}

/// The position as the side to move sees it.
struct Scan<'a> {
    position: &'a Quantum,
    empty: SquareSet,
    /// Where a move may end: empty squares, and enemies that are not fixed.
    landing: SquareSet,
    /// Movers that go one square at most.
    near: SquareSet,
    /// Movers that may go further: towers, and whatever stands on a power square.
    far: SquareSet,
}

impl<'a> Scan<'a> {
    fn of(position: &'a Quantum) -> Scan<'a> {
        let squares = position.board().squares();
        let movers = position.tops(position.turn()) & !position.fixed();
        let far = position.tall() | position.board().power_squares();
        Scan {
            position,
            empty: squares & !position.occupied(),
            landing: squares & !position.tops(position.turn()) & !position.fixed(),
            near: movers & !far,
            far: movers & far,
        }
    }

    fn count(&self) -> u64 {
        let near = self.near & self.position.straight();
        let straight = self.count_steps::<EAST>(near)
            + self.count_steps::<WEST>(near)
            + self.count_steps::<NORTH>(near)
            + self.count_steps::<SOUTH>(near);
        let near = self.near & self.position.diagonal();
        let diagonal = self.count_steps::<NORTH_EAST>(near)
            + self.count_steps::<NORTH_WEST>(near)
            + self.count_steps::<SOUTH_EAST>(near)
            + self.count_steps::<SOUTH_WEST>(near);
        let mut far = 0;
        let _: ControlFlow<()> = self.visit_far(&mut |_| {
            far += 1;
            ControlFlow::Continue(())
        });
        u64::from(straight + diagonal) + far
    }

    fn visit<B>(&self, visit: &mut impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let near = self.near & self.position.straight();
        self.visit_steps::<NORTH, B>(near, visit)?;
        self.visit_steps::<EAST, B>(near, visit)?;
        self.visit_steps::<WEST, B>(near, visit)?;
        self.visit_steps::<SOUTH, B>(near, visit)?;
        let near = self.near & self.position.diagonal();
        self.visit_steps::<NORTH_EAST, B>(near, visit)?;
        self.visit_steps::<NORTH_WEST, B>(near, visit)?;
        self.visit_steps::<SOUTH_EAST, B>(near, visit)?;
        self.visit_steps::<SOUTH_WEST, B>(near, visit)?;
        self.visit_far(visit)
    }

    fn visit_far<B>(&self, visit: &mut impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        for from in self.far {
            let reach = self.position.reach(from);
            if self.position.straight().contains(from) {
                self.walk::<NORTH, B>(from, reach, visit)?;
                self.walk::<EAST, B>(from, reach, visit)?;
                self.walk::<WEST, B>(from, reach, visit)?;
                self.walk::<SOUTH, B>(from, reach, visit)?;
            }
            if self.position.diagonal().contains(from) {
                self.walk::<NORTH_EAST, B>(from, reach, visit)?;
                self.walk::<NORTH_WEST, B>(from, reach, visit)?;
                self.walk::<SOUTH_EAST, B>(from, reach, visit)?;
                self.walk::<SOUTH_WEST, B>(from, reach, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn count_steps<const BY: i32>(&self, near: SquareSet) -> u32 {
        (near.shift::<BY>() & self.landing).len()
    }

    fn visit_steps<const BY: i32, B>(
        &self,
        near: SquareSet,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for to in near.shift::<BY>() & self.landing {
            visit(Move { from: to.plus(-BY), to })?;
        }
        ControlFlow::Continue(())
    }

    fn walk<const BY: i32, B>(
        &self,
        from: Square,
        reach: u32,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mut to, mut bit) = (from, from.set());
        for _ in 0..reach {
            bit = bit.shift::<BY>();
            if (bit & self.landing).is_empty() {
                break;
            }
            to = to.plus(BY);
            visit(Move { from, to })?;
            if (bit & self.empty).is_empty() {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Quantum {
    pub(super) fn count_legal(&self) -> u64 {
        Scan::of(self).count()
    }

    pub(super) fn visit_legal<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        Scan::of(self).visit(&mut visit)
    }

    pub(super) fn can_move(&self) -> bool {
        self.visit_legal(|_| ControlFlow::Break(())).is_break()
    }
}
