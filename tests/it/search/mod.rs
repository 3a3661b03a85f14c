//! Bots: the search over every game.

mod budget;
mod equals_minimax;
mod minimax;
mod solves;
mod think;
mod walks;
