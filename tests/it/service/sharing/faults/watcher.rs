use boardkeeper::api::proto::Event;
use tokio::time::sleep;
use tonic::{Code, Status};

use super::{chance::Chance, player::lost, town::Town};
use crate::service::reader::Reader;

/// What came of watching a game.
pub(super) struct Watched {
    pub(super) events: Vec<Event>,
    /// How often the stream was resumed.
    pub(super) resumed: usize,
}

/// Watches a game from its creation to its end, at one server after the other.
pub(super) async fn watch(town: &Town, id: &str, mut chance: Chance) -> Watched {
    let portals = town.portals();
    let mut reader = Reader::new(&portals[chance.of(0..portals.len())], id);
    let mut resumed = 0;
    loop {
        match reader.frame().await {
            Ok(Some(_)) if !chance.one_in(40) => continue,
            Ok(Some(_)) => (),
            Ok(None) => {
                assert!(reader.is_over(), "OK before the event that ends the game");
                return Watched { events: reader.events, resumed };
            }
            Err(status) => {
                assert_lost(&status, reader.events.is_empty());
                sleep(chance.millis(1..60)).await;
            }
        }
        resumed += 1;
        reader.cut();
        reader.portal = portals[chance.of(0..portals.len())].clone();
    }
}

/// Asserts that a stream broke off for the weather, or that the game has yet to be created.
fn assert_lost(status: &Status, nothing_came: bool) {
    if status.code() != Code::NotFound || !nothing_came {
        lost(status);
    }
}
