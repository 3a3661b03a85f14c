//! The store in a local directory, for one server.
//!
//! One thread writes. It takes every request that waits, decides them in order within one change, has
//! that flushed to the disk, and only then answers them and rings for the games that grew. So many
//! callers share one flush, and compare-and-set needs no lock. Reads look at what is durable, beside it.
//!
//! The engine is fjall: sorted files behind a journal. redb, a copy-on-write tree in one file, was the
//! other candidate, and the simpler one. Measured on two cores and an ext4 disk, moves of 200 bytes in
//! groups as above, three rows a move in fjall and two in redb, where that was faster; three figures are
//! for 1, 16 and 128 callers that wait for their answers:
//!
//! |                                       | redb 4.6              | fjall 3.1             |
//! |---------------------------------------|-----------------------|-----------------------|
//! | moves a second, 2,000 games           | 2,600, 11,900, 17,400 | 5,500, 20,200, 30,500 |
//! | processor, ms per 1,000 moves         | 216, 57, 48           | 95, 38, 38            |
//! | 300,000 moves into 6,000 games, s     | 39 to 43              | 11 to 16              |
//! | opening after kill -9 behind those, s | 0.001 to 0.01         | 4.1 to 4.6            |
//!
//! A move costs redb a copy of every page on the way to its game, and fjall a line in the journal: the
//! more games, the wider the gap. What redb does better is to open at once; with the journal and the
//! memory that `tables` gives it, fjall opens in 0.05 s to 1.2 s after a kill under load.
//! `cargo bench --bench commit` measures the whole store.

mod change;
mod disk;
mod error;
mod rows;
mod tables;
mod view;
mod writer;

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use tokio::task::spawn_blocking;

pub use error::OpenError;

use self::{
    disk::Disk,
    view::View,
    writer::{Request, Writer},
};
use super::{Bell, Birth, Commit, Committed, Created, Filter, Log, Page, Place, Store, StoreError};
use crate::game::{GameKey, RequestId, Tenant, Version};

/// Games in a local directory.
///
/// Dropping it ends its writer, after every change that was taken on, and frees the directory.
pub struct Embedded {
    writer: Writer,
    disk: Arc<Disk>,
}

impl Embedded {
    /// Opens the store in a directory, which is made if need be. `bell` is rung from a thread of the
    /// store for every game that grew, once that is durable.
    ///
    /// # Errors
    /// Another process has the directory, a newer release wrote it, or its files cannot be used.
    pub fn open(dir: &Path, bell: Arc<dyn Bell>) -> Result<Embedded, OpenError> {
        let disk = Arc::new(Disk::open(dir)?);
        let writer = Writer::start(disk.clone(), bell).map_err(OpenError::Thread)?;
        Ok(Embedded { writer, disk })
    }

    /// Looks at the tables here and now. A game's newest rows are in memory, where a look takes some
    /// microseconds, and going to another thread and back would take twenty times as long.
    fn view<T>(&self, look: impl FnOnce(&View<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.disk.with(|tables| look(&View::new(tables)))
    }
}

#[async_trait]
impl Store for Embedded {
    async fn create(&self, birth: Birth) -> Result<Created, StoreError> {
        self.writer.ask(birth, Request::Create).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        self.writer.ask(commit, Request::Commit).await
    }

    async fn read(&self, key: &GameKey, after: Version, limit: usize) -> Result<Option<Log>, StoreError> {
        self.view(|view| view.read(key, after, limit))
    }

    async fn find(&self, key: &GameKey, request: RequestId) -> Result<Option<Version>, StoreError> {
        self.view(|view| view.find(key, request))
    }

    async fn list(
        &self,
        tenant: &Tenant,
        filter: &Filter,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let (tenant, filter, after) = (tenant.clone(), filter.clone(), after.cloned());
        let disk = self.disk.clone();
        // Thousands of rows, most of them on the disk: not for a thread that serves calls.
        let listing = spawn_blocking(move || {
            disk.with(|tables| View::new(tables).list(&tenant, &filter, after.as_ref(), limit))
        });
        listing.await.unwrap_or_else(|_| Err(StoreError::Unavailable("listing broke off".into(), None)))
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.writer.ask((), Request::Probe).await
    }
}
