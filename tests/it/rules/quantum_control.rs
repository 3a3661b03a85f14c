//! Quantum Control as its rules and texts promise it, over the public API.

use std::collections::BTreeMap;

use boardkeeper::rules::{
    Action, Game, MoveError, Outcome, Record, RegionKind, Shade, Side,
    quantum_control::{QuantumControl, QuantumControlOptions},
};

pub(super) const START: &str =
    "..-../....../-..-..-/..-..-../........./..-..-../-..-..-/....../..-.. b p 0 -";

pub(super) fn read(position: &str) -> QuantumControl {
    QuantumControl::read_position(position, &QuantumControlOptions)
        .unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// A refusal is listed in the game's type with just the values that it has.
pub(super) fn check_refusal(error: &MoveError) {
    match error {
        MoveError::Malformed { expected } => assert!(expected.contains("such as a1+e5")),
        MoveError::Illegal(breach) => {
            let rule = QuantumControl::TYPE.rules.iter().find(|rule| rule.code == breach.code);
            let rule = rule.unwrap_or_else(|| panic!("{} is not listed", breach.code));
            let names: Vec<&str> = breach.values.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, rule.values, "{}", breach.code);
            assert!(!breach.sentence.ends_with('.'));
        }
    }
}

fn breach(position: &str, text: &str) -> (&'static str, String) {
    match read(position).read_move(text) {
        Err(MoveError::Illegal(breach)) => (breach.code, breach.sentence),
        other => panic!("{text} in {position}: {other:?}"),
    }
}

#[test]
fn malformed_is_not_illegal() {
    for text in [
        "", "e", "e10", "a6", "i4", "j5", "e5+", "+e5", "e5+e8+h8", "e5x", "e5-e6", "e5Xe6", "Pass",
        "e5 x e6",
    ] {
        let error = read(START).read_move(text).unwrap_err();
        assert!(matches!(error, MoveError::Malformed { .. }), "{text:?}: {error:?}");
        assert!(error.to_string().starts_with("unreadable move: expected a stone such as e5"));
    }
}

/// One example of every rule that a move can break, and the sentence that says so.
#[test]
fn each_rule_explains_itself() {
    let placing = "..-../....../-..-..-/..-..-../....b..../..-..-../-..-..-/....../..-.. w p 0 -";
    let last_pair = "wb-wb/wbw..b/-wb-wb-/wb-wb-wb/bwb.w.bwb/bw-bw-bw/-bw-bw-/bwbwbw/bw-bw w p 0 -";
    let jumping = "..-../...w../-..-..-/..-..-../..wbb.w../..-b.-../-..-..-/.w..../b.-.. b c 0 w";
    let pair = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. b c 0 w";
    let cases = [
        (
            placing,
            "pass",
            "PASS_NOT_ALLOWED",
            "passing is possible only when all 49 cells have been filled, and 48 cells are still empty",
        ),
        (
            last_pair,
            "e5xe6",
            "PLACEMENT_NOT_OVER",
            "captures begin when all 49 cells are full, and 4 cells are still empty",
        ),
        (
            jumping,
            "e1",
            "PLACEMENT_OVER",
            "all 49 cells have been filled, so no more stones are placed: capture, as in e5xh8, or pass",
        ),
        (
            jumping,
            "e1+i9",
            "PLACEMENT_OVER",
            "all 49 cells have been filled, so no more stones are placed: capture, as in e5xh8, or pass",
        ),
        (START, "e5+e8", "WRONG_STONE_COUNT", "the first turn places one stone, not two"),
        (placing, "e8", "WRONG_STONE_COUNT", "this turn places two stones, as in a1+e5, not one"),
        (START, "c4", "GAP", "c4 is a gap, and nothing ever stands on a gap"),
        (placing, "e8+c4", "GAP", "c4 is a gap, and nothing ever stands on a gap"),
        (jumping, "c4xe4", "GAP", "c4 is a gap, and nothing ever stands on a gap"),
        (jumping, "e4xc4", "GAP", "c4 is a gap, and nothing ever stands on a gap"),
        (placing, "e8+e5", "OCCUPIED", "e5 already has a black stone"),
        (placing, "e8+e8", "SAME_CELL", "the two stones cannot share e8"),
        (
            placing,
            "e4+d4",
            "SAME_AREA",
            "e4 and d4 are both in the area around e5, and the two stones go to different areas while another area has empty cells",
        ),
        (jumping, "e1xe3", "EMPTY_POINT", "there is no stone on e1"),
        (jumping, "e7xe5", "NOT_YOUR_PIECE", "the stone on e7 is White's, and it is Black's turn"),
        (jumping, "a1xb2", "NO_FRIENDS", "a1 has no friend beside it, so it cannot move"),
        (
            jumping,
            "e4xh6",
            "NOT_IN_LINE",
            "e4 and h6 are not on one straight line, and a stone jumps along a row or a diagonal",
        ),
        (jumping, "e4xe3", "WRONG_DISTANCE", "e4 has two friends, so it must land two cells away; e3 is one"),
        (
            jumping,
            "e5xe5",
            "WRONG_DISTANCE",
            "e5 has two friends, so it must land two cells away; e5 is zero",
        ),
        (pair, "e4xe6", "WRONG_DISTANCE", "e4 has one friend, so it must land one cell away; e6 is two"),
        (jumping, "e5xg7", "NOTHING_TO_CAPTURE", "g7 is empty, and a jump must land on an enemy stone"),
        (pair, "e5xe4", "OWN_STONE", "e4 has a stone of Black's own, and a jump must land on an enemy stone"),
    ];
    for (position, text, code, sentence) in cases {
        assert_eq!(breach(position, text), (code, sentence.to_owned()), "{text}");
        check_refusal(&read(position).read_move(text).unwrap_err());
    }
    for rule in QuantumControl::TYPE.rules {
        assert!(cases.iter().any(|case| case.2 == rule.code), "no example of {}", rule.code);
    }
}

#[test]
fn a_refusal_carries_its_values() {
    let position = "..-../...w../-..-..-/..-..-../..wbb.w../..-b.-../-..-..-/.w..../b.-.. b c 0 w";
    let Err(MoveError::Illegal(breach)) = read(position).read_move("e4xe3") else {
        panic!("e4xe3 is illegal")
    };
    let values = [("from", "e4"), ("to", "e3"), ("friends", "2"), ("distance", "1")];
    assert_eq!(breach.values, values.map(|(name, value)| (name, value.to_owned())));
}

#[test]
fn each_field_of_a_position_is_checked() {
    let empty = "..-../....../-..-..-/..-..-../........./..-..-../-..-..-/....../..-..";
    let full = "bw-bb/bwbbww/-ww-wb-/bw-bb-bw/wbwwwbbwb/wb-ww-wb/-bb-ww-/wbbwbb/ww-bb";
    let one = "..-../....../-..-..-/..-..-../....b..../..-..-../-..-..-/....../..-..";
    let crowd = "bb-bb/bbbbbb/-bb-bb-/bb-bb-bb/bbbbbbbb./..-..-../-..-..-/....../..-..";
    let cases = [
        ("".to_owned(), "position"),
        (empty.to_owned(), "position"),
        (format!("{empty}  b p 0 -"), "position"),
        (format!(" {empty} b p 0 -"), "position"),
        (format!("{empty} b p 0 - "), "position"),
        (format!("{} b p 0 -", &empty[..empty.len() - 6]), "rows"),
        (format!("{empty}/..... b p 0 -"), "rows"),
        (format!("{empty}. b p 0 -"), "rows"),
        (format!("{} b p 0 -", empty.replacen('-', ".", 1)), "rows"),
        (format!("{} b p 0 -", empty.replacen('-', "b", 1)), "rows"),
        (format!("{} b p 0 -", empty.replacen('.', "-", 1)), "rows"),
        (format!("{} b p 0 -", empty.replacen('.', "B", 1)), "rows"),
        (format!("{} b p 0 -", empty.replacen('.', "w", 1)), "rows"),
        (format!("{} b p 0 -", empty.replacen("..", "bb", 1)), "rows"),
        (format!("{one} W p 0 -"), "turn"),
        (format!("{one}  p 0 -"), "turn"),
        (format!("{empty} w p 0 -"), "turn"),
        (format!("{one} b p 0 -"), "turn"),
        (format!("{one} w x 0 -"), "phase"),
        (format!("{full} w p 0 -"), "phase"),
        (format!("{one} w p 1 -"), "passes"),
        (format!("{full} w c 2 -"), "passes"),
        (format!("{full} w c 00 -"), "passes"),
        (format!("{one} w p 0 b"), "last"),
        (format!("{one} w p 0 x"), "last"),
        (format!("{full} w c 0 b"), "last"),
        (format!("{one} w c 0 -"), "last"),
        (format!("{crowd} w c 0 b"), "rows"),
        (format!("{} w c 0 b", crowd.replace('b', "w")), "rows"),
    ];
    for (text, field) in cases {
        let error = QuantumControl::read_position(&text, &QuantumControlOptions).expect_err(&text);
        assert_eq!(error.field, field, "{text}: {error}");
        assert!(!error.expected.ends_with('.'), "{error}");
    }
}

#[test]
fn a_finished_game_starts_none() {
    let lonely = "..-../....../-..-..-/..-..-../....b..w./..-..-../-..-..-/....../..-.. w c 0 b";
    let error = Record::<QuantumControl>::from_position(lonely, &QuantumControlOptions).unwrap_err();
    assert_eq!(error.field, "position");
    assert!(error.expected.contains("no_captures"), "{error}");
}

#[test]
fn equal_areas_go_to_the_last_capturer() {
    let mut record = Record::<QuantumControl>::from_position(
        "..-../....../-..-..-/..-..-../..bbw.w../..-..-../-..-..-/.w..../w.-.. b c 0 w",
        &QuantumControlOptions,
    )
    .unwrap();
    record.play("e4xe5").unwrap();
    record.play("pass").unwrap();
    record.play("pass").unwrap();
    let areas = record.state().scores()[0].points;
    assert_eq!((areas.black, areas.white), (2, 2));
    assert_eq!(record.outcome(), Some(Outcome::won(Side::Black, "two_passes")));
    assert_eq!(record.state().passes(), 2);
}

#[test]
fn a_capture_resets_the_passes() {
    let mut record = Record::<QuantumControl>::from_position(
        "..-../....../-..-..-/..-..-../..bb.wwb./..-..-../-..-..-/....../..-.. w c 1 b",
        &QuantumControlOptions,
    )
    .unwrap();
    let view = record.play("e7xe8").unwrap();
    assert_eq!((view.action, view.points.as_slice(), view.count), (Action::Capture, &["e7", "e8"][..], 1));
    let taken = &view.captures[0];
    assert_eq!((taken.point, taken.owner, taken.count, taken.pieces.as_str()), ("e8", Side::Black, 1, "b"));
    assert_eq!(record.state().passes(), 0);
}

#[test]
fn the_parts_of_a_game_have_names() {
    assert_eq!(QuantumControl::start(&QuantumControlOptions).write_position(), START);
    assert_eq!(read(START).phase(), "placement");
    let full = "bw-bb/bwbbww/-ww-wb-/bw-bb-bw/wbwwwbbwb/wb-ww-wb/-bb-ww-/wbbwbb/ww-bb w c 0 -";
    assert_eq!(read(full).phase(), "capture");
}

#[test]
fn stones_are_told_in_the_order_of_the_drawing() {
    let state = read("..-../....../-..-..-/..-..-../....bbw../..-..-../-..-..-/....../w.-.. w c 0 w");
    let cells: Vec<_> = state
        .cells()
        .into_iter()
        .map(|cell| (cell.point, cell.owner, cell.count, cell.pieces, cell.fixed))
        .collect();
    let stone = |point, owner: Side| (point, owner, 1, owner.letter().to_string(), false);
    let (black, white) = (Side::Black, Side::White);
    assert_eq!(cells, [stone("e5", black), stone("e6", black), stone("e7", white), stone("a1", white)]);
}

#[test]
fn the_board_is_the_one_of_the_page() {
    let board = QuantumControl::geometry(&QuantumControlOptions);
    assert_eq!(board.points.len(), 61);
    assert!(board.circuits.is_empty());
    assert!(board.points.iter().all(|point| point.shade == Shade::Plain));

    let playable: Vec<&str> =
        board.points.iter().filter(|point| point.playable).map(|point| point.name).collect();
    let mut by_neighbours = BTreeMap::new();
    for point in board.points.iter().filter(|point| point.playable) {
        let count = point.neighbours.iter().filter(|name| playable.contains(name)).count();
        *by_neighbours.entry(count).or_insert(0) += 1;
    }
    assert_eq!(by_neighbours, BTreeMap::from([(6, 7), (4, 24), (3, 18)]));

    let areas: Vec<_> = board.regions.iter().filter(|region| region.kind == RegionKind::Area).collect();
    assert_eq!(
        areas.iter().map(|area| area.name).collect::<Vec<_>>(),
        ["e5", "e8", "h8", "h5", "e2", "b2", "b5"]
    );
    let area_of = |name: &str| areas.iter().position(|area| area.points.contains(&name)).unwrap();
    let crossing = board.points.iter().filter(|point| point.playable).flat_map(|point| {
        let others = point.neighbours.iter().filter(|name| playable.contains(name));
        others.filter(|&&name| point.name < name && area_of(name) != area_of(point.name))
    });
    assert_eq!(crossing.count(), 12);

    let gaps: Vec<_> = board.regions.iter().filter(|region| region.kind == RegionKind::Gaps).collect();
    let [gaps] = gaps[..] else { panic!("one region of gaps") };
    let mut names = gaps.points.clone();
    names.sort_unstable();
    assert_eq!(names, ["a3", "c1", "c4", "c7", "d3", "d6", "f4", "f7", "g3", "g6", "g9", "i7"]);
}

#[test]
fn neighbours_are_drawn_one_unit_apart() {
    let board = QuantumControl::geometry(&QuantumControlOptions);
    for a in &board.points {
        for b in &board.points {
            let distance = (a.x - b.x).hypot(a.y - b.y);
            let neighbours = a.neighbours.contains(&b.name);
            assert_eq!(neighbours, a != b && distance < 1.01, "{} {} {distance}", a.name, b.name);
            assert!(!neighbours || 0.99 < distance);
        }
    }
    let at = |name: &str| board.points.iter().find(|point| point.name == name).unwrap();
    assert!(at("i5").y < at("a1").y, "row a is nearest to the reader");
    assert_eq!((at("e1").x, at("i5").y), (0.0, 0.0));
}
