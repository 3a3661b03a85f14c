use std::time::Duration;

/// The middle one; zero if there are none.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The middle one; zero if there are none.
pub(crate) fn median_time(times: impl Iterator<Item = Duration>) -> Duration {
    Duration::from_secs_f64(median(times.map(|time| time.as_secs_f64())))
}
