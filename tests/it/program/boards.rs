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

#[test]
fn surakarta_has_lines_and_arcs() {
    let board = "
     .-----------.   .-----------.
     | .-----.   |   |   .-----. |
 1   | | w---w---w---w---w---w | |
     | | |   |   |   |   |   | | |
 2   | '-w---w---w---w---w---w-' |
     |   |   |   |   |   |   |   |
 3   '---+---+---+---+---+---+---'
         |   |   |   |   |   |
 4   .---+---+---+---+---+---+---.
     |   |   |   |   |   |   |   |
 5   | .-b---b---b---b---b---b-. |
     | | |   |   |   |   |   | | |
 6   | | b---b---b---b---b---b | |
     | '-----'   |   |   '-----' |
     '-----------'   '-----------'
         a   b   c   d   e   f
";
    assert_eq!(start_of(&["surakarta"]), board);
}

#[test]
fn quantum_shows_its_power_squares_and_towers() {
    let position = "2,c,s,x,1,s,c,2/1,c,s,3,x,c,1,XCSCsx/10/2,sSc,scS,6/5,X,C,S,2/2,C,2,X,S,C,2 w 0";
    let board = "
6     *     .     c     s     x     .     s     c     .     *
5     .     c     s     .     .     .     x     c     .    6x
4     .     .     .     .     .     .     .     .     .     .
3     .     .    3c    3S     .     .     .     .     .     .
2     .     .     .     .     .     X     C     S     .     .
1     *     .     C     .     .     X     S     C     .     *
      a     b     c     d     e     f     g     h     i     j
";
    assert_eq!(start_of(&["quantum", "--position", position]), board);
}

#[test]
fn quantum_has_its_three_boards() {
    for (board, width, height) in [("inner", 10, 6), ("whole", 10, 8), ("wide", 12, 8)] {
        let option = format!("board={board}");
        let drawn = start_of(&["quantum", "--option", &option]);
        assert_eq!(drawn.trim().lines().count(), height + 1, "{drawn}");
        assert_eq!(drawn.trim().lines().last().map(|line| line.split_whitespace().count()), Some(width));
    }
}

#[test]
fn kvantumsakk_shows_how_many_quanta_stand_where() {
    let board = "
8    b4    b3    b5    b7    b8    b5    b3    b4
7    b1    b1    b1    b1    b1    b1    b1    b1
6     .     .     .     .     .     .     .     .
5     .     .     .     .     .     .     .     .
4     .     .     .     .     .     .     .     .
3     .     .     .     .     .     .     .     .
2    w1    w1    w1    w1    w1    w1    w1    w1
1    w4    w3    w5    w7    w8    w5    w3    w4
      a     b     c     d     e     f     g     h
";
    assert_eq!(start_of(&["kvantumsakk"]), board);
}
