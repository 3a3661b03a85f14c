use fjall::{Readable, SingleWriterWriteTx};

use super::{
    error::{unavailable, unreadable},
    rows,
    tables::Tables,
};
use crate::{
    game::{Entry, GameKey, RequestId, Version},
    store::{Birth, Card, Commit, Committed, Created, Head, StoreError, facet::Facet},
};

/// Requests that become durable together. Each sees what those before it changed. A request that is
/// refused or fails has changed nothing: all its checks come before its first write.
pub(super) struct Change<'a> {
    tables: &'a Tables,
    rows: SingleWriterWriteTx<'a>,
}

impl<'a> Change<'a> {
    pub(super) fn new(tables: &'a Tables) -> Change<'a> {
        Change { tables, rows: tables.change() }
    }

    pub(super) fn create(&mut self, birth: &Birth) -> Result<Created, StoreError> {
        if let Some(row) =
            self.rows.get(&self.tables.log, rows::log_key(&birth.key, 1)).map_err(unreadable)?
        {
            return Ok(Created::Exists(rows::read_entry(&row)?));
        }
        let last = birth.entries.last().ok_or_else(|| rows::damaged("a game without a first event"))?;
        let head = Head { version: birth.entries.len() as Version, digest: last.digest };
        let card = rows::write_card(&birth.card)?;
        for (version, entry) in (1..).zip(&birth.entries) {
            self.write_entry(&birth.key, version, entry);
        }
        self.write_end(&birth.key, head, birth.request, 1);
        self.rows.insert(&self.tables.cards, rows::game_key(&birth.key), card);
        self.write_places(&birth.key, &birth.card);
        Ok(Created::Done)
    }

    pub(super) fn commit(&mut self, commit: &Commit) -> Result<Committed, StoreError> {
        if let Some(version) = self.seen(&commit.key, commit.request)? {
            return Ok(Committed::Repeated(version));
        }
        let Some(head) = head(&self.rows, self.tables, &commit.key)? else { return Ok(Committed::Missing) };
        if head != commit.parent {
            return Ok(Committed::Stale(head));
        }
        if let Some(card) = &commit.finished {
            self.replace_card(&commit.key, card)?;
        }
        let head = Head { version: head.version + 1, digest: commit.entry.digest };
        self.write_entry(&commit.key, head.version, &commit.entry);
        self.write_end(&commit.key, head, commit.request, head.version);
        Ok(Committed::Done)
    }

    /// Writes something whatever was asked, to see whether that is possible.
    pub(super) fn probe(&mut self) {
        self.tables.probe(&mut self.rows);
    }

    /// Returns when all of it is on the disk.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        self.rows.commit().map_err(|error| unavailable("its files cannot be written", error))
    }

    fn seen(&self, key: &GameKey, request: RequestId) -> Result<Option<Version>, StoreError> {
        seen(&self.rows, self.tables, key, request)
    }

    fn write_entry(&mut self, key: &GameKey, version: Version, entry: &Entry) {
        self.rows.insert(&self.tables.log, rows::log_key(key, version), rows::write_entry(entry));
    }

    /// Writes the end of the log, and the version `made` that the request made.
    fn write_end(&mut self, key: &GameKey, head: Head, request: RequestId, made: Version) {
        self.rows.insert(&self.tables.heads, rows::game_key(key), rows::write_head(head));
        self.rows.insert(&self.tables.requests, rows::request_key(key, request), rows::write_version(made));
    }

    fn write_places(&mut self, key: &GameKey, card: &Card) {
        for facet in Facet::of(card) {
            let list = rows::list_key(&key.tenant, &facet);
            self.rows.insert(&self.tables.index, rows::place_key(&list, card.created, &key.id), []);
        }
    }

    fn replace_card(&mut self, key: &GameKey, card: &Card) -> Result<(), StoreError> {
        let old = self.rows.get(&self.tables.cards, rows::game_key(key)).map_err(unreadable)?;
        let old = rows::read_card(&old.ok_or_else(|| rows::damaged("a game without a card"))?)?;
        let row = rows::write_card(card)?;
        for facet in Facet::of(&old) {
            let list = rows::list_key(&key.tenant, &facet);
            self.rows.remove(&self.tables.index, rows::place_key(&list, old.created, &key.id));
        }
        self.rows.insert(&self.tables.cards, rows::game_key(key), row);
        self.write_places(key, card);
        Ok(())
    }
}

/// Where the log of a game ends, by what `from` sees.
pub(super) fn head(from: &impl Readable, tables: &Tables, key: &GameKey) -> Result<Option<Head>, StoreError> {
    let row = from.get(&tables.heads, rows::game_key(key)).map_err(unreadable)?;
    row.map(|row| rows::read_head(&row)).transpose()
}

/// The version that a request made in a game, by what `from` sees.
pub(super) fn seen(
    from: &impl Readable,
    tables: &Tables,
    key: &GameKey,
    request: RequestId,
) -> Result<Option<Version>, StoreError> {
    let row = from.get(&tables.requests, rows::request_key(key, request)).map_err(unreadable)?;
    row.map(|row| rows::read_version(&row)).transpose()
}
