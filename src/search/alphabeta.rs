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
use crate::rules::Outcome;

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
    /// Whether lines that look bad may be searched less deep, or be left out near the leaves.
    pub(super) selective: bool,
    /// By how many turns reductions are smaller than usual.
    pub(super) caution: i32,
    /// Whether what was searched deeper than asked for settles a position too.
    pub(super) reuses: bool,
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

/// Up to so many turns from the leaves, a position that is far too good is not searched.
const TOO_GOOD_DEPTH: i32 = 3;

/// Up to so many turns from the leaves, steps that promise far too little are not searched.
const HOPELESS_DEPTH: i32 = 2;

/// Positions are remembered if they are searched so deep.
const TABLE_DEPTH: i32 = 2;

/// So many steps of a node are searched without reduction.
const UNREDUCED: usize = 3;

/// What the logarithms of depth and of a step's place make together, divided by this, is the
/// reduction of a late step in turns.
const REDUCTION: i32 = 3;

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
        reuses: bool,
        (noise, seed): (u16, Seed),
        weights: T::Weights,
    ) -> AlphaBeta<'a, T> {
        AlphaBeta {
            table,
            history,
            budget,
            path,
            selective: false,
            caution: 0,
            reuses,
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
        if tree.mid_turn() {
            return self.expand(tree, window, depth);
        }
        let occurrences = match self.recurrence() {
            Recurrence::Game(times) => times,
            Recurrence::Search => {
                self.doubts += 1;
                return Ok(DRAW);
            }
        };
        if depth <= 0 {
            return match tree.appraise(occurrences, &self.weights) {
                Err(outcome) => Ok(self.of_outcome(outcome, tree)),
                Ok(estimate) => {
                    let estimate = self.noisy(estimate, tree);
                    self.quiescence(tree, window, estimate)
                }
            };
        }
        if let Some(outcome) = tree.outcome(occurrences) {
            return Ok(self.of_outcome(outcome, tree));
        }
        self.expand(tree, window, depth)
    }

    /// The best play from the root on, as far as it is known.
    pub(super) fn main_line(&self) -> &[T::Step] {
        &self.lines[0]
    }

    fn of_outcome(&self, outcome: Outcome, tree: &T) -> i32 {
        score::of_outcome(outcome, tree.side(), self.turns)
    }

    fn recurrence(&self) -> Recurrence {
        if T::REPEATS { self.path.recurrence() } else { Recurrence::Game(1) }
    }

    /// Looks at the table, then searches the steps. Next to the leaves searching is cheaper than
    /// remembering.
    fn expand(&mut self, tree: &T, window: Window, depth: i32) -> Result<i32, Halt> {
        if depth < TABLE_DEPTH {
            return Ok(self.search(tree, window, depth, NO_STEP)?.value);
        }
        let key = table_key(tree);
        let entry = self.table.get(key).copied();
        if let Some(entry) = entry
            && let Some(value) = self.known(entry, window, depth)
        {
            return Ok(value);
        }
        let doubts = self.doubts;
        let best = self.search(tree, window, depth, entry.map_or(NO_STEP, |entry| entry.step))?;
        let proven = self.doubts == doubts;
        let bound = Bound::of(best.value, window);
        self.table.put(key, Entry::new(best.value, bound, depth, self.turns, best.code, proven));
        Ok(best.value)
    }

    /// Searches a node, the step of this code first, unless its estimate already says enough. Next to
    /// the leaves, steps that cannot come up to alpha even by their promise are left out.
    fn search(&mut self, tree: &T, window: Window, depth: i32, first: u16) -> Result<Best, Halt> {
        let mut hopeless = None;
        if self.may_prune(tree, window, depth) {
            let estimate = self.estimate(tree);
            let margin = tree.margin() * depth;
            if window.beta <= estimate - margin {
                return Ok(Best { value: estimate, code: NO_STEP });
            }
            hopeless = (depth <= HOPELESS_DEPTH).then_some(window.alpha - estimate - margin);
        }
        self.list(tree, first, hopeless.unwrap_or(i32::MIN));
        let mut best = self.steps(tree, window, depth)?;
        if hopeless.is_some() {
            best.value = best.value.max(window.alpha);
        }
        Ok(best)
    }

    /// Whether estimates may stand for searches here: near the leaves, off the main line, where
    /// nothing is won or lost yet, and with a whole turn to be made.
    fn may_prune(&self, tree: &T, window: Window, depth: i32) -> bool {
        self.selective
            && depth <= TOO_GOOD_DEPTH
            && !window.is_open()
            && !score::is_win(window.beta)
            && !score::is_loss(window.alpha)
            && !tree.mid_turn()
            && tree.ends_turn()
    }

    /// The value that the table settles. On the main line it settles nothing, for the line's sake.
    fn known(&mut self, entry: Entry, window: Window, depth: i32) -> Option<i32> {
        if window.is_open() || !(self.reuses || entry.is_of_depth(depth)) {
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
        let tactical = candidate.is_noisy() && 0 <= candidate.promise();
        if !self.selective || depth < 2 || index < UNREDUCED || tactical {
            return 0;
        }
        let wanted = (depth.ilog2() * (index as u32).ilog2()) as i32 / REDUCTION;
        (wanted - self.caution).clamp(0, depth - 1)
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

    /// Goes on with noisy steps until the position is quiet; the side to step may stop at any time
    /// and take the estimate.
    fn quiescence(&mut self, tree: &T, window: Window, estimate: i32) -> Result<i32, Halt> {
        let mut best = estimate;
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
        let estimate = tree.evaluate(&self.weights);
        self.noisy(estimate, tree)
    }

    /// An estimate as this bot sees it.
    fn noisy(&mut self, estimate: i32, tree: &T) -> i32 {
        self.doubts += 1;
        if self.noise == 0 { estimate } else { estimate + self.seed.noise(tree.key(), self.noise) }
    }

    /// Lists the steps of a node that promise more than this. At the root, chance decides between equal ones.
    fn list(&mut self, tree: &T, table: u16, above: i32) {
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
        tree.visit_steps(above, |prospect| {
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
