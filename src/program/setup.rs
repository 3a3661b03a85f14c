use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;

use crate::{
    api::{options, proto},
    game::{Board, KINDS, Kind, kind, parse_settings},
    rules::Settings,
};

/// Which game, with which options, from which position.
#[derive(clap::Args, Debug)]
pub(super) struct Setup {
    /// The type of game.
    #[arg(long, value_parser = PossibleValuesParser::new(names()), env = "BOARDKEEPER_GAME")]
    pub(super) game: String,

    /// An option of the game, such as `move_limit=30` or `board=wide`. Can be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,

    /// The position text to start from. Without it: the usual start.
    #[arg(long, value_name = "TEXT")]
    pub(super) position: Option<String>,
}

/// The names of all types of games.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.game_type().name)
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected a name, `=` and a value")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Setup {
    /// The usual start of a type, all options at their defaults.
    pub(super) fn usual(game: &str) -> Setup {
        Setup { game: game.to_owned(), options: Vec::new(), position: None }
    }

    pub(super) fn kind(&self) -> anyhow::Result<&'static dyn Kind> {
        kind(&self.game).ok_or_else(|| anyhow::anyhow!("there is no type of game {:?}", self.game))
    }

    /// The options, checked, with defaults filled in.
    pub(super) fn settings(&self) -> anyhow::Result<Settings> {
        let texts: BTreeMap<String, String> = self.options.iter().cloned().collect();
        Ok(parse_settings(self.kind()?, &texts)?)
    }

    /// The board that the game starts from.
    ///
    /// # Errors
    /// The options or the position are refused.
    pub(super) fn board(&self) -> anyhow::Result<Box<dyn Board>> {
        let (kind, settings) = (self.kind()?, self.settings()?);
        Ok(match &self.position {
            Some(text) => kind.open(&settings, text)?,
            None => kind.start(&settings)?,
        })
    }

    /// Asks a server for this game, between these players.
    pub(super) fn request(&self, black: &str, white: &str) -> anyhow::Result<proto::CreateGameRequest> {
        let settings = self.settings()?;
        let texts = settings.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        Ok(proto::CreateGameRequest {
            request_id: super::client::new_request_id(),
            game_type: self.game.clone(),
            options: options::message(&self.game, &texts),
            initial_position: self.position.clone().unwrap_or_default(),
            black_player: black.to_owned(),
            white_player: white.to_owned(),
            ..Default::default()
        })
    }
}
