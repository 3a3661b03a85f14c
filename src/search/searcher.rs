use std::iter::repeat_n;

use super::{
    Bot, Control, Line, MAX_DEPTH, Score, Searchable, StopReason, Tree, Weights,
    alphabeta::AlphaBeta,
    control::{Budget, Halt},
    history::History,
    line,
    path::Path,
    score::{DRAW, Window},
    seed::Seed,
    table::Table,
};
use crate::rules::Record;

/// Finds good moves in any game. Holds the memory that a search works in (some 2 MiB), so keep one
/// a thread and use it again; no search depends on an earlier one.
pub struct Searcher {
    table: Table,
    history: History,
    selective: bool,
}

/// The weights of a game's evaluation.
type WeightsOf<G> = <<G as Searchable>::Tree as Tree>::Weights;

/// Half the width of the window that a deeper search begins with, around the last value.
const ASPIRATION: i32 = 24;

/// The depth limit is searched so many times more, each time with smaller reductions, if the nodes
/// last; the greatest depth of all the last time at full width, so that what can be proven is.
const SECOND_LOOKS: usize = 3;

/// How many looks come before the last one at the greatest depth.
const LAST_LOOK: usize = MAX_DEPTH as usize + SECOND_LOOKS - 1;

/// Up to so many turns nothing is left out, so that no win in two is missed.
const FULL_WIDTH_DEPTH: u32 = 3;

impl Default for Searcher {
    fn default() -> Searcher {
        Searcher { table: Table::new(), history: History::new(), selective: true }
    }
}

impl Searcher {
    /// One that searches every line to the full depth: slower and weaker, but its scores are those
    /// of minimax. For tests.
    pub fn full_width() -> Searcher {
        Searcher { selective: false, ..Searcher::default() }
    }

    /// Searches for the best move, turn by turn deeper, telling `progress` of each depth completed.
    ///
    /// `None` when the game is over. Otherwise there is always an answer, whatever the limits, even
    /// when the control says stop at once: then it is the first move in the search's order. A single
    /// legal move is answered without a search. The same position, bot and history give the same
    /// answer and node count, unless the clock or the control ended the search.
    pub fn search<G: Searchable>(
        &mut self,
        record: &Record<G>,
        bot: Bot,
        control: Control<'_>,
        progress: &mut dyn FnMut(&Line<G::Move>),
    ) -> Option<Line<G::Move>> {
        self.search_weighing(&<WeightsOf<G>>::TUNED, record, bot, control, progress)
    }

    /// The same with other weights than the tuned ones, to try them out.
    pub fn search_weighing<G: Searchable>(
        &mut self,
        weights: &WeightsOf<G>,
        record: &Record<G>,
        bot: Bot,
        control: Control<'_>,
        progress: &mut dyn FnMut(&Line<G::Move>),
    ) -> Option<Line<G::Move>> {
        if record.outcome().is_some() {
            return None;
        }
        self.table.clear();
        self.history.clear(G::Tree::CODES);
        let root = G::Tree::root(record.state());
        let seed = Seed(bot.seed);
        let (first, only) = line::first_turn(&root, seed)?;
        let mut found = Line::before(&root, &first);
        let path = Path::new(record.repeatable().iter().map(|state| G::Tree::root(state).key()));
        let budget = Budget::new(bot.limits, control);
        let memory = (&mut self.table, &mut self.history);
        let mut search = AlphaBeta::new(memory, budget, path, self.selective, (bot.noise, seed), *weights);
        found.stop = Some(if only {
            StopReason::OnlyMove
        } else {
            deepen::<G>(&mut search, &root, bot.limits.depth(), &mut found, progress)
        });
        (found.nodes, found.elapsed) = (search.budget.nodes(), search.budget.elapsed());
        Some(found)
    }
}

/// Searches one turn deeper each time, until there is a reason to stop.
fn deepen<G: Searchable>(
    search: &mut AlphaBeta<'_, G::Tree>,
    root: &G::Tree,
    depth: u32,
    found: &mut Line<G::Move>,
    progress: &mut dyn FnMut(&Line<G::Move>),
) -> StopReason {
    let second_looks = if search.reuses { SECOND_LOOKS } else { 0 };
    let mut value = DRAW;
    for (look, depth) in (1..=depth).chain(repeat_n(depth, second_looks)).enumerate() {
        let again = found.depth == depth;
        search.caution += i32::from(again);
        search.selective = search.reuses && FULL_WIDTH_DEPTH < depth;
        if look == LAST_LOOK {
            search.selective = false;
            search.table.doubt();
        }
        let doubts = search.doubts;
        let result = aspire(search, root, value, depth);
        // What an unfinished search has found better is better all the same.
        found.take(line::moves(root, search.main_line()));
        match result {
            Ok(exact) => value = exact,
            Err(Halt(reason)) => return reason,
        }
        found.score = Score::new(value, search.doubts == doubts);
        found.depth = depth;
        (found.nodes, found.elapsed) = (search.budget.nodes(), search.budget.elapsed());
        if !again {
            progress(&Line { stop: None, ..found.clone() });
        }
        if found.score.is_proven() {
            return StopReason::Solved;
        }
    }
    StopReason::Depth
}

/// Searches with a window around the value of the last depth, and opens it on the side where the
/// value turns out to be, until it fits.
fn aspire<T: Tree>(search: &mut AlphaBeta<'_, T>, root: &T, guess: i32, depth: u32) -> Result<i32, Halt> {
    let mut window = Window::FULL;
    if 1 < depth {
        window = Window { alpha: guess - ASPIRATION, beta: guess + ASPIRATION };
    }
    loop {
        let value = search.node(root, window, depth as i32)?;
        if value <= window.alpha {
            window.alpha = Window::FULL.alpha;
        } else if window.beta <= value {
            window.beta = Window::FULL.beta;
        } else {
            return Ok(value);
        }
    }
}
