use super::{
    board::{Square, SquareSet},
    circuit::{LAP, LAPS, Track},
    moves::Move,
    route::Turn,
    travel::Travel,
};

/// The captures of a position, each pair of points once, by its canonical route: the one of fewest
/// steps, then the first in byte order.
pub(super) struct Captures {
    /// Eight arcs give at most two captures each.
    list: [Capture; 16],
    len: usize,
}

#[derive(Clone, Copy)]
struct Capture {
    mv: Move,
    steps: u32,
}

impl Captures {
    pub(super) fn of(own: SquareSet, enemy: SquareSet) -> Captures {
        let none = Capture { mv: Move::quiet(Square::A1, Square::A1), steps: 0 };
        let mut captures = Captures { list: [none; 16], len: 0 };
        visit_captures(own, enemy, |travel| captures.add(travel));
        captures
    }

    fn add(&mut self, travel: Travel) {
        let Some(route) = travel.route() else { return };
        let new = Capture { mv: Move::capture(travel.from(), travel.to(), route), steps: travel.steps };
        let known = &mut self.list[..self.len];
        match known.iter_mut().find(|old| old.mv.from() == new.mv.from() && old.mv.to() == new.mv.to()) {
            Some(old) if (new.steps, new.mv.route()) < (old.steps, old.mv.route()) => *old = new,
            Some(_) => {}
            None => {
                self.list[self.len] = new;
                self.len += 1;
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn into_moves(self) -> impl Iterator<Item = Move> {
        self.list.into_iter().take(self.len).map(|capture| capture.mv)
    }
}

/// Which places of both circuits hold pieces of a set: bits 0 to 23 are the inner circuit, bits
/// 32 to 55 the outer one.
#[derive(Clone, Copy)]
struct Places(u64);

const PLACES_BY_ROW: [[u64; 64]; 6] = {
    let mut table = [[0; 64]; 6];
    let mut i = 0;
    while i < 48 {
        let (track, place) = (i / 24, i % 24);
        let square = LAPS[track][place];
        let mut row = 0;
        while row < 64 {
            if row >> square.file() & 1 == 1 {
                table[square.rank() as usize][row] |= 1 << (32 * track + place);
            }
            row += 1;
        }
        i += 1;
    }
    table
};

impl Places {
    fn of(set: SquareSet) -> Places {
        Places((0..6).fold(0, |places, rank| places | PLACES_BY_ROW[rank][set.row(rank)]))
    }

    fn ring(self, track: Track) -> Ring {
        let once = self.0 >> (32 * track as u32) & 0xff_ffff;
        Ring(once | once << LAP)
    }
}

/// The occupied places of one circuit, written twice in a row so that looking along never wraps.
#[derive(Clone, Copy)]
struct Ring(u64);

impl Ring {
    fn has(self, place: u32) -> bool {
        self.0 >> place & 1 == 1
    }

    /// The steps clockwise from a place below twice [`LAP`] to the next occupied one, 1 to [`LAP`]. There
    /// has to be one.
    fn ahead(self, place: u32) -> u32 {
        1 + (self.0 >> (place % LAP + 1)).trailing_zeros()
    }

    /// The same anticlockwise.
    fn behind(self, place: u32) -> u32 {
        1 + (self.0 << (40 - place % LAP)).leading_zeros()
    }
}

/// Hands over every capture of `own` pieces, at most two for each of the eight arcs and some of
/// them more than once.
fn visit_captures(own: SquareSet, enemy: SquareSet, mut visit: impl FnMut(Travel)) {
    let (own, enemy) = (Places::of(own), Places::of(enemy));
    for track in Track::BOTH {
        let (own, enemy) = (own.ring(track), enemy.ring(track));
        if own.0 != 0 && enemy.0 != 0 {
            visit_track(track, own, enemy, &mut visit);
        }
    }
}

/// Each arc lies in one gap between two occupied places. A capture is a gap with an arc in it and
/// one piece of each side at its ends; or it is two gaps, where the place between them is the
/// other place of the capturing piece itself. The first of the two has an arc then, since no line
/// passes a point twice.
fn visit_track(track: Track, own: Ring, enemy: Ring, visit: &mut impl FnMut(Travel)) {
    let occupied = Ring(own.0 | enemy.0);
    for line in 0..4 {
        let last = 6 * line + 5;
        let after = last + occupied.ahead(last);
        let before = last + 1 + LAP - occupied.behind(last + 1);
        let steps = after + LAP - before;
        match (own.has(before), own.has(after)) {
            (true, false) => visit(Travel::new(track, before, Turn::Clockwise, steps)),
            (false, true) => visit(Travel::new(track, after, Turn::Anticlockwise, steps)),
            (true, true) if track.at(before) == track.at(after) => {
                let further = steps + occupied.ahead(after);
                if enemy.has((before + further) % LAP) {
                    visit(Travel::new(track, before, Turn::Clockwise, further));
                }
                let further = steps + occupied.behind(before);
                if enemy.has((after + 2 * LAP - further) % LAP) {
                    visit(Travel::new(track, after, Turn::Anticlockwise, further));
                }
            }
            _ => {}
        }
    }
}
