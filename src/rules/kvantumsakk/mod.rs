//! Kvantumsakk: chess in which squares hold counts of quanta instead of men.

mod attack;
mod board;
mod castling;
mod explain;
mod generator;
mod geometry;
mod moves;
mod notation;
mod options;
mod portion;
mod rays;
mod rule_codes;
mod square;
pub(crate) mod squares;
mod view;

use std::ops::ControlFlow;

use self::{
    board::Board,
    castling::{CastlingRights, Route},
    generator::Generator,
    moves::Landing,
    squares::Squares,
};
pub use self::{castling::Wing, moves::Move, options::KvantumsakkOptions, portion::Portion, square::Square};
use super::{
    BySide, Cell, Game, GameType, Geometry, MoveError, MoveView, Outcome, PositionError, Score, Side, zobrist,
};

/// A position of Kvantumsakk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kvantumsakk {
    board: Board,
    side: Side,
    castling: CastlingRights,
    /// The squares that have held exactly one quantum of their own colour since the start.
    fresh: Squares,
    /// Moves since the last capture.
    quiet: u16,
    key: u64,
    options: KvantumsakkOptions,
}

const START: &str = "b4,b3,b5,b7,b8,b5,b3,b4/b1,b1,b1,b1,b1,b1,b1,b1/8/8/8/8/w1,w1,w1,w1,w1,w1,w1,w1/\
                     w4,w3,w5,w7,w8,w5,w3,w4 w KQkq a2a7b2b7c2c7d2d7e2e7f2f7g2g7h2h7 0";

const FRESH_KEYS: [u64; 64] = zobrist::keys(0x6b76_616e_7475_6d02);
const CASTLING_KEYS: [u64; 16] = zobrist::keys(0x6b76_616e_7475_6d03);
const SIDE_KEYS: [u64; 2] = zobrist::keys(0x6b76_616e_7475_6d04);

impl Kvantumsakk {
    /// How many quanta stand on this square.
    pub(crate) fn count(&self, square: Square) -> u32 {
        u32::from(self.board.count(square))
    }

    pub(crate) fn owner(&self, square: Square) -> Option<Side> {
        self.board.owner(square)
    }

    /// The squares that hold quanta of this side.
    pub(crate) fn stacks(&self, side: Side) -> Squares {
        self.board.stacks(side)
    }

    /// Of these, the ones from which a move can take so many.
    pub(crate) fn at_least(&self, side: Side, portion: Portion) -> Squares {
        self.board.at_least(side, portion)
    }

    /// The stacks of eight or more of this side.
    pub(crate) fn king_pieces(&self, side: Side) -> Squares {
        self.at_least(side, Portion::Eight)
    }

    /// All quanta of this side.
    pub(crate) fn quanta(&self, side: Side) -> u32 {
        self.board.quanta(side)
    }

    /// The squares where this side would capture, now or were an enemy there.
    pub(crate) fn attacked_by(&self, side: Side) -> Squares {
        self.board.attackers(side, Squares::NONE).squares(self.board.empty())
    }

    /// Whether all king-pieces of this side are attacked.
    pub(crate) fn in_check(&self, side: Side) -> bool {
        (self.king_pieces(side) & !self.attacked_by(!side)).is_empty()
    }

    /// Moves since the last capture, as the move limit counts them.
    pub(crate) fn quiet(&self) -> u32 {
        u32::from(self.quiet)
    }

    fn landing(&self, to: Square) -> Landing {
        match self.owner(to) {
            None => Landing::Empty,
            Some(owner) if owner == self.side => Landing::Own,
            Some(_) => Landing::Enemy,
        }
    }

    /// Moves quanta; enemies where they land are gone. Answers whether any were.
    fn transfer(&mut self, from: Square, to: Square, quanta: u8) -> bool {
        let landing = self.landing(to);
        let joined = if landing == Landing::Own { self.board.count(to) } else { 0 };
        self.set(from, self.board.count(from) - quanta);
        self.set(to, joined + quanta);
        self.touch(Squares::of(from) | Squares::of(to));
        landing == Landing::Enemy
    }

    fn set(&mut self, square: Square, count: u8) {
        self.key ^= self.board.key_at(square);
        self.board.put(square, self.side, count);
        self.key ^= self.board.key_at(square);
    }

    /// Takes back what these squares have had since the start: castling and the double step.
    fn touch(&mut self, touched: Squares) {
        for square in self.fresh & touched {
            self.key ^= FRESH_KEYS[square.index()];
        }
        self.fresh &= !touched;
        self.key ^= CASTLING_KEYS[self.castling.index()];
        self.castling = self.castling.after(touched);
        self.key ^= CASTLING_KEYS[self.castling.index()];
    }

    fn castle(&mut self, wing: Wing) {
        let route = Route::of(self.side, wing);
        self.transfer(route.king_from, route.king_to, Portion::Eight.quanta());
        self.transfer(route.rook_from, route.rook_to, Portion::Four.quanta());
    }
}

impl Game for Kvantumsakk {
    const TYPE: GameType = GameType {
        name: "kvantumsakk",
        title: "Kvantumsakk",
        first: Side::White,
        passing: false,
        reasons: &["mate", "stalemate", "threefold", "move_limit"],
        rules: rule_codes::RULES,
        page: include_str!("rules.md"),
    };

    type Options = KvantumsakkOptions;
    type Move = Move;

    fn start(options: &KvantumsakkOptions) -> Kvantumsakk {
        Kvantumsakk::read_position(START, options).expect("the start is a position under any move limit")
    }

    fn options(&self) -> KvantumsakkOptions {
        self.options
    }

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self, occurrences: u32) -> Option<Outcome> {
        let generator = Generator::new(self);
        if generator.visit(|_| ControlFlow::Break(())).is_continue() {
            return Some(match generator.in_check() {
                true => Outcome::won(!self.side, "mate"),
                false => Outcome::drawn("stalemate"),
            });
        }
        if 3 <= occurrences {
            return Some(Outcome::drawn("threefold"));
        }
        (u32::from(self.options.move_limit()) <= self.quiet()).then_some(Outcome::drawn("move_limit"))
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        Generator::new(self).visit(visit)
    }

    fn count_moves(&self) -> u64 {
        Generator::new(self).count()
    }

    fn play(&mut self, mv: Move) {
        let captured = match mv {
            Move::Transfer { from, to, portion } => self.transfer(from, to, portion.quanta()),
            Move::Castle(wing) => {
                self.castle(wing);
                false
            }
        };
        self.quiet = if captured { 0 } else { self.quiet.saturating_add(1) };
        self.side = !self.side;
        self.key ^= SIDE_KEYS[0] ^ SIDE_KEYS[1];
    }

    fn clears_history(&self, mv: Move) -> bool {
        matches!(mv, Move::Transfer { to, .. } if self.landing(to) == Landing::Enemy)
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let fresh = self.fresh.fold(0, |key, square| key ^ FRESH_KEYS[square.index()]);
        self.board.key() ^ fresh ^ CASTLING_KEYS[self.castling.index()] ^ SIDE_KEYS[self.side as usize]
    }

    fn same_position(&self, other: &Kvantumsakk) -> bool {
        let what = |state: &Kvantumsakk| (state.side, state.castling, state.fresh);
        what(self) == what(other) && self.board == other.board
    }

    fn read_position(text: &str, options: &KvantumsakkOptions) -> Result<Kvantumsakk, PositionError> {
        notation::read_position(text, *options)
    }

    fn write_position(&self) -> String {
        notation::write_position(self)
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::read_move(self, text)
    }

    fn describe(&self, mv: Move) -> MoveView {
        view::describe(self, mv)
    }

    fn geometry(_: &KvantumsakkOptions) -> Geometry {
        geometry::board()
    }

    fn cells(&self) -> Vec<Cell> {
        view::cells(self)
    }

    fn scores(&self) -> Vec<Score> {
        let both =
            |count: &dyn Fn(Side) -> u32| BySide { black: count(Side::Black), white: count(Side::White) };
        vec![
            Score { name: "quanta", points: both(&|side| self.quanta(side)) },
            Score { name: "king_pieces", points: both(&|side| self.king_pieces(side).len()) },
        ]
    }
}
