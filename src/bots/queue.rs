use std::collections::{HashMap, VecDeque};

use crate::game::Tenant;

/// Work that waits: bounded for each tenant, tenants in turn, first come first served within a tenant.
#[derive(Debug)]
pub(super) struct Queue<J> {
    /// How much of one tenant may wait: a busy one does not keep the others out.
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

    /// Puts work at the end of its tenant's list, or gives it back if that is full.
    pub(super) fn push(&mut self, tenant: &Tenant, id: u64, job: J) -> Result<(), J> {
        let list = self.waiting.entry(tenant.clone()).or_default();
        if self.bound <= list.len() {
            return Err(job);
        }
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
        Some(self.before(tenant, index))
    }

    /// How much would be taken before work that this tenant brought now.
    pub(super) fn ahead_of_next(&self, tenant: &Tenant) -> usize {
        self.before(tenant, self.waiting.get(tenant).map_or(0, VecDeque::len))
    }

    /// How much is taken before the work of this index in its tenant's list.
    fn before(&self, tenant: &Tenant, index: usize) -> usize {
        let mut first = true;
        let taken = self.turns.iter().map(|other| {
            first &= other != tenant;
            // Tenants whose turn comes first have one turn more until then.
            let turns = if first { index + 1 } else { index };
            self.waiting.get(other).map_or(0, |list| list.len().min(turns))
        });
        taken.sum()
    }

    /// How many tenants have work waiting.
    pub(super) fn tenants(&self) -> usize {
        self.turns.len()
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
        let all = [("a", 0), ("a", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5), ("c", 6), ("a", 7)];
        let mut queue = Queue::new(10);
        for (name, id) in all {
            queue.push(&tenant(name), id, id).expect("room");
        }
        assert_eq!((queue.ahead_of_next(&tenant("b")), queue.ahead_of_next(&tenant("new"))), (7, 3));
        // As much is ahead as is then really taken before.
        let mut places = all.map(|(name, id)| (queue.ahead(&tenant(name), id), id));
        places.sort_unstable();
        for (place, (ahead, id)) in places.into_iter().enumerate() {
            assert_eq!((ahead, queue.pop()), (Some(place), Some(id)));
        }
        assert_eq!(queue.ahead(&tenant("a"), 0), None);
    }

    #[test]
    fn a_full_list_gives_the_work_back_and_leaves_room_for_others() {
        let mut queue = Queue::new(1);
        assert_eq!(queue.push(&tenant("a"), 1, "first"), Ok(()));
        assert_eq!(queue.push(&tenant("a"), 2, "second"), Err("second"));
        assert_eq!(queue.push(&tenant("b"), 3, "third"), Ok(()));
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
