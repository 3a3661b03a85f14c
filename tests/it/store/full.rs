//! Files cannot grow for a while, as on a full disk. Limits of a running process are set from without
//! by `prlimit`, which is Linux's.

use std::{path::Path, process::Command, time::Duration};

use boardkeeper::store::{Committed, Store, StoreError};
use tokio::time::sleep;

use super::{
    embedded::open,
    games::{after, begin, commit, request},
    victim::{self, Told, Victim, check, say, tell},
};

#[test]
fn a_full_disk_fails_calls_and_is_recovered_from() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    if let Some(dir) = victim::orders() {
        return runtime.block_on(write_through_failures(&dir));
    }
    let dir = tempfile::tempdir().unwrap();
    let mut told = Told::new();
    let mut victim =
        Victim::start(module_path!(), "a_full_disk_fails_calls_and_is_recovered_from", dir.path());
    for _ in 0..2 {
        victim.await_line("told", &mut told);
        limit_files(&victim, "10000");
        victim.await_line("failed", &mut told);
        victim.await_line("failed", &mut told);
        limit_files(&victim, "unlimited");
        victim.await_line("recovered", &mut told);
    }
    victim.kill(&mut told);
    runtime.block_on(check(dir.path(), 1, &told));
}

/// Lets no file of a victim be written beyond so many bytes.
fn limit_files(victim: &Victim, bytes: &str) {
    let pid = victim.id().to_string();
    let limit = format!("--fsize={bytes}:unlimited");
    assert!(Command::new("prlimit").args(["--pid", &pid, &limit]).status().unwrap().success());
}

/// Writes one game for ever. What fails is tried again, unless it turns out to have happened.
async fn write_through_failures(dir: &Path) {
    let store = open(dir);
    let key = victim::game(0);
    let mut head = begin(&store, &key).await;
    let mut failing = false;
    loop {
        tell(&key, head.version);
        let request = request(head.version.into());
        let commit = commit(&key, head, request);
        head = after(&commit);
        loop {
            match store.commit(commit.clone()).await {
                Ok(answer) => {
                    assert!(matches!(answer, Committed::Done | Committed::Repeated(_)));
                    break;
                }
                Err(StoreError::Unavailable(..)) => say("failed"),
                Err(error) => panic!("{error}"),
            }
            failing = true;
            assert!(store.ready().await.is_err());
            sleep(Duration::from_millis(200)).await;
        }
        assert_eq!(store.find(&key, request).await.unwrap(), Some(head.version));
        store.ready().await.unwrap();
        if failing {
            say("recovered");
            failing = false;
        }
    }
}
