use std::{collections::BTreeMap, fmt::Write};

use super::{Transcript, TranscriptError, winner_of, winner_word};
use crate::game::Ending;

/// What stands at the end of the moves of a game that goes on.
const GOES_ON: &str = "*";

/// The column at which move text is broken, as PGN's export format does.
const WIDTH: usize = 80;

pub(super) fn write(transcript: &Transcript) -> String {
    let mut text = String::new();
    tag(&mut text, "Game", &transcript.game_type);
    tag(&mut text, "Rules", &transcript.rules_version.to_string());
    for (name, value) in &transcript.options {
        tag(&mut text, &format!("Option.{name}"), value);
    }
    tag(&mut text, "Black", &transcript.black_player);
    tag(&mut text, "White", &transcript.white_player);
    for (name, value) in &transcript.labels {
        tag(&mut text, &format!("Label.{name}"), value);
    }
    if let Some(created) = &transcript.created {
        tag(&mut text, "Created", created);
    }
    if let Some(position) = &transcript.initial_position {
        tag(&mut text, "Position", position);
    }
    if let Some(ending) = &transcript.ending {
        tag(&mut text, "Winner", winner_word(ending.winner));
        tag(&mut text, "Reason", &ending.reason);
    }
    text.push('\n');
    fill(&mut text, move_words(transcript));
    text
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// The moves with their numbers, then the result. The first player's moves begin a number; a game
/// that the second player begins starts with dots.
fn move_words(transcript: &Transcript) -> impl Iterator<Item = String> {
    let late = usize::from(transcript.second_begins);
    let numbered = transcript.moves.iter().enumerate().flat_map(move |(index, mv)| {
        let place = index + late;
        let number = place / 2 + 1;
        let lead = match (place % 2, index) {
            (0, _) => Some(format!("{number}.")),
            (_, 0) => Some(format!("{number}...")),
            _ => None,
        };
        lead.into_iter().chain([mv.clone()])
    });
    let result = transcript.ending.as_ref().map_or(GOES_ON, |ending| winner_word(ending.winner));
    numbered.chain([result.to_owned()])
}

/// Writes words with single spaces, broken into lines.
fn fill(text: &mut String, words: impl Iterator<Item = String>) {
    let mut column = 0;
    for word in words {
        if 0 < column && WIDTH < column + 1 + word.len() {
            text.push('\n');
            column = 0;
        } else if 0 < column {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += word.len();
    }
    text.push('\n');
}

pub(super) fn read(record: &str) -> Result<Transcript, TranscriptError> {
    let mut tags = Tags::default();
    let mut words = Vec::new();
    for (index, line) in record.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') && words.is_empty() {
            let (name, value) = read_tag(line).ok_or_else(|| {
                TranscriptError::expected(format!("a tag such as [Black \"Ada\"] in line {}", index + 1))
            })?;
            tags.put(&name, value)?;
        } else {
            words.extend(line.split_whitespace().map(str::to_owned));
        }
    }
    tags.transcript(words)
}

/// The tags of a record, as read.
#[derive(Default)]
struct Tags {
    plain: BTreeMap<String, String>,
    options: BTreeMap<String, String>,
    labels: BTreeMap<String, String>,
}

/// The tags that are not options or labels.
const PLAIN: [&str; 8] = ["Game", "Rules", "Black", "White", "Created", "Position", "Winner", "Reason"];

impl Tags {
    fn put(&mut self, name: &str, value: String) -> Result<(), TranscriptError> {
        let (tags, name) = if let Some(option) = name.strip_prefix("Option.") {
            (&mut self.options, option)
        } else if let Some(label) = name.strip_prefix("Label.") {
            (&mut self.labels, label)
        } else if PLAIN.contains(&name) {
            (&mut self.plain, name)
        } else {
            let known = PLAIN.join(", ");
            return Err(TranscriptError::expected(format!(
                "one of the tags {known}, Option.NAME and Label.NAME, not {name}"
            )));
        };
        match tags.insert(name.to_owned(), value) {
            None => Ok(()),
            Some(_) => Err(TranscriptError::expected(format!("tag {name} once"))),
        }
    }

    fn transcript(mut self, mut words: Vec<String>) -> Result<Transcript, TranscriptError> {
        let ending = self.ending()?;
        let result = ending.as_ref().map_or(GOES_ON, |ending| winner_word(ending.winner));
        if words.pop().as_deref() != Some(result) {
            return Err(TranscriptError::expected(format!("{result} after the last move, as the tags say")));
        }
        let second_begins = words.first().is_some_and(|word| word.ends_with("..."));
        words.retain(|word| !is_number(word));
        let game_type = self.plain.remove("Game");
        let rules = self.plain.remove("Rules").map(|text| text.parse::<u32>());
        Ok(Transcript {
            game_type: game_type.ok_or_else(|| TranscriptError::expected("the tag Game"))?,
            rules_version: rules
                .unwrap_or(Ok(Transcript::default_rules()))
                .map_err(|_| TranscriptError::expected("a number in the tag Rules"))?,
            options: self.options,
            initial_position: self.plain.remove("Position"),
            black_player: self.plain.remove("Black").unwrap_or_default(),
            white_player: self.plain.remove("White").unwrap_or_default(),
            labels: self.labels,
            created: self.plain.remove("Created"),
            second_begins,
            moves: words,
            ending,
        })
    }

    fn ending(&mut self) -> Result<Option<Ending>, TranscriptError> {
        match (self.plain.remove("Winner"), self.plain.remove("Reason")) {
            (None, None) => Ok(None),
            (Some(winner), Some(reason)) => Ok(Some(Ending { winner: winner_of(&winner)?, reason })),
            _ => Err(TranscriptError::expected("the tags Winner and Reason, both or neither")),
        }
    }
}

/// Whether a word is the number of a move: digits and dots.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads `[Name "value"]`.
fn read_tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, quoted) = inner.split_once(char::is_whitespace)?;
    let quoted = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return None,
            '\\' => value.push(match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                quoted @ ('"' | '\\') => quoted,
                _ => return None,
            }),
            plain => value.push(plain),
        }
    }
    Some((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::transcript::Form, rules::Side};

    fn transcript() -> Transcript {
        Transcript {
            game_type: "surakarta".to_owned(),
            rules_version: 1,
            options: [("move_limit".to_owned(), "50".to_owned())].into(),
            initial_position: Some("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb w 0".to_owned()),
            black_player: "a \"quoted\" \\ name\nof two lines".to_owned(),
            white_player: String::new(),
            labels: [("round".to_owned(), "3".to_owned())].into(),
            created: Some("2026-01-02T03:04:05Z".to_owned()),
            second_begins: true,
            moves: ["a2-a3", "a5-a4", "b2-b3"].map(str::to_owned).to_vec(),
            ending: Some(Ending { winner: Some(Side::Black), reason: "resignation".to_owned() }),
        }
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        for form in [Form::Json, Form::Text] {
            let record = transcript().write(form).expect("small");
            let read = Transcript::read(&record).expect("readable");
            let second_begins = read.second_begins || form == Form::Json;
            assert_eq!(Transcript { second_begins, ..read }, transcript(), "{record}");
        }
    }

    #[test]
    fn moves_are_numbered_from_the_first_player() {
        let record = transcript().write(Form::Text).expect("small");
        assert!(record.ends_with("\n\n1... a2-a3 2. a5-a4 b2-b3 black\n"), "{record}");
    }

    #[test]
    fn damaged_records_say_what_was_expected() {
        for (record, expected) in [
            ("[Game \"x]\n*", "in line 1"),
            ("[Colour \"x\"]\n*", "one of the tags"),
            ("[Game \"x\"]\n[Game \"y\"]\n*", "once"),
            ("[Game \"x\"]\n1. a2-a3", "* after the last move"),
            ("[Game \"x\"]\n[Winner \"black\"]\n*", "both or neither"),
            ("*", "the tag Game"),
            ("{\"format\":\"chess\"}", "missing field"),
        ] {
            let error = Transcript::read(record).expect_err(record).to_string();
            assert!(error.contains(expected), "{record}: {error}");
        }
    }
}
