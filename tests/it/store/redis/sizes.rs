//! How much of Redis's memory games take.

use std::{fs, sync::Arc};

use boardkeeper::{
    game::{Command, Creation, Deed, Fingerprint, GameKey, RULES_VERSION, RequestId},
    ledger::{Ledger, system_clock},
    store::{Redis, RedisSettings},
    watch::Hub,
};
use uuid::Uuid;

use super::RedisServer;

/// The most that a whole game of Quantum Control may take, in bytes.
const LARGEST: u64 = 16 << 10;

/// The turns of a game of Quantum Control.
fn recorded() -> (String, Vec<String>) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games-quantum-control.jsonl");
    let games = fs::read_to_string(file).unwrap();
    let games = games.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let longest = games.max_by_key(|game| game["moves"].as_array().unwrap().len()).unwrap();
    (text(&longest["start"]), longest["moves"].as_array().unwrap().iter().map(text).collect())
}

async fn play(ledger: &Arc<Ledger>) -> GameKey {
    let request = || RequestId(Uuid::now_v7().into_bytes());
    let (start, moves) = recorded();
    let first = request();
    let id = Uuid::from_bytes(first.0).to_string().parse().unwrap();
    let key = GameKey { tenant: "default".parse().unwrap(), id };
    let creation = Creation {
        game_type: "quantum-control".into(),
        rules_version: RULES_VERSION,
        options: Default::default(),
        position: Some(start),
        black_player: Uuid::now_v7().to_string(),
        white_player: Uuid::now_v7().to_string(),
        labels: [("event".into(), "autumn cup".into())].into(),
        imported_moves: 0,
    };
    ledger.create(&key, first, Fingerprint::of(&1), creation).await.unwrap();
    for (expected, text) in (1..).zip(moves) {
        let deed = Deed::Move { text, side: None };
        ledger.execute(&key, request(), Command { expected, digest: None, deed }).await.unwrap();
    }
    key
}

#[tokio::test]
async fn a_whole_game_takes_little_memory() {
    let server = RedisServer::durable();
    let hub = Arc::new(Hub::default());
    let store = Redis::open(&server.url(), RedisSettings::default(), hub.clone()).await.unwrap();
    let ledger = Arc::new(Ledger::new(Arc::new(store), hub, 16, system_clock()));
    let key = play(&ledger).await;
    let mut whole = 0;
    for what in ["log", "ids", "card"] {
        let name = format!("bk1:{{{key}}}:{what}");
        let bytes: u64 = server.ask(&["MEMORY", "USAGE", &name, "SAMPLES", "0"]);
        println!("{what}: {bytes} bytes");
        whole += bytes;
    }
    let length: u64 = server.ask(&["LLEN", &format!("bk1:{{{key}}}:log")]);
    println!("{length} entries: {whole} bytes");
    assert!(50 < length, "it is a short game");
    assert!(whole <= LARGEST, "{whole} bytes");
}

#[tokio::test]
async fn a_place_in_a_list_takes_little_memory() {
    let server = RedisServer::durable();
    let hub = Arc::new(Hub::default());
    let store = Redis::open(&server.url(), RedisSettings::default(), hub.clone()).await.unwrap();
    for number in 0..1_000u64 {
        let key = crate::store::games::key("size", &Uuid::now_v7().to_string());
        let mut birth = crate::store::games::birth(&key);
        birth.card.created.0 = number;
        boardkeeper::store::Store::create(&store, birth).await.unwrap();
    }
    let lists: Vec<String> = server.ask(&["KEYS", "bk1:list:*"]);
    for list in &lists {
        let bytes: u64 = server.ask(&["MEMORY", "USAGE", list, "SAMPLES", "0"]);
        println!("{list}: {} bytes a game", bytes / 1_000);
        assert!(bytes < 200_000, "{bytes} bytes for 1,000 places");
    }
    assert_eq!(lists.len(), 5);
}
