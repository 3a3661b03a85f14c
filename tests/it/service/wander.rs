//! A game of any length up to a thousand moves: on an otherwise empty board of Surakarta, each side
//! walks its only piece round and round its own half.

use boardkeeper::api::proto::{self, game_options::Options};
use serde_json::json;

use super::{
    change::Change,
    portal::{Portal, request_id},
};

/// How many moves make the whole game; with the last it is over by its move limit.
pub(super) const MOVES: u64 = 1000;

const START: &str = "6/1w4/6/6/4b1/6 b 0";

/// Where the pieces go. The lengths have no common divisor, so that no position comes a third time
/// within the thousand moves.
const BLACK: [&str; 17] =
    ["e5", "d5", "d6", "c6", "c5", "b5", "a6", "a5", "a4", "b4", "c4", "d4", "e4", "f4", "f5", "f6", "e6"];
const WHITE: [&str; 18] = [
    "b2", "b3", "a3", "a2", "a1", "b1", "c1", "d1", "e1", "f1", "f2", "f3", "e3", "e2", "d2", "d3", "c3",
    "c2",
];

/// The move that follows version `version`.
pub(super) fn step(version: u64) -> String {
    let ply = version as usize - 1;
    let round: &[&str] = if ply.is_multiple_of(2) { &BLACK } else { &WHITE };
    let turn = ply / 2;
    format!("{}-{}", round[turn % round.len()], round[(turn + 1) % round.len()])
}

/// The creation of a game under this id.
pub(super) fn creation(id: &str) -> Change {
    let options = proto::SurakartaOptions { move_limit: Some(MOVES as u32), majority: false };
    Change::Create(proto::CreateGameRequest {
        request_id: request_id(),
        game_id: id.to_owned(),
        game_type: "surakarta".to_owned(),
        options: Some(proto::GameOptions { options: Some(Options::Surakarta(options)) }),
        initial_position: START.to_owned(),
        ..Default::default()
    })
}

/// A new game at version 1.
pub(super) async fn begin(portal: &Portal) -> proto::Game {
    creation("").send(portal).await.expect("created").game
}

/// A game in which so many moves have been made already.
pub(super) async fn begin_after(portal: &Portal, moves: u64) -> proto::Game {
    let over = json!({ "winner": "none", "reason": "move_limit" });
    let record = json!({
        "format": "boardkeeper-game/1",
        "game_type": "surakarta",
        "options": { "move_limit": MOVES.to_string() },
        "initial_position": START,
        "moves": (1..=moves).map(step).collect::<Vec<_>>(),
        "result": if moves == MOVES { over } else { json!(null) },
    });
    let request = proto::ImportGameRequest {
        request_id: request_id(),
        record: record.to_string(),
        ..Default::default()
    };
    let game = portal.client.clone().import_game(request).await.expect("legal").into_inner().game;
    game.expect("a game")
}

/// Makes the next move of a game at a version.
pub(super) async fn go_on(portal: &Portal, id: &str, version: u64) -> proto::Game {
    let played = portal.submit(id, version, &step(version)).await.expect("legal");
    played.game.expect("a game")
}

/// Makes moves until the game is at a version.
pub(super) async fn go_to(portal: &Portal, game: &proto::Game, version: u64) -> proto::Game {
    let mut game = game.clone();
    while game.version < version {
        game = go_on(portal, &game.id, game.version).await;
    }
    game
}
