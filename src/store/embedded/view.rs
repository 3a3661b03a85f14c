use std::ops::Bound;

use fjall::{Readable, Snapshot};

use super::{change, error::unreadable, rows, tables::Tables};
use crate::{
    game::{Entry, GameKey, RequestId, Tenant, Version},
    store::{Card, Filter, Log, Page, Place, StoreError, facet::Facet},
};

/// The most games that one call looks at to fill a page.
const SCAN: usize = 2_000;

/// All tables as they were at one moment.
pub(super) struct View<'a> {
    tables: &'a Tables,
    rows: Snapshot,
}

impl<'a> View<'a> {
    pub(super) fn new(tables: &'a Tables) -> View<'a> {
        View { tables, rows: tables.snapshot() }
    }

    pub(super) fn find(&self, key: &GameKey, request: RequestId) -> Result<Option<Version>, StoreError> {
        change::seen(&self.rows, self.tables, key, request)
    }

    pub(super) fn read(
        &self,
        key: &GameKey,
        after: Version,
        limit: usize,
    ) -> Result<Option<Log>, StoreError> {
        let Some(head) = change::head(&self.rows, self.tables, key)? else { return Ok(None) };
        let count = usize::try_from(head.version.saturating_sub(after)).unwrap_or(usize::MAX).min(limit);
        let entries = if count == 0 { Vec::new() } else { self.entries(key, after, count)? };
        Ok(Some(Log { head, entries }))
    }

    fn entries(&self, key: &GameKey, after: Version, count: usize) -> Result<Vec<Entry>, StoreError> {
        let range = rows::log_key(key, after + 1)..=rows::log_key(key, after + count as Version);
        let found = self.rows.range(&self.tables.log, range).map(|row| {
            let row = row.value().map_err(unreadable)?;
            rows::read_entry(&row)
        });
        let entries = found.collect::<Result<Vec<Entry>, StoreError>>()?;
        if entries.len() == count { Ok(entries) } else { Err(rows::damaged("a log with a hole")) }
    }

    pub(super) fn list(
        &self,
        tenant: &Tenant,
        filter: &Filter,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let mut page = Page { games: Vec::new(), next: after.cloned() };
        for (looked_at, place) in self.places(tenant, &Facet::narrowest(filter), after).enumerate() {
            if page.games.len() == limit || looked_at == SCAN {
                return Ok(page);
            }
            let place = place?;
            let card = self.card(GameKey { tenant: tenant.clone(), id: place.id.clone() })?;
            if filter.fits(&card) {
                page.games.push((place.id.clone(), card));
            }
            page.next = Some(place);
        }
        Ok(Page { next: None, ..page })
    }

    /// The places of a list after one of them.
    fn places(
        &self,
        tenant: &Tenant,
        facet: &Facet<'_>,
        after: Option<&Place>,
    ) -> impl Iterator<Item = Result<Place, StoreError>> {
        let list = rows::list_key(tenant, facet);
        let start = match after {
            Some(place) => Bound::Excluded(rows::place_key(&list, place.created, &place.id)),
            None => Bound::Included(list.clone()),
        };
        // Every place begins with eight bytes of time, and no id has a byte as large as the last one.
        let end = [list.as_slice(), &[u8::MAX; 9]].concat();
        let rows = self.rows.range(&self.tables.index, (start, Bound::Excluded(end)));
        rows.map(move |row| rows::read_place(&row.key().map_err(unreadable)?[list.len()..]))
    }

    fn card(&self, key: GameKey) -> Result<Card, StoreError> {
        let row = self.rows.get(&self.tables.cards, rows::game_key(&key)).map_err(unreadable)?;
        rows::read_card(&row.ok_or_else(|| rows::damaged("a listed game without a card"))?)
    }
}
