use std::{
    fmt,
    str::FromStr,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use crate::{
    game::Board,
    search::{Control, LEVELS, Level, Limits, Line, Plain, Searcher},
};

/// Who plays in the arena: a bot, or the plain search that bots are measured by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Player {
    Bot(&'static Level),
    Plain,
}

/// A player with the memory that it thinks in.
pub(super) enum Mind {
    Bot(&'static Level, Box<Searcher>),
    Plain(Box<Plain>),
}

/// Which of its limits a player keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Clock {
    /// All of them.
    Runs,
    /// Depth and nodes only: the same on every machine.
    Stands,
}

impl Player {
    pub(super) fn mind(self) -> Mind {
        match self {
            Player::Bot(level) => Mind::Bot(level, Box::default()),
            Player::Plain => Mind::Plain(Box::default()),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Bot(level) => level.name,
            Player::Plain => "plain",
        })
    }
}

impl FromStr for Player {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Player, &'static str> {
        if text.trim().eq_ignore_ascii_case("plain") {
            return Ok(Player::Plain);
        }
        level(text).map(Player::Bot).ok_or("expected 1 to 5, one to five, or plain")
    }
}

/// The level of this number or name: `5`, `five`, `GolemBot Five`.
pub(super) fn level(text: &str) -> Option<&'static Level> {
    let text = text.trim().to_lowercase();
    LEVELS.iter().find(|level| {
        let name = level.name.to_lowercase();
        let last = name.rsplit(' ').next();
        text == level.number.to_string() || text == name || last == Some(text.as_str())
    })
}

impl Mind {
    /// Searches for a move, and tells how long that really took. `None` when the game is over.
    pub(super) fn think(&mut self, board: &dyn Board, seed: u64, clock: Clock) -> Option<Line<String>> {
        let started = Instant::now();
        let stop = AtomicBool::new(false);
        let elapsed = move || match clock {
            Clock::Runs => started.elapsed(),
            Clock::Stands => Duration::ZERO,
        };
        let control = Control { stop: &stop, elapsed: &elapsed };
        let line = match self {
            Mind::Bot(level, searcher) => board.search(searcher, level.bot(seed), control, &mut |_| ()),
            Mind::Plain(plain) => board.search_plainly(plain, Limits::MAX, control),
        }?;
        Some(Line { elapsed: started.elapsed(), ..line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_numbers_and_names() {
        for text in ["5", "five", "Five", "GolemBot Five", " golembot five "] {
            assert_eq!(level(text).map(|level| level.number), Some(5), "{text}");
        }
        for text in ["", "0", "6", "golembot", "fiver"] {
            assert!(level(text).is_none(), "{text}");
        }
        assert!(matches!("PLAIN".parse(), Ok(Player::Plain)));
        assert!("plane".parse::<Player>().is_err());
    }
}
