use std::sync::LazyLock;

use super::phased::Phased;
use crate::{
    rules::{
        Game, Outcome, Side,
        quantum_control::{AREAS, CENTRES, Cell, CellSet, HalfTurn, Move, Phase, QuantumControl},
    },
    search::{Prospect, Searchable, Tree, Weights},
};

impl Searchable for QuantumControl {
    type Tree = QuantumControlTree;
}

/// Quantum Control stone by stone: a turn of placement is two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuantumControlTree(Place);

/// Where in a turn the walk stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Start(QuantumControl),
    /// After the first of two stones.
    Half(HalfTurn),
}

/// One stone placed or moved, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Stone(Cell),
    Capture { from: Cell, to: Cell },
    Pass,
}

/// What an area is worth at first sight to the side that has from 8 stones fewer to 7 stones more in it.
const LEAD: [i32; 16] = [-60, -60, -60, -60, -60, -60, -55, -35, 0, 35, 55, 60, 60, 60, 60, 60];

/// What the terms weigh, in hundredths of an area.
#[derive(Clone, Copy, Debug)]
pub struct QuantumControlWeights {
    /// By the number of captures on the board. The terms are those of [`capture_terms`].
    capture: Phased<12, 9>,
    /// By the number of stones on the board. The terms are those of [`placement_terms`].
    placement: Phased<7, 4>,
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
            names: ["lead_1", "lead_2", "lead_3", "lead_4", "tempo", "rim", "hub"],
            step: 16,
            rows: [
                [5, 6, 51, -64, 5, -30, -3],
                [16, 26, 49, -13, 19, -23, 8],
                [20, 30, 53, 41, 10, -24, 7],
                [22, 39, 60, 82, -10, -25, 7],
            ],
        },
    };

    fn visit(&mut self, visit: &mut dyn FnMut(&str, &mut i32)) {
        self.capture.visit(&mut |name, weight| visit(&format!("capture/{name}"), weight));
        self.placement.visit(&mut |name, weight| visit(&format!("placement/{name}"), weight));
    }
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

/// How many areas more are held by one, two, three, four or more stones.
fn leads(position: &QuantumControl, terms: &mut [i32; 4]) {
    for lead in Leads::of(position).0 {
        if lead != 0 {
            terms[(lead.abs() - 1).min(3) as usize] += lead.signum();
        }
    }
}

/// Areas by lead; the right to move; who captured last; captures; stones by their friends, none to
/// four or more: of the side to move, less those of the other. And how many captures there are.
fn capture_terms(position: &QuantumControl) -> ([i32; 12], i32) {
    let side = position.side();
    let (own, enemy) = (position.jumpers(side), position.jumpers(!side));
    let (captures, threats) = (own.count() as i32, enemy.count() as i32);
    let mut areas = [0; 4];
    leads(position, &mut areas);
    let [one, two, three, four] = areas;
    let last = position.last_capturer().map_or(0, |last| if last == side { 1 } else { -1 });
    let with = |friends| own.with_friends(friends).len() as i32 - enemy.with_friends(friends).len() as i32;
    let many = with(4) + with(5) + with(6);
    let terms =
        [one, two, three, four, 1, last, captures - threats, with(0), with(1), with(2), with(3), many];
    (terms, captures + threats)
}

/// Areas by lead; the right to move; stones on the rim and on hubs: of the side to move, less those
/// of the other. And how many stones there are.
fn placement_terms(position: &QuantumControl) -> ([i32; 7], i32) {
    let (own, enemy) = (position.stones(position.side()), position.stones(!position.side()));
    let mut areas = [0; 4];
    leads(position, &mut areas);
    let [one, two, three, four] = areas;
    let on = |cells: CellSet| (own & cells).len() as i32 - (enemy & cells).len() as i32;
    ([one, two, three, four, 1, on(*RIM), on(HUBS)], (own | enemy).len() as i32)
}

impl Tree for QuantumControlTree {
    type Game = QuantumControl;
    type Step = Step;
    type Weights = QuantumControlWeights;

    const CODES: usize = 64 * 64;
    const MARGIN: i32 = 40;
    const REPEATS: bool = false;

    fn root(state: &QuantumControl) -> QuantumControlTree {
        QuantumControlTree(Place::Start(*state))
    }

    fn side(&self) -> Side {
        self.position().side()
    }

    fn mid_turn(&self) -> bool {
        matches!(self.0, Place::Half(_))
    }

    fn ends_turn(&self) -> bool {
        match self.0 {
            Place::Start(position) => position.part() == Phase::Capture || position.places_one(),
            Place::Half(_) => true,
        }
    }

    fn key(&self) -> u64 {
        match &self.0 {
            Place::Start(position) => position.key(),
            Place::Half(half) => half.key(),
        }
    }

    fn outcome(&self, occurrences: u32) -> Option<Outcome> {
        match &self.0 {
            Place::Start(position) => position.outcome(occurrences),
            Place::Half(_) => None,
        }
    }

    fn visit_steps(&self, mut visit: impl FnMut(Prospect<Step>)) {
        let leads = Leads::of(self.position());
        match &self.0 {
            Place::Half(half) => {
                let before = leads.without(half.first());
                let first = before.rank(half.first());
                for cell in half.second_cells() {
                    if before.rank(cell) < first {
                        visit(quiet(Step::Stone(cell), leads.place(cell)));
                    }
                }
            }
            Place::Start(position) if position.part() == Phase::Placement => {
                for cell in position.empty() {
                    if position.places_one() || leads.leaves_second(position, cell) {
                        visit(quiet(Step::Stone(cell), leads.place(cell)));
                    }
                }
            }
            Place::Start(position) => {
                for (from, to) in position.jumpers(position.side()).captures().iter() {
                    visit(quiet(Step::Capture { from, to }, leads.capture(from, to)));
                }
                visit(quiet(Step::Pass, 0));
            }
        }
    }

    fn visit_noisy(&self, _: impl FnMut(Prospect<Step>)) {}

    fn play(&mut self, step: Step) {
        self.0 = match (self.0, step) {
            (Place::Half(half), Step::Stone(cell)) => Place::Start(half.end(cell)),
            (Place::Start(position), Step::Stone(cell)) if !position.places_one() => {
                Place::Half(HalfTurn::new(position, cell))
            }
            (_, step) => {
                let mut position = *self.position();
                position.play(QuantumControlTree::join(&[step]));
                Place::Start(position)
            }
        };
    }

    fn clears_history(&self, _: Step) -> bool {
        true
    }

    fn code(step: Step) -> u16 {
        let code = match step {
            Step::Stone(cell) => cell.index() << 6 | cell.index(),
            Step::Capture { from, to } => from.index() << 6 | to.index(),
            Step::Pass => 63 << 6 | 63,
        };
        code as u16
    }

    fn evaluate(&self, weights: &QuantumControlWeights) -> i32 {
        let position = self.position();
        if position.part() == Phase::Placement {
            let (terms, stones) = placement_terms(position);
            return weights.placement.weigh(&terms, stones);
        }
        let (terms, captures) = capture_terms(position);
        weights.capture.weigh(&terms, captures)
    }

    fn appraise(&self, weights: &QuantumControlWeights) -> Result<i32, Outcome> {
        let position = self.position();
        if position.part() == Phase::Placement {
            return Ok(self.evaluate(weights));
        }
        let (terms, captures) = capture_terms(position);
        if captures == 0 || position.passes() == 2 {
            return Err(position.outcome(1).expect("two passes, or no captures, end the game"));
        }
        Ok(weights.capture.weigh(&terms, captures))
    }

    fn material(&self) -> i32 {
        Leads::of(self.position()).0.iter().map(|&lead| 100 * lead.signum()).sum()
    }

    fn join(steps: &[Step]) -> Move {
        match *steps {
            [Step::Stone(first), Step::Stone(second)] => Move::pair(first, second),
            [Step::Stone(cell)] => Move::Place(cell),
            [Step::Capture { from, to }] => Move::Capture { from, to },
            _ => Move::Pass,
        }
    }
}

/// Nothing is noisy here: every step of capture play is a capture.
fn quiet(step: Step, promise: i32) -> Prospect<Step> {
    Prospect { step, promise, noisy: false }
}

impl QuantumControlTree {
    fn position(&self) -> &QuantumControl {
        match &self.0 {
            Place::Start(position) => position,
            Place::Half(half) => half.position(),
        }
    }
}

/// How many stones more the side to move has in each area.
struct Leads([i32; 7]);

impl Leads {
    fn of(position: &QuantumControl) -> Leads {
        let own = position.stones(position.side());
        let enemy = position.stones(!position.side());
        Leads(AREAS.map(|area| (own & area).len() as i32 - (enemy & area).len() as i32))
    }

    /// What a stone placed here adds.
    fn place(&self, cell: Cell) -> i32 {
        let lead = self.0[area(cell)];
        worth(lead + 1) - worth(lead)
    }

    /// Of the two stones of a turn, the one with the higher rank is put down first, so that each
    /// pair is walked once, and good stones soon.
    fn rank(&self, cell: Cell) -> (i32, usize) {
        (self.place(cell), cell.index())
    }

    /// Whether a second stone may follow this first one.
    fn leaves_second(&self, position: &QuantumControl, first: Cell) -> bool {
        let seconds = HalfTurn::new(*position, first).second_cells();
        seconds.into_iter().any(|second| self.rank(second) < self.rank(first))
    }

    /// The leads before this stone of the side to move was put down.
    fn without(&self, first: Cell) -> Leads {
        let mut leads = self.0;
        leads[area(first)] -= 1;
        Leads(leads)
    }

    /// What a capture adds.
    fn capture(&self, from: Cell, to: Cell) -> i32 {
        let (left, taken) = (self.0[area(from)], self.0[area(to)]);
        if area(from) == area(to) {
            return worth(taken + 1) - worth(taken);
        }
        worth(left - 1) - worth(left) + worth(taken + 2) - worth(taken)
    }
}

#[inline]
fn worth(lead: i32) -> i32 {
    LEAD[(lead + 8) as usize & 15]
}

fn area(cell: Cell) -> usize {
    AREA_OF[cell.index()].into()
}

/// The area of each cell, by index.
const AREA_OF: [u8; 64] = {
    let mut area_of = [0; 64];
    let mut area = 0;
    while area < AREAS.len() {
        let mut cells = AREAS[area];
        while let Some(cell) = cells.pop() {
            area_of[cell.index()] = area as u8;
        }
        area += 1;
    }
    area_of
};
