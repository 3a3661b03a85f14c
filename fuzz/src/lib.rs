//! What the fuzzer holds against the rules of every game. The rules need no other part of the
//! service, so they are compiled here alone, which takes seconds.

#![allow(dead_code, unused_imports, unreachable_pub)]

#[path = "../../src/rules/mod.rs"]
pub mod rules;

use rules::{Game, MoveError, Options, Record};

/// Reads any text as a position and as a move: nothing panics, what is read is written back the same,
/// and a refusal names a rule of the game.
pub fn texts<G: Game>(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (position, mv) = text.split_once('\n').unwrap_or((text, text));
    let options = options::<G>(position);
    let record = match Record::<G>::from_position(position, &options) {
        Ok(record) => record,
        Err(_) => Record::<G>::start(&options),
    };
    let state = record.state();
    let written = state.write_position();
    let read = G::read_position(&written, &options).expect("what was written can be read");
    assert_eq!((read, read.write_position()), (*state, written));
    assert_eq!(state.key(), state.key_from_scratch());
    match state.read_move(mv) {
        Ok(legal) => assert!(listed(state, legal), "{mv} is taken but not listed"),
        Err(MoveError::Malformed { expected }) => assert!(!expected.is_empty()),
        Err(MoveError::Illegal(breach)) => {
            let rule = G::TYPE.rules.iter().find(|rule| rule.code == breach.code);
            let rule = rule.unwrap_or_else(|| panic!("{} is not listed", breach.code));
            let names: Vec<&str> = breach.values.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, rule.values, "{}", breach.code);
        }
    }
}

/// Plays a game in which each byte chooses a move: what is listed is legal, read back as itself, and
/// counted; what is not listed for any pair of points is refused.
pub fn legality<G: Game>(data: &[u8]) {
    let (position, choices) = match data.iter().position(|byte| *byte == b'\n') {
        Some(end) => (std::str::from_utf8(&data[..end]).unwrap_or_default(), &data[end + 1..]),
        None => ("", data),
    };
    let options = options::<G>(position);
    let from_text = Record::<G>::from_position(position, &options);
    let mut record = from_text.unwrap_or_else(|_| Record::<G>::start(&options));
    for choice in choices.iter().take(200) {
        if record.outcome().is_some() {
            return;
        }
        let state = *record.state();
        let listing = state.listing();
        assert_eq!(listing.len() as u64, state.count_moves());
        assert!(listing.windows(2).all(|pair| pair[0].text < pair[1].text), "sorted, nothing twice");
        let Some(view) = listing.get(usize::from(*choice) % listing.len().max(1)) else { return };
        let played = record.play(&view.text).expect("what is listed is legal");
        assert_eq!(played.text, view.text);
        assert_eq!(record.state().key(), record.state().key_from_scratch());
    }
}

/// The options that a position implies.
fn options<G: Game>(position: &str) -> G::Options {
    G::Options::read(&G::implied_settings(position)).unwrap_or_default()
}

/// Whether a move is in the listing, by its own text or by another route's.
fn listed<G: Game>(state: &G, mv: G::Move) -> bool {
    let text = state.describe(mv).text;
    state.listing().iter().any(|view| view.text == text || view.other_texts.contains(&text))
}
