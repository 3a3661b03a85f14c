use super::{Prospect, Quiet, Tree, Weights};
use crate::rules::{Game, Outcome, Side};

/// A game in which a turn is one step, judged by its evaluation.
pub trait Judged: Game {
    type Weights: Weights;

    /// See [`Tree::CODES`].
    const CODES: usize;

    /// See [`Tree::margin`].
    const MARGIN: i32;

    fn quiet(&self) -> Quiet;

    /// Hands over all legal moves.
    fn visit_prospects(&self, visit: impl FnMut(Prospect<Self::Move>));

    /// See [`Tree::visit_noisy`].
    fn visit_noisy(&self, visit: impl FnMut(Prospect<Self::Move>));

    /// See [`Tree::code`].
    fn code(mv: Self::Move) -> u16;

    /// See [`Tree::evaluate`].
    fn evaluate(&self, weights: &Self::Weights) -> i32;

    /// See [`Tree::material`].
    fn material(&self) -> i32;
}

/// A game walked turn by turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WholeTurn<G>(G);

impl<G: Judged> Tree for WholeTurn<G> {
    type Game = G;
    type Step = G::Move;
    type Weights = G::Weights;

    const CODES: usize = G::CODES;
    const REPEATS: bool = true;

    fn root(state: &G) -> WholeTurn<G> {
        WholeTurn(*state)
    }

    fn side(&self) -> Side {
        self.0.side()
    }

    fn mid_turn(&self) -> bool {
        false
    }

    fn ends_turn(&self) -> bool {
        true
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn quiet(&self) -> Quiet {
        self.0.quiet()
    }

    fn outcome(&self, occurrences: u32) -> Option<Outcome> {
        self.0.outcome(occurrences)
    }

    fn visit_steps(&self, above: i32, mut visit: impl FnMut(Prospect<G::Move>)) {
        self.0.visit_prospects(|prospect| {
            if above < prospect.promise {
                visit(prospect);
            }
        });
    }

    fn visit_noisy(&self, visit: impl FnMut(Prospect<G::Move>)) {
        self.0.visit_noisy(visit);
    }

    fn margin(&self) -> i32 {
        G::MARGIN
    }

    fn play(&mut self, step: G::Move) {
        self.0.play(step);
    }

    fn clears_history(&self, step: G::Move) -> bool {
        self.0.clears_history(step)
    }

    fn code(step: G::Move) -> u16 {
        G::code(step)
    }

    fn evaluate(&self, weights: &G::Weights) -> i32 {
        self.0.evaluate(weights)
    }

    fn material(&self) -> i32 {
        self.0.material()
    }

    fn join(steps: &[G::Move]) -> G::Move {
        // A turn is one step, so the last is the only one.
        *steps.last().expect("a turn has a step")
    }
}
