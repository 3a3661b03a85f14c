//! The store in a local directory, for one server.

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
