//! The types of games on the wire.

use std::collections::BTreeMap;

use super::{options, proto, tell};
use crate::{
    game::{KINDS, Kind, RULES_VERSION},
    rules::{
        Circuit, GameType, Geometry, OptionError, OptionSpec, PointView, Region, RegionKind, Setting,
        Settings, Shade, Values,
    },
};

/// All types.
pub(super) fn all() -> Vec<proto::GameType> {
    KINDS.iter().map(|kind| game_type(*kind)).collect()
}

fn game_type(kind: &dyn Kind) -> proto::GameType {
    let of = kind.game_type();
    let specs = kind.option_specs();
    proto::GameType {
        name: of.name.to_owned(),
        title: of.title.to_owned(),
        first_side: tell::side(of.first),
        passing: of.passing,
        options: specs.iter().map(option_spec).collect(),
        // Every board is one of settings that the type itself offers, so none is refused.
        boards: settings_of_boards(specs).iter().filter_map(|set| board(kind, &of, set).ok()).collect(),
        end_reasons: of.reasons.iter().map(|reason| (*reason).to_owned()).collect(),
        rule_codes: of.rules.iter().map(rule_code).collect(),
        rules_markdown: of.page.to_owned(),
        rules_version: tell::rules_version(of.name, RULES_VERSION),
    }
}

/// Settings for each board: the values of the option called `board`, or one board where there is no
/// such option.
fn settings_of_boards(specs: &[OptionSpec]) -> Vec<Settings> {
    let choices = specs.iter().find_map(|spec| match spec.values {
        Values::Word { choices, .. } if spec.name == "board" => Some(choices),
        _ => None,
    });
    match choices {
        Some(choices) => choices
            .iter()
            .map(|choice| Settings::from([("board".to_owned(), Setting::Word((*choice).to_owned()))]))
            .collect(),
        None => vec![Settings::new()],
    }
}

fn board(kind: &dyn Kind, of: &GameType, settings: &Settings) -> Result<proto::Board, OptionError> {
    let Geometry { points, regions, circuits } = kind.geometry(settings)?;
    let full = kind.complete(settings, None)?;
    let texts: BTreeMap<String, String> =
        full.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    Ok(proto::Board {
        options: options::message(of.name, &texts),
        start_position: kind.start(settings)?.position(),
        points: points.iter().map(point).collect(),
        regions: regions.iter().map(region).collect(),
        circuits: circuits.iter().map(circuit).collect(),
    })
}

fn option_spec(spec: &OptionSpec) -> proto::OptionSpec {
    use proto::option_spec::Values as Wire;
    let values = match spec.values {
        Values::Flag { default } => Wire::Flag(proto::FlagValues { default_value: default }),
        Values::Number { default, least, most } => {
            Wire::Number(proto::NumberValues { default_value: default, least, most })
        }
        Values::Word { default, choices } => Wire::Word(proto::WordValues {
            default_value: default.to_owned(),
            choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
        }),
    };
    proto::OptionSpec { name: spec.name.to_owned(), summary: spec.summary.to_owned(), values: Some(values) }
}

fn rule_code(rule: &crate::rules::RuleCode) -> proto::RuleCode {
    proto::RuleCode {
        code: rule.code.to_owned(),
        summary: rule.summary.to_owned(),
        values: rule.values.iter().map(|value| (*value).to_owned()).collect(),
    }
}

fn point(point: &PointView) -> proto::Point {
    let shade = match point.shade {
        Shade::Plain => proto::Shade::Plain,
        Shade::Light => proto::Shade::Light,
        Shade::Dark => proto::Shade::Dark,
    };
    proto::Point {
        name: point.name.to_owned(),
        x: point.x,
        y: point.y,
        playable: point.playable,
        shade: shade.into(),
        neighbours: point.neighbours.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn region(region: &Region) -> proto::Region {
    let kind = match region.kind {
        RegionKind::Area => proto::RegionKind::Area,
        RegionKind::Gaps => proto::RegionKind::Gaps,
        RegionKind::PowerSquares => proto::RegionKind::PowerSquares,
    };
    proto::Region {
        kind: kind.into(),
        name: region.name.to_owned(),
        points: region.points.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn circuit(circuit: &Circuit) -> proto::Circuit {
    let steps = circuit.steps.iter().map(|step| proto::TrackStep {
        point: step.point.to_owned(),
        arc_after: step.arc.unwrap_or_default().to_owned(),
    });
    proto::Circuit { name: circuit.name.to_owned(), steps: steps.collect() }
}
