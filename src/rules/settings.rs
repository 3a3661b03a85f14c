use std::{collections::BTreeMap, error::Error, fmt};

/// The value of one option of a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Setting {
    Flag(bool),
    Number(u32),
    Word(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Flag(flag) => write!(f, "{flag}"),
            Setting::Number(number) => write!(f, "{number}"),
            Setting::Word(word) => f.write_str(word),
        }
    }
}

/// Options by name, as they are stored, exported and typed. What is absent has its default.
pub type Settings = BTreeMap<String, Setting>;

/// One option of a game: its name, its values, its default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// In `snake_case`, as in the conformance files.
    pub name: &'static str,
    /// One English sentence: what it changes.
    pub summary: &'static str,
    pub values: Values,
}

/// What an option may be set to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    Flag {
        default: bool,
    },
    /// A whole number from `least` to `most`, both included.
    Number {
        default: u32,
        least: u32,
        most: u32,
    },
    /// One of `choices`.
    Word {
        default: &'static str,
        choices: &'static [&'static str],
    },
}

/// The options of one game, checked.
pub trait Options: Copy + Eq + Default + fmt::Debug + Send + Sync + 'static {
    const SPECS: &'static [OptionSpec];

    /// Builds the options from settings that are known to be in range, defaults filled in.
    fn from_settings(settings: &Settings) -> Self;

    /// Every option by name, defaults included.
    fn to_settings(&self) -> Settings;

    /// Reads settings, filling in defaults.
    ///
    /// # Errors
    /// An unknown name, a value of the wrong kind, or one out of range.
    fn read(settings: &Settings) -> Result<Self, OptionError> {
        let known = |name: &String| Self::SPECS.iter().any(|spec| spec.name == name);
        if let Some(name) = settings.keys().find(|name| !known(name)) {
            return Err(OptionError { name: name.clone(), expected: expected_names(Self::SPECS) });
        }
        let mut full = Settings::new();
        for spec in Self::SPECS {
            let value = settings.get(spec.name).cloned().unwrap_or_else(|| spec.default());
            spec.check(&value)?;
            full.insert(spec.name.to_owned(), value);
        }
        Ok(Self::from_settings(&full))
    }
}

impl OptionSpec {
    pub fn default(&self) -> Setting {
        match self.values {
            Values::Flag { default } => Setting::Flag(default),
            Values::Number { default, .. } => Setting::Number(default),
            Values::Word { default, .. } => Setting::Word(default.to_owned()),
        }
    }

    /// Refuses a value that this option cannot have.
    fn check(&self, value: &Setting) -> Result<(), OptionError> {
        let fits = match (&self.values, value) {
            (Values::Flag { .. }, Setting::Flag(_)) => true,
            (Values::Number { least, most, .. }, Setting::Number(n)) => (least..=most).contains(&n),
            (Values::Word { choices, .. }, Setting::Word(word)) => choices.contains(&word.as_str()),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(OptionError { name: self.name.to_owned(), expected: format!("{}, not {value}", self.values) })
    }

    /// Reads the value of this option from a text, as a tag of an exported game or a flag has it.
    ///
    /// # Errors
    /// The text is not a value of this option.
    pub fn parse(&self, text: &str) -> Result<Setting, OptionError> {
        let value = match self.values {
            Values::Flag { .. } => text.parse().ok().map(Setting::Flag),
            Values::Number { .. } => text.parse().ok().map(Setting::Number),
            Values::Word { .. } => None,
        }
        .unwrap_or_else(|| Setting::Word(text.to_owned()));
        self.check(&value)?;
        Ok(value)
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Flag { .. } => f.write_str("true or false"),
            Values::Number { least, most, .. } => write!(f, "a whole number from {least} to {most}"),
            Values::Word { choices, .. } => write!(f, "one of {}", choices.join(", ")),
        }
    }
}

fn expected_names(specs: &[OptionSpec]) -> String {
    if specs.is_empty() {
        return "no options: this game has none".to_owned();
    }
    let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
    format!("one of the options {}", names.join(", "))
}

/// Why an option was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionError {
    pub name: String,
    /// What was expected for it.
    pub expected: String,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid option {}: expected {}", self.name, self.expected)
    }
}

impl Error for OptionError {}
