use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::GameKey;

/// What the whole history up to an event hashes to: SHA-256 over the digest before and the event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Where the chain of a game begins: equal histories of different games differ.
    pub fn origin(key: &GameKey) -> Digest {
        let mut sha = Sha256::new();
        sha.update(b"boardkeeper game 1\0");
        sha.update(key.tenant.as_str());
        sha.update(b"\0");
        sha.update(key.id.as_str());
        Digest(sha.finalize().into())
    }

    /// The digest after an event whose stored form is `body`.
    pub fn then(&self, body: &[u8]) -> Digest {
        let mut sha = Sha256::new();
        sha.update(self.0);
        sha.update(body);
        Digest(sha.finalize().into())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What a request asked for, hashed: two requests with one id must have one fingerprint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Fingerprint(pub [u8; 16]);

impl Fingerprint {
    /// Hashes the content of a request; `content` never changes its encoding between releases.
    pub fn of(content: &impl Serialize) -> Fingerprint {
        // Serialising to a vector fails only for types that refuse to be serialised; requests don't.
        let bytes = postcard::to_allocvec(content).unwrap_or_default();
        let hash: [u8; 32] = Sha256::digest(bytes).into();
        let mut short = [0; 16];
        short.copy_from_slice(&hash[..16]);
        Fingerprint(short)
    }
}
