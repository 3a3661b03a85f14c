//! Floor 2: bots. Alpha-beta over any game of floor 1, within a budget.
//!
//! A [`Searcher`] searches a [`Searchable`] game, which it walks as a [`Tree`] of single steps.
//! Pure: it gets a position, limits, a stop flag and a clock, and does no I/O. With fixed limits and
//! seed a search is the same on every machine, unless the clock or the flag ends it.

mod alphabeta;
mod control;
mod evaluation;
mod history;
mod level;
mod limits;
mod line;
mod order;
mod path;
mod plain;
mod quiet;
mod score;
mod searcher;
mod seed;
mod table;
mod tree;
pub mod tuning;
mod whole_turn;

pub use control::{Control, StopReason};
pub use level::{Bot, LEVELS, Level};
pub use limits::{Limits, MAX_DEPTH, MAX_NODES, MAX_TIME};
pub use line::Line;
pub use plain::Plain;
pub use quiet::Quiet;
pub use score::{EVALUATION_LIMIT, Score};
pub use searcher::Searcher;
pub use tree::{Prospect, Searchable, Tree, Weights};
pub use whole_turn::{Judged, WholeTurn};
