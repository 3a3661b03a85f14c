//! All tests in one program, so that it is linked once.

/// What the program does in a terminal, run as a person runs it.
mod program;
/// A wire in a test's hand.
mod proxy;
/// The rules of each game, against recorded positions and against slow checkers.
mod rules;
/// The search, against plain minimax and its budgets.
mod search;
/// The promises of the service, over gRPC, against servers started for each test.
mod service;
/// The promises of a store, held by every store.
mod store;
