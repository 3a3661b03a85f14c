//! What positions are worth: one file a game, each with the game's [`Tree`](super::Tree).

mod kvantumsakk;
mod phased;
mod quantum;
mod quantum_control;
mod surakarta;
