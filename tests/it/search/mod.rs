//! Bots: the search over every game.

mod budget;
mod equals_minimax;
mod minimax;
mod plays;
mod solves;
mod think;
mod walks;
