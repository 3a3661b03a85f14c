//! Floor 4: who searches, and when.
//!
//! A fixed number of threads, a bounded queue that is fair between tenants, one search for equal
//! orders, and a move that is played only if the game still stands where it was asked for.

mod desk;
mod flight;
mod pool;
mod priority;
mod queue;
mod report;
mod search;
mod thought;
mod ticket;

pub use desk::{Desk, DeskError, Pending, Taken};
pub use pool::{Pool, PoolError, PoolSize};
pub use thought::{Thinking, Thought, Thoughts};
pub use ticket::Ticket;
