use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use clap::builder::PossibleValuesParser;
use tokio::time::sleep;

use super::{
    bots::bot,
    client::{Client, failure, new_request_id, persist},
    draw::{Medium, outcome_sentence},
    follow::{Follower, News},
    mirror,
    private::PrivateServer,
    screen::Screen,
    setup::{Setup, names},
    table::Table,
};
use crate::api::proto::{Game, GetGameRequest, RequestBotMoveRequest, Side};

/// Plays a whole game between two bots, and shows it as a watcher sees it.
///
/// Starts a private server on a free port, with its games in a temporary directory. One connection
/// asks the bots for their moves; a second one follows the game and draws the board after each event.
#[derive(clap::Args, Debug)]
pub(super) struct Demo {
    /// The type of game.
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(names()),
        default_value = "quantum-control",
        env = "BOARDKEEPER_GAME"
    )]
    game: String,

    /// The levels of Black and White, each 1 to 5.
    #[arg(long, value_name = "BLACK,WHITE", value_parser = levels, default_value = "3,2")]
    levels: [u32; 2],

    /// The least time between moves, in milliseconds. Without it: 250 in a terminal, else 0.
    #[arg(long, value_name = "MILLISECONDS")]
    pause: Option<u64>,
}

fn levels(text: &str) -> Result<[u32; 2], String> {
    let level = |text: &str| text.trim().parse().ok().filter(|level| (1..=5).contains(level));
    let pair = text.split_once(',').and_then(|(black, white)| Some([level(black)?, level(white)?]));
    pair.ok_or_else(|| "expected two levels from 1 to 5, such as 3,2".to_owned())
}

impl Demo {
    pub(super) async fn run(self, medium: Medium) -> anyhow::Result<()> {
        let start = Instant::now();
        let server = PrivateServer::start().await?;
        let mut client = server.connect().await?;
        let game = self.create(&mut client).await?;
        let table = Table::of(&mut client, &game).await?;
        writeln!(io::stdout(), "a private server at {} keeps game {}", server.address(), game.id)?;
        let screen = Screen::new(medium);
        let usual = if screen.is_live() { 250 } else { 0 };
        let pause = Duration::from_millis(self.pause.unwrap_or(usual));
        let watching = watch(server.connect().await?, &game.id, table, screen, medium);
        let playing = play(client.clone(), game.clone(), self.levels, pause);
        let (seen, played) = tokio::try_join!(watching, playing)?;
        let kept = client.get_game(GetGameRequest { game_id: game.id, version: 0 }).await;
        let kept = kept.map_err(failure)?.into_inner().game.context("the server showed no game")?;
        ensure!(seen.digest == kept.digest, "the watcher did not see the game that the server keeps");
        ensure!(seen.position == kept.position, "the watcher did not see the board that the server keeps");
        writeln!(io::stdout(), "{}", result(&kept, played, start.elapsed()))?;
        server.stop().await
    }

    async fn create(&self, client: &mut Client) -> anyhow::Result<Game> {
        let [black, white] = self.levels;
        let (black, white) = (bot(client, black).await?, bot(client, white).await?);
        let request = Setup::usual(&self.game).request(&black.name, &white.name)?;
        let created = client.create_game(request).await.map_err(failure)?.into_inner();
        created.game.context("the server created no game")
    }
}

/// Lets the bots move until the game is over. Returns how many moves they made.
async fn play(client: Client, mut game: Game, levels: [u32; 2], pause: Duration) -> anyhow::Result<u32> {
    let mut moves = 0;
    while game.outcome.is_none() {
        let level = levels[usize::from(game.side_to_move() == Side::White)];
        let request = RequestBotMoveRequest {
            game_id: game.id.clone(),
            expected_version: game.version,
            request_id: new_request_id(),
            level,
            limits: None,
            seed: game.version,
            expected_digest: game.digest.clone(),
        };
        let next = Instant::now() + pause;
        let call = || {
            let (mut client, request) = (client.clone(), request.clone());
            async move { client.request_bot_move(request).await }
        };
        game = persist(call).await.map_err(failure)?.game.context("the bot's answer shows no game")?;
        moves += 1;
        sleep(next.saturating_duration_since(Instant::now())).await;
    }
    Ok(moves)
}

/// Draws the game after each event until it ends. Returns it as it was seen.
async fn watch(
    client: Client,
    game_id: &str,
    table: Table,
    mut screen: Screen,
    medium: Medium,
) -> anyhow::Result<Game> {
    let mut follower = Follower::new(client, game_id);
    let mut game = None;
    while let Some(news) = follower.next().await? {
        match news {
            News::Event(event) => {
                let now = mirror::follow(game.take(), game_id, &event)?;
                screen.show(&table.show(&now, medium))?;
                game = Some(now);
            }
            News::Cut(why) => eprintln!("{why}; going on from here"),
        }
    }
    game.context("the watcher saw nothing")
}

fn result(game: &Game, moves: u32, elapsed: Duration) -> String {
    let outcome = game.outcome.as_ref().map(outcome_sentence).unwrap_or_default();
    let seconds = elapsed.as_secs_f64();
    format!("{outcome}, after {moves} moves and {seconds:.1} s; the watcher saw all {} events", game.version)
}
