//! Quantum in games and positions that chance makes, against the slow rules and against itself.

use std::collections::BTreeSet;

use boardkeeper::rules::{
    Game, MoveError, Record, Side,
    quantum::{Board, Quantum, QuantumOptions},
};
use proptest::prelude::*;

use super::{
    quantum::{STARTS, check_listed, options},
    quantum_slow::{SlowQuantum, rank_text},
};

fn any_options() -> impl Strategy<Value = QuantumOptions> {
    let board = prop::sample::select(Board::ALL.to_vec());
    let move_limit = prop_oneof![1..=40_u16, Just(100), Just(1000)];
    (board, move_limit).prop_map(|(board, move_limit)| QuantumOptions { board, move_limit })
}

/// The usual start, a position of the conformance files, or one that no game may lead to.
fn any_start() -> impl Strategy<Value = Quantum> {
    let usual = any_options().prop_map(|options| Quantum::start(&options));
    prop_oneof![usual, prop::sample::select(recorded_positions()), set_up()]
}

/// All pieces shuffled and piled up into towers of any height, on any squares, game not over.
fn set_up() -> impl Strategy<Value = Quantum> {
    let pieces: Vec<char> = "SSSSSSCCCCCCXXXXssssssccccccxxxx".chars().collect();
    let heights = prop::collection::vec(1..=6_usize, 4..20);
    let made = (any_options(), Just(pieces).prop_shuffle(), heights, any::<u64>());
    made.prop_filter_map("over, or three fixed towers", |(options, pieces, heights, seed)| {
        let text = pile_up(options.board, pieces, heights, &mut Chance(seed));
        let state = Quantum::read_position(&text, &options).ok()?;
        state.outcome(1).is_none().then_some(state)
    })
}

fn pile_up(board: Board, pieces: Vec<char>, heights: Vec<usize>, chance: &mut Chance) -> String {
    let files = usize::from(board.files());
    let mut squares = vec![String::new(); files * usize::from(board.ranks())];
    let mut pieces = pieces.into_iter();
    for height in heights {
        let at = chance.below(squares.len());
        if squares[at].is_empty() {
            squares[at] = pieces.by_ref().take(height).collect();
        }
    }
    let rows: Vec<String> = squares.chunks(files).map(rank_text).collect();
    format!("{} {} 0", rows.join("/"), if chance.below(2) == 0 { 'w' } else { 'b' })
}

fn recorded_positions() -> Vec<Quantum> {
    let lines = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/moves-quantum.jsonl")).lines();
    let read = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let board = line["options"]["board"].as_str().and_then(Board::from_name).unwrap_or_default();
        Quantum::read_position(line["position"].as_str()?, &options(board)).ok()
    };
    lines.map(|line| read(line).expect("a valid position")).collect()
}

/// A reproducible choice of moves that takes rather more often than blind chance would.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn choose(&mut self, state: &Quantum) -> <Quantum as Game>::Move {
        let moves = state.moves();
        let takes: Vec<_> = moves.iter().copied().filter(|&mv| state.clears_history(mv)).collect();
        let among = if takes.is_empty() || self.below(3) != 0 { moves } else { takes };
        among[self.below(among.len())]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn texts_and_keys_hold_through_whole_games(start in any_start(), seed: u64) {
        let mut chance = Chance(seed);
        let mut record = restart(&start);
        while record.outcome().is_none() {
            let state = *record.state();
            check_texts(&state);
            check_counts(&state);
            record.advance(chance.choose(&state));
        }
        let outcome = record.outcome().expect("the game has ended");
        prop_assert!(Quantum::TYPE.reasons.contains(&outcome.reason));
    }

    #[test]
    fn a_slow_second_game_agrees_to_the_end(start in any_start(), seed: u64) {
        let mut chance = Chance(seed);
        let mut record = restart(&start);
        let limit = start.options().move_limit.into();
        let mut slow = SlowQuantum::new(&start.write_position(), limit);
        loop {
            let state = *record.state();
            prop_assert_eq!(slow.text(), state.write_position());
            check_scores(&state, &slow);
            if chance.below(12) == 0 {
                check_legal(&state, &slow);
            }
            let end = record.outcome().map(|o| (o.winner.map(Side::letter), o.reason));
            prop_assert_eq!(slow.end(), end);
            if end.is_some() {
                break;
            }
            let mv = chance.choose(&state);
            slow.play(&state.describe(mv).text);
            record.advance(mv);
        }
    }

    #[test]
    fn listings_are_what_a_slow_checker_accepts(start in any_start()) {
        check_legal(&start, &SlowQuantum::new(&start.write_position(), 100));
    }

    #[test]
    fn illegal_texts_are_refused_by_listed_rules(
        start in any_start(),
        texts in prop::collection::vec("[a-lA-L][1-9][-x][a-l][1-8]|.{0,7}|[ ]?pass", 200),
    ) {
        let legal: BTreeSet<String> = start.listing().into_iter().map(|view| view.text).collect();
        for text in texts {
            match start.read_move(&text) {
                Ok(mv) => prop_assert!(legal.contains(&start.describe(mv).text)),
                Err(MoveError::Illegal(breach)) => check_listed(&breach),
                Err(MoveError::Malformed { expected }) => prop_assert!(expected.contains("such as b2-b3")),
            }
        }
    }

    #[test]
    fn only_canonical_position_texts_are_read(
        options in any_options(),
        text in any_position_text(),
    ) {
        if let Ok(state) = Quantum::read_position(&text, &options) {
            prop_assert_eq!(state.write_position(), text);
            prop_assert_eq!(state.key(), state.key_from_scratch());
            let _ = state.outcome(1);
            let _ = state.listing();
        }
    }
}

fn restart(start: &Quantum) -> Record<Quantum> {
    Record::from_position(&start.write_position(), &start.options()).expect("a position that goes on")
}

fn check_texts(state: &Quantum) {
    let text = state.write_position();
    assert_eq!(Quantum::read_position(&text, &state.options()).as_ref(), Ok(state));
    for view in state.listing() {
        let mv = state.read_move(&view.text).expect("a listed move");
        assert_eq!(state.describe(mv), view);
        let loud = format!(" {}\t", view.text.to_uppercase().replace('X', "x"));
        assert_eq!(state.read_move(&loud), Ok(mv));
    }
}

fn check_counts(state: &Quantum) {
    assert_eq!(state.count_moves(), state.moves().len() as u64);
    assert_eq!(state.key(), state.key_from_scratch());
    for mv in state.moves() {
        let mut next = *state;
        next.play(mv);
        assert_eq!(next.key(), next.key_from_scratch());
        assert!(!next.same_position(state) && next.side() != state.side());
    }
}

fn check_scores(state: &Quantum, slow: &SlowQuantum) {
    let [fixed, pieces] = state.scores()[..] else { panic!("two scores") };
    assert_eq!((fixed.name, pieces.name), ("fixed_towers", "pieces"));
    for side in Side::BOTH {
        assert_eq!(fixed.points[side] as usize, slow.fixed(side.letter()));
        assert_eq!(pieces.points[side] as usize, slow.pieces(side.letter()));
    }
    let standing: u32 = state.cells().iter().map(|cell| cell.count).sum();
    assert_eq!(standing, pieces.points.black + pieces.points.white);
}

/// Every pair of squares with either sign: the slow game allows exactly what is listed and read.
fn check_legal(state: &Quantum, slow: &SlowQuantum) {
    let allowed = slow.legal();
    let listed: Vec<String> = state.listing().into_iter().map(|view| view.text).collect();
    assert_eq!(listed, allowed, "in {}", state.write_position());
    let points: Vec<_> = Quantum::geometry(&state.options()).points.iter().map(|point| point.name).collect();
    for from in &points {
        for to in &points {
            for sign in ['-', 'x'] {
                let text = format!("{from}{sign}{to}");
                match state.read_move(&text) {
                    Ok(_) => assert!(allowed.contains(&text), "{text} in {}", state.write_position()),
                    Err(MoveError::Illegal(breach)) => {
                        check_listed(&breach);
                        assert!(!allowed.contains(&text), "{text} in {}", state.write_position());
                    }
                    Err(error) => panic!("{text}: {error}"),
                }
            }
        }
    }
}

/// Texts near to valid ones: a start with some characters exchanged.
fn any_position_text() -> impl Strategy<Value = String> {
    let characters: Vec<char> = "SCXscx0123456789,/ wb-+".chars().collect();
    let change = (any::<prop::sample::Index>(), prop::sample::select(characters));
    let changes = prop::collection::vec(change, 0..5);
    (prop::sample::select(STARTS.to_vec()), changes).prop_map(|(start, changes)| {
        let mut characters: Vec<char> = start.chars().collect();
        for (index, character) in changes {
            let at = index.index(characters.len());
            characters[at] = character;
        }
        characters.into_iter().collect()
    })
}
