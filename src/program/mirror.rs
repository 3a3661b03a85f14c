use anyhow::Context;

use crate::api::proto::{Event, Game, GameCreated, GameStatus, PointChange, event::Kind};

/// The game after an event, as a watcher knows it from events alone. The first event creates it.
///
/// # Errors
/// The event does not follow: it is not the creation of the game, or not the next event.
pub(super) fn follow(before: Option<Game>, game_id: &str, event: &Event) -> anyhow::Result<Game> {
    let mut game = match (&event.kind, before) {
        (Some(Kind::Created(created)), None) => created_game(game_id, created),
        (_, Some(game)) if game.version + 1 == event.version => game,
        _ => anyhow::bail!("event {} does not follow on what came before", event.version),
    };
    if let Some(Kind::MovePlayed(played)) = &event.kind {
        game.last_move = Some(played.r#move.clone().context("a move came without saying which")?);
        game.ply += 1;
    }
    game.version = event.version;
    game.digest = event.digest.clone();
    game.update_time = event.time;
    if game.create_time.is_none() {
        game.create_time = event.time;
    }
    game.position = event.position.clone();
    game.side_to_move = event.side_to_move;
    game.phase = event.phase.clone();
    game.scores = event.scores.clone();
    game.consecutive_passes = event.consecutive_passes;
    event.changes.iter().for_each(|change| apply(&mut game, change));
    if let Some(outcome) = &event.outcome {
        game.outcome = Some(outcome.clone());
        game.end_time = event.time;
        game.set_status(GameStatus::Finished);
    }
    Ok(game)
}

fn created_game(game_id: &str, created: &GameCreated) -> Game {
    let mut game = Game {
        id: game_id.to_owned(),
        game_type: created.game_type.clone(),
        options: created.options,
        black_player: created.black_player.clone(),
        white_player: created.white_player.clone(),
        labels: created.labels.clone(),
        initial_position: created.initial_position.clone(),
        ..Game::default()
    };
    game.set_status(GameStatus::Running);
    game
}

fn apply(game: &mut Game, change: &PointChange) {
    game.cells.retain(|cell| cell.point != change.point);
    game.cells.extend(change.now.clone());
}
