use super::{
    Cell, CellSet,
    board::{CELLS, DIRECTIONS, landings, step},
};

/// The stones of one side by how far they jump, and what they may land on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jumpers {
    /// The stones that have 0 to 6 friends.
    by_friends: [CellSet; 7],
    enemy: CellSet,
}

impl Jumpers {
    #[inline]
    pub(super) fn new(own: CellSet, enemy: CellSet) -> Jumpers {
        Jumpers { by_friends: by_friends(own), enemy }
    }

    /// Whether there is a capture at all. Cheap: nearly always a stone with one friend has one.
    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        any(self.jump::<1>())
            || any(self.jump::<2>())
            || any(self.jump::<3>())
            || any(self.jump::<4>())
            || any(self.jump::<5>())
            || any(self.jump::<6>())
    }

    /// How many captures there are.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        let few = count(self.jump::<1>()) + count(self.jump::<2>()) + count(self.jump::<3>());
        let [.., four, five, six] = self.by_friends;
        if (four | five | six).is_empty() {
            return few;
        }
        few + count(self.jump::<4>()) + count(self.jump::<5>()) + count(self.jump::<6>())
    }

    pub(crate) fn captures(&self) -> Captures {
        Captures([
            self.jump::<1>(),
            self.jump::<2>(),
            self.jump::<3>(),
            self.jump::<4>(),
            self.jump::<5>(),
            self.jump::<6>(),
        ])
    }

    /// The stones that have exactly so many friends, 0 to 6.
    pub(crate) fn with_friends(&self, friends: usize) -> CellSet {
        self.by_friends[friends]
    }

    #[inline(always)]
    fn jump<const FRIENDS: usize>(&self) -> [CellSet; 6] {
        land::<FRIENDS>(self.by_friends[FRIENDS], self.enemy)
    }
}

/// Every capture of one side: where its jumps land on enemy stones, by distance and direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Captures([[CellSet; 6]; 6]);

impl Captures {
    /// Each capture as where it starts and where it lands.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Cell, Cell)> {
        self.0
            .as_flattened()
            .iter()
            .zip(BACK.as_flattened())
            .flat_map(|(&landings, &back)| landings.into_iter().map(move |to| (to.forward(back), to)))
    }
}

/// The stones of `own` by how many neighbours of theirs are in `own` too: 0 to 6.
#[inline]
fn by_friends(own: CellSet) -> [CellSet; 7] {
    let [a, b, c, d, e, f] = land::<1>(own, own).map(|friendly| friendly.0);
    let (low, carry_low) = add(a, b, c);
    let (high, carry_high) = add(d, e, f);
    let (ones, carry) = (low ^ high, low & high);
    let (twos, fours) = add(carry_low, carry_high, carry);
    let even = own.0 & !ones;
    let odd = own.0 & ones;
    [
        even & !twos & !fours,
        odd & !twos & !fours,
        even & twos & !fours,
        odd & twos & !fours,
        even & !twos & fours,
        odd & !twos & fours,
        even & twos & fours,
    ]
    .map(CellSet)
}

/// Adds three bits at each cell: the sums and the carries.
fn add(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | c & (a ^ b))
}

/// Where `stones`, each with `FRIENDS` friends, land on a stone of `enemy`: a set a direction.
#[inline(always)]
fn land<const FRIENDS: usize>(stones: CellSet, enemy: CellSet) -> [CellSet; 6] {
    [
        Jump::<FRIENDS, 0>::land(stones),
        Jump::<FRIENDS, 1>::land(stones),
        Jump::<FRIENDS, 2>::land(stones),
        Jump::<FRIENDS, 3>::land(stones),
        Jump::<FRIENDS, 4>::land(stones),
        Jump::<FRIENDS, 5>::land(stones),
    ]
    .map(|landings| landings & enemy)
}

#[inline]
fn any(landings: [CellSet; 6]) -> bool {
    let [a, b, c, d, e, f] = landings;
    !(a | b | c | d | e | f).is_empty()
}

#[inline]
fn count(landings: [CellSet; 6]) -> u32 {
    let [a, b, c, d, e, f] = landings.map(CellSet::len);
    a + b + c + d + e + f
}

/// The jump of a stone with so many friends in one direction.
struct Jump<const FRIENDS: usize, const DIRECTION: usize>;

impl<const FRIENDS: usize, const DIRECTION: usize> Jump<FRIENDS, DIRECTION> {
    /// How far up the rotation of 61 bits goes.
    const UP: usize = {
        let (rows, numbers) = DIRECTIONS[DIRECTION];
        step(FRIENDS as i8 * rows, FRIENDS as i8 * numbers)
    };
    const STRAIGHT: u64 = landings(FRIENDS, DIRECTION, false);
    const AROUND: u64 = landings(FRIENDS, DIRECTION, true);

    /// A half whose mask is empty costs nothing: the compiler sees the zero.
    #[inline(always)]
    fn land(stones: CellSet) -> CellSet {
        let straight = stones.0 << Self::UP & Self::STRAIGHT;
        let around = stones.0 >> (CELLS - Self::UP) & Self::AROUND;
        CellSet(straight | around)
    }
}

/// What leads from a landing back to the start, modulo 61, by distance and direction.
const BACK: [[u8; 6]; 6] = back();

const fn back() -> [[u8; 6]; 6] {
    let mut back = [[0; 6]; 6];
    let mut i = 0;
    while i < 36 {
        let (rows, numbers) = DIRECTIONS[i % 6];
        let far = i as i8 / 6 + 1;
        back[i / 6][i % 6] = step(-far * rows, -far * numbers) as u8;
        i += 1;
    }
    back
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::PLAYABLE, Cell, CellSet, Jumpers, by_friends};

    fn stones() -> impl Strategy<Value = (CellSet, CellSet)> {
        (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(some, more, black)| {
            let held = CellSet(some | more) & PLAYABLE;
            (held & CellSet(black), held & !CellSet(black))
        })
    }

    proptest! {
        #[test]
        fn friends_are_counted_for_each_stone((own, _) in stones()) {
            let sets = by_friends(own);
            for (friends, set) in sets.into_iter().enumerate() {
                for cell in set {
                    prop_assert!(own.contains(cell));
                    prop_assert_eq!(friends_of(own, cell), friends as u8);
                }
            }
            prop_assert_eq!(sets.map(CellSet::len).iter().sum::<u32>(), own.len());
        }

        #[test]
        fn counting_is_listing((own, enemy) in stones()) {
            let jumpers = Jumpers::new(own, enemy);
            let captures: Vec<_> = jumpers.captures().iter().collect();
            prop_assert_eq!(jumpers.count() as usize, captures.len());
            prop_assert_eq!(jumpers.any(), !captures.is_empty());
            for (from, to) in captures {
                prop_assert!(own.contains(from) && enemy.contains(to));
                prop_assert_eq!(from.distance(to), Some(friends_of(own, from)));
            }
        }
    }

    fn friends_of(own: CellSet, cell: Cell) -> u8 {
        cell.neighbours().filter(|&there| own.contains(there)).count() as u8
    }
}
