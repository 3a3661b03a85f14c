use std::time::Duration;

use super::{Score, StopReason, Tree, Weights, seed::Seed};
use crate::rules::Game;

/// What a search has found: its answer, or how far it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// The move to play.
    pub best: M,
    /// The best play found for both sides, `best` first. Legal from the root on.
    pub main_line: Vec<M>,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Whole turns that were searched to their end; 0 where not even one was.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search started.
    pub elapsed: Duration,
    /// Why the search ended. `None` in a report of progress.
    pub stop: Option<StopReason>,
}

impl<M: Copy> Line<M> {
    /// The answer of a search that has not begun: this turn.
    pub(super) fn before<T>(root: &T, turn: &[T::Step]) -> Line<M>
    where
        T: Tree,
        T::Game: Game<Move = M>,
    {
        let best = T::join(turn);
        Line {
            best,
            main_line: vec![best],
            score: Score::new(root.evaluate(&T::Weights::TUNED), false),
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            stop: None,
        }
    }

    /// Takes over what a search has found, if that is anything.
    pub(super) fn take(&mut self, main_line: Vec<M>) {
        if let Some(best) = main_line.first() {
            self.best = *best;
            self.main_line = main_line;
        }
    }
}

/// The turn that looks best without a search, and whether it is the only one. `None` where the rules
/// leave no move.
pub(super) fn first_turn<T: Tree>(root: &T, seed: Seed) -> Option<(Vec<T::Step>, bool)> {
    let mut tree = *root;
    let (mut turn, mut only) = (Vec::new(), true);
    loop {
        let mut steps = Vec::new();
        tree.visit_steps(i32::MIN, |prospect| steps.push(prospect));
        seed.shuffle(&mut steps);
        let step = steps.iter().max_by_key(|prospect| prospect.promise)?.step;
        only &= steps.len() == 1;
        turn.push(step);
        tree.play(step);
        if !tree.mid_turn() {
            return Some((turn, only));
        }
    }
}

/// Joins steps into moves. A turn that the steps leave unfinished is left out.
pub(super) fn moves<T: Tree>(root: &T, steps: &[T::Step]) -> Vec<<T::Game as Game>::Move> {
    let mut tree = *root;
    let mut moves = Vec::new();
    let mut begun = 0;
    for (index, step) in steps.iter().enumerate() {
        tree.play(*step);
        if !tree.mid_turn() {
            moves.push(T::join(&steps[begun..=index]));
            begun = index + 1;
        }
    }
    moves
}
