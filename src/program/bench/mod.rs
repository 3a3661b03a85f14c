//! A load of moves, to measure servers with.

mod closed_loop;
mod script;
mod seat;
mod tally;

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use super::client::{USUAL_SERVER, with_scheme};

pub use closed_loop::{Caller, Enough, closed_loop};
pub use script::{Script, scripts};
pub use seat::{Line, Seat};
pub use tally::Tally;

/// Plays random games on a server as fast as it answers, and prints how fast that was.
///
/// Each caller makes a move when the one before is answered. The games stay on the server.
#[derive(clap::Args, Debug)]
pub(super) struct Bench {
    /// The server's address.
    #[arg(long, value_name = "ADDRESS", default_value = USUAL_SERVER, env = "BOARDKEEPER_SERVER")]
    server: String,

    /// How many calls are under way at once.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096),
          env = "BOARDKEEPER_BENCH_IN_FLIGHT")]
    in_flight: u16,

    /// For how long.
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400),
          env = "BOARDKEEPER_BENCH_SECONDS")]
    seconds: u64,

    /// Plays games of this type only.
    #[arg(long, value_name = "TYPE", value_parser = game_type, env = "BOARDKEEPER_BENCH_GAME")]
    game: Option<&'static str>,
}

/// How many callers share a connection.
const CALLERS_PER_CONNECTION: usize = 32;

fn game_type(name: &str) -> Result<&'static str, String> {
    let names = crate::game::KINDS.map(|kind| kind.game_type().name);
    let found = names.into_iter().find(|known| *known == name);
    found.ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

impl Bench {
    /// Plays for the time that was asked for.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses a call.
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let scripts = scripts(self.game).into();
        let callers = usize::from(self.in_flight);
        let lines =
            Line::connect(&with_scheme(&self.server), callers.div_ceil(CALLERS_PER_CONNECTION)).await?;
        let seats = (0..callers).map(|number| {
            let line = &lines[number % lines.len()];
            Seat::new(line.clone(), &scripts, number)
        });
        let end = Instant::now() + Duration::from_secs(self.seconds);
        let (_, tally) = closed_loop(seats.collect(), Enough::At(end)).await?;
        let [p50, p99] = [50, 99].map(|percent| tally.percentile(percent));
        writeln!(
            io::stdout(),
            "{} moves, {callers} in flight: {:.0} a second, p50 {p50:.1?}, p99 {p99:.1?}",
            tally.calls(),
            tally.rate()
        )?;
        Ok(())
    }
}
