use std::sync::LazyLock;

use super::{
    leads::{Leads, area, worth},
    weights::stones,
};
use crate::rules::{
    Game,
    quantum_control::{Cell, CellSet, QuantumControl},
};

/// What captures add.
pub(super) struct Promises {
    own: CellSet,
    enemy: CellSet,
    near: &'static [CellSet; 64],
    /// What it costs to give up the turn.
    pub(super) turn: i32,
    /// What the area loses that the stone leaves.
    left: [i32; 8],
    /// What the area gains where it lands, from another one and from within.
    taken: [i32; 8],
    within: [i32; 8],
}

impl Promises {
    pub(super) fn of(position: &QuantumControl, Leads(leads): &Leads) -> Promises {
        Promises {
            own: position.stones(position.side()),
            enemy: position.stones(!position.side()),
            near: &NEAR,
            turn: 170 - 8 * (36 - stones(position)).max(0),
            left: gains(leads, -1),
            taken: gains(leads, 2),
            within: gains(leads, 1),
        }
    }

    #[inline]
    pub(super) fn of_capture(&self, from: Cell, to: Cell) -> i32 {
        let near = |cell: Cell, stones: CellSet| (self.near[cell.index() & 63] & stones).len() as usize;
        let (before, lost) = (near(from, self.own), near(to, self.enemy));
        let after = near(to, self.own & !CellSet::of(from));
        let friends = FRIENDS[after & 7] - FRIENDS[before & 7] + FRIENDS[lost & 7];
        let (from, to) = (area(from), area(to));
        let areas = if from == to { self.within[to & 7] } else { self.left[from & 7] + self.taken[to & 7] };
        areas + friends - self.turn
    }
}

/// What each area gains by so many stones more. The last, which is none, makes room for a mask.
fn gains(leads: &[i32; 7], more: i32) -> [i32; 8] {
    let mut gains = [0; 8];
    for (gain, lead) in gains.iter_mut().zip(leads) {
        *gain = worth(lead + more) - worth(*lead);
    }
    gains
}

/// What a stone with so many friends is worth at first sight, with what they gain by it.
const FRIENDS: [i32; 8] = [10, 60, 110, 150, 180, 200, 220, 0];

/// The playable neighbours of each cell, by index.
static NEAR: LazyLock<[CellSet; 64]> = LazyLock::new(|| {
    let mut near = [CellSet::EMPTY; 64];
    for point in QuantumControl::geometry(&Default::default()).points {
        let Some(cell) = Cell::named(point.name) else { continue };
        let neighbours = point.neighbours.into_iter().filter_map(Cell::named);
        near[cell.index()] = neighbours.fold(CellSet::EMPTY, |set, cell| set | CellSet::of(cell));
    }
    near
});
