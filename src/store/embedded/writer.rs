use std::{
    error::Error,
    io,
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;
use tracing::error;

use super::{change::Change, disk::Disk};
use crate::{
    game::GameKey,
    store::{Bell, Birth, Commit, Committed, Created, StoreError},
};

/// The most requests that wait; one more is refused.
const QUEUE: usize = 1_024;

/// The most requests that become durable together.
const BATCH: usize = 256;

/// How long after a failure the tables are not opened again: opening costs more than refusing.
const REST: Duration = Duration::from_secs(1);

/// The thread through which every change goes, and the way to it. Dropping it waits until every
/// request that was taken on is answered.
pub(super) struct Writer {
    queue: Option<SyncSender<Request>>,
    thread: Option<JoinHandle<()>>,
}

/// A question to the writer, and where its answer goes.
pub(super) struct Call<Q, A> {
    question: Q,
    reply: oneshot::Sender<Result<A, StoreError>>,
}

pub(super) enum Request {
    Create(Call<Birth, Created>),
    Commit(Call<Commit, Committed>),
    Probe(Call<(), ()>),
}

impl Writer {
    pub(super) fn start(disk: Arc<Disk>, bell: Arc<dyn Bell>) -> io::Result<Writer> {
        let (queue, requests) = sync_channel(QUEUE);
        let desk = Desk { disk, bell, failed: None };
        let thread =
            thread::Builder::new().name("store-writer".into()).spawn(move || desk.serve(&requests))?;
        Ok(Writer { queue: Some(queue), thread: Some(thread) })
    }

    /// Puts a question to the writer and waits for its answer.
    pub(super) async fn ask<Q, A>(
        &self,
        question: Q,
        request: impl FnOnce(Call<Q, A>) -> Request,
    ) -> Result<A, StoreError> {
        let stopped = || StoreError::Unavailable("it has stopped writing".into(), None);
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        match queue.try_send(request(Call { question, reply })) {
            Ok(()) => answer.await.unwrap_or_else(|_| Err(stopped())),
            Err(TrySendError::Full(_)) => Err(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(stopped()),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the writer has been reported by its thread, and its callers have been told.
            let _ = thread.join();
        }
    }
}

/// Tells a caller what came of its request, once it is known whether that is durable.
type Answer = Box<dyn FnOnce(Result<(), StoreError>)>;

/// What the writer has at hand.
struct Desk {
    disk: Arc<Disk>,
    bell: Arc<dyn Bell>,
    /// When writing failed, if nothing has been written since.
    failed: Option<Instant>,
}

impl Desk {
    fn serve(mut self, requests: &Receiver<Request>) {
        while let Ok(first) = requests.recv() {
            let mut batch = vec![first];
            batch.extend(requests.try_iter().take(BATCH - 1));
            self.write(batch);
        }
    }

    /// Makes a batch durable; only then answers, and rings for each game that grew.
    fn write(&mut self, batch: Vec<Request>) {
        if let Err(error) = self.mend() {
            return batch.into_iter().for_each(|request| request.refuse(error.clone()));
        }
        let mut grown = Vec::new();
        let mut answers = Vec::with_capacity(batch.len());
        let durable = self.disk.with(|tables| {
            let mut change = Change::new(tables);
            if self.failed.is_some() {
                change.probe();
            }
            answers.extend(batch.into_iter().map(|request| request.decide(&mut change, &mut grown)));
            change.finish()
        });
        self.note(&durable);
        answers.into_iter().for_each(|answer| answer(durable.clone()));
        if durable.is_ok() {
            grown.iter().for_each(|key| self.bell.ring(key));
        }
    }

    /// Lets nothing be tried too soon after a failure, and sees to it that the tables are open.
    fn mend(&mut self) -> Result<(), StoreError> {
        match self.failed {
            Some(at) if at.elapsed() < REST => {
                Err(StoreError::Unavailable("it failed a moment ago and rests".into(), None))
            }
            Some(_) if !self.disk.is_open() => self.reopen(),
            _ => Ok(()),
        }
    }

    /// Remembers whether writing works. Whether a failed batch reached the disk shows itself when the
    /// tables are opened again, which is done before anyone hears of the failure: who then looks a
    /// request up is told the truth, or nothing.
    fn note(&mut self, durable: &Result<(), StoreError>) {
        let Err(error) = durable else {
            self.failed = None;
            return;
        };
        error!(cause = ?error.source(), "{error}");
        self.failed = Some(Instant::now());
        // If this fails too it is tried again with the next request.
        let _ = self.reopen();
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        self.disk.reopen().map_err(|error| {
            error!(cause = ?error.source(), "{error}");
            self.failed = Some(Instant::now());
            StoreError::Unavailable("its files cannot be opened again".into(), Some(Arc::new(error)))
        })
    }
}

impl Request {
    /// Decides as part of a change; the answer waits until that is durable.
    fn decide(self, change: &mut Change<'_>, grown: &mut Vec<GameKey>) -> Answer {
        match self {
            Request::Create(call) => {
                let verdict = change.create(&call.question);
                if matches!(verdict, Ok(Created::Done)) {
                    grown.push(call.question.key);
                }
                answer(call.reply, verdict)
            }
            Request::Commit(call) => {
                let verdict = change.commit(&call.question);
                if matches!(verdict, Ok(Committed::Done)) {
                    grown.push(call.question.key);
                }
                answer(call.reply, verdict)
            }
            Request::Probe(call) => answer(call.reply, Ok(())),
        }
    }

    fn refuse(self, error: StoreError) {
        match self {
            Request::Create(call) => answer(call.reply, Err(error))(Ok(())),
            Request::Commit(call) => answer(call.reply, Err(error))(Ok(())),
            Request::Probe(call) => answer(call.reply, Err(error))(Ok(())),
        }
    }
}

fn answer<A: 'static>(
    reply: oneshot::Sender<Result<A, StoreError>>,
    verdict: Result<A, StoreError>,
) -> Answer {
    Box::new(move |durable| {
        // A caller that no longer waits has no use for the answer.
        let _ = reply.send(durable.and(verdict));
    })
}
