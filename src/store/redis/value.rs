//! How values are written, and answers of scripts read. A format byte goes before every entry and
//! every card.

use redis::Value;

use super::fault::damaged;
use crate::{
    game::{Digest, Entry, GameId, Millis, Version},
    store::{Card, Head, Place, StoreError},
};

/// The format that this release writes.
const FORMAT: u8 = 1;

/// The format, the digest, and the stored form of the event. Scripts know where the digest is.
pub(super) fn write_entry(entry: &Entry) -> Vec<u8> {
    [&[FORMAT], entry.digest.0.as_slice(), entry.bytes.as_slice()].concat()
}

pub(super) fn read_entry(bytes: &[u8]) -> Result<Entry, StoreError> {
    let bytes = read_format(bytes, "an entry of a log")?;
    let (digest, bytes) = bytes.split_first_chunk().ok_or_else(|| damaged("an entry of a log"))?;
    Ok(Entry { digest: Digest(*digest), bytes: bytes.to_vec() })
}

pub(super) fn write_card(card: &Card) -> Result<Vec<u8>, StoreError> {
    let card = postcard::to_allocvec(card)
        .map_err(|_| StoreError::Damaged("a game's card cannot be written".into()))?;
    Ok([[FORMAT].as_slice(), &card].concat())
}

pub(super) fn read_card(bytes: &[u8]) -> Result<Card, StoreError> {
    let bytes = read_format(bytes, "a game's card")?;
    postcard::from_bytes(bytes).map_err(|_| damaged("a game's card"))
}

/// Where a game stands in a list, in bytes whose order is that of listings: newer games first, then
/// smaller ids.
pub(super) fn write_place(created: Millis, id: &GameId) -> Vec<u8> {
    [(!created.0).to_be_bytes().as_slice(), id.as_str().as_bytes()].concat()
}

pub(super) fn read_place(bytes: &[u8]) -> Result<Place, StoreError> {
    let place = bytes.split_first_chunk().and_then(|(created, id)| {
        let id = std::str::from_utf8(id).ok()?.parse().ok()?;
        Some(Place { created: Millis(!u64::from_be_bytes(*created)), id })
    });
    place.ok_or_else(|| damaged("a place in a list"))
}

pub(super) fn read_head(version: &Value, digest: &Value) -> Result<Head, StoreError> {
    let digest = read_bytes(digest)?.try_into().map_err(|_| damaged("the digest of a log"))?;
    Ok(Head { version: read_version(version)?, digest: Digest(digest) })
}

pub(super) fn read_version(value: &Value) -> Result<Version, StoreError> {
    let version = redis::from_redis_value_ref::<Option<Version>>(value).ok().flatten();
    version.ok_or_else(|| damaged("a version"))
}

pub(super) fn read_bytes(value: &Value) -> Result<&[u8], StoreError> {
    match value {
        Value::BulkString(bytes) => Ok(bytes),
        _ => Err(damaged("an answer")),
    }
}

pub(super) fn read_array(value: &Value) -> Result<&[Value], StoreError> {
    match value {
        Value::Array(values) => Ok(values),
        _ => Err(damaged("an answer")),
    }
}

fn read_format<'a>(bytes: &'a [u8], what: &str) -> Result<&'a [u8], StoreError> {
    match bytes.split_first() {
        Some((&FORMAT, rest)) => Ok(rest),
        Some((format, _)) => Err(StoreError::Damaged(format!(
            "{what} has format {format}, and this release reads format {FORMAT}"
        ))),
        None => Err(damaged(what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_another_format_are_refused_in_words() {
        let entry = Entry { digest: Digest([3; 32]), bytes: vec![1, 2] };
        let mut bytes = write_entry(&entry);
        assert_eq!(read_entry(&bytes).unwrap(), entry);
        bytes[0] = 9;
        let refusal = read_entry(&bytes).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "the store is damaged: an entry of a log has format 9, and this release reads format 1"
        );
        assert!(read_entry(&bytes[..20]).is_err());
        assert!(read_entry(&[]).is_err());
    }

    #[test]
    fn places_are_in_the_order_of_listings() {
        let place = |created, id: &str| write_place(Millis(created), &id.parse().unwrap());
        let places = [place(u64::MAX, "z"), place(9, "A"), place(9, "a"), place(9, "a-"), place(0, "a")];
        assert!(places.is_sorted());
        assert_eq!(read_place(&places[3]).unwrap(), Place { created: Millis(9), id: "a-".parse().unwrap() });
    }
}
