use std::{io, thread};

use tokio::sync::mpsc;

/// The lines that somebody types.
pub(super) struct Lines(mpsc::Receiver<String>);

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
        Lines(received)
    }

    /// The next line; `None` at the end of input.
    pub(super) async fn next(&mut self) -> Option<String> {
        self.0.recv().await
    }
}
