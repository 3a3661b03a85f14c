use std::{sync::Arc, time::Duration};

use redis::{Value, cmd};

use super::{
    fault::damaged,
    key,
    links::Links,
    script::{COMMIT, CREATE, Call, FIND, READ},
    slot::Slot,
    value,
};
use crate::{
    game::{GameKey, RequestId, Version},
    store::{Birth, Commit, Committed, Created, Log, StoreError},
};

/// The logs of games, their request ids and cards. Each change is one script.
pub(super) struct Games {
    links: Arc<Links>,
    /// How long a game is kept after its end, in milliseconds; empty: for ever.
    keep: String,
    /// How many replicas must have a change.
    replicas: u32,
    channel: String,
    /// What this server's messages begin with, so that it knows them.
    sender: [u8; 8],
}

impl Games {
    pub(super) fn new(links: Arc<Links>, keep: Option<Duration>, replicas: u32, sender: [u8; 8]) -> Games {
        let channel = key::bell(links.target().database());
        let keep = keep.map_or_else(String::new, |keep| keep.as_millis().max(1).to_string());
        Games { links, keep, replicas, channel, sender }
    }

    pub(super) async fn create(&self, birth: &Birth) -> Result<Created, StoreError> {
        let keys = Keys::of(&birth.key);
        let card = value::write_card(&birth.card)?;
        let entries: Vec<Vec<u8>> = birth.entries.iter().map(value::write_entry).collect();
        if entries.is_empty() {
            return Err(damaged("a game without a first event"));
        }
        let message = self.message(&birth.key);
        let keep = if birth.card.finished { self.keep.as_str() } else { "" };
        let mut arguments = vec![
            birth.request.0.as_slice(),
            &card,
            keep.as_bytes(),
            self.channel.as_bytes(),
            &message,
            self.touch(),
        ];
        arguments.extend(entries.iter().map(Vec::as_slice));
        let (answer, safety) = self.change(keys.slot, &CREATE.on(&keys.with_card(), &arguments)).await?;
        match read_words(&answer)? {
            ("done", []) => safety.map(|()| Created::Done),
            ("exists", [first]) => {
                safety?;
                Ok(Created::Exists(value::read_entry(value::read_bytes(first)?)?))
            }
            _ => Err(damaged("the answer to a creation")),
        }
    }

    pub(super) async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let keys = Keys::of(&commit.key);
        let version = commit.parent.version.to_string();
        let entry = value::write_entry(&commit.entry);
        let message = self.message(&commit.key);
        let card = commit.finished.as_ref().map(value::write_card).transpose()?;
        let mut arguments = vec![
            commit.request.0.as_slice(),
            version.as_bytes(),
            &commit.parent.digest.0,
            &entry,
            self.channel.as_bytes(),
            &message,
            self.touch(),
        ];
        let (answer, safety) = match &card {
            Some(card) => {
                arguments.extend([card.as_slice(), self.keep.as_bytes()]);
                self.change(keys.slot, &COMMIT.on(&keys.with_card(), &arguments)).await?
            }
            None => self.change(keys.slot, &COMMIT.on(&keys.without_card(), &arguments)).await?,
        };
        match read_words(&answer)? {
            ("done", []) => safety.map(|()| Committed::Done),
            ("repeated", [version]) => {
                safety?;
                Ok(Committed::Repeated(value::read_version(version)?))
            }
            ("missing", []) => Ok(Committed::Missing),
            ("stale", [version, digest]) => Ok(Committed::Stale(value::read_head(version, digest)?)),
            _ => Err(damaged("the answer to a change")),
        }
    }

    pub(super) async fn read(
        &self,
        game: &GameKey,
        after: Version,
        limit: usize,
    ) -> Result<Option<Log>, StoreError> {
        let keys = Keys::of(game);
        let (first, last) = part(after, limit);
        let (first, last) = (first.to_string(), last.to_string());
        let arguments = [first.as_bytes(), last.as_bytes()];
        let answer = self.links.ask(keys.slot, &READ.on(&[keys.log.as_bytes()], &arguments)).await?;
        match read_words(&answer)? {
            ("missing", []) => Ok(None),
            ("log", [version, digest, entries]) => {
                let entries = value::read_array(entries)?.iter();
                let entries = entries.map(|entry| value::read_entry(value::read_bytes(entry)?));
                let head = value::read_head(version, digest)?;
                Ok(Some(Log { head, entries: entries.collect::<Result<_, _>>()? }))
            }
            _ => Err(damaged("the answer to a reading")),
        }
    }

    pub(super) async fn find(
        &self,
        game: &GameKey,
        request: RequestId,
    ) -> Result<Option<Version>, StoreError> {
        let keys = Keys::of(game);
        let answer = if self.replicas == 0 {
            let mut question = cmd("HGET");
            question.arg(&keys.ids).arg(&request.0);
            self.links.ask(keys.slot, &question).await?
        } else {
            let ids = [keys.ids.as_bytes()];
            let (answer, safety) = self.change(keys.slot, &FIND.on(&ids, &[&request.0])).await?;
            if answer != Value::Nil {
                safety?;
            }
            answer
        };
        match answer {
            Value::Nil => Ok(None),
            version => value::read_version(&version).map(Some),
        }
    }

    /// Lets a script change something; with the answer, whether enough replicas have it.
    async fn change(&self, slot: Slot, call: &Call<'_>) -> Result<(Value, Safety), StoreError> {
        if self.replicas == 0 {
            return Ok((self.links.ask(slot, call).await?, Ok(())));
        }
        let (answer, have) = self.links.ask_replicated(slot, call, self.replicas).await?;
        let safety = if have < self.replicas {
            let what = format!("{have} of {} replicas have the change so far", self.replicas);
            Err(StoreError::Unavailable(what, None))
        } else {
            Ok(())
        };
        Ok((answer, safety))
    }

    /// Tells scripts to write what a repeated request has made once more, so that waiting for replicas
    /// is waiting for that.
    fn touch(&self) -> &'static [u8] {
        if self.replicas == 0 { b"" } else { b"1" }
    }

    /// What is published when a game has grown.
    fn message(&self, game: &GameKey) -> Vec<u8> {
        [self.sender.as_slice(), game.to_string().as_bytes()].concat()
    }
}

/// Whether what was changed is acknowledged.
type Safety = Result<(), StoreError>;

/// The keys of a game.
struct Keys {
    slot: Slot,
    log: String,
    ids: String,
    card: String,
}

impl Keys {
    fn of(game: &GameKey) -> Keys {
        let log = key::log(game);
        Keys { slot: Slot::of(log.as_bytes()), log, ids: key::ids(game), card: key::card(game) }
    }

    fn with_card(&self) -> [&[u8]; 3] {
        [self.log.as_bytes(), self.ids.as_bytes(), self.card.as_bytes()]
    }

    fn without_card(&self) -> [&[u8]; 2] {
        [self.log.as_bytes(), self.ids.as_bytes()]
    }
}

/// The first and the last index, from 0 on, of the entries behind a version. The last is before the
/// first if there are to be none; it is never -1, which would mean the end of the list.
fn part(after: Version, limit: usize) -> (i64, i64) {
    let first = i64::try_from(after).unwrap_or(i64::MAX);
    match i64::try_from(limit).unwrap_or(i64::MAX) {
        0 => (1, 0),
        limit => (first, first.saturating_add(limit - 1)),
    }
}

/// Splits a script's answer into its first word and the rest.
fn read_words(answer: &Value) -> Result<(&str, &[Value]), StoreError> {
    let (word, rest) = value::read_array(answer)?.split_first().ok_or_else(|| damaged("an answer"))?;
    let word = std::str::from_utf8(value::read_bytes(word)?).map_err(|_| damaged("an answer"))?;
    Ok((word, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_lists_are_what_was_asked_for() {
        assert_eq!(part(0, 1), (0, 0));
        assert_eq!(part(5, 5), (5, 9));
        assert_eq!(part(0, 0), (1, 0));
        assert_eq!(part(0, usize::MAX), (0, i64::MAX - 1));
        assert_eq!(part(Version::MAX, 10), (i64::MAX, i64::MAX));
    }
}
