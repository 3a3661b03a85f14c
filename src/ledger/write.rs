use std::sync::Arc;

use super::{Ledger, LedgerError, lasting::Lasting, read::head, shelf::Kept};
use crate::{
    game::{
        Body, BotOrder, Command, Creation, Deed, Ending, Entry, Event, Fingerprint, Game, GameKey, Millis,
        RequestId, Told, Version, decide,
    },
    store::{Birth, Card, Commit, Committed, Created, StoreError},
};

/// What a change has made, now or when it was first asked for.
#[derive(Clone)]
pub struct Answer {
    /// The game right after the event.
    pub game: Arc<Game>,
    pub told: Arc<Told>,
    /// Whether this is the first answer again.
    pub replayed: bool,
}

/// How often a change is decided anew because the store knew better than the memory here: once for a
/// memory that was old, once if it was overtaken, and no more than once again if a failover has
/// changed the past.
const ATTEMPTS: usize = 4;

impl Ledger {
    /// Begins a game. A game that exists with the same content is returned again.
    ///
    /// # Errors
    /// The creation is refused, the id is taken, or the store did not answer.
    pub async fn create(
        self: &Arc<Self>,
        key: &GameKey,
        request: RequestId,
        fingerprint: Fingerprint,
        creation: Creation,
    ) -> Result<Answer, LedgerError> {
        creation.board()?;
        let birth = Newborn::create(key, request, fingerprint, creation, self.now())?;
        self.bring_forth(birth, fingerprint).await
    }

    /// Begins a game with all that is to be done in it, which must end it as `ending` says. A game
    /// that exists with the same content is returned again.
    ///
    /// # Errors
    /// The creation or a deed is refused, the end is another, the id is taken, or the store did not
    /// answer.
    pub async fn import(
        self: &Arc<Self>,
        key: &GameKey,
        request: RequestId,
        fingerprint: Fingerprint,
        creation: Creation,
        deeds: &[Deed],
        ending: Option<&Ending>,
    ) -> Result<Answer, LedgerError> {
        creation.board()?;
        let birth = Newborn::create(key, request, fingerprint, creation, self.now())?;
        let birth = birth.grow(deeds, fingerprint)?;
        let replayed = birth.game.ending();
        if replayed != ending {
            let (recorded, replayed) = (in_words(ending), in_words(replayed));
            return Err(LedgerError::ImportedEnding { recorded, replayed });
        }
        self.bring_forth(birth, fingerprint).await
    }

    async fn bring_forth(
        self: &Arc<Self>,
        newborn: Newborn,
        fingerprint: Fingerprint,
    ) -> Result<Answer, LedgerError> {
        let ledger = self.clone();
        Lasting::new(async move { ledger.begin(newborn, fingerprint).await }).await
    }

    async fn begin(&self, newborn: Newborn, fingerprint: Fingerprint) -> Result<Answer, LedgerError> {
        let Newborn { request, entries, game, told, kept } = newborn;
        let key = game.key().clone();
        let card = Card::new(game.creation(), game.origin().created, game.ending().is_some());
        let birth = Birth { key: key.clone(), request, entries, card };
        match self.store.create(birth).await {
            Ok(Created::Done) => Ok(self.publish(kept, told)),
            Ok(Created::Exists(entry)) => {
                self.existing(&key, request, fingerprint, &entry).await.map_err(unshown)
            }
            Err(StoreError::Busy) => Err(StoreError::Busy.into()),
            Err(error) => match self.store.find(&key, request).await {
                Ok(Some(version)) => self.repeated(&key, request, fingerprint, version).await,
                _ => Err(unknown(error)),
            },
        }
    }

    /// The answer to a creation whose id is taken already.
    async fn existing(
        &self,
        key: &GameKey,
        request: RequestId,
        fingerprint: Fingerprint,
        entry: &Entry,
    ) -> Result<Answer, LedgerError> {
        let (_, event) = Game::follow(None, key, entry)?;
        let Body::Created(creation) = &event.body else { return Err(LedgerError::Exists(key.clone())) };
        if event.fingerprint == fingerprint {
            return self.first_answer(key, 1 + Version::from(creation.imported_moves)).await;
        }
        Err(if event.request == request {
            LedgerError::RequestIdReused(request)
        } else {
            LedgerError::Exists(key.clone())
        })
    }

    /// Carries out a command on a game, once: the same request again gets the same answer.
    ///
    /// # Errors
    /// The request id was used otherwise, the command is refused, there is no game, or the store did
    /// not answer.
    pub async fn execute(
        self: &Arc<Self>,
        key: &GameKey,
        request: RequestId,
        command: Command,
    ) -> Result<Answer, LedgerError> {
        let fingerprint = command.fingerprint();
        self.carry_out(key, request, fingerprint, command).await
    }

    /// Carries out the move that a bot found for an order.
    ///
    /// # Errors
    /// As for [`Ledger::execute`].
    pub async fn execute_order(
        self: &Arc<Self>,
        key: &GameKey,
        request: RequestId,
        order: &BotOrder,
        command: Command,
    ) -> Result<Answer, LedgerError> {
        self.carry_out(key, request, order.fingerprint(), command).await
    }

    /// What a request has made already, if it has.
    ///
    /// # Errors
    /// It was used with other content, or the store did not answer.
    pub async fn answered(
        &self,
        key: &GameKey,
        request: RequestId,
        fingerprint: Fingerprint,
    ) -> Result<Option<Answer>, LedgerError> {
        match self.store.find(key, request).await? {
            Some(version) => self.repeated(key, request, fingerprint, version).await.map(Some),
            None => Ok(None),
        }
    }

    /// The event that an equal order for the same version has made already, if one has.
    ///
    /// # Errors
    /// The store did not answer, or holds nonsense.
    pub async fn ordered(&self, key: &GameKey, order: &BotOrder) -> Result<Option<Answer>, LedgerError> {
        let Some(next) = order.expected.checked_add(1) else { return Ok(None) };
        if self.current(key).await?.version() < next {
            return Ok(None);
        }
        let answer = self.first_answer(key, next).await?;
        let by_bot = matches!(answer.told.event.body, Body::Moved { bot: Some(_), .. });
        Ok((by_bot && answer.told.event.fingerprint == order.fingerprint()).then_some(answer))
    }

    async fn carry_out(
        self: &Arc<Self>,
        key: &GameKey,
        request: RequestId,
        fingerprint: Fingerprint,
        command: Command,
    ) -> Result<Answer, LedgerError> {
        let ledger = self.clone();
        let key = key.clone();
        Lasting::new(async move { ledger.decide_and_commit(&key, request, fingerprint, &command).await })
            .await
    }

    async fn decide_and_commit(
        &self,
        key: &GameKey,
        request: RequestId,
        fingerprint: Fingerprint,
        command: &Command,
    ) -> Result<Answer, LedgerError> {
        // A game at hand at the expected version needs no look at the store: the commit is one.
        let at_hand = self.shelf.get(key).filter(|kept| kept.game.version() == command.expected);
        let mut looked = at_hand.is_none();
        let mut kept = match at_hand {
            Some(kept) => kept,
            None => self.fresh(key).await?,
        };
        for _ in 0..ATTEMPTS {
            let game = &kept.game;
            let body = match decide(game, command) {
                Ok(body) => body,
                Err(_) if !looked => {
                    (kept, looked) = (self.fresh(key).await?, true);
                    continue;
                }
                // Looked up after the game: a request that had not happened by then never will, since
                // what it wants is refused for good.
                Err(rejection) => {
                    let answered = self.answered(key, request, fingerprint).await?;
                    return answered.ok_or_else(|| rejection.into());
                }
            };
            let version = game.version() + 1;
            let event = Event { version, time: self.now(), request, fingerprint, body };
            match self.append(&kept, event).await? {
                Appended::Done(answer) => return Ok(answer),
                Appended::Repeated(version) => {
                    return self.repeated(key, request, fingerprint, version).await;
                }
                Appended::Stale => (kept, looked) = (self.fresh(key).await?, true),
            }
        }
        Err(LedgerError::Store(StoreError::Busy))
    }

    async fn append(&self, kept: &Kept, event: Event) -> Result<Appended, LedgerError> {
        let before = &kept.game;
        let key = before.key();
        let entry = before.entry(&event);
        let request = event.request;
        let (after, event) = Game::follow(Some(before.as_ref().clone()), key, &entry)?;
        let finished = after.ending().map(|_| Card::new(after.creation(), after.origin().created, true));
        let commit = Commit { key: key.clone(), request, parent: head(before), entry, finished };
        let told = Arc::new(Told::new(event, Some(before), &after));
        let next = kept.then(after, told.clone());
        match self.store.commit(commit).await {
            Ok(Committed::Done) => Ok(Appended::Done(self.publish(next, told))),
            Ok(Committed::Repeated(version)) => Ok(Appended::Repeated(version)),
            Ok(Committed::Missing) => Err(LedgerError::NotFound(key.clone())),
            Ok(Committed::Stale(_)) => Ok(Appended::Stale),
            // Refused before anything was written.
            Err(StoreError::Busy) => Err(StoreError::Busy.into()),
            Err(error) => match self.store.find(key, request).await {
                Ok(Some(version)) => Ok(Appended::Repeated(version)),
                _ => Err(unknown(error)),
            },
        }
    }

    /// Puts a game that is in the store at hand. Its watchers have been woken by the store.
    fn publish(&self, kept: Kept, told: Arc<Told>) -> Answer {
        let game = kept.game.clone();
        self.shelf.put(kept);
        Answer { game, told, replayed: false }
    }

    async fn repeated(
        &self,
        key: &GameKey,
        request: RequestId,
        fingerprint: Fingerprint,
        version: Version,
    ) -> Result<Answer, LedgerError> {
        let answer = self.first_answer(key, version).await.map_err(unshown)?;
        match &answer.told.event.body {
            _ if answer.told.event.fingerprint != fingerprint => Err(LedgerError::RequestIdReused(request)),
            Body::Created(creation) if creation.imported_moves > 0 => {
                self.first_answer(key, 1 + Version::from(creation.imported_moves)).await.map_err(unshown)
            }
            _ => Ok(answer),
        }
    }

    /// The event of a version and the game right after it.
    async fn first_answer(&self, key: &GameKey, version: Version) -> Result<Answer, LedgerError> {
        let game = self.at(key, version).await?;
        let batch = self.events(key, version - 1, None, 1).await?;
        let told = batch.events.into_iter().next();
        let current = game.version();
        let told = told.ok_or(LedgerError::NoSuchVersion { asked: version, current })?;
        Ok(Answer { game, told, replayed: true })
    }
}

enum Appended {
    Done(Answer),
    Repeated(Version),
    Stale,
}

/// A game that is not in the store yet.
struct Newborn {
    request: RequestId,
    entries: Vec<Entry>,
    game: Game,
    told: Arc<Told>,
    kept: Kept,
}

impl Newborn {
    fn create(
        key: &GameKey,
        request: RequestId,
        fingerprint: Fingerprint,
        creation: Creation,
        time: Millis,
    ) -> Result<Newborn, LedgerError> {
        let event = Event { version: 1, time, request, fingerprint, body: Body::Created(creation) };
        let entry = Entry::first(key, &event);
        let (game, event) = Game::follow(None, key, &entry)?;
        let told = Arc::new(Told::new(event, None, &game));
        let kept = Kept::new(game.clone(), Some(told.clone()));
        Ok(Newborn { request, entries: vec![entry], game, told, kept })
    }

    /// Does what a record says was done.
    fn grow(mut self, deeds: &[Deed], fingerprint: Fingerprint) -> Result<Newborn, LedgerError> {
        for (index, deed) in deeds.iter().enumerate() {
            let expected = self.game.version();
            let command = Command { expected, digest: None, deed: deed.clone() };
            let body = decide(&self.game, &command).map_err(|why| LedgerError::ImportedMove {
                number: index + 1,
                text: deed.to_string(),
                why: Box::new(why),
            })?;
            let (version, time) = (self.game.version() + 1, self.game.updated());
            let event = Event { version, time, request: RequestId::NONE, fingerprint, body };
            let entry = self.game.entry(&event);
            let key = self.game.key().clone();
            // Only the last event is told at once; watchers of the others read the log.
            let before = (index + 1 == deeds.len()).then(|| self.game.clone());
            let (after, event) = Game::follow(Some(self.game), &key, &entry)?;
            self.entries.push(entry);
            self.game = after;
            if let Some(before) = before {
                self.told = Arc::new(Told::new(event, Some(&before), &self.game));
            }
        }
        self.kept = Kept::new(self.game.clone(), Some(self.told.clone()));
        Ok(self)
    }
}

fn in_words(ending: Option<&Ending>) -> String {
    match ending {
        None => "the game goes on".to_owned(),
        Some(Ending { winner: None, reason }) => format!("nobody wins, by {reason}"),
        Some(Ending { winner: Some(winner), reason }) => format!("{winner} wins, by {reason}"),
    }
}

/// What a caller is told whose change has happened, perhaps at this very request, and cannot be shown:
/// not that nothing has happened.
fn unshown(error: LedgerError) -> LedgerError {
    match error {
        LedgerError::Store(error) => LedgerError::CommitUnknown(error),
        other => other,
    }
}

fn unknown(error: StoreError) -> LedgerError {
    match error {
        StoreError::Busy => LedgerError::Store(error),
        _ => LedgerError::CommitUnknown(error),
    }
}
