use std::io;

use tonic::Status;

/// Why a wish was not fulfilled.
pub(super) enum Refused {
    Server(Status),
    /// For a reason of this program's own.
    Own(String),
    Terminal(io::Error),
}

impl Refused {
    pub(super) fn own(why: impl Into<String>) -> Refused {
        Refused::Own(why.into())
    }

    /// The server's answer lacks what every answer has.
    pub(super) fn odd() -> Refused {
        Refused::own("the server's answer does not say what it should")
    }
}

impl From<Status> for Refused {
    fn from(status: Status) -> Refused {
        Refused::Server(status)
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Terminal(error)
    }
}
