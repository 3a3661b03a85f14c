//! Quantum Control: stones are placed on seven areas, then jump as far as they have friends.

mod board;
mod cell_set;
mod explain;
mod half_turn;
mod jumps;
mod moves;
mod notation;
mod options;
mod picture;

use std::{cmp::Ordering, ops::ControlFlow};

use crate::rules::{
    self, BySide, Game, GameType, Geometry, MoveError, MoveView, Outcome, PositionError, Score, Side, zobrist,
};

pub(crate) use board::{AREAS, CENTRES, GAPS, PLAYABLE};
pub(crate) use cell_set::CellSet;
pub(crate) use half_turn::HalfTurn;
pub(crate) use jumps::Jumpers;
pub use {board::Cell, moves::Move, options::QuantumControlOptions};

const TWO_PASSES: &str = "two_passes";
const NO_CAPTURES: &str = "no_captures";

/// A position of Quantum Control.
///
/// There is no repetition: stones are added, then only taken away, and a second pass in a row ends
/// the game. So two states are the same position only if they are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QuantumControl {
    stones: BySide<CellSet>,
    side: Side,
    passes: u8,
    /// `None` until the first capture.
    last_capturer: Option<Side>,
    key: u64,
}

/// The two parts of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Placement,
    Capture,
}

impl QuantumControl {
    fn new(stones: BySide<CellSet>, side: Side, passes: u8, last_capturer: Option<Side>) -> QuantumControl {
        let mut position = QuantumControl { stones, side, passes, last_capturer, key: 0 };
        position.key = position.key_from_scratch();
        position
    }

    /// The cells on which this side has stones.
    pub(crate) fn stones(&self, side: Side) -> CellSet {
        self.stones[side]
    }

    /// The side that made the last capture.
    pub(crate) fn last_capturer(&self) -> Option<Side> {
        self.last_capturer
    }

    /// Placement lasts until the board is full for the first time. Afterwards either it still is, or
    /// somebody has captured.
    pub(crate) fn part(&self) -> Phase {
        if self.last_capturer.is_none() && self.occupied() != PLAYABLE {
            Phase::Placement
        } else {
            Phase::Capture
        }
    }

    /// How many areas each side holds: those in which it has more stones.
    pub(crate) fn areas(&self) -> BySide<u32> {
        let mut held = BySide::default();
        for area in AREAS {
            let [black, white] = Side::BOTH.map(|side| (self.stones(side) & area).len());
            match black.cmp(&white) {
                Ordering::Greater => held.black += 1,
                Ordering::Less => held.white += 1,
                Ordering::Equal => (),
            }
        }
        held
    }

    /// Puts down one stone of the side to move, and leaves it to move.
    fn put(&mut self, cell: Cell) {
        self.stones[self.side].insert(cell);
        self.key ^= stone_key(self.side, cell);
    }

    fn end_turn(&mut self) {
        self.side = !self.side;
        self.key ^= WHITE_TO_MOVE;
    }

    fn occupied(&self) -> CellSet {
        self.stones.black | self.stones.white
    }

    fn owner(&self, cell: Cell) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.stones(side).contains(cell))
    }

    fn capture(&mut self, from: Cell, to: Cell) {
        let (own, enemy) = (self.side, !self.side);
        self.stones[own].remove(from);
        self.stones[own].insert(to);
        self.stones[enemy].remove(to);
        self.key ^= stone_key(own, from) ^ stone_key(own, to) ^ stone_key(enemy, to);
        self.set_counters(0, Some(own));
    }

    fn set_counters(&mut self, passes: u8, last_capturer: Option<Side>) {
        self.key ^= counters_key(self.passes, self.last_capturer) ^ counters_key(passes, last_capturer);
        self.passes = passes;
        self.last_capturer = last_capturer;
    }

    fn winner(&self) -> Option<Side> {
        let BySide { black, white } = self.areas();
        match black.cmp(&white) {
            Ordering::Greater => Some(Side::Black),
            Ordering::Less => Some(Side::White),
            Ordering::Equal => self.last_capturer,
        }
    }
}

impl Game for QuantumControl {
    const TYPE: GameType = GameType {
        name: "quantum-control",
        title: "Quantum Control",
        first: Side::Black,
        passing: true,
        reasons: &[TWO_PASSES, NO_CAPTURES],
        rules: explain::RULES,
        page: include_str!("rules.md"),
    };

    type Options = QuantumControlOptions;
    type Move = Move;

    fn start(_: &QuantumControlOptions) -> QuantumControl {
        QuantumControl::new(BySide::default(), Side::Black, 0, None)
    }

    fn options(&self) -> QuantumControlOptions {
        QuantumControlOptions
    }

    fn side(&self) -> Side {
        self.side
    }

    fn phase(&self) -> &'static str {
        match self.part() {
            Phase::Placement => "placement",
            Phase::Capture => "capture",
        }
    }

    fn passes(&self) -> u32 {
        self.passes.into()
    }

    #[inline]
    fn outcome(&self, _: u32) -> Option<Outcome> {
        let reason = if self.passes == 2 {
            TWO_PASSES
        } else if self.part() == Phase::Placement
            || self.jumpers(self.side).any()
            || self.jumpers(!self.side).any()
        {
            return None;
        } else {
            NO_CAPTURES
        };
        Some(Outcome { winner: self.winner(), reason })
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        match self.part() {
            Phase::Placement => self.visit_placements(visit),
            Phase::Capture => self.visit_captures(visit),
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        match self.part() {
            Phase::Placement => self.count_placements(),
            Phase::Capture => u64::from(self.jumpers(self.side).count()) + 1,
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        match mv {
            Move::Place(cell) => self.put(cell),
            Move::PlacePair(a, b) => {
                self.put(a);
                self.put(b);
            }
            Move::Capture { from, to } => self.capture(from, to),
            // Two are the end: a finished game's list still has a pass.
            Move::Pass => self.set_counters(2.min(self.passes + 1), self.last_capturer),
        }
        self.end_turn();
    }

    fn clears_history(&self, _: Move) -> bool {
        true
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let turn = if self.side == Side::White { WHITE_TO_MOVE } else { 0 };
        Side::BOTH
            .into_iter()
            .flat_map(|side| self.stones(side).into_iter().map(move |cell| stone_key(side, cell)))
            .fold(turn ^ counters_key(self.passes, self.last_capturer), |key, stone| key ^ stone)
    }

    fn same_position(&self, other: &QuantumControl) -> bool {
        self == other
    }

    fn read_position(text: &str, _: &QuantumControlOptions) -> Result<QuantumControl, PositionError> {
        notation::read_position(text)
    }

    fn write_position(&self) -> String {
        notation::write_position(self)
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        Ok(self.allow(notation::read_move(text)?)?)
    }

    fn describe(&self, mv: Move) -> MoveView {
        picture::describe(self, mv)
    }

    fn geometry(_: &QuantumControlOptions) -> Geometry {
        picture::geometry()
    }

    fn cells(&self) -> Vec<rules::Cell> {
        picture::cells(self)
    }

    fn scores(&self) -> Vec<Score> {
        picture::scores(self)
    }
}

const STONES: [u64; 2 * board::CELLS] = zobrist::keys(0x51_0c);
const COUNTERS: [u64; 9] = zobrist::keys(0x51_0d);
const WHITE_TO_MOVE: u64 = zobrist::mix(0x51_0e);

fn stone_key(side: Side, cell: Cell) -> u64 {
    STONES[side as usize * board::CELLS + cell.index()]
}

fn counters_key(passes: u8, last_capturer: Option<Side>) -> u64 {
    let capturer = last_capturer.map_or(0, |side| 1 + side as usize);
    COUNTERS[3 * passes as usize + capturer]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn keys_tell_all_fields_apart() {
        let rows = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-..";
        let moved = "..-../....../-..-..-/..-..-../...bb.w../..-..-../-..-..-/....../..-..";
        let key = |text: String| QuantumControl::read_position(&text, &QuantumControlOptions).unwrap().key();
        let fields = ["b c 0 w", "w c 0 w", "b c 1 w", "b c 0 b", "w c 1 b"];
        let texts =
            [rows, moved].into_iter().flat_map(|rows| fields.map(|fields| format!("{rows} {fields}")));
        assert_eq!(texts.map(key).collect::<HashSet<u64>>().len(), 10);
    }

    #[test]
    fn a_pass_after_the_end_changes_no_count() {
        let text = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. b c 0 w";
        let mut position = QuantumControl::read_position(text, &QuantumControlOptions).unwrap();
        for passes in [1, 2, 2] {
            position.play(Move::Pass);
            assert_eq!(position.passes(), passes);
            assert_eq!(position.key(), position.key_from_scratch());
        }
    }
}
