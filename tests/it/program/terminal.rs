use std::{
    io::Write,
    process::{Command, Stdio},
    thread,
};

/// What a run of the program left behind.
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

/// The program, untouched by the environment of the tests.
pub(super) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardkeeper"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("BOARDKEEPER_")) {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program to its end.
pub(super) fn run(arguments: &[&str]) -> Ran {
    typed(arguments, "")
}

/// Runs the program with these lines as its input.
pub(super) fn typed(arguments: &[&str], lines: &str) -> Ran {
    let mut command = program(arguments);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program was built with the tests");
    let mut input = child.stdin.take().expect("a pipe");
    let lines = lines.to_owned();
    // A program that ends early does not read all of it.
    let typing = thread::spawn(move || drop(input.write_all(lines.as_bytes())));
    let output = child.wait_with_output().expect("it ends");
    typing.join().expect("no panic");
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}
