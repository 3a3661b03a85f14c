use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use boardkeeper::{
    api::proto::{Event, GameStatus},
    game::{Digest, GameKey, RequestId},
    store::{Redis, RedisSettings, Store},
    watch::Hub,
};
use futures_util::future::join_all;

use super::{super::row::tenant, player::Story, town::Town, watcher::Watched};
use crate::service::{
    load,
    portal::{Portal, assert_whole},
};

/// One game as it was played and watched.
pub(super) struct Game {
    pub(super) story: Story,
    pub(super) watched: Vec<Watched>,
}

/// How many games are judged at once.
const TOGETHER: usize = 16;

/// Asserts that what is in the store, and what each server tells of it, is what callers and watchers
/// were told.
pub(super) async fn judge(town: &Town, games: &[Game]) {
    let store = Redis::open(&town.store(), RedisSettings::default(), Arc::new(Hub::default())).await;
    let store = store.expect("the weather is fair");
    let portals = town.portals();
    for games in games.chunks(TOGETHER) {
        join_all(games.iter().map(|game| game.judge(&store, &portals))).await;
    }
    let ids = games.iter().map(|game| (game.story.id.clone(), GameStatus::Finished));
    let expected: BTreeMap<String, GameStatus> = ids.collect();
    for portal in &portals {
        assert_eq!(load::list(portal, Default::default()).await, expected);
    }
}

impl Game {
    async fn judge(&self, store: &Redis, portals: &[Portal]) {
        let history = self.story.history(portals).await;
        self.story.assert_stored(store, &history).await;
        self.story.assert_kept(&history);
        for watched in &self.watched {
            assert_eq!(watched.events, history, "{}: a stream is not the log", self.story.id);
        }
    }
}

impl Story {
    /// The log as every server tells it.
    async fn history(&self, portals: &[Portal]) -> Vec<Event> {
        let history = portals[0].history(&self.id).await;
        assert_whole(&history);
        for portal in &portals[1..] {
            assert_eq!(portal.history(&self.id).await, history, "{}: two truths", self.id);
        }
        for portal in portals {
            let game = portal.get(&self.id).await.expect("readable");
            assert_eq!(game.version, history.len() as u64);
            assert_eq!(history.last().map(|event| &event.digest), Some(&game.digest));
        }
        assert!(history.last().is_some_and(|event| event.outcome.is_some()), "{} goes on", self.id);
        history
    }

    /// Asserts that the log in the store is this history, that its digests chain, and that each request
    /// id leads to its version.
    async fn assert_stored(&self, store: &Redis, history: &[Event]) {
        let key = GameKey { tenant: tenant(), id: self.id.parse().expect("a name of the right form") };
        let log = store.read(&key, 0, usize::MAX).await.expect("readable").expect("a game");
        let mut digest = Digest::origin(&key);
        assert_eq!((log.head.version, log.entries.len()), (history.len() as u64, history.len()));
        for (entry, event) in log.entries.iter().zip(history) {
            digest = digest.then(&entry.bytes);
            assert_eq!(entry.digest, digest, "{}: the digests do not chain", self.id);
            assert_eq!(event.digest, digest.0);
        }
        let finds = history.iter().map(|event| {
            let request: RequestId = event.request_id.parse().expect("a UUID");
            let key = &key;
            async move { store.find(key, request).await.expect("readable") }
        });
        let found: Vec<_> = join_all(finds).await;
        assert_eq!(found, (1..=history.len() as u64).map(Some).collect::<Vec<_>>(), "{}", self.id);
    }

    /// Asserts that all acknowledged requests are in the log once, at the version and with the digest
    /// that their callers were told, that no refused one is, and that nothing is there that nobody has
    /// asked for.
    fn assert_kept(&self, history: &[Event]) {
        let mut made: HashMap<&str, &Event> = HashMap::new();
        for event in history {
            let before = made.insert(&event.request_id, event);
            assert!(before.is_none(), "{}: {} happened twice", self.id, event.request_id);
        }
        for told in &self.told {
            let event = made.remove(told.request.as_str());
            let kept = event.map(|event| (event.version, &event.digest));
            assert_eq!(kept, Some((told.version, &told.digest)), "{}: {} is lost", self.id, told.request);
        }
        for request in &self.refused {
            assert!(!made.contains_key(request.as_str()), "{}: {request} happened, and was refused", self.id);
        }
        for request in &self.unknown {
            made.remove(request.as_str());
        }
        assert!(made.is_empty(), "{}: nobody has asked for {:?}", self.id, made.keys());
    }
}
