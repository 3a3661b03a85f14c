use std::{
    io::{self, Write},
    time::Instant,
};

use super::setup::Setup;
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
        let board = match position {
            Some(text) => kind.open(&settings, text)?,
            None => kind.start(&settings)?,
        };
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
    let seconds = start.elapsed().as_secs_f64();
    Ok(format!("{depth:>5} {nodes:>20} {seconds:>12.6} {:>12}", rate(nodes as f64 / seconds)))
}

/// A rate in three digits and a unit, such as `811 M`.
fn rate(per_second: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let unit = units.into_iter().find(|(size, _)| *size <= per_second);
    let (size, unit) = unit.unwrap_or((1.0, ""));
    let value = per_second / size;
    let digits = if 100.0 <= value { 0 } else { 1 };
    format!("{value:.digits$} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_short() {
        assert_eq!(rate(811_400_000.0), "811 M");
        assert_eq!(rate(1_234_000_000.0), "1.2 G");
        assert_eq!(rate(52_300.0), "52.3 k");
        assert_eq!(rate(7.0), "7.0");
    }
}
