use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use super::{player::level, rate::rate, setup::Setup};
use crate::{
    game::Board,
    search::{Bot, Control, Level, Limits, Line, MAX_DEPTH, MAX_NODES, MAX_TIME, Searcher, StopReason},
};

/// Shows a bot's search at work: each depth as it is completed, and at the end why it stopped.
///
/// Scores are those of the side to move, in the game's unit (an area, a piece, a fixed tower, a
/// quantum); moves are in the game's notation.
#[derive(clap::Args, Debug)]
pub(super) struct Analyse {
    #[command(flatten)]
    setup: Setup,

    /// The level whose bot searches: 1 to 5, or one to five.
    #[arg(long, value_name = "LEVEL", value_parser = known_level, default_value = "five")]
    level: &'static Level,

    /// At most so many whole turns deep, instead of the level's own limit.
    #[arg(long, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,

    /// At most so many nodes, instead of the level's own limit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    nodes: Option<u64>,

    /// At most so many milliseconds, instead of the level's own limit.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=MAX_TIME.as_millis() as u64))]
    time_ms: Option<u64>,

    /// Chooses among moves of equal worth.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

fn known_level(text: &str) -> Result<&'static Level, &'static str> {
    level(text).ok_or("expected 1 to 5, or one to five")
}

impl Analyse {
    /// Searches, and shows it on standard output while it goes on.
    ///
    /// # Errors
    /// There is no such position, or standard output is closed.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let board = self.setup.board()?;
        let bot = Bot { limits: self.limits(), ..self.level.bot(self.seed) };
        let mut out = io::stdout();
        writeln!(out, "{} from {}", self.setup.game, board.position())?;
        writeln!(out, "{}; {} looks {}", to_move(&*board), self.level.name, in_words(bot.limits))?;
        writeln!(out, "{}", row(["depth", "score", "nodes", "seconds", "nodes/s"], "main line"))?;
        match search(&*board, bot, &mut out)? {
            Some(line) => writeln!(out, "{}", conclusion(&line))?,
            None => writeln!(out, "there is nothing to search: the game is over")?,
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        let own = self.level.limits;
        let time = self.time_ms.map_or(own.time(), Duration::from_millis);
        Limits::new(self.depth.unwrap_or(own.depth()), self.nodes.unwrap_or(own.nodes()), time)
    }
}

/// Searches, writing a row for each depth. A reader who has gone ends the search.
fn search(board: &dyn Board, bot: Bot, out: &mut impl Write) -> io::Result<Option<Line<String>>> {
    let started = Instant::now();
    let stop = AtomicBool::new(false);
    let elapsed = move || started.elapsed();
    let mut written = Ok(());
    let mut show = |line: &Line<String>| {
        written = writeln!(out, "{}", depth_row(line)).and_then(|()| out.flush());
        if written.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let control = Control { stop: &stop, elapsed: &elapsed };
    let line = board.search(&mut Searcher::default(), bot, control, &mut show);
    written.map(|()| line)
}

fn depth_row(line: &Line<String>) -> String {
    let cells = [
        line.depth.to_string(),
        line.score.to_string(),
        line.nodes.to_string(),
        format!("{:.3}", line.elapsed.as_secs_f64()),
        rate(line.nodes, line.elapsed),
    ];
    row(cells.each_ref().map(String::as_str), &line.main_line.join(" "))
}

fn row([depth, score, nodes, seconds, speed]: [&str; 5], main_line: &str) -> String {
    format!("{depth:>5} {score:>10} {nodes:>8} {seconds:>8} {speed:>8}  {main_line}")
}

fn to_move(board: &dyn Board) -> String {
    format!("{} to move", board.side())
}

fn in_words(limits: Limits) -> String {
    let (depth, nodes) = (limits.depth(), limits.nodes());
    format!("at most {depth} turns ahead, at {nodes} nodes, for {} s", limits.time().as_secs_f64())
}

fn conclusion(line: &Line<String>) -> String {
    let Line { best, score, nodes, elapsed, .. } = line;
    let why = line.stop.map_or("", because);
    format!("{best}, {score}: {why}, after {nodes} nodes and {:.3} s", elapsed.as_secs_f64())
}

fn because(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Depth => "searched as deep as it may",
        StopReason::Nodes => "all nodes are spent",
        StopReason::Time => "the time is up",
        StopReason::Solved => "solved",
        StopReason::OnlyMove => "the only move",
        StopReason::Stopped => "stopped",
    }
}
