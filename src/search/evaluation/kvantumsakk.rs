use std::ops::ControlFlow;

use crate::{
    rules::{
        Game, Side,
        kvantumsakk::{Kvantumsakk, Move, Wing},
    },
    search::{
        EVALUATION_LIMIT, Prospect, Quiet, Searchable, Weights,
        whole_turn::{Judged, WholeTurn},
    },
};

impl Searchable for Kvantumsakk {
    type Tree = WholeTurn<Kvantumsakk>;
}

/// What the terms weigh, in hundredths of a quantum.
#[derive(Clone, Copy, Debug)]
pub struct KvantumsakkWeights {
    quantum: i32,
    /// The second king-piece, and half as much for each further one.
    king_piece: i32,
    /// A square that is attacked.
    reach: i32,
    /// An enemy king-piece that is attacked.
    check: i32,
    /// The right to move.
    tempo: i32,
}

impl Weights for KvantumsakkWeights {
    const TUNED: KvantumsakkWeights =
        KvantumsakkWeights { quantum: 100, king_piece: 100, reach: 5, check: 20, tempo: 20 };

    fn named(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "quantum" => &mut self.quantum,
            "king_piece" => &mut self.king_piece,
            "reach" => &mut self.reach,
            "check" => &mut self.check,
            "tempo" => &mut self.tempo,
            _ => return None,
        })
    }
}

impl Judged for Kvantumsakk {
    type Weights = KvantumsakkWeights;

    const CODES: usize = 6 * 64 * 64 + 2;

    fn quiet(&self) -> Quiet {
        Quiet { moves: Kvantumsakk::quiet(self), limit: self.options().move_limit().into() }
    }

    fn visit_prospects(&self, mut visit: impl FnMut(Prospect<Move>)) {
        let danger = self.attacked_by(!self.side());
        let enemies = self.stacks(!self.side());
        let _: ControlFlow<()> = self.visit_moves(|step| {
            visit(match step {
                Move::Castle(_) => Prospect { step, promise: 20, noisy: false },
                Move::Transfer { from, to, portion } => {
                    let quanta = i32::from(portion.quanta());
                    let at_stake = |square, quanta| if danger.contains(square) { 100 * quanta } else { 0 };
                    let noisy = enemies.contains(to);
                    let won = if noisy { 100 * self.count(to) as i32 } else { 0 };
                    let joined = if noisy { 0 } else { self.count(to) as i32 };
                    let staked =
                        at_stake(to, quanta + joined) - at_stake(to, joined) - at_stake(from, quanta);
                    let promise = if noisy { won - at_stake(to, quanta) } else { -staked / 2 };
                    Prospect { step, promise, noisy }
                }
            });
            ControlFlow::Continue(())
        });
    }

    fn visit_noisy(&self, mut visit: impl FnMut(Prospect<Move>)) {
        self.visit_prospects(|prospect| {
            if prospect.noisy {
                visit(prospect);
            }
        });
    }

    fn code(mv: Move) -> u16 {
        let code = match mv {
            Move::Transfer { from, to, portion } => (portion as usize) << 12 | from.index() << 6 | to.index(),
            Move::Castle(Wing::King) => 6 << 12,
            Move::Castle(Wing::Queen) => 6 << 12 | 1,
        };
        code as u16
    }

    fn evaluate(&self, weights: &KvantumsakkWeights) -> i32 {
        let (own, enemy) = (self.side(), !self.side());
        let edge = standing(self, own, weights) - standing(self, enemy, weights);
        let estimate = (edge + weights.tempo).clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
        Judged::quiet(self).fade(estimate)
    }

    fn material(&self) -> i32 {
        100 * (self.quanta(self.side()) as i32 - self.quanta(!self.side()) as i32)
    }
}

fn standing(state: &Kvantumsakk, side: Side, weights: &KvantumsakkWeights) -> i32 {
    let attacked = state.attacked_by(side);
    let kings = state.king_pieces(side).len() as i32;
    weights.quantum * state.quanta(side) as i32
        + weights.king_piece * kings.min(2)
        + weights.king_piece * (kings - 2).max(0) / 2
        + weights.reach * attacked.len() as i32
        + weights.check * (attacked & state.king_pieces(!side)).len() as i32
}
