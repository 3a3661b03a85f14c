use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::queue::Queue;
use crate::{game::Tenant, search::Searcher};

/// A fixed number of threads that search, and a bounded queue before them.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// How large a pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolSize {
    /// Threads, at least 1.
    pub threads: usize,
    /// Searches that wait for a thread, at least 1: one that is asked for waits a moment even where a
    /// thread is free.
    pub queue: usize,
}

/// Why a pool takes no work, or gives no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PoolError {
    #[error("all searchers are busy and the queue is full")]
    Full { retry_after: Duration },
    #[error("the search failed")]
    Panicked,
    #[error("the searchers are being stopped")]
    Closed,
}

/// The claim on a result. Dropping it takes the work out of the queue, or stops it.
#[derive(Debug)]
pub struct Ticket<T> {
    result: Outcome<T>,
    place: Place,
}

/// The result of work, once there is one.
#[derive(Debug)]
pub(super) struct Outcome<T>(oneshot::Receiver<Result<T, PoolError>>);

/// A work's place in the pool. Dropping it takes the work out of the queue, or stops it.
#[derive(Debug)]
pub(super) struct Place {
    shared: Arc<Shared>,
    tenant: Tenant,
    id: u64,
    stop: Arc<AtomicBool>,
}

type Job = Box<dyn FnOnce(&mut Searcher) + Send>;

struct Shared {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    size: PoolSize,
    running: AtomicUsize,
    next_id: AtomicU64,
    /// How long a search has taken of late, in microseconds: a moving mean.
    service_micros: AtomicU64,
}

struct Waiting {
    queue: Queue<Job>,
    /// The stop flags of what runs, to end it when the pool closes.
    running: Vec<Arc<AtomicBool>>,
    closed: bool,
}

/// What a search takes where none has been measured yet.
const FIRST_GUESS: Duration = Duration::from_millis(100);

/// Bounds of the time after which a refused caller is told to try again.
const RETRY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));

impl Pool {
    /// Starts the threads.
    pub fn start(size: PoolSize) -> Pool {
        let waiting = Waiting { queue: Queue::new(size.queue.max(1)), running: Vec::new(), closed: false };
        let shared = Arc::new(Shared {
            waiting: Mutex::new(waiting),
            arrived: Condvar::new(),
            size,
            running: AtomicUsize::new(0),
            next_id: AtomicU64::new(0),
            service_micros: AtomicU64::new(FIRST_GUESS.as_micros() as u64),
        });
        let threads = (0..size.threads.max(1)).map(|number| spawn(number, shared.clone())).collect();
        Pool { shared, threads }
    }

    /// Queues work for a tenant. `work` gets a searcher and a flag that tells it to stop.
    ///
    /// # Errors
    /// The queue is full, or the pool is closed.
    pub fn submit<T: Send + 'static>(
        &self,
        tenant: &Tenant,
        work: impl FnOnce(&mut Searcher, &AtomicBool) -> T + Send + 'static,
    ) -> Result<Ticket<T>, PoolError> {
        let stop = Arc::new(AtomicBool::new(false));
        let (answer, result) = oneshot::channel();
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let place = Place { shared: self.shared.clone(), tenant: tenant.clone(), id, stop: stop.clone() };
        let shared = self.shared.clone();
        let job: Job = Box::new(move |searcher| {
            let done = shared.run(searcher, &stop, work);
            // The caller may have gone: then nobody wants the result.
            drop(answer.send(done));
        });
        self.shared.queue(tenant, id, job)?;
        Ok(Ticket { result: Outcome(result), place })
    }

    /// How long work that is queued now will wait, by the mean of recent searches.
    pub fn expected_wait(&self) -> Duration {
        self.shared.expected_wait(self.shared.waiting().queue.len())
    }

    /// How many searches run at this moment, never more than there are threads.
    pub fn running(&self) -> usize {
        self.shared.running.load(Ordering::Relaxed)
    }

    /// How many wait.
    pub fn queued(&self) -> usize {
        self.shared.waiting().queue.len()
    }

    pub fn size(&self) -> PoolSize {
        self.shared.size
    }

    /// Takes no more work, drops what waits, and stops what runs.
    pub fn close(&self) {
        let mut waiting = self.shared.waiting();
        waiting.closed = true;
        waiting.queue.clear();
        waiting.running.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        drop(waiting);
        self.shared.arrived.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing left to wait for.
            drop(thread.join());
        }
    }
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
        let ahead = self.shared.waiting().queue.ahead(&self.tenant, self.id)?;
        Some((ahead, self.shared.expected_wait(ahead)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let removed = self.shared.waiting().queue.remove(&self.tenant, self.id);
        // The job's own drop must not run under the lock.
        drop(removed);
    }
}

impl Shared {
    fn queue(&self, tenant: &Tenant, id: u64, job: Job) -> Result<(), PoolError> {
        let mut waiting = self.waiting();
        if waiting.closed {
            return Err(PoolError::Closed);
        }
        let pushed = waiting.queue.push(tenant, id, job);
        let queued = waiting.queue.len();
        drop(waiting);
        match pushed {
            Ok(()) => {
                self.arrived.notify_one();
                Ok(())
            }
            Err(_) => {
                let retry_after = self.expected_wait(queued).clamp(RETRY.0, RETRY.1);
                Err(PoolError::Full { retry_after })
            }
        }
    }

    fn expected_wait(&self, queued: usize) -> Duration {
        let threads = self.size.threads.max(1);
        let busy = self.running.load(Ordering::Relaxed);
        if queued == 0 && busy < threads {
            return Duration::ZERO;
        }
        let mean = Duration::from_micros(self.service_micros.load(Ordering::Relaxed));
        mean.mul_f64((queued + 1) as f64 / threads as f64)
    }

    /// Runs one piece of work, fenced: a panic is the work's own failure.
    fn run<T>(
        &self,
        searcher: &mut Searcher,
        stop: &Arc<AtomicBool>,
        work: impl FnOnce(&mut Searcher, &AtomicBool) -> T,
    ) -> Result<T, PoolError> {
        self.waiting().running.push(stop.clone());
        let started = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| work(searcher, stop)));
        self.measure(started.elapsed());
        self.waiting().running.retain(|other| !Arc::ptr_eq(other, stop));
        done.map_err(|_| {
            // What the panic has left of the searcher is not trusted.
            *searcher = Searcher::default();
            PoolError::Panicked
        })
    }

    fn measure(&self, took: Duration) {
        let old = self.service_micros.load(Ordering::Relaxed);
        let new = (old * 7 + took.as_micros() as u64) / 8;
        self.service_micros.store(new, Ordering::Relaxed);
    }

    /// Waits for work; `None` when the pool is closed.
    fn take(&self) -> Option<Job> {
        let mut waiting = self.waiting();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(job) = waiting.queue.pop() {
                return Some(job);
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // No work runs under this lock, and each change to what it guards is whole.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("size", &self.size).finish_non_exhaustive()
    }
}

fn spawn(number: usize, shared: Arc<Shared>) -> JoinHandle<()> {
    let search = move || {
        let mut searcher = Searcher::default();
        while let Some(job) = shared.take() {
            shared.running.fetch_add(1, Ordering::Relaxed);
            job(&mut searcher);
            shared.running.fetch_sub(1, Ordering::Relaxed);
        }
    };
    thread::Builder::new()
        .name(format!("search-{number}"))
        .spawn(search)
        .expect("the machine can start the few threads it was asked for at start-up")
}
