//! Plain full-width minimax over whole moves, to hold the search against.

use boardkeeper::{
    rules::{Game, Outcome, Record, Side},
    search::{Score, Searchable, Tree, Weights},
};

pub(super) const WON: i32 = 1_000_000;

/// A score as one number, comparable with that of [`minimax`].
pub(super) fn number(score: Score) -> i32 {
    match score {
        Score::Estimate(estimate) => estimate,
        Score::Win { turns } => WON - turns as i32,
        Score::Loss { turns } => turns as i32 - WON,
        Score::Draw => 0,
    }
}

/// What the position is worth to the side to move, `depth` moves deep, the rest by the evaluation
/// after noisy moves. A position that comes again on the way is a draw. `None` where this would take
/// too long.
pub(super) fn minimax<G: Searchable>(record: &Record<G>, depth: u32) -> Option<i32> {
    Minimax { path: Vec::new(), left: POSITIONS }.value(record, depth)
}

/// The same of one move, to the side that makes it.
pub(super) fn minimax_of<G: Searchable>(record: &Record<G>, mv: G::Move, depth: u32) -> Option<i32> {
    Minimax { path: vec![*record.state()], left: POSITIONS }.value_of(record, mv, depth)
}

/// No more positions than this are looked at from one root.
const POSITIONS: u32 = 12_000;

struct Minimax<G> {
    /// The positions from the root to this one.
    path: Vec<G>,
    /// How many positions may still be looked at.
    left: u32,
}

impl<G: Searchable> Minimax<G> {
    fn value(&mut self, record: &Record<G>, depth: u32) -> Option<i32> {
        let state = record.state();
        if G::Tree::REPEATS && again(record, self.path.len()) {
            return Some(0);
        }
        let turns = self.path.len() as i32;
        if let Some(outcome) = record.outcome() {
            return Some(worth(outcome, state.side(), turns));
        }
        if depth == 0 {
            return self.quiet_value(G::Tree::root(state), turns);
        }
        self.path.push(*state);
        let mut best = -WON;
        for mv in state.moves() {
            best = best.max(self.value_of(record, mv, depth)?);
        }
        self.path.pop();
        Some(best)
    }

    /// Of a move, when the path ends with the position in which it is made.
    fn value_of(&mut self, record: &Record<G>, mv: G::Move, depth: u32) -> Option<i32> {
        let mut next = record.clone();
        next.advance(mv);
        let value = self.value(&next, depth - 1)?;
        Some(if next.state().side() == record.state().side() { value } else { -value })
    }

    fn quiet_value(&mut self, tree: G::Tree, turns: i32) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        if let Some(outcome) = tree.outcome(1) {
            return Some(worth(outcome, tree.side(), turns));
        }
        let mut prospects = Vec::new();
        tree.visit_noisy(|prospect| prospects.push(prospect));
        let mut best = tree.evaluate(&Weights::TUNED);
        for prospect in prospects {
            let mut next = tree;
            next.play(prospect.step);
            assert_ne!(next.side(), tree.side(), "a noisy step is a whole turn");
            best = best.max(-self.quiet_value(next, turns + 1)?);
        }
        Some(best)
    }
}

/// Whether one of the last so many positions, as far as they can be repeated, comes again.
fn again<G: Game>(record: &Record<G>, positions: usize) -> bool {
    let past = record.repeatable().split_last().map_or(&[][..], |(_, past)| past);
    past.iter().rev().take(positions).any(|past| past.same_position(record.state()))
}

fn worth(outcome: Outcome, side: Side, turns: i32) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => WON - turns,
        Some(_) => turns - WON,
    }
}
