use crate::api::proto::Board;

/// What a typed line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// Nothing was typed.
    Nothing,
    /// Select these points, or take back the selection of those that are selected.
    Points(Vec<String>),
    /// Put up this move.
    Move(String),
    /// Put up the move of this number in the list that was shown last.
    Pick(usize),
    Send,
    Cancel,
    Resign,
    History,
    /// List the legal moves from these points, or from those selected.
    Moves(Vec<String>),
    Board,
    Help,
    Quit,
}

impl Wish {
    /// Reads a line. What is no command and no point is taken for the text of a move.
    pub(super) fn read(line: &str, board: &Board) -> Wish {
        let line = line.trim();
        let words: Vec<String> = line.split_whitespace().map(str::to_ascii_lowercase).collect();
        let is_point = |word: &String| board.points.iter().any(|point| point.name == *word);
        let Some((first, rest)) = words.split_first() else { return Wish::Nothing };
        if first == "moves" && rest.iter().all(is_point) {
            return Wish::Moves(rest.to_vec());
        }
        if words.iter().all(is_point) {
            return Wish::Points(words);
        }
        if !rest.is_empty() {
            return Wish::Move(line.to_owned());
        }
        match first.as_str() {
            "send" | "s" => Wish::Send,
            "cancel" | "c" => Wish::Cancel,
            "resign" => Wish::Resign,
            "history" => Wish::History,
            "board" => Wish::Board,
            "help" | "?" => Wish::Help,
            "quit" | "exit" => Wish::Quit,
            word => word.parse().map_or_else(|_| Wish::Move(line.to_owned()), Wish::Pick),
        }
    }
}

/// What can be typed.
pub(super) const HELP: &str = "\
  e5            select a point (or several); again: take the selection back
  e5xh8         put up a move by its text; it is shown, not yet played
  3             put up the move of that number in the list shown last
  send          play the move that is put up
  cancel        drop it, and what is selected
  pass          put up a pass, in games that have it
  resign        put up your resignation
  moves [e5]    list the legal moves, or those that go on from these points
  history       list what has been played
  board         draw the board again
  quit          leave
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::proto::Point;

    fn board() -> Board {
        let point = |name: &str| Point { name: name.to_owned(), ..Point::default() };
        Board { points: ["e5", "h8"].map(point).to_vec(), ..Board::default() }
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn lines_are_read_as_commands_points_numbers_or_moves() {
        let cases = [
            ("  ", Wish::Nothing),
            ("E5", Wish::Points(owned(&["e5"]))),
            ("e5 h8", Wish::Points(owned(&["e5", "h8"]))),
            ("e5 z9", Wish::Move("e5 z9".to_owned())),
            ("e5xh8", Wish::Move("e5xh8".to_owned())),
            ("O-O", Wish::Move("O-O".to_owned())),
            ("pass", Wish::Move("pass".to_owned())),
            ("12", Wish::Pick(12)),
            ("Send", Wish::Send),
            ("moves", Wish::Moves(Vec::new())),
            ("moves H8", Wish::Moves(owned(&["h8"]))),
            ("quit", Wish::Quit),
        ];
        for (line, wish) in cases {
            assert_eq!(Wish::read(line, &board()), wish, "{line:?}");
        }
    }
}
