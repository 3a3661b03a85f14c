//! The program `boardkeeper`.

use std::process::ExitCode;

use boardkeeper::program::Program;

/// Each answer is made of a hundred small texts, and the system's allocator took a fifth of a server's
/// time for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    Program::from_arguments().run()
}
