//! The bots' calls.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use super::{
    BotFrames, Reason, Refusal, Service, deadline::keep, moves::Changed, parse, parse::bad, proto, tell,
};
use crate::{
    bots::Taken,
    game::{BotOrder, Digest, Game, GameKey, RequestId},
    search::{LEVELS, Level, Limits},
};

impl Service {
    pub(super) async fn bot_move(
        &self,
        request: proto::RequestBotMoveRequest,
        deadline: Option<Instant>,
    ) -> Result<Changed, Refusal> {
        let Asked { key, id, order, seen } = self.bot_order(request)?;
        let deadline = deadline.map(Instant::into_std);
        Ok(self.desk.order(&key, id, order, seen, deadline).await?.into())
    }

    /// The same with the thinking told: it is refused at once, or becomes a stream.
    pub(super) async fn bot_stream(
        &self,
        request: proto::StreamBotMoveRequest,
        deadline: Option<Instant>,
    ) -> Result<BotFrames, Refusal> {
        let permit = self.permit()?;
        let Asked { key, id, order, seen } = self.bot_order(unstreamed(request))?;
        let pending = match self.desk.take(&key, id, order, seen, deadline.map(Instant::into_std)).await? {
            Taken::Answered(answer) => return Ok(BotFrames::answered((*answer).into(), permit)),
            Taken::Pending(pending) => pending,
        };
        let thoughts = pending.thoughts();
        let desk = self.desk.clone();
        let finish = async move { Ok(desk.finish(pending).await?.into()) };
        // The move is made even while the reader takes no frames; it is given up with the stream.
        let call = tokio::spawn(async move { keep(deadline, finish).await });
        Ok(BotFrames::going_on(thoughts, AbortOnDropHandle::new(call), permit))
    }

    fn bot_order(&self, request: proto::RequestBotMoveRequest) -> Result<Asked, Refusal> {
        let key = parse::game_key(&self.tenant, &request.game_id)?;
        let (expected, seen) = parse::expected(request.expected_version, &request.expected_digest)?;
        let id = parse::request_id(&request.request_id)?;
        let level = LEVELS.iter().find(|level| level.number == request.level);
        let level = level.ok_or_else(|| bad("level", "1 to 5"))?;
        let limits = limits(request.limits.unwrap_or_default(), level.limits)?;
        let order = BotOrder {
            expected,
            level: level.number as u8,
            depth: limits.depth(),
            nodes: limits.nodes(),
            micros: limits.time().as_micros() as u64,
            seed: request.seed,
        };
        Ok(Asked { key, id, order, seen })
    }

    /// A game as it is now, with the search that goes on for it, if one does.
    pub(super) fn with_search(&self, game: &Game) -> proto::Game {
        let search = self.desk.pending(game.key(), game.version());
        let bot_search = search.map(|(level, asked)| proto::BotSearch {
            level: level.into(),
            version: game.version(),
            request_time: Some(tell::time(asked)),
        });
        proto::Game { bot_search, ..tell::game(game) }
    }
}

/// A bot's move as it is asked for.
struct Asked {
    key: GameKey,
    id: RequestId,
    order: BotOrder,
    /// The digest that the game must have at the order's version.
    seen: Option<Digest>,
}

/// The call that is the same but for its answer.
fn unstreamed(request: proto::StreamBotMoveRequest) -> proto::RequestBotMoveRequest {
    proto::RequestBotMoveRequest {
        game_id: request.game_id,
        expected_version: request.expected_version,
        request_id: request.request_id,
        level: request.level,
        limits: request.limits,
        seed: request.seed,
        expected_digest: request.expected_digest,
    }
}

/// A level as callers see it.
pub(super) fn bot(level: &Level) -> proto::Bot {
    let limits = proto::SearchLimits {
        depth: level.limits.depth(),
        nodes: level.limits.nodes(),
        time: Some(tell::duration(level.limits.time())),
    };
    proto::Bot { level: level.number, name: level.name.to_owned(), limits: Some(limits) }
}

/// The limits of a request: the level's own where none is given, never more.
fn limits(asked: proto::SearchLimits, own: Limits) -> Result<Limits, Refusal> {
    let time = match asked.time {
        None => own.time(),
        Some(time) => Duration::try_from(time).map_err(|_| too_much(own))?,
    };
    let depth = if asked.depth == 0 { own.depth() } else { asked.depth };
    let nodes = if asked.nodes == 0 { own.nodes() } else { asked.nodes };
    if own.depth() < depth || own.nodes() < nodes || own.time() < time || time.is_zero() {
        return Err(too_much(own));
    }
    Ok(Limits::new(depth, nodes, time))
}

fn too_much(own: Limits) -> Refusal {
    let (depth, nodes, time) = (own.depth(), own.nodes(), own.time().as_millis());
    let expected = format!("at most the level's own: depth {depth}, {nodes} nodes, {time} milliseconds");
    Refusal::field(Reason::InvalidLimits, "limits", expected)
}
