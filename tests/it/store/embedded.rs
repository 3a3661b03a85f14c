use std::{
    fs,
    path::Path,
    sync::{
        Arc, Barrier, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Waker},
};

use boardkeeper::{
    game::{GameKey, Millis},
    store::{Bell, Birth, Card, Committed, Created, Embedded, Filter, OpenError, Store, StoreError},
};

use super::{
    contract,
    games::{begin, birth, card, commit, entries, go_on, key, request, tenant},
};

/// A bell that nobody hears.
pub(super) struct Silent;

impl Bell for Silent {
    fn ring(&self, _: &GameKey) {}
}

pub(super) fn open(dir: &Path) -> Embedded {
    Embedded::open(dir, Arc::new(Silent)).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    contract::holds(Arc::new(open(dir.path()))).await;
}

#[tokio::test]
async fn what_was_kept_is_there_after_opening_again() {
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("made/on/the/way");
    let key = key("keep", "game");
    let store = open(&deep);
    let head = begin(&store, &key).await;
    let head = go_on(&store, &key, head, 5).await;
    drop(store);

    let store = open(&deep);
    let log = store.read(&key, 0, 10).await.unwrap().unwrap();
    assert_eq!((log.head, log.entries), (head, entries(&key, 6)));
    assert_eq!(store.find(&key, request(3)).await.unwrap(), Some(4));
    let again = commit(&key, head, request(3));
    assert_eq!(store.commit(again).await.unwrap(), Committed::Repeated(4));
    let page = store.list(&key.tenant, &Filter::default(), None, 10).await.unwrap();
    assert_eq!(page.games, [(key.id, card())]);
}

#[tokio::test]
async fn a_directory_has_one_user() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let refusal = Embedded::open(dir.path(), Arc::new(Silent)).err().unwrap();
    assert!(matches!(refusal, OpenError::InUse(_)));
    let words = format!(
        "{} is in use by another boardkeeper; stop it, or give this one its own --data-dir",
        dir.path().display()
    );
    assert_eq!(refusal.to_string(), words);
    begin(&store, &key("one", "game")).await;
    drop(store);
    open(dir.path());
}

#[test]
fn a_directory_that_is_a_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "no directory").unwrap();
    assert!(matches!(Embedded::open(&file, Arc::new(Silent)), Err(OpenError::Directory(..))));
}

#[tokio::test]
async fn a_directory_left_half_made_is_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let unfinished = dir.path().join("games.new");
    fs::create_dir_all(unfinished.join("keyspaces")).unwrap();
    fs::write(unfinished.join("0.jnl"), "").unwrap();
    fs::write(unfinished.join("version"), "").unwrap();
    begin(&open(dir.path()), &key("half", "game")).await;
    assert!(!unfinished.exists());
}

#[tokio::test]
async fn taken_on_is_written_before_it_closes() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    for number in 0..200 {
        let mut create = store.create(birth(&key("close", &format!("game-{number}"))));
        // Polled once it has put its question; the answer is nobody's.
        let _ = create.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    drop(store);

    let store = open(dir.path());
    let page = store.list(&tenant("close"), &Filter::default(), None, 1_000).await.unwrap();
    assert_eq!(page.games.len(), 200);
}

/// Notes who is rung for, and whether the store shows it by then.
#[derive(Default)]
struct Notes(Mutex<Vec<GameKey>>);

impl Bell for Notes {
    fn ring(&self, key: &GameKey) {
        self.0.lock().unwrap().push(key.clone());
    }
}

#[tokio::test]
async fn the_bell_rings_for_what_grew() {
    let dir = tempfile::tempdir().unwrap();
    let notes = Arc::new(Notes::default());
    let store = Embedded::open(dir.path(), notes.clone()).unwrap();
    let (one, two) = (key("bell", "one"), key("bell", "two"));
    let head = begin(&store, &one).await;
    begin(&store, &two).await;
    go_on(&store, &one, head, 1).await;
    // None of these changes anything.
    store.create(birth(&one)).await.unwrap();
    store.commit(commit(&one, head, request(1))).await.unwrap();
    store.commit(commit(&one, head, request(2))).await.unwrap();
    store.commit(commit(&key("bell", "none"), head, request(2))).await.unwrap();
    store.ready().await.unwrap();
    drop(store);
    assert_eq!(*notes.0.lock().unwrap(), [one.clone(), two, one]);
}

/// Holds up the writer until it is let go.
struct Stuck {
    held: AtomicBool,
    reached: Barrier,
    released: Barrier,
}

impl Bell for Stuck {
    fn ring(&self, _: &GameKey) {
        if self.held.swap(false, Ordering::Relaxed) {
            self.reached.wait();
            self.released.wait();
        }
    }
}

#[tokio::test]
async fn one_request_too_many_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let bell = Stuck { held: true.into(), reached: Barrier::new(2), released: Barrier::new(2) };
    let bell = Arc::new(bell);
    let store = Arc::new(Embedded::open(dir.path(), bell.clone()).unwrap());
    begin(&*store, &key("busy", "game")).await;
    bell.reached.wait();

    // The writer takes nothing now: what is put to it waits, up to the bound.
    let create = |number: u64| {
        let store = store.clone();
        let birth = birth(&key("busy", &format!("game-{number}")));
        tokio::spawn(async move { store.create(birth).await })
    };
    let waiting: Vec<_> = (0..1_024).map(create).collect();
    tokio::task::yield_now().await;
    assert!(waiting.iter().all(|task| !task.is_finished()));
    assert!(matches!(create(1_024).await.unwrap(), Err(StoreError::Busy)));
    assert!(matches!(store.ready().await, Err(StoreError::Busy)));

    bell.released.wait();
    for task in waiting {
        assert_eq!(task.await.unwrap().unwrap(), Created::Done);
    }
}

#[tokio::test]
async fn one_call_looks_at_a_bounded_number_of_games() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(open(dir.path()));
    for thousand in 0..3 {
        let births = (thousand * 1_000..(thousand + 1) * 1_000).map(|number: u64| {
            let key = key("bound", &format!("game-{number}"));
            let finished = number == 0;
            let card = Card { created: Millis(number), finished, ..card() };
            let (store, entries) = (store.clone(), entries(&key, 1));
            tokio::spawn(async move { store.create(Birth { key, request: request(0), entries, card }).await })
        });
        for birth in births.collect::<Vec<_>>() {
            birth.await.unwrap().unwrap();
        }
    }
    let filter = Filter { player: Some("ada".into()), finished: Some(true), ..Filter::default() };
    let page = store.list(&tenant("bound"), &filter, None, 10).await.unwrap();
    assert_eq!(page.games, []);
    let page = store.list(&tenant("bound"), &filter, page.next.as_ref(), 10).await.unwrap();
    assert_eq!((page.games.len(), page.next), (1, None));
}
