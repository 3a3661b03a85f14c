use std::collections::{HashMap, VecDeque};

use crate::game::Tenant;

/// Work that waits: bounded in all, tenants in turn, first come first served within a tenant.
#[derive(Debug)]
pub(super) struct Queue<J> {
    bound: usize,
    length: usize,
    /// The tenants with work waiting; the first is next.
    turns: VecDeque<Tenant>,
    /// Never empty lists.
    waiting: HashMap<Tenant, VecDeque<(u64, J)>>,
}

impl<J> Queue<J> {
    pub(super) fn new(bound: usize) -> Queue<J> {
        Queue { bound, length: 0, turns: VecDeque::new(), waiting: HashMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Puts work at the end of its tenant's list, or gives it back if the queue is full.
    pub(super) fn push(&mut self, tenant: &Tenant, id: u64, job: J) -> Result<(), J> {
        if self.bound <= self.length {
            return Err(job);
        }
        let list = self.waiting.entry(tenant.clone()).or_default();
        if list.is_empty() {
            self.turns.push_back(tenant.clone());
        }
        list.push_back((id, job));
        self.length += 1;
        Ok(())
    }

    /// Takes the oldest work of the tenant whose turn it is.
    pub(super) fn pop(&mut self) -> Option<J> {
        let tenant = self.turns.pop_front()?;
        let list = self.waiting.get_mut(&tenant)?;
        let (_, job) = list.pop_front()?;
        self.length -= 1;
        if list.is_empty() {
            self.waiting.remove(&tenant);
        } else {
            self.turns.push_back(tenant);
        }
        Some(job)
    }

    /// How much other work is taken before this one, as things stand; `None` if it does not wait.
    pub(super) fn ahead(&self, tenant: &Tenant, id: u64) -> Option<usize> {
        let index = self.waiting.get(tenant)?.iter().position(|(other, _)| *other == id)?;
        let mut before = true;
        let others = self.turns.iter().map(|other| {
            before &= other != tenant;
            let rounds = if before { index + 1 } else { index };
            self.waiting.get(other).map_or(0, |list| list.len().min(rounds))
        });
        Some(others.sum())
    }

    /// Takes out work that nobody wants any more, if it still waits.
    pub(super) fn remove(&mut self, tenant: &Tenant, id: u64) -> Option<J> {
        let list = self.waiting.get_mut(tenant)?;
        let index = list.iter().position(|(other, _)| *other == id)?;
        let (_, job) = list.remove(index)?;
        self.length -= 1;
        if list.is_empty() {
            self.waiting.remove(tenant);
            self.turns.retain(|other| other != tenant);
        }
        Some(job)
    }

    /// Takes out everything.
    pub(super) fn clear(&mut self) {
        self.turns.clear();
        self.waiting.clear();
        self.length = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> Tenant {
        name.parse().expect("a name")
    }

    #[test]
    fn tenants_take_turns_and_each_is_served_in_order() {
        let mut queue = Queue::new(10);
        for job in 0..4 {
            queue.push(&tenant("busy"), job, ("busy", job)).expect("room");
        }
        queue.push(&tenant("quiet"), 9, ("quiet", 9)).expect("room");
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [("busy", 0), ("quiet", 9), ("busy", 1), ("busy", 2), ("busy", 3)]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn work_knows_how_much_is_ahead_of_it() {
        let mut queue = Queue::new(100);
        for (name, id) in [("a", 0), ("a", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5), ("c", 6), ("a", 7)] {
            queue.push(&tenant(name), id, (name, id)).expect("room");
        }
        // As much is ahead as is then really taken before.
        let all = [("a", 0), ("a", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5), ("c", 6), ("a", 7)];
        let mut ahead: Vec<_> =
            all.map(|(name, id)| (queue.ahead(&tenant(name), id).expect("it waits"), id)).into();
        ahead.sort_unstable();
        assert_eq!(ahead.iter().map(|(ahead, _)| *ahead).collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
        let taken: Vec<u64> = std::iter::from_fn(|| queue.pop()).map(|(_, id)| id).collect();
        assert_eq!(taken, ahead.iter().map(|(_, id)| *id).collect::<Vec<_>>());
        assert_eq!(queue.ahead(&tenant("a"), 0), None);
    }

    #[test]
    fn a_full_queue_gives_the_work_back() {
        let mut queue = Queue::new(1);
        assert_eq!(queue.push(&tenant("a"), 1, "first"), Ok(()));
        assert_eq!(queue.push(&tenant("b"), 2, "second"), Err("second"));
    }

    #[test]
    fn removed_work_leaves_no_turn_behind() {
        let mut queue = Queue::new(10);
        queue.push(&tenant("a"), 1, "a").expect("room");
        queue.push(&tenant("b"), 2, "b").expect("room");
        assert_eq!(queue.remove(&tenant("a"), 1), Some("a"));
        assert_eq!(queue.remove(&tenant("a"), 1), None);
        assert_eq!(queue.pop(), Some("b"));
        assert_eq!(queue.pop(), None);
    }
}
