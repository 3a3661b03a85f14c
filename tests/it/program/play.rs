use super::terminal::typed;

/// The bot's answers are the same in every run.
const GAME: [&str; 7] = ["play", "--game", "quantum-control", "--bot", "1", "--seed", "1"];

/// Asserts that these texts stand in the output, one after the other.
#[track_caller]
fn in_order(out: &str, texts: &[&str]) {
    let mut rest = out;
    for text in texts {
        let at =
            rest.find(text).unwrap_or_else(|| panic!("no {text:?} in what follows:\n{rest}\n\nof\n{out}"));
        rest = &rest[at + text.len()..];
    }
}

#[test]
fn a_move_is_put_together_shown_and_sent() {
    let ran = typed(&GAME, "e5\ncancel\nE5\nsend\na1\nmoves\nhistory\nquit\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    in_order(
        &ran.out,
        &[
            "you (Black) against GolemBot One (White)",
            "Black> e5",
            "{b}",
            "not yet played: Black e5",
            "`send` or `cancel`",
            "Black {e5}> cancel",
            "version 1",
            "Black> E5",
            "not yet played: Black e5",
            "Black {e5}> send",
            "version 2",
            "(b)",
            "move 1: Black e5",
            "GolemBot One is thinking",
            "version 3",
            "move 2: White ",
            "GolemBot One: depth ",
            "Black> a1",
            "[.]",
            "moves go on from here",
            "Black [a1]> moves",
            "legal moves:",
            "  1 a1+",
            "Black [a1]> history",
            "  1. Black e5",
            "  2. White ",
            "nodes",
            "Black [a1]> quit",
            "left game ",
        ],
    );
}

#[test]
fn what_is_refused_is_explained_and_nothing_is_played() {
    let lines = "e5\nsend\na1 a2\ne5\nnonsense\nsend\n99\nboard\nquit\n";
    let ran = typed(&GAME, lines);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    in_order(
        &ran.out,
        &[
            "version 3",
            "Black> a1 a2",
            "different areas",
            "Black> e5",
            "e5 already has a black stone",
            "Black> nonsense",
            "expected",
            "Black> send",
            "there is nothing to send",
            "Black> 99",
            "there is no move 99",
            "Black> board",
            "version 3",
            "at version 3",
        ],
    );
}

#[test]
fn resigning_ends_the_game() {
    let ran = typed(&GAME, "resign\ncancel\nresign\nsend\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    in_order(&ran.out, &["Black {resign}> cancel", "Black> resign", "White wins: resignation", "good game"]);
}

#[test]
fn a_pass_is_put_up_before_it_is_played() {
    let position = "bw-bb/bwbbww/-ww-wb-/bw-bb-bw/wbwwwbbwb/wb-ww-wb/-bb-ww-/wbbwbb/ww-bb w c 0 -";
    let arguments = [&GAME[..], &["--side", "w", "--position", position]].concat();
    let ran = typed(&arguments, "pass\nmoves e1\nsend\nresign\nsend\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    in_order(
        &ran.out,
        &[
            "White> pass",
            "not yet played: White passes",
            "White {pass}> ",
            "White {pass}> send",
            "move 1: White passes",
        ],
    );
}

#[test]
fn a_whole_game_can_be_played_by_numbers() {
    let lines = "moves\n1\nsend\n".repeat(80);
    let ran = typed(&GAME, &lines);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    in_order(&ran.out, &["version 2", " wins: ", "good game"]);
}

#[test]
fn a_capture_can_go_by_another_route() {
    let game = ["play", "--game", "surakarta", "--bot", "1", "--position", "6/1b4/6/6/4w1/6 b 0"];
    let ran = typed(&game, "b2 e5\n2\nb2xe5[bottom-right]\nsend\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    in_order(
        &ran.out,
        &[
            "not yet played: Black b2xe5[bottom-left], takes the stone on e5",
            "it ends the game: Black wins: all captured",
            "or choose another route by its number:",
            "  2 b2xe5[top-",
            "> 2",
            "not yet played: Black b2xe5[top-",
            "> b2xe5[bottom-right]",
            "route",
            "> send",
            "move 1: Black b2xe5[top-",
            "Black wins: all captured",
        ],
    );
}

#[test]
fn stacks_are_split_by_choosing_a_number() {
    let ran = typed(&["play", "--game", "kvantumsakk", "--bot", "1"], "d1 c1\n2\ncancel\na1 a5\nquit\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    in_order(
        &ran.out,
        &[
            "several moves do that",
            "  1 4:d1+c1    2 7:d1+c1",
            "not yet played: White 7:d1+c1, joins w5 on c1",
            "> a1 a5",
            "the path from a1 to a5 is blocked on a2",
        ],
    );
}

#[test]
fn a_server_that_is_not_there_is_said_to_be_so() {
    let ran = typed(&[&GAME[..], &["--server", "127.0.0.1:1"]].concat(), "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("boardkeeper: no server answers at http://127.0.0.1:1: "), "{}", ran.err);
}
