use std::ops::ControlFlow;

use crate::{
    rules::{
        Game, Side,
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

/// What the terms weigh, in hundredths of a piece.
#[derive(Clone, Copy, Debug)]
pub struct QuantumWeights {
    /// A piece under the own colour, fixed or not.
    piece: i32,
    /// A fixed tower.
    fixed: i32,
    /// A tower that is not fixed yet, for each piece above the first.
    height: i32,
    /// A square to which something can move.
    reach: i32,
    /// The right to move.
    tempo: i32,
}

impl Weights for QuantumWeights {
    const TUNED: QuantumWeights = QuantumWeights { piece: 100, fixed: 500, height: 15, reach: 3, tempo: 20 };

    fn named(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "piece" => &mut self.piece,
            "fixed" => &mut self.fixed,
            "height" => &mut self.height,
            "reach" => &mut self.reach,
            "tempo" => &mut self.tempo,
            _ => return None,
        })
    }
}

impl Judged for Quantum {
    type Weights = QuantumWeights;

    const CODES: usize = 128 * 128;

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
        let (own, enemy) = (self.side(), !self.side());
        let edge = standing(self, own, weights) - standing(self, enemy, weights);
        let estimate = (edge + weights.tempo).clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
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
    let completes = if 6 <= mover + taken { 1000 } else { 0 };
    Prospect { step: mv, promise: 200 * taken as i32 - 20 * mover as i32 + completes, noisy: true }
}

fn standing(state: &Quantum, side: Side, weights: &QuantumWeights) -> i32 {
    let tops = state.tops(side);
    let growing = tops & state.tall() & !state.fixed();
    let height: u32 = growing.map(|square| state.tower(square).height() - 1).sum();
    weights.piece * state.controlled(side) as i32
        + weights.fixed * state.fixed_towers(side) as i32
        + weights.height * height as i32
}
