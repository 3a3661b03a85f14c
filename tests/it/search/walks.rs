//! The search's walk over a game agrees with the game.

use boardkeeper::{
    rules::{
        kvantumsakk::Kvantumsakk, quantum::Quantum, quantum_control::QuantumControl, surakarta::Surakarta,
    },
    search::{EVALUATION_LIMIT, Prospect, Searchable, Tree, Weights},
};

use super::think::{Chance, random_game};

#[test]
fn quantum_control() {
    walks::<QuantumControl>();
}

#[test]
fn surakarta() {
    walks::<Surakarta>();
}

#[test]
fn quantum() {
    walks::<Quantum>();
}

#[test]
fn kvantumsakk() {
    walks::<Kvantumsakk>();
}

/// In random games: the turns that steps make up are the legal moves, each once; steps have codes of
/// their own; promises and estimates keep their bounds; noisy steps are steps.
fn walks<G: Searchable>() {
    let chance = Chance::new(2);
    for _ in 0..4 {
        for record in random_game::<G>(&G::Options::default(), &chance, 120) {
            let state = record.state();
            let root = G::Tree::root(state);
            let mut turns = Vec::new();
            turns_from(state, &root, &mut Vec::new(), &mut turns);
            let count = turns.len();
            turns.sort_by_key(|mv| state.describe(*mv).text);
            turns.dedup();
            assert_eq!(count, turns.len(), "a turn is walked twice: {}", state.write_position());
            let moves = state.moves();
            assert_eq!(moves.len(), turns.len(), "{}", state.write_position());
            assert!(turns.iter().all(|mv| moves.contains(mv)), "{}", state.write_position());
            assert!(
                root.evaluate(&Weights::TUNED).abs() < EVALUATION_LIMIT
                    && root.material().abs() < EVALUATION_LIMIT
            );
        }
    }
}

fn turns_from<G: Searchable>(
    state: &G,
    tree: &G::Tree,
    begun: &mut Vec<<G::Tree as Tree>::Step>,
    turns: &mut Vec<G::Move>,
) {
    let mut prospects = Vec::new();
    tree.visit_steps(i32::MIN, |prospect| prospects.push(prospect));
    above(tree, &prospects);
    assert!(prospects.iter().all(|prospect| prospect.promise.abs() < EVALUATION_LIMIT));
    let steps: Vec<_> = prospects.iter().map(|prospect| prospect.step).collect();
    let mut codes: Vec<u16> = steps.iter().map(|step| G::Tree::code(*step)).collect();
    codes.sort_unstable();
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(codes.iter().all(|code| usize::from(*code) < G::Tree::CODES));
    noisy(tree, prospects);
    for step in steps {
        let mut next = *tree;
        next.play(step);
        begun.push(step);
        if next.mid_turn() {
            turns_from(state, &next, begun, turns);
        } else {
            ends_like::<G>(state, &next, begun);
            turns.push(G::Tree::join(begun));
        }
        begun.pop();
    }
}

/// A threshold leaves out just what does not promise more.
fn above<T: Tree>(tree: &T, prospects: &[Prospect<T::Step>]) {
    for least in [-40, -1, 0, 30, 100] {
        let mut above = Vec::new();
        tree.visit_steps(least, |prospect| above.push(prospect));
        let expected: Vec<_> =
            prospects.iter().filter(|prospect| least < prospect.promise).copied().collect();
        assert_eq!(above, expected);
    }
}

/// Noisy steps are those steps that say so.
fn noisy<T: Tree>(tree: &T, mut steps: Vec<Prospect<T::Step>>) {
    let mut noisy = Vec::new();
    tree.visit_noisy(|prospect| noisy.push(prospect));
    steps.retain(|prospect| prospect.noisy);
    let code = |prospect: &Prospect<T::Step>| T::code(prospect.step);
    noisy.sort_by_key(code);
    steps.sort_by_key(code);
    assert_eq!(noisy, steps);
}

/// The walk ends a turn where the game's own move ends it.
fn ends_like<G: Searchable>(state: &G, tree: &G::Tree, turn: &[<G::Tree as Tree>::Step]) {
    let mut next = *state;
    next.play(G::Tree::join(turn));
    let other = G::Tree::root(&next);
    assert_eq!((tree.key(), tree.side()), (other.key(), other.side()));
    assert_eq!(tree.outcome(1), next.outcome(1));
    assert_eq!(tree.quiet(), other.quiet());
    if tree.outcome(1).is_none() {
        assert_eq!(tree.evaluate(&Weights::TUNED), other.evaluate(&Weights::TUNED));
    }
}
