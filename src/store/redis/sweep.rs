use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use redis::{Cmd, Value, cmd};
use tokio::{task::JoinHandle, time::sleep};
use tracing::debug;

use super::{
    address::Address,
    fault::{damaged, unavailable},
    index::{Index, game},
    key,
    links::Links,
    slot::Slot,
    value,
};
use crate::{
    game::{GameKey, Millis, Tenant},
    store::{Card, Place, StoreError, facet::Facet},
};

/// Goes through all keys from time to time and mends the lists: enters games that are missing, and
/// takes away places that are too much, such as those of games that are no longer kept.
///
/// Games are not missing unless a failover has lost part of a list; places are left over wherever a
/// server died between a game and its lists, and wherever a game's time was up.
pub(super) struct Sweeper(JoinHandle<()>);

/// How long a place without a game stays: its game may be about to be written.
pub(super) const GRACE: Duration = Duration::from_secs(3600);

/// How many keys or places are looked at in one go.
const PART: usize = 200;

/// Between two of these: Redis has other things to do.
const PAUSE: Duration = Duration::from_millis(50);

impl Sweeper {
    /// Sweeps once in each `rhythm`, in one of the servers that share the store, until this is
    /// dropped.
    pub(super) fn start(links: Arc<Links>, index: Arc<Index>, rhythm: Duration) -> Sweeper {
        let sweep = Sweep { links, index };
        Sweeper(tokio::spawn(async move {
            loop {
                sleep(rhythm).await;
                match sweep.when_due(rhythm).await {
                    Ok(()) => (),
                    Err(error) => debug!("sweeping broke off: {error}"),
                }
            }
        }))
    }
}

impl Drop for Sweeper {
    fn drop(&mut self) {
        self.0.abort();
    }
}

struct Sweep {
    links: Arc<Links>,
    index: Arc<Index>,
}

impl Sweep {
    /// Sweeps, unless it has been done within the rhythm.
    async fn when_due(&self, rhythm: Duration) -> Result<(), StoreError> {
        // A little less, so that it is over when the same server comes round again.
        let taken = (rhythm * 9 / 10).as_millis().max(1);
        let mut claim = cmd("SET");
        claim.arg(key::SWEEP).arg("").arg("NX").arg("PX").arg(taken as u64);
        match self.links.ask(Slot::of(key::SWEEP.as_bytes()), &claim).await? {
            Value::Okay => self.everywhere().await,
            _ => Ok(()),
        }
    }

    async fn everywhere(&self) -> Result<(), StoreError> {
        for server in self.links.masters().await.map_err(unavailable)? {
            let scan = |cursor: &[u8]| scan("SCAN", None, cursor, Some(&format!("{}*", key::PREFIX)));
            let mut cursor = b"0".to_vec();
            loop {
                let (next, keys) = self.part(&server, &scan(&cursor)).await?;
                self.mend(&server, &keys).await?;
                sleep(PAUSE).await;
                if next == b"0" {
                    break;
                }
                cursor = next;
            }
        }
        Ok(())
    }

    async fn mend(&self, server: &Address, keys: &[Vec<u8>]) -> Result<(), StoreError> {
        let keys: Vec<&str> = keys.iter().filter_map(|key| std::str::from_utf8(key).ok()).collect();
        let games: Vec<GameKey> = keys.iter().filter_map(|key| key::read_card(key)).collect();
        let cards = self.index.cards(&games).await?;
        let listed = games.iter().zip(cards).filter_map(|(game, card)| Some((game, card?)));
        self.index.enter_all(listed).await?;
        for list in keys {
            if let Some(tenant) = key::read_list(list) {
                self.tidy(server, list, &tenant).await?;
            }
        }
        Ok(())
    }

    /// Takes away what is too much in a list.
    async fn tidy(&self, server: &Address, list: &str, tenant: &Tenant) -> Result<(), StoreError> {
        let mut cursor = b"0".to_vec();
        loop {
            let (next, members) = self.part(server, &scan("ZSCAN", Some(list), &cursor, None)).await?;
            // Each member is followed by its score.
            let places = members.iter().step_by(2).map(|member| value::read_place(member));
            let places = places.collect::<Result<Vec<Place>, _>>()?;
            let games = places.iter().map(|place| game(tenant, place)).collect::<Vec<_>>();
            let cards = self.index.cards(&games).await?;
            let now = now();
            let left_over = places
                .iter()
                .zip(cards)
                .filter(|(place, card)| is_left_over(list, tenant, place, card.as_ref(), now));
            let left_over: Vec<_> =
                left_over.map(|(place, _)| value::write_place(place.created, &place.id)).collect();
            if !left_over.is_empty() {
                self.index.remove(list, &left_over).await?;
            }
            if next == b"0" {
                return Ok(());
            }
            sleep(PAUSE).await;
            cursor = next;
        }
    }

    /// The next cursor of a scan, and what it has found.
    async fn part(&self, server: &Address, scan: &Cmd) -> Result<(Vec<u8>, Vec<Vec<u8>>), StoreError> {
        let answer = self.links.ask_server(server, scan).await?;
        redis::from_redis_value(answer).map_err(|_| damaged("the answer to a scan"))
    }
}

fn scan(name: &str, list: Option<&str>, cursor: &[u8], pattern: Option<&str>) -> Cmd {
    let mut scan = cmd(name);
    scan.arg(list).arg(cursor);
    if let Some(pattern) = pattern {
        scan.arg("MATCH").arg(pattern);
    }
    scan.arg("COUNT").arg(PART);
    scan
}

/// Whether a place is in a list by mistake, and stays one whatever is being written now.
fn is_left_over(list: &str, tenant: &Tenant, place: &Place, card: Option<&Card>, now: Millis) -> bool {
    let Some(card) = card else {
        return place.created.0.saturating_add(GRACE.as_millis() as u64) < now.0;
    };
    let is = |facet: &Facet<'_>| key::list(tenant, facet) == list;
    // The place of a game that may be ending at this moment.
    let ending = !card.finished && is(&Facet::Finished(true));
    card.created != place.created || !(ending || Facet::of(card).iter().any(is))
}

fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Millis(since.map_or(0, |since| since.as_millis() as u64))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn places_are_left_over_only_for_good() {
        let card = |finished| Card {
            game_type: "quantum".into(),
            black_player: "ada".into(),
            white_player: "bob".into(),
            labels: BTreeMap::new(),
            created: Millis(5),
            finished,
        };
        let tenant: Tenant = "club".parse().unwrap();
        let left_over = |facet: Facet<'_>, created, card: Option<&Card>, now| {
            let place = Place { created: Millis(created), id: "game".parse().unwrap() };
            is_left_over(&key::list(&tenant, &facet), &tenant, &place, card, Millis(now))
        };
        let (running, finished) = (card(false), card(true));
        let hour = 3_600_000;

        assert!(!left_over(Facet::All, 5, Some(&running), 10 * hour));
        assert!(!left_over(Facet::Player("bob"), 5, Some(&finished), 10 * hour));
        assert!(!left_over(Facet::Finished(true), 5, Some(&running), 10 * hour), "it may be ending");
        assert!(left_over(Facet::Finished(false), 5, Some(&finished), 0), "it has ended");
        assert!(left_over(Facet::All, 4, Some(&running), 0), "an attempt that came to nothing");
        assert!(left_over(Facet::Player("cyd"), 5, Some(&running), 0), "one with other content");
        assert!(!left_over(Facet::All, 5, None, hour), "it may be about to be written");
        assert!(left_over(Facet::All, 5, None, hour + 6));
        assert!(!left_over(Facet::All, u64::MAX, None, hour));
    }
}
