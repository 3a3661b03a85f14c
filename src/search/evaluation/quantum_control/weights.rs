use std::sync::LazyLock;

use super::leads::Leads;
use crate::{
    rules::{
        Game, Side,
        quantum_control::{CENTRES, Cell, CellSet, Jumpers, QuantumControl},
    },
    search::{Weights, evaluation::phased::Phased},
};

/// What the terms weigh, in the unit of estimates.
#[derive(Clone, Copy, Debug)]
pub struct QuantumControlWeights {
    /// By the number of captures on the board. The terms are those of [`capture_terms`].
    pub(super) capture: Phased<12, 9>,
    /// By the number of stones on the board. The terms are those of [`placement_terms`].
    pub(super) placement: Phased<13, 4>,
}

impl Weights for QuantumControlWeights {
    const TUNED: QuantumControlWeights = QuantumControlWeights {
        capture: Phased {
            names: [
                "lead_1",
                "lead_2",
                "lead_3",
                "lead_4",
                "tempo",
                "last_capture",
                "captures",
                "friends_0",
                "friends_1",
                "friends_2",
                "friends_3",
                "friends_4",
            ],
            step: 8,
            rows: [
                [282, 169, 88, 64, -0, 35, 103, 64, 70, 92, 117, 90],
                [111, 108, 94, 82, 47, 36, 43, 35, 56, 75, 90, 89],
                [53, 73, 75, 79, 78, 35, 22, -1, 40, 69, 82, 83],
                [40, 60, 64, 70, 99, 33, 14, -1, 36, 66, 86, 89],
                [38, 56, 65, 66, 112, 31, 8, -3, 38, 68, 88, 99],
                [38, 66, 69, 68, 118, 24, 7, 9, 42, 71, 89, 101],
                [39, 75, 80, 74, 112, 20, 5, 21, 54, 73, 87, 112],
                [43, 81, 87, 85, 107, 9, 6, 32, 55, 76, 91, 106],
                [34, 72, 94, 110, 91, 4, 4, 44, 58, 72, 83, 98],
            ],
        },
        placement: Phased {
            names: [
                "lead_1",
                "lead_2",
                "lead_3",
                "lead_4",
                "tempo",
                "rim",
                "hub",
                "captures",
                "friends_0",
                "friends_1",
                "friends_2",
                "friends_3",
                "friends_4",
            ],
            step: 16,
            rows: [
                [16, 15, 77, -21, 5, -23, -2, 5, -12, -9, -21, -16, -92],
                [24, 46, 72, 22, 15, -18, 10, 0, -10, -14, -14, -20, -65],
                [29, 47, 77, 70, 10, -17, 7, 0, -19, -15, -14, -16, -25],
                [31, 51, 80, 103, 1, -19, 8, 1, -12, -10, -10, -11, -12],
            ],
        },
    };

    fn visit(&mut self, visit: &mut dyn FnMut(&str, &mut i32)) {
        self.capture.visit(&mut |name, weight| visit(&format!("capture/{name}"), weight));
        self.placement.visit(&mut |name, weight| visit(&format!("placement/{name}"), weight));
    }
}

/// Areas by lead; the right to move; who captured last; captures; stones by their friends, none to
/// four or more: of the side to move, less those of the other. And how many captures there are.
pub(super) fn capture_terms(position: &QuantumControl) -> ([i32; 12], i32) {
    let sides = jumpers(position);
    let [captures, threats] = sides.map(|side| side.count() as i32);
    let [one, two, three, four] = Leads::of(position).by_size();
    let last = position.last_capturer();
    let last = last.map_or(0, |last| if last == position.side() { 1 } else { -1 });
    let [f0, f1, f2, f3, f4] = friends(&sides);
    ([one, two, three, four, 1, last, captures - threats, f0, f1, f2, f3, f4], captures + threats)
}

/// Areas by lead; the right to move; stones on the rim and on hubs; the captures that there would be
/// if placement ended now; stones by their friends: of the side to move, less those of the other. And
/// how many stones there are.
pub(super) fn placement_terms(position: &QuantumControl) -> ([i32; 13], i32) {
    let (own, enemy) = (position.stones(position.side()), position.stones(!position.side()));
    let on = |cells: CellSet| (own & cells).len() as i32 - (enemy & cells).len() as i32;
    let sides = jumpers(position);
    let [captures, threats] = sides.map(|side| side.count() as i32);
    let [one, two, three, four] = Leads::of(position).by_size();
    let [f0, f1, f2, f3, f4] = friends(&sides);
    let captures = captures - threats;
    ([one, two, three, four, 1, on(*RIM), on(HUBS), captures, f0, f1, f2, f3, f4], stones(position))
}

/// All stones on the board.
pub(super) fn stones(position: &QuantumControl) -> i32 {
    (position.stones(Side::Black) | position.stones(Side::White)).len() as i32
}

/// Of the side to move, and of the other.
#[inline]
fn jumpers(position: &QuantumControl) -> [Jumpers; 2] {
    [position.side(), !position.side()].map(|side| position.jumpers(side))
}

/// How many stones more have no friends, one, two, three, four or more.
#[inline]
fn friends([own, enemy]: &[Jumpers; 2]) -> [i32; 5] {
    let with = |friends| own.with_friends(friends).len() as i32 - enemy.with_friends(friends).len() as i32;
    [with(0), with(1), with(2), with(3), with(4) + with(5) + with(6)]
}

/// Cells with only three playable neighbours.
static RIM: LazyLock<CellSet> = LazyLock::new(|| {
    let names = "a1 a2 a4 a5 b1 b6 d1 d8 e1 e9 f2 f9 h4 h9 i5 i6 i8 i9".split(' ');
    names.filter_map(Cell::named).fold(CellSet::EMPTY, |set, cell| set | CellSet::of(cell))
});

/// The middle cells of the areas, which have six.
const HUBS: CellSet = {
    let mut hubs = CellSet::EMPTY;
    let mut i = 0;
    while i < CENTRES.len() {
        hubs.insert(CENTRES[i]);
        i += 1;
    }
    hubs
};
