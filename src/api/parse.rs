use std::{collections::HashMap, str::FromStr};

use super::{Reason, Refusal, proto};
use crate::{
    game::{Digest, EndCause, GameId, GameKey, NAME_FORM, RequestId, Tenant, Version},
    rules::Side,
};

/// The longest player name or label value, in bytes.
const LONGEST_NAME: usize = 128;

/// The most labels of a game.
const MOST_LABELS: usize = 16;

/// A field is not as it must be.
pub(super) fn bad(field: &str, expected: impl Into<String>) -> Refusal {
    Refusal::field(Reason::MalformedRequest, field, expected)
}

pub(super) fn game_key(tenant: &Tenant, id: &str) -> Result<GameKey, Refusal> {
    let id = GameId::from_str(id).map_err(|_| bad("game_id", NAME_FORM))?;
    Ok(GameKey { tenant: tenant.clone(), id })
}

pub(super) fn request_id(text: &str) -> Result<RequestId, Refusal> {
    text.parse().map_err(|_| bad("request_id", "a UUID such as 0190a6c4-6f7e-7c3a-8d5e-0d9f3b7a1c22"))
}
/// The version that a caller has seen, and the digest that it must have if one is given.
pub(super) fn expected(version: Version, seen: &[u8]) -> Result<(Version, Option<Digest>), Refusal> {
    match version {
        0 => Err(bad("expected_version", "the version that the caller has seen, at least 1")),
        version => Ok((version, digest("expected_digest", seen)?)),
    }
}

/// The side of a field; `None` is not said.
pub(super) fn side(field: &str, value: i32) -> Result<Option<Side>, Refusal> {
    match proto::Side::try_from(value) {
        Ok(proto::Side::Unspecified) => Ok(None),
        Ok(proto::Side::Black) => Ok(Some(Side::Black)),
        Ok(proto::Side::White) => Ok(Some(Side::White)),
        Err(_) => Err(bad(field, "SIDE_BLACK or SIDE_WHITE")),
    }
}

pub(super) fn end_cause(value: i32) -> Result<EndCause, Refusal> {
    match proto::EndReason::try_from(value) {
        Ok(proto::EndReason::Time) => Ok(EndCause::Time),
        Ok(proto::EndReason::Agreement) => Ok(EndCause::Agreement),
        Ok(proto::EndReason::Forfeit) => Ok(EndCause::Forfeit),
        Ok(proto::EndReason::Annulled) => Ok(EndCause::Annulled),
        Ok(proto::EndReason::Adjudication) => Ok(EndCause::Adjudication),
        Ok(proto::EndReason::Unspecified) | Err(_) => Err(bad("reason", "one of the reasons of EndReason")),
    }
}

/// Whether only finished games are meant; `None` is both.
pub(super) fn status(value: i32) -> Result<Option<bool>, Refusal> {
    match proto::GameStatus::try_from(value) {
        Ok(proto::GameStatus::Unspecified) => Ok(None),
        Ok(proto::GameStatus::Running) => Ok(Some(false)),
        Ok(proto::GameStatus::Finished) => Ok(Some(true)),
        Err(_) => Err(bad("status", "GAME_STATUS_RUNNING or GAME_STATUS_FINISHED")),
    }
}

pub(super) fn player(field: &str, name: String) -> Result<String, Refusal> {
    if LONGEST_NAME < name.len() {
        return Err(bad(field, format!("at most {LONGEST_NAME} bytes")));
    }
    Ok(name)
}

pub(super) fn labels(labels: HashMap<String, String>) -> Result<Vec<(String, String)>, Refusal> {
    if MOST_LABELS < labels.len() {
        return Err(bad("labels", format!("at most {MOST_LABELS} labels")));
    }
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte);
    let fits = |name: &str| (1..=63).contains(&name.len()) && name.bytes().all(allowed);
    if labels.keys().any(|name| !fits(name)) {
        return Err(bad("labels", "names of 1 to 63 characters of a-z, 0-9, '_', '.' and '-'"));
    }
    if labels.values().any(|value| LONGEST_NAME < value.len()) {
        return Err(bad("labels", format!("values of at most {LONGEST_NAME} bytes")));
    }
    Ok(labels.into_iter().collect())
}

/// A size from 1 to `most`; 0 is `default`.
pub(super) fn page_size(size: u32, default: usize, most: usize) -> Result<usize, Refusal> {
    match size as usize {
        0 => Ok(default),
        size if size <= most => Ok(size),
        _ => Err(bad("page_size", format!("1 to {most}, or 0 for {default}"))),
    }
}

/// A place in a history: a version, and the digest that its event must have if one is given.
pub(super) fn cursor(cursor: &proto::Cursor) -> Result<(Version, Option<Digest>), Refusal> {
    match digest("after.digest", &cursor.digest)? {
        Some(_) if cursor.version == 0 => Err(bad("after.digest", "nothing with version 0")),
        digest => Ok((cursor.version, digest)),
    }
}

fn digest(field: &str, bytes: &[u8]) -> Result<Option<Digest>, Refusal> {
    match <[u8; 32]>::try_from(bytes) {
        Ok(digest) => Ok(Some(Digest(digest))),
        Err(_) if bytes.is_empty() => Ok(None),
        Err(_) => Err(bad(field, "32 bytes, or nothing")),
    }
}
