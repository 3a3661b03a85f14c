use std::time::Duration;

/// The most turns that any search looks ahead.
pub const MAX_DEPTH: u32 = 12;

/// The most nodes that any search visits.
pub const MAX_NODES: u64 = 200_000;

/// The longest that any search takes.
pub const MAX_TIME: Duration = Duration::from_secs(2);

/// How far a search may go; whichever comes first ends it. Never above the three maxima.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    depth: u32,
    nodes: u64,
    time: Duration,
}

impl Limits {
    pub const MAX: Limits = Limits { depth: MAX_DEPTH, nodes: MAX_NODES, time: MAX_TIME };

    /// Limits of so many turns, nodes, and so much time from the moment the search starts, each
    /// brought down to its maximum, and up to one turn and one node.
    pub const fn new(depth: u32, nodes: u64, time: Duration) -> Limits {
        let depth = if depth < 1 { 1 } else { depth };
        let nodes = if nodes < 1 { 1 } else { nodes };
        Limits { depth, nodes, time }.at_most(Limits::MAX)
    }

    /// The smaller of each of the two.
    pub const fn at_most(self, other: Limits) -> Limits {
        Limits {
            depth: if other.depth < self.depth { other.depth } else { self.depth },
            nodes: if other.nodes < self.nodes { other.nodes } else { self.nodes },
            time: if other.time.as_nanos() < self.time.as_nanos() { other.time } else { self.time },
        }
    }

    /// Whole turns from the root, 1 to [`MAX_DEPTH`]. Quiescence goes on past it.
    pub const fn depth(self) -> u32 {
        self.depth
    }

    /// Positions visited, quiescence included, 1 to [`MAX_NODES`].
    pub const fn nodes(self) -> u64 {
        self.nodes
    }

    /// Time from the moment the search starts, at most [`MAX_TIME`].
    pub const fn time(self) -> Duration {
        self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stay_within_the_maxima() {
        assert_eq!(Limits::new(99, u64::MAX, Duration::from_secs(60)), Limits::MAX);
        let least = Limits::new(0, 0, Duration::ZERO);
        assert_eq!((least.depth(), least.nodes(), least.time()), (1, 1, Duration::ZERO));
    }
}
