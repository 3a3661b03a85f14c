use std::{sync::Arc, time::Duration};

use boardkeeper::{
    api::proto,
    game::Tenant,
    server::Config,
    store::{Redis, RedisSettings},
    watch::Hub,
};
use tokio::{task::block_in_place, time::sleep};
use tonic::Status;

use crate::{
    service::{
        house::House,
        portal::{Portal, request_id},
        reader::soon,
    },
    store::servers::{RedisServer, wait_until},
};

/// Two servers in this process that share a Redis of their own.
pub(super) struct Row {
    pub(super) houses: [House; 2],
    pub(super) redis: RedisServer,
}

impl Row {
    pub(super) async fn open() -> Row {
        let redis = RedisServer::durable();
        let url = redis.url();
        Row { houses: [house(&url).await, house(&url).await], redis }
    }

    /// A connection to each.
    pub(super) async fn portals(&self) -> [Portal; 2] {
        [self.houses[0].portal().await, self.houses[1].portal().await]
    }
}

/// Whose games all servers of these tests serve.
pub(super) fn tenant() -> Tenant {
    "club".parse().expect("a name of the right form")
}

/// A server in this process over this store.
pub(super) async fn house(url: &str) -> House {
    house_with(url, RedisSettings::default(), |_| ()).await
}

pub(super) async fn house_with(
    url: &str,
    settings: RedisSettings,
    change: impl FnOnce(&mut Config),
) -> House {
    let hub = Arc::new(Hub::default());
    let store = Redis::open(url, settings, hub.clone()).await.expect("the store opens");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let change = |config: &mut Config| {
        config.tenant = tenant();
        change(config);
    };
    House::over(dir, Arc::new(store), hub, change).await
}

/// The connections that listen to notifications.
pub(super) fn listeners(redis: &RedisServer) -> usize {
    let clients: String = redis.ask(&["CLIENT", "LIST", "TYPE", "pubsub"]);
    clients.lines().filter(|line| line.contains("sub=1")).count()
}

pub(super) fn wait_for_listeners(redis: &RedisServer, count: usize) {
    block_in_place(|| wait_until("the servers listen", || listeners(redis) == count));
}

/// Sends a move, the same request again and again, until it is answered.
pub(super) async fn insist(portal: &Portal, id: &str, version: u64, text: &str) -> proto::Game {
    let request = request_id();
    let insisting = async {
        loop {
            match portal.submit_as(id, version, text, &request).await {
                Ok(played) => return played.game.expect("a game"),
                Err(status) => assert_unavailable(&status),
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    soon(insisting).await
}

/// Asserts that a call may be sent again: it was not refused for good.
#[track_caller]
pub(super) fn assert_unavailable(status: &Status) {
    assert_eq!(status.code(), tonic::Code::Unavailable, "{status:?}");
}
