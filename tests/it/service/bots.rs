//! Bots over the API: bound to a version, shared, cancelled, and never in the way.

use std::time::{Duration, Instant};

use boardkeeper::{api::proto, bots::PoolSize};
use tonic::{Code, Request, Status};

use super::{
    busy::{Busy, one_thread, order, until_searching},
    house::{House, Process},
    portal::{assert_refused, assert_whole, metadata, request_id, retry_after},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b1_a_game_that_moves_on_ends_the_search() {
    let house = House::open_with(|config| config.pool = one_thread(64)).await;
    let portal = house.portal().await;
    let busy = Busy::keep(&portal, 5).await;
    let game = portal.create("quantum-control").await;
    let (of, id) = (portal.clone(), game.id.clone());
    let call = tokio::spawn(async move { of.bot(&id, 1, 5).await });
    let search = until_searching(&portal, &game.id).await.expect("it waits behind the others");
    assert_eq!((search.level, search.version), (5, 1));
    portal.submit(&game.id, 1, "e5").await.expect("legal");
    let refused = assert_refused(call.await.expect("no panic"), Code::Aborted, "BOT_SUPERSEDED");
    assert_eq!(metadata(&refused, "current_version"), "2");
    busy.release();
    let history = portal.history(&game.id).await;
    assert_whole(&history);
    assert_eq!(history.len(), 2);
}

/// The longest that a call may take, and what a busy machine may add to that.
const LONGEST: Duration = Duration::from_millis(2100 + 1000);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b3_every_accepted_call_ends_within_its_budget_however_many_there_are() {
    let house = House::open_with(|config| config.pool = PoolSize { threads: 1, ..PoolSize::default() }).await;
    let portal = house.portal().await;
    let mut calls = Vec::new();
    for _ in 0..40 {
        let (game, portal) = (portal.create("quantum-control").await, portal.clone());
        calls.push(tokio::spawn(async move {
            let asked = Instant::now();
            (portal.bot(&game.id, 1, 5).await, asked.elapsed())
        }));
    }
    let mut moved = 0;
    for call in calls {
        let (answer, took) = call.await.expect("no panic");
        match answer {
            Ok(answer) => {
                within_limits(answer.event.expect("an event"));
                assert!(took <= LONGEST, "{took:?}");
                moved += 1;
            }
            refused => {
                let status = assert_refused(refused, Code::ResourceExhausted, "SEARCH_SATURATED");
                assert!(retry_after(&status).is_some_and(|after| !after.is_zero()));
                assert!(took <= LONGEST, "{took:?}");
            }
        }
    }
    assert!(0 < moved && moved < 40, "{moved} of 40 moved: the test shows nothing");
}

/// The report of a bot's move keeps the limits of the strongest level.
fn within_limits(event: proto::Event) {
    let Some(proto::event::Kind::MovePlayed(played)) = event.kind else { panic!("{event:?}") };
    let report = played.bot.expect("a report");
    let elapsed = Duration::try_from(report.elapsed.expect("measured")).expect("positive");
    assert!(report.nodes <= 200_000 && report.depth <= 12, "{report:?}");
    assert!(elapsed <= Duration::from_secs(2) + Duration::from_millis(100), "{report:?}");
    assert_eq!(report.main_line.first(), played.r#move.map(|mv| mv.text).as_ref());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b8_a_killed_server_has_played_nothing_and_the_next_one_searches() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let process =
        Process::start(dir.path(), &["--search-threads", "1", "--search-patience-ms", "60000"]).await;
    let portal = process.portal().await;
    let busy = Busy::keep(&portal, 5).await;
    let game = portal.create("quantum-control").await;
    let (of, id) = (portal.clone(), game.id.clone());
    let call = tokio::spawn(async move { of.bot(&id, 1, 5).await });
    until_searching(&portal, &game.id).await.expect("it waits behind the others");
    process.kill();
    assert!(call.await.expect("no panic").is_err());
    busy.release();
    let process = Process::start(dir.path(), &[]).await;
    let portal = process.portal().await;
    assert_eq!(portal.get(&game.id).await.expect("kept"), game);
    let moved = portal.bot(&game.id, 1, 3).await.expect("moved").game.expect("a game");
    assert_eq!(moved.version, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b9_a_server_with_a_hundred_searches_stops_when_asked() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let process = Process::start(dir.path(), &["--search-threads", "100", "--search-queue", "128"]).await;
    let portal = process.portal().await;
    let busy = Busy::keep(&portal, 100).await;
    let started = Instant::now();
    assert_eq!(process.terminate().await, Some(0));
    // The grace time is ten seconds; all searches are told to stop at once.
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    for call in busy.calls {
        match call.await.expect("no panic") {
            Ok(_) => {}
            Err(status) => assert_eq!(status.code(), Code::Unavailable, "{status:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b11_equal_orders_for_one_version_make_one_search_and_one_move() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let mut calls = Vec::new();
    let requests: Vec<String> = (0..8).map(|_| request_id()).collect();
    for request in &requests {
        let (mut client, order) = (portal.client.clone(), order(&game.id, 1, request));
        calls.push(tokio::spawn(async move { client.request_bot_move(order).await }));
    }
    let mut events = Vec::new();
    for call in calls {
        let answer = call.await.expect("no panic").expect("moved").into_inner();
        assert_eq!(answer.game.expect("a game").version, 2);
        events.push(answer.event.expect("an event"));
    }
    // The report holds the time of the search in microseconds: equal reports are of one search.
    assert!(events.windows(2).all(|pair| pair[0] == pair[1]), "{events:?}");
    assert_eq!(portal.history(&game.id).await.len(), 2);
    // A caller whose answer was lost asks again, whichever call made the move.
    for request in &requests {
        let again = portal.client.clone().request_bot_move(order(&game.id, 1, request)).await;
        let again = again.expect("answered again").into_inner();
        assert!(again.replayed);
        assert_eq!(again.event.as_ref(), Some(&events[0]));
    }
    // Another bot's move for that version comes too late.
    assert_refused(portal.bot(&game.id, 1, 1).await, Code::Aborted, "VERSION_MISMATCH");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_refuses_at_once_and_says_when_to_come_back() {
    let house = House::open_with(|config| config.pool = one_thread(2)).await;
    let portal = house.portal().await;
    let mut refused = None;
    let mut calls = Vec::new();
    for _ in 0..64 {
        let game = portal.create("quantum-control").await;
        let portal = portal.clone();
        calls.push(tokio::spawn(async move { portal.bot(&game.id, 1, 5).await }));
    }
    for call in calls {
        if let Err(status) = call.await.expect("no panic") {
            refused = Some(status);
        }
    }
    let refused: Result<(), Status> = Err(refused.expect("64 calls at once do not fit"));
    let status = assert_refused(refused, Code::ResourceExhausted, "SEARCH_SATURATED");
    assert!(retry_after(&status).is_some_and(|after| !after.is_zero()));
}

#[tokio::test]
async fn a_deadline_that_cannot_be_met_is_refused_before_the_queue() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let mut request = Request::new(order(&game.id, 1, &request_id()));
    // Set by hand, so that this client itself does not give up first.
    request.metadata_mut().insert("grpc-timeout", "40m".parse().expect("ascii"));
    let refused = portal.client.clone().request_bot_move(request).await;
    assert_refused(refused, Code::DeadlineExceeded, "BUDGET_TOO_SMALL");
    assert_eq!(portal.get(&game.id).await.expect("kept").version, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadline_is_held_against_the_searches_that_wait() {
    let house = House::open_with(|config| config.pool = one_thread(64)).await;
    let portal = house.portal().await;
    let busy = Busy::keep(&portal, 5).await;
    let game = portal.create("quantum-control").await;
    let mut request = Request::new(order(&game.id, 1, &request_id()));
    request.metadata_mut().insert("grpc-timeout", "120m".parse().expect("ascii"));
    let refused = portal.client.clone().request_bot_move(request).await;
    let status = assert_refused(refused, Code::DeadlineExceeded, "BUDGET_TOO_SMALL");
    let wait: u64 = metadata(&status, "expected_wait_ms").parse().expect("a number");
    assert!(70 < wait, "{wait}");
    busy.release();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resignation_frees_the_threads_at_once() {
    let house = House::open_with(|config| config.pool = one_thread(64)).await;
    let portal = house.portal().await;
    let (game, other) = (portal.create("quantum-control").await, portal.create("quantum-control").await);
    let mut calls = Vec::new();
    for seed in 0..6 {
        // Another seed is another search.
        let asked = proto::RequestBotMoveRequest { seed, ..order(&game.id, 1, &request_id()) };
        let mut client = portal.client.clone();
        calls.push(tokio::spawn(async move { client.request_bot_move(asked).await }));
    }
    until_searching(&portal, &game.id).await.expect("six searches take a while");
    portal.resign(&game.id, 1, proto::Side::White).await.expect("it goes on");
    let resigned = Instant::now();
    portal.bot(&other.id, 1, 1).await.expect("a free thread");
    // Ten times what it needs; the six searches would need more.
    assert!(resigned.elapsed() < Duration::from_millis(500), "{:?}", resigned.elapsed());
    for call in calls {
        assert_refused(call.await.expect("no panic"), Code::Aborted, "BOT_SUPERSEDED");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_call_gives_its_place_up() {
    // One place more than is needed, for the search that hears of its end a moment later.
    let house = House::open_with(|config| config.pool = one_thread(2)).await;
    let portal = house.portal().await;
    for _ in 0..20 {
        let busy = Busy::keep(&portal, 2).await;
        let games = busy.games.clone();
        busy.release();
        // Both places come free again: the next round would be refused otherwise.
        for game in games {
            let started = Instant::now();
            while portal.get(&game.id).await.expect("kept").bot_search.is_some() {
                assert!(started.elapsed() < Duration::from_secs(30));
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }
    let game = portal.create("quantum-control").await;
    portal.bot(&game.id, 1, 2).await.expect("a free thread");
}

#[tokio::test]
async fn callers_may_ask_for_less_but_not_for_more() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let less = proto::SearchLimits { depth: 1, nodes: 100, time: None };
    let more = proto::SearchLimits { depth: 13, ..less };
    let mut asked = order(&game.id, 1, &request_id());
    asked.limits = Some(more);
    let refused = portal.client.clone().request_bot_move(asked.clone()).await;
    assert_refused(refused, Code::InvalidArgument, "INVALID_LIMITS");
    asked.limits = Some(less);
    let answer = portal.client.clone().request_bot_move(asked).await.expect("moved").into_inner();
    let Some(proto::event::Kind::MovePlayed(played)) = answer.event.expect("an event").kind else {
        panic!("no move");
    };
    assert!(played.bot.expect("a report").nodes <= 100);
}

#[tokio::test]
async fn a_bot_with_only_a_pass_passes() {
    let house = House::open().await;
    let portal = house.portal().await;
    let position = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. w c 0 w";
    let game = portal.create_from("quantum-control", position).await;
    let answer = portal.bot(&game.id, 1, 5).await.expect("moved");
    let Some(proto::event::Kind::MovePlayed(played)) = answer.event.expect("an event").kind else {
        panic!("no move");
    };
    assert_eq!(played.r#move.expect("a move").text, "pass");
    assert_eq!(played.bot.expect("a report").stop_reason(), proto::StopReason::OnlyMove);
}

#[tokio::test]
async fn the_same_seed_makes_the_same_move() {
    let house = House::open().await;
    let portal = house.portal().await;
    let mut texts = Vec::new();
    for _ in 0..3 {
        let game = portal.create("quantum-control").await;
        let mut asked = order(&game.id, 1, &request_id());
        (asked.level, asked.seed) = (2, 77);
        let answer = portal.client.clone().request_bot_move(asked).await.expect("moved").into_inner();
        texts.push(answer.game.expect("a game").position);
    }
    assert!(texts.windows(2).all(|pair| pair[0] == pair[1]), "{texts:?}");
}
