use super::{
    Tree,
    control::{Budget, Halt},
    history::History,
    order::{Candidate, Hints, pick},
    path::{Path, Recurrence},
    score::{self, DRAW, INFINITY, Window},
    seed::Seed,
    table::{Bound, Entry, NO_STEP, Table},
};

/// Principal variation search with a transposition table (Marsland and Campbell: "Parallel search
/// of strongly ordered game trees", 1982), over one root.
///
/// Values are fail-soft: a value at or below alpha bounds the true one from above, a value at or
/// above beta from below.
pub(super) struct AlphaBeta<'a, T: Tree> {
    pub(super) table: &'a mut Table,
    pub(super) history: &'a mut History,
    pub(super) budget: Budget<'a>,
    pub(super) path: Path,
    /// Whether lines that look bad may be searched less deep or not at all.
    pub(super) selective: bool,
    pub(super) noise: u16,
    pub(super) seed: Seed,
    weights: T::Weights,
    /// How often an estimate, a recurrence or pruning has entered a value. What was searched without
    /// a doubt is proven.
    pub(super) doubts: u64,
    /// The best play from each ply on, where that ply is on the main line.
    lines: Vec<Vec<T::Step>>,
    /// The steps of the node at each ply.
    candidates: Vec<Vec<Candidate<T::Step>>>,
    /// Steps and whole turns from the root to the node that is being searched.
    ply: usize,
    turns: i32,
}

/// What a node has found so far.
struct Best {
    value: i32,
    code: u16,
}

impl<'a, T: Tree> AlphaBeta<'a, T> {
    pub(super) fn new(
        (table, history): (&'a mut Table, &'a mut History),
        budget: Budget<'a>,
        path: Path,
        selective: bool,
        (noise, seed): (u16, Seed),
        weights: T::Weights,
    ) -> AlphaBeta<'a, T> {
        AlphaBeta {
            table,
            history,
            budget,
            path,
            selective,
            noise,
            seed,
            weights,
            doubts: 0,
            lines: vec![Vec::new()],
            candidates: vec![Vec::new()],
            ply: 0,
            turns: 0,
        }
    }

    /// The value of a node to its side to step, `depth` turns deep.
    pub(super) fn node(&mut self, tree: &T, window: Window, depth: i32) -> Result<i32, Halt> {
        if let Some(value) = self.verdict(tree) {
            return Ok(value);
        }
        if depth <= 0 && !tree.mid_turn() {
            return self.quiescence(tree, window);
        }
        self.expand(tree, window, depth)
    }

    /// The best play from the root on, as far as it is known.
    pub(super) fn main_line(&self) -> &[T::Step] {
        &self.lines[0]
    }

    /// What the rules say of a position.
    fn verdict(&mut self, tree: &T) -> Option<i32> {
        if tree.mid_turn() {
            return None;
        }
        let occurrences = match self.recurrence() {
            Recurrence::Game(times) => times,
            Recurrence::Search => {
                self.doubts += 1;
                return Some(DRAW);
            }
        };
        let outcome = tree.outcome(occurrences)?;
        Some(score::of_outcome(outcome, tree.side(), self.turns))
    }

    fn recurrence(&self) -> Recurrence {
        if T::REPEATS { self.path.recurrence() } else { Recurrence::Game(1) }
    }

    /// Looks at the table, then searches the steps.
    fn expand(&mut self, tree: &T, window: Window, depth: i32) -> Result<i32, Halt> {
        let key = table_key(tree);
        let entry = self.table.get(key).copied();
        if let Some(entry) = entry
            && let Some(value) = self.known(entry, window, depth)
        {
            return Ok(value);
        }
        let doubts = self.doubts;
        self.list(tree, entry.map_or(NO_STEP, |entry| entry.step));
        let best = self.steps(tree, window, depth)?;
        let proven = self.doubts == doubts;
        let bound = Bound::of(best.value, window);
        self.table.put(key, Entry::new(best.value, bound, depth, self.turns, best.code, proven));
        Ok(best.value)
    }

    /// The value that the table settles. On the main line it settles nothing, for the line's sake.
    fn known(&mut self, entry: Entry, window: Window, depth: i32) -> Option<i32> {
        if window.is_open() || !(self.selective || entry.is_of_depth(depth)) {
            return None;
        }
        let value = entry.answer(depth, window, self.turns)?;
        self.doubts += u64::from(!entry.is_proven());
        Some(value)
    }

    /// Searches the listed steps of a node, best first, until one is too good.
    fn steps(&mut self, tree: &T, window: Window, depth: i32) -> Result<Best, Halt> {
        let mut best = Best { value: -INFINITY, code: NO_STEP };
        let mut index = 0;
        while let Some(candidate) = pick(&mut self.candidates[self.ply], index) {
            let rest = Window { alpha: window.alpha.max(best.value), ..window };
            let value = self.candidate(tree, candidate, index, rest, depth)?;
            if best.value < value {
                best.value = value;
                if rest.alpha < value {
                    best.code = candidate.code;
                    self.record(candidate.step(), window);
                }
            }
            if window.beta <= best.value {
                self.credit(tree, index, depth);
                break;
            }
            index += 1;
        }
        Ok(best)
    }

    /// Searches one step: the first with the whole window, the others only to refute them, unless
    /// they turn out to be better.
    fn candidate(
        &mut self,
        tree: &T,
        candidate: Candidate<T::Step>,
        index: usize,
        window: Window,
        depth: i32,
    ) -> Result<i32, Halt> {
        if index == 0 {
            return self.child(tree, candidate, window, depth);
        }
        let null = Window::null(window.alpha);
        let reduction = self.reduction(candidate, index, depth);
        let mut value = self.child(tree, candidate, null, depth - reduction)?;
        if window.alpha < value && 0 < reduction {
            value = self.child(tree, candidate, null, depth)?;
        }
        if window.alpha < value && window.is_open() {
            value = self.child(tree, candidate, window, depth)?;
        }
        Ok(value)
    }

    /// How many turns less deep a late step is searched at first.
    fn reduction(&self, candidate: Candidate<T::Step>, index: usize, depth: i32) -> i32 {
        if !self.selective || depth < 2 || index < 3 || (candidate.is_noisy() && 0 <= candidate.promise()) {
            return 0;
        }
        let wanted = (depth.ilog2() * (index as u32).ilog2()).div_ceil(4) as i32;
        wanted.min(depth - 1)
    }

    /// The value of the position after a step, to the side that makes the step.
    fn child(
        &mut self,
        tree: &T,
        candidate: Candidate<T::Step>,
        window: Window,
        depth: i32,
    ) -> Result<i32, Halt> {
        self.budget.pay()?;
        let mut next = *tree;
        next.play(candidate.step());
        let turn = i32::from(!next.mid_turn());
        self.descend(&next, candidate.code, turn, tree.clears_history(candidate.step()));
        let value = if next.side() == tree.side() {
            self.node(&next, window, depth - turn)?
        } else {
            -self.node(&next, window.flipped(), depth - turn)?
        };
        self.ascend(turn);
        Ok(value)
    }

    fn descend(&mut self, next: &T, step: u16, turn: i32, clears: bool) {
        self.path.push(next.key(), step, clears);
        self.turns += turn;
        self.ply += 1;
        if self.lines.len() <= self.ply {
            self.lines.push(Vec::new());
            self.candidates.push(Vec::new());
        }
        self.lines[self.ply].clear();
    }

    fn ascend(&mut self, turn: i32) {
        self.path.pop();
        self.turns -= turn;
        self.ply -= 1;
    }

    /// Goes on with noisy steps until the position is quiet; the side to step may stop at any time.
    fn quiescence(&mut self, tree: &T, window: Window) -> Result<i32, Halt> {
        let mut best = self.estimate(tree);
        if window.beta <= best {
            return Ok(best);
        }
        self.list_noisy(tree);
        let mut index = 0;
        while let Some(candidate) = pick(&mut self.candidates[self.ply], index) {
            let rest = Window { alpha: window.alpha.max(best), ..window };
            best = best.max(self.child(tree, candidate, rest, 0)?);
            if window.beta <= best {
                break;
            }
            index += 1;
        }
        Ok(best)
    }

    fn estimate(&mut self, tree: &T) -> i32 {
        self.doubts += 1;
        if self.noise == 0 {
            return tree.evaluate(&self.weights);
        }
        tree.evaluate(&self.weights) + self.seed.noise(tree.key(), self.noise)
    }

    /// Lists all steps of a node. At the root, chance decides between equal ones.
    fn list(&mut self, tree: &T, table: u16) {
        let side = tree.side() as usize;
        let last = self.path.last_step();
        let hints = Hints {
            table,
            killers: self.history.killers(self.ply),
            counter: self.history.counter(side, last),
        };
        let history = &*self.history;
        let candidates = &mut self.candidates[self.ply];
        candidates.clear();
        tree.visit_steps(|prospect| {
            candidates.push(Candidate::new(prospect, T::code(prospect.step), history, side, &hints));
        });
        if self.turns == 0 {
            self.seed.shuffle(candidates);
        }
    }

    fn list_noisy(&mut self, tree: &T) {
        let side = tree.side() as usize;
        let history = &*self.history;
        let candidates = &mut self.candidates[self.ply];
        candidates.clear();
        tree.visit_noisy(|prospect| {
            let code = T::code(prospect.step);
            candidates.push(Candidate::new(prospect, code, history, side, &Hints::NONE));
        });
    }

    /// Puts a step before the best play of the next ply.
    fn record(&mut self, step: T::Step, window: Window) {
        if window.is_open() {
            let (upper, lower) = self.lines.split_at_mut(self.ply + 1);
            let line = &mut upper[self.ply];
            line.clear();
            line.push(step);
            line.extend_from_slice(&lower[0]);
        }
    }

    /// Remembers the quiet step at `index` that cut off, and that those before it did not.
    fn credit(&mut self, tree: &T, index: usize, depth: i32) {
        let side = tree.side() as usize;
        let bonus = (depth * depth * 16).min(1024);
        let (tried, cut) = self.candidates[self.ply].split_at(index);
        let [cut, ..] = cut else { return };
        if cut.is_noisy() {
            return;
        }
        self.history.refuted(side, self.ply, cut.code, self.path.last_step());
        self.history.adjust(side, cut.code, bonus);
        for quiet in tried.iter().filter(|candidate| !candidate.is_noisy()) {
            self.history.adjust(side, quiet.code, -bonus);
        }
    }
}

/// What the table knows a node by.
fn table_key<T: Tree>(tree: &T) -> u64 {
    tree.key() ^ tree.quiet().key()
}
