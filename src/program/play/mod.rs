//! A person plays against a bot.

mod hand;
mod history;
mod input;
mod listing;
mod meant;
mod opponent;
mod refused;
mod session;
mod wish;

use anyhow::Context;

use super::{
    bots::bot,
    client::{Client, connect, failure},
    draw::Medium,
    private::PrivateServer,
    setup::Setup,
    table::Table,
};
use crate::{
    api::proto::{Game, Side},
    rules,
};
use opponent::Opponent;
use session::Session;

/// Plays a game against a bot, with typed commands.
///
/// Select points to put a move together, or type the move's text; it is shown on the board and can
/// still be cancelled until you `send` it. Type `help` for all commands. Without --server, a private
/// server is started for this one game.
#[derive(clap::Args, Debug)]
pub(in crate::program) struct Play {
    #[command(flatten)]
    setup: Setup,

    /// The bot's level: 1 (weakest) to 5.
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..=5), env = "BOARDKEEPER_BOT")]
    bot: u32,

    /// What the bot chooses among equal moves by: the same seed and the same moves of yours make the
    /// same game. Without it, every game is another.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Your side. Without it: the side that moves first in games of this type.
    #[arg(long, value_name = "b|w", value_parser = side)]
    side: Option<Side>,

    /// Your name, for the game's record.
    #[arg(long, default_value = "you", env = "BOARDKEEPER_NAME")]
    name: String,

    /// The address of a server, such as `http://127.0.0.1:50051`.
    #[arg(long, value_name = "ADDRESS", env = "BOARDKEEPER_SERVER")]
    server: Option<String>,
}

fn side(text: &str) -> Result<Side, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::Black),
        "w" | "white" => Ok(Side::White),
        _ => Err("expected b or w".to_owned()),
    }
}

impl Play {
    pub(in crate::program) async fn run(self, medium: Medium) -> anyhow::Result<()> {
        match &self.server {
            Some(address) => self.play(connect(address).await?, medium).await,
            None => {
                let server = PrivateServer::start().await?;
                let client = server.connect().await?;
                self.play(client, medium).await?;
                server.stop().await
            }
        }
    }

    async fn play(&self, mut client: Client, medium: Medium) -> anyhow::Result<()> {
        let side = match self.side {
            Some(side) => side,
            None => first_side(&self.setup)?,
        };
        let opponent = Opponent { bot: bot(&mut client, self.bot).await?, seed: self.seed };
        let game = self.create(&mut client, side, &opponent.bot.name).await?;
        let table = Table::of(&mut client, &game).await?;
        Session::new(client, table, game, side, opponent, medium).run(input::Lines::of_stdin()).await
    }

    async fn create(&self, client: &mut Client, side: Side, bot: &str) -> anyhow::Result<Game> {
        let request = match side {
            Side::White => self.setup.request(bot, &self.name)?,
            Side::Black | Side::Unspecified => self.setup.request(&self.name, bot)?,
        };
        let created = client.create_game(request).await.map_err(failure)?.into_inner();
        created.game.context("the server created no game")
    }
}

fn first_side(setup: &Setup) -> anyhow::Result<Side> {
    Ok(match setup.kind()?.game_type().first {
        rules::Side::Black => Side::Black,
        rules::Side::White => Side::White,
    })
}
