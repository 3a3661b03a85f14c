use std::{fmt::Debug, time::Duration};

use boardkeeper::api::proto::{
    Cursor, Event, Game, GameStatus, GoingAway, WatchGameResponse, watch_game_response::Frame,
};
use tokio::time::timeout;
use tonic::{Status, Streaming};

use super::portal::{Portal, cursor};

/// No frame that a test waits for takes as long as this, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for something that must come.
pub(super) async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(PATIENCE, what).await.expect("waited in vain for a minute")
}

/// The next frame of a stream, its end, or the status that it ends with.
pub(super) async fn next<M>(stream: &mut Streaming<M>) -> Result<Option<M>, Status> {
    soon(stream.message()).await
}

/// The status that a stream ends with, after whatever frames.
pub(super) async fn failure<M: Debug>(stream: &mut Streaming<M>) -> Status {
    loop {
        match next(stream).await {
            Ok(Some(_)) => (),
            Ok(None) => panic!("the stream ended with OK"),
            Err(status) => return status,
        }
    }
}

/// A watcher of one game that joins what its streams bring, and asserts that it joins: no version is
/// left out, comes twice, or goes down, and every cursor is the reader's own.
pub(super) struct Reader {
    pub(super) portal: Portal,
    id: String,
    /// Where the reader is; `None` before a snapshot.
    pub(super) after: Option<Cursor>,
    pub(super) events: Vec<Event>,
    /// Whether the event that ended the game, or a snapshot of the ended game, has come.
    over: bool,
    stream: Option<Streaming<WatchGameResponse>>,
}

impl Reader {
    /// A reader from the creation on.
    pub(super) fn new(portal: &Portal, id: &str) -> Reader {
        Reader::after(portal, id, Some(Cursor::default()))
    }

    /// A reader from a snapshot on.
    pub(super) fn of_snapshot(portal: &Portal, id: &str) -> Reader {
        Reader::after(portal, id, None)
    }

    /// A reader from a place on.
    pub(super) fn after(portal: &Portal, id: &str, after: Option<Cursor>) -> Reader {
        let (portal, id) = (portal.clone(), id.to_owned());
        Reader { portal, id, after, events: Vec::new(), over: false, stream: None }
    }

    /// The next frame, of a new stream that resumes from the reader's place if there is none.
    pub(super) async fn frame(&mut self) -> Result<Option<Frame>, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(soon(self.portal.watch(&self.id, self.after.clone())).await?),
        };
        let Some(response) = next(stream).await? else { return Ok(None) };
        let frame = response.frame.expect("a frame is something");
        self.take(&frame);
        Ok(Some(frame))
    }

    fn take(&mut self, frame: &Frame) {
        match frame {
            Frame::Snapshot(game) => {
                assert_eq!(self.after, None, "a snapshot for a reader that named its place");
                self.after = Some(cursor(game));
                self.over = game.status() == GameStatus::Finished;
            }
            Frame::Event(event) => {
                assert!(!self.over, "an event of a game that is over");
                assert_eq!(event.version, self.version() + 1, "a gap, a repetition or a step back");
                self.after = Some(Cursor { version: event.version, digest: event.digest.clone() });
                self.over = event.outcome.is_some();
                self.events.push(event.clone());
            }
            Frame::Heartbeat(heartbeat) => self.agrees(heartbeat.cursor.as_ref()),
            // A stream that has sent nothing yet leaves its reader where it was.
            Frame::GoingAway(notice) => {
                notice.resume_after.iter().for_each(|place| self.agrees(Some(place)));
            }
        }
    }

    fn version(&self) -> u64 {
        self.after.as_ref().expect("an event before the snapshot").version
    }

    fn agrees(&self, theirs: Option<&Cursor>) {
        let theirs = theirs.expect("a frame that says how far the stream is");
        let own = self.after.as_ref().expect("the snapshot comes first");
        assert_eq!(theirs.version, own.version);
        assert!(
            own.digest.is_empty() || own.digest == theirs.digest,
            "another digest than that of the event"
        );
        assert_eq!(theirs.digest.len(), if theirs.version == 0 { 0 } else { 32 });
    }

    /// The snapshot that begins the stream.
    pub(super) async fn snapshot(&mut self) -> Game {
        match self.frame().await.expect("the stream goes on") {
            Some(Frame::Snapshot(game)) => game,
            other => panic!("expected a snapshot, not {other:?}"),
        }
    }

    /// The next event, after whatever heartbeats.
    pub(super) async fn event(&mut self) -> Event {
        loop {
            match self.frame().await.expect("the stream goes on") {
                Some(Frame::Event(event)) => return event,
                Some(Frame::Heartbeat(_)) => (),
                other => panic!("expected an event, not {other:?}"),
            }
        }
    }

    /// Reads on until the event of a version has come.
    pub(super) async fn read_to(&mut self, version: u64) {
        while self.version() < version {
            self.event().await;
        }
    }

    /// Waits for so many heartbeats, nothing else between them.
    pub(super) async fn heartbeats(&mut self, count: usize) {
        for _ in 0..count {
            match self.frame().await.expect("the stream goes on") {
                Some(Frame::Heartbeat(_)) => (),
                other => panic!("expected a heartbeat, not {other:?}"),
            }
        }
    }

    /// Reads on until the server says that it ends the stream.
    pub(super) async fn going_away(&mut self) -> GoingAway {
        loop {
            match self.frame().await.expect("the notice comes first") {
                Some(Frame::GoingAway(notice)) => return notice,
                Some(_) => (),
                None => panic!("the stream ended with OK"),
            }
        }
    }

    /// Reads on until the stream ends with OK, which it may only when the game has.
    pub(super) async fn rest(&mut self) {
        while self.frame().await.expect("the stream goes on").is_some() {}
        assert!(self.over, "OK before the event that ends the game");
        self.stream = None;
    }

    /// Reads on until the stream ends with an error.
    pub(super) async fn failure(&mut self) -> Status {
        loop {
            match self.frame().await {
                Ok(Some(_)) => (),
                Ok(None) => panic!("the stream ended with OK"),
                Err(status) => {
                    self.stream = None;
                    return status;
                }
            }
        }
    }

    /// Whether the end of the game has come.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Lets go of the stream. The next frame comes from a new one.
    pub(super) fn cut(&mut self) {
        self.stream = None;
    }
}
