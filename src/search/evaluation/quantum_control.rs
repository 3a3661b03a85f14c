use crate::{
    rules::{
        Game, Outcome, Side,
        quantum_control::{AREAS, Cell, HalfTurn, Move, Phase, QuantumControl},
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

/// What an area is worth to the side that has from 8 stones fewer to 7 stones more in it.
const LEAD: [i32; 16] = [-100, -100, -100, -98, -93, -85, -72, -50, 0, 50, 72, 85, 93, 98, 100, 100];

/// What the terms weigh, in hundredths of an area.
#[derive(Clone, Copy, Debug)]
pub struct QuantumControlWeights {
    /// A capture more than the other side has.
    mobility: i32,
}

impl Weights for QuantumControlWeights {
    const TUNED: QuantumControlWeights = QuantumControlWeights { mobility: 4 };

    fn named(&mut self, name: &str) -> Option<&mut i32> {
        match name {
            "mobility" => Some(&mut self.mobility),
            _ => None,
        }
    }
}

impl Tree for QuantumControlTree {
    type Game = QuantumControl;
    type Step = Step;
    type Weights = QuantumControlWeights;

    const CODES: usize = 64 * 64;
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
        let captures = |side| position.jumpers(side).count() as i32;
        let mobility = captures(position.side()) - captures(!position.side());
        Leads::of(position).worth() + weights.mobility * mobility
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

    fn worth(&self) -> i32 {
        self.0.iter().map(|&lead| worth(lead)).sum()
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
