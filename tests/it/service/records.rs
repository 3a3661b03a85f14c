//! Games leave as records in both forms and come back the same; records that are wrong are refused
//! for what is wrong with them.

use std::collections::BTreeSet;

use boardkeeper::api::proto::{self, EndReason, RecordFormat, Side};
use serde_json::{Value, json};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::{
    change::Change,
    house::House,
    portal::{Portal, assert_refused, assert_whole, metadata, reason, request_id},
    recorded::{self, Recorded},
    schema::Schema,
};

/// A full board with captures for White, who is to move.
const FULL: &str = "bw-bb/bwbbww/-ww-wb-/bw-bb-bw/wbwwwbbwb/wb-ww-wb/-bb-ww-/wbbwbb/ww-bb w c 0 -";

async fn export(portal: &Portal, id: &str, format: RecordFormat) -> String {
    let request = proto::ExportGameRequest { game_id: id.to_owned(), format: format.into() };
    let answer = portal.client.clone().export_game(request).await.expect("exported").into_inner();
    let media_type = if format == RecordFormat::Text { "text/plain" } else { "application/json" };
    assert_eq!(answer.media_type, media_type);
    assert_eq!(answer.version, portal.get(id).await.expect("kept").version);
    answer.record
}

async fn import(portal: &Portal, record: impl ToString) -> Result<proto::Game, Status> {
    let request = proto::ImportGameRequest {
        request_id: request_id(),
        record: record.to_string(),
        ..Default::default()
    };
    Ok(portal.client.clone().import_game(request).await?.into_inner().game.expect("a game"))
}

/// The texts of a game's moves.
async fn moves(portal: &Portal, id: &str) -> Vec<String> {
    let history = portal.history(id).await;
    assert_whole(&history);
    let moves = history.into_iter().filter_map(|event| match event.kind {
        Some(proto::event::Kind::MovePlayed(played)) => played.r#move.map(|mv| mv.text),
        _ => None,
    });
    moves.collect()
}

/// A game without what is its own and not its record's: id, digest, times.
fn content(game: proto::Game) -> proto::Game {
    proto::Game {
        id: String::new(),
        digest: Vec::new(),
        create_time: None,
        update_time: None,
        end_time: None,
        ..game
    }
}

/// Exports a game in both forms, and asserts that each makes the same game again.
async fn assert_round_trips(portal: &Portal, game: &proto::Game, schema: &Schema) {
    let json = export(portal, &game.id, RecordFormat::Json).await;
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(schema.check(&value), Ok(()), "{json}");
    let text = export(portal, &game.id, RecordFormat::Text).await;
    for record in [&json, &text] {
        let back = import(portal, record).await.unwrap_or_else(|status| panic!("{record}\n{status}"));
        assert_eq!(content(back.clone()), content(game.clone()), "{record}");
        assert_eq!(moves(portal, &back.id).await, moves(portal, &game.id).await);
        // What has come back leaves as it came, but for the time of its creation.
        let again = export(portal, &back.id, RecordFormat::Text).await;
        let timeless =
            |text: &str| text.lines().filter(|line| !line.starts_with("[Created")).collect::<String>();
        assert_eq!(timeless(&again), timeless(&text));
    }
}

/// Some recorded games of a type: one for each reason to end, and a few more.
fn some_games(game_type: &str) -> Vec<Recorded> {
    let mut reasons = BTreeSet::new();
    let games = recorded::games(game_type);
    let some = games.into_iter().enumerate();
    some.filter(|(index, game)| reasons.insert(game.reason.clone()) || index % 8 == 0)
        .map(|(_, game)| game)
        .collect()
}

#[tokio::test]
async fn recorded_games_of_every_type_come_back_the_same_in_both_forms() {
    let house = House::open().await;
    let portal = house.portal().await;
    let schema = Schema::of_records();
    let types = portal.client.clone().list_game_types(proto::ListGameTypesRequest {}).await.expect("listed");
    let types = types.into_inner().game_types;
    assert_eq!(types.len(), 4);
    for game_type in types {
        for recorded in some_games(&game_type.name) {
            let record = recorded.record(&game_type.name);
            assert_eq!(schema.check(&record), Ok(()), "{record}");
            let game = import(&portal, &record).await.unwrap_or_else(|status| panic!("{record}\n{status}"));
            assert_eq!(game.position, recorded.last);
            let outcome = game.outcome.clone().expect("the recorded games are over");
            assert_eq!(
                (word(outcome.winner()), outcome.reason),
                (recorded.winner(), recorded.reason.clone())
            );
            assert_eq!(moves(&portal, &game.id).await, recorded.moves);
            assert_round_trips(&portal, &game, &schema).await;
        }
    }
}

fn word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
        Side::Unspecified => "none",
    }
}

#[tokio::test]
async fn games_that_the_rules_did_not_end_come_back_the_same() {
    let house = House::open().await;
    let portal = house.portal().await;
    let schema = Schema::of_records();
    let played = async |position: &str, text: &str| {
        let game = portal.create_from("quantum-control", position).await;
        portal.submit(&game.id, 1, text).await.expect("legal").game.expect("a game")
    };
    // A game that goes on, from either start; with a text whose first number has dots.
    assert_round_trips(&portal, &portal.create("quantum-control").await, &schema).await;
    assert_round_trips(&portal, &played("", "e5").await, &schema).await;
    let white_begins = played(FULL, "pass").await;
    let text = export(&portal, &white_begins.id, RecordFormat::Text).await;
    assert!(text.contains("\n1... pass *"), "{text}");
    assert_round_trips(&portal, &white_begins, &schema).await;
    // White is to move after the first stone: one of these resigns out of turn.
    for side in [Side::Black, Side::White] {
        let game = played("", "e5").await;
        let resigned = portal.resign(&game.id, 2, side).await.expect("it goes on").game.expect("a game");
        assert_eq!(resigned.outcome.as_ref().map(|outcome| outcome.reason.as_str()), Some("resignation"));
        assert_round_trips(&portal, &resigned, &schema).await;
    }
    for (reason, winner) in [
        (EndReason::Time, Side::White),
        (EndReason::Time, Side::Unspecified),
        (EndReason::Agreement, Side::Unspecified),
        (EndReason::Forfeit, Side::Black),
        (EndReason::Annulled, Side::Unspecified),
        (EndReason::Adjudication, Side::Black),
        (EndReason::Adjudication, Side::Unspecified),
    ] {
        let game = played("", "e5").await;
        let request = proto::EndGameRequest {
            game_id: game.id.clone(),
            expected_version: 2,
            request_id: request_id(),
            reason: reason.into(),
            winner: winner.into(),
            ..Default::default()
        };
        let ended = portal.client.clone().end_game(request).await.expect("it goes on").into_inner();
        assert_round_trips(&portal, &ended.game.expect("a game"), &schema).await;
    }
}

#[tokio::test]
async fn names_and_labels_come_back_to_the_byte() {
    let house = House::open().await;
    let portal = house.portal().await;
    let request = proto::CreateGameRequest {
        request_id: request_id(),
        game_type: "quantum-control".to_owned(),
        black_player: "Ada \"the \\ first\"\n[White \"x\"]\r\n\t".to_owned(),
        white_player: format!("  {{}} 1. e5 * ]{}\u{1}\u{2028}", "ő".repeat(40)),
        labels: [("a.b-c_9", "\"]\n"), ("empty", ""), ("x", "\\n")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        ..Default::default()
    };
    let created = portal.client.clone().create_game(request.clone()).await.expect("created").into_inner();
    let game = created.game.expect("a game");
    assert_eq!((&game.black_player, &game.labels), (&request.black_player, &request.labels));
    assert_round_trips(&portal, &game, &Schema::of_records()).await;
}

/// A short record that is right, to be spoilt.
fn record() -> Value {
    json!({
        "format": "boardkeeper-game/1",
        "game_type": "quantum-control",
        "rules_version": 1,
        "options": {},
        "black_player": "ada",
        "labels": { "round": "1" },
        "moves": ["e5", "a1+b5", "b2+h8"],
        "result": { "winner": "white", "reason": "resignation" },
    })
}

fn with(name: &str, value: Value) -> Value {
    let mut record = record();
    record[name] = value;
    record
}

fn without(name: &str) -> Value {
    let mut record = record();
    record.as_object_mut().expect("an object").remove(name);
    record
}

#[tokio::test]
async fn the_reader_and_the_schema_refuse_the_same_records() {
    let house = House::open().await;
    let portal = house.portal().await;
    let schema = Schema::of_records();
    assert_eq!(schema.check(&record()), Ok(()));
    import(&portal, record()).await.expect("it is right");
    for right in [without("rules_version"), without("options"), without("labels"), without("black_player")] {
        assert_eq!(schema.check(&right), Ok(()));
        import(&portal, &right).await.unwrap_or_else(|status| panic!("{right}\n{status}"));
    }
    for wrong in [
        without("format"),
        without("game_type"),
        without("moves"),
        with("format", json!("boardkeeper-game/2")),
        with("game_type", json!(7)),
        with("rules_version", json!("1")),
        with("rules_version", json!(-1)),
        with("options", json!({ "move_limit": 50 })),
        with("black_player", json!("a".repeat(129))),
        with("labels", json!({ "Round": "1" })),
        with("labels", json!({ "": "1" })),
        with("labels", json!({ "round": "1".repeat(129) })),
        with("labels", (0..17).map(|number| (format!("l{number}"), json!(""))).collect::<Value>()),
        with("moves", json!("e5")),
        with("moves", json!([1])),
        with("moves", json!([""])),
        with("result", json!({ "winner": "white" })),
        with("result", json!({ "winner": "red", "reason": "resignation" })),
        with("result", json!({ "winner": "white", "reason": "resignation", "by": "ada" })),
        with("colour", json!("red")),
    ] {
        assert!(schema.check(&wrong).is_err(), "the schema takes {wrong}");
        let status = import(&portal, &wrong).await.expect_err("the reader takes what the schema refuses");
        assert_eq!(status.code(), Code::InvalidArgument, "{wrong}: {status:?}");
    }
}

/// The fault that a refusal finds with the request: the field, and the sentence.
fn fault(status: &Status) -> (String, String) {
    let details = status.get_error_details();
    let request = details.bad_request().unwrap_or_else(|| panic!("no BadRequest in {status:?}"));
    (request.field_violations[0].field.clone(), status.message().to_owned())
}

#[tokio::test]
async fn the_first_wrong_move_is_named_by_its_number() {
    let house = House::open().await;
    let portal = house.portal().await;
    for (moves, number, text, rule) in [
        (json!(["e5", "a1+b5", "e5+h8", "rubbish"]), "3", "e5+h8", Some("OCCUPIED")),
        (json!(["e5", "a1+a2"]), "2", "a1+a2", Some("SAME_AREA")),
        (json!(["pass"]), "1", "pass", Some("PASS_NOT_ALLOWED")),
        (json!(["e5", "rubbish", "e5"]), "2", "rubbish", None),
    ] {
        let wrong = with("moves", moves);
        let status = assert_refused(import(&portal, &wrong).await, Code::InvalidArgument, "INVALID_RECORD");
        assert_eq!(metadata(&status, "move_number"), number);
        assert_eq!(metadata(&status, "move"), text);
        if let Some(rule) = rule {
            assert_eq!(metadata(&status, "rule"), rule);
        }
        let (field, sentence) = fault(&status);
        assert_eq!(field, "record");
        assert!(sentence.starts_with(&format!("move {number} of the record, {text:?}: ")), "{sentence}");
    }
    // The text form names the same number, whatever its own numbers say.
    let text = "[Game \"quantum-control\"]\n\n1. e5 a1+b5 2. e5+h8 *\n";
    let status = assert_refused(import(&portal, text).await, Code::InvalidArgument, "INVALID_RECORD");
    assert_eq!(metadata(&status, "move_number"), "3");
}

#[tokio::test]
async fn a_record_that_ends_otherwise_than_its_moves_is_refused() {
    let house = House::open().await;
    let portal = house.portal().await;
    let finished = recorded::games("quantum-control").swap_remove(0);
    let whole = finished.record("quantum-control");
    let spoilt = |name: &str, value: Value| {
        let mut record = whole.clone();
        record[name] = value;
        record
    };
    let other = if finished.winner() == "black" { "white" } else { "black" };
    let mut early = finished.moves.clone();
    early.pop();
    let mut late = finished.moves.clone();
    late.push("pass".to_owned());
    let mut unsaid = whole.clone();
    unsaid.as_object_mut().expect("an object").remove("result");
    for (wrong, says) in [
        (spoilt("result", json!({ "winner": other, "reason": finished.reason })), "the record says"),
        (spoilt("result", json!({ "winner": finished.winner(), "reason": "mate" })), "the record says"),
        (spoilt("moves", json!(early)), "the record says"),
        (unsaid, "the record says the game goes on"),
        (spoilt("moves", json!(late)), "move "),
        (spoilt("result", json!({ "winner": "black", "reason": "time" })), "the game is over"),
        (with("result", json!({ "winner": "none", "reason": "resignation" })), "a winner"),
        (with("result", json!({ "winner": "none", "reason": "forfeit" })), "a winner"),
        (with("result", json!({ "winner": "black", "reason": "agreement" })), "no winner"),
        (with("result", json!({ "winner": "black", "reason": "boredom" })), "the record says"),
    ] {
        let status = assert_refused(import(&portal, &wrong).await, Code::InvalidArgument, "INVALID_RECORD");
        let (field, sentence) = fault(&status);
        assert_eq!(field, "record");
        assert!(sentence.contains(says), "{sentence}");
    }
    let games = portal.client.clone().list_games(proto::ListGamesRequest::default()).await.expect("listed");
    assert!(games.into_inner().games.is_empty(), "a refused record has made a game");
}

#[tokio::test]
async fn a_record_of_no_game_is_refused_for_what_it_lacks() {
    let house = House::open().await;
    let portal = house.portal().await;
    for (wrong, why) in [
        (json!("neither form").to_string(), "INVALID_RECORD"),
        (String::new(), "INVALID_RECORD"),
        ("{".to_owned(), "INVALID_RECORD"),
        ("[Game \"quantum-control\"]\n1. e5 black\n".to_owned(), "INVALID_RECORD"),
        (with("game_type", json!("chess")).to_string(), "UNKNOWN_GAME_TYPE"),
        (with("rules_version", json!(2)).to_string(), "UNKNOWN_GAME_TYPE"),
        (with("options", json!({ "colour": "red" })).to_string(), "INVALID_OPTION"),
        (with("initial_position", json!("8/8 w")).to_string(), "INVALID_POSITION"),
    ] {
        assert_refused(import(&portal, &wrong).await, Code::InvalidArgument, why);
    }
}

#[tokio::test]
async fn an_import_that_is_sent_again_makes_no_second_game() {
    let house = House::open().await;
    let portal = house.portal().await;
    let change = Change::import("carried", &record().to_string());
    let first = change.send(&portal).await.expect("imported");
    assert!(!first.replayed);
    assert_eq!((first.game.version, first.game.status()), (5, proto::GameStatus::Finished));
    for again in [change.clone(), change.clone().anew()] {
        let answer = again.send(&portal).await.expect("the same game");
        assert_eq!((answer.replayed, &answer.game), (true, &first.game));
    }
    let other = Change::import("carried", &without("result").to_string());
    assert_refused(other.send(&portal).await, Code::AlreadyExists, "GAME_EXISTS");
    assert_refused(Change::create("carried").send(&portal).await, Code::AlreadyExists, "GAME_EXISTS");
    let again = change.on("carried-2").send(&portal).await.expect("another id, another game");
    assert_eq!(content(again.game), content(first.game));
    let missing = proto::ExportGameRequest { game_id: "nobody".to_owned(), ..Default::default() };
    let status = portal.client.clone().export_game(missing).await.expect_err("there is none");
    assert_eq!(reason(&status), "GAME_NOT_FOUND");
}
