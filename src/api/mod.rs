//! Floor 5: the gRPC service: messages to the domain and back, errors to statuses. No rule of any
//! game is known here.

mod bots;
mod deadline;
mod game_types;
mod games;
mod moves;
pub(crate) mod options;
mod parse;
pub mod proto;
mod reason;
mod refusal;
mod service;
mod streams;
mod structured;
mod tell;
mod thinking;
mod token;

pub use reason::Reason;
pub use refusal::{DOMAIN, Refusal};
pub use service::Service;
pub use streams::Frames;
pub use thinking::BotFrames;
