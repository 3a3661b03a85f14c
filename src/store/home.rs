use std::{fmt, path::PathBuf, sync::Arc};

use tracing::info;

use super::{Bell, Embedded, OpenError, Redis, RedisOpenError, RedisSettings, Store};

/// Where games are kept.
#[derive(Clone)]
pub enum Home {
    /// In this directory, made if missing, by one server.
    Directory(PathBuf),
    /// In Redis or Valkey, by any number of servers.
    Redis { url: String, settings: RedisSettings },
}

/// Why games cannot be kept there.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    #[error(transparent)]
    Directory(#[from] OpenError),
    #[error(transparent)]
    Redis(#[from] RedisOpenError),
}

impl Home {
    /// Opens the store there. `bell` is rung for every game that grows.
    ///
    /// # Errors
    /// It cannot be reached, or is not fit to keep games.
    pub async fn open(&self, bell: Arc<dyn Bell>) -> Result<Arc<dyn Store>, HomeError> {
        match self {
            Home::Directory(dir) => {
                let store = Embedded::open(dir, bell)?;
                info!(
                    directory = %dir.display(),
                    "games are kept in the embedded store; an acknowledged change is on the disk"
                );
                Ok(Arc::new(store))
            }
            Home::Redis { url, settings } => {
                let store = Redis::open(url, settings.clone(), bell).await?;
                info!(replicas = settings.replicated, "games are kept in {}", store.name());
                Ok(Arc::new(store))
            }
        }
    }
}

/// Without the URL's user and password.
impl fmt::Debug for Home {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Home::Directory(dir) => f.debug_tuple("Directory").field(dir).finish(),
            Home::Redis { settings, .. } => {
                f.debug_struct("Redis").field("settings", settings).finish_non_exhaustive()
            }
        }
    }
}
