//! The pool of searchers, asked directly: never more at once than it has threads, and none lost.

use std::{
    panic::resume_unwind,
    sync::{
        Arc, Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use boardkeeper::{
    bots::{Pool, PoolError, PoolSize},
    game::Tenant,
};

fn tenant() -> Tenant {
    "portal".parse().expect("a name")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b5_never_more_searches_than_threads() {
    const THREADS: usize = 3;
    let pool = Pool::start(PoolSize { threads: THREADS, queue: 64 });
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let submit = |_| {
        let (running, most) = (running.clone(), most.clone());
        let work = move |_: &mut _, _: &_| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            running.fetch_sub(1, Ordering::SeqCst);
        };
        pool.submit(&tenant(), work).expect("64 fit")
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
    let pool = Pool::start(PoolSize { threads: THREADS, queue: 100 });
    for round in 0..10_000 {
        let submitted = pool.submit(&tenant(), move |_, _| match round % 3 {
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
        pool.submit(&tenant(), move |_, _| meeting.wait().is_leader()).expect("room")
    };
    let mut leaders = 0;
    for mut ticket in (0..THREADS).map(submit).collect::<Vec<_>>() {
        leaders += usize::from(ticket.done().await.expect("no panic"));
    }
    assert_eq!((leaders, pool.queued()), (1, 0));
}
