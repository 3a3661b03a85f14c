//! What those who run the service are promised: clean stops, bounded sizes, nothing left behind.

use boardkeeper::{
    api::proto::{self, game_service_client::GameServiceClient},
    game::{Form, LARGEST_RECORD, Transcript},
};
use tokio::runtime::Handle;
use tonic::{Code, Streaming, transport::Endpoint};

use super::{
    faulty::Faulty,
    house::{House, Process},
    load::Load,
    portal::{Portal, assert_refused, assert_whole, request_id},
    recorded,
    until::until,
};

#[tokio::test]
async fn o2_what_was_acknowledged_before_sigterm_is_in_the_store() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut load = Load::new();
    for acks in [5, 150, 40] {
        let server = Process::start(dir.path(), &["--grace-s", "5"]).await;
        let code = load.play_until(server, acks, async |server| server.terminate().await).await;
        assert_eq!(code, Some(0));
        let server = Process::start(dir.path(), &[]).await;
        let portal = server.portal().await;
        load.check(&portal).await;
        load.settle(&portal).await;
        assert_eq!(server.terminate().await, Some(0));
    }
    assert!(195 <= load.told());
}

/// A client as it is generated, without wider limits.
async fn plain_client(house: &House) -> GameServiceClient<tonic::transport::Channel> {
    let endpoint = Endpoint::from_shared(house.address().to_owned()).expect("an address");
    GameServiceClient::new(endpoint.connect().await.expect("the server accepts connections"))
}

/// Plays a game of Quantum Control that is as long as passing makes it: a pass after each capture.
async fn longest_game(portal: &Portal) -> proto::Game {
    let mut game = portal.create("quantum-control").await;
    let placed = &recorded::games("quantum-control")[0].moves[..25];
    for text in placed {
        game = portal.submit(&game.id, game.version, text).await.expect("legal").game.expect("a game");
    }
    let mut captures = 0;
    while game.status() == proto::GameStatus::Running {
        let legal = portal.legal(&game.id).await;
        // Captures come in the order of their texts, and the pass last.
        let text = match (game.consecutive_passes, &legal[..]) {
            (0, _) if 0 < captures && game.last_move.as_ref().is_some_and(|mv| mv.text != "pass") => "pass",
            (_, [first, ..]) => first,
            (_, []) => panic!("a running game has moves"),
        };
        captures += usize::from(text != "pass");
        game = portal.submit(&game.id, game.version, text).await.expect("legal").game.expect("a game");
    }
    game
}

#[tokio::test]
async fn o5_a_plain_client_reads_and_carries_the_longest_game() {
    let house = House::open().await;
    let mut plain = plain_client(&house).await;
    let game = longest_game(&Portal::new(plain.clone())).await;
    assert!(60 < game.version, "{}", game.version);
    let all =
        proto::ListGameEventsRequest { game_id: game.id.clone(), page_size: 1000, ..Default::default() };
    let page = plain.list_game_events(all).await.expect("it fits").into_inner();
    assert_eq!(page.events.len() as u64, game.version);
    for format in [proto::RecordFormat::Json, proto::RecordFormat::Text] {
        let export = proto::ExportGameRequest { game_id: game.id.clone(), format: format.into() };
        let record = plain.export_game(export).await.expect("it fits").into_inner().record;
        assert!(record.len() < LARGEST_RECORD / 100, "{} bytes", record.len());
        let import = proto::ImportGameRequest { request_id: request_id(), record, ..Default::default() };
        let back = plain.import_game(import).await.expect("it fits").into_inner().game.expect("a game");
        assert_eq!((back.position, back.version), (game.position.clone(), game.version));
    }
}

/// The most moves that a game can have, and its longest move but one that can come that often.
const LONGEST: [(&str, usize, &str); 4] = [
    // 25 turns of placement, 48 captures, and a pass after each of these, and one more.
    ("quantum-control", 25 + 48 * 2 + 1, "a1+e5"),
    // At most 22 captures, and a thousand moves before, between and after them.
    ("surakarta", 23 * 1000, "a1-b2"),
    // 32 pieces come to one tower by 31 captures.
    ("quantum", 32 * 1000, "a1-b2"),
    // 94 quanta, of which two king-pieces of seven are never taken, one by one.
    ("kvantumsakk", 81 * 1000, "8:a1+b2"),
];

#[test]
fn o5_the_longest_game_of_each_type_has_a_record_in_both_forms() {
    for (game_type, most, text) in LONGEST {
        let name = "\"".repeat(128);
        let labels = (0..16).map(|number| (format!("{number:063}"), name.clone()));
        let transcript = Transcript {
            game_type: game_type.to_owned(),
            rules_version: 1,
            options: [("move_limit".to_owned(), "1000".to_owned())].into(),
            initial_position: Some("8".repeat(1000)),
            black_player: name.clone(),
            white_player: name.clone(),
            labels: labels.collect(),
            created: Some("2026-01-02T03:04:05.678Z".to_owned()),
            second_begins: true,
            moves: vec![text.to_owned(); most],
            ending: None,
        };
        for form in [Form::Json, Form::Text] {
            let record = transcript.write(form).unwrap_or_else(|error| panic!("{game_type}: {error}"));
            assert_eq!(Transcript::read(&record).expect("readable").moves.len(), most);
        }
    }
}

#[tokio::test]
async fn o5_what_is_too_large_is_out_of_range_and_hurts_nobody() {
    let house = House::open().await;
    let portal = house.portal().await;
    let import = |bytes: usize| {
        let record = "x".repeat(bytes);
        let request = proto::ImportGameRequest { request_id: request_id(), record, ..Default::default() };
        let mut client = portal.client.clone();
        async move { client.import_game(request).await }
    };
    assert_refused(import(LARGEST_RECORD).await, Code::InvalidArgument, "INVALID_RECORD");
    assert_refused(import(LARGEST_RECORD + 1).await, Code::OutOfRange, "RECORD_TOO_LARGE");
    // What does not even fit into a message is refused by the transport, with the same code.
    let status = import(2 * LARGEST_RECORD).await.expect_err("too large");
    assert_eq!(status.code(), Code::OutOfRange, "{status:?}");
    // The connection lives on.
    portal.create("quantum-control").await;
}

#[tokio::test]
async fn o8_a_finished_game_leaves_nothing_behind() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (store, hub) = Faulty::open(&dir).await;
    let house = House::over(dir, store, hub.clone(), |config| config.games_in_memory = 1).await;
    let portal = house.portal().await;
    // What stays for ever is there after the first games.
    play_watched(&portal).await;
    until("nothing is watched", async || hub.watched() == 0).await;
    let tasks = Handle::current().metrics().num_alive_tasks();
    for _ in 0..20 {
        play_watched(&portal).await;
    }
    until("nothing is watched", async || hub.watched() == 0).await;
    until("no task is left", async || Handle::current().metrics().num_alive_tasks() <= tasks).await;
}

/// Two games, ended by a player and by the portal, each with three watchers, one of whom leaves early,
/// and a bot's move.
async fn play_watched(portal: &Portal) {
    for flagged in [false, true] {
        let (game, streams) = begin_watched(portal).await;
        match flagged {
            false => {
                drop(portal.resign(&game.id, game.version, proto::Side::White).await.expect("it goes on"))
            }
            true => drop(portal.flag(&game.id, game.version).await.expect("it goes on")),
        }
        for mut stream in streams {
            while stream.message().await.expect("the stream ends well").is_some() {}
        }
        assert_whole(&portal.history(&game.id).await);
    }
}

/// A game after a bot's move, and the streams of those who watch it still.
async fn begin_watched(portal: &Portal) -> (proto::Game, Vec<Streaming<proto::WatchGameResponse>>) {
    let game = portal.create("quantum-control").await;
    let start = proto::Cursor::default();
    let streams = vec![
        portal.watch(&game.id, None).await.expect("watched"),
        portal.watch(&game.id, Some(start)).await.expect("watched"),
    ];
    let mut leaver = portal.watch(&game.id, None).await.expect("watched");
    leaver.message().await.expect("a frame");
    drop(leaver);
    let moved = portal.bot(&game.id, 1, 1).await.expect("legal").game.expect("a game");
    (moved, streams)
}
