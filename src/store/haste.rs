use std::time::Duration;

use tokio::time::Instant;

tokio::task_local! {
    /// When the caller for whom this task works stops waiting.
    static UNTIL: Instant;
}

/// Works for a caller who stops waiting at a time: a store that does not answer is given up before
/// that, so that there is time to look up what has happened, and to tell the caller.
pub async fn in_haste<T>(until: Option<Instant>, work: impl Future<Output = T>) -> T {
    match until {
        Some(until) => UNTIL.scope(until, work).await,
        None => work.await,
    }
}

/// How long a store is waited for on behalf of a caller in haste: two thirds of the time left.
pub fn patience() -> Option<Duration> {
    UNTIL.try_with(|until| until.saturating_duration_since(Instant::now()) * 2 / 3).ok()
}
