use std::{env, io::IsTerminal};

use super::palette::Colour;

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Colouring {
    /// In a terminal, unless NO_COLOR is set.
    Auto,
    /// Also into files and pipes.
    Always,
    /// Nowhere: letters and signs only.
    Never,
}

/// What is drawn on: a terminal that shows colours, or plain text without any escape code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Medium {
    Colour,
    Plain,
}

impl Colouring {
    /// What standard output is, going by this wish, NO_COLOR (no-color.org) and TERM.
    pub(crate) fn medium(self) -> Medium {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            Colouring::Always => Medium::Colour,
            Colouring::Auto if std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb => Medium::Colour,
            Colouring::Auto | Colouring::Never => Medium::Plain,
        }
    }
}

impl Medium {
    /// The text in this ink.
    pub(crate) fn ink(self, text: &str, ink: Colour) -> String {
        match self {
            Medium::Colour => format!("\x1b[38;5;{}m{text}\x1b[0m", ink.0),
            Medium::Plain => text.to_owned(),
        }
    }

    /// The text in bold letters.
    pub(crate) fn bold(self, text: &str) -> String {
        match self {
            Medium::Colour => format!("\x1b[1m{text}\x1b[0m"),
            Medium::Plain => text.to_owned(),
        }
    }
}
