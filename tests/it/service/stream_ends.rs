//! How streams and calls end for reasons of time: the caller's deadline, the stream's age, the
//! server's end.

use std::time::Duration;

use boardkeeper::api::proto::{self, GoingAway, watch_game_response::Frame, watch_games_response};
use tempfile::TempDir;
use tokio::time::Instant;
use tonic::{Code, Request, Status, Streaming};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus,
    health_client::HealthClient,
};

use super::{
    faulty::{Changes, Faulty, Looks},
    house::{House, connect},
    portal::{Portal, assert_refused, cursor, metadata, reason, request_id, retry_after},
    reader::{Reader, failure, next, soon},
    until::until,
    wander,
};

/// A request whose caller waits no longer than this.
fn within<T>(time: Duration, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(time);
    request
}

#[tokio::test]
async fn a_deadline_ends_a_stream() {
    let house = House::open().await;
    let mut portal = house.portal().await;
    let game = wander::begin(&portal).await;
    let time = Duration::from_millis(700);
    let request = proto::WatchGameRequest { game_id: game.id.clone(), after: None };
    let began = Instant::now();
    let mut one = portal.client.watch_game(within(time, request)).await.expect("it begins").into_inner();
    let request = proto::WatchGamesRequest { all: true, ..Default::default() };
    let mut all = portal.client.watch_games(within(time, request)).await.expect("it begins").into_inner();
    assert!(next(&mut one).await.expect("it goes on").is_some());
    let status = failure(&mut one).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED"));
    assert_eq!(metadata(&status, "last_sent_version"), "1");
    assert!(time - Duration::from_millis(50) < began.elapsed(), "ended before its time");
    let status = failure(&mut all).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED"));
    until("nobody watches any more", async || house.watched() == 0).await;
}

#[tokio::test]
async fn a_deadline_ends_a_call_with_deadline_exceeded() {
    let dir = TempDir::new().expect("a temporary directory");
    let (store, hub) = Faulty::open(&dir).await;
    // Nothing is found in memory: every call has to look at the store.
    let house = House::over(dir, store.clone(), hub, |config| config.games_in_memory = 1).await;
    let portal = house.portal().await;
    let game = wander::begin(&portal).await;
    wander::begin(&portal).await;
    store.set(Changes::Work, Looks::Hang);
    assert_eq!(
        expires("GetGame", async |time| get(&portal, &game.id, time).await).await,
        "DEADLINE_EXCEEDED"
    );
    assert_eq!(expires("ListGames", async |time| list(&portal, time).await).await, "DEADLINE_EXCEEDED");
    assert_eq!(
        expires("SubmitMove", async |time| submit(&portal, &game.id, time).await).await,
        "DEADLINE_EXCEEDED"
    );
    assert_eq!(
        expires("WatchGame", async |time| watch(&portal, &game.id, time).await).await,
        "DEADLINE_EXCEEDED"
    );
    store.set(Changes::Work, Looks::Work);
    // The move may happen now: its caller was told that it is late, not that it is refused.
    assert!(portal.get(&game.id).await.expect("it is there").version <= 2);
}

/// The reason that the server gives for not answering in time.
///
/// The transport of the test's own client keeps the deadline as well and may be faster, of which its
/// statuses, without details, tell: then the call is made again.
async fn expires<T: std::fmt::Debug>(
    what: &str,
    call: impl AsyncFn(Duration) -> Result<T, Status>,
) -> String {
    for _ in 0..40 {
        let status = call(Duration::from_millis(100)).await.expect_err("the store hangs");
        if !status.details().is_empty() {
            assert_eq!(status.code(), Code::DeadlineExceeded, "{what}: {status:?}");
            return reason(&status);
        }
    }
    panic!("{what}: the server never tells that the deadline has come");
}

async fn get(portal: &Portal, id: &str, time: Duration) -> Result<(), Status> {
    let request = proto::GetGameRequest { game_id: id.to_owned(), version: 0 };
    portal.client.clone().get_game(within(time, request)).await.map(drop)
}

async fn list(portal: &Portal, time: Duration) -> Result<(), Status> {
    portal.client.clone().list_games(within(time, proto::ListGamesRequest::default())).await.map(drop)
}

async fn submit(portal: &Portal, id: &str, time: Duration) -> Result<(), Status> {
    let request = proto::SubmitMoveRequest {
        game_id: id.to_owned(),
        expected_version: 1,
        request_id: request_id(),
        r#move: Some(proto::submit_move_request::Move::Text(wander::step(1))),
        ..Default::default()
    };
    portal.client.clone().submit_move(within(time, request)).await.map(drop)
}

async fn watch(portal: &Portal, id: &str, time: Duration) -> Result<(), Status> {
    let request = proto::WatchGameRequest { game_id: id.to_owned(), after: None };
    portal.client.clone().watch_game(within(time, request)).await.map(drop)
}

#[tokio::test]
async fn a_stream_that_the_server_fails_on_does_not_end_with_ok() {
    let dir = TempDir::new().expect("a temporary directory");
    let (store, hub) = Faulty::open(&dir).await;
    let house = House::over(dir, store.clone(), hub.clone(), |_| ()).await;
    let portal = house.portal().await;
    let faults = [
        (Looks::Panic, Code::Internal, "INTERNAL"),
        (Looks::FindDamage, Code::Internal, "INTERNAL"),
        (Looks::Fail, Code::Unavailable, "STORE_UNAVAILABLE"),
    ];
    for (fault, code, why) in faults {
        let game = wander::begin_after(&portal, 6).await;
        let mut reader = Reader::of_snapshot(&portal, &game.id);
        reader.snapshot().await;
        store.set(Changes::Work, fault);
        let key = boardkeeper::game::GameKey {
            tenant: "default".parse().expect("a name"),
            id: game.id.parse().expect("a name"),
        };
        hub.ring(&key);
        let status = reader.failure().await;
        assert_eq!((status.code(), reason(&status).as_str()), (code, why));
        assert_eq!(metadata(&status, "last_sent_version"), "7");
        store.set(Changes::Work, Looks::Work);
        let game = wander::go_on(&portal, &game.id, game.version).await;
        assert_eq!(reader.event().await.version, game.version);
    }
}

#[tokio::test]
async fn a_stream_of_the_greatest_age_ends_with_a_notice_and_is_resumed() {
    let house = House::open_with(|config| config.stream_age = Duration::from_millis(400)).await;
    let portal = house.portal().await;
    let mut game = wander::begin_after(&portal, 40).await;
    let mut reader = Reader::new(&portal, &game.id);
    for _ in 0..3 {
        game = wander::go_on(&portal, &game.id, game.version).await;
        reader.read_to(game.version).await;
        let notice = reader.going_away().await;
        assert_notice(&notice);
        assert_eq!(notice.resume_after, Some(cursor(&game)));
        assert_drained(&reader.failure().await, &game);
        // What happens meanwhile comes with the next stream.
        game = wander::go_on(&portal, &game.id, game.version).await;
    }
    reader.read_to(game.version).await;
    assert_eq!(reader.events, portal.history(&game.id).await);
}

#[track_caller]
fn assert_notice(notice: &GoingAway) {
    let wait = Duration::try_from(notice.retry_after.expect("a time")).expect("not negative");
    assert!(wait <= Duration::from_secs(5), "{wait:?}");
}

#[track_caller]
fn assert_drained(status: &Status, game: &proto::Game) {
    assert_eq!((status.code(), reason(status).as_str()), (Code::Unavailable, "DRAINING"));
    assert!(retry_after(status).is_some());
    assert_eq!(metadata(status, "last_sent_version"), game.version.to_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopping_server_ends_its_streams_politely_and_at_once() {
    let grace = Duration::from_secs(60);
    let house = House::open_with(|config| config.grace = grace).await;
    let portal = house.portal().await;
    let mut games = Vec::new();
    let mut readers = Vec::new();
    for number in 0..30 {
        let game = wander::begin_after(&portal, number).await;
        let mut reader = Reader::new(&portal, &game.id);
        reader.read_to(game.version).await;
        readers.push(reader);
        games.push(game);
    }
    let mut all = watch_all(&portal).await;
    until_current(&mut all).await;
    let mut health = watch_health(house.address()).await;
    let began = Instant::now();
    let stopping = tokio::spawn(house.stop());
    for (reader, game) in readers.iter_mut().zip(&games) {
        let notice = reader.going_away().await;
        assert_notice(&notice);
        assert_eq!(notice.resume_after, Some(cursor(game)));
        assert_drained(&reader.failure().await, game);
    }
    let last = next(&mut all).await.expect("the notice comes first").expect("a frame");
    match last.frame {
        Some(watch_games_response::Frame::GoingAway(notice)) => assert_notice(&notice),
        other => panic!("expected a notice, not {other:?}"),
    }
    assert_refused(next(&mut all).await, Code::Unavailable, "DRAINING");
    // The health service names no serving server, and lets its own watchers go.
    while let Ok(Some(answer)) = next(&mut health).await {
        assert_ne!(answer.status(), ServingStatus::Serving);
    }
    let dir = soon(stopping).await.expect("no panic");
    assert!(began.elapsed() < grace / 2, "waited for the grace time");
    // The next server goes on where this one stopped.
    let house = House::open_in(dir, |_| ()).await;
    let portal = house.portal().await;
    for (mut reader, game) in readers.into_iter().zip(games) {
        reader.portal = portal.clone();
        wander::go_on(&portal, &game.id, game.version).await;
        assert_eq!(reader.event().await.version, game.version + 1);
    }
}

async fn watch_all(portal: &Portal) -> Streaming<proto::WatchGamesResponse> {
    let request = proto::WatchGamesRequest { all: true, ..Default::default() };
    portal.client.clone().watch_games(request).await.expect("it begins").into_inner()
}

async fn until_current(all: &mut Streaming<proto::WatchGamesResponse>) {
    loop {
        let frame = next(all).await.expect("it goes on").expect("a frame").frame;
        if matches!(frame, Some(watch_games_response::Frame::Current(_))) {
            return;
        }
    }
}

async fn watch_health(address: &str) -> Streaming<HealthCheckResponse> {
    let endpoint = tonic::transport::Endpoint::from_shared(address.to_owned()).expect("an address");
    let mut client = HealthClient::new(endpoint.connect().await.expect("the server accepts connections"));
    let service = "boardkeeper.v1.GameService".to_owned();
    let mut stream = client.watch(HealthCheckRequest { service }).await.expect("it begins").into_inner();
    let first = next(&mut stream).await.expect("it goes on").expect("an answer");
    assert_eq!(first.status(), ServingStatus::Serving);
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopping_server_waits_no_longer_than_its_grace_time() {
    let grace = Duration::from_secs(1);
    let house = House::open_with(|config| config.grace = grace).await;
    let portal = house.portal().await;
    let game = wander::begin_after(&portal, wander::MOVES).await;
    // A reader that takes nothing would hold the server for as long as it likes.
    let stalled = Portal::new(super::house::narrow(house.address()).await);
    let mut stream = stalled.watch(&game.id, Some(proto::Cursor::default())).await.expect("it begins");
    let frame = next(&mut stream).await.expect("it goes on").expect("a frame");
    assert!(matches!(frame.frame, Some(Frame::Event(_))));
    let began = Instant::now();
    soon(house.stop()).await;
    assert!(grace / 2 < began.elapsed(), "the reader did not hold the server: the test shows nothing");
    assert!(began.elapsed() < 20 * grace, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_server_that_has_stopped_takes_no_calls() {
    let house = House::open().await;
    let address = house.address().to_owned();
    let portal = Portal::new(connect(&address).await);
    let game = wander::begin(&portal).await;
    house.stop().await;
    let status = soon(portal.get(&game.id)).await.expect_err("nobody is there");
    assert_eq!(status.code(), Code::Unavailable);
}
