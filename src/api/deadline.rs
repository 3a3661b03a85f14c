use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tonic::metadata::MetadataMap;

use super::Refusal;
use crate::store::in_haste;

/// How much earlier than the transport the service gives up, so that the caller hears of a deadline
/// what happened: the transport itself would answer CANCELLED.
const EARLIER: Duration = Duration::from_millis(3);

/// The moment at which the caller stops waiting, if it has set one.
pub(super) fn of(metadata: &MetadataMap) -> Option<Instant> {
    let text = metadata.get("grpc-timeout")?.to_str().ok()?;
    Some(Instant::now() + parse(text)?.saturating_sub(EARLIER))
}

/// Waits for the work, but no longer than until the deadline.
pub(super) async fn keep<T>(
    deadline: Option<Instant>,
    work: impl Future<Output = Result<T, Refusal>>,
) -> Result<T, Refusal> {
    let work = in_haste(deadline, work);
    match deadline {
        Some(deadline) => timeout_at(deadline, work).await.unwrap_or_else(|_| Err(Refusal::too_late())),
        None => work.await,
    }
}

/// Reads a timeout: up to eight digits and a unit (gRPC over HTTP/2, "Requests").
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if !(1..=8).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(value * 3600)),
        "M" => Some(Duration::from_secs(value * 60)),
        "S" => Some(Duration::from_secs(value)),
        "m" => Some(Duration::from_millis(value)),
        "u" => Some(Duration::from_micros(value)),
        "n" => Some(Duration::from_nanos(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_the_protocol_writes_them() {
        assert_eq!(parse("5S"), Some(Duration::from_secs(5)));
        assert_eq!(parse("250m"), Some(Duration::from_millis(250)));
        assert_eq!(parse("99999999H"), Some(Duration::from_secs(99_999_999 * 3600)));
        for text in ["", "S", "5", "5s", "123456789S", "-1S", "é"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
