use super::{Game, MoveError, MoveView, Outcome, PositionError};

/// A game in progress: its state, and the positions since the last capture for repetition.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    state: G,
    /// Every position since the last move that cleared the history, the present one last.
    since_clear: Vec<G>,
    outcome: Option<Outcome>,
}

impl<G: Game> Record<G> {
    /// A game from the usual start.
    pub fn start(options: &G::Options) -> Record<G> {
        Record::new(G::start(options))
    }

    /// A game from a position text, which counts as the first occurrence of that position.
    ///
    /// # Errors
    /// The text is no valid position under these options, or the game would already be over.
    pub fn from_position(text: &str, options: &G::Options) -> Result<Record<G>, PositionError> {
        let record = Record::<G>::new(G::read_position(text, options)?);
        match record.outcome {
            None => Ok(record),
            Some(outcome) => Err(PositionError::new(
                "position",
                format!("a game that still goes on; this one is over: {}", outcome.reason),
            )),
        }
    }

    fn new(state: G) -> Record<G> {
        Record { state, since_clear: vec![state], outcome: state.outcome(1) }
    }

    pub fn state(&self) -> &G {
        &self.state
    }

    /// How the rules ended the game, if they did.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The positions that can still be repeated, oldest first, the present one last.
    pub fn repeatable(&self) -> &[G] {
        &self.since_clear
    }

    /// Plays the move of this text.
    ///
    /// # Errors
    /// The text is no move or an illegal one. Then nothing has changed. The caller asks
    /// [`Record::outcome`] first: a finished game refuses nothing here.
    pub fn play(&mut self, text: &str) -> Result<MoveView, MoveError> {
        let mv = self.state.read_move(text)?;
        let view = self.state.describe(mv);
        self.advance(mv);
        Ok(view)
    }

    /// Plays a legal move.
    pub fn advance(&mut self, mv: G::Move) {
        if self.state.clears_history(mv) {
            self.since_clear.clear();
        }
        self.state.play(mv);
        self.since_clear.push(self.state);
        self.outcome = self.state.outcome(self.occurrences());
    }

    fn occurrences(&self) -> u32 {
        let same = |past: &&G| past.key() == self.state.key() && past.same_position(&self.state);
        self.since_clear.iter().filter(same).count() as u32
    }
}
