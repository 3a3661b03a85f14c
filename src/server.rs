//! Floor 6: one server: a store, a ledger, a pool of searchers, and the gRPC service over them.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use tokio::{net::TcpListener, time::timeout};
use tokio_stream::StreamExt;
use tokio_util::sync::CancellationToken;
use tonic::{
    Status,
    transport::server::{Connected, TcpConnectInfo, TcpIncoming},
};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    api::{Reason, Refusal, Service, proto, proto::game_service_server::GameServiceServer},
    bots::{Desk, Pool, PoolSize},
    game::Tenant,
    gather::Gathered,
    ledger::{Ledger, system_clock},
    store::{Home, Store},
    watch::{Hub, Pace},
};

/// What a server is made of. Every number is a bound.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whose games all callers' are.
    pub tenant: Tenant,
    pub pool: PoolSize,
    /// Games kept in memory.
    pub games_in_memory: usize,
    /// Calls and streams at once on one connection.
    pub streams_per_connection: u32,
    /// Streams at once in all.
    pub streams: usize,
    /// The silence after which a stream sends a heartbeat.
    pub heartbeat: Duration,
    /// How long a reader of a stream may leave a frame untaken.
    pub patience: Duration,
    /// The greatest age of a stream.
    pub stream_age: Duration,
    /// The most games that one stream watches.
    pub games_per_stream: usize,
    /// How long a stopping server waits for calls under way.
    pub grace: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            tenant: "default".parse().expect("a name of the right form"),
            pool: PoolSize::default(),
            games_in_memory: 4096,
            streams_per_connection: 4096,
            streams: 20_000,
            heartbeat: Duration::from_secs(15),
            patience: Duration::from_secs(10),
            stream_age: Duration::from_secs(3600),
            games_per_stream: 100_000,
            grace: Duration::from_secs(10),
        }
    }
}

/// A server that is ready to serve.
pub struct Server {
    config: Config,
    service: Service,
    desk: Arc<Desk>,
    drain: CancellationToken,
}

/// How often logs are looked at without being rung for.
const LOOK_ANYWAY: Duration = Duration::from_secs(5);

/// The largest request, in bytes: the largest record and room for what goes with it.
const LARGEST_REQUEST: usize = (1 << 20) + (64 << 10);

/// The largest answer, in bytes: a thousand events of the busiest game fit.
const LARGEST_ANSWER: usize = 16 << 20;

/// Pings on a silent connection, so that one whose other end has vanished is given up.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(10));

impl Server {
    /// Opens the store and starts the searchers.
    ///
    /// # Errors
    /// The store cannot be opened.
    pub async fn open(home: &Home, config: Config) -> anyhow::Result<Server> {
        let hub = Arc::new(Hub::default());
        let store = home.open(hub.clone()).await?;
        Ok(Server::over(config, store, hub))
    }

    /// Starts the searchers over a store that is open, and that rings `hub` for games that grow.
    pub fn over(config: Config, store: Arc<dyn Store>, hub: Arc<Hub>) -> Server {
        let ledger = Arc::new(Ledger::new(store, hub, config.games_in_memory, system_clock()));
        let desk = Arc::new(Desk::new(ledger.clone(), Pool::start(config.pool)));
        let drain = CancellationToken::new();
        let pace = Pace {
            heartbeat: config.heartbeat,
            patience: config.patience,
            look_anyway: LOOK_ANYWAY,
            greatest_age: config.stream_age,
            most_games: config.games_per_stream,
            drain: drain.clone(),
        };
        let service = Service::new(config.tenant.clone(), ledger, desk.clone(), pace, config.streams);
        Server { config, service, desk, drain }
    }

    /// Serves until `shutdown`, then ends streams and searches, and waits for calls under way, but
    /// no longer than the grace time.
    ///
    /// # Errors
    /// The listener fails.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> anyhow::Result<()> {
        let (health, health_service) = tonic_health::server::health_reporter();
        health.set_serving::<GameServiceServer<Service>>().await;
        let stopping = CancellationToken::new();
        let stopped = stopping.clone();
        let router = tonic::transport::Server::builder()
            .http2_keepalive_interval(Some(KEEPALIVE.0))
            .http2_keepalive_timeout(Some(KEEPALIVE.1))
            .max_concurrent_streams(Some(self.config.streams_per_connection))
            .layer(CatchPanicLayer::custom(panicked))
            .add_service(health_service)
            .add_service(reflection_v1()?)
            .add_service(reflection_v1alpha()?)
            .add_service(
                GameServiceServer::new(self.service.clone())
                    .max_decoding_message_size(LARGEST_REQUEST)
                    .max_encoding_message_size(LARGEST_ANSWER),
            );
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let incoming = incoming.map(|accepted| accepted.map(Gathered::new));
        let serving = router.serve_with_incoming_shutdown(incoming, async move { stopped.cancelled().await });
        let mut serving = tokio::spawn(serving);
        tokio::select! {
            served = &mut serving => return served.context("the server's task failed")?.context("serving"),
            () = shutdown => {}
        }
        tracing::info!("stopping: streams are told where to resume, calls under way are finished");
        stopping.cancel();
        self.drain.cancel();
        self.desk.pool().close();
        // An open health watch would hold the server for ever.
        health.set_not_serving::<GameServiceServer<Service>>().await;
        let mut health = health;
        for service in ["", <GameServiceServer<Service> as tonic::server::NamedService>::NAME] {
            health.clear_service_status(service).await;
        }
        drop(health);
        match timeout(self.config.grace, &mut serving).await {
            Ok(served) => served.context("the server's task failed")?.context("serving"),
            Err(_) => {
                tracing::warn!("some connections did not end within the grace time and were cut");
                serving.abort();
                Ok(())
            }
        }
    }
}

impl Connected for Gathered {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream().connect_info()
    }
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> tonic::codegen::http::Response<tonic::body::Body> {
    let refusal = Refusal::new(Reason::Internal, "the server failed on this call");
    Status::from(refusal).into_http()
}

fn reflection_v1() -> anyhow::Result<
    tonic_reflection::server::v1::ServerReflectionServer<impl tonic_reflection::server::v1::ServerReflection>,
> {
    Ok(reflection().build_v1()?)
}

/// For clients that know only the older protocol, such as older releases of grpcurl.
fn reflection_v1alpha() -> anyhow::Result<
    tonic_reflection::server::v1alpha::ServerReflectionServer<
        impl tonic_reflection::server::v1alpha::ServerReflection,
    >,
> {
    Ok(reflection().build_v1alpha()?)
}

fn reflection<'a>() -> tonic_reflection::server::Builder<'a> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(proto::DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}
