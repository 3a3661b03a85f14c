use std::{fmt, hash::Hash, ops::ControlFlow};

use super::{
    Cell, GameType, Geometry, MoveError, MoveView, Options, Outcome, PositionError, Score, Settings, Side,
};

/// The state of a game of one type: all that the rules need except the history for repetition.
///
/// A state carries its settings (limits, variants), so that everything below can be asked of it
/// alone. Two states are equal when all of that is equal; [`Game::same_position`] asks only for
/// what repetition asks.
pub trait Game: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    const TYPE: GameType;

    type Options: Options;

    /// One whole turn of a player. `Hash` and `Eq` tell moves of one position apart.
    type Move: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// The usual starting position.
    fn start(options: &Self::Options) -> Self;

    /// The options that the game was started with.
    fn options(&self) -> Self::Options;

    /// The side to move. After the end, the side that would have been.
    fn side(&self) -> Side;

    /// The part of the game: a name in `snake_case`.
    fn phase(&self) -> &'static str {
        "play"
    }

    /// How many passes in a row led here.
    fn passes(&self) -> u32 {
        0
    }

    /// How the game has ended, if it has, when this position has now occurred `occurrences` times
    /// since the last capture, this time included (so at least 1).
    fn outcome(&self, occurrences: u32) -> Option<Outcome>;

    /// Hands each legal move to `visit`, until it breaks. Allocates nothing. Asks nobody whether
    /// the game is over.
    fn visit_moves<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// How many legal moves there are; the same as counting [`Game::visit_moves`], but fast.
    fn count_moves(&self) -> u64;

    /// Plays a move that [`Game::visit_moves`] lists for this state, or that [`Game::read_move`]
    /// returned. Anything else is a bug in the caller: the state that comes of it is unspecified.
    fn play(&mut self, mv: Self::Move);

    /// Whether no position from before this move can come again: it clears the repetition history.
    fn clears_history(&self, mv: Self::Move) -> bool;

    /// A hash of what [`Game::same_position`] compares, kept up move by move.
    fn key(&self) -> u64;

    /// The same as [`Game::key`], computed from the board. For tests.
    fn key_from_scratch(&self) -> u64;

    /// Whether these two are one position for the purpose of repetition.
    fn same_position(&self, other: &Self) -> bool;

    /// What a position text says about settings that the caller has left out, such as the board by
    /// its size. Nothing where the text says nothing, or is none.
    fn implied_settings(_position: &str) -> Settings {
        Settings::new()
    }

    /// Reads a position text.
    ///
    /// # Errors
    /// The text is not canonical, breaks a rule of the game's page, or does not fit the options.
    /// That the game is not yet over is checked by [`super::Record::from_position`].
    fn read_position(text: &str, options: &Self::Options) -> Result<Self, PositionError>;

    /// The canonical position text.
    fn write_position(&self) -> String;

    /// Reads the text of a legal move, canonical or as the page allows input to be.
    ///
    /// # Errors
    /// The text has not the form of a move, or the rules refuse the move here; then the breach
    /// says which rule.
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Describes a legal move of this state.
    fn describe(&self, mv: Self::Move) -> MoveView;

    /// The board as it is drawn.
    fn geometry(options: &Self::Options) -> Geometry;

    /// What stands where, occupied points only, in the order of [`Game::geometry`].
    fn cells(&self) -> Vec<Cell>;

    /// The counts that the game's end looks at.
    fn scores(&self) -> Vec<Score>;

    /// All legal moves, in no particular order.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        let ControlFlow::Continue(()) = self.visit_moves::<std::convert::Infallible>(|mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        moves
    }

    /// All legal moves as a portal sees them, texts in ascending byte order.
    fn listing(&self) -> Vec<MoveView> {
        let mut views: Vec<MoveView> = self.moves().into_iter().map(|mv| self.describe(mv)).collect();
        views.sort_by(|a, b| a.text.cmp(&b.text));
        views
    }
}
