use super::{Move, Quantum, Shape, Square, line::Line, move_text::WrittenMove};
use crate::rules::{Breach, MoveError};

impl Quantum {
    pub(super) fn read_legal(&self, text: &str) -> Result<Move, MoveError> {
        if text.trim() == "pass" {
            return Err(Breach::new("PASS_NOT_ALLOWED", "a player may not miss a move").into());
        }
        let written = self.read_form(text)?;
        self.check_mover(written.from)?;
        self.check_way(written.from, written.to)?;
        self.check_end(written)?;
        Ok(Move { from: written.from, to: written.to })
    }

    fn check_mover(&self, from: Square) -> Result<(), Breach> {
        let (tower, point, turn) = (self.tower(from), from.name(), self.turn());
        if tower.is_empty() {
            return Err(Breach::new("EMPTY_POINT", format!("nothing stands on {point}")).with("point", point));
        }
        let (owner, height) = (tower.owner(), tower.height());
        if owner != turn {
            let sentence = format!("what stands on {point} is {owner}'s, and it is {turn}'s turn");
            let breach = Breach::new("NOT_YOUR_PIECE", sentence);
            return Err(breach.with("point", point).with("owner", owner.letter()));
        }
        if tower.is_fixed() {
            let pieces = in_words(height);
            let sentence = format!("the tower on {point} has {pieces} pieces: it is fixed and never moves");
            let breach = Breach::new("FIXED_TOWER_STAYS", sentence);
            return Err(breach.with("point", point).with("height", height));
        }
        Ok(())
    }

    fn check_way(&self, from: Square, to: Square) -> Result<(), Breach> {
        if from == to {
            let point = from.name();
            let sentence = format!("a move from {point} to {point} goes nowhere");
            return Err(Breach::new("SAME_POINT", sentence).with("point", point));
        }
        let line = Line::between(from, to).filter(|line| line.suits(self.tower(from)));
        let line = line.ok_or_else(|| self.wrong_direction(from, to))?;
        if self.reach(from) < line.distance {
            return Err(self.too_far(from, to, line.distance));
        }
        match line.squares_between().find(|&square| self.occupied().contains(square)) {
            Some(blocker) => Err(path_blocked(from, to, blocker)),
            None => Ok(()),
        }
    }

    fn wrong_direction(&self, from: Square, to: Square) -> Breach {
        let (tower, from, to) = (self.tower(from), from.name(), to.name());
        let shape = tower.shape().name();
        let mover = if tower.height() == 1 {
            format!("a {shape} moves")
        } else {
            format!("the tower on {from} has a {shape} on top and moves")
        };
        let sentence = match tower.shape() {
            Shape::Square => format!("{mover} straight, along a rank or a file: {from} to {to} is neither"),
            Shape::Circle => format!("{mover} diagonally: {from} to {to} is no diagonal"),
            Shape::Cross => format!("{mover} in any of the eight directions: {from} to {to} is none of them"),
        };
        let breach = Breach::new("WRONG_DIRECTION", sentence);
        breach.with("shape", shape).with("from", from).with("to", to)
    }

    fn too_far(&self, from: Square, to: Square, distance: u32) -> Breach {
        let (reach, from, to) = (self.reach(from), from.name(), to.name());
        let may = match reach {
            1 => "a single piece moves one square".to_owned(),
            _ => {
                let reach = in_words(reach);
                format!("a tower of {reach} moves up to {reach} squares")
            }
        };
        let sentence = format!("{may}: {from} to {to} is {}", in_words(distance));
        let breach = Breach::new("TOO_FAR", sentence).with("from", from).with("to", to);
        breach.with("reach", reach).with("distance", distance)
    }

    /// Looks at the square on which a move ends, and at whether the text says rightly that it takes.
    fn check_end(&self, written: WrittenMove) -> Result<(), Breach> {
        let WrittenMove { from, to, takes } = written;
        let (tower, point, text) = (self.tower(to), to.name(), self.write_move(Move { from, to }));
        let breach = |code, sentence: String| Err(Breach::new(code, sentence).with("point", point));
        if tower.is_fixed() {
            let (height, pieces) = (tower.height(), in_words(tower.height()));
            let sentence =
                format!("the tower on {point} has {pieces} pieces: it is fixed and can't be taken");
            return breach("FIXED_TOWER_HOLDS", sentence).map_err(|breach| breach.with("height", height));
        }
        if self.tops(self.turn()).contains(to) {
            let sentence = format!("what stands on {point} is {0}'s own, and {0} can't join it", self.turn());
            return breach("OWN_PIECE", sentence);
        }
        match (tower.is_empty(), takes) {
            (true, true) => {
                let sentence = format!("nothing stands on {point} to be taken: the move is written {text}");
                breach("NOTHING_TO_CAPTURE", sentence).map_err(|breach| breach.with("text", text))
            }
            (false, false) => {
                let sentence = format!("an enemy stands on {point}, so the move takes: it is written {text}");
                breach("OCCUPIED_POINT", sentence).map_err(|breach| breach.with("text", text))
            }
            _ => Ok(()),
        }
    }
}

fn path_blocked(from: Square, to: Square, blocker: Square) -> Breach {
    let (from, to, point) = (from.name(), to.name(), blocker.name());
    let sentence = format!("the path from {from} to {to} is blocked on {point}");
    Breach::new("PATH_BLOCKED", sentence).with("from", from).with("to", to).with("point", point)
}

/// A height or a distance, which no board has above eleven.
fn in_words(number: u32) -> &'static str {
    const WORDS: [&str; 12] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"];
    WORDS[number as usize]
}
