use std::time::Duration;

use tokio::time::{Instant, sleep};

/// No state that a test waits for takes as long as this, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for a state.
pub(super) async fn until(what: &str, mut there: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !there().await {
        assert!(Instant::now() < end, "waited in vain until {what}");
        sleep(Duration::from_millis(2)).await;
    }
}
