//! Floor 1: the rules of the games, pure.
//!
//! One module a game, all behind [`Game`]. Nothing here does I/O, waits, or reads a clock.

mod error;
mod game;
mod game_type;
mod moves;
mod outcome;
mod perft;
mod picture;
mod record;
mod settings;
mod side;
mod zobrist;

pub mod kvantumsakk;
pub mod quantum;
pub mod quantum_control;
pub mod surakarta;

pub use error::{Breach, MoveError, PositionError};
pub use game::Game;
pub use game_type::{GameType, RuleCode};
pub use moves::{Action, Arc, MoveView, Point, Taken};
pub use outcome::Outcome;
pub use perft::perft;
pub use picture::{Cell, Circuit, Geometry, PointView, Region, RegionKind, Score, Shade, TrackStep};
pub use record::Record;
pub use settings::{OptionError, OptionSpec, Options, Setting, Settings, Values};
pub use side::{BySide, Side};
