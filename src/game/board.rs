use crate::{
    rules::{Cell, MoveError, MoveView, Outcome, Record, Score, Side},
    search::{Bot, Control, Limits, Line, Plain, Searchable, Searcher},
};

/// Any game being played, whatever its type, spoken to in texts. One implementation serves all.
pub trait Board: Send + Sync {
    /// The position text.
    fn position(&self) -> String;

    /// The side to move; after the end, the side that would have been.
    fn side(&self) -> Side;

    fn phase(&self) -> &'static str;

    fn passes(&self) -> u32;

    /// How the rules ended the game, if they did.
    fn outcome(&self) -> Option<Outcome>;

    /// All legal moves, texts in ascending byte order.
    fn listing(&self) -> Vec<MoveView>;

    /// Describes the move of this text.
    ///
    /// # Errors
    /// The text is no move or an illegal one.
    fn read(&self, text: &str) -> Result<MoveView, MoveError>;

    /// Plays the move of this text and describes it.
    ///
    /// # Errors
    /// The text is no move or an illegal one. Then nothing has changed.
    fn play(&mut self, text: &str) -> Result<MoveView, MoveError>;

    fn cells(&self) -> Vec<Cell>;

    fn scores(&self) -> Vec<Score>;

    /// Searches for a good move, telling `progress` of each depth completed. Moves are texts.
    /// `None` when the game is over.
    fn search(
        &self,
        searcher: &mut Searcher,
        bot: Bot,
        control: Control<'_>,
        progress: &mut dyn FnMut(&Line<String>),
    ) -> Option<Line<String>>;

    /// The same by the plain search that bots are measured by.
    fn search_plainly(&self, plain: &mut Plain, limits: Limits, control: Control<'_>)
    -> Option<Line<String>>;

    fn boxed(&self) -> Box<dyn Board>;
}

impl<G: Searchable> Board for Record<G> {
    fn position(&self) -> String {
        self.state().write_position()
    }

    fn side(&self) -> Side {
        self.state().side()
    }

    fn phase(&self) -> &'static str {
        self.state().phase()
    }

    fn passes(&self) -> u32 {
        self.state().passes()
    }

    fn outcome(&self) -> Option<Outcome> {
        Record::outcome(self)
    }

    fn listing(&self) -> Vec<MoveView> {
        match Record::outcome(self) {
            Some(_) => Vec::new(),
            None => self.state().listing(),
        }
    }

    fn read(&self, text: &str) -> Result<MoveView, MoveError> {
        let mv = self.state().read_move(text)?;
        Ok(self.state().describe(mv))
    }

    fn play(&mut self, text: &str) -> Result<MoveView, MoveError> {
        Record::play(self, text)
    }

    fn cells(&self) -> Vec<Cell> {
        self.state().cells()
    }

    fn scores(&self) -> Vec<Score> {
        self.state().scores()
    }

    fn search(
        &self,
        searcher: &mut Searcher,
        bot: Bot,
        control: Control<'_>,
        progress: &mut dyn FnMut(&Line<String>),
    ) -> Option<Line<String>> {
        let tell = &mut |line: &Line<G::Move>| progress(&in_texts(self, line));
        let line = searcher.search(self, bot, control, tell)?;
        Some(in_texts(self, &line))
    }

    fn search_plainly(
        &self,
        plain: &mut Plain,
        limits: Limits,
        control: Control<'_>,
    ) -> Option<Line<String>> {
        let line = plain.search(self, limits, control)?;
        Some(in_texts(self, &line))
    }

    fn boxed(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Board> {
    fn clone(&self) -> Box<dyn Board> {
        self.boxed()
    }
}

/// The same line with its moves as texts.
fn in_texts<G: Searchable>(record: &Record<G>, line: &Line<G::Move>) -> Line<String> {
    let mut state = *record.state();
    let write = |mv: &G::Move| {
        let text = state.describe(*mv).text;
        state.play(*mv);
        text
    };
    Line {
        best: record.state().describe(line.best).text,
        main_line: line.main_line.iter().map(write).collect(),
        score: line.score,
        depth: line.depth,
        nodes: line.nodes,
        elapsed: line.elapsed,
        stop: line.stop,
    }
}
