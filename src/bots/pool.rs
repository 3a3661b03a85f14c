use std::{
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{
    priority,
    queue::Queue,
    ticket::{Outcome, Place, Ticket},
};
use crate::{game::Tenant, search::Searcher};

/// A fixed number of threads that search, and a bounded queue before them.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// How much a pool takes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolSize {
    /// Threads, at least 1.
    pub threads: usize,
    /// Searches of one tenant that wait for a thread, at least 1: one that is asked for waits a moment
    /// even where a thread is free.
    pub queue: usize,
    /// The longest that a search may be expected to wait, by how long searches take: it is refused
    /// where that is more.
    pub patience: Duration,
}

impl Default for PoolSize {
    /// One thread a core, but one core less where there are more than two.
    fn default() -> PoolSize {
        let threads = match thread::available_parallelism().map_or(1, NonZeroUsize::get) {
            cores if 2 < cores => cores - 1,
            cores => cores,
        };
        PoolSize { threads, queue: 64, patience: Duration::from_secs(1) }
    }
}

/// Why a pool takes no work, or gives no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PoolError {
    /// The tenant's queue is full, or the work would wait longer than it can.
    #[error("all searchers are busy: a search could start in {wait:?} at the earliest")]
    Full { wait: Duration, retry_after: Duration },
    /// Other searches took longer than expected: this one could not start in time.
    #[error("the searchers were busy for too long")]
    Late,
    #[error("the search failed")]
    Panicked,
    #[error("the searchers are being stopped")]
    Closed,
}

type Job = Box<dyn FnOnce(&mut Searcher) + Send>;

/// What the threads and those who bring work have in common.
pub(super) struct Shared {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    size: PoolSize,
    next_id: AtomicU64,
    /// How long a search has taken of late, in microseconds: a moving mean.
    service_micros: AtomicU64,
}

struct Waiting {
    queue: Queue<Job>,
    running: Vec<Running>,
    closed: bool,
}

/// Work that a thread has taken.
struct Running {
    /// Ends it, when the pool closes.
    stop: Arc<AtomicBool>,
    started: Instant,
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
            next_id: AtomicU64::new(0),
            service_micros: AtomicU64::new(FIRST_GUESS.as_micros() as u64),
        });
        let threads = (0..size.threads.max(1)).map(|number| spawn(number, shared.clone())).collect();
        Pool { shared, threads }
    }

    /// Queues work for a tenant, if it can be expected to start within its patience and the pool's.
    /// `work` gets a searcher and a flag that tells it to stop.
    ///
    /// # Errors
    /// The tenant's queue is full, the wait would be longer, or the pool is closed.
    pub fn submit<T: Send + 'static>(
        &self,
        tenant: &Tenant,
        patience: Duration,
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
        self.shared.queue(tenant, patience, id, job)?;
        Ok(Ticket { result: Outcome(result), place })
    }

    /// How long work of this tenant that is queued now will wait, by the mean of recent searches.
    pub fn expected_wait(&self, tenant: &Tenant) -> Duration {
        let waiting = self.shared.waiting();
        self.shared.expected_wait(&waiting, waiting.queue.ahead_of_next(tenant))
    }

    /// How many searches run at this moment, never more than there are threads.
    pub fn running(&self) -> usize {
        self.shared.waiting().running.len()
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
        waiting.running.iter().for_each(|running| running.stop.store(true, Ordering::Relaxed));
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

impl Shared {
    fn queue(&self, tenant: &Tenant, patience: Duration, id: u64, job: Job) -> Result<(), PoolError> {
        let mut waiting = self.waiting();
        if waiting.closed {
            return Err(PoolError::Closed);
        }
        let patience = patience.min(self.size.patience);
        let wait = self.expected_wait(&waiting, waiting.queue.ahead_of_next(tenant));
        let retry_after = self.retry_after(&waiting, wait, patience);
        let refused = if patience < wait { Err(job) } else { waiting.queue.push(tenant, id, job) };
        // The job's own drop must not run under the lock.
        drop(waiting);
        match refused {
            Ok(()) => {
                self.arrived.notify_one();
                Ok(())
            }
            Err(_) => Err(PoolError::Full { wait, retry_after }),
        }
    }

    /// Takes out work that still waits.
    pub(super) fn withdraw(&self, tenant: &Tenant, id: u64) {
        let removed = self.waiting().queue.remove(tenant, id);
        // The job's own drop must not run under the lock.
        drop(removed);
    }

    /// How many searches start before this one, and about how long that takes; `None` once it has
    /// started.
    pub(super) fn place(&self, tenant: &Tenant, id: u64) -> Option<(usize, Duration)> {
        let waiting = self.waiting();
        let ahead = waiting.queue.ahead(tenant, id)?;
        Some((ahead, self.expected_wait(&waiting, ahead)))
    }

    /// When there may be room: once a refused wait has become short enough, or the tenant's next turn
    /// has come.
    fn retry_after(&self, waiting: &Waiting, wait: Duration, patience: Duration) -> Duration {
        let tenants = waiting.queue.tenants().max(1);
        let turn = self.mean(waiting).mul_f64(tenants as f64 / self.size.threads.max(1) as f64);
        wait.saturating_sub(patience).max(turn).clamp(RETRY.0, RETRY.1)
    }

    /// How long work waits that has so much ahead of it.
    fn expected_wait(&self, waiting: &Waiting, ahead: usize) -> Duration {
        let threads = self.size.threads.max(1);
        let free = threads.saturating_sub(waiting.running.len());
        match ahead.checked_sub(free) {
            None => Duration::ZERO,
            Some(behind) => self.mean(waiting).mul_f64((behind + 1) as f64 / threads as f64),
        }
    }

    /// How long a search takes: as long as of late, or as one has taken already that still goes on.
    fn mean(&self, waiting: &Waiting) -> Duration {
        let longest = waiting.running.iter().map(|running| running.started.elapsed()).max();
        let of_late = Duration::from_micros(self.service_micros.load(Ordering::Relaxed));
        of_late.max(longest.unwrap_or_default())
    }

    /// Runs one piece of work, fenced: a panic is the work's own failure.
    fn run<T>(
        &self,
        searcher: &mut Searcher,
        stop: &Arc<AtomicBool>,
        work: impl FnOnce(&mut Searcher, &AtomicBool) -> T,
    ) -> Result<T, PoolError> {
        let started = Instant::now();
        self.waiting().running.push(Running { stop: stop.clone(), started });
        let done = catch_unwind(AssertUnwindSafe(|| work(searcher, stop)));
        // What was broken off does not tell how long a search takes.
        if !stop.load(Ordering::Relaxed) {
            self.measure(started.elapsed());
        }
        self.waiting().running.retain(|other| !Arc::ptr_eq(&other.stop, stop));
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
        priority::lower();
        let mut searcher = Searcher::default();
        while let Some(job) = shared.take() {
            job(&mut searcher);
        }
    };
    thread::Builder::new()
        .name(format!("search-{number}"))
        .spawn(search)
        .expect("the machine can start the few threads it was asked for at start-up")
}
