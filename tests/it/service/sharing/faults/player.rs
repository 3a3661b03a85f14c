use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use boardkeeper::api::proto::{self, GameStatus};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::{chance::Chance, town::Town};
use crate::service::{
    change::{Change, Changed},
    portal::{Portal, metadata},
    recorded::Recorded,
    wander,
};

/// What callers were told about one game.
#[derive(Default)]
pub(super) struct Story {
    pub(super) id: String,
    /// What was acknowledged.
    pub(super) told: Vec<Told>,
    /// Requests that were refused: they have not happened and never will.
    pub(super) refused: Vec<String>,
    /// Requests that were given up while nobody could tell.
    pub(super) unknown: Vec<String>,
    /// How often a request was sent in vain.
    pub(super) in_vain: usize,
    /// How often an answer came that had been made before.
    pub(super) replayed: usize,
}

/// What an answer says of a change.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Told {
    pub(super) request: String,
    pub(super) version: u64,
    pub(super) digest: Vec<u8>,
}

/// What is played in a game.
#[derive(Clone)]
pub(super) enum Script {
    /// Up to a version, at which somebody gives up.
    Wander(u64),
    /// A recorded game of Quantum Control to its end.
    Recorded(Recorded),
}

impl Script {
    fn create(&self, id: &str) -> Change {
        match self {
            Script::Wander(_) => wander::creation(id),
            Script::Recorded(_) => Change::create(id),
        }
    }

    /// What is to follow a version. `hurry` is to end the game.
    fn next(&self, id: &str, version: u64, hurry: bool) -> Change {
        let end = |kind: usize| Change::each(id, version, "").swap_remove(kind);
        match self {
            _ if hurry => end(RESIGN),
            Script::Wander(last) if *last <= version => end(if last % 2 == 0 { RESIGN } else { END }),
            Script::Wander(_) => Change::submit(id, version, &wander::step(version)),
            Script::Recorded(game) => match game.moves.get(version as usize - 1) {
                Some(text) => Change::submit(id, version, text),
                None => end(RESIGN), // refused, since the game is over
            },
        }
    }
}

/// Places of changes in [`Change::each`].
const RESIGN: usize = 2;
const END: usize = 3;

/// One of two who play the same game against each other's requests, each through any server.
struct Player {
    portals: Vec<Portal>,
    chance: Chance,
    story: Arc<Mutex<Story>>,
    /// Whether games are to end.
    over: CancellationToken,
}

/// What came of a request.
enum Outcome {
    Done(Box<Changed>),
    /// The game has gone on to this version.
    Stale(u64),
    Over,
    /// It was given up.
    GivenUp,
}

/// A call that takes longer is given up by the caller.
const PATIENCE: Duration = Duration::from_secs(8);

/// Plays a game from its creation to its end, by two players.
pub(super) async fn play(
    town: &Town,
    id: &str,
    script: &Script,
    chance: &mut Chance,
    over: &CancellationToken,
) -> Story {
    let story = Arc::new(Mutex::new(Story { id: id.to_owned(), ..Story::default() }));
    let player =
        |chance| Player { portals: town.portals(), chance, story: story.clone(), over: over.clone() };
    let (mut one, mut other) = (player(chance.split()), player(chance.split()));
    one.create(script.create(id)).await;
    tokio::join!(one.play(script), other.play(script));
    drop((one, other));
    let story = Arc::into_inner(story).expect("both players have gone");
    story.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Player {
    async fn create(&mut self, change: Change) {
        loop {
            match self.send(&change).await {
                Outcome::Done(changed) => return self.note(&change, &changed, 1),
                // Sent again all the same: without it there is no game.
                Outcome::GivenUp => self.story().forget(change.id()),
                Outcome::Stale(_) | Outcome::Over => panic!("a creation follows nothing"),
            }
        }
    }

    async fn play(&mut self, script: &Script) {
        let id = self.story().id.clone();
        let mut version = 1;
        let mut last = None;
        loop {
            let change = script.next(&id, version, self.over.is_cancelled());
            match self.send(&change).await {
                Outcome::Done(changed) => {
                    self.note(&change, &changed, version + 1);
                    version += 1;
                    let over = changed.game.status() == GameStatus::Finished;
                    if last.is_none() || self.chance.one_in(4) {
                        last = Some((change, changed));
                    }
                    if over {
                        break;
                    }
                }
                Outcome::Stale(current) => version = current,
                Outcome::Over => break,
                Outcome::GivenUp => version = self.look(&id).await,
            }
            // The other one has a chance.
            sleep(self.chance.millis(0..4)).await;
        }
        if let Some((change, changed)) = last {
            self.ask_again(&change, &changed).await;
        }
    }

    /// Sends a request that was answered long ago, and asserts that the answer is the same.
    async fn ask_again(&mut self, change: &Change, first: &Changed) {
        loop {
            match self.send(change).await {
                Outcome::Done(again) => {
                    assert!(again.replayed, "{change:?} happened again");
                    let first = Changed { replayed: true, ..first.clone() };
                    return assert_eq!(*again, first, "another answer to the same request");
                }
                Outcome::GivenUp => self.story().forget(change.id()),
                Outcome::Stale(_) | Outcome::Over => panic!("{change:?} has been answered, and is refused"),
            }
        }
    }

    /// The version at which a game is.
    async fn look(&mut self, id: &str) -> u64 {
        loop {
            match timeout(PATIENCE, self.anybody().get(id)).await {
                Ok(Ok(game)) => return game.version,
                Ok(Err(status)) => _ = lost(&status),
                Err(_) => (),
            }
            sleep(self.chance.millis(1..60)).await;
        }
    }

    /// Sends a request, to one server after the other, until it is answered or given up.
    async fn send(&mut self, change: &Change) -> Outcome {
        // Whether every server so far has said that nothing has happened.
        let mut nothing = true;
        loop {
            let status = match timeout(PATIENCE, change.send(&self.anybody())).await {
                Ok(Ok(changed)) => return Outcome::Done(Box::new(changed)),
                Ok(Err(status)) => Some(status),
                Err(_) => None,
            };
            if let Some(refused) = status.as_ref().and_then(refusal) {
                self.story().refused.push(change.id().to_owned());
                return refused;
            }
            nothing &= status.is_some_and(|status| lost(&status) == Lost::Nothing);
            self.story().in_vain += 1;
            if self.chance.one_in(12) {
                let mut story = self.story();
                let kept = if nothing { &mut story.refused } else { &mut story.unknown };
                kept.push(change.id().to_owned());
                return Outcome::GivenUp;
            }
            sleep(self.chance.millis(1..60)).await;
        }
    }

    fn anybody(&mut self) -> Portal {
        self.portals[self.chance.of(0..self.portals.len())].clone()
    }

    fn note(&self, change: &Change, changed: &Changed, version: u64) {
        let Changed { game, event, replayed } = changed;
        assert_eq!(game.version, version, "{change:?}");
        if let Some(proto::Event { request_id, version, digest, .. }) = event {
            assert_eq!((request_id.as_str(), *version, digest), (change.id(), game.version, &game.digest));
        }
        let request = change.id().to_owned();
        let mut story = self.story();
        story.replayed += usize::from(*replayed);
        story.told.push(Told { request, version, digest: game.digest.clone() });
    }

    fn story(&self) -> MutexGuard<'_, Story> {
        self.story.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Story {
    /// A request that was given up is sent again after all.
    fn forget(&mut self, request: &str) {
        self.refused.retain(|refused| refused != request);
        self.unknown.retain(|unknown| unknown != request);
    }
}

/// A refusal for good, which says that the request has not happened.
fn refusal(status: &Status) -> Option<Outcome> {
    let details = status.get_error_details();
    match details.error_info()?.reason.as_str() {
        "VERSION_MISMATCH" => {
            Some(Outcome::Stale(metadata(status, "current_version").parse().expect("a version")))
        }
        "GAME_OVER" => Some(Outcome::Over),
        _ => None,
    }
}

/// What is known of a request that failed.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Lost {
    Nothing,
    Perhaps,
}

/// Asserts that a call failed for the weather.
#[track_caller]
pub(super) fn lost(status: &Status) -> Lost {
    let details = status.get_error_details();
    match details.error_info().map(|info| info.reason.as_str()) {
        Some("STORE_UNAVAILABLE") => Lost::Nothing,
        Some("COMMIT_UNKNOWN" | "DRAINING" | "SLOW_CONSUMER") => Lost::Perhaps,
        None if [Code::Unavailable, Code::Cancelled, Code::Unknown, Code::Internal]
            .contains(&status.code()) =>
        {
            Lost::Perhaps
        }
        _ => panic!("{status:?}"),
    }
}
