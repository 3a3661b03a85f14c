//! A process that writes is killed, and what it was told is durable is looked for.

use std::{path::Path, sync::Arc, thread, time::Duration};

use boardkeeper::{
    game::GameKey,
    store::{Committed, Store},
};

use super::{
    embedded::open,
    games::{after, begin, commit, request},
    victim::{self, Told, Victim, check, tell},
};

/// How many games are written at once.
const GAMES: u64 = 24;

#[test]
fn killing_loses_nothing_acknowledged() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    if let Some(dir) = victim::orders() {
        return runtime.block_on(write_until_killed(&dir));
    }
    let dir = tempfile::tempdir().unwrap();
    let mut told = Told::new();
    // The first ones fall into the making of the tables.
    for millis in [3, 6, 12, 25, 60, 150, 300, 90, 200, 400] {
        let victim = Victim::start(module_path!(), "killing_loses_nothing_acknowledged", dir.path());
        thread::sleep(Duration::from_millis(millis));
        victim.kill(&mut told);
        runtime.block_on(check(dir.path(), GAMES, &told));
    }
    assert!(GAMES < told.values().sum(), "the victims wrote next to nothing");
}

async fn write_until_killed(dir: &Path) {
    let store = Arc::new(open(dir));
    let writers: Vec<_> = (0..GAMES)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move { write_one(&*store, &victim::game(number)).await })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
}

/// Takes a game up where it is and goes on with it for ever.
async fn write_one(store: &dyn Store, key: &GameKey) {
    let mut head = match store.read(key, 0, 0).await.unwrap() {
        Some(log) => log.head,
        None => begin(store, key).await,
    };
    loop {
        tell(key, head.version);
        let commit = commit(key, head, request(head.version.into()));
        head = after(&commit);
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Done);
    }
}
