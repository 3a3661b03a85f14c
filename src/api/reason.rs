use tonic::Code;

/// Why a call was refused: the `reason` of the error's `google.rpc.ErrorInfo`. docs/errors.md lists
/// them for callers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    MalformedRequest,
    MalformedMove,
    InvalidPosition,
    InvalidOption,
    InvalidLimits,
    InvalidRecord,
    UnknownGameType,
    RequestIdReused,
    GameNotFound,
    VersionNotFound,
    GameExists,
    VersionMismatch,
    IllegalMove,
    NotYourTurn,
    GameOver,
    PassNotAllowed,
    RecordTooLarge,
    BotSuperseded,
    SearchSaturated,
    QuotaExceeded,
    BudgetTooSmall,
    DeadlineExceeded,
    SlowConsumer,
    HistoryDiverged,
    StoreUnavailable,
    CommitUnknown,
    Draining,
    Internal,
}

impl Reason {
    pub const ALL: [Reason; 28] = [
        Reason::MalformedRequest,
        Reason::MalformedMove,
        Reason::InvalidPosition,
        Reason::InvalidOption,
        Reason::InvalidLimits,
        Reason::InvalidRecord,
        Reason::UnknownGameType,
        Reason::RequestIdReused,
        Reason::GameNotFound,
        Reason::VersionNotFound,
        Reason::GameExists,
        Reason::VersionMismatch,
        Reason::IllegalMove,
        Reason::NotYourTurn,
        Reason::GameOver,
        Reason::PassNotAllowed,
        Reason::RecordTooLarge,
        Reason::BotSuperseded,
        Reason::SearchSaturated,
        Reason::QuotaExceeded,
        Reason::BudgetTooSmall,
        Reason::DeadlineExceeded,
        Reason::SlowConsumer,
        Reason::HistoryDiverged,
        Reason::StoreUnavailable,
        Reason::CommitUnknown,
        Reason::Draining,
        Reason::Internal,
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::MalformedRequest => "MALFORMED_REQUEST",
            Reason::MalformedMove => "MALFORMED_MOVE",
            Reason::InvalidPosition => "INVALID_POSITION",
            Reason::InvalidOption => "INVALID_OPTION",
            Reason::InvalidLimits => "INVALID_LIMITS",
            Reason::InvalidRecord => "INVALID_RECORD",
            Reason::UnknownGameType => "UNKNOWN_GAME_TYPE",
            Reason::RequestIdReused => "REQUEST_ID_REUSED",
            Reason::GameNotFound => "GAME_NOT_FOUND",
            Reason::VersionNotFound => "VERSION_NOT_FOUND",
            Reason::GameExists => "GAME_EXISTS",
            Reason::VersionMismatch => "VERSION_MISMATCH",
            Reason::IllegalMove => "ILLEGAL_MOVE",
            Reason::NotYourTurn => "NOT_YOUR_TURN",
            Reason::GameOver => "GAME_OVER",
            Reason::PassNotAllowed => "PASS_NOT_ALLOWED",
            Reason::RecordTooLarge => "RECORD_TOO_LARGE",
            Reason::BotSuperseded => "BOT_SUPERSEDED",
            Reason::SearchSaturated => "SEARCH_SATURATED",
            Reason::QuotaExceeded => "QUOTA_EXCEEDED",
            Reason::BudgetTooSmall => "BUDGET_TOO_SMALL",
            Reason::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Reason::SlowConsumer => "SLOW_CONSUMER",
            Reason::HistoryDiverged => "HISTORY_DIVERGED",
            Reason::StoreUnavailable => "STORE_UNAVAILABLE",
            Reason::CommitUnknown => "COMMIT_UNKNOWN",
            Reason::Draining => "DRAINING",
            Reason::Internal => "INTERNAL",
        }
    }

    /// The status code that always goes with it.
    pub const fn code(self) -> Code {
        match self {
            Reason::MalformedRequest
            | Reason::MalformedMove
            | Reason::InvalidPosition
            | Reason::InvalidOption
            | Reason::InvalidLimits
            | Reason::InvalidRecord
            | Reason::UnknownGameType
            | Reason::RequestIdReused => Code::InvalidArgument,
            Reason::GameNotFound => Code::NotFound,
            Reason::VersionNotFound | Reason::RecordTooLarge => Code::OutOfRange,
            Reason::GameExists => Code::AlreadyExists,
            Reason::VersionMismatch | Reason::BotSuperseded => Code::Aborted,
            Reason::IllegalMove | Reason::NotYourTurn | Reason::GameOver | Reason::PassNotAllowed => {
                Code::FailedPrecondition
            }
            Reason::SearchSaturated | Reason::QuotaExceeded | Reason::SlowConsumer => Code::ResourceExhausted,
            Reason::BudgetTooSmall | Reason::DeadlineExceeded => Code::DeadlineExceeded,
            Reason::HistoryDiverged => Code::DataLoss,
            Reason::StoreUnavailable | Reason::CommitUnknown | Reason::Draining => Code::Unavailable,
            Reason::Internal => Code::Internal,
        }
    }
}
