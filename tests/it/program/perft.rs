use super::terminal::run;

#[test]
fn counts_are_those_of_the_conformance_files() {
    let position = ".b-bw/.bwwbb/-wb-.b-/.b-.w-.b/wwww...b./.w-bb-b./-.b-ww-/wbwwww/.b-bb w c 0 b";
    let ran = run(&["perft", "--game", "quantum-control", "--position", position, "4"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let counted = ran.out.lines().skip(2).map(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        (columns[0].to_owned(), columns[1].to_owned())
    });
    let counts = [("1", "17"), ("2", "355"), ("3", "5317"), ("4", "88531")];
    assert_eq!(
        counted.collect::<Vec<_>>(),
        counts.map(|(depth, nodes)| (depth.to_owned(), nodes.to_owned()))
    );
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let ran = run(&["perft", "--game", "quantum-control", "--position", "nonsense", "1"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("boardkeeper: invalid position, field "), "{}", ran.err);
    let ran = run(&["perft", "--game", "quantum-control", "--option", "size=5", "1"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("boardkeeper: invalid option size: expected "), "{}", ran.err);
}

#[test]
fn wrong_arguments_end_with_code_2() {
    let wrong: [&[&str]; 5] = [
        &[],
        &["perft", "--game", "chess", "1"],
        &["perft", "--game", "quantum-control", "--option", "size", "1"],
        &["demo", "--levels", "3"],
        &["play", "--game", "quantum-control", "--bot", "6"],
    ];
    for arguments in wrong {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains("Usage") || ran.err.contains("--help"), "{}", ran.err);
    }
}
