use super::Board;
use crate::rules::{OptionSpec, Options, Setting, Settings, Values};

/// The options of a game of Quantum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QuantumOptions {
    pub board: Board,
    /// The game ends after this many moves without a capture, 1 to 1000.
    pub move_limit: u16,
}

const MOVE_LIMIT: u16 = 100;

impl Default for QuantumOptions {
    fn default() -> QuantumOptions {
        QuantumOptions { board: Board::default(), move_limit: MOVE_LIMIT }
    }
}

impl Options for QuantumOptions {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "board",
            summary: "The board in play: the inner 10 by 6 squares, the whole 10 by 8, or a wide 12 by 8.",
            values: Values::Word {
                default: Board::Inner.name(),
                choices: &[Board::Inner.name(), Board::Whole.name(), Board::Wide.name()],
            },
        },
        OptionSpec {
            name: "move_limit",
            summary: "After how many moves in a row without a capture, both players' moves counted, \
                      the game ends and the pieces are counted.",
            values: Values::Number { default: MOVE_LIMIT as u32, least: 1, most: 1000 },
        },
    ];

    fn from_settings(settings: &Settings) -> QuantumOptions {
        let board = match settings.get("board") {
            Some(Setting::Word(name)) => Board::from_name(name),
            _ => None,
        };
        let move_limit = match settings.get("move_limit") {
            Some(&Setting::Number(limit)) => u16::try_from(limit).ok(),
            _ => None,
        };
        QuantumOptions { board: board.unwrap_or_default(), move_limit: move_limit.unwrap_or(MOVE_LIMIT) }
    }

    fn to_settings(&self) -> Settings {
        Settings::from([
            ("board".to_owned(), Setting::Word(self.board.name().to_owned())),
            ("move_limit".to_owned(), Setting::Number(self.move_limit.into())),
        ])
    }
}
