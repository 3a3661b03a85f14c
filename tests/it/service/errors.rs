//! Every reason for which a call can be refused is reached over the API, and is as docs/errors.md
//! says.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use boardkeeper::{
    api::{
        Reason,
        proto::{self, game_service_client::GameServiceClient, submit_move_request::Move},
    },
    bots::PoolSize,
    game::LARGEST_RECORD,
};
use tonic::{Request, Status, transport::Endpoint};

use super::{
    catalogue::{Entry, Rules, page},
    change::Change,
    faulty::{Changes, Faulty, Looks},
    house::House,
    portal::{Portal, assert_refused, metadata, reason, request_id},
    recorded,
    until::until,
};

/// The refusals that were seen, held against the page.
struct Seen {
    page: BTreeMap<String, Entry>,
    /// Those of Quantum Control.
    rules: Rules,
    reasons: BTreeSet<String>,
}

impl Seen {
    /// Notes a refusal that must have this reason, and be as the page says.
    #[track_caller]
    fn note<T: std::fmt::Debug>(&mut self, reason: Reason, answer: Result<T, Status>) -> Status {
        let status = assert_refused(answer, reason.code(), reason.name());
        let entry =
            self.page.get(reason.name()).unwrap_or_else(|| panic!("{} is not on the page", reason.name()));
        entry.check(&status, &self.rules);
        self.reasons.insert(reason.name().to_owned());
        status
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_reason_is_reached_and_is_as_the_page_says() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (store, hub) = Faulty::open(&dir).await;
    let mut house = House::over(dir, store.clone(), hub, |config| {
        config.pool = PoolSize { threads: 1, queue: 1, ..PoolSize::default() };
        config.games_per_stream = 2;
        config.patience = Duration::from_millis(50);
    })
    .await;
    let portal = house.portal().await;
    let mut seen = Seen { page: page(), rules: rules(&portal).await, reasons: BTreeSet::new() };
    wrong_requests(&portal, &mut seen).await;
    wrong_moves(&portal, &mut seen).await;
    wrong_places(&portal, &mut seen).await;
    bots(&portal, &store, &mut seen).await;
    streams(&portal, house.address(), &mut seen).await;
    failing_store(&portal, &store, &mut seen).await;
    // The end of the server comes last.
    let game = portal.create("quantum-control").await;
    let mut stream = portal.watch(&game.id, None).await.expect("watched");
    stream.message().await.expect("a frame");
    house.begin_stop();
    let ended = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            end => break end,
        }
    };
    seen.note(Reason::Draining, ended);
    let all: BTreeSet<String> = Reason::ALL.iter().map(|reason| reason.name().to_owned()).collect();
    assert_eq!(seen.reasons, all, "reasons that were not reached");
    assert_eq!(seen.page.keys().cloned().collect::<BTreeSet<_>>(), all, "reasons on the page");
}

/// The rule codes of Quantum Control with their values.
async fn rules(portal: &Portal) -> Rules {
    let types = portal.client.clone().list_game_types(proto::ListGameTypesRequest {}).await.expect("listed");
    let types = types.into_inner().game_types;
    let quantum_control = types.into_iter().find(|of| of.name == "quantum-control").expect("it is offered");
    quantum_control
        .rule_codes
        .into_iter()
        .map(|rule| (rule.code, rule.values.into_iter().collect()))
        .collect()
}

#[test]
fn each_entry_of_the_page_is_whole() {
    for (name, entry) in page() {
        for item in ["Code", "When", "Metadata", "Details", "Do"] {
            assert!(entry.items.contains(item), "{name} has no {item}");
        }
    }
}

/// Creates a game whose request the test spoils.
async fn create(portal: &Portal, spoil: impl FnOnce(&mut proto::CreateGameRequest)) -> Result<(), Status> {
    let mut request = proto::CreateGameRequest {
        request_id: request_id(),
        game_type: "quantum-control".to_owned(),
        ..Default::default()
    };
    spoil(&mut request);
    portal.client.clone().create_game(request).await.map(drop)
}

async fn wrong_requests(portal: &Portal, seen: &mut Seen) {
    use proto::game_options::Options;
    let no_uuid = create(portal, |request| request.request_id = "7".to_owned()).await;
    seen.note(Reason::MalformedRequest, no_uuid);
    let chess = create(portal, |request| request.game_type = "chess".to_owned()).await;
    seen.note(Reason::UnknownGameType, chess);
    let position = create(portal, |request| request.initial_position = "8/8 w".to_owned()).await;
    seen.note(Reason::InvalidPosition, position);
    let of_another = Options::Surakarta(proto::SurakartaOptions::default());
    let options = proto::GameOptions { options: Some(of_another) };
    let option = create(portal, |request| request.options = Some(options)).await;
    seen.note(Reason::InvalidOption, option);
    let out_of_range =
        Options::Surakarta(proto::SurakartaOptions { move_limit: Some(0), ..Default::default() });
    let options = proto::GameOptions { options: Some(out_of_range) };
    let option = create(portal, |request| {
        request.game_type = "surakarta".to_owned();
        request.options = Some(options);
    })
    .await;
    seen.note(Reason::InvalidOption, option);

    Change::create("taken").send(portal).await.expect("created");
    let other = create(portal, |request| {
        request.game_id = "taken".to_owned();
        request.black_player = "ada".to_owned();
    })
    .await;
    seen.note(Reason::GameExists, other);
    seen.note(Reason::InvalidRecord, Change::import("", "{}").send(portal).await);
    let illegal = r#"{"format":"boardkeeper-game/1","game_type":"quantum-control","moves":["e5","e5+h8"]}"#;
    let status = seen.note(Reason::InvalidRecord, Change::import("", illegal).send(portal).await);
    assert_eq!(
        (metadata(&status, "move_number").as_str(), metadata(&status, "rule").as_str()),
        ("2", "OCCUPIED")
    );
    let large = "x".repeat(LARGEST_RECORD + 1);
    seen.note(Reason::RecordTooLarge, Change::import("", &large).send(portal).await);
}

async fn wrong_moves(portal: &Portal, seen: &mut Seen) {
    let game = portal.create("quantum-control").await;
    let id = request_id();
    seen.note(Reason::MalformedMove, portal.submit(&game.id, 1, "rubbish").await);
    let of_another = proto::structured_move::Move::Surakarta(proto::SurakartaMove::default());
    let structured = proto::SubmitMoveRequest {
        game_id: game.id.clone(),
        expected_version: 1,
        request_id: request_id(),
        r#move: Some(Move::Structured(proto::StructuredMove { r#move: Some(of_another) })),
        ..Default::default()
    };
    seen.note(Reason::MalformedMove, portal.client.clone().submit_move(structured).await);
    seen.note(Reason::PassNotAllowed, portal.submit(&game.id, 1, "pass").await);
    portal.submit_as(&game.id, 1, "e5", &id).await.expect("legal");
    seen.note(Reason::RequestIdReused, portal.submit_as(&game.id, 1, "e4", &id).await);
    seen.note(Reason::VersionMismatch, portal.submit(&game.id, 1, "a1+b5").await);
    for text in ["e5+h8", "a1", "a3+e1", "e1+e2", "e1+e1", "e5xe6"] {
        seen.note(Reason::IllegalMove, portal.submit(&game.id, 2, text).await);
    }
    let black = proto::PassRequest {
        game_id: game.id.clone(),
        expected_version: 2,
        request_id: request_id(),
        side: proto::Side::Black.into(),
        ..Default::default()
    };
    let status = seen.note(Reason::NotYourTurn, portal.client.clone().pass(black).await);
    assert_eq!(metadata(&status, "side_to_move"), "w");
    portal.resign(&game.id, 2, proto::Side::White).await.expect("it goes on");
    let status = seen.note(Reason::GameOver, portal.submit(&game.id, 3, "a1+b5").await);
    assert_eq!(metadata(&status, "end_reason"), "resignation");

    let full = "bw-bb/bwbbww/-ww-wb-/bw-bb-bw/wbwwwbbwb/wb-ww-wb/-bb-ww-/wbbwbb/ww-bb w c 0 -";
    let game = portal.create_from("quantum-control", full).await;
    for text in ["e5", "b2xe5", "a1xa5", "a1xb3", "a1xa2"] {
        seen.note(Reason::IllegalMove, portal.submit(&game.id, 1, text).await);
    }
}

async fn wrong_places(portal: &Portal, seen: &mut Seen) {
    seen.note(Reason::GameNotFound, portal.get("nobody").await);
    let game = portal.create("quantum-control").await;
    let ahead = proto::GetGameRequest { game_id: game.id.clone(), version: 2 };
    let status = seen.note(Reason::VersionNotFound, portal.client.clone().get_game(ahead).await);
    assert_eq!(metadata(&status, "current_version"), "1");
    let other = proto::Cursor { version: 1, digest: vec![7; 32] };
    for after in [other, proto::Cursor { version: 2, digest: Vec::new() }] {
        let request = proto::ListGameEventsRequest {
            game_id: game.id.clone(),
            after: Some(after),
            ..Default::default()
        };
        let status =
            seen.note(Reason::HistoryDiverged, portal.client.clone().list_game_events(request).await);
        assert_eq!(metadata(&status, "current_version"), "1");
    }
}

async fn bots(portal: &Portal, store: &Arc<Faulty>, seen: &mut Seen) {
    let game = portal.create("quantum-control").await;
    let order = |limits: Option<proto::SearchLimits>| proto::RequestBotMoveRequest {
        game_id: game.id.clone(),
        expected_version: 1,
        request_id: request_id(),
        level: 5,
        limits,
        ..Default::default()
    };
    let deep = proto::SearchLimits { depth: 13, ..Default::default() };
    seen.note(Reason::InvalidLimits, portal.client.clone().request_bot_move(order(Some(deep))).await);

    // The server is told of a deadline that the client does not keep itself, and that leaves no time
    // for a search. A machine that is busy may take even longer to say so.
    let mut hasty = Request::new(order(None));
    hasty.metadata_mut().insert("grpc-timeout", "48m".parse().expect("a timeout"));
    let mut answer = portal.client.clone().request_bot_move(hasty).await;
    for _ in 0..20 {
        if answer.as_ref().is_err_and(|status| status.message().contains("search could start")) {
            break;
        }
        let mut hasty = Request::new(order(None));
        hasty.metadata_mut().insert("grpc-timeout", "48m".parse().expect("a timeout"));
        answer = portal.client.clone().request_bot_move(hasty).await;
    }
    seen.note(Reason::BudgetTooSmall, answer);

    // The bot's move is held back on its way to the store until White has resigned.
    store.set(Changes::HoldOne, Looks::Work);
    let (of, id) = (portal.clone(), game.id.clone());
    let bot = tokio::spawn(async move { of.bot(&id, 1, 1).await });
    until("the bot's move is on its way", async || store.holds()).await;
    portal.resign(&game.id, 1, proto::Side::White).await.expect("it goes on");
    store.release();
    seen.note(Reason::BotSuperseded, bot.await.expect("no panic"));

    let mut refused = None;
    while refused.is_none() {
        let mut orders = tokio::task::JoinSet::new();
        for _ in 0..16 {
            let (game, of) = (portal.create("quantum-control").await, portal.clone());
            orders.spawn(async move { of.bot(&game.id, 1, 5).await });
        }
        refused = orders.join_all().await.into_iter().find(Result::is_err);
    }
    seen.note(Reason::SearchSaturated, refused.expect("one was refused"));
}

async fn streams(portal: &Portal, address: &str, seen: &mut Seen) {
    let all = proto::WatchGamesRequest { all: true, ..Default::default() };
    let mut stream = portal.client.clone().watch_games(all).await.expect("opened").into_inner();
    let ended = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            end => break end,
        }
    };
    seen.note(Reason::QuotaExceeded, ended);

    // A reader that takes nothing, on a connection that holds next to nothing.
    let recorded = recorded::games("quantum-control").swap_remove(0);
    let record = recorded.record("quantum-control").to_string();
    let game = Change::import("", &record).send(portal).await.expect("imported").game;
    let endpoint =
        Endpoint::from_shared(address.to_owned()).expect("an address").initial_stream_window_size(256);
    let mut narrow = GameServiceClient::new(endpoint.connect().await.expect("it listens"));
    let request = proto::WatchGameRequest { game_id: game.id.clone(), after: Some(proto::Cursor::default()) };
    let mut stream = narrow.watch_game(request).await.expect("opened").into_inner();
    // How long it is left alone is longer than the server's patience.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let ended = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            end => break end,
        }
    };
    let status = seen.note(Reason::SlowConsumer, ended);
    let sent: u64 = metadata(&status, "last_sent_version").parse().expect("a version");
    assert!((1..game.version).contains(&sent), "{sent}");
}

async fn failing_store(portal: &Portal, store: &Arc<Faulty>, seen: &mut Seen) {
    let game = portal.create("quantum-control").await;
    store.set(Changes::Work, Looks::Fail);
    seen.note(Reason::StoreUnavailable, portal.get(&game.id).await);
    store.set(Changes::Crowd, Looks::Work);
    seen.note(Reason::StoreUnavailable, portal.submit(&game.id, 1, "e5").await);
    store.set(Changes::Work, Looks::FindDamage);
    seen.note(Reason::Internal, portal.get(&game.id).await);
    store.set(Changes::Work, Looks::Panic);
    seen.note(Reason::Internal, portal.get(&game.id).await);

    // A stream that breaks off does not end as if its games had.
    let all = proto::WatchGamesRequest { all: true, ..Default::default() };
    let mut stream = portal.client.clone().watch_games(all).await.expect("opened").into_inner();
    seen.note(Reason::Internal, stream.message().await);

    // The wait ends with the deadline, however long the store takes.
    store.set(Changes::Work, Looks::Hang);
    let mut late = Request::new(proto::GetGameRequest { game_id: game.id.clone(), version: 0 });
    late.metadata_mut().insert("grpc-timeout", "100m".parse().expect("a timeout"));
    seen.note(Reason::DeadlineExceeded, portal.client.clone().get_game(late).await);

    // Neither the change nor the look whether it has happened is answered: it may have, or not.
    let change = Change::submit(&game.id, 1, "e5");
    for (changes, happened) in [(Changes::Fail, false), (Changes::LoseAnswers, true)] {
        store.set(changes, Looks::Work);
        let looked_up = change.send(portal).await;
        match happened {
            false => drop(seen.note(Reason::CommitUnknown, looked_up)),
            // What the store can be asked for is no longer unknown.
            true => assert!(looked_up.expect("looked up").replayed),
        }
    }
    store.set(Changes::Work, Looks::Work);
    let answer = change.send(portal).await.expect("it has happened");
    assert_eq!((answer.game.version, portal.history(&game.id).await.len()), (2, 2));
}

#[tokio::test]
async fn a_change_that_is_unknown_is_answered_when_it_is_sent_again() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (store, hub) = Faulty::open(&dir).await;
    let house = House::over(dir, store.clone(), hub, |_| ()).await;
    let portal = house.portal().await;
    // The store takes what it is given, but answers nothing, and answers no look either.
    for (game, change) in [("one", Change::create("one")), ("two", Change::create("two"))] {
        store.set(Changes::LoseAnswers, Looks::Fail);
        let status = change.send(&portal).await.expect_err("nobody knows");
        assert_eq!(reason(&status), "COMMIT_UNKNOWN");
        store.set(Changes::Work, Looks::Work);
        let again = change.send(&portal).await.expect("now it is known");
        assert_eq!((again.replayed, again.game.id.as_str(), again.game.version), (true, game, 1));
    }
    // A lost answer is looked up at once, and is not that of another request with the same id.
    store.set(Changes::LoseAnswers, Looks::Work);
    let Change::Create(request) = Change::create("three") else { return };
    let first = Change::Create(request.clone()).send(&portal).await.expect("looked up");
    assert_eq!(first.game.version, 1);
    let other = proto::CreateGameRequest { black_player: "ada".to_owned(), ..request };
    store.set(Changes::Fail, Looks::Work);
    let status = Change::Create(other).send(&portal).await.expect_err("other content");
    assert_eq!(reason(&status), "REQUEST_ID_REUSED");
}
