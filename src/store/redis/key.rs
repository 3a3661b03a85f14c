//! How keys are named. The digit is the version of the format: another format has other keys.
//!
//! What is between braces decides the slot: all keys of a game are of one.

use crate::{
    game::{GameKey, Tenant},
    store::facet::Facet,
};

/// The beginning of every key.
pub(super) const PREFIX: &str = "bk1:";

/// Exists while it need not be swept again.
pub(super) const SWEEP: &str = "bk1:sweep";

/// The entries of a game, in order: a list.
pub(super) fn log(game: &GameKey) -> String {
    of_game(game, "log")
}

/// Request id to version: a hash.
pub(super) fn ids(game: &GameKey) -> String {
    of_game(game, "ids")
}

/// What listings show of a game: a string.
pub(super) fn card(game: &GameKey) -> String {
    of_game(game, "card")
}

/// The places of the games of one property: a sorted set, all of one score, so that it is in the
/// order of bytes.
pub(super) fn list(tenant: &Tenant, facet: &Facet<'_>) -> String {
    let id = facet.id().map(|byte| format!("{byte:02x}")).concat();
    format!("{PREFIX}list:{tenant}:{id}")
}

/// The channel on which servers tell each other which games grew. Channels are common to all
/// databases of a server, keys are not.
pub(super) fn bell(database: i64) -> String {
    format!("{PREFIX}bell:{database}")
}

fn of_game(game: &GameKey, what: &str) -> String {
    format!("{PREFIX}{{{game}}}:{what}")
}

/// The game of a card's key.
pub(super) fn read_card(key: &str) -> Option<GameKey> {
    let game = key.strip_prefix(PREFIX)?.strip_prefix('{')?.strip_suffix("}:card")?;
    read_game(game)
}

/// The tenant of a list's key.
pub(super) fn read_list(key: &str) -> Option<Tenant> {
    let (tenant, _) = key.strip_prefix(PREFIX)?.strip_prefix("list:")?.split_once(':')?;
    tenant.parse().ok()
}

/// Reads a game as it stands in keys and messages.
pub(super) fn read_game(text: &str) -> Option<GameKey> {
    let (tenant, id) = text.split_once('/')?;
    Some(GameKey { tenant: tenant.parse().ok()?, id: id.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::redis::slot::Slot;

    #[test]
    fn keys_stay_what_they_are() {
        let game: GameKey = read_game("club/0190a6c4").unwrap();
        assert_eq!(log(&game), "bk1:{club/0190a6c4}:log");
        assert_eq!(ids(&game), "bk1:{club/0190a6c4}:ids");
        assert_eq!(card(&game), "bk1:{club/0190a6c4}:card");
        assert_eq!(list(&game.tenant, &Facet::All), "bk1:list:club:6e340b9cffb37a989ca544e6bb780a2c");
        assert_eq!(bell(3), "bk1:bell:3");
        assert_eq!(read_card(&card(&game)), Some(game.clone()));
        assert_eq!(read_list(&list(&game.tenant, &Facet::All)), Some(game.tenant.clone()));
        for other in [log(&game), ids(&game), list(&game.tenant, &Facet::All)] {
            assert_eq!(read_card(&other), None);
        }
    }

    #[test]
    fn all_keys_of_a_game_are_of_one_slot() {
        let game = read_game("club/a-b_c").unwrap();
        let slots = [log(&game), ids(&game), card(&game)].map(|key| Slot::of(key.as_bytes()));
        assert!(slots.iter().all(|slot| *slot == Slot::of(b"club/a-b_c")));
    }
}
