//! Bots: the search over every game.

mod budget;
mod equals_minimax;
mod minimax;
mod plays;
mod snapshots;
mod solves;
mod think;
mod tuning;
mod walks;
