use super::{Portion, Square, attack::Attackers, portion::KING_PIECE, squares::Squares};
use crate::rules::{BySide, Side, zobrist};

/// Which stacks stand where.
///
/// The sets repeat what the counts say, so that a question about all stacks is a few bit operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    counts: [u8; 64],
    stacks: BySide<Squares>,
    /// By portion, the stacks of either side that are large enough to give it.
    at_least: [Squares; 6],
}

/// A square and its side, to be mixed with the count.
const STACK_KEYS: [u64; 128] = zobrist::keys(0x6b76_616e_7475_6d01);

impl Board {
    pub(super) const EMPTY: Board = Board {
        counts: [0; 64],
        stacks: BySide { black: Squares::NONE, white: Squares::NONE },
        at_least: [Squares::NONE; 6],
    };

    pub(super) const fn count(&self, square: Square) -> u8 {
        self.counts[square.index()]
    }

    pub(super) fn owner(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.stacks[side].contains(square))
    }

    pub(super) fn stacks(&self, side: Side) -> Squares {
        self.stacks[side]
    }

    pub(super) fn empty(&self) -> Squares {
        !(self.stacks.black | self.stacks.white)
    }

    /// The stacks of this side that can give this portion.
    pub(super) fn at_least(&self, side: Side, portion: Portion) -> Squares {
        self.stacks[side] & self.at_least[portion as usize]
    }

    pub(super) fn king_pieces(&self, side: Side) -> Squares {
        self.at_least(side, Portion::Eight)
    }

    /// Every quantum of this side.
    pub(super) fn quanta(&self, side: Side) -> u32 {
        self.stacks[side].map(|square| u32::from(self.count(square))).sum()
    }

    /// The stacks with which this side attacks once those on `gone` have been taken.
    pub(super) fn attackers(&self, side: Side, gone: Squares) -> Attackers {
        let stacks = |portion| self.at_least(side, portion) & !gone;
        let kings = stacks(Portion::Eight);
        // A side's only king-piece gives nothing that breaks it up.
        let (only, spare) = match kings.only() {
            Some(king) => (kings, self.count(king) - KING_PIECE),
            None => (Squares::NONE, 0),
        };
        let attackers = |portion: Portion| {
            if spare < portion.quanta() { stacks(portion) & !only } else { stacks(portion) }
        };
        Attackers {
            side,
            ones: attackers(Portion::One),
            threes: attackers(Portion::Three),
            fours: attackers(Portion::Four),
            fives: attackers(Portion::Five),
            eights: kings,
        }
    }

    /// Makes the stack on this square one of `count` quanta of `owner`; none if that is 0.
    pub(super) fn put(&mut self, square: Square, owner: Side, count: u8) {
        let bit = Squares::of(square);
        self.counts[square.index()] = count;
        self.stacks.black &= !bit;
        self.stacks.white &= !bit;
        if count > 0 {
            self.stacks[owner] |= bit;
        }
        for portion in Portion::ALL {
            let stacks = &mut self.at_least[portion as usize];
            *stacks &= !bit;
            if portion.quanta() <= count {
                *stacks |= bit;
            }
        }
    }

    /// The part of this square in the hash of the board.
    pub(super) fn key_at(&self, square: Square) -> u64 {
        match self.owner(square) {
            None => 0,
            Some(owner) => {
                let stack = STACK_KEYS[owner as usize * 64 + square.index()];
                zobrist::mix(stack.wrapping_add(u64::from(self.count(square))))
            }
        }
    }

    pub(super) fn key(&self) -> u64 {
        (!self.empty()).fold(0, |key, square| key ^ self.key_at(square))
    }
}
