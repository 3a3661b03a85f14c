//! The least that a service like this can do: a bare call that writes the same bytes by one script, a
//! bare call that answers what it was sent, and a bare stream of what others send.

use std::{
    convert::Infallible,
    fs,
    path::Path,
    pin::Pin,
    sync::atomic::{AtomicU64, Ordering},
    task::{Context, Poll},
};

use anyhow::ensure;
use boardkeeper::program::bench::{Caller, Line};
use redis::aio::MultiplexedConnection;
use tokio::{net::TcpListener, sync::broadcast};
use tokio_stream::{Stream, StreamExt, wrappers::BroadcastStream};
use tonic::{
    Request, Response, Status,
    body::Body,
    codegen::http,
    server::{Grpc, NamedService},
    transport::{Server, server::TcpIncoming},
};
use tonic_prost::ProstCodec;
use tower::service_fn;

pub(crate) const ECHO: &str = "/floor.Floor/Echo";
pub(crate) const COMMIT: &str = "/floor.Floor/Commit";
pub(crate) const WATCH: &str = "/floor.Floor/Watch";
pub(crate) const TELL: &str = "/floor.Floor/Tell";

/// A version check, the entry, the request id.
const SCRIPT: &str = "
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[2]) then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] + 1)
return 1";

/// The bytes that a move takes in the log of a game: 33 of format and digest, and the event.
pub(crate) const ENTRY_BYTES: usize = 84;

/// How many entries a log gets: about as many as a game has.
const GAME: u64 = 50;

/// How many messages a slow stream may be behind.
const BEHIND: usize = 64;

#[derive(Clone)]
struct Floor {
    redis: MultiplexedConnection,
    /// The name under which Redis knows the script.
    script: String,
    news: broadcast::Sender<Vec<u8>>,
}

/// Serves until the process is killed.
pub(crate) async fn serve(redis: &str, port_file: &Path) -> anyhow::Result<()> {
    let mut connection = redis::Client::open(redis)?.get_multiplexed_async_connection().await?;
    let script = redis::cmd("SCRIPT").arg("LOAD").arg(SCRIPT).query_async(&mut connection).await?;
    let floor = Floor { redis: connection, script, news: broadcast::channel(BEHIND).0 };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let part = port_file.with_extension("part");
    fs::write(&part, listener.local_addr()?.port().to_string())?;
    fs::rename(part, port_file)?;
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    Ok(Server::builder().add_service(floor).serve_with_incoming(incoming).await?)
}

impl NamedService for Floor {
    const NAME: &'static str = "floor.Floor";
}

type Answering = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

impl tower::Service<http::Request<Body>> for Floor {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Answering {
        let floor = self.clone();
        Box::pin(async move {
            let mut grpc = Grpc::new(ProstCodec::<Vec<u8>, Vec<u8>>::default());
            Ok(match request.uri().path() {
                ECHO => grpc.unary(service_fn(echo), request).await,
                COMMIT => grpc.unary(service_fn(|request| floor.clone().commit(request)), request).await,
                WATCH => {
                    grpc.server_streaming(service_fn(|request| floor.clone().watch(request)), request).await
                }
                _ => grpc.unary(service_fn(|request| floor.clone().tell(request)), request).await,
            })
        })
    }
}

type Answer = Result<Response<Vec<u8>>, Status>;

type News = Pin<Box<dyn Stream<Item = Result<Vec<u8>, Status>> + Send>>;

async fn echo(request: Request<Vec<u8>>) -> Answer {
    Ok(Response::new(request.into_inner()))
}

impl Floor {
    async fn commit(mut self, request: Request<Vec<u8>>) -> Answer {
        let bytes = request.into_inner();
        let change = Change::read(&bytes).ok_or_else(|| Status::invalid_argument("no change"))?;
        let (log, ids) = (format!("floor:{{{}}}:log", change.game), format!("floor:{{{}}}:ids", change.game));
        let mut command = redis::cmd("EVALSHA");
        command.arg(&self.script).arg(2).arg(log).arg(ids);
        command.arg(&change.request).arg(change.version).arg(change.entry);
        match command.query_async(&mut self.redis).await {
            Ok(1) => Ok(Response::new(bytes)),
            Ok(_) => Err(Status::aborted("another version")),
            Err(error) => Err(Status::unavailable(error.to_string())),
        }
    }

    async fn watch(self, _: Request<Vec<u8>>) -> Result<Response<News>, Status> {
        let news = BroadcastStream::new(self.news.subscribe());
        Ok(Response::new(Box::pin(news.map(|message| message.map_err(|_| Status::data_loss("too slow"))))))
    }

    async fn tell(self, request: Request<Vec<u8>>) -> Answer {
        // Without streams nobody is told.
        drop(self.news.send(request.into_inner()));
        Ok(Response::new(Vec::new()))
    }
}

/// What a bare call is to write.
struct Change<'a> {
    game: u64,
    version: u64,
    request: [u8; 16],
    entry: &'a [u8],
}

impl Change<'_> {
    fn write(&self) -> Vec<u8> {
        let (game, version) = (self.game.to_be_bytes(), self.version.to_be_bytes());
        [game.as_slice(), &version, &self.request, self.entry].concat()
    }

    fn read(bytes: &[u8]) -> Option<Change<'_>> {
        let (game, rest) = bytes.split_first_chunk()?;
        let (version, rest) = rest.split_first_chunk()?;
        let (request, entry) = rest.split_first_chunk()?;
        let (game, version) = (u64::from_be_bytes(*game), u64::from_be_bytes(*version));
        Some(Change { game, version, request: *request, entry })
    }
}

/// A caller of bare calls.
pub(crate) struct BareSeat {
    line: Line,
    path: &'static str,
    game: u64,
    version: u64,
}

impl BareSeat {
    pub(crate) fn new(line: Line, path: &'static str) -> BareSeat {
        BareSeat { line, path, game: fresh_game(), version: 0 }
    }
}

/// A number that no other game has had.
fn fresh_game() -> u64 {
    static GAMES: AtomicU64 = AtomicU64::new(0);
    GAMES.fetch_add(1, Ordering::Relaxed)
}

impl Caller for BareSeat {
    async fn prepare(&mut self) -> anyhow::Result<()> {
        if self.version == GAME {
            (self.game, self.version) = (fresh_game(), 0);
        }
        ensure!(self.version < GAME, "a log is too long");
        Ok(())
    }

    async fn call(&mut self) -> anyhow::Result<()> {
        let request = uuid::Uuid::now_v7().into_bytes();
        let entry = [self.version as u8; ENTRY_BYTES];
        let change = Change { game: self.game, version: self.version, request, entry: &entry };
        self.line.call(self.path, change.write()).await?;
        self.version += 1;
        Ok(())
    }
}
