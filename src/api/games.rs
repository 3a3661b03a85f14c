//! Calls that create and show games.

use super::{Reason, Refusal, Service, options, parse, parse::bad, proto, tell, token};
use crate::{
    game::{
        Creation, CreationError, Fingerprint, Form, GameId, GameKey, LARGEST_RECORD, RULES_VERSION,
        RequestId, Transcript, Version, kind, parse_settings,
    },
    ledger::LedgerError,
    store::{Filter, Place},
};

/// The most games of one BatchGetGames.
const MOST_BATCH: usize = 100;

/// The most points that can be selected before a move is whole.
const MOST_SELECTED: usize = 4;

impl Service {
    pub(super) async fn create(
        &self,
        request: proto::CreateGameRequest,
    ) -> Result<proto::CreateGameResponse, Refusal> {
        let id = parse::request_id(&request.request_id)?;
        let key = self.key_or_new(&request.game_id, id)?;
        let options = options::read(&request.game_type, request.options.as_ref())?;
        let creation = Creation {
            game_type: request.game_type,
            rules_version: RULES_VERSION,
            options,
            position: Some(request.initial_position).filter(|text| !text.is_empty()),
            black_player: parse::player("black_player", request.black_player)?,
            white_player: parse::player("white_player", request.white_player)?,
            labels: parse::labels(request.labels)?.into_iter().collect(),
            imported_moves: 0,
        };
        let creation = complete(creation)?;
        let fingerprint = Fingerprint::of(&("create", &creation));
        let answer = self.ledger.create(&key, id, fingerprint, creation).await?;
        Ok(proto::CreateGameResponse { game: Some(tell::game(&answer.game)), replayed: answer.replayed })
    }

    fn key_or_new(&self, id: &str, request: RequestId) -> Result<GameKey, Refusal> {
        if id.is_empty() {
            return Ok(GameKey { tenant: self.tenant.clone(), id: GameId::of_request(request) });
        }
        parse::game_key(&self.tenant, id)
    }

    pub(super) async fn get(
        &self,
        request: proto::GetGameRequest,
    ) -> Result<proto::GetGameResponse, Refusal> {
        let key = parse::game_key(&self.tenant, &request.game_id)?;
        Ok(proto::GetGameResponse { game: Some(self.show(&key, request.version).await?) })
    }

    /// The game at a version; 0 is now, with the search that goes on, if one does.
    async fn show(&self, key: &GameKey, version: Version) -> Result<proto::Game, Refusal> {
        if version != 0 {
            return Ok(tell::game(self.ledger.at(key, version).await?.as_ref()));
        }
        let game = self.ledger.current(key).await?;
        Ok(self.with_search(&game))
    }

    pub(super) async fn batch_get(
        &self,
        request: proto::BatchGetGamesRequest,
    ) -> Result<proto::BatchGetGamesResponse, Refusal> {
        if !(1..=MOST_BATCH).contains(&request.game_ids.len()) {
            return Err(bad("game_ids", format!("1 to {MOST_BATCH} ids")));
        }
        let keys: Result<Vec<GameKey>, Refusal> =
            request.game_ids.iter().map(|id| parse::game_key(&self.tenant, id)).collect();
        let mut response = proto::BatchGetGamesResponse::default();
        for key in keys? {
            match self.ledger.current(&key).await {
                Ok(game) => response.games.push(self.with_search(&game)),
                Err(LedgerError::NotFound(_)) => response.missing_game_ids.push(key.id.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(response)
    }

    pub(super) async fn list(
        &self,
        request: proto::ListGamesRequest,
    ) -> Result<proto::ListGamesResponse, Refusal> {
        let limit = parse::page_size(request.page_size, 50, 500)?;
        let filter = Filter {
            finished: parse::status(request.status)?,
            player: Some(parse::player("player", request.player)?).filter(|name| !name.is_empty()),
            labels: parse::labels(request.labels)?.into_iter().collect(),
            game_type: known_type(request.game_type)?,
        };
        let mark = Fingerprint::of(&filter);
        let after = match request.page_token.as_str() {
            "" => None,
            text => {
                let (of, place): (Fingerprint, Place) = token::read('g', text)?;
                Some(place)
                    .filter(|_| of == mark)
                    .ok_or_else(|| bad("page_token", "the same filter as before"))
                    .map(Some)?
            }
        };
        let page = self.ledger.list(&self.tenant, &filter, after.as_ref(), limit).await?;
        let games = page.games.into_iter().map(|(id, card)| tell::summary(id.as_str(), card));
        let next = page.next.map(|place| token::write('g', &(mark, place)));
        Ok(proto::ListGamesResponse { games: games.collect(), next_page_token: next.unwrap_or_default() })
    }

    pub(super) async fn legal_moves(
        &self,
        request: proto::ListLegalMovesRequest,
    ) -> Result<proto::ListLegalMovesResponse, Refusal> {
        let key = parse::game_key(&self.tenant, &request.game_id)?;
        if MOST_SELECTED < request.selected.len() {
            return Err(bad("selected", format!("at most {MOST_SELECTED} points")));
        }
        let game = match request.version {
            0 => self.ledger.current(&key).await?,
            version => self.ledger.at(&key, version).await?,
        };
        let selected: Vec<String> =
            request.selected.iter().map(|point| point.trim().to_ascii_lowercase()).collect();
        let mut response = proto::ListLegalMovesResponse {
            version: game.version(),
            side_to_move: tell::maybe_side(game.to_move()),
            moves: Vec::new(),
        };
        if let Some(side) = game.to_move() {
            let game_type = &game.creation().game_type;
            let listing = game.board().listing();
            let fitting = listing.iter().filter(|view| view.goes_on_from(&selected));
            response.moves = fitting.map(|view| tell::listed(game_type, side, view)).collect();
        }
        Ok(response)
    }

    pub(super) async fn list_events(
        &self,
        request: proto::ListGameEventsRequest,
    ) -> Result<proto::ListGameEventsResponse, Refusal> {
        let key = parse::game_key(&self.tenant, &request.game_id)?;
        let limit = parse::page_size(request.page_size, 100, 1000)?;
        let (after, digest) = match request.page_token.as_str() {
            "" => parse::cursor(&request.after.unwrap_or_default())?,
            text => {
                let (of, version, digest): (GameId, Version, _) = token::read('e', text)?;
                if of != key.id {
                    return Err(bad("page_token", "a token of the same game"));
                }
                (version, Some(digest))
            }
        };
        let batch = self.ledger.events(&key, after, digest, limit).await?;
        let last = batch.events.last().filter(|told| told.event.version < batch.head.version);
        let next = last.map(|told| token::write('e', &(&key.id, told.event.version, told.digest)));
        Ok(proto::ListGameEventsResponse {
            events: batch.events.iter().map(|told| tell::event(told)).collect(),
            next_page_token: next.unwrap_or_default(),
        })
    }

    pub(super) async fn export(
        &self,
        request: proto::ExportGameRequest,
    ) -> Result<proto::ExportGameResponse, Refusal> {
        let key = parse::game_key(&self.tenant, &request.game_id)?;
        let (form, media_type) = match proto::RecordFormat::try_from(request.format) {
            Ok(proto::RecordFormat::Unspecified | proto::RecordFormat::Json) => {
                (Form::Json, "application/json")
            }
            Ok(proto::RecordFormat::Text) => (Form::Text, "text/plain"),
            Err(_) => return Err(bad("format", "RECORD_FORMAT_JSON or RECORD_FORMAT_TEXT")),
        };
        let (game, moves) = self.ledger.with_moves(&key).await?;
        let created = tell::time(game.origin().created).to_string();
        let start = game.creation().board().map_err(LedgerError::from)?;
        let first = kind(&game.creation().game_type).map(|kind| kind.game_type().first);
        let second_begins = first.is_some_and(|first| first != start.side());
        let record = Transcript::new(&game, created, second_begins, moves).write(form)?;
        Ok(proto::ExportGameResponse { record, media_type: media_type.to_owned(), version: game.version() })
    }

    pub(super) async fn import(
        &self,
        request: proto::ImportGameRequest,
    ) -> Result<proto::ImportGameResponse, Refusal> {
        let id = parse::request_id(&request.request_id)?;
        let key = self.key_or_new(&request.game_id, id)?;
        if LARGEST_RECORD < request.record.len() {
            let sentence = format!("a record has at most {LARGEST_RECORD} bytes");
            return Err(Refusal::new(Reason::RecordTooLarge, sentence));
        }
        let transcript = Transcript::read(&request.record)?;
        let deeds = transcript.deeds()?;
        let mut creation = transcript.creation();
        creation.black_player = parse::player("record.black_player", creation.black_player)?;
        creation.white_player = parse::player("record.white_player", creation.white_player)?;
        creation.labels = parse::labels(creation.labels.into_iter().collect())?.into_iter().collect();
        creation.imported_moves = deeds.len() as u32;
        let creation = complete(creation)?;
        let fingerprint = Fingerprint::of(&("import", &request.record));
        let answer =
            self.ledger.import(&key, id, fingerprint, creation, &deeds, transcript.ending.as_ref()).await?;
        Ok(proto::ImportGameResponse { game: Some(tell::game(&answer.game)), replayed: answer.replayed })
    }
}

/// The same creation with every option filled in, once it is known to make a game.
fn complete(mut creation: Creation) -> Result<Creation, Refusal> {
    creation.board()?;
    if let Some(kind) = kind(&creation.game_type) {
        let given = parse_settings(kind, &creation.options).map_err(CreationError::from)?;
        let position = creation.position.as_deref();
        let settings = kind.complete(&given, position).map_err(CreationError::from)?;
        creation.options = settings.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    }
    Ok(creation)
}

fn known_type(name: String) -> Result<Option<String>, Refusal> {
    match name.as_str() {
        "" => Ok(None),
        text if kind(text).is_some() => Ok(Some(name)),
        text => Err(CreationError::UnknownType(text.to_owned()).into()),
    }
}
