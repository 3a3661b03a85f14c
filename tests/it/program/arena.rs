use super::terminal::run;

/// What a match prints, split into what its seed decides and what the machine does.
fn arena(arguments: &[&str]) -> (String, String) {
    let ran = run(&[&["arena"], arguments].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let (decided, times) = ran.out.split_once("                  mean time").expect("a table of times");
    (decided.to_owned(), times.to_owned())
}

#[test]
fn each_opening_is_played_with_both_colours() {
    // Black captures White's only stone, whoever plays Black.
    let position = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. b c 0 w";
    let (decided, _) = arena(&[
        "--game",
        "quantum-control",
        "--position",
        position,
        "--opening",
        "0",
        "--a",
        "one",
        "--b",
        "plain",
        "--games",
        "4",
        "--untimed",
    ]);
    let expected = "quantum-control: GolemBot One against plain
4 games, two from each opening of 0 random moves; seed 1, no time limits

                    won  drawn   lost   points   95 %
GolemBot One          2      0      2   50.0 %   15.0 to 85.0 %
plain                 2      0      2   50.0 %   15.0 to 85.0 %
";
    let points = decided.split_inclusive('\n').take(expected.lines().count()).collect::<String>();
    assert_eq!(points, expected);
    let ends = "GolemBot One by the end          won  drawn   lost  games
no_captures                        2      0      2      4
";
    assert!(decided.contains(ends), "{decided}");
}

#[test]
fn a_seed_decides_the_games_whatever_the_jobs() {
    for game in ["quantum-control", "surakarta", "quantum", "kvantumsakk"] {
        let play = |seed: &str, jobs: &str| {
            let players = ["--game", game, "--a", "1", "--b", "two", "--games", "6", "--untimed"];
            arena(&[&players[..], &["--seed", seed, "--jobs", jobs]].concat()).0
        };
        let one = play("5", "1");
        assert_eq!(one, play("5", "3"));
        assert_ne!(one.replace("seed 5", ""), play("6", "3").replace("seed 6", ""));
        assert!(one.contains("6 games, two from each opening of 4 random moves; seed 5"), "{one}");
    }
}

#[test]
fn time_limits_are_kept_unless_told_otherwise() {
    let (_, times) = arena(&["--game", "surakarta", "--a", "golembot one", "--b", "1", "--games", "2"]);
    let rows: Vec<&str> = times.lines().filter(|line| line.starts_with("GolemBot One")).collect();
    assert_eq!(rows.len(), 2, "{times}");
}

#[test]
fn what_is_wrong_is_said() {
    let wrong: [(&[&str], &str); 4] = [
        (&["--a", "6", "--b", "1"], "expected 1 to 5, one to five, or plain"),
        (&["--a", "1", "--b", "plane"], "expected 1 to 5, one to five, or plain"),
        (&["--a", "1", "--b", "2", "--games", "3"], "expected an even number"),
        (&["--a", "1", "--b", "2", "--jobs", "0"], "0 is not in 1..=1024"),
    ];
    for (arguments, expected) in wrong {
        let ran = run(&[&["arena", "--game", "surakarta"], arguments].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
    let ran = run(&["arena", "--game", "surakarta", "--position", "x", "--a", "1", "--b", "2"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("boardkeeper: invalid position, field "), "{}", ran.err);
}
