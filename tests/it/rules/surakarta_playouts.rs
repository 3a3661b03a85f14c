//! Surakarta on random boards and in random games, against its slow reading.

use std::collections::{BTreeMap, BTreeSet};

use boardkeeper::rules::{Action, Game, MoveError, Record, Side, surakarta::Surakarta};
use proptest::prelude::*;
use serde::Deserialize;

use super::{
    surakarta::{START, SurakartaOptions, options, position},
    surakarta_slow::{self as slow, Position},
};

const ARCS: [&str; 4] = ["bottom-left", "bottom-right", "top-left", "top-right"];

#[derive(Deserialize)]
struct Listing {
    position: String,
}

/// Positions of the conformance files, the start among them.
fn starts() -> Vec<String> {
    let files = [
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/moves-surakarta.jsonl")),
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/edges-surakarta.jsonl")),
    ];
    let lines = files.into_iter().flat_map(str::lines);
    let positions = lines.map(|line| serde_json::from_str::<Listing>(line).unwrap().position);
    let open = |text: &String| Record::<Surakarta>::from_position(text, &options(false, 1000)).is_ok();
    positions.filter(open).chain([START.to_owned()]).collect()
}

fn any_start() -> impl Strategy<Value = String> {
    prop_oneof![Just(START.to_owned()), prop::sample::select(starts())]
}

/// Sparse boards, on which long routes and rounds through the own start happen.
fn any_sparse() -> impl Strategy<Value = String> {
    let pieces = prop::collection::btree_map(0..36usize, prop::bool::weighted(0.4), 2..9);
    (pieces, any::<bool>()).prop_filter_map("both sides have pieces", |(pieces, black)| {
        let rows: Vec<String> = (0..6).map(|rank| row(&pieces, rank)).collect();
        let both = [true, false].iter().all(|side| pieces.values().any(|piece| piece == side));
        both.then(|| format!("{} {} 0", rows.join("/"), if black { 'b' } else { 'w' }))
    })
}

fn row(pieces: &BTreeMap<usize, bool>, rank: usize) -> String {
    let letters = (0..6).map(|file| match pieces.get(&(6 * rank + file)) {
        Some(true) => 'b',
        Some(false) => 'w',
        None => '.',
    });
    let mut row: String = letters.collect();
    for run in (1..=6).rev() {
        row = row.replace(&".".repeat(run), &run.to_string());
    }
    row
}

fn any_options() -> impl Strategy<Value = SurakartaOptions> {
    (any::<bool>(), prop_oneof![1..=12u32, Just(50), 1..=1000u32])
        .prop_map(|(majority, limit)| options(majority, limit))
}

/// Plays by these choices, captures preferred now and then, as far as the game goes.
fn playout(text: &str, options: SurakartaOptions, choices: &[u16], mut look: impl FnMut(&Record<Surakarta>)) {
    let Ok(mut game) = Record::<Surakarta>::from_position(text, &options) else { return };
    look(&game);
    for &choice in choices {
        if game.outcome().is_some() {
            break;
        }
        let mut moves = game.state().moves();
        if choice % 3 == 0 && moves.iter().any(|mv| mv.is_capture()) {
            moves.retain(|mv| mv.is_capture());
        }
        game.advance(moves[usize::from(choice) % moves.len()]);
        look(&game);
    }
}

fn check_listing(state: &Surakarta) {
    let slow = Position::read(&state.write_position());
    let views = state.listing();
    assert_eq!(state.count_moves(), views.len() as u64);
    let texts: BTreeSet<String> = views.iter().map(|view| view.text.clone()).collect();
    let captures = slow.captures();
    let listed = captures.values().map(|(first, _)| first.text.clone());
    assert_eq!(texts, slow.quiet_moves().into_iter().chain(listed).collect(), "{}", state.write_position());
    assert!(views.is_sorted_by(|a, b| a.text < b.text));
    for view in views.iter().filter(|view| view.action == Action::Capture) {
        let (first, others) = &captures[&view.text[..5]];
        assert_eq!(view.route, first.points);
        assert!(view.other_texts.iter().eq(others.iter().map(|way| &way.text)));
        for way in others {
            let other = state.describe(state.read_move(&way.text).unwrap());
            assert_eq!(other.text, way.text);
            assert_eq!(other.route, way.points);
        }
    }
}

fn check_texts(state: &Surakarta) {
    for mv in state.moves() {
        let view = state.describe(mv);
        assert_eq!(state.read_move(&view.text), Ok(mv));
        assert_eq!(state.read_move(&view.text[..5]), Ok(mv));
        for other in &view.other_texts {
            let way = state.read_move(other).unwrap();
            assert_ne!(way, mv);
            assert_eq!(state.describe(way).text, *other);
            let (mut one, mut two) = (*state, *state);
            one.play(mv);
            two.play(way);
            assert_eq!(one, two);
        }
    }
}

fn check_refusal(state: &Surakarta, text: &str) {
    if let Err(MoveError::Illegal(breach)) = state.read_move(text) {
        let names: Vec<&str> = breach.values.iter().map(|(name, _)| *name).collect();
        let rule = Surakarta::TYPE.rules.iter().find(|rule| rule.code == breach.code);
        assert_eq!(rule.map(|rule| rule.values), Some(names.as_slice()), "{breach:?}");
        assert!(!breach.sentence.is_empty() && !breach.sentence.ends_with('.'), "{breach:?}");
    }
}

/// Every text with the form of a move between two points; captures by each list of up to four arcs
/// that are neighbours, which are all routes, and by one list that is none.
fn all_texts() -> Vec<String> {
    let mut lists: Vec<Vec<&str>> = ARCS.map(|arc| vec![arc]).into();
    for turn in [
        ["bottom-left", "top-left", "top-right", "bottom-right"],
        ["bottom-left", "bottom-right", "top-right", "top-left"],
    ] {
        for (first, count) in (0..4).flat_map(|first| (2..=4).map(move |count| (first, count))) {
            lists.push((first..first + count).map(|i| turn[i % 4]).collect());
        }
    }
    lists.push(vec!["top-left", "bottom-right"]);
    let mut texts = vec!["pass".to_owned()];
    for (from, to) in
        slow::points().iter().flat_map(|a| slow::points().into_iter().map(move |b| (a.clone(), b)))
    {
        texts.push(format!("{from}-{to}"));
        texts.push(format!("{from}x{to}"));
        texts.extend(lists.iter().map(|arcs| format!("{from}x{to}[{}]", arcs.join(","))));
    }
    texts
}

fn check_all_texts(state: &Surakarta, texts: &[String]) {
    let legal = Position::read(&state.write_position()).legal_texts();
    let mut accepted = 0;
    for text in texts {
        assert_eq!(
            state.read_move(text).is_ok(),
            legal.contains(text),
            "{text} in {}",
            state.write_position()
        );
        accepted += usize::from(legal.contains(text));
        check_refusal(state, text);
    }
    assert_eq!(accepted, legal.len(), "{}", state.write_position());
}

#[test]
fn of_all_texts_exactly_the_legal_ones_are_taken() {
    let texts = all_texts();
    for text in starts().iter().step_by(6) {
        check_all_texts(&position(text), &texts);
    }
}

proptest! {
    #[test]
    fn texts_keys_and_lists_agree(
        text in any_start(),
        options in any_options(),
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        playout(&text, options, &choices, |game| {
            let state = game.state();
            assert_eq!(state.key(), state.key_from_scratch());
            if game.outcome().is_none() {
                let text = state.write_position();
                assert_eq!(Surakarta::read_position(&text, &options).as_ref(), Ok(state));
            }
            check_texts(state);
            check_listing(state);
        });
    }

    #[test]
    fn sparse_boards_agree_with_the_slow_reading(text in any_sparse()) {
        let state = position(&text);
        prop_assert_eq!(state.write_position(), text);
        check_texts(&state);
        check_listing(&state);
    }

    #[test]
    fn the_end_comes_when_the_rules_say(
        text in any_start(),
        majority: bool,
        limit in prop_oneof![1..=12u32, Just(50)],
        choices in prop::collection::vec(any::<u16>(), 0..200),
    ) {
        playout(&text, options(majority, limit), &choices, |game| {
            let present = game.state();
            let occurrences = game.repeatable().iter().filter(|past| past.same_position(present)).count();
            let slow = Position::read(&present.write_position());
            let ending = slow.ending(occurrences as u32, majority, limit);
            let outcome = game.outcome().map(|end| (end.winner.map(Side::letter), end.reason));
            assert_eq!(outcome, ending);
            assert!(outcome.is_none_or(|(_, reason)| Surakarta::TYPE.reasons.contains(&reason)));
        });
    }

    #[test]
    fn every_game_ends(majority: bool, limit in 1..=60u32, seed: u16) {
        let mut game = Record::<Surakarta>::start(&options(majority, limit));
        let mut plies = 0;
        while game.outcome().is_none() {
            let moves = game.state().moves();
            let choice = seed.wrapping_mul(31).wrapping_add((plies * plies) as u16).rotate_left(7);
            game.advance(moves[usize::from(choice) % moves.len()]);
            plies += 1;
            prop_assert!(plies <= 24 * limit, "at most 23 captures, each after fewer quiet moves than the limit");
        }
    }

    #[test]
    fn no_text_makes_it_panic(
        position_text in "\\PC{0,40}",
        rows in "[bw1-7/]{10,40} [bwx] [0-9]{1,4}",
        move_text in "\\PC{0,20}",
        pair in "[ ]?[a-gA-G][0-7][-xX][a-g][0-7](\\[(top|bottom)-(left|right)(,(top|bottom)-(left|right)){0,5}\\])?",
        start in any_start(),
    ) {
        for text in [&position_text, &rows] {
            if let Ok(state) = Surakarta::read_position(text, &options(false, 50)) {
                prop_assert_eq!(&state.write_position(), text);
            }
        }
        for text in [&move_text, &pair] {
            check_refusal(&position(&start), text);
        }
    }
}
