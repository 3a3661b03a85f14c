use std::sync::Arc;

use tokio::sync::Semaphore;
use tonic::{Request, Response, Status};

use super::{BotFrames, Frames, Refusal, deadline, game_types, moves::Changed, proto};
use crate::{bots::Desk, game::Tenant, ledger::Ledger, search::LEVELS, watch::Pace};

/// The service `boardkeeper.v1.GameService`.
#[derive(Clone)]
pub struct Service {
    /// Whose games all callers' are.
    pub(super) tenant: Tenant,
    pub(super) ledger: Arc<Ledger>,
    pub(super) desk: Arc<Desk>,
    pub(super) pace: Pace,
    /// One permit a stream.
    pub(super) streams: Arc<Semaphore>,
}

impl Service {
    /// A service of one tenant's games, with at most so many streams at once.
    pub fn new(tenant: Tenant, ledger: Arc<Ledger>, desk: Arc<Desk>, pace: Pace, streams: usize) -> Service {
        let streams = Arc::new(Semaphore::new(streams.min(Semaphore::MAX_PERMITS)));
        Service { tenant, ledger, desk, pace, streams }
    }
}

type Answer<M> = Result<Response<M>, Status>;

/// Answers within the caller's deadline.
async fn answer<M>(
    deadline: Option<tokio::time::Instant>,
    work: impl Future<Output = Result<M, Refusal>>,
) -> Answer<M> {
    Ok(Response::new(deadline::keep(deadline, work).await?))
}

/// The answer of a changing call, in the message of its own.
macro_rules! changed {
    ($message:ident, $changed:expr) => {{
        let Changed { game, event, replayed } = $changed;
        proto::$message { game: Some(game), event: Some(event), replayed }
    }};
}

#[tonic::async_trait]
impl proto::game_service_server::GameService for Service {
    type WatchGameStream = Frames<proto::WatchGameResponse>;
    type WatchGamesStream = Frames<proto::WatchGamesResponse>;
    type StreamBotMoveStream = BotFrames;

    async fn list_game_types(
        &self,
        _: Request<proto::ListGameTypesRequest>,
    ) -> Answer<proto::ListGameTypesResponse> {
        Ok(Response::new(proto::ListGameTypesResponse { game_types: game_types::all() }))
    }

    async fn list_bots(&self, _: Request<proto::ListBotsRequest>) -> Answer<proto::ListBotsResponse> {
        let bots = LEVELS.iter().map(super::bots::bot).collect();
        Ok(Response::new(proto::ListBotsResponse { bots }))
    }

    async fn create_game(
        &self,
        request: Request<proto::CreateGameRequest>,
    ) -> Answer<proto::CreateGameResponse> {
        answer(deadline::of(request.metadata()), self.create(request.into_inner())).await
    }

    async fn get_game(&self, request: Request<proto::GetGameRequest>) -> Answer<proto::GetGameResponse> {
        answer(deadline::of(request.metadata()), self.get(request.into_inner())).await
    }

    async fn batch_get_games(
        &self,
        request: Request<proto::BatchGetGamesRequest>,
    ) -> Answer<proto::BatchGetGamesResponse> {
        answer(deadline::of(request.metadata()), self.batch_get(request.into_inner())).await
    }

    async fn list_games(
        &self,
        request: Request<proto::ListGamesRequest>,
    ) -> Answer<proto::ListGamesResponse> {
        answer(deadline::of(request.metadata()), self.list(request.into_inner())).await
    }

    async fn list_legal_moves(
        &self,
        request: Request<proto::ListLegalMovesRequest>,
    ) -> Answer<proto::ListLegalMovesResponse> {
        answer(deadline::of(request.metadata()), self.legal_moves(request.into_inner())).await
    }

    async fn list_game_events(
        &self,
        request: Request<proto::ListGameEventsRequest>,
    ) -> Answer<proto::ListGameEventsResponse> {
        answer(deadline::of(request.metadata()), self.list_events(request.into_inner())).await
    }

    async fn export_game(
        &self,
        request: Request<proto::ExportGameRequest>,
    ) -> Answer<proto::ExportGameResponse> {
        answer(deadline::of(request.metadata()), self.export(request.into_inner())).await
    }

    async fn import_game(
        &self,
        request: Request<proto::ImportGameRequest>,
    ) -> Answer<proto::ImportGameResponse> {
        answer(deadline::of(request.metadata()), self.import(request.into_inner())).await
    }

    async fn submit_move(
        &self,
        request: Request<proto::SubmitMoveRequest>,
    ) -> Answer<proto::SubmitMoveResponse> {
        let deadline = deadline::of(request.metadata());
        let work = async { Ok(changed!(SubmitMoveResponse, self.submit(request.into_inner()).await?)) };
        answer(deadline, work).await
    }

    async fn pass(&self, request: Request<proto::PassRequest>) -> Answer<proto::PassResponse> {
        let deadline = deadline::of(request.metadata());
        let work = async { Ok(changed!(PassResponse, self.pass_turn(request.into_inner()).await?)) };
        answer(deadline, work).await
    }

    async fn resign(&self, request: Request<proto::ResignRequest>) -> Answer<proto::ResignResponse> {
        let deadline = deadline::of(request.metadata());
        let work = async { Ok(changed!(ResignResponse, self.resign_game(request.into_inner()).await?)) };
        answer(deadline, work).await
    }

    async fn end_game(&self, request: Request<proto::EndGameRequest>) -> Answer<proto::EndGameResponse> {
        let deadline = deadline::of(request.metadata());
        let work = async { Ok(changed!(EndGameResponse, self.end(request.into_inner()).await?)) };
        answer(deadline, work).await
    }

    async fn request_bot_move(
        &self,
        request: Request<proto::RequestBotMoveRequest>,
    ) -> Answer<proto::RequestBotMoveResponse> {
        let deadline = deadline::of(request.metadata());
        let work = async {
            Ok(changed!(RequestBotMoveResponse, self.bot_move(request.into_inner(), deadline).await?))
        };
        answer(deadline, work).await
    }

    async fn stream_bot_move(
        &self,
        request: Request<proto::StreamBotMoveRequest>,
    ) -> Answer<Self::StreamBotMoveStream> {
        let deadline = deadline::of(request.metadata());
        answer(deadline, self.bot_stream(request.into_inner(), deadline)).await
    }

    async fn watch_game(&self, request: Request<proto::WatchGameRequest>) -> Answer<Self::WatchGameStream> {
        let deadline = deadline::of(request.metadata());
        answer(deadline, self.watch(request.into_inner(), deadline)).await
    }

    async fn watch_games(
        &self,
        request: Request<proto::WatchGamesRequest>,
    ) -> Answer<Self::WatchGamesStream> {
        let deadline = deadline::of(request.metadata());
        answer(deadline, self.watch_many(request.into_inner(), deadline)).await
    }
}
