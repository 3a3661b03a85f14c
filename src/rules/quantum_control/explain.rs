use crate::rules::{Breach, RuleCode};

use super::{AREAS, CENTRES, Cell, GAPS, Move, Phase, QuantumControl, notation::Form};

const fn rule(code: &'static str, summary: &'static str, values: &'static [&'static str]) -> RuleCode {
    RuleCode { code, summary, values }
}

/// Every code that a refused move can have.
pub(super) const RULES: &[RuleCode] = &[
    rule("PASS_NOT_ALLOWED", "Passing is possible only in capture play.", &["empty"]),
    rule("PLACEMENT_NOT_OVER", "Captures begin when all 49 cells are full.", &["empty"]),
    rule("PLACEMENT_OVER", "Once all 49 cells have been filled, stones are only moved.", &[]),
    rule(
        "WRONG_STONE_COUNT",
        "The first turn places one stone, every later one two.",
        &["expected", "given"],
    ),
    rule("GAP", "Nothing ever stands on a gap.", &["cell"]),
    rule("OCCUPIED", "A stone is placed on an empty cell.", &["cell", "owner"]),
    rule("SAME_CELL", "The two stones of a turn go to different cells.", &["cell"]),
    rule(
        "SAME_AREA",
        "The two stones of a turn go to different areas while two areas have empty cells.",
        &["first", "second", "area"],
    ),
    rule("EMPTY_POINT", "A move starts from a stone.", &["cell"]),
    rule("NOT_YOUR_PIECE", "A player moves only stones of their own colour.", &["cell", "owner"]),
    rule("NO_FRIENDS", "A stone without a friendly neighbour cannot move.", &["cell"]),
    rule("NOT_IN_LINE", "A stone jumps along one of the six directions.", &["from", "to"]),
    rule(
        "WRONG_DISTANCE",
        "A stone jumps exactly as many cells as it has friendly neighbours.",
        &["from", "to", "friends", "distance"],
    ),
    rule("NOTHING_TO_CAPTURE", "A jump lands on an enemy stone.", &["cell"]),
    rule("OWN_STONE", "A jump lands on an enemy stone, not on a friend.", &["cell"]),
];

impl QuantumControl {
    /// The move of this form, or the rule that forbids it here.
    pub(super) fn allow(&self, form: Form) -> Result<Move, Breach> {
        match (self.part(), form) {
            (Phase::Placement, Form::One(cell)) => self.allow_one(cell),
            (Phase::Placement, Form::Two(a, b)) => self.allow_two(a, b),
            (Phase::Placement, Form::Jump { .. }) => {
                Err(self.placement_goes_on("PLACEMENT_NOT_OVER", "captures begin when all 49 cells are full"))
            }
            (Phase::Placement, Form::Pass) => Err(self.placement_goes_on(
                "PASS_NOT_ALLOWED",
                "passing is possible only when all 49 cells have been filled",
            )),
            (Phase::Capture, Form::One(_) | Form::Two(..)) => Err(Breach::new(
                "PLACEMENT_OVER",
                "all 49 cells have been filled, so no more stones are placed: capture, as in e5xh8, or pass",
            )),
            (Phase::Capture, Form::Jump { from, to }) => self.allow_jump(from, to),
            (Phase::Capture, Form::Pass) => Ok(Move::Pass),
        }
    }

    fn placement_goes_on(&self, code: &'static str, rule: &str) -> Breach {
        let empty = self.empty().len();
        let cells = if empty == 1 { "cell is" } else { "cells are" };
        Breach::new(code, format!("{rule}, and {empty} {cells} still empty")).with("empty", empty)
    }

    fn allow_one(&self, cell: Cell) -> Result<Move, Breach> {
        if !self.places_one() {
            return Err(wrong_stone_count(2, 1, "this turn places two stones, as in a1+e5, not one"));
        }
        self.check_empty(cell)?;
        Ok(Move::Place(cell))
    }

    fn allow_two(&self, a: Cell, b: Cell) -> Result<Move, Breach> {
        if self.places_one() {
            return Err(wrong_stone_count(1, 2, "the first turn places one stone, not two"));
        }
        self.check_empty(a)?;
        self.check_empty(b)?;
        if a == b {
            return Err(Breach::new("SAME_CELL", format!("the two stones cannot share {a}")).with("cell", a));
        }
        if !self.second_cells(a).contains(b) {
            return Err(same_area(a, b));
        }
        Ok(Move::pair(a, b))
    }

    fn check_empty(&self, cell: Cell) -> Result<(), Breach> {
        check_no_gap(cell)?;
        match self.owner(cell) {
            None => Ok(()),
            Some(owner) => Err(Breach::new(
                "OCCUPIED",
                format!("{cell} already has a {} stone", owner.to_string().to_lowercase()),
            )
            .with("cell", cell)
            .with("owner", owner.letter())),
        }
    }

    fn allow_jump(&self, from: Cell, to: Cell) -> Result<Move, Breach> {
        self.check_own(from)?;
        self.check_reach(from, to)?;
        self.check_enemy(to)?;
        Ok(Move::Capture { from, to })
    }

    fn check_own(&self, cell: Cell) -> Result<(), Breach> {
        check_no_gap(cell)?;
        match self.owner(cell) {
            Some(owner) if owner == self.side => Ok(()),
            Some(owner) => Err(Breach::new(
                "NOT_YOUR_PIECE",
                format!("the stone on {cell} is {owner}'s, and it is {}'s turn", self.side),
            )
            .with("cell", cell)
            .with("owner", owner.letter())),
            None => {
                Err(Breach::new("EMPTY_POINT", format!("there is no stone on {cell}")).with("cell", cell))
            }
        }
    }

    fn check_reach(&self, from: Cell, to: Cell) -> Result<(), Breach> {
        let friends = self.friends(from);
        if friends == 0 {
            let sentence = format!("{from} has no friend beside it, so it cannot move");
            return Err(Breach::new("NO_FRIENDS", sentence).with("cell", from));
        }
        match from.distance(to) {
            Some(distance) if distance == friends => Ok(()),
            Some(distance) => Err(wrong_distance(from, to, friends, distance)),
            None => Err(not_in_line(from, to)),
        }
    }

    fn check_enemy(&self, cell: Cell) -> Result<(), Breach> {
        check_no_gap(cell)?;
        match self.owner(cell) {
            Some(owner) if owner != self.side => Ok(()),
            Some(_) => Err(Breach::new(
                "OWN_STONE",
                format!("{cell} has a stone of {}'s own, and a jump must land on an enemy stone", self.side),
            )
            .with("cell", cell)),
            None => Err(Breach::new(
                "NOTHING_TO_CAPTURE",
                format!("{cell} is empty, and a jump must land on an enemy stone"),
            )
            .with("cell", cell)),
        }
    }

    /// How many neighbours of a cell hold stones of the side to move.
    fn friends(&self, cell: Cell) -> u8 {
        cell.neighbours().filter(|&there| self.stones(self.side).contains(there)).count() as u8
    }
}

fn check_no_gap(cell: Cell) -> Result<(), Breach> {
    if GAPS.contains(cell) {
        return Err(Breach::new("GAP", format!("{cell} is a gap, and nothing ever stands on a gap"))
            .with("cell", cell));
    }
    Ok(())
}

fn wrong_stone_count(expected: u8, given: u8, sentence: &str) -> Breach {
    Breach::new("WRONG_STONE_COUNT", sentence).with("expected", expected).with("given", given)
}

fn same_area(a: Cell, b: Cell) -> Breach {
    let centre = AREAS.iter().zip(CENTRES).find(|(area, _)| area.contains(a)).map_or(a, |(_, centre)| centre);
    let sentence = format!(
        "{a} and {b} are both in the area around {centre}, and the two stones go to different areas \
         while another area has empty cells"
    );
    Breach::new("SAME_AREA", sentence).with("first", a).with("second", b).with("area", centre)
}

fn not_in_line(from: Cell, to: Cell) -> Breach {
    let sentence =
        format!("{from} and {to} are not on one straight line, and a stone jumps along a row or a diagonal");
    Breach::new("NOT_IN_LINE", sentence).with("from", from).with("to", to)
}

fn wrong_distance(from: Cell, to: Cell, friends: u8, distance: u8) -> Breach {
    let plural = |n: u8, one: &str, many: &str| format!("{} {}", word(n), if n == 1 { one } else { many });
    let sentence = format!(
        "{from} has {}, so it must land {} away; {to} is {}",
        plural(friends, "friend", "friends"),
        plural(friends, "cell", "cells"),
        word(distance),
    );
    Breach::new("WRONG_DISTANCE", sentence)
        .with("from", from)
        .with("to", to)
        .with("friends", friends)
        .with("distance", distance)
}

/// A count of friends or a distance: on this board at most eight.
fn word(n: u8) -> &'static str {
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"][usize::from(n)]
}
