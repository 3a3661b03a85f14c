use std::sync::Arc;

use redis::{Cmd, Value, cmd};

use super::{key, links::Links, slot::Slot, value};
use crate::{
    game::{GameKey, Tenant},
    store::{Card, Filter, Page, Place, StoreError, facet::Facet},
};

/// The lists by which games are found.
///
/// A list may hold too much: places are entered before the game is written, and taken away after it
/// has changed, so that a server may die at any moment and no game is missing from a list. A listing
/// therefore believes the cards of games only; what is too much is taken away by [`super::sweep`].
pub(super) struct Index {
    links: Arc<Links>,
}

/// The most games that one call looks at to fill a page.
const SCAN: usize = 2_000;

/// The fewest and the most places that are read at a time.
const PART: (usize, usize) = (16, 500);

impl Index {
    pub(super) fn new(links: Arc<Links>) -> Index {
        Index { links }
    }

    /// Enters a game into every list that a game of this card is on.
    pub(super) async fn enter(&self, game: &GameKey, card: &Card) -> Result<(), StoreError> {
        self.enter_all([(game, card.clone())]).await
    }

    pub(super) async fn enter_all<'a>(
        &self,
        games: impl IntoIterator<Item = (&'a GameKey, Card)>,
    ) -> Result<(), StoreError> {
        let mut entering = Vec::new();
        for (game, card) in games {
            let place = value::write_place(card.created, &game.id);
            let lists = Facet::of(&card).into_iter().map(|facet| key::list(&game.tenant, &facet));
            entering.extend(lists.map(|list| add(&list, &place)));
        }
        self.links.ask_all(&entering).await.map(drop)
    }

    /// Takes a game that has ended off the list of those that go on.
    pub(super) async fn leave_running(&self, game: &GameKey, card: &Card) -> Result<(), StoreError> {
        let place = value::write_place(card.created, &game.id);
        let list = key::list(&game.tenant, &Facet::Finished(false));
        self.remove(&list, &[place]).await
    }

    pub(super) async fn remove(&self, list: &str, places: &[Vec<u8>]) -> Result<(), StoreError> {
        let mut removing = cmd("ZREM");
        removing.arg(list).arg(places);
        self.links.ask(Slot::of(list.as_bytes()), &removing).await.map(drop)
    }

    pub(super) async fn list(
        &self,
        tenant: &Tenant,
        filter: &Filter,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let list = key::list(tenant, &Facet::narrowest(filter));
        let mut page = Page { games: Vec::new(), next: after.cloned() };
        let mut looked_at = 0;
        loop {
            // One more than are wanted shows whether there is anything behind them.
            let wanted = (limit - page.games.len()).saturating_add(1).clamp(PART.0, PART.1);
            let places = self.places(&list, page.next.as_ref(), wanted).await?;
            let ended = places.len() < wanted;
            let games: Vec<GameKey> = places.iter().map(|place| game(tenant, place)).collect();
            let cards = self.cards(&games).await?;
            for (place, card) in places.into_iter().zip(cards) {
                if page.games.len() == limit || looked_at == SCAN {
                    return Ok(page);
                }
                looked_at += 1;
                if let Some(card) = card.filter(|card| card.created == place.created && filter.fits(card)) {
                    page.games.push((place.id.clone(), card));
                }
                page.next = Some(place);
            }
            if ended {
                return Ok(Page { next: None, ..page });
            }
        }
    }

    /// At most so many places of a list, those after one of them.
    async fn places(
        &self,
        list: &str,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Vec<Place>, StoreError> {
        let start = match after {
            Some(place) => [b"(".as_slice(), &value::write_place(place.created, &place.id)].concat(),
            None => b"-".to_vec(),
        };
        let mut question = cmd("ZRANGE");
        question.arg(list).arg(start).arg("+").arg("BYLEX").arg("LIMIT").arg(0).arg(limit);
        let answer = self.links.ask(Slot::of(list.as_bytes()), &question).await?;
        value::read_array(&answer)?.iter().map(|place| value::read_place(value::read_bytes(place)?)).collect()
    }

    /// The cards of these games; `None` where there is no game.
    pub(super) async fn cards(&self, games: &[GameKey]) -> Result<Vec<Option<Card>>, StoreError> {
        let questions: Vec<(Slot, Cmd)> = games.iter().map(|game| get(&key::card(game))).collect();
        let answers = self.links.ask_all(&questions).await?;
        answers
            .iter()
            .map(|answer| match answer {
                Value::Nil => Ok(None),
                card => value::read_card(value::read_bytes(card)?).map(Some),
            })
            .collect()
    }
}

/// The game at a place of a tenant's list.
pub(super) fn game(tenant: &Tenant, place: &Place) -> GameKey {
    GameKey { tenant: tenant.clone(), id: place.id.clone() }
}

fn add(list: &str, place: &[u8]) -> (Slot, Cmd) {
    let mut adding = cmd("ZADD");
    adding.arg(list).arg(0).arg(place);
    (Slot::of(list.as_bytes()), adding)
}

fn get(key: &str) -> (Slot, Cmd) {
    let mut getting = cmd("GET");
    getting.arg(key);
    (Slot::of(key.as_bytes()), getting)
}
