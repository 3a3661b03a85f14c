//! A wake-up is no more than that: who misses all of them reads the log all the same.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use boardkeeper::{
    game::{GameKey, RequestId, Tenant, Version},
    store::{Birth, Commit, Committed, Created, Filter, Log, Page, Place, Store, StoreError},
    watch::Hub,
};
use tempfile::TempDir;
use tonic::Code;

use super::{
    crowd::Crowd,
    house::{House, open_store},
    portal::{assert_refused, assert_whole},
    reader::Reader,
    until::until,
    wander,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_come_without_any_wake_up() {
    let dir = TempDir::new().expect("a temporary directory");
    let hub = Arc::new(Hub::default());
    let store = open_store(&dir, &hub).await;
    let house = House::over(dir, store.clone(), hub, |_| ()).await;
    // Nobody rings for the second server, whose memory of every game is out of date.
    let deaf = house.beside(store, Arc::new(Hub::default())).await;
    let (portal, deaf_portal) = (house.portal().await, deaf.portal().await);
    let game = wander::begin(&portal).await;
    let mut reader = Reader::of_snapshot(&deaf_portal, &game.id);
    assert_eq!(reader.snapshot().await, game);
    let mut replaying = Reader::new(&deaf_portal, &game.id);
    replaying.read_to(1).await;
    // More than is kept at hand or sent in one turn.
    let game = wander::go_to(&portal, &game, 60).await;
    reader.read_to(60).await;
    portal.flag(&game.id, 60).await.expect("it goes on");
    reader.rest().await;
    replaying.rest().await;
    assert_whole(&replaying.events);
    assert_eq!(replaying.events, portal.history(&game.id).await);
    // A writer with an old memory is told of the truth.
    let answer = deaf_portal.submit(&game.id, 1, &wander::step(1)).await;
    assert_refused(answer, Code::FailedPrecondition, "GAME_OVER");
}

#[tokio::test]
async fn a_server_does_not_take_its_memory_for_the_truth() {
    let dir = TempDir::new().expect("a temporary directory");
    let hub = Arc::new(Hub::default());
    let store = open_store(&dir, &hub).await;
    let house = House::over(dir, store.clone(), hub, |_| ()).await;
    let deaf = house.beside(store, Arc::new(Hub::default())).await;
    let (portal, deaf_portal) = (house.portal().await, deaf.portal().await);
    // The second server has the beginning at hand, and more of the game after each look.
    let mut game = wander::begin(&deaf_portal).await;
    for _ in 0..4 {
        game = wander::go_to(&portal, &game, game.version + 3).await;
        assert_eq!(deaf_portal.history(&game.id).await, portal.history(&game.id).await);
    }
}

/// A store that counts how often it is looked at, and how often entries were asked for.
struct Counting {
    store: Arc<dyn Store>,
    looks: AtomicUsize,
    readings: AtomicUsize,
}

#[async_trait]
impl Store for Counting {
    async fn create(&self, birth: Birth) -> Result<Created, StoreError> {
        self.store.create(birth).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        self.store.commit(commit).await
    }

    async fn read(&self, key: &GameKey, after: Version, limit: usize) -> Result<Option<Log>, StoreError> {
        let log = self.store.read(key, after, limit).await?;
        let entries = log.as_ref().map_or(0, |log| log.entries.len());
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.readings.fetch_add(entries, Ordering::Relaxed);
        Ok(log)
    }

    async fn find(&self, key: &GameKey, request: RequestId) -> Result<Option<Version>, StoreError> {
        self.store.find(key, request).await
    }

    async fn list(
        &self,
        tenant: &Tenant,
        filter: &Filter,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        self.store.list(tenant, filter, after, limit).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.store.ready().await
    }
}

/// A watcher of all games has many that nobody plays. To look at them from time to time must not
/// mean to read them.
#[tokio::test]
async fn a_look_at_quiet_games_reads_nothing() {
    let dir = TempDir::new().expect("a temporary directory");
    let hub = Arc::new(Hub::default());
    let store = open_store(&dir, &hub).await;
    let store = Arc::new(Counting { store, looks: AtomicUsize::new(0), readings: AtomicUsize::new(0) });
    let house = House::over(dir, store.clone(), hub, |config| config.games_in_memory = 2).await;
    let portal = house.portal().await;
    for _ in 0..20 {
        wander::begin_after(&portal, 30).await;
    }
    let mut crowd = Crowd::watch_all(&portal).await;
    crowd.read_until(|crowd| crowd.current == 1).await;
    let readings = store.readings.load(Ordering::Relaxed);
    let looks = store.looks.load(Ordering::Relaxed);
    until("every game has been looked at", async || looks + 20 <= store.looks.load(Ordering::Relaxed)).await;
    assert_eq!(store.readings.load(Ordering::Relaxed), readings, "entries were read");
    assert_eq!(crowd.events.len(), 0);
}
