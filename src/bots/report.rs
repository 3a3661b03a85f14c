use std::time::Duration;

use super::{Thought, flight::Found};
use crate::{
    game::{BotOrder, BotReport, BotScore, StopReason},
    search::{self, Line, Score},
};

/// What a search came to; `None` if it was told to stop.
pub(super) fn found(order: BotOrder, line: Line<String>) -> Option<Found> {
    let stop = match line.stop? {
        search::StopReason::Depth => StopReason::Depth,
        search::StopReason::Nodes => StopReason::Nodes,
        search::StopReason::Time => StopReason::Time,
        search::StopReason::Solved => StopReason::Solved,
        search::StopReason::OnlyMove => StopReason::OnlyMove,
        search::StopReason::Stopped => return None,
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
    Some((line.best, report))
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
