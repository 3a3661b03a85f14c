use super::table::NO_STEP;

/// The positions from the game's last clearing move to the node that is being searched.
pub(super) struct Path {
    visits: Vec<Visit>,
    /// Where the search began.
    root: usize,
}

#[derive(Clone, Copy)]
struct Visit {
    key: u64,
    /// The first position that can still come again.
    first: usize,
    /// The code of the step that led here.
    step: u16,
}

/// How often the present position has been met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recurrence {
    /// So many times in the game, the present time included.
    Game(u32),
    /// Already on the way from the root to here: going round in a circle.
    Search,
}

impl Path {
    /// `keys`: the positions of the game that can come again, the root last.
    pub(super) fn new(keys: impl Iterator<Item = u64>) -> Path {
        let visits: Vec<Visit> = keys.map(|key| Visit { key, first: 0, step: NO_STEP }).collect();
        Path { root: visits.len().saturating_sub(1), visits }
    }

    pub(super) fn push(&mut self, key: u64, step: u16, clears: bool) {
        let first = match self.visits.last() {
            Some(last) if !clears => last.first,
            _ => self.visits.len(),
        };
        self.visits.push(Visit { key, first, step });
    }

    pub(super) fn pop(&mut self) {
        self.visits.pop();
    }

    /// The code of the step that led to the present position, if the search made it.
    pub(super) fn last_step(&self) -> u16 {
        self.visits.last().map_or(NO_STEP, |visit| visit.step)
    }

    pub(super) fn recurrence(&self) -> Recurrence {
        let Some((now, past)) = self.visits.split_last() else { return Recurrence::Game(1) };
        let mut times = 1;
        for (index, visit) in past.iter().enumerate().skip(now.first).rev() {
            if visit.key == now.key {
                if self.root <= index {
                    return Recurrence::Search;
                }
                times += 1;
            }
        }
        Recurrence::Game(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recurrences_are_counted_from_the_last_clearing_step() {
        let mut path = Path::new([7, 8, 9].into_iter());
        path.push(7, 0, false);
        assert_eq!(path.recurrence(), Recurrence::Game(2));
        path.push(9, 0, false);
        assert_eq!(path.recurrence(), Recurrence::Search);
        path.push(8, 0, true);
        assert_eq!(path.recurrence(), Recurrence::Game(1));
        path.push(9, 0, false);
        assert_eq!(path.recurrence(), Recurrence::Game(1));
        path.pop();
        path.push(8, 0, false);
        assert_eq!(path.recurrence(), Recurrence::Search);
    }
}
