use std::{error::Error, fmt};

/// Why a text is not a move of a game, or not one that may be played now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// The text has not the form of a move. Says what was expected.
    Malformed { expected: String },
    /// The text names a move that the rules refuse here.
    Illegal(Breach),
}

/// The rule that a move breaks, for people and for programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The code of the rule in `SCREAMING_SNAKE_CASE`, listed in the game's type.
    pub code: &'static str,
    /// The values that the sentence speaks of, such as `("friends", "2")`.
    pub values: Vec<(&'static str, String)>,
    /// One English sentence without the full stop.
    pub sentence: String,
}

impl Breach {
    pub fn new(code: &'static str, sentence: impl Into<String>) -> Breach {
        Breach { code, values: Vec::new(), sentence: sentence.into() }
    }

    /// Adds a value that a portal needs to say the sentence in another language.
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Breach {
        self.values.push((name, value.to_string()));
        self
    }
}

impl From<Breach> for MoveError {
    fn from(breach: Breach) -> MoveError {
        MoveError::Illegal(breach)
    }
}

impl MoveError {
    pub fn malformed(expected: impl Into<String>) -> MoveError {
        MoveError::Malformed { expected: expected.into() }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Malformed { expected } => write!(f, "unreadable move: expected {expected}"),
            MoveError::Illegal(breach) => f.write_str(&breach.sentence),
        }
    }
}

impl Error for MoveError {}

/// Why a text cannot start a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError {
    /// The field at fault: `rows`, `turn`, or another name from the game's page; `position` where
    /// the number of fields is wrong or the whole is at fault.
    pub field: &'static str,
    /// What was expected there, and what was found where that helps.
    pub expected: String,
}

impl PositionError {
    pub fn new(field: &'static str, expected: impl Into<String>) -> PositionError {
        PositionError { field, expected: expected.into() }
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid position, field {}: expected {}", self.field, self.expected)
    }
}

impl Error for PositionError {}
