//! The program `boardkeeper`.

use std::process::ExitCode;

use boardkeeper::program::Program;

fn main() -> ExitCode {
    Program::from_arguments().run()
}
