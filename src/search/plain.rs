use super::{
    Control, Limits, Line, Score, Searchable, StopReason, Tree,
    control::{Budget, Halt},
    line,
    path::{Path, Recurrence},
    score::{self, DRAW, INFINITY, Window},
    seed::Seed,
    table::{Bound, Entry, NO_STEP, Table},
};
use crate::rules::Record;

/// The measure that [`Searcher`](super::Searcher) is held against: alpha-beta with a table, iterative
/// deepening and a count of material, and nothing else.
pub struct Plain {
    table: Table,
}

impl Default for Plain {
    fn default() -> Plain {
        Plain { table: Table::new() }
    }
}

impl Plain {
    /// Searches as [`Searcher::search`](super::Searcher::search) does; chance has no part in it.
    pub fn search<G: Searchable>(
        &mut self,
        record: &Record<G>,
        limits: Limits,
        control: Control<'_>,
    ) -> Option<Line<G::Move>> {
        if record.outcome().is_some() {
            return None;
        }
        self.table.clear();
        let root = G::Tree::root(record.state());
        let (first, _) = line::first_turn(&root, Seed(0))?;
        let mut found = Line::before(&root, &first);
        let path = Path::new(record.repeatable().iter().map(|state| G::Tree::root(state).key()));
        let mut walk = Walk { table: &mut self.table, budget: Budget::new(limits, control), path, turns: 0 };
        found.stop = Some(walk.deepen::<G>(&root, limits.depth(), &mut found));
        (found.nodes, found.elapsed) = (walk.budget.nodes(), walk.budget.elapsed());
        Some(found)
    }
}

/// One search.
struct Walk<'a> {
    table: &'a mut Table,
    budget: Budget<'a>,
    path: Path,
    /// Whole turns from the root to the node that is being searched.
    turns: i32,
}

impl Walk<'_> {
    fn deepen<G: Searchable>(&mut self, root: &G::Tree, depth: u32, found: &mut Line<G::Move>) -> StopReason {
        for depth in 1..=depth {
            let mut line = Vec::new();
            match self.node(root, Window::FULL, depth as i32, &mut line) {
                Err(Halt(reason)) => return reason,
                Ok(value) => found.score = Score::new(value, false),
            }
            found.take(line::moves(root, &line));
            found.depth = depth;
            if found.score.is_proven() {
                return StopReason::Solved;
            }
        }
        StopReason::Depth
    }

    fn node<T: Tree>(
        &mut self,
        tree: &T,
        window: Window,
        depth: i32,
        line: &mut Vec<T::Step>,
    ) -> Result<i32, Halt> {
        if !tree.mid_turn() {
            if let Some(value) = self.verdict(tree) {
                return Ok(value);
            }
            if depth == 0 {
                return Ok(tree.material());
            }
        }
        let key = tree.key() ^ tree.quiet().key();
        let known = self.table.get(key).copied();
        let answer = known.and_then(|entry| entry.answer(depth, window, self.turns));
        if let Some(value) = answer
            && 0 < self.turns
            && !tree.mid_turn()
        {
            return Ok(value);
        }
        let (value, step) = self.steps(tree, window, depth, known, line)?;
        let bound = Bound::of(value, window);
        self.table.put(key, Entry::new(value, bound, depth, self.turns, step, false));
        Ok(value)
    }

    fn verdict<T: Tree>(&self, tree: &T) -> Option<i32> {
        let occurrences = match self.path.recurrence() {
            Recurrence::Search if T::REPEATS => return Some(DRAW),
            Recurrence::Search => 1,
            Recurrence::Game(times) => times,
        };
        let outcome = tree.outcome(occurrences)?;
        Some(score::of_outcome(outcome, tree.side(), self.turns))
    }

    /// Searches the steps of a node, the table's first: the best value and its step's code.
    fn steps<T: Tree>(
        &mut self,
        tree: &T,
        mut window: Window,
        depth: i32,
        known: Option<Entry>,
        line: &mut Vec<T::Step>,
    ) -> Result<(i32, u16), Halt> {
        let mut steps = Vec::new();
        tree.visit_steps(i32::MIN, |prospect| steps.push(prospect.step));
        if let Some(entry) = known {
            steps.sort_by_key(|step| T::code(*step) != entry.step);
        }
        let mut best = (-INFINITY, NO_STEP);
        for step in steps {
            let mut rest = Vec::new();
            let value = self.child(tree, step, window, depth, &mut rest)?;
            if best.0 < value {
                best = (value, T::code(step));
            }
            if window.alpha < value {
                window.alpha = value;
                line.clear();
                line.push(step);
                line.append(&mut rest);
            }
            if window.is_empty() {
                break;
            }
        }
        Ok(best)
    }

    fn child<T: Tree>(
        &mut self,
        tree: &T,
        step: T::Step,
        window: Window,
        depth: i32,
        line: &mut Vec<T::Step>,
    ) -> Result<i32, Halt> {
        self.budget.pay()?;
        let mut next = *tree;
        next.play(step);
        let turn = i32::from(!next.mid_turn());
        self.path.push(next.key(), T::code(step), tree.clears_history(step));
        self.turns += turn;
        let value = if next.side() == tree.side() {
            self.node(&next, window, depth - turn, line)?
        } else {
            -self.node(&next, window.flipped(), depth - turn, line)?
        };
        self.turns -= turn;
        self.path.pop();
        Ok(value)
    }
}
