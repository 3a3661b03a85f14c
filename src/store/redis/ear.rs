use std::{convert::Infallible, sync::Arc, time::Duration};

use redis::{AsyncConnectionConfig, PushInfo, PushKind, RedisResult, Value, cmd};
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};
use tracing::debug;

use super::{address::Address, key, links::Links};
use crate::store::Bell;

/// Hears which games other servers have changed, on one connection however many they are.
///
/// What is heard is a wake-up. In a cluster it is published to all nodes, so that any of them will do
/// to listen to: shard channels would take a connection to every master, for messages of a hundred
/// bytes. A channel a game would take a subscription for every watcher that comes and goes.
pub(super) struct Ear(JoinHandle<()>);

/// How often the connection is tried: one that has gone dead says nothing.
const TRY: Duration = Duration::from_secs(2);

/// Before listening again after a failure.
const PAUSE: Duration = Duration::from_millis(100);

impl Ear {
    /// Rings for what is heard, until this is dropped. Messages that begin with `sender` are this
    /// server's own, which it need not be told.
    pub(super) fn listen(links: Arc<Links>, bell: Arc<dyn Bell>, sender: [u8; 8]) -> Ear {
        Ear(tokio::spawn(async move {
            // Servers spread over the nodes of a cluster; after a failure, the next node.
            let mut turn = usize::from(sender[7]);
            loop {
                let began = Instant::now();
                let Err(error) = attend(&links, turn, &bell, sender).await;
                debug!("notifications broke off: {error}");
                turn = turn.wrapping_add(1);
                sleep(PAUSE).await;
                // If nobody can tell who keeps what now, those who were known are tried again.
                drop(links.survey(began, None).await);
            }
        }))
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Listens to one node for as long as that works.
async fn attend(
    links: &Links,
    turn: usize,
    bell: &Arc<dyn Bell>,
    sender: [u8; 8],
) -> RedisResult<Infallible> {
    let masters = links.masters().await?;
    let address: &Address = &masters[turn % masters.len()];
    let bell = bell.clone();
    let hear = move |push: PushInfo| {
        hear(&push, &*bell, sender);
        Ok::<(), Infallible>(())
    };
    let patience = links.patience().answer;
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(patience))
        .set_response_timeout(Some(patience))
        .set_push_sender(hear);
    let client = links.client(links.target().server(address))?;
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    connection.subscribe(key::bell(links.target().database())).await?;
    loop {
        sleep(TRY).await;
        cmd("PING").exec_async(&mut connection).await?;
    }
}

fn hear(push: &PushInfo, bell: &dyn Bell, sender: [u8; 8]) {
    let PushKind::Message = push.kind else { return };
    let Some(Value::BulkString(message)) = push.data.last() else { return };
    if let Some((from, game)) = message.split_first_chunk()
        && *from != sender
        && let Some(game) = std::str::from_utf8(game).ok().and_then(key::read_game)
    {
        bell.ring(&game);
    }
}
