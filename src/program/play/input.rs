use std::{
    io::{self, IsTerminal, Write},
    thread,
};

use tokio::sync::mpsc;

/// The lines that somebody types.
pub(super) struct Lines {
    typed: mpsc::Receiver<String>,
    /// Whether they come from a file or a pipe, so that nobody has seen them yet.
    unseen: bool,
}

impl Lines {
    /// Reads standard input on a thread of its own, since a read from a terminal cannot be called
    /// off: the program need not wait for it in order to end.
    pub(super) fn of_stdin() -> Lines {
        let (lines, received) = mpsc::channel(1);
        thread::spawn(move || {
            for line in io::stdin().lines().map_while(Result::ok) {
                if lines.blocking_send(line).is_err() {
                    return;
                }
            }
        });
        Lines { typed: received, unseen: !io::stdin().is_terminal() }
    }

    /// The next line; `None` at the end of input. A line that nobody typed here is shown, so that
    /// what is printed reads like a game at a terminal.
    ///
    /// # Errors
    /// Standard output is closed.
    pub(super) async fn next(&mut self) -> io::Result<Option<String>> {
        let line = self.typed.recv().await;
        if self.unseen {
            writeln!(io::stdout(), "{}", line.as_deref().unwrap_or_default())?;
        }
        Ok(line)
    }
}
