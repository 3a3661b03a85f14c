use super::score::{self, Window};

/// How many positions a table holds: 2 MiB, which stays in a core's own cache.
const SLOTS: usize = 1 << 17;

/// No step's code.
pub(super) const NO_STEP: u16 = u16::MAX;

/// What is known of one position from an earlier visit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// Wins and losses counted from the node.
    value: i16,
    /// The code of the best step, or [`NO_STEP`].
    pub(super) step: u16,
    /// Turns searched below the position.
    depth: i8,
    bound: Bound,
    /// Whether no estimate, recurrence or pruning had a part in the value.
    proven: bool,
}

/// How a value stands to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// No value at all: the slot is empty.
    Nothing,
    AtLeast,
    AtMost,
    Exactly,
}

/// The positions that a search has met, by key. A newcomer replaces what is there.
pub(super) struct Table {
    slots: Vec<Entry>,
}

const _: () = assert!(size_of::<Entry>() == 16);

const EMPTY: Entry =
    Entry { key: 0, value: 0, step: NO_STEP, depth: 0, bound: Bound::Nothing, proven: false };

impl Table {
    pub(super) fn new() -> Table {
        Table { slots: vec![EMPTY; SLOTS] }
    }

    /// Forgets everything, so that a search depends on nothing that came before it.
    pub(super) fn clear(&mut self) {
        self.slots.fill(EMPTY);
    }

    /// Keeps of each position no more than its best step and what is proven.
    pub(super) fn doubt(&mut self) {
        for entry in self.slots.iter_mut().filter(|entry| !entry.proven) {
            entry.depth = 0;
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<&Entry> {
        let entry = &self.slots[slot(key)];
        (entry.key == key && entry.bound != Bound::Nothing).then_some(entry)
    }

    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        self.slots[slot(key)] = Entry { key, ..entry };
    }
}

fn slot(key: u64) -> usize {
    // The low bits of a key choose the slot; the whole key is compared.
    key as usize % SLOTS
}

impl Entry {
    /// What a search of `depth` turns found at a node `turns` below the root.
    pub(super) fn new(value: i32, bound: Bound, depth: i32, turns: i32, step: u16, proven: bool) -> Entry {
        let value = score::from_node(value, turns) as i16;
        Entry { key: 0, value, step, depth: depth as i8, bound, proven }
    }

    pub(super) fn is_proven(&self) -> bool {
        self.proven
    }

    /// Whether the value is that of a search of just so many turns.
    pub(super) fn is_of_depth(&self, depth: i32) -> bool {
        i32::from(self.depth) == depth
    }

    /// The value, if it settles a search of `depth` turns or more in this window at a node `turns`
    /// below the root. What is proven settles any depth.
    pub(super) fn answer(&self, depth: i32, window: Window, turns: i32) -> Option<i32> {
        let value = score::from_root(i32::from(self.value), turns);
        let deep = depth <= i32::from(self.depth) || self.proven;
        let settles = match self.bound {
            Bound::Nothing => false,
            Bound::Exactly => deep,
            Bound::AtLeast => window.beta <= value && (deep || score::is_win(value)),
            Bound::AtMost => value <= window.alpha && (deep || score::is_loss(value)),
        };
        settles.then_some(value)
    }
}

impl Bound {
    /// What a value found with this window is.
    pub(super) fn of(value: i32, window: Window) -> Bound {
        if window.beta <= value {
            Bound::AtLeast
        } else if value <= window.alpha {
            Bound::AtMost
        } else {
            Bound::Exactly
        }
    }
}
