use std::{error::Error, fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A portal: the owner of games. One tenant never sees or touches another's.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Tenant(Arc<str>);

/// The id of a game within its tenant.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameId(Arc<str>);

/// A game anywhere: its tenant and its id.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct GameKey {
    pub tenant: Tenant,
    pub id: GameId,
}

/// The caller's own id for one change, by which a repetition is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct RequestId(pub [u8; 16]);

/// The number of events of a game so far; 0 is before its creation.
pub type Version = u64;

/// Milliseconds since the beginning of 1970, UTC.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, Default)]
pub struct Millis(pub u64);

/// Why a text is no name: tenants and games share one form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameError;

/// Why a text is no request id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestIdError;

/// The form that names must have, for error messages.
pub const NAME_FORM: &str = "1 to 64 characters of A-Z, a-z, 0-9, '_' and '-'";

fn checked(text: &str) -> Result<Arc<str>, NameError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let fits = (1..=64).contains(&text.len()) && text.bytes().all(allowed);
    if fits { Ok(text.into()) } else { Err(NameError) }
}

impl Tenant {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl GameId {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id of a game that its caller gave none: made from the creating request, so that creating
    /// again finds the same game.
    pub fn of_request(request: RequestId) -> GameId {
        GameId(Uuid::from_bytes(request.0).to_string().into())
    }
}

impl TryFrom<String> for Tenant {
    type Error = NameError;

    fn try_from(text: String) -> Result<Tenant, NameError> {
        text.parse()
    }
}

impl From<Tenant> for String {
    fn from(name: Tenant) -> String {
        name.0.as_ref().to_owned()
    }
}

impl FromStr for Tenant {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Tenant, NameError> {
        checked(text).map(Tenant)
    }
}

impl TryFrom<String> for GameId {
    type Error = NameError;

    fn try_from(text: String) -> Result<GameId, NameError> {
        text.parse()
    }
}

impl From<GameId> for String {
    fn from(name: GameId) -> String {
        name.0.as_ref().to_owned()
    }
}

impl FromStr for GameId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<GameId, NameError> {
        checked(text).map(GameId)
    }
}

impl RequestId {
    /// The id of events that no request of their own made: moves that an import replayed.
    pub const NONE: RequestId = RequestId([0; 16]);
}

impl FromStr for RequestId {
    type Err = RequestIdError;

    /// Reads a UUID with hyphens. The nil UUID is no request's.
    fn from_str(text: &str) -> Result<RequestId, RequestIdError> {
        // The parser also knows braces, URNs and bare digits; callers get one form.
        let uuid = Uuid::try_parse(text).ok().filter(|uuid| text.len() == 36 && !uuid.is_nil());
        uuid.map(|uuid| RequestId(uuid.into_bytes())).ok_or(RequestIdError)
    }
}

impl fmt::Display for RequestIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a UUID such as 0190a6c4-6f7e-7c3a-8d5e-0d9f3b7a1c22")
    }
}

impl Error for RequestIdError {}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Uuid::from_bytes(self.0).fmt(f)
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.tenant, self.id)
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {NAME_FORM}")
    }
}

impl Error for NameError {}
