use crate::rules::{OptionSpec, Options, Settings};

/// Quantum Control has no options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct QuantumControlOptions;

impl Options for QuantumControlOptions {
    const SPECS: &'static [OptionSpec] = &[];

    fn from_settings(_: &Settings) -> QuantumControlOptions {
        QuantumControlOptions
    }

    fn to_settings(&self) -> Settings {
        Settings::new()
    }
}
