use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Transcript, TranscriptError, winner_of, winner_word};
use crate::game::Ending;

/// The name of the form, first in every record.
const FORMAT: &str = "boardkeeper-game/1";

/// A record as docs/record.schema.json describes it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    format: String,
    game_type: String,
    #[serde(default = "Transcript::default_rules")]
    rules_version: u32,
    #[serde(default)]
    options: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    initial_position: Option<String>,
    #[serde(default)]
    black_player: String,
    #[serde(default)]
    white_player: String,
    #[serde(default)]
    labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    moves: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<GameResult>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameResult {
    winner: String,
    reason: String,
}

pub(super) fn write(transcript: &Transcript) -> String {
    let result = transcript.ending.as_ref().map(|ending| GameResult {
        winner: winner_word(ending.winner).to_owned(),
        reason: ending.reason.clone(),
    });
    let record = Record {
        format: FORMAT.to_owned(),
        game_type: transcript.game_type.clone(),
        rules_version: transcript.rules_version,
        options: transcript.options.clone(),
        initial_position: transcript.initial_position.clone(),
        black_player: transcript.black_player.clone(),
        white_player: transcript.white_player.clone(),
        labels: transcript.labels.clone(),
        created: transcript.created.clone(),
        moves: transcript.moves.clone(),
        result,
    };
    // The record holds strings and a number under string keys, all of which JSON can hold.
    serde_json::to_string(&record).unwrap_or_default()
}

pub(super) fn read(record: &str) -> Result<Transcript, TranscriptError> {
    let record: Record = serde_json::from_str(record)
        .map_err(|error| TranscriptError::Unreadable { expected: error.to_string() })?;
    if record.format != FORMAT {
        return Err(TranscriptError::expected(format!("format {FORMAT:?}, not {:?}", record.format)));
    }
    let ending = match record.result {
        Some(result) => Some(Ending { winner: winner_of(&result.winner)?, reason: result.reason }),
        None => None,
    };
    Ok(Transcript {
        game_type: record.game_type,
        rules_version: record.rules_version,
        options: record.options,
        initial_position: record.initial_position,
        black_player: record.black_player,
        white_player: record.white_player,
        labels: record.labels,
        created: record.created,
        // JSON records do not number their moves.
        second_begins: false,
        moves: record.moves,
        ending,
    })
}
