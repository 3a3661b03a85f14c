//! The plain calls, one after the other, as a portal makes them.

use boardkeeper::api::proto;
use tonic::Code;

use super::{
    house::House,
    portal::{assert_refused, assert_whole, request_id},
};

#[tokio::test]
async fn a_game_is_created_played_and_read_back() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    assert_eq!((game.version, game.side_to_move()), (1, proto::Side::Black));
    assert!(game.cells.is_empty());
    let played = portal.submit(&game.id, 1, " E5 ").await.expect("legal");
    let (after, event) = (played.game.expect("a game"), played.event.expect("an event"));
    assert_eq!((after.version, after.side_to_move()), (2, proto::Side::White));
    assert_eq!(after.last_move.as_ref().map(|mv| mv.text.as_str()), Some("e5"));
    assert_eq!((event.version, event.digest), (2, after.digest.clone()));
    assert_eq!(portal.get(&game.id).await.expect("kept"), after);
    let history = portal.history(&game.id).await;
    assert_whole(&history);
    assert_eq!(history.len(), 2);
}

#[tokio::test]
async fn a_preview_plays_nothing() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let request = proto::SubmitMoveRequest {
        game_id: game.id.clone(),
        expected_version: 1,
        r#move: Some(proto::submit_move_request::Move::Text("e5".to_owned())),
        validate_only: true,
        ..Default::default()
    };
    let preview = portal.client.clone().submit_move(request).await.expect("legal").into_inner();
    let shown = preview.game.expect("a game");
    assert_eq!((shown.version, shown.cells.len()), (2, 1));
    assert!(shown.digest.is_empty());
    assert_eq!(portal.get(&game.id).await.expect("kept"), game);
}

#[tokio::test]
async fn the_same_creation_again_is_the_same_game() {
    let house = House::open().await;
    let portal = house.portal().await;
    let request = proto::CreateGameRequest {
        request_id: request_id(),
        game_type: "quantum-control".to_owned(),
        black_player: "ada".to_owned(),
        ..Default::default()
    };
    let mut client = portal.client.clone();
    let first = client.create_game(request.clone()).await.expect("created").into_inner();
    let again = client.create_game(request.clone()).await.expect("found").into_inner();
    assert_eq!((first.replayed, again.replayed), (false, true));
    assert_eq!(first.game, again.game);
    let other = proto::CreateGameRequest { black_player: "bob".to_owned(), ..request };
    let refused = client.create_game(other).await;
    assert_refused(refused, Code::InvalidArgument, "REQUEST_ID_REUSED");
}
