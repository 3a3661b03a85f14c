use std::time::Duration;

/// How long calls took.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// In ascending order.
    times: Vec<Duration>,
    span: Duration,
}

impl Tally {
    /// The times of calls that were made within a span.
    pub fn new(mut times: Vec<Duration>, span: Duration) -> Tally {
        times.sort_unstable();
        Tally { times, span }
    }

    pub fn calls(&self) -> usize {
        self.times.len()
    }

    /// Calls a second.
    pub fn rate(&self) -> f64 {
        self.times.len() as f64 / self.span.as_secs_f64().max(1e-9)
    }

    /// The time that so many hundredths of the calls did not exceed; zero without calls.
    pub fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.times.len() * percent.min(100)).div_ceil(100);
        self.times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_taken() {
        let times = (1..=200).rev().map(Duration::from_millis).collect();
        let tally = Tally::new(times, Duration::from_secs(4));
        let millis = [0, 50, 99, 100].map(|percent| tally.percentile(percent).as_millis());
        assert_eq!(millis, [1, 100, 198, 200]);
        assert_eq!((tally.calls(), tally.rate()), (200, 50.0));
        assert_eq!(Tally::default().percentile(50), Duration::ZERO);
    }
}
