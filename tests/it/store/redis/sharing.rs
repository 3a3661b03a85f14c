//! Two servers on one Redis.

use std::sync::Arc;

use boardkeeper::store::{Committed, Created, Store};

use super::{RedisServer, open};
use crate::store::games::{after, begin, birth, commit, entries, entry, go_on, key, request};

#[tokio::test]
async fn what_one_has_written_the_other_reads_at_once() {
    let server = RedisServer::durable();
    let (here, there) = (open(&server.url()).await, open(&server.url()).await);
    for number in 0..50 {
        let key = key("share", &format!("game-{number}"));
        let head = begin(&here, &key).await;
        assert_eq!(there.read(&key, 0, 10).await.unwrap().unwrap().head, head);
        let head = go_on(&there, &key, head, 1).await;
        assert_eq!(here.read(&key, 0, 10).await.unwrap().unwrap().head, head);
        assert_eq!(here.find(&key, request(1)).await.unwrap(), Some(2));
        assert_eq!(here.create(birth(&key)).await.unwrap(), Created::Exists(entries(&key, 1).remove(0)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_changes_through_both_one_happens() {
    let server = RedisServer::durable();
    let stores = [Arc::new(open(&server.url()).await), Arc::new(open(&server.url()).await)];
    let key = key("race", "game");
    let mut head = begin(&*stores[0], &key).await;
    for round in 1..=50 {
        let writers = (0..8).map(|number| {
            let mut commit = commit(&key, head, request(round * 100 + number));
            commit.entry = entry(head.digest, &[number as u8]);
            let store = stores[number as usize % 2].clone();
            tokio::spawn(async move { (store.commit(commit.clone()).await.unwrap(), after(&commit)) })
        });
        let mut done = Vec::new();
        let mut stale = Vec::new();
        for writer in writers.collect::<Vec<_>>() {
            match writer.await.unwrap() {
                (Committed::Done, now) => done.push(now),
                (Committed::Stale(now), _) => stale.push(now),
                (other, _) => panic!("{other:?}"),
            }
        }
        let [now] = done[..] else { panic!("{} happened", done.len()) };
        assert!(stale.iter().all(|other| *other == now), "the others are told of it");
        head = now;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_one_request_through_both_one_happens() {
    let server = RedisServer::durable();
    let stores = [Arc::new(open(&server.url()).await), Arc::new(open(&server.url()).await)];
    let key = key("repeat", "game");
    let head = begin(&*stores[0], &key).await;
    let again = commit(&key, head, request(1));
    let writers = (0..100).map(|number| {
        let (store, commit) = (stores[number % 2].clone(), again.clone());
        tokio::spawn(async move { store.commit(commit).await.unwrap() })
    });
    let mut done = 0;
    for writer in writers.collect::<Vec<_>>() {
        match writer.await.unwrap() {
            Committed::Done => done += 1,
            other => assert_eq!(other, Committed::Repeated(2)),
        }
    }
    assert_eq!(done, 1);
}
