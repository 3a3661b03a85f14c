use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
    time::Duration,
};

use redis::{Client, RedisError, RedisResult};
use tokio::time::Instant;

use super::{
    address::{Address, Target},
    node::Node,
    slot::{Owners, Slot},
};

/// The way to every server that keeps games: which there are, and which of them a key belongs to.
///
/// The client crate's own connection manager and cluster client are not used. They keep a connection
/// whose answers do not come any more, so that a lookup after a timeout would wait behind the lost
/// question; and the manager stays with a master that has become a replica.
pub(super) struct Links {
    target: Target,
    certificates: Option<redis::TlsCertificates>,
    patience: Patience,
    owners: RwLock<Arc<Owners>>,
    nodes: Mutex<HashMap<Address, Arc<Node>>>,
    /// When the owners were last asked for.
    surveyed: tokio::sync::Mutex<Option<Instant>>,
}

/// How long is waited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// For a connection, and for one answer.
    pub(super) answer: Duration,
    /// For all attempts of one call together.
    pub(super) call: Duration,
}

impl Links {
    pub(super) fn new(
        target: Target,
        certificates: Option<redis::TlsCertificates>,
        patience: Patience,
    ) -> Links {
        Links {
            target,
            certificates,
            patience,
            owners: RwLock::default(),
            nodes: Mutex::default(),
            surveyed: tokio::sync::Mutex::default(),
        }
    }

    pub(super) fn patience(&self) -> Patience {
        self.patience
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Who keeps a slot.
    pub(super) async fn owner(&self, slot: Slot) -> RedisResult<Address> {
        if let Some(address) = self.owners().owner(slot) {
            return Ok(address.clone());
        }
        self.survey(Instant::now(), None).await?;
        self.owners().owner(slot).cloned().ok_or_else(|| unowned("no server keeps this part of the cluster"))
    }

    /// Every server that keeps games: one at least.
    pub(super) async fn masters(&self) -> RedisResult<Vec<Address>> {
        if self.owners().all().is_empty() {
            self.survey(Instant::now(), None).await?;
        }
        Ok(self.owners().all().into_iter().cloned().collect())
    }

    /// Learns which server keeps what, unless somebody else has tried to since `failed`. `hint` may
    /// know.
    pub(super) async fn survey(&self, failed: Instant, hint: Option<&Address>) -> RedisResult<()> {
        let mut surveyed = self.surveyed.lock().await;
        if surveyed.is_some_and(|at| failed < at) {
            return Ok(());
        }
        let owners = self.ask_for_owners(hint).await;
        *surveyed = Some(Instant::now());
        let owners = owners?;
        let kept = owners.all();
        self.nodes().retain(|address, _| kept.contains(address));
        *self.owners.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(owners);
        Ok(())
    }

    pub(super) fn owners(&self) -> Arc<Owners> {
        self.owners.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn node(&self, address: &Address) -> RedisResult<Arc<Node>> {
        let mut nodes = self.nodes();
        if let Some(node) = nodes.get(address) {
            return Ok(node.clone());
        }
        let client = self.client(self.target.server(address))?;
        let node = Arc::new(Node::new(client, self.patience.answer));
        nodes.insert(address.clone(), node.clone());
        Ok(node)
    }

    pub(super) fn client(&self, info: redis::ConnectionInfo) -> RedisResult<Client> {
        match (&self.certificates, info.addr()) {
            (Some(certificates), redis::ConnectionAddr::TcpTls { .. }) => {
                Client::build_with_tls(info, certificates.clone())
            }
            _ => Client::open(info),
        }
    }

    fn nodes(&self) -> MutexGuard<'_, HashMap<Address, Arc<Node>>> {
        // A panic elsewhere leaves the map whole: each change is one insertion or removal.
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of a question that nobody is there to answer.
pub(super) fn unowned(why: &'static str) -> RedisError {
    RedisError::from((redis::ErrorKind::Server(redis::ServerErrorKind::ClusterDown), why))
}
