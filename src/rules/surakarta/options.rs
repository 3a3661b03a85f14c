use crate::rules::{OptionSpec, Options, Setting, Settings, Values};

/// How a game of Surakarta ends when nobody captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SurakartaOptions {
    majority: bool,
    move_limit: u16,
}

const MOVE_LIMIT: u16 = 50;

impl SurakartaOptions {
    /// Whether the player with more pieces wins when the move limit is reached.
    pub fn majority(self) -> bool {
        self.majority
    }

    /// After how many moves in a row without a capture the game ends, 1 to 1000.
    pub fn move_limit(self) -> u16 {
        self.move_limit
    }
}

impl Default for SurakartaOptions {
    fn default() -> SurakartaOptions {
        SurakartaOptions { majority: false, move_limit: MOVE_LIMIT }
    }
}

impl Options for SurakartaOptions {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "majority",
            summary: "At the move limit the player with more pieces wins, instead of a draw.",
            values: Values::Flag { default: false },
        },
        OptionSpec {
            name: "move_limit",
            summary: "The game ends after so many moves in a row, of either player, without a capture.",
            values: Values::Number { default: MOVE_LIMIT as u32, least: 1, most: 1000 },
        },
    ];

    fn from_settings(settings: &Settings) -> SurakartaOptions {
        let mut options = SurakartaOptions::default();
        if let Some(&Setting::Flag(majority)) = settings.get("majority") {
            options.majority = majority;
        }
        if let Some(&Setting::Number(limit)) = settings.get("move_limit") {
            options.move_limit = u16::try_from(limit).unwrap_or(u16::MAX);
        }
        options
    }

    fn to_settings(&self) -> Settings {
        Settings::from([
            ("majority".to_owned(), Setting::Flag(self.majority)),
            ("move_limit".to_owned(), Setting::Number(self.move_limit.into())),
        ])
    }
}
