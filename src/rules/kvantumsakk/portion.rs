/// How many quanta a move takes from a stack: as many as one of the six men is worth, and they
/// move like that man.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Portion {
    One,
    Three,
    Four,
    Five,
    Seven,
    Eight,
}

/// A stack of so many quanta or more is a king-piece.
pub(crate) const KING_PIECE: u8 = 8;

impl Portion {
    /// From the smallest to the largest.
    pub const ALL: [Portion; 6] =
        [Portion::One, Portion::Three, Portion::Four, Portion::Five, Portion::Seven, Portion::Eight];

    /// The portion of so many quanta, if moves can take so many.
    pub const fn from_quanta(quanta: u32) -> Option<Portion> {
        match quanta {
            1 => Some(Portion::One),
            3 => Some(Portion::Three),
            4 => Some(Portion::Four),
            5 => Some(Portion::Five),
            7 => Some(Portion::Seven),
            8 => Some(Portion::Eight),
            _ => None,
        }
    }

    /// 1, 3, 4, 5, 7 or 8.
    pub const fn quanta(self) -> u8 {
        match self {
            Portion::One => 1,
            Portion::Three => 3,
            Portion::Four => 4,
            Portion::Five => 5,
            Portion::Seven => 7,
            Portion::Eight => 8,
        }
    }

    /// The portion that makes a king-piece of exactly eight together with this one. Eight needs
    /// none.
    pub(super) const fn complement(self) -> Option<Portion> {
        Portion::from_quanta((KING_PIECE - self.quanta()) as u32)
    }

    /// The number as a word.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Portion::One => "one",
            Portion::Three => "three",
            Portion::Four => "four",
            Portion::Five => "five",
            Portion::Seven => "seven",
            Portion::Eight => "eight",
        }
    }

    /// The man that is worth so much.
    pub(super) const fn man(self) -> &'static str {
        match self {
            Portion::One => "pawn",
            Portion::Three => "knight",
            Portion::Four => "rook",
            Portion::Five => "bishop",
            Portion::Seven => "queen",
            Portion::Eight => "king",
        }
    }
}
