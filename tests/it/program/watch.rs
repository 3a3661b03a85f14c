use std::{process::Child, sync::Arc, time::Duration};

use boardkeeper::{
    api::proto::{self, game_service_client::GameServiceClient, submit_move_request::Move},
    server::{Config, Server},
    store::Home,
};
use tempfile::TempDir;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::spawn_blocking,
    time::sleep,
};
use tonic::transport::Channel;

use super::terminal::{program, run};

/// A server with one game, for a test to play in.
struct Scene {
    address: String,
    client: GameServiceClient<Channel>,
    game: proto::Game,
    _dir: TempDir,
}

impl Scene {
    async fn open(change: impl FnOnce(&mut Config)) -> Scene {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mut config = Config::default();
        change(&mut config);
        let server =
            Server::open(&Home::Directory(dir.path().join("games")), config).await.expect("the store opens");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound").to_string();
        tokio::spawn(server.serve(listener, std::future::pending()));
        let mut client = GameServiceClient::connect(format!("http://{address}")).await.expect("it listens");
        let request = proto::CreateGameRequest {
            request_id: uuid::Uuid::now_v7().to_string(),
            game_type: "quantum-control".to_owned(),
            game_id: "watched".to_owned(),
            ..Default::default()
        };
        let game = client.create_game(request).await.expect("created").into_inner().game.expect("a game");
        Scene { address, client, game, _dir: dir }
    }

    async fn play(&mut self, text: &str) {
        let request = proto::SubmitMoveRequest {
            game_id: self.game.id.clone(),
            expected_version: self.game.version,
            request_id: uuid::Uuid::now_v7().to_string(),
            r#move: Some(Move::Text(text.to_owned())),
            ..Default::default()
        };
        self.game = self.client.submit_move(request).await.expect("legal").into_inner().game.expect("a game");
    }

    async fn resign(&mut self) {
        let request = proto::ResignRequest {
            game_id: self.game.id.clone(),
            expected_version: self.game.version,
            request_id: uuid::Uuid::now_v7().to_string(),
            side: proto::Side::White.into(),
            ..Default::default()
        };
        self.client.resign(request).await.expect("resigned");
    }
}

fn watch(address: &str) -> Child {
    program(&["watch", "watched", "--server", address]).spawn().expect("the program was built with the tests")
}

/// Waits for the end of a watch, which must have shown every version up to this one once, in order.
async fn assert_saw(watch: Child, last: u64) -> String {
    let output = spawn_blocking(|| watch.wait_with_output()).await.expect("no panic").expect("it ends");
    let err = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(0), "{err}");
    let out = String::from_utf8(output.stdout).expect("text");
    let shown = out.lines().filter_map(|line| line.split("version ").nth(1)?.parse().ok());
    assert_eq!(shown.collect::<Vec<u64>>(), (1..=last).collect::<Vec<_>>(), "{out}");
    assert!(out.contains("Black wins: resignation"), "{out}");
    err
}

#[tokio::test]
async fn a_watch_goes_on_where_its_connection_broke() {
    let mut scene = Scene::open(|_| ()).await;
    let cut = Arc::new(Notify::new());
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let proxy = listener.local_addr().expect("bound").to_string();
    tokio::spawn(relay(listener, scene.address.clone(), cut.clone()));
    let watching = watch(&proxy);
    scene.play("e5").await;
    sleep(Duration::from_millis(500)).await;
    cut.notify_waiters();
    scene.play("a1+e8").await;
    scene.resign().await;
    let err = assert_saw(watching, 4).await;
    assert!(err.contains("going on from here"), "{err}");
}

/// Passes connections on to a server until they are cut.
async fn relay(listener: TcpListener, server: String, cut: Arc<Notify>) {
    loop {
        let (mut near, _) = listener.accept().await.expect("a connection");
        let (server, cut) = (server.clone(), cut.clone());
        tokio::spawn(async move {
            let mut far = TcpStream::connect(server).await.expect("the server listens");
            tokio::select! {
                _ = copy_bidirectional(&mut near, &mut far) => {}
                () = cut.notified() => {}
            }
        });
    }
}

#[tokio::test]
async fn a_watch_outlives_its_streams() {
    let mut scene = Scene::open(|config| config.stream_age = Duration::from_millis(300)).await;
    let watching = watch(&scene.address);
    scene.play("e5").await;
    sleep(Duration::from_millis(900)).await;
    scene.play("a1+e8").await;
    scene.resign().await;
    let err = assert_saw(watching, 4).await;
    assert!(err.contains("the server is going away"), "{err}");
}

#[tokio::test]
async fn a_game_that_is_not_there_is_said_to_be_so() {
    let scene = Scene::open(|_| ()).await;
    let address = scene.address.clone();
    let ran =
        spawn_blocking(move || run(&["watch", "nothing", "--server", &address])).await.expect("no panic");
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), "boardkeeper: there is no game nothing\n"));
}
