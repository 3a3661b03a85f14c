use std::collections::BTreeMap;

use anyhow::Context;

use super::{
    client::{Client, failure},
    draw::{Marks, Medium, caption, heading, picture},
};
use crate::api::{
    options,
    proto::{Board, Game, GameOptions, ListGameTypesRequest},
};

/// What is known of a game's type for showing it: its title and the board it is played on.
pub(super) struct Table {
    pub(super) title: String,
    pub(super) board: Board,
}

impl Table {
    /// Asks the server for the board of such a game.
    ///
    /// # Errors
    /// The call fails, or the server does not know the type.
    pub(super) async fn of(client: &mut Client, game: &Game) -> anyhow::Result<Table> {
        let types = client.list_game_types(ListGameTypesRequest {}).await.map_err(failure)?.into_inner();
        let mut types = types.game_types.into_iter();
        let unknown = || format!("the server does not describe games of type {}", game.game_type);
        let game_type = types.find(|of| of.name == game.game_type).with_context(unknown)?;
        let chosen = choice(&game.game_type, game.options.as_ref());
        let mut boards = game_type.boards.into_iter();
        let board = boards.find(|board| choice(&game.game_type, board.options.as_ref()) == chosen);
        Ok(Table { title: game_type.title, board: board.with_context(unknown)? })
    }

    /// The whole picture of a game: what it is, the board with the last move marked, how it stands.
    pub(super) fn show(&self, game: &Game, medium: Medium) -> String {
        let last = game.last_move.as_ref().map(|mv| mv.points.clone()).unwrap_or_default();
        let board = self.draw(game, &Marks { last, ..Marks::default() }, medium);
        heading(&self.title, game, medium) + &board + &caption(&self.board, game, medium)
    }

    /// The board alone.
    pub(super) fn draw(&self, game: &Game, marks: &Marks, medium: Medium) -> String {
        picture(&self.board, &game.cells, marks, medium)
    }
}

/// The board that options choose, in games that have several.
fn choice(game_type: &str, options: Option<&GameOptions>) -> Option<String> {
    let texts: BTreeMap<String, String> = options::read(game_type, options).unwrap_or_default();
    texts.get("board").cloned()
}
