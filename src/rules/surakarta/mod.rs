//! Surakarta: pieces step about a small grid, and take each other by running round its circuits.

mod board;
mod captures;
mod circuit;
mod explain;
mod moves;
mod notation;
mod options;
mod picture;
mod route;
mod travel;
mod view;

use std::{cmp::Ordering, ops::ControlFlow};

use crate::rules::{
    BySide, Cell, Game, GameType, Geometry, MoveError, MoveView, Outcome, PositionError, Score, Side, zobrist,
};

use captures::Captures;
use notation::MoveText;

pub use board::{Square, SquareSet};
pub use moves::Move;
pub use options::SurakartaOptions;
pub use route::{Corner, Route};

const ALL_CAPTURED: &str = "all_captured";
const NO_MOVES: &str = "no_moves";
const THREEFOLD: &str = "threefold";
const MOVE_LIMIT: &str = "move_limit";
const MAJORITY: &str = "majority";

/// A position of Surakarta.
///
/// Repetition looks at the pieces and the side to move only; the count of quiet moves and the
/// options are no part of [`Game::key`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Surakarta {
    pieces: BySide<SquareSet>,
    side: Side,
    /// Moves of either side since the last capture.
    quiet: u16,
    options: SurakartaOptions,
    key: u64,
}

impl Surakarta {
    fn new(pieces: BySide<SquareSet>, side: Side, quiet: u16, options: SurakartaOptions) -> Surakarta {
        let mut state = Surakarta { pieces, side, quiet, options, key: 0 };
        state.key = state.key_from_scratch();
        state
    }

    /// The points on which this side has pieces.
    pub fn pieces(&self, side: Side) -> SquareSet {
        self.pieces[side]
    }

    /// The points on which nothing stands.
    pub fn empty(&self) -> SquareSet {
        !self.occupied()
    }

    /// How many moves of either side have been made since the last capture.
    pub fn quiet_moves(&self) -> u16 {
        self.quiet
    }

    /// The captures that `by` has, or would have if it were to move: each pair of points once, by
    /// its canonical route.
    pub fn captures(&self, by: Side) -> impl Iterator<Item = Move> {
        Captures::of(self.pieces[by], self.pieces[!by]).into_moves()
    }

    fn occupied(&self) -> SquareSet {
        self.pieces.black | self.pieces.white
    }

    fn owner(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.pieces[side].contains(square))
    }

    fn has_move(&self) -> bool {
        let own = self.pieces[self.side];
        !(own.reach() & self.empty()).is_empty() || self.captures(self.side).next().is_some()
    }

    /// Puts a piece on a point, or takes it away.
    fn toggle(&mut self, side: Side, square: Square) {
        self.pieces[side] = self.pieces[side].toggled(square);
        self.key ^= piece_key(side, square);
    }

    /// What the move limit brings: a draw, or in the majority variant a win for more pieces.
    fn outcome_at_limit(&self) -> Outcome {
        match self.pieces.black.count().cmp(&self.pieces.white.count()) {
            Ordering::Greater if self.options.majority() => Outcome::won(Side::Black, MAJORITY),
            Ordering::Less if self.options.majority() => Outcome::won(Side::White, MAJORITY),
            _ => Outcome::drawn(MOVE_LIMIT),
        }
    }
}

impl Game for Surakarta {
    const TYPE: GameType = GameType {
        name: "surakarta",
        title: "Surakarta",
        first: Side::Black,
        passing: false,
        reasons: &[ALL_CAPTURED, NO_MOVES, THREEFOLD, MOVE_LIMIT, MAJORITY],
        rules: explain::RULES,
        page: include_str!("rules.md"),
    };

    type Options = SurakartaOptions;
    type Move = Move;

    fn start(options: &SurakartaOptions) -> Surakarta {
        let pieces = BySide { black: SquareSet::ranks(4, 5), white: SquareSet::ranks(0, 1) };
        Surakarta::new(pieces, Side::Black, 0, *options)
    }

    fn options(&self) -> SurakartaOptions {
        self.options
    }

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self, occurrences: u32) -> Option<Outcome> {
        let (mover, waiting) = (self.side, !self.side);
        if self.pieces[mover].is_empty() {
            Some(Outcome::won(waiting, ALL_CAPTURED))
        } else if self.pieces[waiting].is_empty() {
            Some(Outcome::won(mover, ALL_CAPTURED))
        } else if !self.has_move() {
            Some(Outcome::won(waiting, NO_MOVES))
        } else if 3 <= occurrences {
            Some(Outcome::drawn(THREEFOLD))
        } else if self.options.move_limit() <= self.quiet {
            Some(self.outcome_at_limit())
        } else {
            None
        }
    }

    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let empty = self.empty();
        for from in self.pieces[self.side] {
            for to in from.neighbours() & empty {
                visit(Move::quiet(from, to))?;
            }
        }
        self.captures(self.side).try_for_each(visit)
    }

    fn count_moves(&self) -> u64 {
        let (own, enemy) = (self.pieces[self.side], self.pieces[!self.side]);
        u64::from(own.count_steps(self.empty())) + Captures::of(own, enemy).len() as u64
    }

    fn play(&mut self, mv: Move) {
        let (own, enemy) = (self.side, !self.side);
        self.toggle(own, mv.from());
        self.toggle(own, mv.to());
        if mv.is_capture() {
            self.toggle(enemy, mv.to());
            self.quiet = 0;
        } else {
            self.quiet = self.quiet.saturating_add(1);
        }
        self.side = enemy;
        self.key ^= WHITE_TO_MOVE;
    }

    fn clears_history(&self, mv: Move) -> bool {
        mv.is_capture()
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let turn = if self.side == Side::White { WHITE_TO_MOVE } else { 0 };
        Side::BOTH
            .into_iter()
            .flat_map(|side| self.pieces[side].map(move |square| piece_key(side, square)))
            .fold(turn, |key, piece| key ^ piece)
    }

    fn same_position(&self, other: &Surakarta) -> bool {
        (self.pieces, self.side) == (other.pieces, other.side)
    }

    fn read_position(text: &str, options: &SurakartaOptions) -> Result<Surakarta, PositionError> {
        notation::read_position(text, *options)
    }

    fn write_position(&self) -> String {
        notation::write_position(self)
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        Ok(self.allow(MoveText::read(text)?)?)
    }

    fn describe(&self, mv: Move) -> MoveView {
        self.view(mv)
    }

    fn geometry(_: &SurakartaOptions) -> Geometry {
        picture::geometry()
    }

    fn cells(&self) -> Vec<Cell> {
        let piece = |square: Square| {
            let owner = self.owner(square)?;
            let pieces = owner.letter().to_string();
            Some(Cell { point: square.name(), owner, count: 1, pieces, fixed: false })
        };
        Square::all().filter_map(piece).collect()
    }

    fn scores(&self) -> Vec<Score> {
        let BySide { black, white } = self.pieces;
        vec![Score { name: "pieces", points: BySide { black: black.count(), white: white.count() } }]
    }
}

const PIECES: [u64; 2 * Square::COUNT] = zobrist::keys(0x50_0a);
const WHITE_TO_MOVE: u64 = zobrist::mix(0x50_0b);

fn piece_key(side: Side, square: Square) -> u64 {
    PIECES[side as usize * Square::COUNT + square.index()]
}
