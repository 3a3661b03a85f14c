//! Listings: which games, in which order, page by page.

use std::collections::HashMap;

use boardkeeper::api::proto::{self, GameStatus, Side};
use tonic::Code;

use super::{
    house::House,
    portal::{Portal, assert_refused, cursor, request_id},
};

/// Games of every kind that a filter tells apart, in the order of their creation.
async fn some_games(portal: &Portal) -> Vec<proto::Game> {
    let types = ["quantum-control", "surakarta", "quantum", "kvantumsakk"];
    let mut games = Vec::new();
    for number in 0..24_usize {
        let mut labels: HashMap<String, String> = [("cup".to_owned(), format!("{}", number % 3))].into();
        if number % 2 == 0 {
            labels.insert("even".to_owned(), String::new());
        }
        let request = proto::CreateGameRequest {
            request_id: request_id(),
            game_type: types[number % types.len()].to_owned(),
            black_player: ["ada", "bob", ""][number % 3].to_owned(),
            white_player: ["bob", "ada", "cyd", "ada"][number % 4].to_owned(),
            labels,
            ..Default::default()
        };
        let created = portal.client.clone().create_game(request).await.expect("created").into_inner();
        let mut game = created.game.expect("a game");
        if number % 5 == 0 {
            game = portal.resign(&game.id, 1, Side::Black).await.expect("it goes on").game.expect("a game");
        }
        games.push(game);
    }
    games
}

/// Whether a listing under this filter is to have the game.
fn fits(filter: &proto::ListGamesRequest, game: &proto::Game) -> bool {
    let status = filter.status() == GameStatus::Unspecified || filter.status() == game.status();
    let player =
        [&game.black_player, &game.white_player].contains(&&filter.player) || filter.player.is_empty();
    let game_type = filter.game_type.is_empty() || filter.game_type == game.game_type;
    let labels = filter.labels.iter().all(|(name, value)| game.labels.get(name) == Some(value));
    status && player && game_type && labels
}

fn summary(game: &proto::Game) -> proto::GameSummary {
    proto::GameSummary {
        id: game.id.clone(),
        game_type: game.game_type.clone(),
        black_player: game.black_player.clone(),
        white_player: game.white_player.clone(),
        labels: game.labels.clone(),
        status: game.status,
        create_time: game.create_time,
    }
}

/// What listings are to show of these games: newest first, those of one millisecond by their ids.
fn in_order(games: &[proto::Game]) -> Vec<proto::GameSummary> {
    let mut games: Vec<&proto::Game> = games.iter().collect();
    let age = |game: &proto::Game| game.create_time.map(|time| (-time.seconds, -time.nanos));
    games.sort_by(|a, b| age(a).cmp(&age(b)).then_with(|| a.id.cmp(&b.id)));
    games.into_iter().map(summary).collect()
}

/// All pages of a listing.
async fn pages(portal: &Portal, filter: &proto::ListGamesRequest, size: u32) -> Vec<proto::GameSummary> {
    let mut request = proto::ListGamesRequest { page_size: size, ..filter.clone() };
    let mut games = Vec::new();
    loop {
        let page = portal.client.clone().list_games(request.clone()).await.expect("listed").into_inner();
        assert!(page.games.len() <= size as usize || size == 0, "a page of {}", page.games.len());
        games.extend(page.games);
        if page.next_page_token.is_empty() {
            return games;
        }
        request.page_token = page.next_page_token;
    }
}

#[tokio::test]
async fn every_filter_lists_what_fits_newest_first_in_pages_of_any_size() {
    let house = House::open().await;
    let portal = house.portal().await;
    let games = some_games(&portal).await;
    let mut found = 0;
    for status in [GameStatus::Unspecified, GameStatus::Running, GameStatus::Finished] {
        for player in ["", "ada", "cyd", "nobody"] {
            for game_type in ["", "quantum"] {
                for labels in [&[][..], &[("cup", "1")], &[("even", "")], &[("cup", "2"), ("even", "")]] {
                    let labels = labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
                    let filter = proto::ListGamesRequest {
                        status: status.into(),
                        player: player.to_owned(),
                        game_type: game_type.to_owned(),
                        labels: labels.collect(),
                        ..Default::default()
                    };
                    let fitting: Vec<_> = games.iter().filter(|game| fits(&filter, game)).cloned().collect();
                    for size in [0, 1, 5, 500] {
                        assert_eq!(pages(&portal, &filter, size).await, in_order(&fitting), "{filter:?}");
                    }
                    found += fitting.len();
                }
            }
        }
    }
    assert!(100 < found, "the filters let next to nothing through");
}

#[tokio::test]
async fn a_token_goes_on_where_it_was_whatever_has_happened_since() {
    let house = House::open().await;
    let portal = house.portal().await;
    let games = some_games(&portal).await;
    let first = proto::ListGamesRequest { page_size: 10, ..Default::default() };
    let page = portal.client.clone().list_games(first.clone()).await.expect("listed").into_inner();
    assert_eq!(page.games, in_order(&games)[..10]);
    // New games and ended ones neither move nor hide what comes next.
    portal.create("quantum-control").await;
    let second = proto::ListGamesRequest { page_token: page.next_page_token.clone(), ..first.clone() };
    let next = portal.client.clone().list_games(second.clone()).await.expect("listed").into_inner();
    assert_eq!(next.games, in_order(&games)[10..20]);
    // The place is the token's, not the server's.
    let house = House::open_in(house.stop().await, |_| ()).await;
    let portal = house.portal().await;
    let again = portal.client.clone().list_games(second.clone()).await.expect("listed").into_inner();
    assert_eq!(again, next);
    // Another page size goes with it, another filter doesn't.
    let larger = proto::ListGamesRequest { page_size: 500, ..second.clone() };
    let rest = portal.client.clone().list_games(larger).await.expect("listed").into_inner();
    assert_eq!((&rest.games[..], rest.next_page_token.as_str()), (&in_order(&games)[10..], ""));
    let other = proto::ListGamesRequest { player: "ada".to_owned(), ..second };
    let refused = portal.client.clone().list_games(other).await;
    assert_refused(refused, Code::InvalidArgument, "MALFORMED_REQUEST");
}

#[tokio::test]
async fn wrong_listings_are_refused() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let token = |text: &str| proto::ListGamesRequest { page_token: text.to_owned(), ..Default::default() };
    for (wrong, why) in [
        (proto::ListGamesRequest { page_size: 501, ..Default::default() }, "MALFORMED_REQUEST"),
        (proto::ListGamesRequest { status: 9, ..Default::default() }, "MALFORMED_REQUEST"),
        (proto::ListGamesRequest { player: "x".repeat(129), ..Default::default() }, "MALFORMED_REQUEST"),
        (
            proto::ListGamesRequest { game_type: "chess".to_owned(), ..Default::default() },
            "UNKNOWN_GAME_TYPE",
        ),
        (token("g"), "MALFORMED_REQUEST"),
        (token("gzz"), "MALFORMED_REQUEST"),
        (token("é"), "MALFORMED_REQUEST"),
        (token(&"g00".repeat(9999)), "MALFORMED_REQUEST"),
    ] {
        let refused = portal.client.clone().list_games(wrong).await;
        assert_refused(refused, Code::InvalidArgument, why);
    }
    // A token of one kind of listing is none of another.
    portal.submit(&game.id, 1, "e5").await.expect("legal");
    let events = proto::ListGameEventsRequest { game_id: game.id, page_size: 1, ..Default::default() };
    let page = portal.client.clone().list_game_events(events).await.expect("listed").into_inner();
    let refused = portal.client.clone().list_games(token(&page.next_page_token)).await;
    assert_refused(refused, Code::InvalidArgument, "MALFORMED_REQUEST");
}

#[tokio::test]
async fn a_batch_has_the_games_that_exist_in_the_order_asked_for() {
    let house = House::open().await;
    let portal = house.portal().await;
    let games = some_games(&portal).await;
    let batch = async |ids: Vec<String>| {
        let request = proto::BatchGetGamesRequest { game_ids: ids };
        portal.client.clone().batch_get_games(request).await.map(tonic::Response::into_inner)
    };
    let (one, two) = (&games[3], &games[20]);
    let ids = [&two.id, "nobody", &one.id, "no-one", &two.id].map(str::to_owned).to_vec();
    let answer = batch(ids).await.expect("answered");
    assert_eq!(answer.games, [two.clone(), one.clone(), two.clone()]);
    assert_eq!(answer.missing_game_ids, ["nobody", "no-one"]);
    let most = batch(vec![one.id.clone(); 100]).await.expect("answered");
    assert_eq!((most.games.len(), most.missing_game_ids.len()), (100, 0));
    for wrong in [vec![], vec![one.id.clone(); 101], vec![one.id.clone(), "a b".to_owned()]] {
        assert_refused(batch(wrong).await, Code::InvalidArgument, "MALFORMED_REQUEST");
    }
}

#[tokio::test]
async fn a_history_is_read_from_any_place_in_pages_of_any_size() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create("quantum-control").await;
    let game = portal.play_on(&game, 12).await;
    let whole = portal.history(&game.id).await;
    assert_eq!(whole.len(), 13);
    assert_eq!(whole.last().map(|event| event.digest.clone()), Some(cursor(&game).digest));
    for after in 0..=13 {
        let digest = whole[..after].last().map(|event| event.digest.clone()).unwrap_or_default();
        let cursor = proto::Cursor { version: after as u64, digest };
        for page_size in [0, 1, 4, 1000] {
            let mut request = proto::ListGameEventsRequest {
                game_id: game.id.clone(),
                after: Some(cursor.clone()),
                page_size,
                ..Default::default()
            };
            let mut events = Vec::new();
            loop {
                let page = portal.client.clone().list_game_events(request.clone()).await.expect("listed");
                let page = page.into_inner();
                assert!(page.events.len() <= page_size as usize || page_size == 0);
                events.extend(page.events);
                if page.next_page_token.is_empty() {
                    break;
                }
                request.page_token = page.next_page_token;
            }
            assert_eq!(events, whole[after..], "after {after} by {page_size}");
        }
    }
}
