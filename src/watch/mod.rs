//! Floor 4: who is told.
//!
//! The hub wakes watchers when a log has grown; a feed reads the log and makes a stream without gap
//! or duplicate of it.

mod feed;
mod hub;
mod inbox;
mod place;

pub use feed::{Feed, FeedEnd, Frame, Pace};
pub use hub::{Hub, Interest};
pub use place::Start;
