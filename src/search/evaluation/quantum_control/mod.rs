mod leads;
mod promise;
mod weights;

use leads::Leads;
use promise::Promises;
use weights::{QuantumControlWeights, capture_terms, placement_terms, stones};

use crate::{
    rules::{
        Game, Outcome, Side,
        quantum_control::{Cell, HalfTurn, Move, Phase, QuantumControl},
    },
    search::{Prospect, Searchable, Tree},
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

    fn visit_steps(&self, above: i32, mut visit: impl FnMut(Prospect<Step>)) {
        let leads = Leads::of(self.position());
        let mut visit = |step, promise| {
            if above < promise {
                visit(Prospect { step, promise, noisy: false });
            }
        };
        match &self.0 {
            Place::Half(half) => {
                let before = leads.without(half.first());
                let first = before.rank(half.first());
                for cell in half.second_cells() {
                    if before.rank(cell) < first {
                        visit(Step::Stone(cell), leads.place(cell));
                    }
                }
            }
            Place::Start(position) if position.part() == Phase::Placement => {
                for cell in position.empty() {
                    if position.places_one() || leads.leaves_second(position, cell) {
                        visit(Step::Stone(cell), leads.place(cell));
                    }
                }
            }
            Place::Start(position) => {
                let promises = Promises::of(position, &leads);
                position.jumpers(position.side()).captures().iter().for_each(|(from, to)| {
                    visit(Step::Capture { from, to }, promises.of_capture(from, to));
                });
                visit(Step::Pass, -promises.turn);
            }
        }
    }

    /// Nothing is noisy here: every step of capture play is a capture.
    fn visit_noisy(&self, _: impl FnMut(Prospect<Step>)) {}

    /// The fewer stones there are, the more hangs on each.
    fn margin(&self) -> i32 {
        48 + 5 * (38 - stones(self.position())).max(0)
    }

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

    fn appraise(&self, _: u32, weights: &QuantumControlWeights) -> Result<i32, Outcome> {
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

impl QuantumControlTree {
    fn position(&self) -> &QuantumControl {
        match &self.0 {
            Place::Start(position) => position,
            Place::Half(half) => half.position(),
        }
    }
}
