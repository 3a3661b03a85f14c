use super::{
    Medium,
    palette::{ALERT, FAINT, GOOD},
};
use crate::api::proto::{Action, Board, Cell, Game, Move, Outcome, Region, RegionKind, Score, Side, Taken};

/// The longest name that is shown whole, in characters: lines must fit a terminal.
const LONGEST_NAME: usize = 24;

/// The lines above a board: which game this is, at which version, and who plays.
pub(crate) fn heading(title: &str, game: &Game, medium: Medium) -> String {
    let which = format!("game {}, version {}", game.id, game.version);
    let players =
        format!("{} (Black) against {} (White)", name(&game.black_player), name(&game.white_player));
    format!("{}  {}\n{players}\n", medium.bold(title), medium.ink(&which, FAINT))
}

/// A player's name: control characters would be obeyed by the terminal, so they are left out.
fn name(player: &str) -> String {
    let shown: String = player.chars().filter(|sign| !sign.is_control()).take(LONGEST_NAME).collect();
    if shown.is_empty() { "somebody".to_owned() } else { shown }
}

/// The lines below a board: counts, areas held, the last move, and whose turn it is or how the game
/// ended.
pub(crate) fn caption(board: &Board, game: &Game, medium: Medium) -> String {
    let mut lines = Vec::new();
    if !game.scores.is_empty() {
        lines.push(game.scores.iter().map(score).collect::<Vec<_>>().join("   "));
    }
    lines.extend(holdings(board, &game.cells));
    lines.extend(fixed(&game.cells));
    if let Some(mv) = &game.last_move {
        lines.push(format!("move {}: {}", game.ply, move_sentence(mv)));
    }
    lines.push(standing(game, medium));
    lines.join("\n") + "\n"
}

fn score(score: &Score) -> String {
    format!("{}: Black {}, White {}", words(&score.name), score.black, score.white)
}

/// Which side has more stones in which areas, where the board has areas.
fn holdings(board: &Board, cells: &[Cell]) -> Option<String> {
    let areas: Vec<&Region> =
        board.regions.iter().filter(|region| region.kind() == RegionKind::Area).collect();
    if areas.is_empty() {
        return None;
    }
    let held = |side: Side| {
        let of_side = areas.iter().filter(|area| 0 < lead(area, cells, side));
        let names: Vec<&str> = of_side.map(|area| area.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    };
    Some(format!("areas held: Black {}; White {}", held(Side::Black), held(Side::White)))
}

/// How many more stones than the other side this one has in an area.
fn lead(area: &Region, cells: &[Cell], side: Side) -> i32 {
    let inside = cells.iter().filter(|cell| area.points.contains(&cell.point));
    inside.map(|cell| if cell.owner() == side { 1 } else { -1 }).sum()
}

fn fixed(cells: &[Cell]) -> Option<String> {
    let fixed: Vec<String> = cells.iter().filter(|cell| cell.fixed).map(fixed_tower).collect();
    (!fixed.is_empty()).then(|| format!("fixed for ever: {}", fixed.join(", ")))
}

fn fixed_tower(cell: &Cell) -> String {
    format!("{} ({}, {} high)", cell.point, side_name(cell.owner()), cell.count)
}

/// A move as a sentence: who, its text, and what it takes or joins.
pub(crate) fn move_sentence(mv: &Move) -> String {
    let mut sentence = format!("{} {}", side_name(mv.side()), mv.text);
    match mv.action() {
        Action::Pass => sentence = format!("{} passes", side_name(mv.side())),
        Action::Castle => sentence += ", castling",
        _ => (),
    }
    for (verb, list) in [("takes", &mv.captures), ("joins", &mv.merges)] {
        if !list.is_empty() {
            let taken: Vec<String> = list.iter().map(taken).collect();
            sentence += &format!(", {verb} {}", taken.join(" and "));
        }
    }
    sentence
}

fn taken(taken: &Taken) -> String {
    match taken.pieces.as_str() {
        "b" | "w" => format!("the stone on {}", taken.point),
        pieces => format!("{pieces} on {}", taken.point),
    }
}

fn standing(game: &Game, medium: Medium) -> String {
    if let Some(outcome) = &game.outcome {
        return medium.ink(&outcome_sentence(outcome), GOOD);
    }
    let part = if game.phase == "play" { String::new() } else { format!(", {} play", words(&game.phase)) };
    let passes = match game.consecutive_passes {
        0 => String::new(),
        1 => medium.ink(" (after a pass)", ALERT),
        passes => medium.ink(&format!(" (after {passes} passes)"), ALERT),
    };
    format!("{} to move{part}{passes}", medium.bold(side_name(game.side_to_move())))
}

/// How a game ended, as a sentence.
pub(crate) fn outcome_sentence(outcome: &Outcome) -> String {
    let reason = words(&outcome.reason);
    match outcome.winner() {
        Side::Unspecified => format!("nobody wins: {reason}"),
        winner => format!("{} wins: {reason}", side_name(winner)),
    }
}

/// The name of a side for people.
pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::Black => "Black",
        Side::White => "White",
        Side::Unspecified => "nobody",
    }
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}
