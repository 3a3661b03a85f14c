use std::{
    array,
    sync::Arc,
    time::{Duration, Instant},
};

use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, Pipeline, RedisError, RedisResult, Value,
    aio::MultiplexedConnection,
};
use tokio::{net::TcpStream, sync::Mutex};
use tokio_util::task::AbortOnDropHandle;

use super::{ask::within, slot::Slot};
use crate::gather::Gathered;

/// One server, and the connections to it: commands of many callers share one.
pub(super) struct Node {
    client: Client,
    config: AsyncConnectionConfig,
    patience: Duration,
    shared: Mutex<Held>,
    waiting: [Mutex<Held>; WAITING],
}

/// Which connection to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lane {
    Shared,
    /// One of those on which commands wait for replicas, and hold up those behind them.
    Waiting(usize),
}

const WAITING: usize = 8;

impl Lane {
    pub(super) fn waiting(slot: Slot) -> Lane {
        Lane::Waiting(slot.among(WAITING))
    }
}

/// The connection in use, if there is one.
#[derive(Default)]
struct Held {
    line: Option<Line>,
    /// How many have been opened.
    opened: u64,
    /// Why the last attempt to open one failed, and when.
    failed: Option<(Instant, RedisError)>,
}

/// An open connection.
#[derive(Clone)]
pub(super) struct Line {
    connection: MultiplexedConnection,
    /// What reads and writes it; cut off when nobody has the line any more, answered or not.
    _driver: Option<Arc<AbortOnDropHandle<()>>>,
    number: u64,
}

/// How long nobody tries to connect again after a failure: attempts wait for each other.
const REST: Duration = Duration::from_millis(50);

/// How many questions wait to be written to a connection before their callers do.
const BUFFER: usize = 1_024;

impl Node {
    /// A server that is given `patience` to accept a connection.
    pub(super) fn new(client: Client, patience: Duration) -> Node {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(patience))
            // Who asks sets the time for an answer: one clock a question is enough.
            .set_response_timeout(None)
            .set_pipeline_buffer_size(BUFFER);
        Node {
            client,
            config,
            patience,
            shared: Mutex::default(),
            waiting: array::from_fn(|_| Mutex::default()),
        }
    }

    /// The connection in use, or a new one.
    pub(super) async fn line(&self, lane: Lane) -> RedisResult<Line> {
        let mut held = self.held(lane).lock().await;
        if let Some(line) = &held.line {
            return Ok(line.clone());
        }
        if let Some((at, error)) = &held.failed
            && at.elapsed() < REST
        {
            return Err(error.clone());
        }
        match self.connect().await {
            Ok((connection, driver)) => {
                let line = Line { connection, _driver: driver.map(Arc::new), number: held.opened };
                *held = Held { line: Some(line.clone()), opened: held.opened + 1, failed: None };
                Ok(line)
            }
            Err(error) => {
                held.failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    async fn connect(&self) -> RedisResult<(MultiplexedConnection, Option<AbortOnDropHandle<()>>)> {
        let info = self.client.get_connection_info();
        let ConnectionAddr::Tcp(host, port) = info.addr() else {
            let connecting = self.client.get_multiplexed_async_connection_with_config(&self.config);
            return Ok((connecting.await?, None));
        };
        let connecting = async {
            let stream = TcpStream::connect((host.as_str(), *port)).await?;
            stream.set_nodelay(true)?;
            let (settings, config) = (info.redis_settings(), self.config.clone());
            MultiplexedConnection::new_with_config(settings, Gathered::new(stream), config).await
        };
        let deadline = tokio::time::Instant::now() + self.patience;
        let (connection, driver) = within(deadline, connecting).await?;
        Ok((connection, Some(AbortOnDropHandle::new(tokio::spawn(driver)))))
    }

    /// Sees to it that nobody is given this line any more. Who waits for an answer on it goes on
    /// waiting.
    pub(super) async fn give_up(&self, lane: Lane, line: &Line) {
        let mut held = self.held(lane).lock().await;
        if held.line.as_ref().is_some_and(|held| held.number == line.number) {
            held.line = None;
        }
    }

    fn held(&self, lane: Lane) -> &Mutex<Held> {
        match lane {
            Lane::Shared => &self.shared,
            Lane::Waiting(number) => &self.waiting[number % WAITING],
        }
    }
}

impl Line {
    /// The answers to some commands in a row, asked in one go; errors of the server are among them.
    pub(super) async fn ask(&mut self, commands: &Pipeline) -> RedisResult<Vec<Value>> {
        self.connection.send_packed_commands(commands, 0, commands.len()).await
    }
}
