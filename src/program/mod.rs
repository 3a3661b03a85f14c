//! Floor 6: the program: its arguments, and what it does in a terminal.

mod analyse;
mod arena;
pub mod bench;
mod bots;
mod client;
mod demo;
mod draw;
mod follow;
mod home;
mod mirror;
mod perft;
mod play;
mod player;
mod private;
mod rate;
mod screen;
mod serve;
mod setup;
mod table;
mod watch;

use std::{io, process::ExitCode};

use clap::{Parser, Subcommand};
use tokio::runtime::Runtime;

use draw::Colouring;

/// Keeps the truth about turn-based board games: whose turn it is, what is legal, what happened,
/// who won.
///
/// `serve` starts the gRPC service; `demo` shows it at work; `play` and `watch` are a small portal
/// in the terminal; `arena` and `analyse` measure the bots, `perft` the rules, `bench` a server. Every flag can also be set in the environment, as
/// the help of each command says.
#[derive(Parser, Debug)]
#[command(name = "boardkeeper", version, arg_required_else_help = true)]
pub struct Program {
    /// When to draw with colours.
    #[arg(long, global = true, value_enum, default_value_t = Colouring::Auto, env = "BOARDKEEPER_COLOR", value_name = "WHEN")]
    color: Colouring,

    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand, Debug)]
enum Job {
    Serve(serve::Serve),
    Demo(demo::Demo),
    Play(play::Play),
    Watch(watch::Watch),
    Arena(arena::Arena),
    Bench(bench::Bench),
    Analyse(analyse::Analyse),
    Perft(perft::Perft),
}

impl Program {
    /// Reads the arguments and the environment, or ends the process with help or with exit code 2.
    pub fn from_arguments() -> Program {
        Program::parse()
    }

    /// Does what was asked for; what goes wrong is told on standard error.
    pub fn run(self) -> ExitCode {
        match self.work() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) if is_unread(&error) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("boardkeeper: {error:#}");
                ExitCode::FAILURE
            }
        }
    }

    fn work(self) -> anyhow::Result<()> {
        let medium = self.color.medium();
        match self.job {
            Job::Serve(serve) => Runtime::new()?.block_on(serve.run()),
            Job::Demo(demo) => until_interrupted(demo.run(medium)),
            Job::Play(play) => until_interrupted(play.run(medium)),
            Job::Watch(watch) => until_interrupted(watch.run(medium)),
            Job::Bench(bench) => until_interrupted(bench.run()),
            Job::Arena(arena) => arena.run(),
            Job::Analyse(analyse) => analyse.run(),
            Job::Perft(perft) => perft.run(),
        }
    }
}

/// Whether nobody reads on: the other end of the pipe, such as `head`, has seen enough.
fn is_unread(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Runs a job for the terminal to its end, or until somebody presses Ctrl-C: then it is dropped,
/// and what it made goes with it.
fn until_interrupted(job: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    Runtime::new()?.block_on(async {
        tokio::select! {
            done = job => done,
            interrupted = tokio::signal::ctrl_c() => Ok(interrupted?),
        }
    })
}
