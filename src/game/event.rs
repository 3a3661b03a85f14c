use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Digest, Fingerprint, Millis, RequestId, Version};
use crate::rules::Side;

/// One thing that happened in a game. What is stored and what is streamed is these, in order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Event {
    pub version: Version,
    pub time: Millis,
    /// The request that made it.
    pub request: RequestId,
    /// What that request asked for.
    pub fingerprint: Fingerprint,
    pub body: Body,
}

/// What happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Body {
    Created(Creation),
    /// A move, by its canonical text; `pass` is one.
    Moved {
        text: String,
        bot: Option<BotReport>,
    },
    Resigned {
        #[serde(with = "side_letter")]
        side: Side,
    },
    /// The portal ended the game.
    Ended {
        cause: EndCause,
        #[serde(with = "winner_letter")]
        winner: Option<Side>,
    },
}

/// How a game came into being: all that does not change afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Creation {
    /// The name of the game's type.
    pub game_type: String,
    /// The version of the rules, pinned.
    pub rules_version: u32,
    /// Every option by name, values as texts.
    pub options: BTreeMap<String, String>,
    /// The position text to start from; `None` is the usual start.
    pub position: Option<String>,
    pub black_player: String,
    pub white_player: String,
    pub labels: BTreeMap<String, String>,
    /// How many moves came with the creation, in the events that follow.
    pub imported_moves: u32,
}

/// Why a portal ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum EndCause {
    Time,
    Agreement,
    Forfeit,
    Annulled,
    Adjudication,
}

impl EndCause {
    pub const ALL: [EndCause; 5] =
        [EndCause::Time, EndCause::Agreement, EndCause::Forfeit, EndCause::Annulled, EndCause::Adjudication];

    /// The reason in the game's outcome.
    pub fn reason(self) -> &'static str {
        match self {
            EndCause::Time => "time",
            EndCause::Agreement => "agreement",
            EndCause::Forfeit => "forfeit",
            EndCause::Annulled => "annulled",
            EndCause::Adjudication => "adjudication",
        }
    }

    /// Whether a game can end like this with that winner; if not, what must be.
    pub fn allows(self, winner: Option<Side>) -> Result<(), &'static str> {
        match (self, winner) {
            (EndCause::Agreement | EndCause::Annulled, Some(_)) => Err("no winner with this reason"),
            (EndCause::Forfeit, None) => Err("a winner with this reason"),
            _ => Ok(()),
        }
    }
}

/// How a bot found its move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BotReport {
    /// 1 to 5.
    pub level: u8,
    pub seed: u64,
    /// The deepest search that was completed, in whole turns.
    pub depth: u32,
    pub nodes: u64,
    /// How long the search took, in microseconds.
    pub micros: u64,
    pub score: BotScore,
    /// The moves that the bot expects, its own first.
    pub main_line: Vec<String>,
    pub stop: StopReason,
}

/// What a position is worth to the side that searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BotScore {
    /// Hundredths of the game's unit.
    Centi(i32),
    /// A win in so many whole turns at the latest.
    WinIn(u32),
    /// A loss in so many whole turns at the latest.
    LossIn(u32),
    /// A proven draw.
    Drawn,
}

/// Why a search stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum StopReason {
    Depth,
    Nodes,
    Time,
    Solved,
    OnlyMove,
}

/// An event as it is stored: its bytes, and the digest that they make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub digest: Digest,
    pub bytes: Vec<u8>,
}

/// The stored form that this release writes; stored first in every entry.
const FORMAT: u8 = 1;

/// Why stored bytes are no event.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    #[error("stored event has format {0}, and this release reads format {FORMAT}")]
    Format(u8),
    #[error("stored event is empty")]
    Empty,
    #[error("stored event is damaged")]
    Damaged(#[source] postcard::Error),
}

impl Event {
    /// The stored form: a format byte, then the fields as postcard writes them.
    pub fn encode(&self) -> Vec<u8> {
        // Events hold no type that refuses to be serialised, and a vector never runs out of room.
        let mut bytes = vec![FORMAT];
        bytes.extend(postcard::to_allocvec(self).unwrap_or_default());
        bytes
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// The bytes are of another format, or no event.
    pub fn decode(bytes: &[u8]) -> Result<Event, DecodeError> {
        match bytes.split_first() {
            Some((&FORMAT, rest)) => postcard::from_bytes(rest).map_err(DecodeError::Damaged),
            Some((&format, _)) => Err(DecodeError::Format(format)),
            None => Err(DecodeError::Empty),
        }
    }
}

/// Sides are stored as the letters of texts.
mod side_letter {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::rules::Side;

    pub(super) fn serialize<S: Serializer>(side: &Side, to: S) -> Result<S::Ok, S::Error> {
        side.letter().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Side, D::Error> {
        let letter = char::deserialize(from)?;
        Side::from_letter(letter).ok_or_else(|| D::Error::custom("a side is b or w"))
    }
}

mod winner_letter {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::rules::Side;

    pub(super) fn serialize<S: Serializer>(winner: &Option<Side>, to: S) -> Result<S::Ok, S::Error> {
        winner.map(Side::letter).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Side>, D::Error> {
        let read = |letter| Side::from_letter(letter).ok_or_else(|| D::Error::custom("a side is b or w"));
        Option::<char>::deserialize(from)?.map(read).transpose()
    }
}
