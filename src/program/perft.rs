use std::{
    io::{self, Write},
    time::Instant,
};

use super::{rate::rate, setup::Setup};
use crate::game::Kind;

/// Counts the sequences of legal moves from a position: for checking the rules, and their speed.
///
/// For each depth up to the one asked for: the number of sequences of that length, the time, and the
/// nodes a second on one core. The last ply is counted in bulk. Sequences that end earlier do not
/// count; passes are moves.
#[derive(clap::Args, Debug)]
pub(super) struct Perft {
    #[command(flatten)]
    setup: Setup,

    /// How many single moves long the sequences are.
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
}

impl Perft {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (kind, settings) = (self.setup.kind()?, self.setup.settings()?);
        let position = self.setup.position.as_deref();
        let board = self.setup.board()?;
        let mut out = io::stdout();
        writeln!(out, "{} from {}", self.setup.game, board.position())?;
        writeln!(out, "{:>5} {:>20} {:>12} {:>12}", "depth", "nodes", "seconds", "nodes/s")?;
        for depth in self.depth.min(1)..=self.depth {
            writeln!(out, "{}", row(kind, &settings, position, depth)?)?;
        }
        Ok(())
    }
}

fn row(
    kind: &dyn Kind,
    settings: &crate::rules::Settings,
    position: Option<&str>,
    depth: u32,
) -> anyhow::Result<String> {
    let start = Instant::now();
    let nodes = kind.perft(settings, position, depth)?;
    let time = start.elapsed();
    Ok(format!("{depth:>5} {nodes:>20} {:>12.6} {:>12}", time.as_secs_f64(), rate(nodes, time)))
}
