//! Floor 4: who searches, and when.
//!
//! A fixed number of threads, a bounded queue that is fair between tenants, one search for equal
//! orders, and a move that is played only if the game still stands where it was asked for.

mod desk;
mod flight;
mod pool;
mod queue;

pub use desk::{Desk, DeskError};
pub use pool::{Pool, PoolError, PoolSize, Ticket};
