//! The search with everything on that must not change a value, against plain minimax.

use boardkeeper::{
    rules::{
        Record, kvantumsakk::Kvantumsakk, quantum::Quantum, quantum_control::QuantumControl,
        surakarta::Surakarta,
    },
    search::{Searchable, Searcher, StopReason, Tree},
};

use super::{
    minimax::{minimax, minimax_of, number},
    think::{Chance, five, random_game, think},
};

/// So many positions are compared, each as deep as so many leaves allow.
const POSITIONS: usize = 300;
const LEAVES: u64 = 4_000;

/// Deeper than this, what the table knows of a position can be a draw by a repetition that another
/// way to it would not make.
const MOST_WITH_REPETITION: u32 = 4;

#[test]
fn quantum_control() {
    equals_minimax::<QuantumControl>();
}

#[test]
fn surakarta() {
    equals_minimax::<Surakarta>();
}

#[test]
fn quantum() {
    equals_minimax::<Quantum>();
}

#[test]
fn kvantumsakk() {
    equals_minimax::<Kvantumsakk>();
}

fn equals_minimax<G: Searchable>() {
    let chance = Chance::new(7);
    let mut searcher = Searcher::full_width();
    let mut compared = 0;
    while compared < POSITIONS {
        let game = random_game::<G>(&G::Options::default(), &chance, 400);
        let record = &game[chance.below(game.len())];
        let depth = affordable(record.state());
        if 0 < depth && 1 < record.state().count_moves() {
            compared += usize::from(compare(&mut searcher, record, depth).is_some());
        }
    }
}

/// Compares the score, and the score of the move that is called best, where minimax can tell.
fn compare<G: Searchable>(searcher: &mut Searcher, record: &Record<G>, depth: u32) -> Option<()> {
    let line = think(searcher, record, five(depth)).expect("the game goes on");
    let text = record.state().write_position();
    if line.stop == Some(StopReason::Nodes) {
        return None;
    }
    assert!(line.depth == depth || line.score.is_proven(), "{text}: stopped by {:?}", line.stop);
    assert_eq!(number(line.score), minimax(record, line.depth)?, "{text} at depth {}", line.depth);
    let best = minimax_of(record, line.best, line.depth)?;
    assert_eq!(number(line.score), best, "{text}: {}", record.state().describe(line.best).text);
    Some(())
}

/// How deep a full tree of [`LEAVES`] leaves is.
fn affordable<G: Searchable>(state: &G) -> u32 {
    let width = state.count_moves().max(2);
    let most = if G::Tree::REPEATS { MOST_WITH_REPETITION } else { 8 };
    (1..=most).take_while(|&depth| width.pow(depth) <= LEAVES).last().unwrap_or(0)
}
