use std::{collections::BTreeMap, marker::PhantomData};

use super::Board;
use crate::{
    rules::{
        GameType, Geometry, OptionError, OptionSpec, Options, PositionError, Record, Settings,
        kvantumsakk::Kvantumsakk, perft, quantum::Quantum, quantum_control::QuantumControl,
        surakarta::Surakarta,
    },
    search::Searchable,
};

/// The types of games that can be played, in the order of their names: a new game is a line here.
pub static KINDS: [&dyn Kind; 4] = [
    &Of::<Kvantumsakk>(PhantomData),
    &Of::<Quantum>(PhantomData),
    &Of::<QuantumControl>(PhantomData),
    &Of::<Surakarta>(PhantomData),
];

/// The type of game of this name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.game_type().name == name)
}

/// A type of game without its Rust type: it opens boards, and tells what there is to know.
pub trait Kind: Send + Sync {
    fn game_type(&self) -> GameType;

    fn option_specs(&self) -> &'static [OptionSpec];

    /// Every option by name; what is left out is as the position to start from says, or else the
    /// default.
    ///
    /// # Errors
    /// An option that this type has not, or a value that it cannot have.
    fn complete(&self, settings: &Settings, position: Option<&str>) -> Result<Settings, OptionError>;

    /// A board set up for the start.
    ///
    /// # Errors
    /// The settings are refused.
    fn start(&self, settings: &Settings) -> Result<Box<dyn Board>, OptionError>;

    /// A board set up from a position text.
    ///
    /// # Errors
    /// The settings are refused, or the text is no position under them that a game can go on from.
    fn open(&self, settings: &Settings, position: &str) -> Result<Box<dyn Board>, OpenError>;

    /// The board as it is drawn.
    ///
    /// # Errors
    /// The settings are refused.
    fn geometry(&self, settings: &Settings) -> Result<Geometry, OptionError>;

    /// Counts move sequences from a position; `None` is the usual start.
    ///
    /// # Errors
    /// As for [`Kind::open`].
    fn perft(&self, settings: &Settings, position: Option<&str>, depth: u32) -> Result<u64, OpenError>;
}

/// Why a board cannot be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Reads options given as texts; only those that are given.
///
/// # Errors
/// An option that this type has not, or a text that is no value of it.
pub fn parse_settings(kind: &dyn Kind, texts: &BTreeMap<String, String>) -> Result<Settings, OptionError> {
    let mut settings = Settings::new();
    for (name, text) in texts {
        let spec = kind.option_specs().iter().find(|spec| spec.name == name);
        let value = match spec {
            Some(spec) => spec.parse(text)?,
            None => crate::rules::Setting::Word(text.clone()),
        };
        settings.insert(name.clone(), value);
    }
    // Names that the type has not are found here.
    kind.complete(&settings, None)?;
    Ok(settings)
}

fn options<G: Searchable>(settings: &Settings, position: Option<&str>) -> Result<G::Options, OptionError> {
    let mut full = position.map(G::implied_settings).unwrap_or_default();
    full.extend(settings.clone());
    G::Options::read(&full)
}

struct Of<G>(PhantomData<fn() -> G>);

impl<G: Searchable> Kind for Of<G> {
    fn game_type(&self) -> GameType {
        G::TYPE
    }

    fn option_specs(&self) -> &'static [OptionSpec] {
        G::Options::SPECS
    }

    fn complete(&self, settings: &Settings, position: Option<&str>) -> Result<Settings, OptionError> {
        Ok(options::<G>(settings, position)?.to_settings())
    }

    fn start(&self, settings: &Settings) -> Result<Box<dyn Board>, OptionError> {
        let options = G::Options::read(settings)?;
        Ok(Box::new(Record::<G>::start(&options)))
    }

    fn open(&self, settings: &Settings, position: &str) -> Result<Box<dyn Board>, OpenError> {
        let options = options::<G>(settings, Some(position))?;
        Ok(Box::new(Record::<G>::from_position(position, &options)?))
    }

    fn geometry(&self, settings: &Settings) -> Result<Geometry, OptionError> {
        Ok(G::geometry(&G::Options::read(settings)?))
    }

    fn perft(&self, settings: &Settings, position: Option<&str>, depth: u32) -> Result<u64, OpenError> {
        let options = options::<G>(settings, position)?;
        let record = match position {
            Some(text) => Record::<G>::from_position(text, &options)?,
            None => Record::<G>::start(&options),
        };
        Ok(perft(record.state(), depth))
    }
}
