use std::ops::ControlFlow;

use super::{
    Kvantumsakk, Move, Portion, Square, Wing,
    attack::Attackers,
    board::Board,
    castling::{CastlingRights, Route},
    portion::KING_PIECE,
    rays,
    squares::Squares,
};
use crate::rules::Side;

/// The legal moves of one position, and what they are told from.
///
/// Most moves can be seen to be safe without being tried: a king-piece that nobody attacks is not
/// attacked after the move either, unless its own stack was broken up or the move took the last
/// quantum off the line between it and a slider. Only the others are looked at one by one.
pub(super) struct Generator<'a> {
    board: &'a Board,
    side: Side,
    castling: CastlingRights,
    fresh: Squares,
    own: Squares,
    enemies: Squares,
    empty: Squares,
    kings: Squares,
    enemy_kings: Squares,
    attackers: Attackers,
    /// The squares that the enemy attacks.
    attacked: Squares,
    /// Where lines between own king-pieces and enemy sliders can be shut or opened.
    meetings: Squares,
}

/// One own stack on its way through the generator.
#[derive(Clone, Copy)]
struct Source {
    square: Square,
    count: u8,
}

impl Source {
    /// Whether the stack is a king-piece and is none without this portion.
    fn breaks_up(self, portion: Portion) -> bool {
        KING_PIECE <= self.count && self.count - portion.quanta() < KING_PIECE
    }
}

impl<'a> Generator<'a> {
    pub(super) fn new(state: &'a Kvantumsakk) -> Generator<'a> {
        let (board, side) = (&state.board, state.side);
        let (own, enemies) = (board.stacks(side), board.stacks(!side));
        let empty = board.empty();
        let kings = board.king_pieces(side);
        let attackers = board.attackers(!side, Squares::NONE);
        Generator {
            board,
            side,
            castling: state.castling,
            fresh: state.fresh,
            own,
            enemies,
            empty,
            kings,
            enemy_kings: board.king_pieces(!side),
            attackers,
            attacked: attackers.squares(empty),
            meetings: attackers.meetings(kings, empty),
        }
    }

    pub(super) fn in_check(&self) -> bool {
        self.safe_kings().is_empty()
    }

    pub(super) fn visit<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_transfers(|from, portion, targets| {
            for to in targets {
                visit(Move::Transfer { from, to, portion })?;
            }
            ControlFlow::Continue(())
        })?;
        for wing in Wing::BOTH {
            if self.may_castle(wing) {
                visit(Move::Castle(wing))?;
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn count(&self) -> u64 {
        let mut transfers = 0;
        let ControlFlow::Continue(()) = self.visit_transfers::<std::convert::Infallible>(|_, _, targets| {
            transfers += targets.len();
            ControlFlow::Continue(())
        });
        let castlings = Wing::BOTH.into_iter().filter(|&wing| self.may_castle(wing)).count();
        u64::from(transfers) + castlings as u64
    }

    pub(super) fn allows(&self, mv: Move) -> bool {
        match mv {
            Move::Transfer { from, to, portion } => self.targets(from, portion).contains(to),
            Move::Castle(wing) => self.may_castle(wing),
        }
    }

    /// Where this portion of this stack may go.
    fn targets(&self, from: Square, portion: Portion) -> Squares {
        let source = Source { square: from, count: self.board.count(from) };
        if self.own.contains(from) && portion.quanta() <= source.count {
            self.legal(source, portion, self.reach(from, portion))
        } else {
            Squares::NONE
        }
    }

    /// Hands each stack and portion to `visit` with the squares where that may go.
    #[inline(always)]
    fn visit_transfers<B>(
        &self,
        mut visit: impl FnMut(Square, Portion, Squares) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for square in self.own {
            let source = Source { square, count: self.board.count(square) };
            for portion in Portion::ALL {
                if source.count < portion.quanta() {
                    break;
                }
                visit(square, portion, self.legal(source, portion, self.reach(square, portion)))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Where the men of this portion go from this square, whatever comes of it.
    #[inline(always)]
    fn reach(&self, from: Square, portion: Portion) -> Squares {
        let from = Squares::of(from);
        match portion {
            Portion::One => self.single(from),
            Portion::Three => rays::knight(from),
            Portion::Four => rays::rook(from, self.empty),
            Portion::Five => rays::bishop(from, self.empty),
            Portion::Seven => rays::rook(from, self.empty) | rays::bishop(from, self.empty),
            Portion::Eight => rays::king(from),
        }
    }

    /// Where a single quantum goes: ahead without capturing, two ahead if untouched, and aside onto
    /// enemies.
    fn single(&self, from: Squares) -> Squares {
        let peaceful = !self.enemies;
        let one = rays::ahead(self.side, from);
        let passed = rays::ahead(self.side, from & self.fresh) & self.empty;
        let two = rays::ahead(self.side, passed);
        (one | two) & peaceful | rays::aside(self.side, from) & self.enemies
    }

    /// The squares of `reach` where the portion may land.
    fn legal(&self, source: Source, portion: Portion, reach: Squares) -> Squares {
        let from = Squares::of(source.square);
        let mut targets = reach;
        if self.enemy_kings.len() == 1 {
            targets &= !self.enemy_kings;
        }
        let breaks_up = source.breaks_up(portion);
        if breaks_up && self.kings == from {
            targets &= self.crowning(portion);
        }
        let vacates = source.count == portion.quanta();
        let unbroken = if breaks_up { self.safe_kings() & !from } else { self.safe_kings() };
        let opens_line = vacates && self.meetings.contains(source.square);
        if !unbroken.is_empty() && !opens_line {
            return targets;
        }
        if breaks_up && self.kings == from {
            return self.crown_landings(source, portion, targets);
        }
        if self.in_check() && !breaks_up {
            targets &= self.relief(portion);
        }
        targets.filter(|to| self.is_safe_after(source, portion, to))
    }

    /// Where a move that breaks up the only king-piece, and makes a new one as it lands, lands
    /// unattacked.
    fn crown_landings(&self, source: Source, portion: Portion, targets: Squares) -> Squares {
        let attacked = if source.count == portion.quanta() {
            self.attackers.squares(self.empty | Squares::of(source.square))
        } else {
            self.attacked
        };
        // Taking one of two king-pieces binds the other, which may attack less from then on.
        let unbinding = if self.enemy_kings.len() == 2 { targets & self.enemy_kings } else { Squares::NONE };
        targets & !attacked | unbinding.filter(|to| self.is_safe_after(source, portion, to))
    }

    /// Own king-pieces that nobody attacks.
    fn safe_kings(&self) -> Squares {
        self.kings & !self.attacked
    }

    /// The squares where this portion becomes a king-piece.
    fn crowning(&self, portion: Portion) -> Squares {
        match portion.complement() {
            Some(rest) => self.board.at_least(self.side, rest),
            None => Squares::ALL,
        }
    }

    /// The only squares where a move that leaves all king-pieces in place can end a check: it
    /// captures, shuts a line, or makes another king-piece.
    fn relief(&self, portion: Portion) -> Squares {
        self.enemies | self.meetings & self.empty | self.crowning(portion)
    }

    /// Whether some king-piece of the mover is unattacked after this move.
    fn is_safe_after(&self, source: Source, portion: Portion, to: Square) -> bool {
        let from = Squares::of(source.square);
        let landing = Squares::of(to);
        let mut kings = self.kings;
        if source.breaks_up(portion) {
            kings &= !from;
        }
        kings |= landing & self.crowning(portion);
        let mut empty = self.empty & !landing;
        if source.count == portion.quanta() {
            empty |= from;
        }
        let attackers = self.board.attackers(!self.side, landing);
        !(kings & !attackers.squares(empty)).is_empty()
    }

    /// Whether king and rook may castle on this wing.
    ///
    /// The mover is never in check afterwards: the king's destination is not attacked before, and
    /// the squares that castling empties open no line to it.
    fn may_castle(&self, wing: Wing) -> bool {
        if !self.castling.has(self.side, wing) {
            return false;
        }
        let route = Route::of(self.side, wing);
        let free = |square: Square| self.empty.contains(square);
        route.landings().into_iter().all(|square| !self.enemies.contains(square))
            && route.rook_passes.is_none_or(free)
            && route.king_walk().into_iter().all(|square| !self.attacked.contains(square))
    }
}
