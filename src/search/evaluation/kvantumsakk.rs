use std::ops::ControlFlow;

use super::phased::Phased;
use crate::{
    rules::{
        Game, Side,
        kvantumsakk::{Kvantumsakk, Move, Portion, Wing, squares::Squares},
    },
    search::{
        EVALUATION_LIMIT, Prospect, Quiet, Searchable, Weights,
        whole_turn::{Judged, WholeTurn},
    },
};

impl Searchable for Kvantumsakk {
    type Tree = WholeTurn<Kvantumsakk>;
}

/// What the terms weigh, in the unit of estimates, by the number of quanta on the board.
#[derive(Clone, Copy, Debug)]
pub struct KvantumsakkWeights(Phased<23, 2>);

impl Weights for KvantumsakkWeights {
    const TUNED: KvantumsakkWeights = KvantumsakkWeights(Phased {
        names: [
            "quanta", "one", "three", "four", "five", "seven", "eight", "king_2", "king_3", "reach", "ring",
            "check", "checked", "own_1", "own_3", "own_4", "own_5", "own_7", "their_1", "their_3", "their_4",
            "their_5", "their_7",
        ],
        step: 96,
        rows: [
            [40, 0, 10, 10, 10, 10, 10, 20, 30, 1, 2, 5, -5, -5, -10, 0, 0, 0, 10, 30, 0, 10, 30],
            [40, 0, 10, 10, 10, 10, 10, 20, 30, 1, 2, 5, -5, -5, -10, 0, 0, 0, 10, 30, 0, 10, 30],
        ],
    });

    fn visit(&mut self, visit: &mut dyn FnMut(&str, &mut i32)) {
        self.0.visit(visit);
    }
}

/// Quanta; stacks of one, three, four, five, seven, eight and more; the second king-piece and further
/// ones; squares attacked, those next to the enemy's king-pieces, and king-pieces of the enemy and own
/// ones that are attacked; own stacks by size that are attacked, and the enemy's. And how many quanta
/// there are.
fn terms(state: &Kvantumsakk) -> ([i32; 23], i32) {
    let mut terms = [0; 23];
    let attacked = [state.attacked_by(state.side()), state.attacked_by(!state.side())];
    for (turn, side) in [state.side(), !state.side()].into_iter().enumerate() {
        let sign = 1 - 2 * turn as i32;
        let (attacks, dangers) = (attacked[turn], attacked[1 - turn]);
        terms[0] += sign * state.quanta(side) as i32;
        for (i, portion) in Portion::ALL.into_iter().enumerate() {
            let stacks = state.at_least(side, portion);
            terms[1 + i] += sign * stacks.len() as i32;
            if portion != Portion::Eight {
                terms[13 + 5 * turn + i] = (stacks & dangers).len() as i32;
            }
        }
        let kings = state.king_pieces(side);
        terms[7] += sign * (kings.len() as i32 - 1).min(1);
        terms[8] += sign * (kings.len() as i32 - 2).max(0);
        terms[9] += sign * attacks.len() as i32;
        terms[10] += sign * (attacks & around(state.king_pieces(!side))).len() as i32;
        terms[11 + turn] = (attacks & state.king_pieces(!side)).len() as i32;
    }
    let quanta = state.quanta(Side::Black) + state.quanta(Side::White);
    (terms, quanta as i32)
}

/// What a quantum is worth at first sight.
const QUANTUM: i32 = 40;

/// The squares next to these.
fn around(Squares(set): Squares) -> Squares {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = set | set << 1 & NOT_A | set >> 1 & NOT_H;
    Squares((row | row << 8 | row >> 8) & !set)
}

impl Judged for Kvantumsakk {
    type Weights = KvantumsakkWeights;

    const CODES: usize = 6 * 64 * 64 + 2;
    const MARGIN: i32 = 100;

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
                    let at_stake =
                        |square, quanta| if danger.contains(square) { QUANTUM * quanta } else { 0 };
                    let noisy = enemies.contains(to);
                    let won = if noisy { QUANTUM * self.count(to) as i32 } else { 0 };
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
        let (terms, quanta) = terms(self);
        let estimate = weights.0.weigh(&terms, quanta).clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
        Judged::quiet(self).fade(estimate)
    }

    fn material(&self) -> i32 {
        100 * (self.quanta(self.side()) as i32 - self.quanta(!self.side()) as i32)
    }
}
