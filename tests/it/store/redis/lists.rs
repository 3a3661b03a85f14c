//! The lists of games: whole whatever dies, and without leftovers.

use std::time::Duration;

use boardkeeper::{
    game::{GameId, Tenant},
    store::{Card, Committed, Filter, Redis, Store},
};
use tokio::time::sleep;

use super::{RedisCluster, RedisServer, open, open_with};
use crate::store::games::{begin, birth, card, commit, id, key, request, tenant};

async fn listed(store: &Redis, tenant: &Tenant, filter: &Filter) -> Vec<GameId> {
    let page = store.list(tenant, filter, None, 1_000).await.unwrap();
    page.games.into_iter().map(|(id, _)| id).collect()
}

fn finished(finished: bool) -> Filter {
    Filter { finished: Some(finished), ..Filter::default() }
}

/// Waits for a state; the sweeper works by itself.
async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        while !is_so().await {
            sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting)
        .await
        .unwrap_or_else(|_| panic!("{what}: in vain"));
}

/// A store whose lists are swept all the time.
async fn sweeping(url: &str) -> Redis {
    open_with(url, |settings| settings.sweep = Duration::from_millis(100)).await
}

async fn end(store: &Redis, game: &str) {
    let key = key("list", game);
    let head = begin(store, &key).await;
    let mut last = commit(&key, head, request(1));
    last.finished = Some(Card { finished: true, ..card() });
    assert_eq!(store.commit(last).await.unwrap(), Committed::Done);
}

#[tokio::test]
async fn a_place_whose_game_was_never_written_is_not_shown_and_goes() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    begin(&store, &key("list", "whole")).await;
    // Places are entered, and then the server dies.
    begin(&store, &key("list", "lost")).await;
    server.ask::<()>(&["DEL", "bk1:{list/lost}:log", "bk1:{list/lost}:ids", "bk1:{list/lost}:card"]);
    assert_eq!(listed(&store, &tenant("list"), &Filter::default()).await, [id("whole")]);
    assert_eq!(listed(&store, &tenant("list"), &finished(false)).await, [id("whole")]);

    let _sweeper = sweeping(&server.url()).await;
    let lists = server.ask::<Vec<String>>(&["KEYS", "bk1:list:*"]);
    assert_eq!(lists.len(), 5);
    until("each list holds one place", async || {
        lists.iter().all(|list| server.ask::<u64>(&["ZCARD", list]) == 1)
    })
    .await;
    // The game may be begun after all.
    begin(&store, &key("list", "lost")).await;
    assert_eq!(listed(&store, &tenant("list"), &Filter::default()).await, [id("lost"), id("whole")]);
}

#[tokio::test]
async fn a_game_that_ended_as_its_server_died_is_where_it_belongs() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    end(&store, "ended").await;
    // As if its server had died before it took the game off the list of those that go on.
    let running = "bk1:list:list:47dc540c94ceb704a23875c11273e16b";
    let over = "bk1:list:list:9dcf97a184f32623d11a73124ceb99a5";
    let place: Vec<Vec<u8>> = server.ask(&["ZRANGE", over, "0", "-1"]);
    let mut connection = ::redis::Client::open(server.url()).unwrap().get_connection().unwrap();
    ::redis::cmd("ZADD").arg(running).arg(0).arg(&place[0]).exec(&mut connection).unwrap();
    assert_eq!(listed(&store, &tenant("list"), &finished(false)).await, [] as [GameId; 0]);
    assert_eq!(listed(&store, &tenant("list"), &finished(true)).await, [id("ended")]);

    let _sweeper = sweeping(&server.url()).await;
    until("the leftover goes", async || server.ask::<u64>(&["EXISTS", running]) == 0).await;
    assert_eq!(listed(&store, &tenant("list"), &finished(true)).await, [id("ended")]);
}

#[tokio::test]
async fn a_creation_that_was_tried_twice_is_listed_once() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    let key = key("list", "twice");
    begin(&store, &key).await;
    let mut again = birth(&key);
    again.card.created.0 += 1;
    again.card.white_player = "cyd".into();
    store.create(again).await.unwrap();
    assert_eq!(listed(&store, &tenant("list"), &Filter::default()).await, [id("twice")]);
    let player = Filter { player: Some("cyd".into()), ..Filter::default() };
    assert_eq!(listed(&store, &tenant("list"), &player).await, [] as [GameId; 0]);
}

#[tokio::test]
async fn lost_lists_are_made_again() {
    let server = RedisServer::durable();
    let store = open(&server.url()).await;
    for game in ["a", "b", "c"] {
        begin(&store, &key("list", game)).await;
    }
    end(&store, "d").await;
    for list in server.ask::<Vec<String>>(&["KEYS", "bk1:list:*"]) {
        server.ask::<()>(&["DEL", &list]);
    }
    assert_eq!(listed(&store, &tenant("list"), &Filter::default()).await, [] as [GameId; 0]);
    let _sweeper = sweeping(&server.url()).await;
    until("all games are listed", async || {
        listed(&store, &tenant("list"), &Filter::default()).await == ["a", "b", "c", "d"].map(id)
            && listed(&store, &tenant("list"), &finished(false)).await == ["a", "b", "c"].map(id)
            && listed(&store, &tenant("list"), &finished(true)).await == ["d"].map(id)
    })
    .await;
}

#[tokio::test]
async fn games_are_kept_for_a_time_after_their_end_and_leave_nothing() {
    let server = RedisServer::durable();
    let store = open_with(&server.url(), |settings| {
        settings.keep_finished = Some(Duration::from_secs(4));
        settings.sweep = Duration::from_millis(100);
    })
    .await;
    let mut born_finished = birth(&key("list", "import"));
    born_finished.card.finished = true;
    store.create(born_finished).await.unwrap();
    for game in ["one", "two"] {
        end(&store, game).await;
    }
    assert_eq!(store.find(&key("list", "one"), request(1)).await.unwrap(), Some(2), "it is kept for a time");
    for what in ["log", "ids", "card"] {
        let left: i64 = server.ask(&["PTTL", &format!("bk1:{{list/one}}:{what}")]);
        assert!((1..=4_000).contains(&left), "{what} is kept for {left} ms");
    }
    until("nothing is left", async || {
        let keys: Vec<String> = server.ask(&["KEYS", "*"]);
        keys.iter().all(|key| key == "bk1:sweep")
    })
    .await;
    assert_eq!(store.read(&key("list", "one"), 0, 1).await.unwrap(), None);
}

#[tokio::test]
async fn games_that_go_on_are_kept_for_ever() {
    let server = RedisServer::durable();
    let store =
        open_with(&server.url(), |settings| settings.keep_finished = Some(Duration::from_millis(1))).await;
    begin(&store, &key("list", "running")).await;
    for what in ["log", "ids", "card"] {
        assert_eq!(server.ask::<i64>(&["PTTL", &format!("bk1:{{list/running}}:{what}")]), -1);
    }
    let kept = open(&server.url()).await;
    end(&kept, "ended").await;
    assert_eq!(server.ask::<i64>(&["PTTL", "bk1:{list/ended}:log"]), -1, "by default, finished ones too");
}

#[tokio::test]
async fn a_cluster_is_swept_whole() {
    let cluster = RedisCluster::start(false);
    let store = open_with(&cluster.url(), |settings| {
        settings.keep_finished = Some(Duration::from_millis(1));
        settings.sweep = Duration::from_millis(100);
    })
    .await;
    for number in 0..30 {
        end(&store, &format!("game-{number}")).await;
    }
    until("nothing is left", async || {
        let keys = |server: &RedisServer| server.ask::<Vec<String>>(&["KEYS", "*"]);
        cluster.masters.iter().flat_map(keys).all(|key| key == "bk1:sweep")
    })
    .await;
}

#[tokio::test]
async fn one_server_sweeps_for_all() {
    let server = RedisServer::durable();
    let rhythm =
        |settings: &mut boardkeeper::store::RedisSettings| settings.sweep = Duration::from_millis(700);
    let _stores = [open_with(&server.url(), rhythm).await, open_with(&server.url(), rhythm).await];
    let heard = server.overhear(sleep(Duration::from_millis(1_700))).await;
    let count = |word: &str| heard.iter().filter(|line| line.contains(word)).count();
    let (tried, done) = (count("\"bk1:sweep\""), count("\"SCAN\""));
    assert!(2 <= tried && 1 <= done && 2 * done <= tried + 1, "{tried} tried and {done} did: {heard:?}");
}
