use std::{
    future::pending,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use boardkeeper::{
    game::{GameKey, RequestId, Tenant, Version},
    store::{Birth, Commit, Committed, Created, Filter, Log, Page, Place, Store, StoreError},
    watch::Hub,
};
use tempfile::TempDir;
use tokio::sync::Semaphore;

use super::house::open_store;

/// A store behind faults that a test switches on and off.
pub(super) struct Faulty {
    store: Arc<dyn Store>,
    changes: Mutex<Changes>,
    looks: Mutex<Looks>,
    gate: Semaphore,
}

/// What happens to changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Changes {
    Work,
    /// Nothing is written, and the caller hears of a failure.
    Fail,
    /// All is written, and the caller hears of a failure.
    LoseAnswers,
    /// More wait than the store takes on.
    Crowd,
    /// The next one waits for [`Faulty::release`]; those behind it work.
    HoldOne,
}

/// What happens to all that only looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Looks {
    Work,
    Fail,
    /// What is found makes no sense.
    FindDamage,
    Panic,
    /// Nothing is ever answered.
    Hang,
}

impl Faulty {
    /// Opens the store of a test, without a fault; the hub is the one that it rings.
    pub(super) async fn open(dir: &TempDir) -> (Arc<Faulty>, Arc<Hub>) {
        let hub = Arc::new(Hub::default());
        let store = open_store(dir, &hub).await;
        let faulty = Faulty {
            store,
            changes: Mutex::new(Changes::Work),
            looks: Mutex::new(Looks::Work),
            gate: Semaphore::new(0),
        };
        (Arc::new(faulty), hub)
    }

    pub(super) fn set(&self, changes: Changes, looks: Looks) {
        *self.changes.lock().expect("no panic under the lock") = changes;
        *self.looks.lock().expect("no panic under the lock") = looks;
    }

    /// Whether a change is being held.
    pub(super) fn holds(&self) -> bool {
        *self.changes.lock().expect("no panic under the lock") == Changes::Work
    }

    /// Lets the change go on that is held.
    pub(super) fn release(&self) {
        self.gate.add_permits(1);
    }

    /// Makes a change, or the fault that is switched on.
    async fn change<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let changes = *self.changes.lock().expect("no panic under the lock");
        match changes {
            Changes::Work => work.await,
            Changes::Fail => Err(lost()),
            Changes::LoseAnswers => work.await.and_then(|_| Err(lost())),
            Changes::Crowd => Err(StoreError::Busy),
            Changes::HoldOne => {
                *self.changes.lock().expect("no panic under the lock") = Changes::Work;
                self.gate.acquire().await.expect("the gate is never closed").forget();
                work.await
            }
        }
    }

    /// Looks, or makes the fault that is switched on.
    async fn look<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let looks = *self.looks.lock().expect("no panic under the lock");
        match looks {
            Looks::Work => work.await,
            Looks::Fail => Err(lost()),
            Looks::FindDamage => Err(StoreError::Damaged("a test says so".to_owned())),
            Looks::Panic => panic!("a test wants a panic"),
            Looks::Hang => pending().await,
        }
    }
}

fn lost() -> StoreError {
    StoreError::Unavailable("a test has cut it off".to_owned(), None)
}

#[async_trait]
impl Store for Faulty {
    async fn create(&self, birth: Birth) -> Result<Created, StoreError> {
        self.change(self.store.create(birth)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        self.change(self.store.commit(commit)).await
    }

    async fn read(&self, key: &GameKey, after: Version, limit: usize) -> Result<Option<Log>, StoreError> {
        self.look(self.store.read(key, after, limit)).await
    }

    async fn find(&self, key: &GameKey, request: RequestId) -> Result<Option<Version>, StoreError> {
        self.look(self.store.find(key, request)).await
    }

    async fn list(
        &self,
        tenant: &Tenant,
        filter: &Filter,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        self.look(self.store.list(tenant, filter, after, limit)).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.look(self.store.ready()).await
    }
}
