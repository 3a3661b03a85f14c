//! How rows are written. Names hold no zero byte, so a zero ends them, and no key is a beginning of
//! another game's. Numbers in keys are big-endian: byte order is their order.

use crate::{
    game::{Digest, Entry, GameId, GameKey, Millis, RequestId, Tenant, Version},
    store::{Card, Head, Place, StoreError, facet::Facet},
};

/// The key of a game in the tables that have one row a game, and the beginning of its keys in others.
pub(super) fn game_key(key: &GameKey) -> Vec<u8> {
    [key.tenant.as_str().as_bytes(), b"\0", key.id.as_str().as_bytes(), b"\0"].concat()
}

pub(super) fn log_key(key: &GameKey, version: Version) -> Vec<u8> {
    with(game_key(key), &version.to_be_bytes())
}

pub(super) fn request_key(key: &GameKey, request: RequestId) -> Vec<u8> {
    with(game_key(key), &request.0)
}

/// The beginning of all keys of a list in the index; what follows is a place.
pub(super) fn list_key(tenant: &Tenant, facet: &Facet<'_>) -> Vec<u8> {
    with([tenant.as_str().as_bytes(), b"\0"].concat(), &facet.id())
}

/// The key of a game in a list: newer games are first, then smaller ids.
pub(super) fn place_key(list: &[u8], created: Millis, id: &GameId) -> Vec<u8> {
    [list, &(!created.0).to_be_bytes(), id.as_str().as_bytes()].concat()
}

/// Reads what follows the list in a key of the index.
pub(super) fn read_place(bytes: &[u8]) -> Result<Place, StoreError> {
    let place = bytes.split_first_chunk().and_then(|(created, id)| {
        let id = std::str::from_utf8(id).ok()?.parse().ok()?;
        Some(Place { created: Millis(!u64::from_be_bytes(*created)), id })
    });
    place.ok_or_else(|| damaged("a row of the index"))
}

pub(super) fn write_entry(entry: &Entry) -> Vec<u8> {
    [&entry.digest.0, entry.bytes.as_slice()].concat()
}

pub(super) fn read_entry(row: &[u8]) -> Result<Entry, StoreError> {
    let (digest, bytes) = row.split_first_chunk().ok_or_else(|| damaged("a row of a log"))?;
    Ok(Entry { digest: Digest(*digest), bytes: bytes.to_vec() })
}

pub(super) fn write_head(head: Head) -> Vec<u8> {
    [head.version.to_be_bytes().as_slice(), &head.digest.0].concat()
}

pub(super) fn read_head(row: &[u8]) -> Result<Head, StoreError> {
    let head = row.split_first_chunk().and_then(|(version, digest)| {
        Some(Head { version: Version::from_be_bytes(*version), digest: Digest(digest.try_into().ok()?) })
    });
    head.ok_or_else(|| damaged("the end of a log"))
}

pub(super) fn write_version(version: Version) -> [u8; 8] {
    version.to_be_bytes()
}

pub(super) fn read_version(row: &[u8]) -> Result<Version, StoreError> {
    row.try_into().map(Version::from_be_bytes).map_err(|_| damaged("a request"))
}

pub(super) fn write_card(card: &Card) -> Result<Vec<u8>, StoreError> {
    postcard::to_allocvec(card).map_err(|_| StoreError::Damaged("a game's card cannot be written".into()))
}

pub(super) fn read_card(row: &[u8]) -> Result<Card, StoreError> {
    postcard::from_bytes(row).map_err(|_| damaged("a game's card"))
}

pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what} makes no sense"))
}

fn with(mut key: Vec<u8>, end: &[u8]) -> Vec<u8> {
    key.extend_from_slice(end);
    key
}
