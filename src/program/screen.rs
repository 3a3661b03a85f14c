use std::io::{self, IsTerminal, Write};

use super::draw::Medium;

/// Shows one picture after another: in a terminal in place of the one before, else below it.
pub(super) struct Screen {
    in_place: bool,
    /// Lines of the picture that stands there now.
    lines: usize,
}

impl Screen {
    pub(super) fn new(medium: Medium) -> Screen {
        Screen { in_place: medium == Medium::Colour && io::stdout().is_terminal(), lines: 0 }
    }

    /// Whether somebody is looking on while it happens.
    pub(super) fn is_live(&self) -> bool {
        self.in_place
    }

    /// Shows a picture, whose lines each end in a line feed.
    ///
    /// # Errors
    /// Standard output is closed.
    pub(super) fn show(&mut self, picture: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.in_place {
            if self.lines != 0 {
                write!(out, "\x1b[{}A\x1b[J", self.lines)?;
            }
            self.lines = picture.lines().count();
            write!(out, "{picture}")?;
        } else {
            writeln!(out, "{picture}")?;
        }
        out.flush()
    }
}
