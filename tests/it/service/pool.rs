//! The pool of searchers, asked directly: never more at once than it has threads, and none lost.

use std::{
    panic::resume_unwind,
    sync::{
        Arc, Barrier, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use boardkeeper::{
    bots::{Pool, PoolError, PoolSize},
    game::{Tenant, kind},
    search::{Control, LEVELS, Searcher},
};

use super::until::until;

/// Whoever waits as long as it takes.
const PATIENT: Duration = Duration::MAX;

fn tenant(name: &str) -> Tenant {
    name.parse().expect("a name")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b5_never_more_searches_than_threads() {
    const THREADS: usize = 3;
    let pool = Pool::start(PoolSize { threads: THREADS, queue: 64, patience: PATIENT });
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let submit = |_| {
        let (running, most) = (running.clone(), most.clone());
        let work = move |_: &mut _, _: &_| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            running.fetch_sub(1, Ordering::SeqCst);
        };
        pool.submit(&tenant("portal"), PATIENT, work).expect("64 fit")
    };
    let tickets: Vec<_> = (0..64).map(submit).collect();
    for mut ticket in tickets {
        ticket.done().await.expect("no panic");
    }
    assert_eq!(most.load(Ordering::SeqCst), THREADS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b6_no_thread_is_lost_to_cancels_and_panics() {
    const THREADS: usize = 2;
    let pool = Pool::start(PoolSize { threads: THREADS, queue: 100, patience: PATIENT });
    for round in 0..10_000 {
        let submitted = pool.submit(&tenant("portal"), PATIENT, move |_, _| match round % 3 {
            // Not `panic!`, which would write ten thousand lines.
            0 => resume_unwind(Box::new("a fault in the search")),
            _ => round,
        });
        let mut ticket = match submitted {
            Ok(ticket) => ticket,
            Err(PoolError::Full { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        match round % 3 {
            0 => assert_eq!(ticket.done().await, Err(PoolError::Panicked)),
            1 => assert_eq!(ticket.done().await, Ok(round)),
            _ => drop(ticket),
        }
    }
    // Every thread still works: the two pieces of work wait for each other.
    let meeting = Arc::new(Barrier::new(THREADS));
    let submit = |_| {
        let meeting = meeting.clone();
        pool.submit(&tenant("portal"), PATIENT, move |_, _| meeting.wait().is_leader()).expect("room")
    };
    let mut leaders = 0;
    for mut ticket in (0..THREADS).map(submit).collect::<Vec<_>>() {
        leaders += usize::from(ticket.done().await.expect("no panic"));
    }
    assert_eq!((leaders, pool.queued()), (1, 0));
}

/// A pool whose only thread is busy until the sender is dropped.
async fn held(queue: usize) -> (Pool, mpsc::Sender<()>) {
    let pool = Pool::start(PoolSize { threads: 1, queue, patience: PATIENT });
    let (release, released) = mpsc::channel::<()>();
    let held = pool.submit(&tenant("holder"), PATIENT, move |_, _| released.recv().is_err());
    let mut held = held.expect("room");
    tokio::spawn(async move { held.done().await });
    until("the thread is busy", async || pool.running() == 1).await;
    (pool, release)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_tenant_keeps_nobody_out() {
    let (pool, release) = held(3).await;
    let served = Arc::new(Mutex::new(Vec::new()));
    let submit = |name: &'static str| {
        let served = served.clone();
        pool.submit(&tenant(name), PATIENT, move |_, _| served.lock().expect("no panic").push(name))
    };
    let mut tickets = Vec::new();
    for _ in 0..3 {
        tickets.push(submit("busy").expect("room"));
    }
    assert!(matches!(submit("busy"), Err(PoolError::Full { .. })));
    for _ in 0..2 {
        tickets.push(submit("quiet").expect("room of its own"));
    }
    drop(release);
    for mut ticket in tickets {
        ticket.done().await.expect("no panic");
    }
    assert_eq!(*served.lock().expect("no panic"), ["busy", "quiet", "busy", "quiet", "busy"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_wait_is_expected_from_how_long_work_takes() {
    let pool = Pool::start(PoolSize { threads: 1, queue: 64, patience: PATIENT });
    for _ in 0..24 {
        let work = |_: &mut _, _: &_| thread::sleep(Duration::from_millis(10));
        pool.submit(&tenant("portal"), PATIENT, work).expect("room").done().await.expect("no panic");
    }
    let (release, released) = mpsc::channel::<()>();
    let holding = pool.submit(&tenant("portal"), PATIENT, move |_, _| released.recv().is_err());
    until("the thread is busy", async || pool.running() == 1).await;
    // One search is under way, and two wait: a third would wait for three.
    let waiting = [(); 2].map(|()| pool.submit(&tenant("portal"), PATIENT, |_, _| ()).expect("room"));
    let wait = pool.expected_wait(&tenant("portal"));
    assert!(Duration::from_millis(30) <= wait, "{wait:?}");
    let refused = pool.submit(&tenant("portal"), wait / 2, |_, _| ()).expect_err("it would wait longer");
    let PoolError::Full { wait: told, retry_after } = refused else { panic!("{refused}") };
    // One that goes on makes it longer.
    assert!(wait <= told, "{told:?}");
    assert!((50..5000).contains(&retry_after.as_millis()), "{retry_after:?}");
    assert!(pool.submit(&tenant("portal"), PATIENT, |_, _| ()).is_ok());
    drop((release, holding, waiting));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_ticket_frees_its_thread_at_once() {
    let pool = Pool::start(PoolSize { threads: 1, queue: 4, patience: PATIENT });
    let board = kind("quantum-control").expect("it is offered").start(&Default::default()).expect("a board");
    let mut freed = Vec::new();
    for _ in 0..21 {
        let board = board.clone();
        let search = move |searcher: &mut Searcher, stop: &AtomicBool| {
            let control = Control { stop, elapsed: &|| Duration::ZERO };
            // Nobody asks what it has found.
            drop(board.search(searcher, LEVELS[4].bot(1), control, &mut |_| ()));
        };
        let ticket = pool.submit(&tenant("portal"), PATIENT, search).expect("room");
        until("it searches", async || pool.running() == 1).await;
        let dropped = Instant::now();
        drop(ticket);
        while 0 < pool.running() {
            tokio::time::sleep(Duration::from_micros(100)).await;
        }
        freed.push(dropped.elapsed());
    }
    // Some may suffer from what else the machine does.
    freed.sort_unstable();
    assert!(freed[10] < Duration::from_millis(50), "{freed:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_stand_behind_everything_else() {
    /// The niceness of the calling thread.
    fn nice() -> i32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("the kernel tells");
        // The fields after the name, which may hold spaces; the seventeenth of them.
        let (_, fields) = stat.rsplit_once(") ").expect("a name");
        fields.split(' ').nth(16).and_then(|field| field.parse().ok()).expect("a number")
    }
    let before = nice();
    let pool = Pool::start(PoolSize { threads: 1, queue: 1, patience: PATIENT });
    let mut ticket = pool.submit(&tenant("portal"), PATIENT, |_, _| nice()).expect("room");
    assert_eq!(ticket.done().await, Ok(19));
    assert_eq!(nice(), before, "it is the searching thread's alone");
}
