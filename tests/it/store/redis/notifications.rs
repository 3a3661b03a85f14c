use std::{sync::Arc, sync::Mutex, time::Duration};

use boardkeeper::{
    game::GameKey,
    store::{Bell, Redis, RedisSettings, Store},
};
use tokio::time::{sleep, timeout};

use super::{RedisCluster, RedisServer};
use crate::store::games::{begin, commit, go_on, key, request};

/// Notes which games are rung for.
#[derive(Default)]
struct Notes(Mutex<Vec<GameKey>>);

impl Bell for Notes {
    fn ring(&self, key: &GameKey) {
        self.0.lock().unwrap().push(key.clone());
    }
}

impl Notes {
    async fn until(&self, expected: &[GameKey]) {
        let heard = async {
            while *self.0.lock().unwrap() != expected {
                sleep(Duration::from_millis(2)).await;
            }
        };
        let waiting = timeout(Duration::from_secs(60), heard).await;
        assert!(waiting.is_ok(), "heard {:?} instead of {expected:?}", self.0.lock().unwrap());
    }

    async fn open(url: &str) -> (Redis, Arc<Notes>) {
        let notes = Arc::new(Notes::default());
        (Redis::open(url, RedisSettings::default(), notes.clone()).await.unwrap(), notes)
    }
}

/// Waits until somebody listens on so many connections.
async fn wait_for_listeners(servers: &[&RedisServer], count: usize) {
    let listening = |server: &&RedisServer| -> usize {
        let clients: String = server.ask(&["CLIENT", "LIST", "TYPE", "pubsub"]);
        clients.lines().filter(|line| line.contains("sub=1")).count()
    };
    let waiting = async {
        while servers.iter().map(listening).sum::<usize>() != count {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(60), waiting).await.unwrap();
}

#[tokio::test]
async fn the_other_server_is_rung_for_what_grew() {
    let server = RedisServer::durable();
    let ((here, heard_here), (there, heard_there)) =
        (Notes::open(&server.url()).await, Notes::open(&server.url()).await);
    wait_for_listeners(&[&server], 2).await;
    let (one, two) = (key("bell", "one"), key("bell", "two"));
    let head = begin(&here, &one).await;
    begin(&here, &two).await;
    go_on(&here, &one, head, 1).await;
    // None of these changes anything.
    here.commit(commit(&one, head, request(1))).await.unwrap();
    here.commit(commit(&one, head, request(2))).await.unwrap();
    here.commit(commit(&key("bell", "none"), head, request(2))).await.unwrap();
    begin(&here, &key("bell", "last")).await;
    heard_there.until(&[one.clone(), two.clone(), one.clone(), key("bell", "last")]).await;

    // One's own changes ring at once, a repeated one again, and not a second time when they come back.
    begin(&there, &key("bell", "back")).await;
    let own = [one.clone(), two, one.clone(), one, key("bell", "last"), key("bell", "back")];
    heard_here.until(&own).await;
}

#[tokio::test]
async fn one_connection_listens_however_many_games_there_are() {
    let server = RedisServer::durable();
    let ((here, _), (_there, heard)) = (Notes::open(&server.url()).await, Notes::open(&server.url()).await);
    wait_for_listeners(&[&server], 2).await;
    let keys: Vec<_> = (0..300).map(|number| key("many", &format!("game-{number}"))).collect();
    for key in &keys {
        begin(&here, key).await;
    }
    heard.until(&keys).await;
    wait_for_listeners(&[&server], 2).await;
}

#[tokio::test]
async fn it_listens_again_after_its_connection_was_cut() {
    let server = RedisServer::durable();
    let ((here, _), (_there, heard)) = (Notes::open(&server.url()).await, Notes::open(&server.url()).await);
    wait_for_listeners(&[&server], 2).await;
    server.ask::<u32>(&["CLIENT", "KILL", "TYPE", "pubsub"]);
    wait_for_listeners(&[&server], 2).await;
    let key = key("again", "game");
    begin(&here, &key).await;
    heard.until(&[key]).await;
}

#[tokio::test]
async fn databases_do_not_hear_each_other() {
    let server = RedisServer::durable();
    let here = Notes::open(&format!("{}/1", server.url())).await;
    let ((there, _), (_third, heard)) = (
        Notes::open(&format!("{}/2", server.url())).await,
        Notes::open(&format!("{}/2", server.url())).await,
    );
    wait_for_listeners(&[&server], 3).await;
    begin(&here.0, &key("first", "game")).await;
    begin(&there, &key("second", "game")).await;
    heard.until(&[key("second", "game")]).await;
}

#[tokio::test]
async fn any_node_of_a_cluster_tells_of_all_games() {
    let cluster = RedisCluster::start(false);
    let ((here, _), (_there, heard)) = (Notes::open(&cluster.url()).await, Notes::open(&cluster.url()).await);
    wait_for_listeners(&cluster.masters.iter().collect::<Vec<_>>(), 2).await;
    let keys: Vec<_> = (0..30).map(|number| key("bell", &format!("game-{number}"))).collect();
    for key in &keys {
        begin(&here, key).await;
    }
    // They come by way of several nodes, so in any order.
    let all_heard = async {
        loop {
            let mut games = heard.0.lock().unwrap().clone();
            games.sort();
            if games.len() == keys.len() {
                let mut keys = keys.clone();
                keys.sort();
                return assert_eq!(games, keys);
            }
            sleep(Duration::from_millis(2)).await;
        }
    };
    timeout(Duration::from_secs(60), all_heard).await.unwrap();
}
