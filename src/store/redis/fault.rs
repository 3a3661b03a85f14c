use std::sync::Arc;

use redis::{RedisError, ServerErrorKind};

use super::address::Address;
use crate::store::StoreError;

/// What to do about an error. Whatever was asked may be asked again: scripts know their request ids,
/// and everything else changes nothing the second time.
#[derive(Clone, Debug)]
pub(super) enum Remedy {
    /// The server does not know the script: give it the source.
    TeachScript,
    /// The slot is moving: this one question goes to another server.
    AskThere(Address),
    /// Another server keeps this now, perhaps this one.
    FindOwner(Option<Address>),
    /// The server cannot answer at present.
    Wait,
    /// The connection is of no use any more. Whether the question was answered is not known.
    Reconnect,
    /// None: the answer is a refusal.
    None,
}

impl Remedy {
    pub(super) fn of(error: &RedisError) -> Remedy {
        let target = || error.redirect_node().and_then(|(there, _)| Address::read_redirect(there));
        let redis::ErrorKind::Server(kind) = error.kind() else { return Remedy::of_connection(error) };
        match kind {
            ServerErrorKind::NoScript => Remedy::TeachScript,
            ServerErrorKind::Ask => target().map_or(Remedy::Wait, Remedy::AskThere),
            ServerErrorKind::Moved => Remedy::FindOwner(target()),
            // A master that was made a replica meanwhile, and one that has lost its cluster.
            ServerErrorKind::ReadOnly | ServerErrorKind::ClusterDown | ServerErrorKind::MasterDown => {
                Remedy::FindOwner(None)
            }
            ServerErrorKind::TryAgain | ServerErrorKind::BusyLoading => Remedy::Wait,
            _ => Remedy::None,
        }
    }

    fn of_connection(error: &RedisError) -> Remedy {
        match (error.kind(), error.code()) {
            // A script of somebody else's blocks the server.
            (_, Some("BUSY")) => Remedy::Wait,
            (redis::ErrorKind::Io | redis::ErrorKind::Parse | redis::ErrorKind::AuthenticationFailed, _) => {
                Remedy::Reconnect
            }
            _ => Remedy::None,
        }
    }
}

/// What a caller is told of an error for which there was no remedy, or no time.
pub(super) fn unavailable(error: RedisError) -> StoreError {
    let what = match error.code() {
        Some("OOM") => "Redis has reached its maxmemory".to_owned(),
        Some("MISCONF") => "Redis cannot write to its disk".to_owned(),
        Some("NOREPLICAS") => "Redis has too few replicas".to_owned(),
        Some("NOPERM") => format!("Redis forbids what is needed: {error}"),
        Some("WRONGPASS" | "NOAUTH") => "Redis does not accept the user and password".to_owned(),
        Some("CLUSTERDOWN") => "the Redis Cluster is down".to_owned(),
        _ if error.is_timeout() => "Redis did not answer in time".to_owned(),
        _ if error.is_io_error() => "Redis cannot be reached".to_owned(),
        _ => format!("Redis refuses: {error}"),
    };
    StoreError::Unavailable(what, Some(Arc::new(error)))
}

/// What a caller is told of an answer that makes no sense.
pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what} makes no sense"))
}
