use std::time::Duration;

use tokio::time::sleep;
use tonic::{Code, Status, Streaming};

use super::client::{Client, failure, helps_again, pause, sentence};
use crate::api::proto::{
    Cursor, Event, GoingAway, WatchGameRequest, WatchGameResponse, watch_game_response::Frame,
};

/// Follows one game from its beginning to its end, over any number of streams: when one is cut, the
/// next goes on after the last event that came.
pub(super) struct Follower {
    client: Client,
    game_id: String,
    after: Cursor,
    stream: Option<Streaming<WatchGameResponse>>,
    /// How long to wait before the next stream.
    wait: Duration,
    /// Streams in a row that brought nothing.
    in_vain: u32,
}

/// What a follower has to tell.
pub(super) enum News {
    Event(Box<Event>),
    /// The stream was cut, and why. It will be resumed.
    Cut(String),
}

/// Streams in a row that may bring nothing before the follower gives up.
const MOST_IN_VAIN: u32 = 20;

impl Follower {
    pub(super) fn new(client: Client, game_id: &str) -> Follower {
        Follower {
            client,
            game_id: game_id.to_owned(),
            after: Cursor::default(),
            stream: None,
            wait: Duration::ZERO,
            in_vain: 0,
        }
    }

    /// The next piece of news; `None` after the event that ended the game.
    ///
    /// # Errors
    /// The server refuses for good: there is no such game, or its history is not the one followed so
    /// far. Or it cannot be reached for a long time.
    pub(super) async fn next(&mut self) -> anyhow::Result<Option<News>> {
        loop {
            match self.frame().await {
                Ok(Some(Frame::Event(event))) => return Ok(Some(self.take(event))),
                Ok(Some(Frame::GoingAway(notice))) => return Ok(Some(self.part(&notice))),
                Ok(Some(Frame::Heartbeat(_) | Frame::Snapshot(_))) => (),
                Ok(None) => return Ok(None),
                Err(status) => return self.cut(status).map(Some),
            }
        }
    }

    async fn frame(&mut self) -> Result<Option<Frame>, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                sleep(self.wait).await;
                let after = Some(self.after.clone());
                let request = WatchGameRequest { game_id: self.game_id.clone(), after };
                self.stream.insert(self.client.watch_game(request).await?.into_inner())
            }
        };
        Ok(stream.message().await?.and_then(|response| response.frame))
    }

    fn take(&mut self, event: Event) -> News {
        self.after = Cursor { version: event.version, digest: event.digest.clone() };
        self.in_vain = 0;
        News::Event(Box::new(event))
    }

    fn part(&mut self, notice: &GoingAway) -> News {
        self.stream = None;
        let asked = notice.retry_after.and_then(|wait| Duration::try_from(wait).ok());
        self.wait = asked.unwrap_or_default();
        News::Cut("the server is going away".to_owned())
    }

    fn cut(&mut self, status: Status) -> anyhow::Result<News> {
        self.in_vain += 1;
        let passing = helps_again(&status) || status.code() == Code::ResourceExhausted;
        if !passing || MOST_IN_VAIN < self.in_vain {
            return Err(failure(status));
        }
        self.stream = None;
        self.wait = pause(&status);
        Ok(News::Cut(sentence(&status)))
    }
}
