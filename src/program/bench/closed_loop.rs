use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use super::Tally;

/// Somebody who makes calls, each when the one before is answered.
pub trait Caller: Send + 'static {
    /// Sees to it that there is something to call for. The time that this takes is not counted as
    /// that of a call.
    fn prepare(&mut self) -> impl Future<Output = anyhow::Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Makes the next call.
    fn call(&mut self) -> impl Future<Output = anyhow::Result<()>> + Send;
}

/// When a caller has made enough calls.
#[derive(Clone, Copy, Debug)]
pub enum Enough {
    Calls(usize),
    At(Instant),
}

impl Enough {
    fn is_reached(self, calls: usize) -> bool {
        match self {
            Enough::Calls(enough) => enough <= calls,
            Enough::At(end) => end <= Instant::now(),
        }
    }
}

/// Lets callers call side by side, and tells how it went; the callers come back.
///
/// # Errors
/// A call fails.
pub async fn closed_loop<C: Caller>(callers: Vec<C>, enough: Enough) -> anyhow::Result<(Vec<C>, Tally)> {
    let begun = Instant::now();
    let calling = callers.into_iter().map(|caller| tokio::spawn(call_on(caller, enough)));
    let mut callers = Vec::new();
    let mut times = Vec::new();
    for called in try_join_all(calling).await? {
        let (caller, mine) = called?;
        callers.push(caller);
        times.extend(mine);
    }
    Ok((callers, Tally::new(times, begun.elapsed())))
}

async fn call_on<C: Caller>(mut caller: C, enough: Enough) -> anyhow::Result<(C, Vec<Duration>)> {
    let mut times = Vec::new();
    while !enough.is_reached(times.len()) {
        caller.prepare().await?;
        let called = Instant::now();
        caller.call().await?;
        times.push(called.elapsed());
    }
    Ok((caller, times))
}
