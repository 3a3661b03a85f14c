use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use super::Limits;

/// The search's only view of the world outside: whether somebody wants it to stop, and the time.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set from any thread to end the search within some hundred nodes.
    pub stop: &'a AtomicBool,
    /// The time since the search started. Asked every few hundred nodes.
    pub elapsed: &'a dyn Fn() -> Duration,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// The depth limit was searched to its end.
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The time limit was reached.
    Time,
    /// The score is proven: nothing is left to find out.
    Solved,
    /// There is one legal move; it was not searched.
    OnlyMove,
    /// The control said stop.
    Stopped,
}

/// So many nodes pass between two looks at the control.
const INTERVAL: u64 = 256;

/// A search ends so much before its time limit, to keep it.
const MARGIN: Duration = Duration::from_millis(2);

/// The nodes of one search, counted against its limits.
pub(super) struct Budget<'a> {
    limits: Limits,
    control: Control<'a>,
    nodes: u64,
}

/// A search has to end at once.
pub(super) struct Halt(pub(super) StopReason);

impl<'a> Budget<'a> {
    pub(super) fn new(limits: Limits, control: Control<'a>) -> Budget<'a> {
        Budget { limits, control, nodes: 0 }
    }

    /// Pays for one node, before it is visited.
    #[inline]
    pub(super) fn pay(&mut self) -> Result<(), Halt> {
        if self.nodes == self.limits.nodes() {
            return Err(Halt(StopReason::Nodes));
        }
        if self.nodes.is_multiple_of(INTERVAL) {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn look(&self) -> Result<(), Halt> {
        if self.control.stop.load(Ordering::Relaxed) {
            return Err(Halt(StopReason::Stopped));
        }
        if self.limits.time() <= self.elapsed() + MARGIN {
            return Err(Halt(StopReason::Time));
        }
        Ok(())
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        (self.control.elapsed)()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spend(limits: Limits, stop: bool, elapsed: Duration) -> (u64, StopReason) {
        let stop = AtomicBool::new(stop);
        let elapsed = move || elapsed;
        let mut budget = Budget::new(limits, Control { stop: &stop, elapsed: &elapsed });
        loop {
            if let Err(Halt(reason)) = budget.pay() {
                return (budget.nodes(), reason);
            }
        }
    }

    #[test]
    fn the_first_limit_reached_ends_a_search() {
        let limits = Limits::new(12, 1000, Duration::from_secs(1));
        assert_eq!(spend(limits, false, Duration::ZERO), (1000, StopReason::Nodes));
        assert_eq!(spend(limits, true, Duration::ZERO), (0, StopReason::Stopped));
        assert_eq!(spend(limits, false, Duration::from_secs(1)), (0, StopReason::Time));
    }
}
