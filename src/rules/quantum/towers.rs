use super::{Square, SquareSet, Tower};

/// No more towers of two or more pieces than this fit on a board: there are 32 pieces.
const MOST: usize = 16;

/// The towers of two or more pieces: where they are, and what they are in the order of their squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Towers {
    squares: SquareSet,
    /// Empty towers behind the last, so that equal sets are equal arrays.
    stacks: [Tower; MOST],
}

impl Towers {
    pub(super) const NONE: Towers = Towers { squares: SquareSet::EMPTY, stacks: [Tower::EMPTY; MOST] };

    pub(super) fn squares(&self) -> SquareSet {
        self.squares
    }

    /// The tower on one of [`Towers::squares`].
    pub(super) fn get(&self, square: Square) -> Tower {
        self.stacks[self.place(square)]
    }

    pub(super) fn insert(&mut self, square: Square, tower: Tower) {
        let place = self.place(square);
        let end = self.squares.len() as usize;
        self.stacks.copy_within(place..end, place + 1);
        self.stacks[place] = tower;
        self.squares |= square.set();
    }

    /// Removes the tower on one of [`Towers::squares`].
    pub(super) fn remove(&mut self, square: Square) -> Tower {
        let place = self.place(square);
        let end = self.squares.len() as usize;
        let tower = self.stacks[place];
        self.stacks.copy_within(place + 1..end, place);
        self.stacks[end - 1] = Tower::EMPTY;
        self.squares &= !square.set();
        tower
    }

    fn place(&self, square: Square) -> usize {
        (self.squares & square.below()).len() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Piece, *};

    fn tower(letters: &str) -> Tower {
        Tower::of(letters.chars().filter_map(Piece::from_letter))
    }

    #[test]
    fn towers_are_found_by_their_squares_whatever_the_order() {
        let [low, middle, high] = [Square::at(3, 0), Square::at(0, 4), Square::at(9, 5)];
        let mut towers = Towers::NONE;
        towers.insert(middle, tower("sC"));
        towers.insert(high, tower("xxS"));
        towers.insert(low, tower("Cs"));
        assert_eq!([low, middle, high].map(|square| towers.get(square).to_string()), ["Cs", "sC", "xxS"]);
        assert_eq!(towers.remove(middle), tower("sC"));
        assert_eq!([low, high].map(|square| towers.get(square).to_string()), ["Cs", "xxS"]);
    }

    #[test]
    fn equal_sets_are_equal_however_they_came_about() {
        let (here, there) = (Square::at(1, 1), Square::at(2, 2));
        let mut straight = Towers::NONE;
        straight.insert(there, tower("sC"));
        let mut roundabout = Towers::NONE;
        roundabout.insert(here, tower("xS"));
        roundabout.insert(there, tower("sC"));
        roundabout.remove(here);
        assert_eq!(straight, roundabout);
    }
}
