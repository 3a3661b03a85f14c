use std::ops::ControlFlow;

use super::phased::Phased;
use crate::{
    rules::{
        Game,
        quantum::{Move, Quantum, SquareSet},
    },
    search::{
        EVALUATION_LIMIT, Prospect, Quiet, Searchable, Weights,
        whole_turn::{Judged, WholeTurn},
    },
};

impl Searchable for Quantum {
    type Tree = WholeTurn<Quantum>;
}

/// What the terms weigh, in the unit of estimates, by the number of pieces outside fixed towers.
#[derive(Clone, Copy, Debug)]
pub struct QuantumWeights(Phased<16, 3>);

impl Weights for QuantumWeights {
    const TUNED: QuantumWeights = QuantumWeights(Phased {
        names: [
            "square",
            "circle",
            "cross",
            "two",
            "three",
            "four",
            "five",
            "fixed_1",
            "fixed_2",
            "pieces",
            "threats",
            "dangers",
            "tall_threats",
            "tall_dangers",
            "power",
            "tempo",
        ],
        step: 16,
        rows: [
            [32, -28, 98, 4, 37, 7, 26, -139, -212, 135, 95, -58, 89, -23, 11, 3],
            [13, 3, 77, 29, 17, 34, 18, -104, -15, 19, 19, -17, 23, 1, 16, 3],
            [-14, -5, 32, 21, 18, 5, -28, -13, 101, 15, -5, 5, 34, 7, 14, 2],
        ],
    });

    fn visit(&mut self, visit: &mut dyn FnMut(&str, &mut i32)) {
        self.0.visit(visit);
    }
}

/// Squares that some of these pieces reach in one step, of any colour and height.
fn near(state: &Quantum, pieces: SquareSet) -> SquareSet {
    let (straight, diagonal) = (pieces & state.straight(), pieces & state.diagonal());
    straight.shift::<1>()
        | straight.shift::<-1>()
        | straight.shift::<16>()
        | straight.shift::<-16>()
        | diagonal.shift::<17>()
        | diagonal.shift::<15>()
        | diagonal.shift::<-15>()
        | diagonal.shift::<-17>()
}

/// Singles by shape; towers by height; the first and the second fixed tower; pieces controlled; enemies that
/// the side to move can take in a step, and own ones that the enemy could; the same for towers;
/// pieces on power squares; the right to move. And how many pieces are outside fixed towers.
fn terms(state: &Quantum) -> ([i32; 16], i32) {
    let (own, other) = (state.side(), !state.side());
    let mut terms = [0; 16];
    for (side, sign) in [(own, 1), (other, -1)] {
        let loose = state.tops(side) & !state.fixed();
        let singles = loose & !state.tall();
        terms[0] += sign * (singles & state.straight() & !state.diagonal()).len() as i32;
        terms[1] += sign * (singles & state.diagonal() & !state.straight()).len() as i32;
        terms[2] += sign * (singles & state.diagonal() & state.straight()).len() as i32;
        let mut pieces = singles.len();
        for square in loose & state.tall() {
            let height = state.tower(square).height();
            terms[height as usize + 1] += sign;
            pieces += height;
        }
        let fixed = state.fixed_towers(side) as i32;
        terms[7] += sign * fixed.min(1);
        terms[8] += sign * (fixed - 1).max(0);
        for square in state.tops(side) & state.fixed() {
            pieces += state.tower(square).height();
        }
        terms[9] += sign * pieces as i32;
        terms[14] += sign * (loose & state.board().power_squares()).len() as i32;
        let hit = near(state, loose) & state.tops(!side) & !state.fixed();
        let turn = usize::from(sign < 0);
        terms[10 + turn] = hit.len() as i32;
        terms[12 + turn] = (hit & state.tall()).len() as i32;
    }
    terms[15] = 1;
    (terms, state.loose() as i32)
}

impl Judged for Quantum {
    type Weights = QuantumWeights;

    const CODES: usize = 128 * 128;
    const MARGIN: i32 = 50;

    fn quiet(&self) -> Quiet {
        Quiet { moves: Quantum::quiet(self), limit: self.options().move_limit.into() }
    }

    fn visit_prospects(&self, mut visit: impl FnMut(Prospect<Move>)) {
        let enemies = self.tops(!self.side());
        let _: ControlFlow<()> = self.visit_moves(|mv| {
            visit(prospect(self, mv, enemies));
            ControlFlow::Continue(())
        });
    }

    fn visit_noisy(&self, mut visit: impl FnMut(Prospect<Move>)) {
        let enemies = self.tops(!self.side());
        let _: ControlFlow<()> = self.visit_moves(|mv| {
            if enemies.contains(mv.to) {
                visit(prospect(self, mv, enemies));
            }
            ControlFlow::Continue(())
        });
    }

    fn code(mv: Move) -> u16 {
        u16::from(mv.from.index()) << 7 | u16::from(mv.to.index())
    }

    fn evaluate(&self, weights: &QuantumWeights) -> i32 {
        let (terms, loose) = terms(self);
        let estimate = weights.0.weigh(&terms, loose).clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
        Judged::quiet(self).fade(estimate)
    }

    fn material(&self) -> i32 {
        let worth = |side| 100 * self.controlled(side) as i32 + 500 * self.fixed_towers(side) as i32;
        worth(self.side()) - worth(!self.side())
    }
}

fn prospect(state: &Quantum, mv: Move, enemies: SquareSet) -> Prospect<Move> {
    if !enemies.contains(mv.to) {
        return Prospect { step: mv, promise: 0, noisy: false };
    }
    let (mover, taken) = (state.tower(mv.from).height(), state.tower(mv.to).height());
    Prospect { step: mv, promise: 70 * taken as i32 - 5 * mover as i32, noisy: true }
}
