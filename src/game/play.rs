use std::sync::{Arc, OnceLock};

use super::{
    Board, Body, Creation, DecodeError, Digest, Entry, Event, GameKey, Millis, OpenError, Shown, Version,
    kind, parse_settings,
};
use crate::rules::{MoveView, OptionError, Side};

/// A game at one version: the fold of its events up to there.
#[derive(Clone)]
pub struct Game {
    key: GameKey,
    /// What does not change, shared by all versions.
    origin: Arc<Origin>,
    board: Box<dyn Board>,
    version: Version,
    digest: Digest,
    updated: Millis,
    ply: u32,
    last_move: Option<Arc<(Side, MoveView)>>,
    ending: Option<Ending>,
    /// Made when it is first asked for: replaying a long log asks for the last one only.
    shown: OnceLock<Arc<Shown>>,
}

/// The beginning of a game.
#[derive(Debug)]
pub struct Origin {
    pub creation: Creation,
    /// The position text that the game started from, given or usual.
    pub position: String,
    pub created: Millis,
}

/// How a game ended, by its rules or otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    pub winner: Option<Side>,
    pub reason: String,
}

/// The version of every game's rules in this release.
pub const RULES_VERSION: u32 = 1;

/// Why a creation makes no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CreationError {
    #[error("there is no type of game {0:?}")]
    UnknownType(String),
    #[error("this release plays version {RULES_VERSION} of the rules, not {0}")]
    RulesVersion(u32),
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl From<OptionError> for CreationError {
    fn from(error: OptionError) -> CreationError {
        CreationError::Open(OpenError::Option(error))
    }
}

/// Why stored events are no game: the store was damaged or written by something else.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("game {0} has no events")]
    Empty(GameKey),
    #[error("event {version} of game {key} cannot be read")]
    Unreadable { key: GameKey, version: Version, source: DecodeError },
    #[error("event {version} of game {key} does not follow from the one before")]
    Broken { key: GameKey, version: Version },
}

impl Creation {
    /// Sets up the board of the game that this creation makes.
    ///
    /// # Errors
    /// The type is unknown, or its options or the position are refused.
    pub fn board(&self) -> Result<Box<dyn Board>, CreationError> {
        let kind = kind(&self.game_type).ok_or_else(|| CreationError::UnknownType(self.game_type.clone()))?;
        if self.rules_version != RULES_VERSION {
            return Err(CreationError::RulesVersion(self.rules_version));
        }
        let settings = parse_settings(kind, &self.options)?;
        Ok(match &self.position {
            Some(position) => kind.open(&settings, position)?,
            None => kind.start(&settings)?,
        })
    }
}

impl Game {
    /// The game that its first entry makes, or `None` if that is not a creation.
    fn create(key: &GameKey, event: &Event, digest: Digest) -> Option<Game> {
        let Body::Created(creation) = &event.body else { return None };
        let board = creation.board().ok()?;
        let origin = Origin { creation: creation.clone(), position: board.position(), created: event.time };
        Some(Game {
            key: key.clone(),
            origin: Arc::new(origin),
            board,
            version: event.version,
            digest,
            updated: event.time,
            ply: 0,
            last_move: None,
            ending: None,
            shown: OnceLock::new(),
        })
    }

    /// The game after an event, or `None` if the event does not follow.
    fn evolve(mut self, event: &Event, digest: Digest) -> Option<Game> {
        if event.version != self.version + 1 || self.ending.is_some() {
            return None;
        }
        match &event.body {
            Body::Created(_) => return None,
            Body::Moved { text, .. } => self.play(text)?,
            Body::Resigned { side } => self.end(Some(side.opponent()), "resignation"),
            Body::Ended { cause, winner } => self.end(*winner, cause.reason()),
        }
        self.version = event.version;
        self.digest = digest;
        self.updated = event.time;
        Some(self)
    }

    fn play(&mut self, text: &str) -> Option<()> {
        let side = self.board.side();
        let view = self.board.play(text).ok()?;
        self.shown = OnceLock::new();
        self.ply += 1;
        self.last_move = Some(Arc::new((side, view)));
        if let Some(outcome) = self.board.outcome() {
            self.end(outcome.winner, outcome.reason);
        }
        Some(())
    }

    fn end(&mut self, winner: Option<Side>, reason: &str) {
        self.ending = Some(Ending { winner, reason: reason.to_owned() });
    }

    /// The game after the next entry of its log; without a game, the one that the entry creates.
    ///
    /// # Errors
    /// The entry is unreadable, does not follow, or its digest does not chain.
    pub fn follow(before: Option<Game>, key: &GameKey, entry: &Entry) -> Result<(Game, Event), ReplayError> {
        let (version, parent) = match &before {
            Some(game) => (game.version + 1, game.digest),
            None => (1, Digest::origin(key)),
        };
        let broken = || ReplayError::Broken { key: key.clone(), version };
        if parent.then(&entry.bytes) != entry.digest {
            return Err(broken());
        }
        let event = Event::decode(&entry.bytes).map_err(|source| ReplayError::Unreadable {
            key: key.clone(),
            version,
            source,
        })?;
        let after = match before {
            Some(game) => game.evolve(&event, entry.digest),
            None => Game::create(key, &event, entry.digest),
        };
        Ok((after.ok_or_else(broken)?, event))
    }

    /// The game that all these entries make.
    ///
    /// # Errors
    /// There are none, or one of them does not follow.
    pub fn replay(key: &GameKey, entries: &[Entry]) -> Result<Game, ReplayError> {
        let mut game = None;
        for entry in entries {
            game = Some(Game::follow(game, key, entry)?.0);
        }
        game.ok_or_else(|| ReplayError::Empty(key.clone()))
    }

    /// The stored form of the event that comes next here.
    pub fn entry(&self, event: &Event) -> Entry {
        let bytes = event.encode();
        Entry { digest: self.digest.then(&bytes), bytes }
    }

    pub fn key(&self) -> &GameKey {
        &self.key
    }

    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    pub fn creation(&self) -> &Creation {
        &self.origin.creation
    }

    pub fn board(&self) -> &dyn Board {
        self.board.as_ref()
    }

    /// What there is to see of the board.
    pub fn shown(&self) -> &Shown {
        self.shown.get_or_init(|| Arc::new(Shown::of(self.board())))
    }

    pub fn version(&self) -> Version {
        self.version
    }

    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// When the last event happened.
    pub fn updated(&self) -> Millis {
        self.updated
    }

    /// How many moves have been played, passes included.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The last move and who made it.
    pub fn last_move(&self) -> Option<&Arc<(Side, MoveView)>> {
        self.last_move.as_ref()
    }

    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// The side to move, nobody's once the game is over.
    pub fn to_move(&self) -> Option<Side> {
        self.ending.is_none().then(|| self.board.side())
    }
}

impl Entry {
    /// The first entry of a game.
    pub fn first(key: &GameKey, event: &Event) -> Entry {
        let bytes = event.encode();
        Entry { digest: Digest::origin(key).then(&bytes), bytes }
    }
}
