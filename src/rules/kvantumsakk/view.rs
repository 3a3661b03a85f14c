use super::{
    Kvantumsakk, Move, Portion, Square, Wing,
    castling::Route,
    geometry,
    moves::{Landing, TransferText},
};
use crate::rules::{Action, Cell, MoveView, Side, Taken};

pub(super) fn describe(state: &Kvantumsakk, mv: Move) -> MoveView {
    match mv {
        Move::Transfer { from, to, portion } => transfer(state, portion, from, to),
        Move::Castle(wing) => castling(state, wing),
    }
}

fn transfer(state: &Kvantumsakk, portion: Portion, from: Square, to: Square) -> MoveView {
    let landing = state.landing(to);
    let action = match landing {
        Landing::Empty => Action::Step,
        Landing::Enemy => Action::Capture,
        Landing::Own => Action::Merge,
    };
    let text = TransferText { portion, from, landing, to }.to_string();
    let points = vec![from.name(), to.name()];
    let mut view = MoveView::plain(text, action, points, u32::from(portion.quanta()));
    match landing {
        Landing::Empty => (),
        Landing::Enemy => view.captures.push(stack(state, to, !state.side)),
        Landing::Own => view.merges.push(stack(state, to, state.side)),
    }
    view
}

fn castling(state: &Kvantumsakk, wing: Wing) -> MoveView {
    let route = Route::of(state.side, wing);
    let quanta = Portion::Eight.quanta() + Portion::Four.quanta();
    let points = vec![route.king_from.name(), route.king_to.name()];
    let mut view = MoveView::plain(wing.text().to_owned(), Action::Castle, points, u32::from(quanta));
    let joined = route.landings().into_iter().filter(|&square| state.landing(square) == Landing::Own);
    view.merges = joined.map(|square| stack(state, square, state.side)).collect();
    view
}

fn stack(state: &Kvantumsakk, square: Square, owner: Side) -> Taken {
    let count = state.count(square);
    Taken { point: square.name(), owner, count, pieces: pieces(owner, count) }
}

pub(super) fn cells(state: &Kvantumsakk) -> Vec<Cell> {
    let cell = |square: Square| {
        let (owner, count) = (state.owner(square)?, state.count(square));
        Some(Cell { point: square.name(), owner, count, pieces: pieces(owner, count), fixed: false })
    };
    geometry::squares().filter_map(cell).collect()
}

fn pieces(owner: Side, count: u32) -> String {
    format!("{}{count}", owner.letter())
}
