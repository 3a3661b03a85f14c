use super::board::Square;

/// One of the two circuits: 24 places along four lines of six, with an arc after each line.
///
/// Place 0 is a2 on the inner circuit and a3 on the outer one; the places are numbered clockwise.
/// Sixteen points are two places each, on one circuit or on both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Track {
    Inner = 0,
    Outer = 1,
}

/// How many places a circuit has.
pub(super) const LAP: u32 = 24;

/// The points of the inner and of the outer circuit, place by place.
pub(super) const LAPS: [[Square; LAP as usize]; 2] = [
    places(b"a2b2c2d2e2f2 e1e2e3e4e5e6 f5e5d5c5b5a5 b6b5b4b3b2b1"),
    places(b"a3b3c3d3e3f3 d1d2d3d4d5d6 f4e4d4c4b4a4 c6c5c4c3c2c1"),
];

const fn places(lines: &[u8]) -> [Square; 24] {
    let mut squares = [Square::at(0, 0); 24];
    let mut i = 0;
    while i < 24 {
        let at = 2 * i + i / 6;
        squares[i] = Square::at(lines[at] - b'a', lines[at + 1] - b'1');
        i += 1;
    }
    squares
}

impl Track {
    pub(super) const BOTH: [Track; 2] = [Track::Inner, Track::Outer];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Track::Inner => "inner",
            Track::Outer => "outer",
        }
    }

    /// The point at a place below twice [`LAP`].
    pub(super) fn at(self, place: u32) -> Square {
        let place = if place < LAP { place } else { place - LAP };
        LAPS[self as usize][place as usize]
    }

    /// The places of a point: none, one or two.
    pub(super) fn places_of(self, square: Square) -> impl Iterator<Item = u32> {
        (0..LAP).filter(move |&place| self.at(place) == square)
    }

    pub(super) fn has(self, square: Square) -> bool {
        LAPS[self as usize].contains(&square)
    }
}
