//! How fast the service is, on both stores, beside the least that any such service must do: moves in
//! a closed loop, and one event to many watchers.
//!
//! `cargo bench --bench service -- [--part changes|watching] [--fsync everysec|always] [--rounds N]`.
//! It starts a private redis-server and all servers by itself. Rounds of the different servers
//! alternate, since a shared machine is not equally fast for long; callers are in this process, whose
//! processor time does not count.

mod changes;
mod floor;
mod median;
mod process;
mod servers;
mod watching;

use std::{path::PathBuf, sync::Arc};

use boardkeeper::program::bench::scripts;
use clap::{Parser, ValueEnum};

use servers::Servers;

/// As in the program, so that the bare server is not the slower for it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser, Debug)]
struct Bench {
    /// What to measure; by default all.
    #[arg(long, value_enum)]
    part: Option<Part>,

    /// When Redis flushes its file: `everysec` or `always`.
    #[arg(long, default_value = "everysec", value_parser = ["everysec", "always"])]
    fsync: String,

    #[arg(long, default_value_t = 5)]
    rounds: usize,

    /// Moves of this type of game only.
    #[arg(long)]
    game: Option<String>,

    /// Is the bare server, over the Redis of this URL; for this program's own use.
    #[arg(long, hide = true, requires = "port_file")]
    floor_over: Option<String>,

    #[arg(long, hide = true)]
    port_file: Option<PathBuf>,

    /// Cargo adds it.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Part {
    Changes,
    Watching,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let bench = Bench::parse();
    if let (Some(redis), Some(port_file)) = (&bench.floor_over, &bench.port_file) {
        return floor::serve(redis, port_file).await;
    }
    let scripts: Arc<[_]> = scripts(bench.game.as_deref()).into();
    let servers = Servers::start(&bench.fsync)?;
    println!("Redis with appendfsync {}; medians of {} rounds", bench.fsync, bench.rounds);
    if bench.part != Some(Part::Watching) {
        changes::measure(&servers, bench.rounds, &scripts).await?;
    }
    if bench.part != Some(Part::Changes) {
        watching::measure(&servers, bench.rounds, &scripts).await?;
        watching::across(&servers, &scripts).await?;
    }
    Ok(())
}
