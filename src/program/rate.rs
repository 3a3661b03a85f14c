use std::time::Duration;

/// How many nodes a second these were, in three digits and a unit, such as `811 M`.
pub(super) fn rate(nodes: u64, time: Duration) -> String {
    let per_second = nodes as f64 / time.as_secs_f64().max(1e-9);
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let unit = units.into_iter().find(|(size, _)| *size <= per_second);
    let (size, unit) = unit.unwrap_or((1.0, ""));
    let value = per_second / size;
    let digits = if 100.0 <= value { 0 } else { 1 };
    format!("{value:.digits$} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_short() {
        let second = Duration::from_secs(1);
        assert_eq!(rate(811_400_000, second), "811 M");
        assert_eq!(rate(1_234_000_000, second), "1.2 G");
        assert_eq!(rate(52_300, second), "52.3 k");
        assert_eq!(rate(7, second), "7.0");
    }
}
