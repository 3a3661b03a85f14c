//! What positions are worth: one file a game, each with the game's [`Tree`](super::Tree).

mod kvantumsakk;
mod quantum;
mod quantum_control;
mod surakarta;
