//! Floor 4: games over a store.
//!
//! The ledger reads games from their logs, keeps the recent ones in memory, and turns commands into
//! events: decided in memory, written in one step, told afterwards.

mod error;
mod lasting;
mod looks;
mod read;
mod shelf;
mod write;

use std::sync::Arc;

pub use error::LedgerError;
pub use read::Batch;
pub use write::Answer;

use self::{looks::Looks, shelf::Shelf};
use crate::{
    game::Millis,
    store::{Filter, Page, Place, Store, StoreError},
    watch::Hub,
};

/// Tells the time of events: milliseconds since 1970.
pub type Clock = Arc<dyn Fn() -> Millis + Send + Sync>;

/// All games of a store.
pub struct Ledger {
    store: Arc<dyn Store>,
    hub: Arc<Hub>,
    shelf: Shelf,
    looks: Looks,
    clock: Clock,
}

impl Ledger {
    /// A ledger over `store` that keeps at most `memory` games at hand. `hub` is the bell that the
    /// store rings.
    pub fn new(store: Arc<dyn Store>, hub: Arc<Hub>, memory: usize, clock: Clock) -> Ledger {
        Ledger { store, hub, shelf: Shelf::new(memory), looks: Looks::default(), clock }
    }

    /// The time of the ledger's clock.
    pub fn now(&self) -> Millis {
        (self.clock)()
    }

    /// A part of the tenant's games, newest first. See [`Store::list`].
    ///
    /// # Errors
    /// The store did not answer.
    pub async fn list(
        &self,
        tenant: &crate::game::Tenant,
        filter: &Filter,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Page, LedgerError> {
        Ok(self.store.list(tenant, filter, after, limit).await?)
    }

    /// Whether the store takes changes now.
    ///
    /// # Errors
    /// Why it doesn't.
    pub async fn ready(&self) -> Result<(), StoreError> {
        self.store.ready().await
    }

    /// The hub that the store rings after each change.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }
}

/// The clock of the machine.
pub fn system_clock() -> Clock {
    Arc::new(|| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Millis(since.map_or(0, |since| since.as_millis() as u64))
    })
}
