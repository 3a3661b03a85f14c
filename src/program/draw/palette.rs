//! The colours, of the 256 that terminals have had for decades. Grounds are of middling lightness,
//! so that black and white pieces both stand out on them, whatever the terminal's own background.

/// A colour of the 256-colour palette.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Colour(pub(crate) u8);

/// Ink of Black's pieces.
pub(super) const BLACK: Colour = Colour(16);
/// Ink of White's pieces.
pub(super) const WHITE: Colour = Colour(231);

/// What matters less.
pub(crate) const FAINT: Colour = Colour(244);
/// What went well.
pub(crate) const GOOD: Colour = Colour(72);
/// What was refused.
pub(crate) const ALERT: Colour = Colour(173);

/// Signs of empty points on a ground, and of gaps.
pub(super) const EMPTY: Colour = Colour(250);
pub(super) const GAP: Colour = Colour(240);

/// Areas; neighbouring ones get different ones.
pub(super) const AREAS: [Colour; 4] = [Colour(66), Colour(101), Colour(96), Colour(65)];

/// Squares of a chequered board.
pub(super) const LIGHT: Colour = Colour(108);
pub(super) const DARK: Colour = Colour(65);
/// Squares of a board of one colour, by turns, so that diagonals can be seen.
pub(super) const ONE: Colour = Colour(66);
pub(super) const OTHER: Colour = Colour(67);
/// Power squares.
pub(super) const POWER: Colour = Colour(94);

/// The ground of a board of lines, and its lines.
pub(super) const WOOD: Colour = Colour(137);
pub(super) const LINE: Colour = Colour(95);
/// The lines of circuits.
pub(super) const TRACKS: [Colour; 3] = [Colour(88), Colour(18), Colour(22)];

/// Points that something says more of.
pub(super) const LAST: Colour = Colour(172);
pub(super) const SELECTED: Colour = Colour(32);
pub(super) const PENDING: Colour = Colour(133);
pub(super) const TARGET: Colour = Colour(131);
/// The sign of an empty point that can be gone to.
pub(super) const TARGET_SIGN: Colour = Colour(226);
/// The ground of what never moves again.
pub(super) const FIXED: Colour = Colour(60);
