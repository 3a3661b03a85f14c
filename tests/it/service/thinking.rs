//! Bots that think aloud: what is told while they search, and that the call is the same otherwise.

use std::time::Duration;

use boardkeeper::api::proto::{self, stream_bot_move_response::Frame};
use tokio::time::Instant;
use tonic::{Code, Request, Status, Streaming};

use super::{
    busy::{Busy, one_thread, until_searching},
    house::{House, narrow},
    portal::{Portal, assert_refused, metadata, reason, request_id},
    reader::{failure, next},
    until::until,
};

/// An order of the strongest bot for a game at version 1.
fn order(id: &str) -> proto::StreamBotMoveRequest {
    proto::StreamBotMoveRequest {
        game_id: id.to_owned(),
        expected_version: 1,
        request_id: request_id(),
        level: 5,
        ..Default::default()
    }
}

async fn stream(
    portal: &Portal,
    order: proto::StreamBotMoveRequest,
) -> Result<Streaming<proto::StreamBotMoveResponse>, Status> {
    Ok(portal.client.clone().stream_bot_move(order).await?.into_inner())
}

/// All that a stream that ends with OK tells.
#[derive(Debug, Default)]
struct Told {
    places: Vec<u32>,
    thoughts: Vec<proto::BotThought>,
    moved: Option<proto::BotMoved>,
}

async fn told(frames: &mut Streaming<proto::StreamBotMoveResponse>) -> Told {
    let mut told = Told::default();
    while let Some(frame) = next(frames).await.expect("it ends with OK") {
        assert!(told.moved.is_none(), "a frame after the last one: {frame:?}");
        match frame.frame.expect("a frame is something") {
            Frame::Waiting(waiting) => {
                assert!(told.thoughts.is_empty(), "it waits again: {told:?}");
                told.places.push(waiting.searches_ahead);
            }
            Frame::Thought(thought) => told.thoughts.push(thought),
            Frame::Moved(moved) => told.moved = Some(moved),
        }
    }
    told
}

/// The report in the event of a bot's move.
fn report(moved: &proto::BotMoved) -> proto::BotReport {
    match moved.event.clone().and_then(|event| event.kind) {
        Some(proto::event::Kind::MovePlayed(played)) => played.bot.expect("a report"),
        other => panic!("expected a move, not {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn depths_are_told_as_they_come_and_the_move_at_the_end() {
    let house = House::open().await;
    let portal = house.portal().await;
    for game_type in ["quantum-control", "surakarta", "quantum", "kvantumsakk"] {
        let game = portal.create(game_type).await;
        let mut frames = stream(&portal, order(&game.id)).await.expect("it begins");
        let Told { thoughts, moved, .. } = told(&mut frames).await;
        let moved = moved.expect("the last frame is the move");
        let report = report(&moved);
        assert!(!thoughts.is_empty());
        for pair in thoughts.windows(2) {
            assert!(pair[0].depth < pair[1].depth && pair[0].nodes < pair[1].nodes, "{thoughts:?}");
        }
        for thought in &thoughts {
            assert!(!thought.main_line.is_empty() && thought.score.is_some(), "{thought:?}");
            assert!(thought.depth <= report.depth && thought.nodes <= report.nodes, "{thought:?}");
        }
        assert!(!moved.replayed);
        assert_eq!(moved.game.as_ref(), Some(&portal.get(&game.id).await.expect("kept")));
        // Thinking is in no log: there is the creation, and the move with its report.
        let history = portal.history(&game.id).await;
        assert_eq!((history.len(), history.last()), (2, moved.event.as_ref()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streamed_or_not_equal_calls_share_one_search() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let (mut streamed, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let (of, order) = (portal.clone(), order(&game.id));
        streamed.push(tokio::spawn(async move {
            let mut frames = stream(&of, order.clone()).await.expect("it begins");
            (order, told(&mut frames).await)
        }));
        let (of, id) = (portal.clone(), game.id.clone());
        plain.push(tokio::spawn(async move { of.bot(&id, 1, 5).await }));
    }
    let mut events = Vec::new();
    let mut orders = Vec::new();
    for call in streamed {
        let (order, told) = call.await.expect("no panic");
        orders.push(order);
        events.push(told.moved.expect("the last frame").event.expect("an event"));
    }
    for call in plain {
        events.push(call.await.expect("no panic").expect("moved").event.expect("an event"));
    }
    // The report holds the time of the search in microseconds: equal reports are of one search.
    assert!(events.windows(2).all(|pair| pair[0] == pair[1]), "{events:?}");
    // A stream that was cut is asked for again: the move is all that it tells.
    for order in orders {
        let again = told(&mut stream(&portal, order).await.expect("it begins")).await;
        assert!(again.places.is_empty() && again.thoughts.is_empty(), "{again:?}");
        let moved = again.moved.expect("the last frame");
        assert!(moved.replayed);
        assert_eq!(moved.event.as_ref(), Some(&events[0]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_is_told_the_place() {
    let house = House::open_with(|config| config.pool = one_thread(64)).await;
    let portal = house.portal().await;
    let busy = Busy::keep(&portal, 5).await;
    let game = portal.create("quantum-control").await;
    let mut frames = stream(&portal, order(&game.id)).await.expect("it begins");
    let first = next(&mut frames).await.expect("it goes on").expect("a frame").frame;
    let Some(Frame::Waiting(first)) = first else { panic!("expected to wait, not {first:?}") };
    assert!((1..=5).contains(&first.searches_ahead), "{first:?}");
    let wait = first.expected_wait.and_then(|wait| Duration::try_from(wait).ok()).expect("a time");
    assert!(!wait.is_zero());
    // Those before it are given up: it moves on, and is served.
    busy.release();
    let told = told(&mut frames).await;
    let places = [&[first.searches_ahead], &told.places[..]].concat();
    assert!(places.windows(2).all(|pair| pair[1] < pair[0]), "{places:?}");
    assert!(!told.thoughts.is_empty() && told.moved.is_some(), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_stream_stops_its_search() {
    let house = House::open_with(|config| config.pool = one_thread(2)).await;
    let portal = house.portal().await;
    for _ in 0..10 {
        let game = portal.create("quantum-control").await;
        let mut frames = stream(&portal, order(&game.id)).await.expect("it begins");
        next(&mut frames).await.expect("it goes on").expect("a frame");
        drop(frames);
        until("the search has stopped", async || {
            let game = portal.get(&game.id).await.expect("kept");
            // The bot may have been faster.
            game.bot_search.is_none() || 1 < game.version
        })
        .await;
    }
    let game = portal.create("quantum-control").await;
    portal.bot(&game.id, 1, 2).await.expect("a free thread");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_moves_on_ends_the_stream() {
    let house = House::open_with(|config| config.pool = one_thread(64)).await;
    let portal = house.portal().await;
    let busy = Busy::keep(&portal, 5).await;
    let game = portal.create("quantum-control").await;
    let mut frames = stream(&portal, order(&game.id)).await.expect("it begins");
    until_searching(&portal, &game.id).await.expect("it waits behind the others");
    portal.submit(&game.id, 1, "e5").await.expect("legal");
    let status = failure(&mut frames).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Aborted, "BOT_SUPERSEDED"));
    assert_eq!(metadata(&status, "current_version"), "2");
    busy.release();
    assert_eq!(portal.history(&game.id).await.len(), 2);
}

#[tokio::test]
async fn what_is_refused_is_refused_before_the_stream() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let deep = proto::SearchLimits { depth: 13, ..Default::default() };
    let refused =
        stream(&portal, proto::StreamBotMoveRequest { limits: Some(deep), ..order(&game.id) }).await;
    assert_refused(refused, Code::InvalidArgument, "INVALID_LIMITS");
    let ahead = proto::StreamBotMoveRequest { expected_version: 2, ..order(&game.id) };
    assert_refused(stream(&portal, ahead).await, Code::DataLoss, "HISTORY_DIVERGED");
    let moved = portal.create("quantum-control").await;
    portal.submit(&moved.id, 1, "e5").await.expect("legal");
    assert_refused(stream(&portal, order(&moved.id)).await, Code::Aborted, "VERSION_MISMATCH");
    assert_refused(stream(&portal, order("nobody")).await, Code::NotFound, "GAME_NOT_FOUND");
    let mut hasty = Request::new(order(&game.id));
    hasty.metadata_mut().insert("grpc-timeout", "40m".parse().expect("ascii"));
    let refused = portal.client.clone().stream_bot_move(hasty).await;
    assert_refused(refused, Code::DeadlineExceeded, "BUDGET_TOO_SMALL");
    let house = House::open_with(|config| config.streams = 0).await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    assert_refused(stream(&portal, order(&game.id)).await, Code::ResourceExhausted, "QUOTA_EXCEEDED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_takes_nothing_holds_nothing_up() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let stalled = Portal::new(narrow(house.address()).await);
    let began = Instant::now();
    let mut frames = stream(&stalled, order(&game.id)).await.expect("it begins");
    until("the move is made", async || portal.get(&game.id).await.expect("kept").version == 2).await;
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert!(told(&mut frames).await.moved.is_some());
}
