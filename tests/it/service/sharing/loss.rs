//! A failover of Redis has lost what was acknowledged last: everybody who had seen it is told.

use boardkeeper::api::proto::{self, Cursor, Game};
use tokio::task::block_in_place;
use tonic::{Code, Status};

use super::row::{assert_unavailable, house, insist};
use crate::{
    proxy::Proxy,
    service::{
        house::House,
        portal::{Portal, assert_refused, assert_whole, cursor, metadata, reason, request_id},
        reader::Reader,
        until::until,
        wander,
    },
    store::servers::{RedisServer, wait_until},
};

/// Two servers on a Redis that is to be replaced by its replica.
struct Failover {
    houses: [House; 2],
    /// How the servers reach Redis.
    wire: Proxy,
    master: RedisServer,
    replica: RedisServer,
}

impl Failover {
    async fn prepare() -> Failover {
        let (master, replica) = block_in_place(|| {
            let master = RedisServer::durable();
            let replica = RedisServer::replica_of(&master);
            (master, replica)
        });
        let wire = Proxy::to(&master.url()).await;
        let houses = [house(&wire.store()).await, house(&wire.store()).await];
        Failover { houses, wire, master, replica }
    }

    /// From now on nothing arrives at the replica.
    fn cut_off_replica(&self) {
        block_in_place(|| {
            wait_until("the replica has everything", || {
                self.master.info("master_repl_offset") == self.replica.info("slave_repl_offset")
            });
            self.replica.ask::<()>(&["REPLICAOF", "127.0.0.1", "1"]);
        });
    }

    /// The master dies, and the replica takes its place.
    fn take_over(&mut self) {
        block_in_place(|| {
            self.master.kill();
            self.replica.ask::<()>(&["REPLICAOF", "NO", "ONE"]);
        });
        self.wire.lead_to(&self.replica.url());
        self.wire.cut();
    }
}

/// Asserts that a reader's stream ends with the news of the loss, whatever it is told before that.
async fn assert_told(mut reader: Reader, last: u64) {
    loop {
        let status = reader.failure().await;
        assert_eq!(reader.after.as_ref().map(|after| after.version), Some(last), "what replaced it was sent");
        if status.code() == Code::DataLoss {
            return assert_eq!(reason(&status), "HISTORY_DIVERGED");
        }
        assert_unavailable(&status);
    }
}

/// A move by a caller that says what it has seen.
async fn submit_on(portal: &Portal, game: &Game, text: &str) -> Result<proto::SubmitMoveResponse, Status> {
    let request = proto::SubmitMoveRequest {
        game_id: game.id.clone(),
        expected_version: game.version,
        expected_digest: game.digest.clone(),
        request_id: request_id(),
        r#move: Some(proto::submit_move_request::Move::Text(text.to_owned())),
        ..Default::default()
    };
    Ok(portal.client.clone().submit_move(request).await?.into_inner())
}

/// Asserts that whoever has seen the lost end of a game is told of the loss, and of where it ends now.
async fn assert_lost(portal: &Portal, lost: &Game, now: &Game) {
    let reader = Reader::after(portal, &lost.id, Some(cursor(lost))).frame().await;
    let status = assert_refused(reader, Code::DataLoss, "HISTORY_DIVERGED");
    assert_eq!(metadata(&status, "current_version"), now.version.to_string());
    let page = proto::ListGameEventsRequest {
        game_id: lost.id.clone(),
        after: Some(cursor(lost)),
        ..Default::default()
    };
    let page = portal.client.clone().list_game_events(page).await;
    assert_refused(page, Code::DataLoss, "HISTORY_DIVERGED");
    let text = wander::step(lost.version);
    if lost.version < now.version {
        let status = assert_refused(submit_on(portal, lost, &text).await, Code::Aborted, "VERSION_MISMATCH");
        assert_eq!(metadata(&status, "current_version"), now.version.to_string());
    } else {
        let status = assert_refused(submit_on(portal, lost, &text).await, Code::DataLoss, "HISTORY_DIVERGED");
        assert_eq!(metadata(&status, "current_version"), now.version.to_string());
    }
}

/// Makes the versions again that were lost of a game.
async fn play_again(portal: &Portal, kept: &Game, lost: &Game) -> Game {
    let mut again = kept.clone();
    while again.version < lost.version {
        again = insist(portal, &again.id, again.version, &wander::step(again.version)).await;
    }
    assert_ne!(again.digest, lost.digest);
    again
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_failover_has_lost_is_told_to_all_who_had_seen_it() {
    let mut failover = Failover::prepare().await;
    let portals = [failover.houses[0].portal().await, failover.houses[1].portal().await];
    let kept = wander::begin_after(&portals[0], 4).await;
    let kept = wander::go_on(&portals[1], &kept.id, kept.version).await;
    failover.cut_off_replica();
    let lost = wander::go_to(&portals[0], &kept, kept.version + 3).await;
    let mut live = Vec::new();
    for portal in &portals {
        let mut reader = Reader::after(portal, &kept.id, Some(Cursor::default()));
        reader.read_to(lost.version).await;
        live.push(reader);
    }
    failover.take_over();
    until("the replica is in use", async || portals[0].get(&kept.id).await.is_ok()).await;
    for portal in &portals {
        assert_eq!(portal.get(&kept.id).await.expect("it is there"), kept);
        assert_lost(portal, &lost, &kept).await;
        // Even one who says no more than the version.
        let ahead = portal.submit(&kept.id, lost.version, &wander::step(lost.version)).await;
        assert_refused(ahead, Code::DataLoss, "HISTORY_DIVERGED");
    }
    for reader in live {
        assert_told(reader, lost.version).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_version_is_given_twice_without_a_word() {
    let mut failover = Failover::prepare().await;
    let portals = [failover.houses[0].portal().await, failover.houses[1].portal().await];
    let kept = wander::begin_after(&portals[0], 4).await;
    let unwatched_kept = wander::begin_after(&portals[0], 4).await;
    failover.cut_off_replica();
    let lost = wander::go_to(&portals[0], &kept, kept.version + 3).await;
    // Nobody watches this one: one server has its lost end in memory, and does not look.
    let unwatched = wander::go_to(&portals[0], &unwatched_kept, lost.version).await;
    let mut live = Vec::new();
    for portal in &portals {
        let mut reader = Reader::after(portal, &kept.id, Some(cursor(&kept)));
        reader.read_to(lost.version).await;
        live.push(reader);
    }
    failover.take_over();
    // The same versions are made again before anybody has looked.
    let again = play_again(&portals[1], &kept, &lost).await;
    let unwatched_again = play_again(&portals[1], &unwatched_kept, &unwatched).await;
    let refused = submit_on(&portals[0], &unwatched, &wander::step(lost.version)).await;
    assert_refused(refused, Code::DataLoss, "HISTORY_DIVERGED");
    assert_lost(&portals[0], &unwatched, &unwatched_again).await;
    for portal in &portals {
        assert_lost(portal, &lost, &again).await;
    }
    let next = submit_on(&portals[0], &again, &wander::step(again.version)).await.expect("the true end");
    let next = next.game.expect("a game");
    for portal in &portals {
        assert_lost(portal, &lost, &next).await;
        let history = portal.history(&kept.id).await;
        assert_whole(&history);
        assert_eq!(history[kept.version as usize - 1].digest, kept.digest);
        assert_eq!(history.last().map(|event| &event.digest), Some(&next.digest));
    }
    for reader in live {
        assert_told(reader, lost.version).await;
    }
}
