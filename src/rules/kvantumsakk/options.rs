use crate::rules::{OptionSpec, Options, Setting, Settings, Values};

/// The options of Kvantumsakk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KvantumsakkOptions {
    /// After how many moves in a row without a capture the game is drawn: 1 to 1000.
    move_limit: u16,
}

const DEFAULT: u16 = 100;

impl KvantumsakkOptions {
    /// After how many moves in a row without a capture the game is drawn: 1 to 1000.
    pub const fn move_limit(self) -> u16 {
        self.move_limit
    }
}

impl Default for KvantumsakkOptions {
    fn default() -> KvantumsakkOptions {
        KvantumsakkOptions { move_limit: DEFAULT }
    }
}

impl Options for KvantumsakkOptions {
    const SPECS: &'static [OptionSpec] = &[OptionSpec {
        name: "move_limit",
        summary: "After how many single moves in a row without a capture the game is drawn.",
        values: Values::Number { default: DEFAULT as u32, least: 1, most: 1000 },
    }];

    fn from_settings(settings: &Settings) -> KvantumsakkOptions {
        match settings.get("move_limit") {
            Some(&Setting::Number(limit)) => {
                KvantumsakkOptions { move_limit: u16::try_from(limit).unwrap_or(DEFAULT) }
            }
            _ => KvantumsakkOptions::default(),
        }
    }

    fn to_settings(&self) -> Settings {
        Settings::from([("move_limit".to_owned(), Setting::Number(u32::from(self.move_limit)))])
    }
}
