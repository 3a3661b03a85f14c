//! Moves in the parts of their game: read into texts, and written from what a move shows.

use super::{Reason, Refusal, proto};
use crate::rules::{Action, MoveView};

/// The text of a structured move for a game of this type.
pub(super) fn read(game_type: &str, structured: &proto::StructuredMove) -> Result<String, Refusal> {
    use proto::structured_move::Move;
    let (of, text) = match &structured.r#move {
        Some(Move::QuantumControl(mv)) => ("quantum-control", quantum_control(mv)),
        Some(Move::Surakarta(mv)) => ("surakarta", surakarta(mv)),
        Some(Move::Quantum(mv)) => ("quantum", quantum(mv)),
        Some(Move::Kvantumsakk(mv)) => ("kvantumsakk", kvantumsakk(mv)),
        None => return Err(malformed("a move of the game's own form")),
    };
    if of != game_type {
        return Err(malformed(format!("a move of {game_type}, not of {of}")));
    }
    text.ok_or_else(|| malformed("one of the kinds of moves of this game"))
}

fn malformed(expected: impl Into<String>) -> Refusal {
    Refusal::field(Reason::MalformedMove, "structured", expected)
}

fn quantum_control(mv: &proto::QuantumControlMove) -> Option<String> {
    use proto::quantum_control_move::Kind;
    Some(match mv.kind.as_ref()? {
        Kind::Placement(placement) => placement.points.join("+"),
        Kind::Capture(pair) => format!("{}x{}", pair.from, pair.to),
        Kind::Pass(_) => "pass".to_owned(),
    })
}

fn surakarta(mv: &proto::SurakartaMove) -> Option<String> {
    use proto::surakarta_move::Kind;
    Some(match mv.kind.as_ref()? {
        Kind::Step(pair) => format!("{}-{}", pair.from, pair.to),
        Kind::Capture(capture) if capture.arcs.is_empty() => format!("{}x{}", capture.from, capture.to),
        Kind::Capture(capture) => format!("{}x{}[{}]", capture.from, capture.to, capture.arcs.join(",")),
    })
}

fn quantum(mv: &proto::QuantumMove) -> Option<String> {
    use proto::quantum_move::Kind;
    Some(match mv.kind.as_ref()? {
        Kind::Step(pair) => format!("{}-{}", pair.from, pair.to),
        Kind::Capture(pair) => format!("{}x{}", pair.from, pair.to),
    })
}

fn kvantumsakk(mv: &proto::KvantumsakkMove) -> Option<String> {
    use proto::kvantumsakk_move::Kind;
    Some(match mv.kind.as_ref()? {
        Kind::Transfer(transfer) => format!("{}:{}-{}", transfer.quanta, transfer.from, transfer.to),
        Kind::Castling(castling) => match proto::Castling::try_from(*castling) {
            Ok(proto::Castling::Short) => "O-O".to_owned(),
            Ok(proto::Castling::Long) => "O-O-O".to_owned(),
            Ok(proto::Castling::Unspecified) | Err(_) => return None,
        },
    })
}

/// The structured form of a legal move of a game of this type.
pub(super) fn write(game_type: &str, view: &MoveView) -> Option<proto::StructuredMove> {
    use proto::structured_move::Move;
    let mv = match game_type {
        "quantum-control" => Move::QuantumControl(write_quantum_control(view)?),
        "surakarta" => Move::Surakarta(write_surakarta(view)?),
        "quantum" => Move::Quantum(write_quantum(view)?),
        "kvantumsakk" => Move::Kvantumsakk(write_kvantumsakk(view)?),
        _ => return None,
    };
    Some(proto::StructuredMove { r#move: Some(mv) })
}

fn pair(view: &MoveView) -> Option<proto::PointPair> {
    let [from, to] = *view.points.as_slice() else { return None };
    Some(proto::PointPair { from: from.to_owned(), to: to.to_owned() })
}

fn write_quantum_control(view: &MoveView) -> Option<proto::QuantumControlMove> {
    use proto::quantum_control_move::Kind;
    let kind = match view.action {
        Action::Place => {
            let points = view.points.iter().map(|point| (*point).to_owned()).collect();
            Kind::Placement(proto::Placement { points })
        }
        Action::Pass => Kind::Pass(proto::PassMove {}),
        _ => Kind::Capture(pair(view)?),
    };
    Some(proto::QuantumControlMove { kind: Some(kind) })
}

fn write_surakarta(view: &MoveView) -> Option<proto::SurakartaMove> {
    use proto::surakarta_move::Kind;
    let proto::PointPair { from, to } = pair(view)?;
    let kind = match view.action {
        Action::Capture => {
            let arcs = view.arcs.iter().map(|arc| (*arc).to_owned()).collect();
            Kind::Capture(proto::SurakartaCapture { from, to, arcs })
        }
        _ => Kind::Step(proto::PointPair { from, to }),
    };
    Some(proto::SurakartaMove { kind: Some(kind) })
}

fn write_quantum(view: &MoveView) -> Option<proto::QuantumMove> {
    use proto::quantum_move::Kind;
    let pair = pair(view)?;
    let kind = if view.action == Action::Capture { Kind::Capture(pair) } else { Kind::Step(pair) };
    Some(proto::QuantumMove { kind: Some(kind) })
}

fn write_kvantumsakk(view: &MoveView) -> Option<proto::KvantumsakkMove> {
    use proto::kvantumsakk_move::Kind;
    let kind = match (view.action, view.text.as_str()) {
        (Action::Castle, "O-O") => Kind::Castling(proto::Castling::Short.into()),
        (Action::Castle, _) => Kind::Castling(proto::Castling::Long.into()),
        _ => {
            let proto::PointPair { from, to } = pair(view)?;
            Kind::Transfer(proto::KvantumsakkTransfer { quanta: view.count, from, to })
        }
    };
    Some(proto::KvantumsakkMove { kind: Some(kind) })
}
