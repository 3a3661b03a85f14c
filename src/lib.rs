//! Boardkeeper keeps the truth about turn-based board games: whose turn it is, what is legal, what
//! happened, who won.
//!
//! Floors, ground first; a floor uses only those below it:
//!
//! 1. [`rules`]: the games, pure.
//! 2. [`search`]: looks for good moves in any game, pure.
//! 3. [`game`]: the life of one game, decided and folded, no I/O.
//! 4. [`store`], [`ledger`], [`bots`], [`watch`]: where events are kept, how games are read and
//!    changed, who searches, who is told.
//! 5. [`api`]: the gRPC service.
//! 6. [`server`], [`program`]: wiring, arguments, and the terminal.
//!
//! Beside them stand [`gather`]: connections that save on writes, for stores and server; and [`chance`]:
//! numbers of chance, for the program, benchmarks and tests.

pub mod api;
pub mod bots;
pub mod chance;
pub mod game;
pub mod gather;
pub mod ledger;
pub mod program;
pub mod rules;
pub mod search;
pub mod server;
pub mod store;
pub mod watch;
