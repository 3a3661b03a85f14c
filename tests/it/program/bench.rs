use boardkeeper::{
    api::proto::{ListGamesRequest, game_service_client::GameServiceClient},
    server::{Config, Server},
    store::Home,
};
use tokio::{net::TcpListener, task::spawn_blocking};

use super::terminal::run;

/// A server of the test's own; its address.
async fn serve(dir: &std::path::Path) -> String {
    let home = Home::Directory(dir.join("games"));
    let server = Server::open(&home, Config::default()).await.expect("the store opens");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    tokio::spawn(server.serve(listener, std::future::pending()));
    address
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_load_of_moves_is_played_and_measured() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let address = serve(dir.path()).await;
    let arguments =
        ["bench", "--server", &address, "--in-flight", "3", "--seconds", "1", "--game", "quantum"];
    let arguments = arguments.map(str::to_owned);
    let ran = spawn_blocking(move || run(&arguments.each_ref().map(String::as_str)));
    let ran = ran.await.expect("it ran");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    assert_eq!([words[1], words[2]], ["moves,", "3"], "{}", ran.out);
    let moves: usize = words[0].parse().expect("a number");
    assert!(0 < moves && ran.out.contains("p50") && ran.out.contains("p99"), "{}", ran.out);

    let mut client = GameServiceClient::connect(format!("http://{address}")).await.expect("it listens");
    let request = ListGamesRequest { page_size: 500, ..Default::default() };
    let games = client.list_games(request).await.expect("listed").into_inner().games;
    assert!(3 <= games.len() && games.iter().all(|game| game.game_type == "quantum"));
}

#[test]
fn what_is_wrong_is_said() {
    let ran = run(&["bench", "--server", "127.0.0.1:1", "--seconds", "1"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("boardkeeper: no server answers at http://127.0.0.1:1"), "{}", ran.err);
    let ran = run(&["bench", "--game", "chess"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("expected one of kvantumsakk, quantum, "), "{}", ran.err);
}
