//! Matches between bots, to measure them.

mod match_play;
mod opening;
mod played;
mod tally;

use std::{
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    thread,
};

use super::{
    player::{Clock, Player},
    setup::Setup,
};
use match_play::Match;
use tally::Tally;

/// Plays a match between two bots, and prints how it went.
///
/// Each opening, some random moves drawn by the seed, is played twice, once with each colour. The
/// same seed makes the same games, whatever the number of jobs, as long as no search is stopped by
/// its time limit; how many were is said. `plain` is the plain search that bots are measured by:
/// alpha-beta with a table and a count of pieces or areas, at 200,000 nodes.
#[derive(clap::Args, Debug)]
pub(super) struct Arena {
    #[command(flatten)]
    setup: Setup,

    /// One player: 1 to 5, one to five, or plain.
    #[arg(long, value_name = "LEVEL")]
    a: Player,

    /// The other one.
    #[arg(long, value_name = "LEVEL")]
    b: Player,

    /// How many games: an even number, since each opening is played with both colours.
    #[arg(long, value_name = "N", value_parser = even, default_value = "20")]
    games: usize,

    /// Decides the openings, and the bots' choices among equal moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How many random moves an opening has.
    #[arg(long, value_name = "MOVES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=40))]
    opening: u32,

    /// How many games are played at the same time. By default one a core.
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Leaves out the time limits, so that the same seed makes the same games on every machine.
    #[arg(long)]
    untimed: bool,
}

/// More games would be no match any more.
const MOST_GAMES: usize = 1_000_000;

fn even(text: &str) -> Result<usize, String> {
    let games = text.parse().ok().filter(|games| (2..=MOST_GAMES).contains(games) && games % 2 == 0);
    games.ok_or_else(|| format!("expected an even number from 2 to {MOST_GAMES}"))
}

impl Arena {
    /// Plays the match, with a line on standard error that tells how far it is if that is a terminal.
    ///
    /// # Errors
    /// There is no such position or option, no opening can be found, or standard output is closed.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let start = self.setup.board()?;
        let openings = opening::draw(&*start, self.games / 2, self.opening, self.seed)?;
        let clock = if self.untimed { Clock::Stands } else { Clock::Runs };
        let played = Match { players: [self.a, self.b], openings: &openings, seed: self.seed, clock };
        let mut out = io::stdout();
        writeln!(out, "{}: {} against {}", self.setup.game, self.a, self.b)?;
        writeln!(out, "{}", self.terms())?;
        let mut tally = Tally::default();
        let mut progress = Progress { live: io::stderr().is_terminal(), games: self.games };
        played.play(self.jobs(), |game| {
            tally.add(game);
            progress.show(&tally);
        });
        progress.clear();
        write!(out, "\n{}", tally.report([self.a, self.b]))?;
        Ok(())
    }

    fn jobs(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(cores, usize::from).min(self.games)
    }

    fn terms(&self) -> String {
        let clock = if self.untimed { ", no time limits" } else { "" };
        format!(
            "{} games, two from each opening of {} random moves; seed {}{clock}",
            self.games, self.opening, self.seed
        )
    }
}

/// A line that says how far the match is, while it is played.
struct Progress {
    live: bool,
    games: usize,
}

impl Progress {
    fn show(&mut self, tally: &Tally) {
        if self.live {
            let line = tally.in_short();
            // Nobody needs the line: what cannot be written is left out.
            drop(write!(io::stderr(), "\r\x1b[K{} of {} games: {line}", tally.games(), self.games));
        }
    }

    fn clear(&self) {
        if self.live {
            drop(write!(io::stderr(), "\r\x1b[K"));
        }
    }
}
