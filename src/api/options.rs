//! Options of the games: their messages, and their values by name.

use std::collections::BTreeMap;

use super::{Reason, Refusal, proto};
use crate::game::Creation;

type Texts = BTreeMap<String, String>;

/// The options of a request for a game of this type, by name; what is not given is absent.
pub(crate) fn read(game_type: &str, options: Option<&proto::GameOptions>) -> Result<Texts, Refusal> {
    use proto::game_options::Options;
    let Some(options) = options.and_then(|options| options.options.as_ref()) else { return Ok(Texts::new()) };
    let (of, texts) = match options {
        Options::QuantumControl(_) => ("quantum-control", Texts::new()),
        Options::Surakarta(options) => ("surakarta", surakarta(options)),
        Options::Quantum(options) => ("quantum", quantum(options)?),
        Options::Kvantumsakk(options) => ("kvantumsakk", limit(options.move_limit)),
    };
    if of != game_type {
        let expected = format!("options of {game_type}, not of {of}");
        return Err(Refusal::field(Reason::InvalidOption, "options", expected));
    }
    Ok(texts)
}

fn limit(limit: Option<u32>) -> Texts {
    limit.map(|limit| ("move_limit".to_owned(), limit.to_string())).into_iter().collect()
}

fn surakarta(options: &proto::SurakartaOptions) -> Texts {
    let mut texts = limit(options.move_limit);
    texts.insert("majority".to_owned(), options.majority.to_string());
    texts
}

fn quantum(options: &proto::QuantumOptions) -> Result<Texts, Refusal> {
    let mut texts = limit(options.move_limit);
    let board = match proto::QuantumBoard::try_from(options.board) {
        Ok(proto::QuantumBoard::Unspecified) => return Ok(texts),
        Ok(proto::QuantumBoard::Inner) => "inner",
        Ok(proto::QuantumBoard::Whole) => "whole",
        Ok(proto::QuantumBoard::Wide) => "wide",
        Err(_) => {
            let expected = "one of the boards of QuantumBoard";
            return Err(Refusal::field(Reason::InvalidOption, "options.board", expected));
        }
    };
    texts.insert("board".to_owned(), board.to_owned());
    Ok(texts)
}

/// The options of a game, all filled in.
pub(crate) fn write(creation: &Creation) -> Option<proto::GameOptions> {
    message(&creation.game_type, &creation.options)
}

/// The options message of a type, from values by name.
pub(crate) fn message(game_type: &str, texts: &Texts) -> Option<proto::GameOptions> {
    use proto::game_options::Options;
    let move_limit = texts.get("move_limit").and_then(|text| text.parse().ok());
    let options = match game_type {
        "quantum-control" => Options::QuantumControl(proto::QuantumControlOptions {}),
        "surakarta" => {
            let majority = texts.get("majority").is_some_and(|text| text == "true");
            Options::Surakarta(proto::SurakartaOptions { majority, move_limit })
        }
        "quantum" => {
            let board = match texts.get("board").map(String::as_str) {
                Some("whole") => proto::QuantumBoard::Whole,
                Some("wide") => proto::QuantumBoard::Wide,
                _ => proto::QuantumBoard::Inner,
            };
            Options::Quantum(proto::QuantumOptions { board: board.into(), move_limit })
        }
        "kvantumsakk" => Options::Kvantumsakk(proto::KvantumsakkOptions { move_limit }),
        _ => return None,
    };
    Some(proto::GameOptions { options: Some(options) })
}
