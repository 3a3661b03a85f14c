use crate::rules::zobrist;

use super::{Cell, CellSet, QuantumControl};

/// A turn of placement after the first of its two stones, for those who walk stone by stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HalfTurn {
    /// With the first stone on the board, and the same side to move.
    position: QuantumControl,
    first: Cell,
}

impl HalfTurn {
    /// Puts down the first stone of a turn that places two, on an empty cell. Any will do.
    pub(crate) fn new(mut position: QuantumControl, first: Cell) -> HalfTurn {
        position.put(first);
        HalfTurn { position, first }
    }

    /// The board with the first stone on it.
    pub(crate) fn position(&self) -> &QuantumControl {
        &self.position
    }

    pub(crate) fn first(&self) -> Cell {
        self.first
    }

    /// The cells on which the second stone may go. Never none: a turn starts with two empty cells.
    pub(crate) fn second_cells(&self) -> CellSet {
        self.position.second_cells(self.first)
    }

    /// Puts down the second stone: the position after the turn.
    pub(crate) fn end(mut self, second: Cell) -> QuantumControl {
        self.position.put(second);
        self.position.end_turn();
        self.position
    }

    /// A hash of the board, the side, and the first stone, on which the second depends.
    pub(crate) fn key(&self) -> u64 {
        self.position.key ^ FIRST[self.first.index()]
    }
}

const FIRST: [u64; super::board::CELLS] = zobrist::keys(0x51_0f);

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use crate::rules::Game;

    use super::{super::Move, *};

    const TWO_AREAS: &str = "wb-wb/wbw..b/-wb-wb-/wb-wb-wb/bwb.w.bwb/bw-bw-bw/-bw-bw-/bwbwbw/bw-bw w p 0 -";
    const ONE_AREA: &str = "wb-../wbw..b/-wb-wb-/wb-wb-wb/bwbbwwbwb/bw-bw-bw/-bw-bw-/bwbwbw/bw-bw w p 0 -";
    const EARLY: &str = "..-../....../-..-..-/..-..-../....b..../..-..-../-..-..-/....../..-.. w p 0 -";

    fn halves(position: QuantumControl) -> impl Iterator<Item = HalfTurn> {
        position.empty().into_iter().map(move |first| HalfTurn::new(position, first))
    }

    #[test]
    fn two_halves_are_a_turn() {
        for text in [TWO_AREAS, ONE_AREA, EARLY] {
            let position = QuantumControl::read_position(text, &Default::default()).unwrap();
            let mut walked = BTreeSet::new();
            for half in halves(position) {
                assert_eq!(half.position().side(), position.side());
                for second in half.second_cells() {
                    let mv = Move::pair(half.first(), second);
                    let mut whole = position;
                    whole.play(mv);
                    assert_eq!(half.end(second), whole);
                    walked.insert(mv.to_string());
                }
            }
            let listed: BTreeSet<String> = position.listing().into_iter().map(|view| view.text).collect();
            assert_eq!(walked, listed, "{text}");
        }
    }

    #[test]
    fn each_first_stone_has_a_key_of_its_own() {
        let position = QuantumControl::read_position(EARLY, &Default::default()).unwrap();
        let keys: HashSet<u64> = halves(position).map(|half| half.key()).chain([position.key()]).collect();
        assert_eq!(keys.len(), 49);
    }
}
