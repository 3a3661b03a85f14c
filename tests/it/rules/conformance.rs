//! Every game against the positions, games and counts of a separate, slow implementation.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

use boardkeeper::rules::{
    Game, Options, Record, Setting, Settings, Side, Values, kvantumsakk::Kvantumsakk, perft,
    quantum::Quantum, quantum_control::QuantumControl, surakarta::Surakarta,
};

#[test]
fn quantum_control() {
    conforms::<QuantumControl>();
}

#[test]
fn quantum() {
    conforms::<Quantum>();
}

#[test]
fn kvantumsakk() {
    conforms::<Kvantumsakk>();
}

#[test]
fn surakarta() {
    conforms::<Surakarta>();
}

/// Holds a game against all of its files.
fn conforms<G: Game>() {
    let name = G::TYPE.name;
    for listing in read::<Listing>(&format!("moves-{name}")) {
        check_listing::<G>(&listing);
    }
    for listing in read::<Listing>(&format!("edges-{name}")) {
        match &listing.over {
            Some(over) => check_over::<G>(&listing, over),
            None => check_listing::<G>(&listing),
        }
    }
    for game in read::<Played>(&format!("games-{name}")) {
        check_game::<G>(&game);
    }
    let counts: Vec<Counts> = read("perft");
    let own: Vec<&Counts> = counts.iter().filter(|counts| counts.game == name).collect();
    assert!(!own.is_empty(), "no perft counts for {name}");
    own.into_iter().for_each(check_counts::<G>);
}

/// A position and its legal moves.
#[derive(Deserialize)]
struct Listing {
    position: String,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    moves: Vec<String>,
    #[serde(default)]
    other_routes: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    note: String,
    over: Option<Ending>,
}

/// A whole game.
#[derive(Deserialize)]
struct Played {
    start: String,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    moves: Vec<String>,
    #[serde(rename = "final")]
    last: String,
    #[serde(flatten)]
    ending: Ending,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Ending {
    winner: Option<char>,
    reason: String,
}

/// Perft of one position at depths 1, 2, ...
#[derive(Deserialize)]
struct Counts {
    game: String,
    position: String,
    nodes: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Flag(bool),
    Number(u32),
    Word(String),
}

fn read<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data")).join(format!("{name}.jsonl"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<T> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}")))
        .collect();
    assert!(!lines.is_empty(), "{name} is empty");
    lines
}

fn options<G: Game>(values: &BTreeMap<String, Value>) -> G::Options {
    let setting = |value: &Value| match value {
        Value::Flag(flag) => Setting::Flag(*flag),
        Value::Number(number) => Setting::Number(*number),
        Value::Word(word) => Setting::Word(word.clone()),
    };
    let settings = values.iter().map(|(name, value)| (name.clone(), setting(value))).collect();
    G::Options::read(&settings).unwrap()
}

fn check_listing<G: Game>(listing: &Listing) {
    let Listing { position, moves, note, .. } = listing;
    let options = if listing.options.is_empty() {
        read_on_its_board::<G>(position).options()
    } else {
        options::<G>(&listing.options)
    };
    let record =
        Record::<G>::from_position(position, &options).unwrap_or_else(|error| panic!("{position}: {error}"));
    let state = record.state();
    assert_eq!(&state.write_position(), position);
    assert_eq!(state.key(), state.key_from_scratch(), "{position}");

    let views = state.listing();
    let texts: Vec<&str> = views.iter().map(|view| view.text.as_str()).collect();
    assert_eq!(&texts, moves, "{position} {note}");
    assert_eq!(state.count_moves(), moves.len() as u64, "{position}");
    for (mv, view) in state.moves().into_iter().map(|mv| (mv, state.describe(mv))) {
        assert_eq!(state.read_move(&view.text).as_ref(), Ok(&mv), "{position}");
        let others = listing.other_routes.get(&view.text).cloned().unwrap_or_default();
        assert_eq!(view.other_texts, others, "{position} {}", view.text);
    }
}

/// A position in which the game is over reads as one, but starts no game.
fn check_over<G: Game>(listing: &Listing, over: &Ending) {
    let Listing { position, note, .. } = listing;
    let options = options::<G>(&listing.options);
    let state = G::read_position(position, &options).unwrap_or_else(|error| panic!("{position}: {error}"));
    assert_eq!(ending(&state.outcome(1).expect(note)), *over, "{position}");
    let error = Record::<G>::from_position(position, &options).expect_err(note);
    assert_eq!(error.field, "position");
}

fn check_game<G: Game>(game: &Played) {
    let mut record = Record::<G>::from_position(&game.start, &options::<G>(&game.options)).unwrap();
    for text in &game.moves {
        assert_eq!(record.outcome(), None, "before {text} in {}", record.state().write_position());
        let view = record.play(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(&view.text, text);
    }
    assert_eq!(record.state().write_position(), game.last);
    assert_eq!(ending(&record.outcome().expect("the game is over")), game.ending, "{}", game.last);
}

fn check_counts<G: Game>(counts: &Counts) {
    let state = read_on_its_board::<G>(&counts.position);
    for (&nodes, depth) in counts.nodes.iter().zip(1..) {
        assert_eq!(perft(&state, depth), nodes, "{} at depth {depth}", counts.position);
    }
}

/// Reads a position that comes without options: under the defaults, or with the first choice of a
/// word (a board) that it fits.
fn read_on_its_board<G: Game>(position: &str) -> G {
    let boards = G::Options::SPECS.iter().filter_map(|spec| match spec.values {
        Values::Word { choices, .. } => Some(choices.iter().map(|&choice| (spec.name, choice))),
        _ => None,
    });
    let with = |(name, choice): (&str, &str)| {
        let settings = Settings::from([(name.to_owned(), Setting::Word(choice.to_owned()))]);
        G::Options::read(&settings).unwrap()
    };
    std::iter::once(G::Options::default())
        .chain(boards.flatten().map(with))
        .find_map(|options| G::read_position(position, &options).ok())
        .unwrap_or_else(|| panic!("{position} fits no board"))
}

fn ending(outcome: &boardkeeper::rules::Outcome) -> Ending {
    Ending { winner: outcome.winner.map(Side::letter), reason: outcome.reason.to_owned() }
}
