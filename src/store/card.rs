use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::{Creation, GameId, Millis};

/// What a listing shows of a game, and by what it finds it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Card {
    pub game_type: String,
    pub black_player: String,
    pub white_player: String,
    pub labels: BTreeMap<String, String>,
    pub created: Millis,
    pub finished: bool,
}

/// Which games to list; everything given must fit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Filter {
    pub finished: Option<bool>,
    /// The name of either player.
    pub player: Option<String>,
    pub labels: BTreeMap<String, String>,
    pub game_type: Option<String>,
}

/// A place in a listing: that of a game. Later places are older games, then larger ids.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub created: Millis,
    pub id: GameId,
}

/// A part of a listing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    pub games: Vec<(GameId, Card)>,
    /// Where to go on; `None`: there is nothing more.
    pub next: Option<Place>,
}

impl Card {
    pub fn new(creation: &Creation, created: Millis, finished: bool) -> Card {
        Card {
            game_type: creation.game_type.clone(),
            black_player: creation.black_player.clone(),
            white_player: creation.white_player.clone(),
            labels: creation.labels.clone(),
            created,
            finished,
        }
    }
}

impl Filter {
    /// Whether a game of this card is to be listed.
    pub fn fits(&self, card: &Card) -> bool {
        let player = |name: &String| *name == card.black_player || *name == card.white_player;
        self.finished.is_none_or(|finished| finished == card.finished)
            && self.player.as_ref().is_none_or(player)
            && self.game_type.as_ref().is_none_or(|name| *name == card.game_type)
            && self.labels.iter().all(|(name, value)| card.labels.get(name) == Some(value))
    }
}
