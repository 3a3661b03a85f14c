use std::ops::ControlFlow;

use super::phased::Phased;
use crate::{
    rules::{
        Game, Side,
        surakarta::{Move, Square, SquareSet, Surakarta},
    },
    search::{
        Prospect, Quiet, Searchable, Weights,
        whole_turn::{Judged, WholeTurn},
    },
};

impl Searchable for Surakarta {
    type Tree = WholeTurn<Surakarta>;
}

/// What the terms weigh, in the unit of estimates, by the number of pieces on the board.
#[derive(Clone, Copy, Debug)]
pub struct SurakartaWeights(Phased<10, 4>);

impl Weights for SurakartaWeights {
    const TUNED: SurakartaWeights = SurakartaWeights(Phased {
        names: ["corner", "edge_b", "edge_c", "b2", "c2", "c3", "threats", "dangers", "tempo", "room"],
        step: 8,
        rows: [
            [-20, 290, 258, 180, 193, 230, 90, 72, 0, 28],
            [81, 183, 162, 216, 189, 163, 45, -13, 24, 5],
            [87, 138, 132, 164, 155, 128, 57, -25, 23, 4],
            [71, 73, 109, 114, 115, 136, 41, -31, 20, 1],
        ],
    });

    fn visit(&mut self, visit: &mut dyn FnMut(&str, &mut i32)) {
        self.0.visit(visit);
    }
}

/// The points that are alike under turning and mirroring: a1, b1, c1, b2, c2 and c3 with theirs.
const KINDS: [u64; 6] = {
    let mut kinds = [0; 6];
    let mut index = 0;
    while index < Square::COUNT {
        let (file, rank) = (index % 6, index / 6);
        let file = if file < 3 { file } else { 5 - file };
        let rank = if rank < 3 { rank } else { 5 - rank };
        let kind = match (file, rank) {
            (0, other) | (other, 0) => other,
            (1, 1) => 3,
            (1, _) | (_, 1) => 4,
            _ => 5,
        };
        kinds[kind] |= 1 << index;
        index += 1;
    }
    kinds
};

/// Pieces by kind of point; captures that the side to move has, and those that the other one would
/// have; the right to move; steps to empty points. And how many pieces there are.
fn terms(state: &Surakarta) -> ([i32; 10], i32) {
    let (side, other) = (state.side(), !state.side());
    let (own, enemy) = (state.pieces(side), state.pieces(other));
    let on = |kind: usize| {
        (own.bits() & KINDS[kind]).count_ones() as i32 - (enemy.bits() & KINDS[kind]).count_ones() as i32
    };
    let empty = state.empty();
    let room =
        |pieces: SquareSet| pieces.map(|square| (square.neighbours() & empty).count()).sum::<u32>() as i32;
    let captures = |side| state.captures(side).count() as i32;
    let room = room(own) - room(enemy);
    let terms = [on(0), on(1), on(2), on(3), on(4), on(5), captures(side), captures(other), 1, room];
    (terms, (own.count() + enemy.count()) as i32)
}

impl Judged for Surakarta {
    type Weights = SurakartaWeights;

    const CODES: usize = 36 * 36;
    const MARGIN: i32 = 60;

    fn quiet(&self) -> Quiet {
        Quiet { moves: self.quiet_moves().into(), limit: self.options().move_limit().into() }
    }

    fn visit_prospects(&self, mut visit: impl FnMut(Prospect<Move>)) {
        let threatened = targets(self, !self.side());
        let _: ControlFlow<()> = self.visit_moves(|mv| {
            let prospect = if mv.is_capture() {
                Prospect { step: mv, promise: 100, noisy: true }
            } else {
                let saved = if threatened.contains(mv.from()) { 60 } else { 0 };
                let promise = saved + 4 * (passes(mv.to().into()) - passes(mv.from().into()));
                Prospect { step: mv, promise, noisy: false }
            };
            visit(prospect);
            ControlFlow::Continue(())
        });
    }

    fn visit_noisy(&self, mut visit: impl FnMut(Prospect<Move>)) {
        for step in self.captures(self.side()) {
            visit(Prospect { step, promise: 100, noisy: true });
        }
    }

    fn code(mv: Move) -> u16 {
        (mv.from().index() * Square::COUNT + mv.to().index()) as u16
    }

    fn evaluate(&self, weights: &SurakartaWeights) -> i32 {
        let (terms, pieces) = terms(self);
        let estimate = weights.0.weigh(&terms, pieces);
        // In the majority variant the limit is no draw.
        if self.options().majority() { estimate } else { self.quiet().fade(estimate) }
    }

    fn material(&self) -> i32 {
        100 * (self.pieces(self.side()).count() as i32 - self.pieces(!self.side()).count() as i32)
    }
}

/// The pieces that this side could take if it were to move.
fn targets(state: &Surakarta, side: Side) -> SquareSet {
    state.captures(side).fold(SquareSet::EMPTY, |all, mv| all | mv.to().into())
}

/// How often circuits pass these points: in the middle of each quarter twice, at corners never.
fn passes(squares: SquareSet) -> i32 {
    let twice = |square: &Square| {
        let inner = |line: u8| (1..=4).contains(&line);
        inner(square.file()) && inner(square.rank())
    };
    (squares.filter(|square| !square.is_corner()).count() + squares.filter(twice).count()) as i32
}
