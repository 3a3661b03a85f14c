//! The client that is shipped with the service resumes where it was.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    thread,
};

use boardkeeper::api::proto::Side;
use tokio::sync::mpsc;

use super::{house::House, reader::soon, wander};
use crate::proxy::Proxy;

/// `boardkeeper watch`, and the versions that it shows.
struct Watch {
    child: std::process::Child,
    shown: mpsc::UnboundedReceiver<u64>,
}

impl Watch {
    fn start(game: &str, server: &str) -> Watch {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boardkeeper"))
            .args(["--color", "never", "watch", game, "--server", server])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program was built with the tests");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (show, shown) = mpsc::unbounded_channel();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let version = line.split("version ").nth(1).and_then(|version| version.parse().ok());
                version.into_iter().for_each(|version| {
                    // Whoever looked may have seen enough.
                    let _ = show.send(version);
                });
            }
        });
        Watch { child, shown }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Already ended or not: no process outlives its test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s6_the_shipped_client_goes_on_after_the_last_event_that_it_saw() {
    let house = House::open().await;
    let portal = house.portal().await;
    let wire = Proxy::to(house.address()).await;
    let mut game = wander::begin_after(&portal, 2).await;
    let mut watch = Watch::start(&game.id, wire.address());
    let mut shown = Vec::new();
    for _ in 0..4 {
        while shown.last() != Some(&game.version) {
            shown.push(soon(watch.shown.recv()).await.expect("it goes on"));
        }
        // Two moves are made in the gap, and one beside the new stream.
        wire.cut();
        game = wander::go_to(&portal, &game, game.version + 3).await;
    }
    portal.resign(&game.id, game.version, Side::White).await.expect("it goes on");
    while let Some(version) = soon(watch.shown.recv()).await {
        shown.push(version);
    }
    assert_eq!(shown, (1..=game.version + 1).collect::<Vec<_>>());
    assert!(watch.child.wait().expect("it was ours").success());
}
