use std::{cmp::Ordering, fmt};

use serde::Serialize;

use super::{Body, BotReport, Digest, EndCause, Fingerprint, Game, Version};
use crate::rules::{Breach, MoveError, Side};

/// What a caller asks of a running game, and the version that it means to follow.
#[derive(Clone, PartialEq, Debug)]
pub struct Command {
    pub expected: Version,
    /// The digest that the caller has seen with that version, if it says so.
    pub digest: Option<Digest>,
    pub deed: Deed,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub enum Deed {
    /// A move by its text; `pass` is one.
    Move {
        text: String,
        /// Whose move the caller says it is; `None` is the side to move.
        side: Option<Side>,
    },
    /// A move that a bot found.
    BotMove {
        text: String,
        report: BotReport,
    },
    Resign {
        side: Side,
    },
    End {
        cause: EndCause,
        winner: Option<Side>,
    },
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Move { text, .. } | Deed::BotMove { text, .. } => f.write_str(text),
            Deed::Resign { .. } => f.write_str("resignation"),
            Deed::End { cause, .. } => f.write_str(cause.reason()),
        }
    }
}

/// Why a command was refused. Nothing has happened then.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Rejection {
    #[error("the game is over: {reason}")]
    Over { reason: String },
    #[error("the game is at version {current}, not {expected}")]
    Version { expected: Version, current: Version, digest: Digest },
    /// The caller has seen what this history does not hold.
    #[error("the history of the game no longer holds version {expected} as it was read")]
    Diverged { expected: Version, current: Version, digest: Digest },
    #[error("it is {to_move}'s turn")]
    NotYourTurn { to_move: Side },
    #[error("{expected}")]
    Malformed { expected: String },
    #[error("{}", .0.sentence)]
    Illegal(Breach),
    #[error("{}", .0.sentence)]
    PassNotAllowed(Breach),
    #[error("expected {0}")]
    EndNotAllowed(&'static str),
}

/// The code of the rule that a pass breaks where there is no passing.
const NO_PASSING: &str = "PASS_NOT_ALLOWED";

/// Decides what a command makes of a game, in the order of the contract's checks.
///
/// # Errors
/// The first check that the command does not pass.
pub fn decide(game: &Game, command: &Command) -> Result<Body, Rejection> {
    stands(game, command.expected, command.digest)?;
    match &command.deed {
        Deed::Move { text, side } => {
            turn(game, *side)?;
            Ok(Body::Moved { text: legal(game, text)?, bot: None })
        }
        Deed::BotMove { text, report } => {
            Ok(Body::Moved { text: legal(game, text)?, bot: Some(report.clone()) })
        }
        Deed::Resign { side } => Ok(Body::Resigned { side: *side }),
        Deed::End { cause, winner } => match cause.allows(*winner) {
            Ok(()) => Ok(Body::Ended { cause: *cause, winner: *winner }),
            Err(expected) => Err(Rejection::EndNotAllowed(expected)),
        },
    }
}

/// Whether a game goes on at the version that a caller has seen, with the digest if one is given.
///
/// # Errors
/// Why it does not.
pub fn stands(game: &Game, expected: Version, seen: Option<Digest>) -> Result<(), Rejection> {
    if let Some(ending) = game.ending() {
        return Err(Rejection::Over { reason: ending.reason.clone() });
    }
    let (current, digest) = (game.version(), game.digest());
    let other = seen.is_some_and(|seen| seen != digest);
    match expected.cmp(&current) {
        Ordering::Less => Err(Rejection::Version { expected, current, digest }),
        Ordering::Equal if !other => Ok(()),
        Ordering::Equal | Ordering::Greater => Err(Rejection::Diverged { expected, current, digest }),
    }
}

fn turn(game: &Game, side: Option<Side>) -> Result<(), Rejection> {
    let to_move = game.board().side();
    if side.is_some_and(|side| side != to_move) {
        return Err(Rejection::NotYourTurn { to_move });
    }
    Ok(())
}

/// The canonical text of a move that is legal now.
fn legal(game: &Game, text: &str) -> Result<String, Rejection> {
    match game.board().read(text) {
        Ok(view) => Ok(view.text),
        Err(MoveError::Malformed { expected }) => Err(Rejection::Malformed { expected }),
        Err(MoveError::Illegal(breach)) if breach.code == NO_PASSING => {
            Err(Rejection::PassNotAllowed(breach))
        }
        Err(MoveError::Illegal(breach)) => Err(Rejection::Illegal(breach)),
    }
}

/// What a bot was asked for: equal calls have equal content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct BotOrder {
    pub expected: Version,
    pub level: u8,
    /// Whole turns.
    pub depth: u32,
    pub nodes: u64,
    pub micros: u64,
    pub seed: u64,
}

impl Command {
    /// The fingerprint of this command as a request. A bot's is of its order instead, since its move
    /// is not known when it is asked for.
    pub fn fingerprint(&self) -> Fingerprint {
        match &self.deed {
            Deed::Move { text, side } => {
                Fingerprint::of(&("move", self.expected, text, side.map(Side::letter)))
            }
            Deed::BotMove { text, .. } => Fingerprint::of(&("bot", self.expected, text)),
            Deed::Resign { side } => Fingerprint::of(&("resign", self.expected, side.letter())),
            Deed::End { cause, winner } => {
                Fingerprint::of(&("end", self.expected, cause, winner.map(Side::letter)))
            }
        }
    }
}

impl BotOrder {
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&("order", self))
    }
}
