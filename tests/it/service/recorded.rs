use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;
use serde_json::{Value, json};

/// A whole game as the recorded data have it.
#[derive(Clone, Deserialize, Debug)]
pub(super) struct Recorded {
    #[serde(default)]
    options: BTreeMap<String, Value>,
    pub(super) start: String,
    pub(super) moves: Vec<String>,
    /// The position text at the end.
    #[serde(rename = "final")]
    pub(super) last: String,
    /// The letter of the winner.
    winner: Option<String>,
    pub(super) reason: String,
}

/// The recorded games of a type.
pub(super) fn games(game_type: &str) -> Vec<Recorded> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/games-{game_type}.jsonl"));
    let lines = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let games: Vec<Recorded> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a recorded game")).collect();
    assert!(!games.is_empty(), "no game in {}", file.display());
    games
}

impl Recorded {
    /// The word of the winner in records.
    pub(super) fn winner(&self) -> &'static str {
        match self.winner.as_deref() {
            Some("b") => "black",
            Some("w") => "white",
            _ => "none",
        }
    }

    /// The game as a record to import.
    pub(super) fn record(&self, game_type: &str) -> Value {
        let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let options: BTreeMap<&String, String> =
            self.options.iter().map(|(name, value)| (name, word(value))).collect();
        json!({
            "format": "boardkeeper-game/1",
            "game_type": game_type,
            "options": options,
            "initial_position": self.start,
            "moves": self.moves,
            "result": { "winner": self.winner(), "reason": self.reason },
        })
    }
}
