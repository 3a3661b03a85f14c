use super::{
    client::{USUAL_SERVER, connect},
    draw::Medium,
    follow::{Follower, News},
    mirror,
    screen::Screen,
    table::Table,
};

/// Follows a game from its beginning, and draws it after each event, until it ends.
///
/// A cut connection is taken up again where it broke: no event is missed and none shown twice.
#[derive(clap::Args, Debug)]
pub(super) struct Watch {
    /// The game's id.
    #[arg(value_name = "GAME")]
    game: String,

    /// The server's address.
    #[arg(long, value_name = "ADDRESS", default_value = USUAL_SERVER, env = "BOARDKEEPER_SERVER")]
    server: String,
}

impl Watch {
    pub(super) async fn run(self, medium: Medium) -> anyhow::Result<()> {
        let mut client = connect(&self.server).await?;
        let mut follower = Follower::new(client.clone(), &self.game);
        let mut screen = Screen::new(medium);
        let mut game = None;
        let mut table = None;
        while let Some(news) = follower.next().await? {
            let event = match news {
                News::Event(event) => event,
                News::Cut(why) => {
                    eprintln!("{why}; going on from here");
                    continue;
                }
            };
            let now = mirror::follow(game.take(), &self.game, &event)?;
            let table = match &mut table {
                Some(table) => table,
                None => table.insert(Table::of(&mut client, &now).await?),
            };
            screen.show(&table.show(&now, medium))?;
            game = Some(now);
        }
        Ok(())
    }
}
