//! Kvantumsakk in games and positions that chance makes, against the slow rules and against itself.

use std::collections::{BTreeMap, BTreeSet};

use boardkeeper::rules::{
    Game, MoveError, Record,
    kvantumsakk::{Kvantumsakk, KvantumsakkOptions},
};
use proptest::{prelude::*, sample::Index};

use super::{
    kvantumsakk::{assert_listed, limit, start, texts},
    kvantumsakk_slow::{self, Slow},
};

/// The start, and the positions of the conformance files that a game can start from.
fn beginnings() -> Vec<String> {
    let files = [
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/moves-kvantumsakk.jsonl")),
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/edges-kvantumsakk.jsonl")),
    ];
    let lines = files.into_iter().flat_map(str::lines);
    let parsed = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let given = parsed.filter(|line| line.get("over").is_none());
    let positions = given.map(|line| line["position"].as_str().unwrap().to_owned());
    std::iter::once(start().write_position()).chain(positions).collect()
}

/// A game from any beginning: the positions on the way, the first included, up to the end.
fn playout(from: &Index, options: &KvantumsakkOptions, choices: &[Index]) -> Vec<Kvantumsakk> {
    let beginnings = beginnings();
    let text = &beginnings[from.index(beginnings.len())];
    let mut state = Kvantumsakk::read_position(text, options).unwrap();
    let mut states = vec![state];
    for choice in choices {
        let moves = state.moves();
        if state.outcome(1).is_some() {
            break;
        }
        state.play(*choice.get(&moves));
        states.push(state);
    }
    states
}

/// Limits that every beginning fits.
fn any_options() -> impl Strategy<Value = KvantumsakkOptions> {
    (100..=1000u32).prop_map(limit)
}

/// Positions that no game may ever lead to, with many king-pieces and with castling. The side that
/// waits may be in check.
fn set_up() -> impl Strategy<Value = String> {
    let stack = (0..8usize, 0..8usize, any::<bool>(), 1..=11u32);
    let stacks = prop::collection::vec(stack, 0..9);
    (any::<Index>(), any::<Index>(), any::<bool>(), any::<bool>(), stacks).prop_map(
        |(white, black, castling, white_moves, stacks)| {
            let mut board = vec![vec!["1".to_owned(); 8]; 8];
            // With king and rooks still within the 47 of a position.
            let mut left = [31; 2];
            for (file, rank, is_white, count) in stacks {
                let left = &mut left[usize::from(is_white)];
                if *left < count {
                    continue;
                }
                *left -= count;
                board[rank][file] = format!("{}{count}", if is_white { 'w' } else { 'b' });
            }
            board[3 + black.index(5)][black.index(8)] = "b8".to_owned();
            if castling {
                board[0][4] = "w8".to_owned();
                board[0][0] = "w4".to_owned();
                board[0][7] = "w4".to_owned();
            } else {
                board[white.index(3)][white.index(8)] = "w9".to_owned();
            }
            let rows: Vec<String> = board.iter().rev().map(|rank| joined(rank)).collect();
            let (turn, rights) = (if white_moves { 'w' } else { 'b' }, if castling { "KQ" } else { "-" });
            format!("{} {turn} {rights} - 0", rows.join("/"))
        },
    )
}

/// A rank with each run of empty squares as one number.
fn joined(rank: &[String]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in rank {
        match (parts.last().and_then(|last| last.parse::<u32>().ok()), part.as_str()) {
            (Some(gap), "1") => *parts.last_mut().unwrap() = (gap + 1).to_string(),
            _ => parts.push(part.clone()),
        }
    }
    parts.join(",")
}

fn choices(most: usize) -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn texts_read_back_and_keys_agree(from: Index, options in any_options(), choices in choices(120)) {
        for state in playout(&from, &options, &choices) {
            prop_assert_eq!(state.options(), options);
            let read = Kvantumsakk::read_position(&state.write_position(), &options);
            match state.outcome(1) {
                Some(outcome) if outcome.reason == "move_limit" => prop_assert_eq!(read.unwrap_err().field, "quiet"),
                _ => prop_assert_eq!(read, Ok(state)),
            }
            prop_assert_eq!(state.key(), state.key_from_scratch());
            let moves = state.moves();
            prop_assert_eq!(state.count_moves(), moves.len() as u64);
            for mv in moves {
                let view = state.describe(mv);
                prop_assert_eq!(state.read_move(&view.text), Ok(mv));
                let loose = format!(" {}\t", loosened(&view.text));
                prop_assert_eq!(state.read_move(&loose), Ok(mv), "{}", loose);
            }
        }
    }

    #[test]
    fn the_slow_rules_agree(from: Index, choices in choices(40)) {
        for state in playout(&from, &KvantumsakkOptions::default(), &choices) {
            let slow = Slow::read(&state.write_position());
            let expected = slow.moves();
            let found: BTreeMap<String, Slow> = state.moves().into_iter().map(|mv| {
                let mut next = state;
                next.play(mv);
                (state.describe(mv).text, Slow::read(&next.write_position()))
            }).collect();
            prop_assert_eq!(found, expected, "{}", state.write_position());
            prop_assert_eq!(state.outcome(1).map(|o| o.reason).filter(|&r| r != "move_limit"), slow.end());
            prop_assert_eq!(&slow.write(), &state.write_position());
        }
    }

    #[test]
    fn the_slow_rules_agree_on_set_up_positions(text in set_up()) {
        let read = Kvantumsakk::read_position(&text, &KvantumsakkOptions::default());
        let slow = Slow::read(&text);
        let waiting = if text.contains(" w ") { 'b' } else { 'w' };
        prop_assert_eq!(read.is_err(), slow.in_check(waiting), "{}", text);
        if let Ok(state) = read {
            let expected: Vec<String> = slow.moves().into_keys().collect();
            prop_assert_eq!(texts(&state), expected, "{}", text);
            prop_assert_eq!(state.outcome(1).map(|outcome| outcome.reason), slow.end());
            for text in ["O-O", "O-O-O"] {
                match state.read_move(text) {
                    Err(MoveError::Illegal(breach)) => {
                        assert_listed(&breach);
                        prop_assert!(breach.code.starts_with("CASTLING_"));
                    }
                    other => prop_assert!(other.is_ok(), "{:?}", other),
                }
            }
        }
    }

    #[test]
    fn every_text_that_is_not_legal_is_explained(from: Index, choices in choices(60)) {
        let states = playout(&from, &KvantumsakkOptions::default(), &choices);
        let state = states[states.len() - 1];
        let legal: BTreeSet<String> = texts(&state).into_iter().collect();
        for from in kvantumsakk_slow::names() {
            for to in kvantumsakk_slow::names() {
                for (quanta, sign) in [(1, '-'), (2, '-'), (3, 'x'), (4, '+'), (5, '-'), (7, '-'), (8, '-')] {
                    let text = format!("{quanta}:{from}{sign}{to}");
                    match state.read_move(&text) {
                        Ok(mv) => prop_assert!(legal.contains(&state.describe(mv).text)),
                        Err(MoveError::Illegal(breach)) => {
                            assert_listed(&breach);
                            let plain = state.read_move(&text.replace(['x', '+'], "-"));
                            prop_assert_eq!(breach.code == "WRONG_SIGN", plain.is_ok(), "{}", text);
                            prop_assert!(!legal.contains(&text));
                        }
                        Err(error) => prop_assert!(false, "{}: {}", text, error),
                    }
                }
            }
        }
    }

    #[test]
    fn junk_is_refused_without_a_panic(text in "\\PC{0,20}", edit in "[1-9:a-h0-8xO+ -]{0,9}") {
        for text in [&text, &edit] {
            if let Ok(mv) = start().read_move(text) {
                prop_assert!(start().moves().contains(&mv));
            }
            prop_assert!(Kvantumsakk::read_position(text, &KvantumsakkOptions::default()).is_err());
        }
    }

    #[test]
    fn mutilated_positions_are_refused_or_canonical(from: Index, at: Index, with in "[0-9bwKQkq/,a-h -]") {
        let beginnings = beginnings();
        let mut text = from.get(&beginnings).clone();
        let at = at.index(text.len());
        text.replace_range(at..=at, &with);
        if let Ok(state) = Kvantumsakk::read_position(&text, &KvantumsakkOptions::default()) {
            prop_assert_eq!(state.write_position(), text);
        }
    }

    #[test]
    fn every_game_ends(moves in 1u32..60, seed: u64) {
        let mut record = Record::<Kvantumsakk>::start(&limit(moves));
        let mut seed = seed;
        let mut plies = 0;
        while record.outcome().is_none() {
            let moves = record.state().moves();
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            record.advance(moves[(seed >> 33) as usize % moves.len()]);
            plies += 1;
        }
        // Each capture takes a quantum at least, and sixteen are never taken.
        prop_assert!(plies <= (94 - 16 + 1) * moves);
        let outcome = record.outcome().unwrap();
        prop_assert!(Kvantumsakk::TYPE.reasons.contains(&outcome.reason));
        prop_assert_eq!(outcome.winner.is_some(), outcome.reason == "mate");
    }
}

/// The same move as a player may type it: with - for every sign, upper-case squares, zeros.
fn loosened(text: &str) -> String {
    match text {
        "O-O" => "0-0".to_owned(),
        "O-O-O" => "0-0-0".to_owned(),
        _ => text.replace(['x', '+'], "-").to_uppercase(),
    }
}
