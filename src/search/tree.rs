use std::fmt;

use super::Quiet;
use crate::rules::{Game, Outcome, Side};

/// A game that bots can play: it says how it is searched and what its positions are worth.
pub trait Searchable: Game {
    type Tree: Tree<Game = Self>;
}

/// A game as the search walks it: single steps, of which a turn takes one or more.
///
/// In most games a step is a move. A turn of Quantum Control's placement is two steps, one stone
/// each: the search asks whose step it is, and never assumes that sides alternate.
pub trait Tree: Copy + Send + Sync + 'static {
    type Game: Game;

    type Step: Copy + Eq + fmt::Debug + Send + Sync + 'static;

    /// What the terms of the evaluation weigh.
    type Weights: Weights;

    /// How many codes there are; at most 2^16 - 1. See [`Tree::code`].
    const CODES: usize;

    /// Whether a position can come again.
    const REPEATS: bool;

    /// The root of a search.
    fn root(state: &Self::Game) -> Self;

    fn side(&self) -> Side;

    /// Whether the side to step has begun its turn but not ended it. Never true at a root.
    fn mid_turn(&self) -> bool;

    /// A hash of all that the rest of the game depends on but [`Tree::quiet`] and the past: equal
    /// for states that repetition calls one position, different between the steps of one turn.
    fn key(&self) -> u64;

    /// How near the move limit is.
    fn quiet(&self) -> Quiet {
        Quiet::UNLIMITED
    }

    /// How the game has ended, given how often this position has occurred. Never in mid-turn.
    fn outcome(&self, occurrences: u32) -> Option<Outcome>;

    /// Whether the next step ends the turn.
    fn ends_turn(&self) -> bool;

    /// Hands over the legal steps that promise more than this. There is at least one legal step where the
    /// game is not over.
    fn visit_steps(&self, above: i32, visit: impl FnMut(Prospect<Self::Step>));

    /// Hands over the noisy steps only.
    fn visit_noisy(&self, visit: impl FnMut(Prospect<Self::Step>));

    /// By how much one turn that is no noisy step changes an estimate, or a noisy one beside its
    /// promise, hardly ever more; in the unit of estimates.
    fn margin(&self) -> i32;

    /// Plays a legal step.
    fn play(&mut self, step: Self::Step);

    /// Whether no earlier position can come again after this step.
    fn clears_history(&self, step: Self::Step) -> bool;

    /// A number below [`Tree::CODES`] that tells the steps of one position apart, and is the same for
    /// the same step in different positions as far as possible.
    fn code(step: Self::Step) -> u16;

    /// What a position that is not over is worth to the side to step, in the unit of
    /// [`Score::Estimate`](super::Score::Estimate), strictly within ±[`EVALUATION_LIMIT`](super::EVALUATION_LIMIT). Depends on what
    /// [`Tree::key`] hashes, and on the move limit only by [`Quiet::fade`]. Not asked in mid-turn.
    fn evaluate(&self, weights: &Self::Weights) -> i32;

    /// [`Tree::outcome`] if there is one, else [`Tree::evaluate`]: together they may be cheaper.
    fn appraise(&self, occurrences: u32, weights: &Self::Weights) -> Result<i32, Outcome> {
        match self.outcome(occurrences) {
            Some(outcome) => Err(outcome),
            None => Ok(self.evaluate(weights)),
        }
    }

    /// How many pieces or areas the side to step has more, in hundredths: all that the plain search sees.
    fn material(&self) -> i32;

    /// The move made of the steps of one whole turn, in the order in which they were walked.
    fn join(steps: &[Self::Step]) -> <Self::Game as Game>::Move;
}

/// A legal step, and how it looks at first sight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prospect<S> {
    pub step: S,
    /// A guess of how much better it makes things for the side to step, in the unit of estimates.
    pub promise: i32,
    /// Whether quiescence looks at it: a capture that matters. Never in mid-turn.
    pub noisy: bool,
}

/// What the terms of an evaluation weigh, found by self-play.
pub trait Weights: Copy + Send + Sync + 'static {
    /// The weights that bots play with.
    const TUNED: Self;

    /// Hands over each weight by its name, to be changed.
    fn visit(&mut self, visit: &mut dyn FnMut(&str, &mut i32));
}
