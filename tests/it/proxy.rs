use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// A wire between clients and a server, byte by byte in the test's hand.
pub(crate) struct Proxy {
    address: String,
    /// Where new connections lead.
    server: Arc<Mutex<String>>,
    wire: watch::Sender<Wire>,
    accepting: JoinHandle<()>,
}

/// After how many bytes each connection is cut; `None` is never.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Cut {
    pub(crate) requests: Option<usize>,
    pub(crate) replies: Option<usize>,
}

#[derive(Clone, Copy, Default)]
struct Wire {
    /// Whether what the server sends vanishes.
    swallows: bool,
    /// How often all connections were cut.
    cuts: u64,
}

impl Proxy {
    /// A wire to the server at this address, whole until told otherwise.
    pub(crate) async fn to(server: &str) -> Proxy {
        Proxy::cutting(server, Cut::default()).await
    }

    /// A wire to the server at this address that cuts each connection.
    pub(crate) async fn cutting(server: &str, cut: Cut) -> Proxy {
        Proxy::cutting_each(server, move || cut).await
    }

    /// A wire to the server at this address that cuts each connection elsewhere.
    pub(crate) async fn cutting_each(server: &str, mut cut: impl FnMut() -> Cut + Send + 'static) -> Proxy {
        let server = Arc::new(Mutex::new(host(server)));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        let (wire, seen) = watch::channel(Wire::default());
        let leads_to = server.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = leads_to.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let Ok(server) = TcpStream::connect(&server).await else { continue };
                tokio::spawn(carry(client, server, cut(), seen.clone()));
            }
        });
        Proxy { address, server, wire, accepting }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The wire as the URL of a store, if it leads to Redis.
    pub(crate) fn store(&self) -> String {
        self.address.replace("http://", "redis://")
    }

    /// Leads connections made from now on to another server.
    pub(crate) fn lead_to(&self, server: &str) {
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = host(server);
    }

    /// From now on nothing that the server sends arrives.
    pub(crate) fn swallow_replies(&self) {
        self.wire.send_modify(|wire| wire.swallows = true);
    }

    /// Cuts all connections; those made from now on are whole.
    pub(crate) fn cut(&self) {
        self.wire.send_modify(|wire| *wire = Wire { swallows: false, cuts: wire.cuts + 1 });
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// The address without its scheme.
fn host(server: &str) -> String {
    server.split_once("://").map_or(server, |(_, host)| host).to_owned()
}

/// Carries one connection until an end closes it or it is cut; both ends are closed then.
async fn carry(client: TcpStream, server: TcpStream, cut: Cut, mut wire: watch::Receiver<Wire>) {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let cuts = wire.borrow().cuts;
    let seen = wire.clone();
    tokio::select! {
        _ = pass(from_client, to_server, cut.requests, || false) => {}
        _ = pass(from_server, to_client, cut.replies, move || seen.borrow().swallows) => {}
        _ = wire.wait_for(|wire| wire.cuts != cuts) => {}
    }
}

/// Passes on at most so many bytes.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    most: Option<usize>,
    swallows: impl Fn() -> bool,
) -> io::Result<()> {
    let mut left = most.unwrap_or(usize::MAX);
    let mut buffer = [0; 4096];
    while 0 < left {
        let room = buffer.len().min(left);
        let count = from.read(&mut buffer[..room]).await?;
        if count == 0 {
            break;
        }
        if !swallows() {
            to.write_all(&buffer[..count]).await?;
        }
        left -= count;
    }
    Ok(())
}
