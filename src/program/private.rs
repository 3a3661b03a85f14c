use std::{env, fs, path::PathBuf};

use anyhow::Context;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::client::{Client, connect, new_request_id};
use crate::{
    server::{Config, Server},
    store::Home,
};

/// A server of this process's own, on a free port of the loopback device, with its games in a
/// temporary directory that goes with it.
pub(super) struct PrivateServer {
    address: String,
    stop: CancellationToken,
    serving: JoinHandle<anyhow::Result<()>>,
    _directory: Directory,
}

/// A directory that is removed when it is no longer needed.
struct Directory(PathBuf);

impl PrivateServer {
    /// Starts the server.
    ///
    /// # Errors
    /// The directory cannot be made, or no port is free.
    pub(super) async fn start() -> anyhow::Result<PrivateServer> {
        let directory = Directory(env::temp_dir().join(format!("boardkeeper-{}", new_request_id())));
        fs::create_dir_all(&directory.0).with_context(|| format!("making {}", directory.0.display()))?;
        let server = Server::open(&Home::Directory(directory.0.clone()), Config::default()).await?;
        let listener = TcpListener::bind("127.0.0.1:0").await.context("finding a free port")?;
        let address = format!("http://{}", listener.local_addr()?);
        let stop = CancellationToken::new();
        let serving = tokio::spawn(server.serve(listener, stop.clone().cancelled_owned()));
        Ok(PrivateServer { address, stop, serving, _directory: directory })
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Opens a connection.
    ///
    /// # Errors
    /// The server does not answer.
    pub(super) async fn connect(&self) -> anyhow::Result<Client> {
        connect(&self.address).await
    }

    /// Stops the server and waits until it has.
    ///
    /// # Errors
    /// It did not end well.
    pub(super) async fn stop(self) -> anyhow::Result<()> {
        self.stop.cancel();
        self.serving.await?
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What is left in the system's temporary directory is cleared by the system.
        drop(fs::remove_dir_all(&self.0));
    }
}
