use std::collections::BTreeMap;

use boardkeeper::{
    game::{Digest, Entry, GameId, GameKey, Millis, RequestId, Tenant, Version},
    store::{Birth, Card, Commit, Committed, Created, Head, Store},
};

pub(super) fn tenant(name: &str) -> Tenant {
    name.parse().unwrap()
}

pub(super) fn id(name: &str) -> GameId {
    name.parse().unwrap()
}

pub(super) fn key(tenant_name: &str, game: &str) -> GameKey {
    GameKey { tenant: tenant(tenant_name), id: id(game) }
}

/// A request id for each number.
pub(super) fn request(number: u128) -> RequestId {
    RequestId((number + 1).to_be_bytes())
}

pub(super) fn card() -> Card {
    Card {
        game_type: "quantum-control".into(),
        black_player: "ada".into(),
        white_player: "bob".into(),
        labels: BTreeMap::new(),
        created: Millis(1_000),
        finished: false,
    }
}

pub(super) fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}

/// The entry that these bytes make behind a digest.
pub(super) fn entry(before: Digest, bytes: &[u8]) -> Entry {
    Entry { digest: before.then(bytes), bytes: bytes.into() }
}

/// A log of `length` entries.
pub(super) fn entries(key: &GameKey, length: Version) -> Vec<Entry> {
    let chain = |digest: &mut Digest, version: Version| {
        let entry = entry(*digest, &version.to_be_bytes());
        *digest = entry.digest;
        Some(entry)
    };
    (1..=length).scan(Digest::origin(key), chain).collect()
}

/// A game to begin with one entry, asked for by request 0.
pub(super) fn birth(key: &GameKey) -> Birth {
    Birth { key: key.clone(), request: request(0), entries: entries(key, 1), card: card() }
}

/// The next entry of a game, behind `parent`.
pub(super) fn commit(key: &GameKey, parent: Head, request: RequestId) -> Commit {
    let entry = entry(parent.digest, &(parent.version + 1).to_be_bytes());
    Commit { key: key.clone(), request, parent, entry, finished: None }
}

pub(super) fn after(commit: &Commit) -> Head {
    Head { version: commit.parent.version + 1, digest: commit.entry.digest }
}

/// Begins a game and tells where its log ends.
pub(super) async fn begin(store: &dyn Store, key: &GameKey) -> Head {
    let birth = birth(key);
    let digest = birth.entries[0].digest;
    assert_eq!(store.create(birth).await.unwrap(), Created::Done);
    Head { version: 1, digest }
}

/// Appends `count` entries, asked for by requests 1, 2, ..., and tells where the log ends.
pub(super) async fn go_on(store: &dyn Store, key: &GameKey, mut head: Head, count: u128) -> Head {
    for number in 1..=count {
        let commit = commit(key, head, request(number));
        head = after(&commit);
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Done);
    }
    head
}
