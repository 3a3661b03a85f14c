use std::ops::ControlFlow;

use crate::{
    rules::{
        Game, Side,
        surakarta::{Move, Square, SquareSet, Surakarta},
    },
    search::{
        EVALUATION_LIMIT, Prospect, Quiet, Searchable, Weights,
        whole_turn::{Judged, WholeTurn},
    },
};

impl Searchable for Surakarta {
    type Tree = WholeTurn<Surakarta>;
}

/// What the terms weigh, in hundredths of a piece.
#[derive(Clone, Copy, Debug)]
pub struct SurakartaWeights {
    /// A piece. The fewer there are, the more one of them counts: see [`Surakarta::material_edge`].
    piece: i32,
    /// A capture more than the other side has.
    threat: i32,
    /// A piece that stands on a circuit, for each time that one passes there.
    access: i32,
    /// A piece in a corner, which has three ways out and no circuit.
    corner: i32,
    /// A point to which a piece could step.
    room: i32,
    /// The right to move.
    tempo: i32,
}

impl Weights for SurakartaWeights {
    const TUNED: SurakartaWeights =
        SurakartaWeights { piece: 100, threat: 10, access: 6, corner: -10, room: 1, tempo: 10 };

    fn named(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "piece" => &mut self.piece,
            "threat" => &mut self.threat,
            "access" => &mut self.access,
            "corner" => &mut self.corner,
            "room" => &mut self.room,
            "tempo" => &mut self.tempo,
            _ => return None,
        })
    }
}

impl Judged for Surakarta {
    type Weights = SurakartaWeights;

    const CODES: usize = 36 * 36;

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
        let (own, enemy) = (self.side(), !self.side());
        let edge = self.material_edge(weights) + placing(self, own, weights) - placing(self, enemy, weights);
        let estimate = (edge + weights.tempo).clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
        if self.options().majority() { estimate } else { self.quiet().fade(estimate) }
    }

    fn material(&self) -> i32 {
        100 * (self.pieces(self.side()).count() as i32 - self.pieces(!self.side()).count() as i32)
    }
}

impl Surakarta {
    /// The balance of pieces. In proportion it grows with every exchange, so that the side that is
    /// ahead looks for exchanges.
    fn material_edge(&self, weights: &SurakartaWeights) -> i32 {
        let [own, enemy] = [self.side(), !self.side()].map(|side| self.pieces(side).count() as i32);
        weights.piece * (own - enemy) * 20 / (8 + own + enemy)
    }
}

/// What stands well with a side.
fn placing(state: &Surakarta, side: Side, weights: &SurakartaWeights) -> i32 {
    let pieces = state.pieces(side);
    let corners = pieces.filter(|square| square.is_corner()).count() as i32;
    let threats = state.captures(side).count() as i32;
    let room: u32 = pieces.map(|square| (square.neighbours() & state.empty()).count()).sum();
    weights.threat * threats
        + weights.access * passes(pieces)
        + weights.corner * corners
        + weights.room * room as i32
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
