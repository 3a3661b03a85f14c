//! Quantum over its public surface, case by case.

use std::collections::BTreeSet;

use boardkeeper::rules::{
    Action, Game, MoveError, Options, Outcome, Record, RegionKind, Setting, Settings, Shade, Side, Taken,
    quantum::{Board, Quantum, QuantumOptions},
};
pub(super) const STARTS: [&str; 3] = [
    "1,s,c,s,x,x,s,c,s,1/1,c,s,c,x,x,c,s,c,1/10/10/1,C,S,C,X,X,C,S,C,1/1,S,C,S,X,X,S,C,S,1 w 0",
    "1,s,c,s,x,x,s,c,s,1/1,c,s,c,x,x,c,s,c,1/10/10/10/10/1,C,S,C,X,X,C,S,C,1/1,S,C,S,X,X,S,C,S,1 w 0",
    "2,s,c,s,x,x,s,c,s,2/2,c,s,c,x,x,c,s,c,2/12/12/12/12/2,C,S,C,X,X,C,S,C,2/2,S,C,S,X,X,S,C,S,2 w 0",
];

pub(super) fn options(board: Board) -> QuantumOptions {
    QuantumOptions { board, ..QuantumOptions::default() }
}

/// A valid position on the inner board.
fn position(text: &str) -> Quantum {
    Quantum::read_position(text, &QuantumOptions::default()).expect("a valid position")
}

/// The code is listed in the game's type, with just these values.
pub(super) fn check_listed(breach: &boardkeeper::rules::Breach) {
    let rule = Quantum::TYPE.rules.iter().find(|rule| rule.code == breach.code).expect("a listed code");
    let names: Vec<&str> = breach.values.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, rule.values, "{}", breach.code);
    assert!(!breach.sentence.ends_with('.'));
}

// === the start and the board ===

#[test]
fn each_board_has_its_start() {
    for (board, text) in Board::ALL.into_iter().zip(STARTS) {
        let start = Quantum::start(&options(board));
        assert_eq!(start.write_position(), text);
        assert_eq!(Quantum::read_position(text, &options(board)), Ok(start));
        assert!(start.moves().into_iter().all(|mv| !start.clears_history(mv)));
        assert!(start.key() == start.key_from_scratch());
    }
    let keys = Board::ALL.map(|board| Quantum::start(&options(board)).key());
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
}

#[test]
fn a_board_can_be_drawn_from_its_geometry() {
    let geometry = Quantum::geometry(&options(Board::Whole));
    let order: Vec<_> = geometry.points.iter().map(|point| point.name).collect();
    assert_eq!((order.len(), order[0], order[10], order[79]), (80, "a8", "a7", "j1"));
    let j1 = &geometry.points[79];
    assert_eq!((j1.x, j1.y, j1.shade, j1.playable), (9.0, 7.0, Shade::Dark, true));
    assert_eq!(j1.neighbours, ["i1", "i2", "j2"]);
    let [region] = &geometry.regions[..] else { panic!("one region") };
    assert_eq!((region.kind, region.name), (RegionKind::PowerSquares, "power"));
    assert_eq!(region.points, ["a8", "j8", "a7", "j7", "a2", "j2", "a1", "j1"]);
    let dark = geometry.points.iter().filter(|point| point.shade == Shade::Dark).count();
    assert_eq!((dark, geometry.circuits.len()), (8, 0));
}

#[test]
fn what_stands_is_shown_with_its_pieces() {
    let state = position("9,scscsS/10/3,cxcx,6/10/3,S,6/8,x,x w 0");
    let cells = state.cells();
    let short: Vec<_> =
        cells.iter().map(|c| (c.point, c.owner, c.count, c.pieces.as_str(), c.fixed)).collect();
    assert_eq!(
        short,
        [
            ("j6", Side::White, 6, "scscsS", true),
            ("d4", Side::Black, 4, "cxcx", false),
            ("d2", Side::White, 1, "S", false),
            ("i1", Side::Black, 1, "x", false),
            ("j1", Side::Black, 1, "x", false),
        ]
    );
}

#[test]
fn options_are_read_by_name() {
    let settings = |name: &str, value| Settings::from([(name.to_owned(), value)]);
    let wide = QuantumOptions::read(&settings("board", Setting::Word("wide".into()))).expect("a board");
    assert_eq!(wide, QuantumOptions { board: Board::Wide, move_limit: 100 });
    let short = QuantumOptions::read(&settings("move_limit", Setting::Number(7))).expect("a limit");
    assert_eq!(short, QuantumOptions { board: Board::Inner, move_limit: 7 });
    assert_eq!(QuantumOptions::read(&wide.to_settings()), Ok(wide));
    for (name, value) in [
        ("board", Setting::Word("round".into())),
        ("move_limit", Setting::Number(0)),
        ("move_limit", Setting::Number(1001)),
        ("majority", Setting::Flag(true)),
    ] {
        assert_eq!(QuantumOptions::read(&settings(name, value)).expect_err("refused").name, name);
    }
}

#[test]
fn the_page_names_every_reason_and_option() {
    let page = Quantum::TYPE.page;
    let options = QuantumOptions::SPECS.iter().map(|spec| spec.name);
    for name in Quantum::TYPE.reasons.iter().copied().chain(options) {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

// === moves ===

#[test]
fn a_take_is_described_whole() {
    let state = position("9,scscsS/9,cxcxcX/10/2,sCSCX,1,Sx,5/10/10 w 0");
    let view = state.describe(state.read_move("C3xE3").expect("a take"));
    assert_eq!((view.text.as_str(), view.action, view.count), ("c3xe3", Action::Capture, 5));
    assert_eq!(view.points, ["c3", "e3"]);
    let taken = Taken { point: "e3", owner: Side::Black, count: 2, pieces: "Sx".into() };
    assert_eq!(view.captures, [taken]);
    let step = state.describe(state.read_move("c3-c4").expect("a step"));
    assert_eq!((step.action, step.captures), (Action::Step, vec![]));
}

#[test]
fn a_take_puts_the_taker_on_top_and_starts_counts_anew() {
    let mut record = Record::<Quantum>::from_position(
        "9,scscsS/9,cxcxcX/10/2,sCSC,1,Sx,5/10/4,X,X,X,s,s,1 w 7",
        &QuantumOptions::default(),
    )
    .expect("a valid position");
    record.play("c3-d2").expect("a step");
    record.play("e3xe1").expect("a take");
    assert_eq!(record.repeatable().len(), 1);
    let text = "9,scscsS/9,cxcxcX/10/10/3,sCSC,6/4,XSx,X,X,s,s,1 w 0";
    assert_eq!(record.state().write_position(), text);
}

const MANY: &str = "scscsS,9/1,S,s,7/4,X,5/3,xC,1,sS,4/4,X,3,cC,1/C,S,8 w 0";

fn refusal(state: &Quantum, text: &str) -> (&'static str, String) {
    match state.read_move(text) {
        Err(MoveError::Illegal(breach)) => {
            check_listed(&breach);
            (breach.code, breach.sentence)
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn each_rule_is_explained_in_the_game_s_own_words() {
    let state = position(MANY);
    let cases = [
        ("pass", "PASS_NOT_ALLOWED", "a player may not miss a move"),
        ("d4-d5", "EMPTY_POINT", "nothing stands on d4"),
        ("c5-c4", "NOT_YOUR_PIECE", "what stands on c5 is Black's, and it is White's turn"),
        ("a6-a5", "FIXED_TOWER_STAYS", "the tower on a6 has six pieces: it is fixed and never moves"),
        ("b5-b5", "SAME_POINT", "a move from b5 to b5 goes nowhere"),
        ("b5-c6", "WRONG_DIRECTION", "a square moves straight, along a rank or a file: b5 to c6 is neither"),
        ("a1-a2", "WRONG_DIRECTION", "a circle moves diagonally: a1 to a2 is no diagonal"),
        (
            "d3-d4",
            "WRONG_DIRECTION",
            "the tower on d3 has a circle on top and moves diagonally: d3 to d4 is no diagonal",
        ),
        (
            "e4-f6",
            "WRONG_DIRECTION",
            "a cross moves in any of the eight directions: e4 to f6 is none of them",
        ),
        ("b5-b2", "TOO_FAR", "a single piece moves one square: b5 to b2 is three"),
        ("f3-i3", "TOO_FAR", "a tower of two moves up to two squares: f3 to i3 is three"),
        ("d3-f1", "PATH_BLOCKED", "the path from d3 to f1 is blocked on e2"),
        ("d3-e2", "OWN_PIECE", "what stands on e2 is White's own, and White can't join it"),
        ("b5-c5", "OCCUPIED_POINT", "an enemy stands on c5, so the move takes: it is written b5xc5"),
        ("d3xc2", "NOTHING_TO_CAPTURE", "nothing stands on c2 to be taken: the move is written d3-c2"),
    ];
    let mut reached = BTreeSet::from(["FIXED_TOWER_HOLDS"]);
    for (text, code, sentence) in cases {
        assert_eq!(refusal(&state, text), (code, sentence.to_owned()), "{text}");
        reached.insert(code);
    }
    assert_eq!(reached, Quantum::TYPE.rules.iter().map(|rule| rule.code).collect());
    let state = position("scscsS,X,8/10/10/10/10/1,s,s,s,x,x,x,x,c,c w 3");
    let sentence = "the tower on a6 has six pieces: it is fixed and can't be taken";
    assert_eq!(refusal(&state, "b6xa6"), ("FIXED_TOWER_HOLDS", sentence.to_owned()));
}

#[test]
fn what_has_not_the_form_of_a_move_is_unreadable() {
    let state = position(MANY);
    let form = "two squares from a1 to j6 of the inner board with - between them, or x to take, \
                such as b2-b3 or b2xc3";
    let texts = "|b5|b5c5|b5-c5-|b5-c5x|b5Xc5|b5–c5|k5-j5|a7-a6|b0-b1|PASS|resign|b5- c5|5b-5c|ä5-c5";
    for text in texts.split('|') {
        assert_eq!(state.read_move(text), Err(MoveError::malformed(form)), "{text:?}");
    }
}

// === ends ===

fn outcome(text: &str) -> Option<Outcome> {
    position(text).outcome(1)
}

#[test]
fn the_third_fixed_tower_wins_at_once() {
    let mut state = position("9,scscsS/9,cxcxcX/10/2,sCSCX,1,Sx,5/10/10 w 0");
    state.play(state.read_move("c3xe3").expect("a take"));
    assert_eq!(state.outcome(1), Some(Outcome::won(Side::White, "three_fixed_towers")));
    assert_eq!(state.write_position(), "9,scscsS/9,cxcxcX/10/4,SxsCSCX,5/10/10 b 0");
}

#[test]
fn too_few_loose_pieces_end_the_game_by_count() {
    let mut state = position("scscsS,9/10/10/xCXCX,Sx,8/10/5,s,c,c,c,x w 0");
    assert_eq!(state.outcome(1), None);
    state.play(state.read_move("a3xb3").expect("a take"));
    assert_eq!(state.outcome(1), Some(Outcome::won(Side::White, "towers_impossible")));
}

#[test]
fn who_has_more_pieces_but_no_fixed_tower_only_draws() {
    let draw = Some(Outcome::drawn("towers_impossible"));
    assert_eq!(outcome("scscsS,9/10/10/10/10/s,s,s,c,c,c,c,x,x,x w 0"), draw);
    assert_eq!(outcome("scscsS,9/10/10/10/10/s,s,s,c,c,c,4 w 0"), draw);
    let won = Some(Outcome::won(Side::White, "towers_impossible"));
    assert_eq!(outcome("scscsS,9/10/10/10/10/s,s,s,c,c,5 w 0"), won);
}

#[test]
fn twelve_loose_pieces_are_enough_for_two_towers_and_eleven_are_not() {
    assert_eq!(
        outcome("scscsS,9/10/10/10/C,9/s,s,s,c,c,c,c,x,x,x w 0").map(|o| o.reason),
        Some("towers_impossible")
    );
    assert_eq!(outcome("scscsS,9/10/10/10/C,C,8/s,s,s,c,c,c,c,x,x,x w 0"), None);
}

#[test]
fn without_a_legal_move_the_pieces_are_counted() {
    let rows = "scscsS,CSCSCX,8/10/10/10/10/s,s,s,c,c,c,4";
    assert_eq!(outcome(&format!("{rows} w 0")), Some(Outcome::won(Side::White, "no_moves")));
    assert_eq!(outcome(&format!("{rows} b 0")), None);
}

#[test]
fn the_third_occurrence_of_a_position_ends_the_game() {
    let mut record = Record::<Quantum>::start(&QuantumOptions::default());
    for _ in 0..2 {
        for text in ["b1-a1", "b6-a6", "a1-b1", "a6-b6"] {
            assert_eq!(record.outcome(), None);
            record.play(text).expect("a step");
        }
    }
    assert_eq!(record.outcome(), Some(Outcome::drawn("threefold")));
}

#[test]
fn the_move_limit_ends_the_game() {
    let limited = QuantumOptions { move_limit: 2, ..QuantumOptions::default() };
    let text = "scscsS,9/10/10/10/C,C,X,X,6/s,s,s,c,c,c,c,x,2 w 0";
    let mut record = Record::<Quantum>::from_position(text, &limited).expect("a valid position");
    record.play("b2-c3").expect("a step");
    assert_eq!(record.outcome(), None);
    record.play("h1-i1").expect("a step");
    assert_eq!(record.outcome(), Some(Outcome::won(Side::White, "move_limit")));
    assert!(record.state().write_position().ends_with(" w 2"));
}

// === position texts ===

#[test]
fn a_wrong_position_names_its_field_and_what_was_expected() {
    let cases = [
        ("position", "three fields", "10/10/10/10/10/10 w"),
        ("position", "three fields", "10/10/10/10/10/10  w 0"),
        ("rows", "6 ranks", "10/10/10/10/10 w 0"),
        ("rows", "in rank 5", "10/9/10/10/10/10 w 0"),
        ("rows", "no more squares", "10/s,10/10/10/10/10 w 0"),
        ("rows", "from 1 to 10", "10/11/10/10/10/10 w 0"),
        ("rows", "leading zeros", "10/010/10/10/10/10 w 0"),
        ("rows", "from 1 to 10", "10/0,s,9/10/10/10/10 w 0"),
        ("rows", "from 1 to 10", "10/99999999999999999999/10/10/10/10 w 0"),
        ("rows", "one number", "10/5,5/10/10/10/10 w 0"),
        ("rows", "not 'q'", "10/9,q/10/10/10/10 w 0"),
        ("rows", "not '-'", "10/9,-/10/10/10/10 w 0"),
        ("rows", "not of 0", "10/9,/10/10/10/10 w 0"),
        ("rows", "not of 11", "9,sssccxSSSCC/10/10/10/10/10 w 0"),
        ("rows", "at most 6 pieces S", "SSSSSSs,S,8/10/10/10/10/10 w 0"),
        ("rows", "at most 6 pieces c", "c,c,c,c,c,c,c,3/10/10/10/10/10 w 0"),
        ("rows", "at most 4 pieces x", "xxX,xxx,8/10/10/10/10/10 w 0"),
        ("rows", "at most two fixed towers of White", "ssssCS,sscccS,cccSSS,7/10/10/10/10/10 w 0"),
        ("turn", "w or b", "10/10/10/10/10/10 W 0"),
        ("turn", "w or b", "10/10/10/10/10/10 bw 0"),
        ("quiet", "from 0 to 99", "10/10/10/10/10/10 w 100"),
        ("quiet", "from 0 to 99", "10/10/10/10/10/10 w 00"),
        ("quiet", "from 0 to 99", "10/10/10/10/10/10 w -1"),
        ("quiet", "from 0 to 99", "10/10/10/10/10/10 w "),
    ];
    for (field, expected, text) in cases {
        let error = Quantum::read_position(text, &QuantumOptions::default()).expect_err(text);
        assert_eq!(error.field, field, "{text}: {error}");
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_position_fits_its_board() {
    let error = Quantum::read_position(STARTS[1], &options(Board::Inner)).expect_err("eight ranks");
    assert_eq!((error.field, error.expected.contains("inner board of 6 ranks")), ("rows", true));
    let error = Quantum::read_position(STARTS[2], &options(Board::Whole)).expect_err("twelve files");
    assert_eq!((error.field, error.expected.contains("whole board of 8 ranks with 10")), ("rows", true));
}

#[test]
fn the_size_of_a_position_tells_its_board() {
    let of = |text: &str| Board::of_position(text);
    assert_eq!(STARTS.map(of), Board::ALL.map(Some));
    for text in ["", "10/10 w 0", "11/11/11/11/11/11 w 0", "4294967295,4294967295/10/10/10/10/10 w 0"] {
        assert_eq!(of(text), None, "{text}");
    }
}

#[test]
fn a_finished_position_starts_no_game() {
    let text = "10/10/10/10/10/10 w 0";
    let error = Record::<Quantum>::from_position(text, &QuantumOptions::default()).expect_err("no pieces");
    assert_eq!((error.field, error.expected.contains("towers_impossible")), ("position", true));
}
