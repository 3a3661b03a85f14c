use std::{collections::HashMap, time::Duration};

use tonic::Status;
use tonic_types::{ErrorDetails, StatusExt};

use super::Reason;
use crate::{
    bots::{DeskError, PoolError},
    game::{CreationError, Digest, OpenError, Rejection, TranscriptError, Version},
    ledger::LedgerError,
    rules::Breach,
    store::StoreError,
};

/// The domain of every reason.
pub const DOMAIN: &str = "boardkeeper";

/// A refused call, as it is told to the caller: the only place where errors become gRPC statuses.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    pub reason: Reason,
    /// A sentence for people, without the full stop.
    pub sentence: String,
    pub metadata: Vec<(String, String)>,
    /// The field of the request that is at fault, and what was expected.
    pub field: Option<(String, String)>,
    /// When trying again makes sense.
    pub retry_after: Option<Duration>,
}

/// When to try again where nothing better is known.
const SOON: Duration = Duration::from_millis(500);

impl Refusal {
    pub fn new(reason: Reason, sentence: impl Into<String>) -> Refusal {
        Refusal { reason, sentence: sentence.into(), metadata: Vec::new(), field: None, retry_after: None }
    }

    /// A field of the request is not as it must be.
    pub fn field(reason: Reason, field: &str, expected: impl Into<String>) -> Refusal {
        let expected = expected.into();
        let mut refusal = Refusal::new(reason, format!("{field}: expected {expected}"));
        refusal.field = Some((field.to_owned(), format!("expected {expected}")));
        refusal
    }

    pub fn with(mut self, name: &str, value: impl ToString) -> Refusal {
        self.metadata.push((name.to_owned(), value.to_string()));
        self
    }

    pub fn retry(mut self, after: Duration) -> Refusal {
        self.retry_after = Some(after);
        self
    }

    fn current(self, version: Version, digest: Digest) -> Refusal {
        self.with("current_version", version).with("current_digest", digest)
    }

    fn breach(reason: Reason, breach: &Breach) -> Refusal {
        let refusal = Refusal::new(reason, &breach.sentence).with("rule", breach.code);
        breach.values.iter().fold(refusal, |refusal, (name, value)| refusal.with(name, value))
    }
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Status {
        let metadata: HashMap<String, String> = refusal.metadata.into_iter().collect();
        let mut details = ErrorDetails::with_error_info(refusal.reason.name(), DOMAIN, metadata);
        if let Some((field, expected)) = refusal.field {
            details.add_bad_request_violation(field, expected);
        }
        if let Some(after) = refusal.retry_after {
            details.set_retry_info(Some(after));
        }
        Status::with_error_details(refusal.reason.code(), refusal.sentence, details)
    }
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Refusal {
        let sentence = rejection.to_string();
        match rejection {
            Rejection::Over { reason } => Refusal::new(Reason::GameOver, sentence).with("end_reason", reason),
            Rejection::Version { current, digest, .. } => {
                Refusal::new(Reason::VersionMismatch, sentence).current(current, digest)
            }
            Rejection::Diverged { current, digest, .. } => {
                Refusal::new(Reason::HistoryDiverged, sentence).current(current, digest)
            }
            Rejection::NotYourTurn { to_move } => {
                Refusal::new(Reason::NotYourTurn, sentence).with("side_to_move", to_move.letter())
            }
            Rejection::Malformed { expected } => Refusal::field(Reason::MalformedMove, "move", expected),
            Rejection::Illegal(breach) => Refusal::breach(Reason::IllegalMove, &breach),
            Rejection::PassNotAllowed(breach) => Refusal::breach(Reason::PassNotAllowed, &breach),
            Rejection::EndNotAllowed(expected) => {
                Refusal::field(Reason::MalformedRequest, "winner", expected)
            }
        }
    }
}

impl From<CreationError> for Refusal {
    fn from(error: CreationError) -> Refusal {
        match error {
            CreationError::UnknownType(_) | CreationError::RulesVersion(_) => {
                let mut refusal = Refusal::new(Reason::UnknownGameType, error.to_string());
                refusal.field = Some(("game_type".to_owned(), "expected a name of ListGameTypes".to_owned()));
                refusal
            }
            CreationError::Open(OpenError::Option(error)) => {
                let field = format!("options.{}", error.name);
                Refusal::field(Reason::InvalidOption, &field, error.expected)
            }
            CreationError::Open(OpenError::Position(error)) => {
                let refusal = Refusal::field(Reason::InvalidPosition, "initial_position", &error.expected);
                Refusal { sentence: error.to_string(), ..refusal }.with("position_field", error.field)
            }
        }
    }
}

impl From<TranscriptError> for Refusal {
    fn from(error: TranscriptError) -> Refusal {
        match error {
            TranscriptError::TooLarge { .. } => Refusal::new(Reason::RecordTooLarge, error.to_string()),
            TranscriptError::Unreadable { .. } => {
                let mut refusal = Refusal::new(Reason::InvalidRecord, error.to_string());
                refusal.field = Some(("record".to_owned(), error.to_string()));
                refusal
            }
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        match error {
            StoreError::Unavailable(..) | StoreError::Busy => {
                Refusal::new(Reason::StoreUnavailable, error.to_string()).retry(SOON)
            }
            StoreError::Damaged(_) => {
                tracing::error!(%error, "the store is damaged");
                Refusal::new(Reason::Internal, "the stored game is damaged")
            }
        }
    }
}

impl From<LedgerError> for Refusal {
    fn from(error: LedgerError) -> Refusal {
        let sentence = error.to_string();
        match error {
            LedgerError::NotFound(key) => {
                Refusal::new(Reason::GameNotFound, format!("there is no game {}", key.id))
                    .with("game_id", key.id)
            }
            LedgerError::Exists(key) => {
                let sentence = format!("game {} exists with other content", key.id);
                Refusal::new(Reason::GameExists, sentence).with("game_id", key.id)
            }
            LedgerError::RequestIdReused(_) => Refusal {
                field: Some(("request_id".to_owned(), "expected a new UUID for new content".to_owned())),
                ..Refusal::new(Reason::RequestIdReused, sentence)
            },
            LedgerError::Rejected(rejection) => rejection.into(),
            LedgerError::Creation(error) => error.into(),
            LedgerError::ImportedMove { number, text, why } => {
                let mut refusal = Refusal::new(Reason::InvalidRecord, sentence.clone())
                    .with("move_number", number)
                    .with("move", text);
                if let Rejection::Illegal(breach) | Rejection::PassNotAllowed(breach) = *why {
                    refusal = refusal.with("rule", breach.code);
                }
                refusal.field = Some(("record".to_owned(), sentence));
                refusal
            }
            LedgerError::ImportedEnding { .. } => Refusal {
                field: Some(("record".to_owned(), sentence.clone())),
                ..Refusal::new(Reason::InvalidRecord, sentence)
            },
            LedgerError::Diverged { current, digest, .. } => {
                Refusal::new(Reason::HistoryDiverged, sentence).current(current, digest)
            }
            LedgerError::NoSuchVersion { current, .. } => {
                Refusal::new(Reason::VersionNotFound, sentence).with("current_version", current)
            }
            LedgerError::CommitUnknown(_) => {
                let sentence = format!("{sentence}; send the same request again to learn it");
                Refusal::new(Reason::CommitUnknown, sentence).retry(SOON)
            }
            LedgerError::Store(error) => error.into(),
            LedgerError::Replay(error) => {
                tracing::error!(%error, "a stored game is damaged");
                Refusal::new(Reason::Internal, "the stored game is damaged")
            }
        }
    }
}

impl From<DeskError> for Refusal {
    fn from(error: DeskError) -> Refusal {
        let sentence = error.to_string();
        match error {
            DeskError::Ledger(error) => error.into(),
            DeskError::Pool(PoolError::Full { retry_after, .. }) => {
                Refusal::new(Reason::SearchSaturated, sentence).retry(retry_after)
            }
            DeskError::Pool(PoolError::Late) => Refusal::new(Reason::SearchSaturated, sentence).retry(SOON),
            DeskError::Pool(PoolError::Panicked) => Refusal::new(Reason::Internal, sentence),
            DeskError::Pool(PoolError::Closed) => Refusal::draining(),
            DeskError::Superseded { current, .. } => {
                Refusal::new(Reason::BotSuperseded, sentence).with("current_version", current)
            }
            DeskError::TooLate { wait } => {
                Refusal::new(Reason::BudgetTooSmall, sentence).with("expected_wait_ms", wait.as_millis())
            }
        }
    }
}

impl Refusal {
    /// The server is being stopped.
    pub fn draining() -> Refusal {
        Refusal::new(Reason::Draining, "this server is being stopped; another one will answer").retry(SOON)
    }

    /// The caller's deadline has come.
    pub fn too_late() -> Refusal {
        Refusal::new(Reason::DeadlineExceeded, "the deadline came before the answer")
    }
}
