use std::path::Path;

use fjall::{
    KeyspaceCreateOptions, PersistMode, Readable, SingleWriterTxDatabase, SingleWriterTxKeyspace,
    SingleWriterWriteTx, Snapshot,
};

use super::OpenError;

/// The format of the tables that this release writes.
pub(super) const FORMAT: u32 = 1;

/// The most that memory holds of blocks read from the disk, for all tables together.
const CACHE_BYTES: u64 = 64 << 20;

/// The most that a journal holds before tables are written from it: what an opening after a crash has
/// to read again. The least that the engine allows.
const JOURNAL_BYTES: u64 = 64 << 20;

/// The most that memory holds of one table's newest rows, before they are written as a sorted file.
const MEMORY_BYTES: u64 = 16 << 20;

/// The tables, open.
pub(super) struct Tables {
    engine: SingleWriterTxDatabase,
    /// (game, version) to entry.
    pub(super) log: SingleWriterTxKeyspace,
    /// Game to the end of its log.
    pub(super) heads: SingleWriterTxKeyspace,
    /// (game, request id) to version.
    pub(super) requests: SingleWriterTxKeyspace,
    /// Game to card.
    pub(super) cards: SingleWriterTxKeyspace,
    /// (tenant, facet, newest first, game) to nothing.
    pub(super) index: SingleWriterTxKeyspace,
    /// What is true of all tables: the format, and a row that probes write.
    meta: SingleWriterTxKeyspace,
}

impl Tables {
    /// Opens the tables in `dir`, or makes them. `dir` must be locked.
    pub(super) fn open(dir: &Path) -> Result<Tables, OpenError> {
        let failed = |error| OpenError::Engine(dir.into(), error);
        let tables = Tables::connect(dir).map_err(failed)?;
        match tables.format().map_err(failed)? {
            None => tables.write_format().map_err(failed)?,
            Some(Some(found)) if FORMAT < found => return Err(OpenError::Newer { dir: dir.into(), found }),
            Some(Some(_)) => (),
            Some(None) => return Err(OpenError::Formless(dir.into())),
        }
        Ok(tables)
    }

    fn connect(dir: &Path) -> Result<Tables, fjall::Error> {
        let engine = SingleWriterTxDatabase::builder(dir)
            .cache_size(CACHE_BYTES)
            .max_journaling_size(JOURNAL_BYTES)
            .open()?;
        let options = || KeyspaceCreateOptions::default().max_memtable_size(MEMORY_BYTES);
        Ok(Tables {
            log: engine.keyspace("log", options)?,
            heads: engine.keyspace("heads", options)?,
            requests: engine.keyspace("requests", options)?,
            cards: engine.keyspace("cards", options)?,
            index: engine.keyspace("index", options)?,
            meta: engine.keyspace("meta", options)?,
            engine,
        })
    }

    /// The format on disk: `None` in new tables, `Some(None)` if it is no number.
    fn format(&self) -> Result<Option<Option<u32>>, fjall::Error> {
        let row = self.snapshot().get(&self.meta, "format")?;
        Ok(row.map(|row| (*row).try_into().ok().map(u32::from_be_bytes)))
    }

    fn write_format(&self) -> Result<(), fjall::Error> {
        let mut change = self.change();
        change.insert(&self.meta, "format", FORMAT.to_be_bytes());
        change.commit()
    }

    /// Everything as it is now, and stays in this view.
    pub(super) fn snapshot(&self) -> Snapshot {
        self.engine.read_tx()
    }

    /// A change that is on the disk once it is committed, whole or not at all.
    pub(super) fn change(&self) -> SingleWriterWriteTx<'_> {
        self.engine.write_tx().durability(Some(PersistMode::SyncData))
    }

    /// Writes something, to see whether that is possible.
    pub(super) fn probe(&self, change: &mut SingleWriterWriteTx<'_>) {
        change.insert(&self.meta, "probe", []);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_another_format_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let write_format = |row: &[u8]| {
            let tables = Tables::connect(dir.path()).unwrap();
            let mut change = tables.change();
            change.insert(&tables.meta, "format", row);
            change.commit().unwrap();
        };
        drop(Tables::open(dir.path()).unwrap());
        drop(Tables::open(dir.path()).unwrap());

        write_format(&(FORMAT + 1).to_be_bytes());
        let refusal = Tables::open(dir.path()).err().unwrap();
        assert!(matches!(refusal, OpenError::Newer { found, .. } if found == FORMAT + 1));
        let words = "was written by a newer boardkeeper (its format is 2, this one knows up to 1)";
        assert!(refusal.to_string().contains(words), "{refusal}");

        write_format(b"!");
        assert!(matches!(Tables::open(dir.path()), Err(OpenError::Formless(_))));
    }
}
