use std::{
    fs::{self, File, TryLockError as FileLockError},
    io,
    path::{Path, PathBuf},
    sync::{PoisonError, RwLock, TryLockError},
};

use super::{OpenError, tables::Tables};
use crate::store::StoreError;

/// The directory of a store, locked for this process, and the tables in it.
pub(super) struct Disk {
    tables: RwLock<Option<Tables>>,
    dir: PathBuf,
    /// Held until the end: the engine's own lock is free for a moment while it is opened again.
    _lock: File,
}

impl Disk {
    /// Makes the directory if there is none, locks it, and opens the tables.
    pub(super) fn open(dir: &Path) -> Result<Disk, OpenError> {
        let failed = |error| OpenError::Directory(dir.into(), error);
        fs::create_dir_all(dir).map_err(failed)?;
        let lock = File::create(dir.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => (),
            Err(FileLockError::WouldBlock) => return Err(OpenError::InUse(dir.into())),
            Err(FileLockError::Error(error)) => return Err(failed(error)),
        }
        let games = dir.join("games");
        if !games.try_exists().map_err(failed)? {
            make(dir, &games)?;
        }
        let tables = Tables::open(&games)?;
        Ok(Disk { tables: RwLock::new(Some(tables)), dir: games, _lock: lock })
    }

    /// Does something with the tables, unless they failed and are not open again yet. Waits for nobody.
    pub(super) fn with<T>(
        &self,
        act: impl FnOnce(&Tables) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let closed = || StoreError::Unavailable("its files failed and are not open again yet".into(), None);
        match self.tables.try_read() {
            Ok(tables) => act(tables.as_ref().ok_or_else(closed)?),
            // A panic while the lock was held leaves the tables as good as they were.
            Err(TryLockError::Poisoned(tables)) => act(tables.get_ref().as_ref().ok_or_else(closed)?),
            Err(TryLockError::WouldBlock) => Err(closed()),
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Closes the tables and opens them again: after a failed write the engine takes no more, and
    /// what of that write reached the disk shows itself in opening.
    pub(super) fn reopen(&self) -> Result<(), OpenError> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        *tables = None;
        *tables = Some(Tables::open(&self.dir)?);
        Ok(())
    }
}

/// Makes empty tables under another name first: a process that is killed meanwhile leaves no half of
/// them under theirs.
fn make(dir: &Path, games: &Path) -> Result<(), OpenError> {
    let failed = |error| OpenError::Directory(dir.into(), error);
    let unfinished = dir.join("games.new");
    if unfinished.try_exists().map_err(failed)? {
        fs::remove_dir_all(&unfinished).map_err(failed)?;
    }
    drop(Tables::open(&unfinished)?);
    fs::rename(&unfinished, games).map_err(failed)?;
    sync_names(dir).map_err(failed)
}

/// Makes the names of the directory and of what is in it durable.
fn sync_names(dir: &Path) -> io::Result<()> {
    // Elsewhere a directory cannot be opened as a file, and its names need no flush.
    if cfg!(unix) {
        File::open(dir)?.sync_all()?;
        if let Some(parent) = dir.canonicalize()?.parent() {
            File::open(parent)?.sync_all()?;
        }
    }
    Ok(())
}
