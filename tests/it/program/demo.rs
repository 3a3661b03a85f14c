use std::fs;

use boardkeeper::game::KINDS;

use super::terminal::{program, run};

#[test]
fn a_whole_game_of_every_type_is_played_and_watched() {
    for kind in KINDS {
        let game = kind.game_type().name;
        let ran = run(&["demo", "--game", game, "--levels", "1,2"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{game}");
        assert!(!ran.out.contains('\x1b'), "plain text has no escape codes");
        let last = ran.out.lines().last().expect("a result");
        let events = last.split("saw all ").nth(1).and_then(|rest| rest.split(' ').next());
        let events: usize = events.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{last}"));
        for version in 1..=events {
            let shown =
                ran.out.lines().filter(|line| line.ends_with(&format!(", version {version}"))).count();
            assert_eq!(shown, 1, "{game}: version {version} of {events}");
        }
        let reason = kind.game_type().reasons.iter().find(|reason| last.contains(&reason.replace('_', " ")));
        assert!(reason.is_some(), "{game}: {last}");
    }
}

#[test]
fn colours_can_be_had_and_the_private_store_goes() {
    let temporary = tempfile::tempdir().expect("a temporary directory");
    let mut command = program(&["demo", "--levels", "1,1", "--color", "always"]);
    let output = command.env("TMPDIR", temporary.path()).output().expect("it runs");
    assert!(output.status.success());
    let out = String::from_utf8(output.stdout).expect("text");
    assert!(out.contains("\x1b[0;1;38;5;16;48;5;") && out.contains('●'), "{out}");
    let left = fs::read_dir(temporary.path()).expect("it is there").count();
    assert_eq!(left, 0, "files left behind");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = program(&["demo", "--levels", "1,1", "--pause", "20"]).spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
