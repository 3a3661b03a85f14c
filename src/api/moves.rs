//! Calls that change games.

use std::sync::Arc;

use super::{Reason, Refusal, Service, parse, parse::bad, proto, structured, tell};
use crate::{
    game::{Command, Deed, Digest, Event, Fingerprint, Game, GameKey, RequestId, Told, Version, decide},
    ledger::{Answer, LedgerError},
    rules::Side,
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
}

/// Longer than any move text of any game.
const LONGEST_MOVE: usize = 256;
