use std::time::Duration;

use tonic::Status;

use crate::{
    api::proto::{
        Bot, BotReport, BotScore, Game, RequestBotMoveRequest, RequestBotMoveResponse, bot_score::Kind,
    },
    program::client::{Client, new_request_id, persist},
};

/// The bot on the other side.
pub(super) struct Opponent {
    pub(super) bot: Bot,
    /// What it chooses among equal moves by; without one, every game is another.
    pub(super) seed: Option<u64>,
}

impl Opponent {
    /// Lets the bot move, with patience if the server is busy.
    ///
    /// # Errors
    /// The server refuses.
    pub(super) async fn answer(
        &self,
        client: &Client,
        game: &Game,
    ) -> Result<RequestBotMoveResponse, Status> {
        let request = RequestBotMoveRequest {
            game_id: game.id.clone(),
            expected_version: game.version,
            request_id: new_request_id(),
            level: self.bot.level,
            limits: None,
            seed: self.seed.unwrap_or_else(|| uuid::Uuid::now_v7().as_u64_pair().1),
            expected_digest: game.digest.clone(),
        };
        persist(|| {
            let (mut client, request) = (client.clone(), request.clone());
            async move { client.request_bot_move(request).await }
        })
        .await
    }
}

/// How a bot found its move, in a few words.
pub(super) fn report(report: &BotReport) -> String {
    let elapsed = report.elapsed.and_then(|elapsed| Duration::try_from(elapsed).ok()).unwrap_or_default();
    let score = report.score.as_ref().map(|score| format!(", {}", score_text(score))).unwrap_or_default();
    let (depth, nodes, seconds) = (report.depth, report.nodes, elapsed.as_secs_f64());
    format!("depth {depth}, {nodes} nodes, {seconds:.2} s{score}")
}

fn score_text(score: &BotScore) -> String {
    match &score.kind {
        Some(Kind::Centi(centi)) => format!("{:+.2} for it", f64::from(*centi) / 100.0),
        Some(Kind::WinIn(turns)) => format!("wins within {turns}"),
        Some(Kind::LossIn(turns)) => format!("loses within {turns}"),
        Some(Kind::Drawn(_)) => "a proven draw".to_owned(),
        None => "no score".to_owned(),
    }
}
