use std::{collections::VecDeque, sync::Arc};

use anyhow::Context;
use tonic::{
    Request, Status,
    client::Grpc,
    codegen::http::uri::PathAndQuery,
    transport::{Channel, Endpoint},
};
use tonic_prost::ProstCodec;

use super::{super::client::new_request_id, Caller, Script};
use crate::api::proto::{
    CreateGameRequest, SubmitMoveRequest, game_service_client::GameServiceClient, submit_move_request::Move,
};

/// A caller that plays games by itself, a move a call.
///
/// It looks at no answer: what is measured is the server, not how fast a client unpacks.
pub struct Seat {
    line: Line,
    scripts: Arc<[Script]>,
    /// Which script comes next.
    next: usize,
    games: VecDeque<Begun>,
}

/// A game with moves to be made.
struct Begun {
    id: String,
    version: u64,
    script: usize,
}

/// Calls over one connection, of which answers are not unpacked.
#[derive(Clone)]
pub struct Line(Channel);

impl Line {
    /// Connects to a server, over as many connections as are asked for.
    ///
    /// # Errors
    /// Nobody answers there.
    pub async fn connect(address: &str, count: usize) -> anyhow::Result<Vec<Line>> {
        let mut lines = Vec::new();
        for _ in 0..count {
            let endpoint = Endpoint::from_shared(address.to_owned())?.tcp_nodelay(true);
            let channel = endpoint.connect().await;
            lines.push(Line(channel.with_context(|| format!("no server answers at {address}"))?));
        }
        Ok(lines)
    }

    pub fn channel(&self) -> Channel {
        self.0.clone()
    }

    /// Makes a call.
    ///
    /// # Errors
    /// It was refused, or the connection broke.
    pub async fn call<M>(&self, path: &'static str, message: M) -> Result<(), Status>
    where
        M: prost::Message + Send + Sync + 'static,
    {
        let mut grpc = Grpc::new(self.0.clone());
        grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let codec = ProstCodec::<M, ()>::default();
        grpc.unary(Request::new(message), PathAndQuery::from_static(path), codec).await?;
        Ok(())
    }
}

/// The path of the call that is measured.
const SUBMIT_MOVE: &str = "/boardkeeper.v1.GameService/SubmitMove";

impl Seat {
    /// A caller that plays these scripts in turn, from the one of this number on.
    pub fn new(line: Line, scripts: &Arc<[Script]>, next: usize) -> Seat {
        Seat { line, scripts: scripts.clone(), next, games: VecDeque::new() }
    }

    /// Begins games until there are so many moves to make.
    ///
    /// # Errors
    /// A game cannot be begun.
    pub async fn stock(&mut self, moves: usize) -> anyhow::Result<()> {
        let mut waiting: usize = self.games.iter().map(|game| self.left(game)).sum();
        while waiting < moves {
            waiting += self.begin().await?;
        }
        Ok(())
    }

    /// The id of the game in which the next move is made.
    pub fn game(&self) -> Option<&str> {
        self.games.front().map(|game| game.id.as_str())
    }

    fn left(&self, game: &Begun) -> usize {
        (self.scripts[game.script].moves.len() + 1).saturating_sub(game.version as usize)
    }

    async fn begin(&mut self) -> anyhow::Result<usize> {
        let script = self.next % self.scripts.len().max(1);
        let drawn = self.scripts.get(script).context("there is no game to play")?;
        let id = new_request_id();
        let request = CreateGameRequest {
            request_id: id.clone(),
            game_type: drawn.game_type.to_owned(),
            game_id: id.clone(),
            black_player: "Ada".to_owned(),
            white_player: "Bob".to_owned(),
            ..Default::default()
        };
        GameServiceClient::new(self.line.channel()).create_game(request).await?;
        self.games.push_back(Begun { id, version: 1, script });
        self.next += 1;
        Ok(drawn.moves.len())
    }
}

impl Caller for Seat {
    async fn prepare(&mut self) -> anyhow::Result<()> {
        while self.games.front().is_some_and(|game| self.left(game) == 0) {
            self.games.pop_front();
        }
        self.stock(1).await
    }

    async fn call(&mut self) -> anyhow::Result<()> {
        let game = self.games.front_mut().context("no game has been begun")?;
        let text =
            self.scripts[game.script].moves.get(game.version as usize - 1).context("no move is left")?;
        let request = SubmitMoveRequest {
            game_id: game.id.clone(),
            expected_version: game.version,
            request_id: new_request_id(),
            r#move: Some(Move::Text(text.clone())),
            ..Default::default()
        };
        self.line.call(SUBMIT_MOVE, request).await?;
        game.version += 1;
        Ok(())
    }
}
