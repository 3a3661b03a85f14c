//! Quantum, the tower game of 1975.

mod board;
mod ending;
mod explain;
mod line;
mod move_text;
mod moves;
mod options;
mod position;
mod position_text;
mod rule_codes;
mod setup;
mod square;
mod tower;
mod towers;

use std::ops::ControlFlow;

use super::{
    Action, BySide, Cell, Game, GameType, Geometry, MoveError, MoveView, Outcome, PositionError, Score,
    Setting, Settings, Side, Taken,
};
use tower::Piece;

pub use board::Board;
pub use moves::Move;
pub use options::QuantumOptions;
pub use position::Quantum;
pub use square::{Square, SquareSet};
pub use tower::Shape;

pub(crate) use tower::Tower;

impl Game for Quantum {
    const TYPE: GameType = GameType {
        name: "quantum",
        title: "Quantum",
        first: Side::White,
        passing: false,
        reasons: ending::REASONS,
        rules: rule_codes::RULES,
        page: include_str!("rules.md"),
    };

    type Options = QuantumOptions;
    type Move = Move;

    fn start(options: &QuantumOptions) -> Quantum {
        Quantum::set_up(*options)
    }

    fn options(&self) -> QuantumOptions {
        self.settings()
    }

    fn side(&self) -> Side {
        self.turn()
    }

    fn outcome(&self, occurrences: u32) -> Option<Outcome> {
        self.ending(occurrences)
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_legal(visit)
    }

    fn count_moves(&self) -> u64 {
        self.count_legal()
    }

    fn play(&mut self, mv: Move) {
        self.advance(mv.from, mv.to);
    }

    fn clears_history(&self, mv: Move) -> bool {
        self.occupied().contains(mv.to)
    }

    fn key(&self) -> u64 {
        self.running_key()
    }

    fn key_from_scratch(&self) -> u64 {
        self.fresh_key()
    }

    fn same_position(&self, other: &Quantum) -> bool {
        self.same_board_and_turn(other)
    }

    fn implied_settings(position: &str) -> Settings {
        let board = Board::of_position(position);
        let word = |board: Board| ("board".to_owned(), Setting::Word(board.name().to_owned()));
        board.map(word).into_iter().collect()
    }

    fn read_position(text: &str, options: &QuantumOptions) -> Result<Quantum, PositionError> {
        Quantum::read_text(text, *options)
    }

    fn write_position(&self) -> String {
        self.write_text()
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        self.read_legal(text)
    }

    fn describe(&self, mv: Move) -> MoveView {
        let captures = self.taken_by(mv);
        let action = if captures.is_some() { Action::Capture } else { Action::Step };
        let points = vec![mv.from.name(), mv.to.name()];
        let height = self.tower(mv.from).height();
        let plain = MoveView::plain(self.write_move(mv), action, points, height);
        MoveView { captures: captures.into_iter().collect(), ..plain }
    }

    fn geometry(options: &QuantumOptions) -> Geometry {
        options.board.geometry()
    }

    fn cells(&self) -> Vec<Cell> {
        let standing = self.board().reading_order().filter(|&square| self.occupied().contains(square));
        standing.map(|square| self.cell(square)).collect()
    }

    fn scores(&self) -> Vec<Score> {
        let by_side = |count: fn(&Quantum, Side) -> u32| BySide {
            black: count(self, Side::Black),
            white: count(self, Side::White),
        };
        vec![
            Score { name: "fixed_towers", points: by_side(Quantum::fixed_towers) },
            Score { name: "pieces", points: by_side(Quantum::controlled) },
        ]
    }
}

impl Quantum {
    /// What stands on an occupied square.
    fn cell(&self, square: Square) -> Cell {
        let tower = self.tower(square);
        Cell {
            point: square.name(),
            owner: tower.owner(),
            count: tower.height(),
            pieces: tower.to_string(),
            fixed: tower.is_fixed(),
        }
    }

    fn taken_by(&self, mv: Move) -> Option<Taken> {
        let taken = self.tower(mv.to);
        (!taken.is_empty()).then(|| Taken {
            point: mv.to.name(),
            owner: taken.owner(),
            count: taken.height(),
            pieces: taken.to_string(),
        })
    }
}
