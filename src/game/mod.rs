//! Floor 3: the life of one game as a functional core.
//!
//! [`decide`] turns a command into what happens or a rejection; [`Game::follow`] turns what happened
//! into the game after it. What is stored and what is streamed is the events. No I/O, no clock.

mod board;
mod command;
mod digest;
mod event;
mod id;
mod kind;
mod play;
mod shown;
mod told;
mod transcript;

pub use board::Board;
pub use command::{BotOrder, Command, Deed, Rejection, decide, stands};
pub use digest::{Digest, Fingerprint};
pub use event::{Body, BotReport, BotScore, Creation, DecodeError, EndCause, Entry, Event, StopReason};
pub use id::{GameId, GameKey, Millis, NAME_FORM, NameError, RequestId, RequestIdError, Tenant, Version};
pub use kind::{KINDS, Kind, OpenError, kind, parse_settings};
pub use play::{CreationError, Ending, Game, Origin, RULES_VERSION, ReplayError};
pub use shown::Shown;
pub use told::Told;
pub use transcript::{Form, LARGEST_RECORD, Transcript, TranscriptError};
