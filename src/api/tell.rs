//! What the domain's things look like on the wire.

use std::time::Duration;

use prost_types::Timestamp;

use super::{options, proto, structured};
use crate::{
    bots::Thinking,
    game::{Body, BotReport, BotScore, Digest, EndCause, Ending, Game, Millis, StopReason, Told},
    rules::{Action, Cell, MoveView, Score, Side, Taken},
    store::{Card, Head},
};

pub(super) fn side(side: Side) -> i32 {
    let side = match side {
        Side::Black => proto::Side::Black,
        Side::White => proto::Side::White,
    };
    side.into()
}

pub(super) fn maybe_side(of: Option<Side>) -> i32 {
    of.map_or(proto::Side::Unspecified.into(), side)
}

pub(super) fn time(millis: Millis) -> Timestamp {
    let seconds = i64::try_from(millis.0 / 1000).unwrap_or(i64::MAX);
    Timestamp { seconds, nanos: (millis.0 % 1000) as i32 * 1_000_000 }
}

pub(super) fn duration(duration: Duration) -> prost_types::Duration {
    // Durations here are far below what the message can hold.
    prost_types::Duration { seconds: duration.as_secs() as i64, nanos: duration.subsec_nanos() as i32 }
}

pub(super) fn status(finished: bool) -> i32 {
    let status = if finished { proto::GameStatus::Finished } else { proto::GameStatus::Running };
    status.into()
}

pub(super) fn digest(digest: Digest) -> Vec<u8> {
    digest.0.to_vec()
}

pub(super) fn cursor(head: Head) -> proto::Cursor {
    proto::Cursor { version: head.version, digest: digest(head.digest) }
}

pub(super) fn game(game: &Game) -> proto::Game {
    let creation = game.creation();
    let (board, shown) = (game.board(), game.shown());
    proto::Game {
        id: game.key().id.to_string(),
        game_type: creation.game_type.clone(),
        options: options::write(creation),
        black_player: creation.black_player.clone(),
        white_player: creation.white_player.clone(),
        labels: creation.labels.clone().into_iter().collect(),
        rules_version: rules_version(&creation.game_type, creation.rules_version),
        initial_position: game.origin().position.clone(),
        create_time: Some(time(game.origin().created)),
        update_time: Some(time(game.updated())),
        end_time: game.ending().map(|_| time(game.updated())),
        version: game.version(),
        digest: digest(game.digest()),
        status: status(game.ending().is_some()),
        side_to_move: maybe_side(game.to_move()),
        phase: board.phase().to_owned(),
        position: shown.position.clone(),
        cells: shown.cells.iter().map(cell).collect(),
        last_move: game.last_move().map(|last| mv(&creation.game_type, last.0, &last.1)),
        scores: shown.scores.iter().map(score).collect(),
        consecutive_passes: board.passes(),
        ply: game.ply(),
        outcome: game.ending().map(outcome),
        bot_search: None,
    }
}

pub(super) fn rules_version(game_type: &str, version: u32) -> String {
    format!("{game_type}/{version}")
}

pub(super) fn summary(id: &str, card: Card) -> proto::GameSummary {
    proto::GameSummary {
        id: id.to_owned(),
        game_type: card.game_type,
        black_player: card.black_player,
        white_player: card.white_player,
        labels: card.labels.into_iter().collect(),
        status: status(card.finished),
        create_time: Some(time(card.created)),
    }
}

fn cell(cell: &Cell) -> proto::Cell {
    proto::Cell {
        point: cell.point.to_owned(),
        owner: side(cell.owner),
        count: cell.count,
        pieces: cell.pieces.clone(),
        fixed: cell.fixed,
    }
}

fn score(score: &Score) -> proto::Score {
    proto::Score { name: score.name.to_owned(), black: score.points.black, white: score.points.white }
}

fn outcome(ending: &Ending) -> proto::Outcome {
    proto::Outcome { winner: maybe_side(ending.winner), reason: ending.reason.clone() }
}

/// A legal move as listings show it, with the other routes.
pub(super) fn listed(game_type: &str, mover: Side, view: &MoveView) -> proto::Move {
    proto::Move { other_texts: view.other_texts.clone(), ..mv(game_type, mover, view) }
}

/// A played move.
fn mv(game_type: &str, mover: Side, view: &MoveView) -> proto::Move {
    let names = |names: &[&'static str]| names.iter().map(|name| (*name).to_owned()).collect();
    proto::Move {
        text: view.text.clone(),
        structured: structured::write(game_type, view),
        side: side(mover),
        action: action(view.action),
        points: names(&view.points),
        count: view.count,
        captures: view.captures.iter().map(taken).collect(),
        merges: view.merges.iter().map(taken).collect(),
        arcs: names(&view.arcs),
        route: names(&view.route),
        other_texts: Vec::new(),
    }
}

fn action(action: Action) -> i32 {
    let action = match action {
        Action::Place => proto::Action::Place,
        Action::Step => proto::Action::Step,
        Action::Capture => proto::Action::Capture,
        Action::Merge => proto::Action::Merge,
        Action::Castle => proto::Action::Castle,
        Action::Pass => proto::Action::Pass,
    };
    action.into()
}

fn taken(taken: &Taken) -> proto::Taken {
    proto::Taken {
        point: taken.point.to_owned(),
        owner: side(taken.owner),
        count: taken.count,
        pieces: taken.pieces.clone(),
    }
}

pub(super) fn event(told: &Told) -> proto::Event {
    let event = &told.event;
    let request =
        if event.request == crate::game::RequestId::NONE { String::new() } else { event.request.to_string() };
    let changes = told
        .changes
        .iter()
        .map(|(point, now)| proto::PointChange { point: (*point).to_owned(), now: now.as_ref().map(cell) });
    proto::Event {
        version: event.version,
        digest: digest(told.digest),
        time: Some(time(event.time)),
        request_id: request,
        kind: Some(kind(told)),
        position: told.position.clone(),
        side_to_move: maybe_side(told.to_move),
        phase: told.phase.to_owned(),
        changes: changes.collect(),
        scores: told.scores.iter().map(score).collect(),
        consecutive_passes: told.passes,
        outcome: told.ending.as_ref().map(outcome),
    }
}

fn kind(told: &Told) -> proto::event::Kind {
    use proto::event::Kind;
    match &told.event.body {
        Body::Created(creation) => Kind::Created(proto::GameCreated {
            game_type: creation.game_type.clone(),
            options: options::write(creation),
            initial_position: told.initial_position.clone().unwrap_or_default(),
            black_player: creation.black_player.clone(),
            white_player: creation.white_player.clone(),
            labels: creation.labels.clone().into_iter().collect(),
            imported_moves: creation.imported_moves,
        }),
        Body::Moved { bot, .. } => Kind::MovePlayed(proto::MovePlayed {
            r#move: told.mv.as_ref().map(|last| mv(&told.game_type, last.0, &last.1)),
            bot: bot.as_ref().map(report),
        }),
        Body::Resigned { side: resigned } => Kind::Resigned(proto::Resigned { side: side(*resigned) }),
        Body::Ended { cause, winner } => {
            Kind::GameEnded(proto::GameEnded { reason: end_reason(*cause), winner: maybe_side(*winner) })
        }
    }
}

fn end_reason(cause: EndCause) -> i32 {
    let reason = match cause {
        EndCause::Time => proto::EndReason::Time,
        EndCause::Agreement => proto::EndReason::Agreement,
        EndCause::Forfeit => proto::EndReason::Forfeit,
        EndCause::Annulled => proto::EndReason::Annulled,
        EndCause::Adjudication => proto::EndReason::Adjudication,
    };
    reason.into()
}

/// How far a bot's search is.
pub(super) fn thinking(thinking: Thinking) -> proto::stream_bot_move_response::Frame {
    use proto::stream_bot_move_response::Frame;
    match thinking {
        Thinking::Waiting { ahead, wait } => Frame::Waiting(proto::BotWaiting {
            searches_ahead: u32::try_from(ahead).unwrap_or(u32::MAX),
            expected_wait: Some(duration(wait)),
        }),
        Thinking::Thought(thought) => Frame::Thought(proto::BotThought {
            depth: thought.depth,
            nodes: thought.nodes,
            elapsed: Some(duration(Duration::from_micros(thought.micros))),
            score: Some(bot_score(thought.score)),
            main_line: thought.main_line,
        }),
    }
}

fn bot_score(score: BotScore) -> proto::BotScore {
    use proto::bot_score::Kind;
    let kind = match score {
        BotScore::Centi(centi) => Kind::Centi(centi),
        BotScore::WinIn(turns) => Kind::WinIn(turns),
        BotScore::LossIn(turns) => Kind::LossIn(turns),
        BotScore::Drawn => Kind::Drawn(true),
    };
    proto::BotScore { kind: Some(kind) }
}

fn report(report: &BotReport) -> proto::BotReport {
    let stop = match report.stop {
        StopReason::Depth => proto::StopReason::Depth,
        StopReason::Nodes => proto::StopReason::Nodes,
        StopReason::Time => proto::StopReason::Time,
        StopReason::Solved => proto::StopReason::Solved,
        StopReason::OnlyMove => proto::StopReason::OnlyMove,
    };
    proto::BotReport {
        level: report.level.into(),
        seed: report.seed,
        depth: report.depth,
        nodes: report.nodes,
        elapsed: Some(duration(Duration::from_micros(report.micros))),
        score: Some(bot_score(report.score)),
        main_line: report.main_line.clone(),
        stop_reason: stop.into(),
    }
}
