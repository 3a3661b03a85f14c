//! A game as a self-contained record, to be kept or carried elsewhere: JSON, or text in the manner
//! of chess's PGN.

mod json;
mod text;

use std::collections::BTreeMap;

use super::{Creation, Deed, EndCause, Ending, Game, RULES_VERSION};
use crate::rules::Side;

/// The largest record, in bytes, written or read.
pub const LARGEST_RECORD: usize = 1 << 20;

/// What a record holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    pub game_type: String,
    pub rules_version: u32,
    pub options: BTreeMap<String, String>,
    /// The position text that the game starts from; `None` is the usual start.
    pub initial_position: Option<String>,
    pub black_player: String,
    pub white_player: String,
    pub labels: BTreeMap<String, String>,
    /// When the game was created, as RFC 3339 writes it; for people, not read back.
    pub created: Option<String>,
    /// Whether the game's second player makes the first move: texts number moves by it.
    pub second_begins: bool,
    /// The canonical texts of all moves, in order.
    pub moves: Vec<String>,
    /// How the game ended, if it did.
    pub ending: Option<Ending>,
}

/// The form of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Json,
    Text,
}

/// Why there is no record, or why a text is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TranscriptError {
    #[error("the record would have {bytes} bytes, and the largest has {LARGEST_RECORD}")]
    TooLarge { bytes: usize },
    #[error("unreadable record: {expected}")]
    Unreadable { expected: String },
}

impl TranscriptError {
    fn expected(expected: impl Into<String>) -> TranscriptError {
        TranscriptError::Unreadable { expected: format!("expected {}", expected.into()) }
    }
}

impl Transcript {
    /// The record of a game that was created at `created` and went through these moves.
    pub fn new(game: &Game, created: String, second_begins: bool, moves: Vec<String>) -> Transcript {
        let creation = game.creation();
        Transcript {
            game_type: creation.game_type.clone(),
            rules_version: creation.rules_version,
            options: creation.options.clone(),
            initial_position: Some(game.origin().position.clone()),
            black_player: creation.black_player.clone(),
            white_player: creation.white_player.clone(),
            labels: creation.labels.clone(),
            created: Some(created),
            second_begins,
            moves,
            ending: game.ending().cloned(),
        }
    }

    /// Writes the record.
    ///
    /// # Errors
    /// It would be larger than [`LARGEST_RECORD`].
    pub fn write(&self, form: Form) -> Result<String, TranscriptError> {
        let record = match form {
            Form::Json => json::write(self),
            Form::Text => text::write(self),
        };
        match record.len() {
            bytes if LARGEST_RECORD < bytes => Err(TranscriptError::TooLarge { bytes }),
            _ => Ok(record),
        }
    }

    /// Reads a record in either form: JSON begins with a brace.
    ///
    /// # Errors
    /// The text is too large or no record. Whether its moves are legal is not looked at.
    pub fn read(record: &str) -> Result<Transcript, TranscriptError> {
        if LARGEST_RECORD < record.len() {
            return Err(TranscriptError::TooLarge { bytes: record.len() });
        }
        if record.trim_start().starts_with('{') { json::read(record) } else { text::read(record) }
    }

    /// What a game of this record is created from, its moves apart.
    pub fn creation(&self) -> Creation {
        Creation {
            game_type: self.game_type.clone(),
            rules_version: self.rules_version,
            options: self.options.clone(),
            position: self.initial_position.clone(),
            black_player: self.black_player.clone(),
            white_player: self.white_player.clone(),
            labels: self.labels.clone(),
            imported_moves: 0,
        }
    }

    /// What has to be done to a new game to bring it where the record ends: the moves, and the
    /// resignation or the portal's ending where there was one.
    ///
    /// # Errors
    /// The ending is one that cannot be.
    pub fn deeds(&self) -> Result<Vec<Deed>, TranscriptError> {
        let mut deeds: Vec<Deed> =
            self.moves.iter().map(|text| Deed::Move { text: text.clone(), side: None }).collect();
        let Some(ending) = &self.ending else { return Ok(deeds) };
        if ending.reason == "resignation" {
            let winner = ending
                .winner
                .ok_or_else(|| TranscriptError::expected("a winner where the reason is resignation"))?;
            deeds.push(Deed::Resign { side: winner.opponent() });
        }
        if let Some(cause) = EndCause::ALL.into_iter().find(|cause| cause.reason() == ending.reason) {
            deeds.push(Deed::End { cause, winner: ending.winner });
        }
        Ok(deeds)
    }

    /// The rules' version of records that name none.
    const fn default_rules() -> u32 {
        RULES_VERSION
    }
}

/// The word of a winner in records.
fn winner_word(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::Black) => "black",
        Some(Side::White) => "white",
        None => "none",
    }
}

fn winner_of(word: &str) -> Result<Option<Side>, TranscriptError> {
    match word {
        "black" => Ok(Some(Side::Black)),
        "white" => Ok(Some(Side::White)),
        "none" => Ok(None),
        _ => Err(TranscriptError::expected(format!("black, white or none as winner, not {word:?}"))),
    }
}
