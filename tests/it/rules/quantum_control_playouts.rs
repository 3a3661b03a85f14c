//! Quantum Control in random games and on random boards, against its slow reading.

use std::{collections::BTreeMap, fs};

use boardkeeper::rules::{
    Action, Game, MoveError, MoveView, Outcome, Record, Side,
    quantum_control::{QuantumControl, QuantumControlOptions},
};
use proptest::{prelude::*, sample::Index};

use super::{
    quantum_control::{START, check_refusal, read},
    quantum_control_slow::Slow,
};

/// No game is longer: 25 turns of placement, 48 captures with a pass before each, two passes.
const LONGEST: usize = 25 + 2 * 48 + 2;

/// Positions of every kind: the start and those of the conformance files.
fn positions() -> Vec<String> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/moves-quantum-control.jsonl");
    let text = fs::read_to_string(data).unwrap();
    let position = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["position"].as_str().unwrap().to_owned()
    };
    std::iter::once(START.to_owned()).chain(text.lines().map(position)).collect()
}

/// Any stones in capture play, where the game goes on: few and many, all distances.
fn set_up() -> impl Strategy<Value = String> {
    let thin = prop::collection::vec(prop_oneof![8 => Just('.'), 1 => Just('b'), 1 => Just('w')], 49);
    let thick = prop::collection::vec(prop_oneof![1 => Just('.'), 4 => Just('b'), 4 => Just('w')], 49);
    let one_sided = prop::collection::vec(prop_oneof![5 => Just('.'), 6 => Just('b'), 1 => Just('w')], 49);
    let fields = prop_oneof![Just(" b c 0 w"), Just(" w c 0 b"), Just(" b c 1 b"), Just(" w c 1 w")];
    (prop_oneof![thin, thick, one_sided], fields).prop_filter_map("the game goes on", |(stones, fields)| {
        let mut stones = stones.into_iter();
        let rows = START.split(' ').next()?.chars();
        let rows = rows.map(|cell| if cell == '.' { stones.next() } else { Some(cell) });
        let text = rows.collect::<Option<String>>()? + fields;
        Record::<QuantumControl>::from_position(&text, &QuantumControlOptions).ok().map(|_| text)
    })
}

/// A position to start from, and what to choose ply by ply.
fn playout() -> impl Strategy<Value = (String, Vec<Index>)> {
    let from = prop_oneof![Just(START.to_owned()), prop::sample::select(positions()), set_up()];
    (from, prop::collection::vec(any::<Index>(), LONGEST))
}

/// Plays at random to the end, and hands over each position before its move.
fn play_out(
    from: &str,
    choices: &[Index],
    mut at: impl FnMut(&Record<QuantumControl>, &MoveView),
) -> (QuantumControl, Outcome) {
    let mut record = Record::<QuantumControl>::from_position(from, &QuantumControlOptions).unwrap();
    for choice in choices {
        if let Some(outcome) = record.outcome() {
            return (*record.state(), outcome);
        }
        let moves = record.state().moves();
        let mv = moves[choice.index(moves.len())];
        at(&record, &record.state().describe(mv));
        record.advance(mv);
    }
    panic!("{} goes on after {LONGEST} turns", record.state().write_position());
}

fn check_position(state: &QuantumControl, slow: &Slow) {
    let text = state.write_position();
    assert_eq!(text, slow.write());
    assert_eq!(read(&text), *state);
    assert_eq!(state.key(), state.key_from_scratch(), "{text}");
    assert_eq!(state.count_moves(), state.moves().len() as u64, "{text}");
    assert_eq!(state.outcome(1), None, "{text}");
    assert_eq!(slow.ending(), None, "{text}");
    check_scores(state, slow);
}

fn check_scores(state: &QuantumControl, slow: &Slow) {
    let scores: BTreeMap<&str, (u32, u32)> =
        state.scores().iter().map(|score| (score.name, (score.points.black, score.points.white))).collect();
    let expected =
        [("areas", (slow.areas('b'), slow.areas('w'))), ("stones", (slow.count('b'), slow.count('w')))];
    assert_eq!(scores, BTreeMap::from(expected));
}

fn check_listing(state: &QuantumControl, slow: &Slow) {
    let listing = state.listing();
    let texts: Vec<&str> = listing.iter().map(|view| view.text.as_str()).collect();
    let legal = slow.legal();
    assert!(texts.iter().copied().eq(legal.iter()), "{}: {texts:?}", slow.write());
    for mv in state.moves() {
        let text = state.describe(mv).text;
        assert_eq!(state.read_move(&text), Ok(mv), "{text}");
        assert_eq!(state.read_move(&format!(" {}\n", typed_differently(&text))), Ok(mv), "{text}");
    }
}

/// The same move as input may have it: rows in upper case, two stones in the other order.
fn typed_differently(text: &str) -> String {
    let upper = |cell: &str| cell.to_uppercase();
    match (text.split_once('+'), text.split_once('x')) {
        (Some((a, b)), _) => format!("{}+{}", upper(b), upper(a)),
        (_, Some((from, to))) => format!("{}x{}", upper(from), upper(to)),
        _ if text == "pass" => text.to_owned(),
        _ => upper(text),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn games_are_those_of_the_slow_rules((from, choices) in playout()) {
        let mut slow = Slow::read(&from);
        let (state, outcome) = play_out(&from, &choices, |record, mv| {
            check_position(record.state(), &slow);
            assert!(slow.accepts(&mv.text), "{} in {}", mv.text, slow.write());
            slow = slow.after(&mv.text);
        });
        prop_assert_eq!(state.write_position(), slow.write());
        let winner = outcome.winner.map(Side::letter);
        prop_assert_eq!(winner.map(|winner| (winner, outcome.reason)), slow.ending());
        check_scores(&state, &slow);
    }

    #[test]
    fn listings_are_those_of_the_slow_rules((from, choices) in playout(), ply in any::<Index>()) {
        let mut plies = Vec::new();
        play_out(&from, &choices, |record, _| plies.push(*record.state()));
        let state = plies[ply.index(plies.len())];
        check_listing(&state, &Slow::read(&state.write_position()));
    }

    #[test]
    fn what_is_not_legal_is_refused_by_a_listed_rule(from in prop_oneof![prop::sample::select(positions()), set_up()]) {
        let (state, slow) = (read(&from), Slow::read(&from));
        for text in slow.texts() {
            match state.read_move(&text) {
                Ok(mv) => prop_assert_eq!((state.describe(mv).text, slow.accepts(&text)), (text, true)),
                Err(MoveError::Malformed { .. }) => prop_assert!(false, "{} has the form of a move", text),
                Err(error) => {
                    prop_assert!(!slow.accepts(&text), "{} in {}: {}", text, from, error);
                    check_refusal(&error);
                }
            }
        }
    }

    /// No draw is possible: without a capture every area has seven stones, so one side has more.
    #[test]
    fn equal_areas_imply_a_capture((from, choices) in playout()) {
        let mut captured = from.ends_with(" b") || from.ends_with(" w");
        let (state, outcome) = play_out(&from, &choices, |_, mv| captured |= mv.action == Action::Capture);
        let areas = state.scores()[0].points;
        prop_assert!(captured || areas.black != areas.white);
        prop_assert!(outcome.winner.is_some());
    }

    #[test]
    fn any_text_is_read_or_refused(from in prop::sample::select(positions()), text in ".{0,12}|[a-jA-J0-9x+ ]{1,7}") {
        if let Err(error) = read(&from).read_move(&text) {
            check_refusal(&error);
        }
    }

    #[test]
    fn any_position_text_is_read_back_or_refused(
        from in prop::sample::select(positions()),
        at in any::<Index>(),
        with in "[bwpc012./ \\-x]{0,2}|.",
    ) {
        let at = at.index(from.len());
        let text = format!("{}{with}{}", &from[..at], &from[at + 1..]);
        match QuantumControl::read_position(&text, &QuantumControlOptions) {
            Ok(state) => {
                prop_assert_eq!(state.write_position(), text);
                prop_assert_eq!(state.key(), state.key_from_scratch());
            }
            Err(error) => prop_assert!(
                ["position", "rows", "turn", "phase", "passes", "last"].contains(&error.field)
            ),
        }
    }
}
