//! What searches find with few nodes, to the node: a change of behaviour shows here.

use boardkeeper::{
    rules::{
        kvantumsakk::Kvantumsakk, quantum::Quantum, quantum_control::QuantumControl, surakarta::Surakarta,
    },
    search::{Bot, LEVELS, Limits, MAX_TIME, Searchable, Searcher},
};

use super::think::{Chance, random_game, think};

#[test]
fn quantum_control() {
    assert_eq!(searches::<QuantumControl>(), QUANTUM_CONTROL);
}

#[test]
fn surakarta() {
    assert_eq!(searches::<Surakarta>(), SURAKARTA);
}

#[test]
fn quantum() {
    assert_eq!(searches::<Quantum>(), QUANTUM);
}

#[test]
fn kvantumsakk() {
    assert_eq!(searches::<Kvantumsakk>(), KVANTUMSAKK);
}

const QUANTUM_CONTROL: [&str; 6] = [
    "e2+h8 -0.02 depth 2 nodes 20000",
    "e2+e8 -0.32 depth 2 nodes 20000",
    "b2+e2 -0.58 depth 3 nodes 20000",
    "c3+e6 +1.81 depth 5 nodes 1990",
    "c6xe8 +3.12 depth 5 nodes 4313",
    "e4xg4 +2.40 depth 5 nodes 2981",
];

const SURAKARTA: [&str; 6] = [
    "d5-c4 +0.04 depth 5 nodes 9160",
    "d1xf3[top-right] +0.27 depth 5 nodes 4675",
    "d3xd1[top-right] +0.89 depth 5 nodes 4039",
    "a2-a3 -0.94 depth 5 nodes 7125",
    "a3xc2[top-left] +0.11 depth 5 nodes 5642",
    "c1xf3[top-left] -1.46 depth 5 nodes 9420",
];

const QUANTUM: [&str; 6] = [
    "i1-j1 +0.32 depth 5 nodes 20000",
    "b5-a6 +0.11 depth 5 nodes 20000",
    "d2xe3 +0.45 depth 5 nodes 8387",
    "g6xg5 +0.14 depth 5 nodes 13631",
    "g5xg6 +1.24 depth 5 nodes 15041",
    "b6-b5 -0.26 depth 5 nodes 15003",
];

const KVANTUMSAKK: [&str; 6] = [
    "4:f1+f2 +0.12 depth 4 nodes 20000",
    "4:e7xe2 +0.77 depth 5 nodes 20000",
    "3:d1+f2 +0.58 depth 3 nodes 20000",
    "3:b3xa1 +0.61 depth 5 nodes 14816",
    "3:d5xe7 +2.40 depth 5 nodes 20000",
    "1:f3xe2 -1.87 depth 5 nodes 20000",
];

/// What Five finds in six positions of random games, with 20,000 nodes or five turns: the move, its
/// score, the depth and the nodes.
fn searches<G: Searchable>() -> Vec<String> {
    let chance = Chance::new(17);
    let mut searcher = Searcher::default();
    let mut found = Vec::new();
    for ply in [2, 9, 16, 23, 30, 37] {
        let record = loop {
            let game = random_game::<G>(&G::Options::default(), &chance, ply + 1);
            if let Some(record) = game.into_iter().nth(ply)
                && 1 < record.state().count_moves()
            {
                break record;
            }
        };
        let bot = Bot { limits: Limits::new(5, 20_000, MAX_TIME), ..LEVELS[4].bot(1) };
        let line = think(&mut searcher, &record, bot).expect("the game goes on");
        let text = record.state().describe(line.best).text;
        found.push(format!("{text} {} depth {} nodes {}", line.score, line.depth, line.nodes));
    }
    found
}
