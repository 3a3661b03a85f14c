use std::{
    pin::Pin,
    sync::Weak,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_stream::{Stream, wrappers::WatchStream};

use super::flight::Flight;
use crate::game::BotScore;

/// What a search has found so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// Whole turns that were searched to their end.
    pub depth: u32,
    pub nodes: u64,
    /// Microseconds since the search started.
    pub micros: u64,
    pub score: BotScore,
    /// The best play found for both sides, as texts.
    pub main_line: Vec<String>,
}

/// How far a search is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Thinking {
    /// It waits for a thread.
    Waiting {
        /// Searches that start before it.
        ahead: usize,
        /// About how long that will take.
        wait: Duration,
    },
    Thought(Thought),
}

/// Tells one listener of a search while it goes on, always the newest: whoever listens slowly misses
/// what was in between. Holds nothing up, and does not keep the search alive.
pub struct Thoughts {
    newest: WatchStream<Option<Thought>>,
    waiting: Option<Waiting>,
}

/// A look at the queue, from time to time.
struct Waiting {
    flight: Weak<Flight>,
    looks: Interval,
    told: Option<usize>,
}

/// How often the place in the queue is looked at.
const LOOK: Duration = Duration::from_millis(100);

impl Thoughts {
    pub(super) fn new(newest: WatchStream<Option<Thought>>, flight: Weak<Flight>) -> Thoughts {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Thoughts { newest, waiting: Some(Waiting { flight, looks, told: None }) }
    }
}

impl Stream for Thoughts {
    type Item = Thinking;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Thinking>> {
        let this = &mut *self;
        loop {
            match Pin::new(&mut this.newest).poll_next(cx) {
                Poll::Ready(Some(Some(thought))) => {
                    this.waiting = None;
                    return Poll::Ready(Some(Thinking::Thought(thought)));
                }
                // Nothing has been found yet.
                Poll::Ready(Some(None)) => {}
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => break,
            }
        }
        let Some(waiting) = &mut this.waiting else { return Poll::Pending };
        match waiting.poll_place(cx) {
            Poll::Ready(Some(place)) => Poll::Ready(Some(place)),
            Poll::Ready(None) => {
                this.waiting = None;
                Poll::Pending
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl Waiting {
    /// The place in the queue when it is another than before; `None` when it waits no more.
    fn poll_place(&mut self, cx: &mut Context<'_>) -> Poll<Option<Thinking>> {
        while self.looks.poll_tick(cx).is_ready() {
            let place = self.flight.upgrade().and_then(|flight| flight.waiting());
            let Some((ahead, wait)) = place else { return Poll::Ready(None) };
            if self.told.replace(ahead) != Some(ahead) {
                return Poll::Ready(Some(Thinking::Waiting { ahead, wait }));
            }
        }
        Poll::Pending
    }
}
