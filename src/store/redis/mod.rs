//! The store in Redis or Valkey, for any number of servers.

mod address;
mod ask;
mod check;
mod ear;
mod fault;
mod games;
mod index;
mod key;
mod links;
mod node;
mod script;
mod slot;
mod survey;
mod sweep;
mod value;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::time::Instant;
use tracing::debug;
use uuid::Uuid;

pub use address::UrlError;
pub use check::Unfit;

use self::{
    address::Target,
    check::{Objection, check},
    ear::Ear,
    games::Games,
    index::Index,
    links::{Links, Patience},
    script::CHECK,
    sweep::{GRACE, Sweeper},
};
use super::{Bell, Birth, Commit, Committed, Created, Filter, Log, Page, Place, Store, StoreError};
use crate::game::{GameKey, RequestId, Tenant, Version};

/// Games in Redis.
///
/// It must be opened in a runtime of tokio, in which it listens to other servers until it is dropped.
pub struct Redis {
    links: Arc<Links>,
    games: Games,
    index: Arc<Index>,
    bell: Arc<dyn Bell>,
    _ear: Ear,
    _sweeper: Sweeper,
}

/// How a store in Redis is used.
#[derive(Clone, Debug)]
pub struct RedisSettings {
    /// How long games are kept after their end; `None`: for ever. Running games are kept for ever.
    pub keep_finished: Option<Duration>,
    /// How many replicas must have a change before it is acknowledged.
    pub replicated: u32,
    /// The certificates, in PEM, that a server's must be signed by; `None`: the usual ones of the
    /// web.
    pub authorities: Option<Vec<u8>>,
    /// How often the lists of games are gone through and mended, by one of the servers.
    pub sweep: Duration,
    /// How long is waited for a connection, and for one answer.
    pub patience: Duration,
    /// How long one call may take with all its attempts.
    pub longest_call: Duration,
}

impl Default for RedisSettings {
    fn default() -> RedisSettings {
        RedisSettings {
            keep_finished: None,
            replicated: 0,
            authorities: None,
            sweep: Duration::from_secs(3600),
            patience: Duration::from_secs(1),
            longest_call: Duration::from_secs(3),
        }
    }
}

/// Why a store in Redis cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RedisOpenError {
    #[error("the store's URL cannot be read")]
    Url(#[from] UrlError),
    #[error("{0} cannot be used")]
    Silent(String, #[source] StoreError),
    /// A server or a cluster, and what is wrong with it.
    #[error("{0} cannot keep games")]
    Unfit(String, #[source] Unfit),
}

impl Redis {
    /// Connects to the store that a URL names, and looks whether it is fit to keep games. `bell` is
    /// rung for every game that grows, here or through another server.
    ///
    /// # Errors
    /// The URL cannot be read, nobody answers, or who answers is not fit.
    pub async fn open(
        url: &str,
        settings: RedisSettings,
        bell: Arc<dyn Bell>,
    ) -> Result<Redis, RedisOpenError> {
        // The crate takes the process's provider, and which one that is must not depend on chance.
        // An error says that there is one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let target = Target::read(url)?;
        let name = target.to_string();
        let certificates = settings
            .authorities
            .map(|root| ::redis::TlsCertificates { client_tls: None, root_cert: Some(root) });
        let patience = Patience { answer: settings.patience, call: settings.longest_call };
        let links = Arc::new(Links::new(target, certificates, patience));
        check(&links, settings.replicated).await.map_err(|objection| match objection {
            Objection::Unfit(server, unfit) => RedisOpenError::Unfit(server, unfit),
            Objection::Silent(error) => RedisOpenError::Silent(name, error),
        })?;
        let (_, sender) = Uuid::now_v7().as_u64_pair();
        let sender = sender.to_be_bytes();
        let index = Arc::new(Index::new(links.clone()));
        Ok(Redis {
            games: Games::new(links.clone(), settings.keep_finished, settings.replicated, sender),
            _ear: Ear::listen(links.clone(), bell.clone(), sender),
            bell,
            _sweeper: Sweeper::start(links.clone(), index.clone(), settings.sweep),
            index,
            links,
        })
    }
}

impl Redis {
    /// What keeps the games, in words, without user and password.
    pub fn name(&self) -> String {
        self.links.target().to_string()
    }
}

#[async_trait]
impl Store for Redis {
    async fn create(&self, birth: Birth) -> Result<Created, StoreError> {
        let began = Instant::now();
        self.index.enter(&birth.key, &birth.card).await?;
        let created = self.games.create(&birth).await?;
        self.bell.ring(&birth.key);
        // This process stood still meanwhile, and its place may have been taken for one left over.
        if GRACE / 2 < began.elapsed() && created == Created::Done {
            self.index.enter(&birth.key, &birth.card).await?;
        }
        Ok(created)
    }

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        if let Some(card) = &commit.finished {
            self.index.enter(&commit.key, card).await?;
        }
        let committed = self.games.commit(&commit).await?;
        if let Committed::Done | Committed::Repeated(_) = committed {
            self.bell.ring(&commit.key);
        }
        if let (Committed::Done, Some(card)) = (committed, &commit.finished) {
            // The game has ended, whether or not the list has heard of it: it will be swept.
            self.index.leave_running(&commit.key, card).await.unwrap_or_else(|error| debug!("{error}"));
        }
        Ok(committed)
    }

    async fn read(&self, key: &GameKey, after: Version, limit: usize) -> Result<Option<Log>, StoreError> {
        self.games.read(key, after, limit).await
    }

    async fn find(&self, key: &GameKey, request: RequestId) -> Result<Option<Version>, StoreError> {
        let found = self.games.find(key, request).await?;
        if found.is_some() {
            // Its change may be one whose answer was lost, and nobody here has been woken for it.
            self.bell.ring(key);
        }
        Ok(found)
    }

    async fn list(
        &self,
        tenant: &Tenant,
        filter: &Filter,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        self.index.list(tenant, filter, after, limit).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        // Refused wherever changes would be, and checks nothing.
        self.links.ask_everywhere(&CHECK.on(&[], &[])).await.map(drop)
    }
}
