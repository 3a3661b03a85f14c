use std::time::Duration;

use boardkeeper::api::proto::{self, game_service_client::GameServiceClient};
use tonic::{Code, Status, Streaming, transport::Channel};
use tonic_types::StatusExt;
use uuid::Uuid;

/// What the tests call the service with: the generated client, and the calls that tests make often.
#[derive(Clone)]
pub(super) struct Portal {
    pub(super) client: GameServiceClient<Channel>,
}

/// A new request id.
pub(super) fn request_id() -> String {
    Uuid::now_v7().to_string()
}

/// The reason of a refusal, and its metadata.
pub(super) fn reason(status: &Status) -> String {
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo in {status:?}"));
    assert_eq!(info.domain, "boardkeeper");
    info.reason.clone()
}

/// One value of a refusal's metadata.
pub(super) fn metadata(status: &Status, name: &str) -> String {
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo in {status:?}"));
    info.metadata.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", info.metadata)).clone()
}

/// The time after which a refused caller is told to try again.
pub(super) fn retry_after(status: &Status) -> Option<Duration> {
    status.get_error_details().retry_info().and_then(|info| info.retry_delay)
}

/// Asserts on the code and the reason of a refusal.
#[track_caller]
pub(super) fn assert_refused<T: std::fmt::Debug>(answer: Result<T, Status>, code: Code, why: &str) -> Status {
    let status = answer.expect_err("a refusal");
    assert_eq!((status.code(), reason(&status).as_str()), (code, why), "{status:?}");
    status
}

impl Portal {
    pub(super) fn new(client: GameServiceClient<Channel>) -> Portal {
        Portal { client }
    }

    /// A new game of this type from its usual start.
    pub(super) async fn create(&self, game_type: &str) -> proto::Game {
        self.create_from(game_type, "").await
    }

    /// A new game of this type from a position.
    pub(super) async fn create_from(&self, game_type: &str, position: &str) -> proto::Game {
        let request = proto::CreateGameRequest {
            request_id: request_id(),
            game_type: game_type.to_owned(),
            initial_position: position.to_owned(),
            ..Default::default()
        };
        let answer = self.client.clone().create_game(request).await.expect("created");
        answer.into_inner().game.expect("a game")
    }

    pub(super) async fn get(&self, id: &str) -> Result<proto::Game, Status> {
        let request = proto::GetGameRequest { game_id: id.to_owned(), version: 0 };
        Ok(self.client.clone().get_game(request).await?.into_inner().game.expect("a game"))
    }

    /// Submits a move by its text under a new request id.
    pub(super) async fn submit(
        &self,
        id: &str,
        version: u64,
        text: &str,
    ) -> Result<proto::SubmitMoveResponse, Status> {
        self.submit_as(id, version, text, &request_id()).await
    }

    /// Submits a move by its text under this request id.
    pub(super) async fn submit_as(
        &self,
        id: &str,
        version: u64,
        text: &str,
        request: &str,
    ) -> Result<proto::SubmitMoveResponse, Status> {
        let request = proto::SubmitMoveRequest {
            game_id: id.to_owned(),
            expected_version: version,
            request_id: request.to_owned(),
            r#move: Some(proto::submit_move_request::Move::Text(text.to_owned())),
            ..Default::default()
        };
        Ok(self.client.clone().submit_move(request).await?.into_inner())
    }

    pub(super) async fn resign(
        &self,
        id: &str,
        version: u64,
        side: proto::Side,
    ) -> Result<proto::ResignResponse, Status> {
        let request = proto::ResignRequest {
            game_id: id.to_owned(),
            expected_version: version,
            request_id: request_id(),
            side: side.into(),
            ..Default::default()
        };
        Ok(self.client.clone().resign(request).await?.into_inner())
    }

    /// Ends a game as the portal's clock does: Black's time is up.
    pub(super) async fn flag(&self, id: &str, version: u64) -> Result<proto::EndGameResponse, Status> {
        let request = proto::EndGameRequest {
            game_id: id.to_owned(),
            expected_version: version,
            request_id: request_id(),
            reason: proto::EndReason::Time.into(),
            winner: proto::Side::White.into(),
            ..Default::default()
        };
        Ok(self.client.clone().end_game(request).await?.into_inner())
    }

    /// Asks a bot of this level to move.
    pub(super) async fn bot(
        &self,
        id: &str,
        version: u64,
        level: u32,
    ) -> Result<proto::RequestBotMoveResponse, Status> {
        let request = proto::RequestBotMoveRequest {
            game_id: id.to_owned(),
            expected_version: version,
            request_id: request_id(),
            level,
            ..Default::default()
        };
        Ok(self.client.clone().request_bot_move(request).await?.into_inner())
    }

    /// The texts of all legal moves.
    pub(super) async fn legal(&self, id: &str) -> Vec<String> {
        let request = proto::ListLegalMovesRequest { game_id: id.to_owned(), ..Default::default() };
        let answer = self.client.clone().list_legal_moves(request).await.expect("listed").into_inner();
        answer.moves.into_iter().map(|mv| mv.text).collect()
    }

    /// The whole history, page by page.
    pub(super) async fn history(&self, id: &str) -> Vec<proto::Event> {
        let mut events = Vec::new();
        let mut page_token = String::new();
        loop {
            let request = proto::ListGameEventsRequest {
                game_id: id.to_owned(),
                page_token,
                page_size: 1000,
                ..Default::default()
            };
            let page = self.client.clone().list_game_events(request).await.expect("listed").into_inner();
            events.extend(page.events);
            if page.next_page_token.is_empty() {
                return events;
            }
            page_token = page.next_page_token;
        }
    }

    /// Follows a game after a cursor, or from a snapshot.
    pub(super) async fn watch(
        &self,
        id: &str,
        after: Option<proto::Cursor>,
    ) -> Result<Streaming<proto::WatchGameResponse>, Status> {
        let request = proto::WatchGameRequest { game_id: id.to_owned(), after };
        Ok(self.client.clone().watch_game(request).await?.into_inner())
    }

    /// Plays the first legal move of each turn until the game has ended or so many moves were made;
    /// the game then.
    pub(super) async fn play_on(&self, game: &proto::Game, moves: usize) -> proto::Game {
        let mut game = game.clone();
        for _ in 0..moves {
            if game.status() == proto::GameStatus::Finished {
                break;
            }
            let legal = self.legal(&game.id).await;
            let played = self.submit(&game.id, game.version, &legal[0]).await.expect("legal");
            game = played.game.expect("a game");
        }
        game
    }
}

/// The place of a game's last event.
pub(super) fn cursor(game: &proto::Game) -> proto::Cursor {
    proto::Cursor { version: game.version, digest: game.digest.clone() }
}

/// Asserts that a history is whole: versions from 1 on without a hole, digests that differ.
#[track_caller]
pub(super) fn assert_whole(events: &[proto::Event]) {
    let versions: Vec<u64> = events.iter().map(|event| event.version).collect();
    assert_eq!(versions, (1..=events.len() as u64).collect::<Vec<_>>());
    assert!(events.windows(2).all(|pair| pair[0].digest != pair[1].digest));
    assert!(events.iter().all(|event| event.digest.len() == 32));
}
