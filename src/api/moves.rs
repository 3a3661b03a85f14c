//! Calls that change games, and the bots' move.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{Reason, Refusal, Service, parse, parse::bad, proto, structured, tell};
use crate::{
    game::{
        BotOrder, Command, Deed, Digest, Event, Fingerprint, Game, GameKey, RequestId, Told, Version, decide,
    },
    ledger::{Answer, LedgerError},
    rules::Side,
    search::{LEVELS, Level, Limits},
};

/// What every changing call answers.
pub(super) struct Changed {
    pub(super) game: proto::Game,
    pub(super) event: proto::Event,
    pub(super) replayed: bool,
}

impl From<Answer> for Changed {
    fn from(answer: Answer) -> Changed {
        Changed {
            event: tell::event(&answer.told),
            game: tell::game(&answer.game),
            replayed: answer.replayed,
        }
    }
}

fn command((expected, digest): (Version, Option<Digest>), deed: Deed) -> Command {
    Command { expected, digest, deed }
}

impl Service {
    pub(super) async fn submit(&self, request: proto::SubmitMoveRequest) -> Result<Changed, Refusal> {
        let key = parse::game_key(&self.tenant, &request.game_id)?;
        let expected = parse::expected(request.expected_version, &request.expected_digest)?;
        let side = parse::side("side", request.side)?;
        let id = match request.validate_only {
            true => None,
            false => Some(parse::request_id(&request.request_id)?),
        };
        let text = self.move_text(&key, request.r#move).await?;
        let command = command(expected, Deed::Move { text, side });
        match id {
            Some(id) => Ok(self.ledger.execute(&key, id, command).await?.into()),
            None => self.preview(&key, &command).await,
        }
    }

    /// The move of a request as a text.
    async fn move_text(
        &self,
        key: &GameKey,
        mv: Option<proto::submit_move_request::Move>,
    ) -> Result<String, Refusal> {
        use proto::submit_move_request::Move;
        match mv {
            Some(Move::Text(text)) if LONGEST_MOVE < text.len() => {
                Err(Refusal::field(Reason::MalformedMove, "move", format!("at most {LONGEST_MOVE} bytes")))
            }
            Some(Move::Text(text)) => Ok(text),
            Some(Move::Structured(structured)) => {
                let game_type = self.ledger.game_type(key).await?;
                structured::read(&game_type, &structured)
            }
            None => Err(bad("move", "a text or a structured move")),
        }
    }

    /// What a move would do, without doing it.
    async fn preview(&self, key: &GameKey, command: &Command) -> Result<Changed, Refusal> {
        let game = self.ledger.current(key).await?;
        let body = decide(&game, command)?;
        let version = game.version() + 1;
        let fingerprint = Fingerprint([0; 16]);
        let event = Event { version, time: self.ledger.now(), request: RequestId::NONE, fingerprint, body };
        let entry = game.entry(&event);
        let (after, event) =
            Game::follow(Some(game.as_ref().clone()), key, &entry).map_err(LedgerError::from)?;
        let told = Arc::new(Told::new(event, Some(&game), &after));
        let mut changed = Changed::from(Answer { game: Arc::new(after), told, replayed: false });
        // A pending move is no place in the history.
        changed.event.digest = Vec::new();
        changed.game.digest = Vec::new();
        Ok(changed)
    }

    pub(super) async fn pass_turn(&self, request: proto::PassRequest) -> Result<Changed, Refusal> {
        let side = parse::side("side", request.side)?;
        let deed = Deed::Move { text: "pass".to_owned(), side };
        let expected = parse::expected(request.expected_version, &request.expected_digest)?;
        self.change(&request.game_id, expected, &request.request_id, deed).await
    }

    pub(super) async fn resign_game(&self, request: proto::ResignRequest) -> Result<Changed, Refusal> {
        let side = parse::side("side", request.side)?;
        let side: Side = side.ok_or_else(|| bad("side", "SIDE_BLACK or SIDE_WHITE"))?;
        let deed = Deed::Resign { side };
        let expected = parse::expected(request.expected_version, &request.expected_digest)?;
        self.change(&request.game_id, expected, &request.request_id, deed).await
    }

    pub(super) async fn end(&self, request: proto::EndGameRequest) -> Result<Changed, Refusal> {
        let cause = parse::end_cause(request.reason)?;
        let winner = parse::side("winner", request.winner)?;
        cause.allows(winner).map_err(|expected| bad("winner", expected))?;
        let deed = Deed::End { cause, winner };
        let expected = parse::expected(request.expected_version, &request.expected_digest)?;
        self.change(&request.game_id, expected, &request.request_id, deed).await
    }

    async fn change(
        &self,
        id: &str,
        expected: (Version, Option<Digest>),
        request: &str,
        deed: Deed,
    ) -> Result<Changed, Refusal> {
        let key = parse::game_key(&self.tenant, id)?;
        let request = parse::request_id(request)?;
        Ok(self.ledger.execute(&key, request, command(expected, deed)).await?.into())
    }

    pub(super) async fn bot_move(
        &self,
        request: proto::RequestBotMoveRequest,
        deadline: Option<Instant>,
    ) -> Result<Changed, Refusal> {
        let key = parse::game_key(&self.tenant, &request.game_id)?;
        let (expected, digest) = parse::expected(request.expected_version, &request.expected_digest)?;
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
        let deadline = deadline.map(Instant::into_std);
        Ok(self.desk.order(&key, id, order, digest, deadline).await?.into())
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

/// A level as callers see it.
pub(super) fn bot(level: &Level) -> proto::Bot {
    let limits = proto::SearchLimits {
        depth: level.limits.depth(),
        nodes: level.limits.nodes(),
        time: Some(tell::duration(level.limits.time())),
    };
    proto::Bot { level: level.number, name: level.name.to_owned(), limits: Some(limits) }
}

/// Longer than any move text of any game.
const LONGEST_MOVE: usize = 256;

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
