use std::{convert::Infallible, ops::ControlFlow};

use super::Game;

/// Counts the move sequences of length `depth`, each legal. Sequences that end earlier do not
/// count; the last ply is counted in bulk. Repetition is not looked at: it takes more plies than
/// anybody counts.
pub fn perft<G: Game>(state: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.outcome(1).is_some() {
        return 0;
    }
    if depth == 1 {
        return state.count_moves();
    }
    let mut nodes = 0;
    let ControlFlow::Continue(()) = state.visit_moves::<Infallible>(|mv| {
        let mut next = *state;
        next.play(mv);
        nodes += perft(&next, depth - 1);
        ControlFlow::Continue(())
    });
    nodes
}
