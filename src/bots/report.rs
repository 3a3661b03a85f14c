use std::time::Duration;

use super::{
    Thought,
    flight::{Found, Unfound},
};
use crate::{
    game::{BotOrder, BotReport, BotScore, StopReason},
    search::{self, Line, Score},
};

/// What a search came to.
pub(super) fn found(order: BotOrder, line: Line<String>) -> Result<Found, Unfound> {
    let stop = match line.stop.unwrap_or(search::StopReason::Stopped) {
        search::StopReason::Depth => StopReason::Depth,
        search::StopReason::Nodes => StopReason::Nodes,
        search::StopReason::Time => StopReason::Time,
        search::StopReason::Solved => StopReason::Solved,
        search::StopReason::OnlyMove => StopReason::OnlyMove,
        search::StopReason::Stopped => return Err(Unfound::Stopped),
    };
    let report = BotReport {
        level: order.level,
        seed: order.seed,
        depth: line.depth,
        nodes: line.nodes,
        micros: micros(line.elapsed),
        score: score(line.score),
        main_line: line.main_line,
        stop,
    };
    Ok((line.best, report))
}

/// How far a search is.
pub(super) fn thought(line: &Line<String>) -> Thought {
    Thought {
        depth: line.depth,
        nodes: line.nodes,
        micros: micros(line.elapsed),
        score: score(line.score),
        main_line: line.main_line.clone(),
    }
}

fn score(score: Score) -> BotScore {
    match score {
        Score::Estimate(centi) => BotScore::Centi(centi),
        Score::Win { turns } => BotScore::WinIn(turns),
        Score::Loss { turns } => BotScore::LossIn(turns),
        Score::Draw => BotScore::Drawn,
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
