use super::terminal::typed;

/// The board as it is drawn at the start of a game, after a line feed.
fn start_of(game: &[&str]) -> String {
    let arguments = [&["play", "--bot", "1", "--game"], game].concat();
    let ran = typed(&arguments, "quit\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let board = ran.out.lines().skip(2).take_while(|line| !line.contains("Black "));
    board.fold("\n".to_owned(), |board, line| board + line + "\n")
}

#[test]
fn quantum_control_is_a_hexagon_with_gaps() {
    let board = "
         i   .   .   -   .   .
       h   .   .   .   .   .   .
     g   -   .   .   -   .   .   -
   f   .   .   -   .   .   -   .   .
 e   .   .   .   .   .   .   .   .   .
   d   .   .   -   .   .   -   .   .   9
     c   -   .   .   -   .   .   -   8
       b   .   .   .   .   .   .   7
         a   .   .   -   .   .   6
               1   2   3   4   5
";
    assert_eq!(start_of(&["quantum-control"]), board);
}
