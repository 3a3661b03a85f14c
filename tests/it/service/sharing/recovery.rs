//! Redis fails, in each of the ways in which it does; servers say so in time, and go on by themselves.

use std::{pin::Pin, time::Duration};

use boardkeeper::api::proto::{self, Game};
use tokio::{
    task::{JoinSet, block_in_place},
    time::{Instant, sleep},
};
use tonic::{Code, Request, Status};

use super::row::{Row, assert_unavailable, house, insist};
use crate::{
    proxy::Proxy,
    service::{
        change::Change,
        portal::{Portal, assert_whole, reason, request_id, retry_after},
        reader::{Reader, soon},
        until::until,
        wander,
    },
    store::servers::RedisCluster,
};

/// A call under way: its name, how it ended, and after what time.
type Call = Pin<Box<dyn Future<Output = (&'static str, Result<(), Status>, Duration)> + Send>>;

/// The deadline of calls that have one.
const DEADLINE: Duration = Duration::from_secs(2);

/// Longer than any call without a deadline takes, even on a busy machine.
const BOUND: Duration = Duration::from_secs(40);

/// One of each call that needs the store.
fn each_call(portal: &Portal, game: &Game, deadline: Option<Duration>) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    macro_rules! call {
        ($method:ident, $message:expr) => {{
            let mut client = portal.client.clone();
            let mut request = Request::new($message);
            if let Some(deadline) = deadline {
                request.set_timeout(deadline);
            }
            calls.push(Box::pin(async move {
                let began = Instant::now();
                let answer = client.$method(request).await.map(drop);
                (stringify!($method), answer, began.elapsed())
            }));
        }};
    }
    let game_id = || game.id.clone();
    call!(get_game, proto::GetGameRequest { game_id: game_id(), version: 0 });
    call!(batch_get_games, proto::BatchGetGamesRequest { game_ids: vec![game_id()] });
    call!(list_games, proto::ListGamesRequest::default());
    call!(list_legal_moves, proto::ListLegalMovesRequest { game_id: game_id(), ..Default::default() });
    call!(list_game_events, proto::ListGameEventsRequest { game_id: game_id(), ..Default::default() });
    call!(export_game, proto::ExportGameRequest { game_id: game_id(), ..Default::default() });
    let record = r#"{"format":"boardkeeper-game/1","game_type":"quantum-control","moves":["e5"]}"#;
    let begun = [Change::create(&request_id()), Change::import(&request_id(), record)];
    let text = wander::step(game.version);
    for change in Change::each(&game.id, game.version, &text).into_iter().chain(begun) {
        match change {
            Change::Create(message) => call!(create_game, message),
            Change::Submit(message) => call!(submit_move, message),
            Change::Pass(_) => (), // never legal in this game
            Change::Resign(message) => call!(resign, message),
            Change::End(message) => call!(end_game, message),
            Change::Bot(message) => call!(request_bot_move, message),
            Change::BotStream(message) => call!(stream_bot_move, message),
            Change::Import(message) => call!(import_game, message),
        }
    }
    calls
}

/// Makes all calls at once; those that were not refused as they should be, with the reason.
async fn wrongly_answered(calls: Vec<Call>, most: Duration) -> Vec<String> {
    let answers = calls.into_iter().collect::<JoinSet<_>>().join_all().await;
    let wrong = answers.into_iter().filter_map(|(name, answer, took)| {
        let Err(status) = answer else { return Some(format!("{name} was answered")) };
        let told = status.code() == Code::Unavailable
            && !status.details().is_empty()
            && ["STORE_UNAVAILABLE", "COMMIT_UNKNOWN"].contains(&reason(&status).as_str())
            && retry_after(&status).is_some();
        (!told || most < took).then(|| format!("{name} after {took:?}: {status:?}"))
    });
    wrong.collect()
}

/// Asserts that every call is refused in time, and says that the store is at fault.
async fn assert_refused_in_time(portal: &Portal, game: &Game) {
    let unhurried = tokio::spawn(wrongly_answered(each_call(portal, game, None), BOUND));
    let mut wrong = Vec::new();
    // A busy machine may need longer for a call than is left of its deadline.
    for _ in 0..3 {
        wrong = wrongly_answered(each_call(portal, game, Some(DEADLINE)), DEADLINE).await;
        if wrong.is_empty() {
            break;
        }
    }
    assert!(wrong.is_empty(), "with a deadline: {wrong:#?}");
    let wrong = unhurried.await.expect("no panic");
    assert!(wrong.is_empty(), "without a deadline: {wrong:#?}");
}

/// Asserts that both servers take moves again, soon, and that nothing has happened meanwhile that
/// nobody was told of.
async fn assert_recovered(portals: &[Portal; 2], game: &Game) {
    let began = Instant::now();
    let game = insist(&portals[0], &game.id, game.version, &wander::step(game.version)).await;
    let game = insist(&portals[1], &game.id, game.version, &wander::step(game.version)).await;
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let history = portals[0].history(&game.id).await;
    assert_whole(&history);
    assert_eq!(history.len() as u64, game.version);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_redis_is_down_every_call_says_so_in_time() {
    let mut row = Row::open().await;
    let portals = row.portals().await;
    let game = wander::begin_after(&portals[0], 5).await;
    let mut reader = Reader::of_snapshot(&portals[1], &game.id);
    reader.snapshot().await;
    block_in_place(|| row.redis.kill());
    // One server has the game at hand, the other has not.
    tokio::join!(
        assert_refused_in_time(&portals[0], &game),
        assert_refused_in_time(&portals[1], &game),
        async { assert_eq!(reason(&reader.failure().await), "STORE_UNAVAILABLE") },
    );
    block_in_place(|| row.redis.run());
    assert_recovered(&portals, &game).await;
    reader.read_to(game.version + 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_redis_hangs_every_call_says_so_in_time() {
    let row = Row::open().await;
    let portals = row.portals().await;
    let game = wander::begin_after(&portals[0], 5).await;
    row.redis.signal("STOP");
    tokio::join!(assert_refused_in_time(&portals[0], &game), assert_refused_in_time(&portals[1], &game));
    row.redis.signal("CONT");
    // What comes on a new connection is answered after what has waited on the old ones.
    row.redis.ask::<String>(&["PING"]);
    // What Redis was asked while it hung happens now, of which nobody had been told that it would not.
    let now = settled(&portals[0], &game).await;
    if now.status() == proto::GameStatus::Running {
        assert_recovered(&portals, &now).await;
    }
    let fresh = wander::begin(&portals[1]).await;
    assert_recovered(&portals, &fresh).await;
}

/// The game once Redis has done what it was asked while it hung.
async fn settled(portal: &Portal, game: &Game) -> Game {
    let mut now = None;
    until("Redis answers", async || {
        now = portal.get(&game.id).await.ok();
        now.is_some()
    })
    .await;
    let now = now.expect("a game");
    assert!(now.version <= game.version + 1, "of several requests for one version one at most happens");
    now
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgotten_scripts_are_noticed_by_nobody() {
    let row = Row::open().await;
    let portals = row.portals().await;
    let mut game = wander::begin(&portals[0]).await;
    for round in 0..10 {
        row.redis.ask::<()>(&["SCRIPT", "FLUSH"]);
        game = wander::go_on(&portals[round % 2], &game.id, game.version).await;
        row.redis.ask::<()>(&["SCRIPT", "FLUSH"]);
        assert_eq!(portals[(round + 1) % 2].get(&game.id).await.expect("it is there"), game);
    }
    row.redis.ask::<()>(&["SCRIPT", "FLUSH"]);
    wander::begin(&portals[0]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_killed_under_load_lose_and_double_nothing() {
    let row = Row::open().await;
    let mut players = JoinSet::new();
    for number in 0..6 {
        let portals = row.portals().await;
        players.spawn(async move {
            let mut game = wander::begin(&portals[0]).await;
            while game.version < 60 {
                let portal = &portals[(game.version as usize + number) % 2];
                game = insist(portal, &game.id, game.version, &wander::step(game.version)).await;
            }
            game
        });
    }
    let mut games = Vec::new();
    while games.len() < 6 {
        for kind in ["normal", "pubsub"] {
            row.redis.ask::<u32>(&["CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes"]);
        }
        sleep(Duration::from_millis(7)).await;
        games.extend(players.try_join_next().map(|game| game.expect("no panic")));
    }
    let portal = row.houses[1].portal().await;
    for game in games {
        let history = portal.history(&game.id).await;
        assert_whole(&history);
        assert_eq!((history.len(), &history[59].digest), (60, &game.digest));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r2_a_cluster_that_replaces_a_master_is_followed_without_a_restart() {
    let mut cluster = block_in_place(|| RedisCluster::start(true));
    let houses = [house(&cluster.url()).await, house(&cluster.url()).await];
    let portals = [houses[0].portal().await, houses[1].portal().await];
    let mut games = Vec::new();
    for _ in 0..12 {
        games.push(wander::begin_after(&portals[0], 3).await);
    }
    block_in_place(|| {
        for (master, replica) in cluster.masters.iter().zip(&cluster.replicas) {
            crate::store::servers::wait_until("the replica has everything", || {
                master.info("master_repl_offset") == replica.info("slave_repl_offset")
            });
        }
        cluster.masters[0].kill();
    });
    for game in games {
        let after = insist(&portals[0], &game.id, game.version, &wander::step(game.version)).await;
        let after = insist(&portals[1], &game.id, after.version, &wander::step(after.version)).await;
        let history = portals[0].history(&game.id).await;
        assert_whole(&history);
        assert_eq!(history.len() as u64, after.version);
        assert_eq!(history[game.version as usize - 1].digest, game.digest);
    }
}

/// The script has run, and its answer never comes: the server finds out by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c8_c10_an_answer_of_redis_that_is_lost_is_asked_for_again() {
    let row = Row::open().await;
    let wire = Proxy::to(&row.redis.url()).await;
    let cut_off = house(&wire.store()).await;
    let (portal, direct) = (cut_off.portal().await, row.houses[0].portal().await);
    let mut game = wander::begin_after(&portal, 2).await;
    for _ in 0..5 {
        game = wander::go_on(&portal, &game.id, game.version).await;
        let (request, version) = (request_id(), game.version);
        wire.swallow_replies();
        let (through, id, sent) = (portal.clone(), game.id.clone(), request.clone());
        let call =
            tokio::spawn(async move { through.submit_as(&id, version, &wander::step(version), &sent).await });
        until("the move is in the store", async || {
            version < direct.get(&game.id).await.expect("it is there").version
        })
        .await;
        wire.cut();
        let played = soon(call).await.expect("no panic").expect("it is known by now");
        assert!(played.replayed, "the second attempt finds the first");
        game = played.game.expect("a game");
        assert_eq!(game.version, version + 1);
        let history = direct.history(&game.id).await;
        assert_whole(&history);
        assert_eq!(history.iter().filter(|event| event.request_id == request).count(), 1);
    }
}

/// Nothing of Redis arrives for longer than the server waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c8_a_change_that_stays_unknown_is_answered_when_it_is_sent_again() {
    let row = Row::open().await;
    let wire = Proxy::to(&row.redis.url()).await;
    let cut_off = house(&wire.store()).await;
    let (portal, direct) = (cut_off.portal().await, row.houses[0].portal().await);
    let game = wander::begin_after(&portal, 2).await;
    let game = wander::go_on(&portal, &game.id, game.version).await;
    let request = request_id();
    wire.swallow_replies();
    let send = |portal: &Portal| {
        let (portal, id, request) = (portal.clone(), game.id.clone(), request.clone());
        async move { portal.submit_as(&id, game.version, &wander::step(game.version), &request).await }
    };
    let status = soon(send(&portal)).await.expect_err("nobody knows");
    assert_unavailable(&status);
    assert_eq!(reason(&status), "COMMIT_UNKNOWN");
    wire.cut();
    for portal in [&portal, &direct] {
        let played = send(portal).await.expect("it has happened");
        assert!(played.replayed);
    }
    assert_eq!(direct.history(&game.id).await.len() as u64, game.version + 1);
}
