use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::inbox::Inbox;
use crate::{
    game::{GameKey, Tenant},
    store::Bell,
};

/// Knows who watches what, and wakes them when a log has grown.
///
/// A wake-up carries nothing: the log is the truth, and a watcher reads it.
#[derive(Debug, Default)]
pub struct Hub {
    watchers: Mutex<Watchers>,
}

#[derive(Debug, Default)]
struct Watchers {
    by_game: HashMap<GameKey, Vec<Arc<Inbox>>>,
    by_tenant: HashMap<Tenant, Vec<Arc<Inbox>>>,
}

/// Somebody's interest in games, until it is dropped.
#[derive(Debug)]
pub struct Interest {
    hub: Arc<Hub>,
    inbox: Arc<Inbox>,
    games: Vec<GameKey>,
    tenant: Option<Tenant>,
}

impl Hub {
    /// Wakes whoever is interested in this game.
    pub fn ring(&self, key: &GameKey) {
        let watchers = self.watchers();
        let of_game = watchers.by_game.get(key).into_iter().flatten();
        let of_tenant = watchers.by_tenant.get(&key.tenant).into_iter().flatten();
        of_game.chain(of_tenant).for_each(|inbox| inbox.put(key));
    }

    /// How many games and tenants somebody is interested in.
    pub fn watched(&self) -> usize {
        let watchers = self.watchers();
        watchers.by_game.len() + watchers.by_tenant.len()
    }

    fn watchers(&self) -> MutexGuard<'_, Watchers> {
        // A panic elsewhere leaves the maps whole: each change is one insertion or removal.
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bell for Hub {
    fn ring(&self, key: &GameKey) {
        Hub::ring(self, key);
    }
}

impl Interest {
    /// Interest in no game yet.
    pub fn new(hub: &Arc<Hub>) -> Interest {
        Interest { hub: hub.clone(), inbox: Arc::default(), games: Vec::new(), tenant: None }
    }

    /// Adds a game. It is rung for from now on; look at its log after this, and nothing is missed.
    pub fn add(&mut self, key: &GameKey) {
        let mut watchers = self.hub.watchers();
        watchers.by_game.entry(key.clone()).or_default().push(self.inbox.clone());
        self.games.push(key.clone());
    }

    /// Adds all games of a tenant, those yet to be created included.
    pub fn add_tenant(&mut self, tenant: &Tenant) {
        let mut watchers = self.hub.watchers();
        watchers.by_tenant.entry(tenant.clone()).or_default().push(self.inbox.clone());
        self.tenant = Some(tenant.clone());
    }

    /// Rings for a game on this interest alone.
    pub fn wake(&self, key: &GameKey) {
        self.inbox.put(key);
    }

    /// The next games to look at, at least one and at most `limit`, as soon as there are any.
    pub async fn next(&self, limit: usize) -> Vec<GameKey> {
        self.inbox.take(limit).await
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        let mut watchers = self.hub.watchers();
        for key in &self.games {
            leave(&mut watchers.by_game, key, &self.inbox);
        }
        if let Some(tenant) = &self.tenant {
            leave(&mut watchers.by_tenant, tenant, &self.inbox);
        }
    }
}

/// Takes an inbox off a list, and the list off the map if it was the last.
fn leave<K: Eq + std::hash::Hash>(lists: &mut HashMap<K, Vec<Arc<Inbox>>>, key: &K, inbox: &Arc<Inbox>) {
    if let Some(list) = lists.get_mut(key) {
        list.retain(|other| !Arc::ptr_eq(other, inbox));
        if list.is_empty() {
            lists.remove(key);
        }
    }
}
