use serde::{Serialize, de::DeserializeOwned};

use super::{Refusal, parse::bad};

/// Writes a place as an opaque page token: hexadecimal, with a letter for the kind in front.
pub(super) fn write(kind: char, place: &impl Serialize) -> String {
    // Places hold no type that refuses to be serialised.
    let bytes = postcard::to_allocvec(place).unwrap_or_default();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{kind}{hex}")
}

/// Reads a token of this kind back.
pub(super) fn read<T: DeserializeOwned>(kind: char, token: &str) -> Result<T, Refusal> {
    let bytes = token.strip_prefix(kind).and_then(from_hex);
    let place = bytes.and_then(|bytes| postcard::from_bytes(&bytes).ok());
    place.ok_or_else(|| bad("page_token", "the next_page_token of a page before, with the same filter"))
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) || 1024 < text.len() {
        return None;
    }
    let pairs = (0..text.len()).step_by(2).map(|i| text.get(i..i + 2));
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}
