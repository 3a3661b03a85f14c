//! Calls that stream.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, mpsc, oneshot},
    time::Instant,
};
use tokio_stream::Stream;
use tonic::Status;

use super::{Reason, Refusal, Service, parse, parse::bad, proto, tell};
use crate::{
    game::Millis,
    store::Head,
    watch::{Feed, FeedEnd, Frame, Start},
};

/// Frames that wait for a reader before the feed waits for it.
const AHEAD: usize = 8;

/// When to try again where all streams are taken.
const FULL: Duration = Duration::from_secs(5);

/// The most games of one list.
const MOST_LISTED: usize = 1000;

impl Service {
    pub(super) async fn watch(
        &self,
        request: proto::WatchGameRequest,
        deadline: Option<Instant>,
    ) -> Result<Frames<proto::WatchGameResponse>, Refusal> {
        let permit = self.permit()?;
        let key = parse::game_key(&self.tenant, &request.game_id)?;
        let start = start(request.after.as_ref())?;
        // A game that does not exist is refused before the stream begins.
        self.ledger.game_type(&key).await?;
        let service = self.clone();
        let mut feed = Feed::new(&self.ledger, self.pace.clone(), deadline);
        feed.add(key, start);
        Ok(stream(feed, permit, place, move |frame| one(&service, frame)))
    }

    pub(super) async fn watch_many(
        &self,
        request: proto::WatchGamesRequest,
        deadline: Option<Instant>,
    ) -> Result<Frames<proto::WatchGamesResponse>, Refusal> {
        let permit = self.permit()?;
        if MOST_LISTED < request.games.len() {
            return Err(bad("games", format!("at most {MOST_LISTED} games")));
        }
        if request.games.is_empty() && !request.all {
            return Err(bad("games", "at least one game, or all"));
        }
        let mut feed = Feed::new(&self.ledger, self.pace.clone(), deadline);
        for watched in &request.games {
            let key = parse::game_key(&self.tenant, &watched.game_id)?;
            let start = start(watched.after.as_ref())?;
            self.ledger.game_type(&key).await?;
            feed.add(key, start);
        }
        if request.all {
            let since = request.finished_created_after.map(|since| {
                let millis = i128::from(since.seconds) * 1000 + i128::from(since.nanos) / 1_000_000;
                Millis(u64::try_from(millis).unwrap_or(0))
            });
            feed.add_all(&self.tenant, since);
        }
        let service = self.clone();
        // Each game has a place of its own, which its last frame tells.
        Ok(stream(feed, permit, |_| None, move |frame| many(&service, frame)))
    }

    pub(super) fn permit(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        self.streams.clone().try_acquire_owned().map_err(|_| {
            Refusal::new(Reason::QuotaExceeded, "this server has as many streams as it takes on").retry(FULL)
        })
    }
}

fn start(after: Option<&proto::Cursor>) -> Result<Start, Refusal> {
    match after {
        None => Ok(Start::Snapshot),
        Some(after) => parse::cursor(after).map(|(version, digest)| Start::After(version, digest)),
    }
}

/// A stream of frames as the transport takes them.
pub struct Frames<M> {
    frames: mpsc::Receiver<Frame>,
    end: oneshot::Receiver<FeedEnd>,
    tell: Box<dyn Fn(Frame) -> M + Send>,
    /// How far a frame brings the stream.
    place: fn(&Frame) -> Option<Head>,
    /// The place of the last event handed to the transport.
    sent: Option<Head>,
    over: bool,
    /// Given back when the transport lets go of the stream.
    _permit: OwnedSemaphorePermit,
}

fn stream<M>(
    feed: Feed,
    permit: OwnedSemaphorePermit,
    place: fn(&Frame) -> Option<Head>,
    tell: impl Fn(Frame) -> M + Send + 'static,
) -> Frames<M> {
    let (out, frames) = mpsc::channel(AHEAD);
    let (ended, end) = oneshot::channel();
    tokio::spawn(async move {
        // A reader that has gone takes no interest in the end.
        drop(ended.send(feed.run(out).await));
    });
    Frames { frames, end, tell: Box::new(tell), place, sent: None, over: false, _permit: permit }
}

impl<M> Stream for Frames<M> {
    type Item = Result<M, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.over {
            return Poll::Ready(None);
        }
        // A reader that was too slow is not given what has waited for it: it resumes from the place
        // that the status names.
        if let Poll::Ready(end) = Pin::new(&mut this.end).poll(cx) {
            match end {
                Ok(FeedEnd::Slow) => return this.finish(FeedEnd::Slow),
                Ok(end) => this.end = ready(end),
                Err(_) => this.end = ready(FeedEnd::Broken),
            }
        }
        match this.frames.poll_recv(cx) {
            Poll::Ready(Some(frame)) => {
                this.sent = (this.place)(&frame).or(this.sent);
                Poll::Ready(Some(Ok((this.tell)(frame))))
            }
            Poll::Ready(None) => match Pin::new(&mut this.end).poll(cx) {
                Poll::Ready(end) => this.finish(end.unwrap_or(FeedEnd::Broken)),
                Poll::Pending => Poll::Pending,
            },
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<M> Frames<M> {
    fn finish(&mut self, end: FeedEnd) -> Poll<Option<Result<M, Status>>> {
        self.over = true;
        Poll::Ready(status(end, self.sent).map(|refusal| Err(refusal.into())))
    }
}

/// A receiver that has this value already.
fn ready(end: FeedEnd) -> oneshot::Receiver<FeedEnd> {
    let (tell, receiver) = oneshot::channel();
    drop(tell.send(end));
    receiver
}

fn place(frame: &Frame) -> Option<Head> {
    match frame {
        Frame::Snapshot(game) => Some(Head { version: game.version(), digest: game.digest() }),
        Frame::Event(_, told) => Some(Head { version: told.event.version, digest: told.digest }),
        Frame::Heartbeat(_) | Frame::GoingAway { .. } | Frame::Current => None,
    }
}

/// How the end of a feed is told; `None` is OK.
fn status(end: FeedEnd, sent: Option<Head>) -> Option<Refusal> {
    let refusal = match end {
        FeedEnd::Finished => return None,
        FeedEnd::Draining => Refusal::draining(),
        FeedEnd::Slow => Refusal::new(
            Reason::SlowConsumer,
            "the stream was not read fast enough; resume after the last version",
        ),
        FeedEnd::Deadline => Refusal::too_late(),
        FeedEnd::Gone => return None,
        FeedEnd::Broken => Refusal::new(Reason::Internal, "the server failed on this stream"),
        FeedEnd::TooMany(most) => {
            Refusal::new(Reason::QuotaExceeded, format!("one stream has at most {most} games"))
        }
        FeedEnd::Failed(error) => error.into(),
    };
    Some(match sent {
        Some(sent) => refusal.with("last_sent_version", sent.version).with("last_sent_digest", sent.digest),
        None => refusal,
    })
}

fn one(service: &Service, frame: Frame) -> proto::WatchGameResponse {
    use proto::watch_game_response::Frame as Wire;
    let frame = match frame {
        Frame::Snapshot(game) => Some(Wire::Snapshot(service.with_search(&game))),
        Frame::Event(_, told) => Some(Wire::Event(tell::event(&told))),
        Frame::Heartbeat(place) => Some(Wire::Heartbeat(heartbeat(service, place))),
        Frame::GoingAway { resume, retry_after } => Some(Wire::GoingAway(going_away(resume, retry_after))),
        Frame::Current => None,
    };
    proto::WatchGameResponse { frame }
}

fn many(service: &Service, frame: Frame) -> proto::WatchGamesResponse {
    use proto::watch_games_response::Frame as Wire;
    let (game_id, frame) = match frame {
        Frame::Snapshot(game) => (game.key().id.to_string(), Wire::Snapshot(service.with_search(&game))),
        Frame::Event(key, told) => (key.id.to_string(), Wire::Event(tell::event(&told))),
        Frame::Heartbeat(_) => (String::new(), Wire::Heartbeat(heartbeat(service, None))),
        Frame::GoingAway { retry_after, .. } => {
            (String::new(), Wire::GoingAway(going_away(None, retry_after)))
        }
        Frame::Current => {
            let time = Some(tell::time(service.ledger.now()));
            (String::new(), Wire::Current(proto::Current { time }))
        }
    };
    proto::WatchGamesResponse { game_id, frame: Some(frame) }
}

fn heartbeat(service: &Service, place: Option<Head>) -> proto::Heartbeat {
    proto::Heartbeat { cursor: place.map(tell::cursor), time: Some(tell::time(service.ledger.now())) }
}

fn going_away(resume: Option<Head>, retry_after: Duration) -> proto::GoingAway {
    proto::GoingAway {
        resume_after: resume.map(tell::cursor),
        retry_after: Some(tell::duration(retry_after)),
    }
}
