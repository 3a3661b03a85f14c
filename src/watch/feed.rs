use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher, RandomState},
    sync::Arc,
    time::Duration,
};

use futures_util::future::join_all;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use super::{
    Interest, Start,
    place::{News, Place, look},
};
use crate::{
    game::{Digest, Game, GameKey, Millis, Tenant, Told},
    ledger::{Ledger, LedgerError},
    store::{Card, Filter, Head},
};

/// Makes one stream of the logs of one or more games.
pub struct Feed {
    ledger: Arc<Ledger>,
    interest: Interest,
    places: HashMap<GameKey, Place>,
    /// Games that go on, or are not known to have ended.
    open: usize,
    everything: Option<Everything>,
    pace: Pace,
    deadline: Option<Instant>,
    last_frame: Instant,
}

/// One thing to send.
#[derive(Clone)]
pub enum Frame {
    Snapshot(Arc<Game>),
    Event(GameKey, Arc<Told>),
    /// Nothing else was sent for a while. Everything up to the place has been.
    Heartbeat(Option<Head>),
    /// The stream ends for the server's sake: where to resume, and after what time.
    GoingAway {
        resume: Option<Head>,
        retry_after: Duration,
    },
    /// Everything that existed at the start has been sent.
    Current,
}

/// Why a stream ended.
#[derive(Clone, Debug)]
pub enum FeedEnd {
    /// All its games have ended, and their last events have been sent.
    Finished,
    /// The server is stopping, or the stream has reached its greatest age.
    Draining,
    /// The reader did not take a frame in time.
    Slow,
    /// The caller's deadline has come.
    Deadline,
    /// The reader has gone.
    Gone,
    /// A mistake in the program has broken it off.
    Broken,
    /// More games than one stream may have.
    TooMany(usize),
    Failed(LedgerError),
}

/// The times and bounds of streams.
#[derive(Clone, Debug)]
pub struct Pace {
    /// After how long a silence a heartbeat is sent.
    pub heartbeat: Duration,
    /// How long a reader may leave a frame untaken.
    pub patience: Duration,
    /// How often logs are looked at without being rung for, since wake-ups may be lost.
    pub look_anyway: Duration,
    /// The greatest age of a stream.
    pub greatest_age: Duration,
    /// The most games of one stream.
    pub most_games: usize,
    /// Ends all streams when it is cancelled.
    pub drain: CancellationToken,
}

/// A feed of all games of a tenant.
#[derive(Clone, Debug)]
struct Everything {
    tenant: Tenant,
    finished_since: Option<Millis>,
    began: Millis,
    /// When newcomers were last looked for.
    looked: Millis,
}

/// How many games are looked at together.
const TOGETHER: usize = 32;

/// How far looks for newcomers reach back behind the last one: a game is written a little later than
/// the time that it carries, and clocks of servers differ.
const OVERLAP: Duration = Duration::from_secs(15);

/// How many games are listed at a time.
const LISTING: usize = 200;

impl Feed {
    /// A feed of no game yet.
    pub fn new(ledger: &Arc<Ledger>, pace: Pace, deadline: Option<Instant>) -> Feed {
        Feed {
            ledger: ledger.clone(),
            interest: Interest::new(ledger.hub()),
            places: HashMap::new(),
            open: 0,
            everything: None,
            pace,
            deadline,
            last_frame: Instant::now(),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, key: GameKey, start: Start) {
        self.interest.add(&key);
        self.enter(key, start);
    }

    /// Adds all games of a tenant: running ones, and with `finished_since` those created after that
    /// time that have ended.
    pub fn add_all(&mut self, tenant: &Tenant, finished_since: Option<Millis>) {
        self.interest.add_tenant(tenant);
        let now = self.ledger.now();
        let tenant = tenant.clone();
        self.everything = Some(Everything { tenant, finished_since, began: now, looked: now });
    }

    fn enter(&mut self, key: GameKey, start: Start) {
        if let Entry::Vacant(vacant) = self.places.entry(key) {
            self.interest.wake(vacant.key());
            vacant.insert(Place::New(start));
            self.open += 1;
        }
    }

    /// Sends frames until the stream ends.
    pub async fn run(mut self, out: mpsc::Sender<Frame>) -> FeedEnd {
        let oldest = Instant::now() + self.pace.greatest_age;
        let drain = self.pace.drain.clone();
        let deadline = self.deadline.unwrap_or(oldest + Duration::from_secs(1));
        let ended = tokio::select! {
            biased;
            () = drain.cancelled() => FeedEnd::Draining,
            () = sleep_until(deadline) => FeedEnd::Deadline,
            () = sleep_until(oldest) => FeedEnd::Draining,
            () = out.closed() => FeedEnd::Gone,
            end = self.follow(&out) => end,
        };
        if matches!(ended, FeedEnd::Draining) {
            let resume = self.single_place();
            // A reader too slow to take even this is told by the status.
            drop(out.try_send(Frame::GoingAway { resume, retry_after: spread() }));
        }
        ended
    }

    async fn follow(&mut self, out: &mpsc::Sender<Frame>) -> FeedEnd {
        match self.go_on(out).await {
            Ok(()) => FeedEnd::Finished,
            Err(end) => end,
        }
    }

    async fn go_on(&mut self, out: &mpsc::Sender<Frame>) -> Result<(), FeedEnd> {
        self.list_everything().await?;
        let mut to_begin = self.places.len();
        if self.everything.is_some() && to_begin == 0 {
            self.send(out, Frame::Current).await?;
        }
        let mut look = Instant::now() + self.pace.look_anyway;
        while 0 < self.open || self.everything.is_some() {
            let beat = self.last_frame + self.pace.heartbeat;
            tokio::select! {
                keys = self.interest.next(TOGETHER) => {
                    let began = self.turn(&keys, out).await?;
                    to_begin = to_begin.saturating_sub(began);
                    if 0 < began && to_begin == 0 && self.everything.is_some() {
                        self.send(out, Frame::Current).await?;
                    }
                }
                () = sleep_until(beat) => self.send(out, Frame::Heartbeat(self.single_place())).await?,
                () = sleep_until(look) => {
                    self.find_newcomers().await?;
                    self.wake_open();
                    look = Instant::now() + self.pace.look_anyway;
                }
            }
        }
        Ok(())
    }

    /// Enters all games of the tenant that exist.
    async fn list_everything(&mut self) -> Result<(), FeedEnd> {
        let Some(everything) = self.everything.clone() else { return Ok(()) };
        self.list(&everything.tenant, false, Millis(0)).await?;
        match everything.finished_since {
            Some(since) => self.list(&everything.tenant, true, since).await,
            None => Ok(()),
        }
    }

    async fn list(&mut self, tenant: &Tenant, finished: bool, since: Millis) -> Result<(), FeedEnd> {
        let filter = Filter { finished: Some(finished), ..Filter::default() };
        self.visit_since(tenant, &filter, since, |feed, key, _| {
            feed.enter(key, Start::Snapshot);
            feed.check_size()
        })
        .await
    }

    /// Looks for games that have come into being without anybody being rung for.
    async fn find_newcomers(&mut self) -> Result<(), FeedEnd> {
        let now = self.ledger.now();
        let Some(everything) = &mut self.everything else { return Ok(()) };
        let since = Millis(everything.looked.0.saturating_sub(OVERLAP.as_millis() as u64));
        everything.looked = now;
        let (tenant, began) = (everything.tenant.clone(), everything.began);
        self.visit_since(&tenant, &Filter::default(), since, |feed, key, card| {
            // One that had ended before the start is not of this stream.
            if !feed.places.contains_key(&key) && (!card.finished || began <= card.created) {
                feed.interest.wake(&key);
            }
            Ok(())
        })
        .await
    }

    /// Goes through a tenant's games that fit a filter, from the newest to those created at a time.
    async fn visit_since(
        &mut self,
        tenant: &Tenant,
        filter: &Filter,
        since: Millis,
        visit: impl Fn(&mut Feed, GameKey, &Card) -> Result<(), FeedEnd>,
    ) -> Result<(), FeedEnd> {
        let mut after = None;
        loop {
            let page = self.ledger.list(tenant, filter, after.as_ref(), LISTING).await;
            let page = page.map_err(FeedEnd::Failed)?;
            for (id, card) in page.games {
                if card.created < since {
                    return Ok(());
                }
                visit(self, GameKey { tenant: tenant.clone(), id }, &card)?;
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(()),
            }
        }
    }

    fn check_size(&self) -> Result<(), FeedEnd> {
        if self.pace.most_games < self.places.len() {
            return Err(FeedEnd::TooMany(self.pace.most_games));
        }
        Ok(())
    }

    /// Sends what is new of some games, as far as one turn goes; how many had their first turn.
    ///
    /// All are looked at together: a store far away answers many questions in the time of one.
    async fn turn(&mut self, keys: &[GameKey], out: &mpsc::Sender<Frame>) -> Result<usize, FeedEnd> {
        let places = keys.iter().map(|key| self.place(key)).collect::<Result<Vec<_>, _>>()?;
        let looks = keys.iter().zip(&places).map(|(key, place)| look(&self.ledger, key, *place));
        for (key, news) in keys.iter().zip(join_all(looks).await) {
            self.tell(key, news.map_err(FeedEnd::Failed)?, out).await?;
        }
        Ok(places.iter().filter(|place| matches!(place, Place::New(_))).count())
    }

    fn place(&mut self, key: &GameKey) -> Result<Place, FeedEnd> {
        if let Some(place) = self.places.get(key) {
            return Ok(*place);
        }
        // A game that nobody has entered is one that came into being after the start.
        let place = Place::Sent(before_creation(key));
        self.places.insert(key.clone(), place);
        self.open += 1;
        self.check_size()?;
        Ok(place)
    }

    async fn tell(&mut self, key: &GameKey, news: News, out: &mpsc::Sender<Frame>) -> Result<(), FeedEnd> {
        match news {
            News::None => (),
            News::Snapshot(game) => {
                let head = Head { version: game.version(), digest: game.digest() };
                let ended = game.ending().is_some();
                self.send(out, Frame::Snapshot(game)).await?;
                self.arrive(key, head, ended);
            }
            News::Nothing { head, over } => self.arrive(key, head, over),
            News::Events(batch) => {
                let more = batch.events.last().is_some_and(|told| told.event.version < batch.head.version);
                for told in batch.events {
                    let head = Head { version: told.event.version, digest: told.digest };
                    let over = told.ending.is_some();
                    self.send(out, Frame::Event(key.clone(), told)).await?;
                    self.arrive(key, head, over);
                }
                if more {
                    self.interest.wake(key);
                }
            }
        }
        Ok(())
    }

    fn arrive(&mut self, key: &GameKey, head: Head, ended: bool) {
        let place = if ended { Place::Ended } else { Place::Sent(head) };
        self.places.insert(key.clone(), place);
        self.open -= usize::from(ended);
    }

    async fn send(&mut self, out: &mpsc::Sender<Frame>, frame: Frame) -> Result<(), FeedEnd> {
        self.last_frame = Instant::now();
        out.send_timeout(frame, self.pace.patience).await.map_err(|failed| match failed {
            mpsc::error::SendTimeoutError::Timeout(_) => FeedEnd::Slow,
            mpsc::error::SendTimeoutError::Closed(_) => FeedEnd::Gone,
        })
    }

    fn wake_open(&self) {
        let open = self.places.iter().filter(|(_, place)| !matches!(place, Place::Ended));
        open.for_each(|(key, _)| self.interest.wake(key));
    }

    /// How far the stream is, if it is of one game.
    fn single_place(&self) -> Option<Head> {
        if self.everything.is_some() || self.places.len() != 1 {
            return None;
        }
        self.places.values().find_map(|place| match place {
            Place::Sent(head) => Some(*head),
            Place::New(_) | Place::Ended => None,
        })
    }
}

fn before_creation(key: &GameKey) -> Head {
    Head { version: 0, digest: Digest::origin(key) }
}

/// A moment within five seconds, so that the readers of a stopped server do not all come back at
/// once.
fn spread() -> Duration {
    Duration::from_millis(RandomState::new().hash_one(()) % 5_000)
}
