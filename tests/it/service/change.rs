use boardkeeper::api::proto::{self, stream_bot_move_response::Frame, submit_move_request::Move};
use tonic::Status;

use super::portal::{Portal, request_id};

/// Any call that changes a game, to be sent as often as a test likes.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Create(proto::CreateGameRequest),
    Submit(proto::SubmitMoveRequest),
    Pass(proto::PassRequest),
    Resign(proto::ResignRequest),
    End(proto::EndGameRequest),
    Bot(proto::RequestBotMoveRequest),
    BotStream(proto::StreamBotMoveRequest),
    Import(proto::ImportGameRequest),
}

/// What every change answers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Changed {
    pub(super) game: proto::Game,
    /// The event, but for calls that begin games.
    pub(super) event: Option<proto::Event>,
    pub(super) replayed: bool,
}

impl Change {
    /// One of each kind of change to a game at a version, where `text` is a legal move.
    pub(super) fn each(game: &str, expected_version: u64, text: &str) -> Vec<Change> {
        let game_id = game.to_owned();
        vec![
            Change::submit(game, expected_version, text),
            Change::Pass(proto::PassRequest {
                game_id: game_id.clone(),
                expected_version,
                request_id: request_id(),
                side: 0,
                ..Default::default()
            }),
            Change::Resign(proto::ResignRequest {
                game_id: game_id.clone(),
                expected_version,
                request_id: request_id(),
                side: proto::Side::Black.into(),
                ..Default::default()
            }),
            Change::End(proto::EndGameRequest {
                game_id: game_id.clone(),
                expected_version,
                request_id: request_id(),
                reason: proto::EndReason::Time.into(),
                winner: proto::Side::White.into(),
                ..Default::default()
            }),
            Change::Bot(proto::RequestBotMoveRequest {
                game_id: game_id.clone(),
                expected_version,
                request_id: request_id(),
                level: 1,
                ..Default::default()
            }),
            Change::BotStream(proto::StreamBotMoveRequest {
                game_id,
                expected_version,
                request_id: request_id(),
                level: 1,
                ..Default::default()
            }),
        ]
    }

    pub(super) fn submit(game: &str, expected_version: u64, text: &str) -> Change {
        Change::Submit(proto::SubmitMoveRequest {
            game_id: game.to_owned(),
            expected_version,
            request_id: request_id(),
            r#move: Some(Move::Text(text.to_owned())),
            ..Default::default()
        })
    }

    /// A creation of a game of this id.
    pub(super) fn create(game: &str) -> Change {
        Change::Create(proto::CreateGameRequest {
            request_id: request_id(),
            game_id: game.to_owned(),
            game_type: "quantum-control".to_owned(),
            ..Default::default()
        })
    }

    /// An import as a game of this id.
    pub(super) fn import(game: &str, record: &str) -> Change {
        Change::Import(proto::ImportGameRequest {
            request_id: request_id(),
            game_id: game.to_owned(),
            record: record.to_owned(),
        })
    }

    /// The same request for another game.
    pub(super) fn on(mut self, game: &str) -> Change {
        let of = match &mut self {
            Change::Create(request) => &mut request.game_id,
            Change::Submit(request) => &mut request.game_id,
            Change::Pass(request) => &mut request.game_id,
            Change::Resign(request) => &mut request.game_id,
            Change::End(request) => &mut request.game_id,
            Change::Bot(request) => &mut request.game_id,
            Change::BotStream(request) => &mut request.game_id,
            Change::Import(request) => &mut request.game_id,
        };
        game.clone_into(of);
        self
    }

    /// The same, for a game that has this digest.
    pub(super) fn seen(mut self, digest: Vec<u8>) -> Change {
        match &mut self {
            Change::Submit(request) => request.expected_digest = digest,
            Change::Pass(request) => request.expected_digest = digest,
            Change::Resign(request) => request.expected_digest = digest,
            Change::End(request) => request.expected_digest = digest,
            Change::Bot(request) => request.expected_digest = digest,
            Change::BotStream(request) => request.expected_digest = digest,
            Change::Create(_) | Change::Import(_) => (),
        }
        self
    }

    /// The same content under a new request id.
    pub(super) fn anew(mut self) -> Change {
        *self.id_mut() = request_id();
        self
    }

    pub(super) fn id(&self) -> &str {
        match self {
            Change::Create(request) => &request.request_id,
            Change::Submit(request) => &request.request_id,
            Change::Pass(request) => &request.request_id,
            Change::Resign(request) => &request.request_id,
            Change::End(request) => &request.request_id,
            Change::Bot(request) => &request.request_id,
            Change::BotStream(request) => &request.request_id,
            Change::Import(request) => &request.request_id,
        }
    }

    fn id_mut(&mut self) -> &mut String {
        match self {
            Change::Create(request) => &mut request.request_id,
            Change::Submit(request) => &mut request.request_id,
            Change::Pass(request) => &mut request.request_id,
            Change::Resign(request) => &mut request.request_id,
            Change::End(request) => &mut request.request_id,
            Change::Bot(request) => &mut request.request_id,
            Change::BotStream(request) => &mut request.request_id,
            Change::Import(request) => &mut request.request_id,
        }
    }

    pub(super) async fn send(&self, portal: &Portal) -> Result<Changed, Status> {
        let mut client = portal.client.clone();
        let (game, event, replayed) = match self.clone() {
            Change::Create(request) => {
                let answer = client.create_game(request).await?.into_inner();
                (answer.game, None, answer.replayed)
            }
            Change::Submit(request) => {
                let answer = client.submit_move(request).await?.into_inner();
                (answer.game, answer.event, answer.replayed)
            }
            Change::Pass(request) => {
                let answer = client.pass(request).await?.into_inner();
                (answer.game, answer.event, answer.replayed)
            }
            Change::Resign(request) => {
                let answer = client.resign(request).await?.into_inner();
                (answer.game, answer.event, answer.replayed)
            }
            Change::End(request) => {
                let answer = client.end_game(request).await?.into_inner();
                (answer.game, answer.event, answer.replayed)
            }
            Change::Bot(request) => {
                let answer = client.request_bot_move(request).await?.into_inner();
                (answer.game, answer.event, answer.replayed)
            }
            Change::BotStream(request) => {
                let mut frames = client.stream_bot_move(request).await?.into_inner();
                let mut last = None;
                while let Some(frame) = frames.message().await? {
                    last = frame.frame;
                }
                let Some(Frame::Moved(answer)) = last else { panic!("the stream ended with {last:?}") };
                (answer.game, answer.event, answer.replayed)
            }
            Change::Import(request) => {
                let answer = client.import_game(request).await?.into_inner();
                (answer.game, None, answer.replayed)
            }
        };
        Ok(Changed { game: game.expect("a game"), event, replayed })
    }
}
