use boardkeeper::search::LEVELS;

use super::terminal::run;

/// What an analysis prints.
fn analyse(arguments: &[&str]) -> Vec<String> {
    let ran = run(&[&["analyse"], arguments].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.out.lines().map(str::to_owned).collect()
}

/// A row's depth, nodes and main line, which begins at the forty-fifth column.
fn row(line: &str) -> (u32, u64, Vec<&str>) {
    let (figures, main_line) = line.split_at(44);
    let figures: Vec<&str> = figures.split_whitespace().collect();
    let depth = figures[0].parse().expect("a depth");
    let nodes = figures[2].parse().expect("nodes");
    (depth, nodes, main_line.split_whitespace().collect())
}

#[test]
fn each_depth_is_shown_with_its_main_line() {
    for game in ["quantum-control", "surakarta", "quantum", "kvantumsakk"] {
        let lines = analyse(&["--game", game, "--level", "3", "--nodes", "3000"]);
        assert!(lines[0].starts_with(&format!("{game} from ")), "{lines:?}");
        let level = &LEVELS[2];
        let limits =
            format!("{} looks at most {} turns ahead, at 3000 nodes", level.name, level.limits.depth());
        assert!(lines[1].contains(&limits), "{lines:?}");
        let (rows, conclusion) = (&lines[3..lines.len() - 1], &lines[lines.len() - 1]);
        assert!(!rows.is_empty(), "{lines:?}");
        let mut before = 0;
        for (number, line) in rows.iter().enumerate() {
            let (depth, nodes, main_line) = row(line);
            assert_eq!(depth, number as u32 + 1);
            assert!(before < nodes && nodes <= 3000, "{line}");
            assert!(!main_line.is_empty(), "{line}");
            before = nodes;
        }
        assert!(conclusion.contains("nodes and "), "{conclusion}");
    }
}

#[test]
fn why_it_stopped_is_said() {
    let black = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. b c 0 w";
    let solved = analyse(&["--game", "quantum-control", "--position", black]);
    assert!(solved.last().expect("a line").starts_with("e5xe6, win in 1: solved, after "), "{solved:?}");
    let white = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. w c 0 w";
    let only = analyse(&["--game", "quantum-control", "--position", white]);
    assert!(only.last().expect("a line").contains(": the only move, after 0 nodes"), "{only:?}");
    let shallow = analyse(&["--game", "surakarta", "--depth", "1"]);
    assert!(shallow.last().expect("a line").contains(": searched as deep as it may, after "), "{shallow:?}");
    let few = analyse(&["--game", "surakarta", "--nodes", "100"]);
    assert!(few.last().expect("a line").contains(": all nodes are spent, after 100 nodes"), "{few:?}");
}

#[test]
fn what_is_wrong_is_said() {
    let ran = run(&["analyse", "--game", "surakarta", "--position", "nonsense"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("boardkeeper: invalid position, field "), "{}", ran.err);
    for wrong in [["--level", "six"], ["--nodes", "0"], ["--nodes", "200001"], ["--depth", "13"]] {
        let ran = run(&[&["analyse", "--game", "surakarta"], &wrong[..]].concat());
        assert_eq!(ran.code, Some(2), "{wrong:?}: {}", ran.err);
    }
}
