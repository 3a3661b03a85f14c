use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::sync::oneshot;

use super::{PoolError, pool::Shared};
use crate::game::Tenant;

/// The claim on a result. Dropping it takes the work out of the queue, or stops it.
#[derive(Debug)]
pub struct Ticket<T> {
    pub(super) result: Outcome<T>,
    pub(super) place: Place,
}

/// The result of work, once there is one.
#[derive(Debug)]
pub(super) struct Outcome<T>(pub(super) oneshot::Receiver<Result<T, PoolError>>);

/// A work's place in the pool. Dropping it takes the work out of the queue, or stops it.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) shared: Arc<Shared>,
    pub(super) tenant: Tenant,
    pub(super) id: u64,
    pub(super) stop: Arc<AtomicBool>,
}

impl<T> Ticket<T> {
    /// Waits for the result. May be given up and called again.
    ///
    /// # Errors
    /// The work panicked, or the pool was closed first.
    pub async fn done(&mut self) -> Result<T, PoolError> {
        self.result.come().await
    }

    /// The result and the place, for who waits elsewhere than where the work is given up.
    pub(super) fn split(self) -> (Outcome<T>, Place) {
        (self.result, self.place)
    }
}

impl<T> Outcome<T> {
    /// Waits for the result.
    pub(super) async fn come(&mut self) -> Result<T, PoolError> {
        match (&mut self.0).await {
            Ok(done) => done,
            Err(_) => Err(PoolError::Closed),
        }
    }
}

impl Place {
    /// How many searches start before this one, and about how long that takes; `None` once it has
    /// started.
    pub(super) fn waiting(&self) -> Option<(usize, Duration)> {
        self.shared.place(&self.tenant, self.id)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.shared.withdraw(&self.tenant, self.id);
    }
}
