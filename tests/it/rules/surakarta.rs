//! Surakarta over the public API, against its rules read a second time.

use std::collections::BTreeSet;

use boardkeeper::rules::{
    Action, BySide, Game, MoveError, MoveView, Options, Outcome, PositionError, Record, Setting, Settings,
    Side, surakarta::Surakarta,
};
use serde::Deserialize;

use super::surakarta_slow as slow;

pub(super) type SurakartaOptions = <Surakarta as Game>::Options;

pub(super) const START: &str = "wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b 0";

pub(super) fn options(majority: bool, move_limit: u32) -> SurakartaOptions {
    let settings = Settings::from([
        ("majority".to_owned(), Setting::Flag(majority)),
        ("move_limit".to_owned(), Setting::Number(move_limit)),
    ]);
    SurakartaOptions::read(&settings).unwrap()
}

pub(super) fn position(text: &str) -> Surakarta {
    Surakarta::read_position(text, &options(false, 1000)).unwrap()
}

fn view(state: &Surakarta, text: &str) -> MoveView {
    state.describe(state.read_move(text).unwrap())
}

#[derive(Deserialize)]
struct Pairs {
    position: String,
    pairs: Vec<String>,
}

#[test]
fn pairs_are_those_of_other_engines() {
    let lines =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pairs-surakarta.jsonl")).lines();
    for Pairs { position: text, pairs } in lines.map(|line| serde_json::from_str(line).unwrap()) {
        let moves = position(&text).listing();
        let found: Vec<&str> = moves.iter().map(|mv| &mv.text[..5]).collect();
        assert_eq!(found, pairs, "{text}");
    }
}

#[test]
fn a_capture_goes_by_any_route_that_exists() {
    let state = position("6/1b4/6/6/4w1/6 b 0");
    let routes = ["[bottom-left]", "[top-left,bottom-left]", "[top-left,top-right]", "[top-right]"];
    let moves: BTreeSet<String> = routes.map(|route| view(&state, &format!("b2xe5{route}")).text).into();
    assert_eq!(moves.len(), 4);
    assert_eq!(view(&state, " B2xE5\n").text, "b2xe5[bottom-left]");
    let Err(MoveError::Illegal(breach)) = state.read_move("b2xe5[bottom-right]") else {
        panic!("no such route");
    };
    assert_eq!(breach.code, "NO_SUCH_ROUTE");
    assert!(breach.values.contains(&("routes", routes.join(" "))));
    for route in routes {
        assert!(breach.sentence.contains(route), "{}", breach.sentence);
    }
}

#[test]
fn the_route_that_was_played_is_kept() {
    let mut game = Record::<Surakarta>::from_position("6/1b4/6/6/4w1/5w b 7", &options(false, 50)).unwrap();
    let played = game.play("b2xe5[top-right]").unwrap();
    assert_eq!(played.text, "b2xe5[top-right]");
    assert_eq!(
        played.other_texts,
        ["b2xe5[bottom-left]", "b2xe5[top-left,bottom-left]", "b2xe5[top-left,top-right]"]
    );
    assert_eq!(played.action, Action::Capture);
    assert_eq!(played.points, ["b2", "e5"]);
    assert_eq!(played.arcs, ["top-right"]);
    assert_eq!(played.route, ["b2", "c2", "d2", "e2", "f2", "e1", "e2", "e3", "e4", "e5"]);
    let [taken] = played.captures.as_slice() else { panic!("one piece is taken") };
    assert_eq!((taken.point, taken.owner, taken.count, taken.pieces.as_str()), ("e5", Side::White, 1, "w"));
    assert_eq!(game.state().write_position(), "6/6/6/6/4b1/5w w 0");
}

#[test]
fn a_quiet_move_shows_its_points_only() {
    let quiet = view(&position(START), "c5-b4");
    assert_eq!(quiet, MoveView::plain("c5-b4".to_owned(), Action::Step, vec!["c5", "b4"], 1));
}

fn ending(text: &str, options: SurakartaOptions, moves: &[&str]) -> Option<Outcome> {
    let mut game = Record::<Surakarta>::from_position(text, &options).unwrap();
    for text in moves {
        assert_eq!(game.outcome(), None, "before {text}");
        game.play(text).unwrap();
    }
    game.outcome()
}

#[test]
fn the_third_occurrence_is_a_draw_even_with_a_majority() {
    let round = ["a1-b1", "f6-e6", "b1-a1", "e6-f6"];
    let twice = [round, round].concat();
    let start = "b5/6/6/6/6/w4w b 3";
    for options in [options(false, 50), options(true, 50), options(true, 11)] {
        assert_eq!(ending(start, options, &twice), Some(Outcome::drawn("threefold")));
    }
}

#[test]
fn a_capture_clears_the_repetition_history() {
    let options = options(false, 50);
    let mut game = Record::<Surakarta>::from_position("6/wb4/6/6/6/w3b1 w 0", &options).unwrap();
    for text in ["a6-a5", "e6-f6", "a5-a6", "f6-e6"] {
        game.play(text).unwrap();
    }
    assert_eq!(game.repeatable().len(), 5);
    game.play("a2xb2").unwrap();
    assert_eq!(game.repeatable().len(), 1);
}

#[test]
fn the_move_limit_is_a_draw_or_a_majority() {
    let more_white = "b5/6/6/6/6/w4w b 1";
    let won = Outcome::won(Side::White, "majority");
    let drawn = Outcome::drawn("move_limit");
    assert_eq!(ending(more_white, options(true, 2), &["a1-b1"]), Some(won));
    assert_eq!(ending(more_white, options(false, 2), &["a1-b1"]), Some(drawn));
    assert_eq!(ending("b5/6/6/6/6/5w b 1", options(true, 2), &["a1-b1"]), Some(drawn));
    let more_black = Outcome::won(Side::Black, "majority");
    assert_eq!(ending("bb4/6/6/6/6/5w w 1", options(true, 2), &["f6-e6"]), Some(more_black));
}

#[test]
fn taking_the_last_piece_and_blocking_win() {
    let all = Some(Outcome::won(Side::White, "all_captured"));
    assert_eq!(ending("6/wb4/6/6/6/6 w 0", options(false, 50), &["a2xb2"]), all);
    let shut_in = Some(Outcome::won(Side::White, "no_moves"));
    assert_eq!(ending("bww3/w1w3/2w3/6/6/6 w 0", options(false, 50), &["c3-d3"]), None);
    assert_eq!(ending("bww3/w1w3/2w3/6/6/6 w 0", options(false, 50), &["c3-b2"]), shut_in);
    let over = Record::<Surakarta>::from_position("bww3/www3/6/6/6/6 b 0", &options(false, 50)).unwrap_err();
    assert_eq!(over.field, "position");
    assert!(over.expected.contains("no_moves"), "{}", over.expected);
}

#[test]
fn options_are_kept_and_checked() {
    let state = Surakarta::start(&options(true, 7));
    assert_eq!(Surakarta::read_position(START, &options(true, 7)), Ok(state));
    assert_eq!(SurakartaOptions::read(&state.options().to_settings()), Ok(options(true, 7)));
    assert_eq!(SurakartaOptions::default(), options(false, 50));
    let refused = [
        ("move_limit", Setting::Number(0), "a whole number from 1 to 1000"),
        ("move_limit", Setting::Number(1001), "a whole number from 1 to 1000"),
        ("move_limit", Setting::Flag(true), "a whole number from 1 to 1000"),
        ("majority", Setting::Number(1), "true or false"),
        ("minority", Setting::Flag(true), "majority, move_limit"),
    ];
    for (name, value, expected) in refused {
        let error = SurakartaOptions::read(&Settings::from([(name.to_owned(), value)])).unwrap_err();
        assert_eq!(error.name, name);
        assert!(error.expected.contains(expected), "{}", error.expected);
    }
}

#[test]
fn a_position_error_names_its_field() {
    let cases = [
        ("", "position"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b", "position"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b 0 -", "position"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb  b 0", "position"),
        (" wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b 0", "position"),
        ("wwwwww/wwwwww/6/6/bbbbbb b 0", "rows"),
        ("wwwwww/wwwwww/6/6/6/bbbbbb/bbbbbb b 0", "rows"),
        ("wwwwww/wwwwww/6/6/bbbbb/bbbbbb b 0", "rows"),
        ("wwwwwww/wwwww/6/6/bbbbbb/bbbbbb b 0", "rows"),
        ("5w/w5/6/6/33/5b b 0", "rows"),
        ("5w/w5/6/6/7/5b b 0", "rows"),
        ("5w/w5/6/6/06/5b b 0", "rows"),
        ("5w/w5/6/6/B5/5b b 0", "rows"),
        ("5w/w5/6/6/é5/5b b 0", "rows"),
        ("5w/w5/6/6//5b b 0", "rows"),
        ("6/6/6/6/6/6 b 0", "rows"),
        ("6/6/6/6/6/5b b 0", "rows"),
        ("6/6/6/6/6/5w b 0", "rows"),
        ("wwwwww/wwwwww/w5/6/6/5b b 0", "rows"),
        ("5w/6/6/b5/bbbbbb/bbbbbb b 0", "rows"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb B 0", "turn"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb black 0", "turn"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b 50", "quiet"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b 00", "quiet"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b +1", "quiet"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b -1", "quiet"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b ", "quiet"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b 0\n", "quiet"),
        ("wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b 99999999999999999999", "quiet"),
    ];
    for (text, field) in cases {
        match Surakarta::read_position(text, &options(false, 50)) {
            Err(PositionError { field: found, expected }) => {
                assert_eq!(found, field, "{text:?}");
                assert!(!expected.is_empty() && !expected.ends_with('.'), "{expected}");
            }
            Ok(_) => panic!("{text:?} was read"),
        }
    }
    assert!(Surakarta::read_position(&START.replace(" 0", " 49"), &options(false, 50)).is_ok());
}

#[test]
fn every_refusal_says_what_is_wrong() {
    let lone = "6/1b4/6/6/4w1/6 b 0";
    let lines = "ww4/wb4/6/2b3/6/b4w w 0";
    let cases = [
        (lone, "pass", "PASS_NOT_ALLOWED", "there is no pass in Surakarta"),
        (lone, "b3-b4", "EMPTY_POINT", "no piece stands on b3"),
        (lone, "e5-e4", "NOT_YOUR_PIECE", "the piece on e5 is White's, and it is Black's turn"),
        (lone, "b2-b2", "SAME_POINT", "both are b2"),
        (lone, "b2xb2", "SAME_POINT", "both are b2"),
        (lines, "a2-b2", "OCCUPIED_POINT", "b2 is held by Black"),
        (lone, "b2-d3", "WRONG_DISTANCE", "goes one step, and d3 is 2 steps from b2"),
        (lone, "b2xc2", "NOTHING_TO_CAPTURE", "nothing to take on c2"),
        (lines, "a2xb1", "OWN_PIECE", "the piece on b1 is White's own"),
        (lines, "f6xb2", "NO_CIRCUIT", "f6 lies on no circuit"),
        (lines, "b1xa6", "NO_CIRCUIT", "a6 lies on no circuit"),
        (
            lines,
            "b1xc4",
            "NO_COMMON_CIRCUIT",
            "b1 lies on the inner circuit only and c4 on the outer one only",
        ),
        (
            lines,
            "a2xb2",
            "NO_ARC",
            "a2 meets b2 straight along a line, and a capture goes through an arc; \
             the ways through arcs are blocked on b1",
        ),
        (
            "6/wwb3/6/6/6/6 w 0",
            "a2xc2",
            "ROUTE_BLOCKED",
            "every way round the circuits from a2 to c2 is blocked: on b2",
        ),
        (
            "6/6/1w1w2/1wbw2/1www2/4b1 b 0",
            "c4xd3",
            "ROUTE_BLOCKED",
            "every way round the circuits from c4 to d3 is blocked: on b3, b4, c5 and d4",
        ),
        (
            lone,
            "b2xe5[bottom-right]",
            "NO_SUCH_ROUTE",
            "b2 takes e5 by no route [bottom-right] here, but by [bottom-left], [top-left,bottom-left], \
             [top-left,top-right] or [top-right]",
        ),
        (lone, "b2xe5[top-left,bottom-right]", "NO_SUCH_ROUTE", "by no route [top-left,bottom-right] here"),
    ];
    let mut reached = BTreeSet::new();
    for (text, mv, code, sentence) in cases {
        let Err(MoveError::Illegal(breach)) = position(text).read_move(mv) else { panic!("{mv} in {text}") };
        assert_eq!(breach.code, code, "{mv} in {text}");
        assert!(breach.sentence.contains(sentence), "{mv} in {text}: {}", breach.sentence);
        reached.insert(code);
    }
    let listed: BTreeSet<&str> = Surakarta::TYPE.rules.iter().map(|rule| rule.code).collect();
    assert_eq!(reached, listed);
}

#[test]
fn what_has_not_the_form_of_a_move_is_malformed() {
    let texts = [
        "",
        "b2",
        "b2e5",
        "b2 - c3",
        "b2-g1",
        "b2-c7",
        "b0-c1",
        "b2+c3",
        "b2-c3[top-left]",
        "b2Xe5",
        "b2xe5[]",
        "b2xe5[top-left",
        "b2xe5 [top-left]",
        "b2xe5[Top-left]",
        "b2xe5[top-left,]",
        "b2xe5[top-left, top-right]",
        "b2xe5[top-left]x",
        "PASS",
        "b2-cé",
        "é2-c3",
    ];
    let state = position("6/1b4/6/6/4w1/6 b 0");
    for text in texts {
        match state.read_move(text) {
            Err(MoveError::Malformed { expected }) => assert!(expected.contains("b2xe5"), "{expected}"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn the_board_is_drawn_as_its_circuits_say() {
    let geometry = Surakarta::geometry(&options(false, 50));
    let names: Vec<&str> = geometry.points.iter().map(|point| point.name).collect();
    assert_eq!(names, slow::points());
    for point in &geometry.points {
        let [file, rank] = point.name.as_bytes() else { panic!("{}", point.name) };
        assert_eq!((point.x, point.y), (f32::from(file - b'a'), f32::from(rank - b'1')));
        let near = geometry.points.iter().filter(|other| (other.x - point.x).hypot(other.y - point.y) < 1.5);
        let mut near: Vec<&str> = near.map(|other| other.name).filter(|&name| name != point.name).collect();
        near.sort_unstable();
        assert_eq!(point.neighbours, near);
    }
    for (circuit, (name, track)) in geometry.circuits.iter().zip(slow::CIRCUITS) {
        assert_eq!(circuit.name, name);
        let steps = circuit.steps.iter().flat_map(|step| {
            [Some(step.point.to_owned()), step.arc.map(|arc| format!("~{arc}"))].into_iter().flatten()
        });
        assert_eq!(steps.collect::<Vec<_>>(), track.split_whitespace().collect::<Vec<_>>());
    }
    assert_eq!(geometry.circuits.len(), 2);
}

#[test]
fn cells_and_scores_show_the_pieces() {
    let state = position("6/1b4/6/6/4w1/5w b 0");
    let cells: Vec<_> = state.cells().into_iter().map(|cell| (cell.point, cell.owner, cell.pieces)).collect();
    assert_eq!(
        cells,
        [
            ("b2", Side::Black, "b".to_owned()),
            ("e5", Side::White, "w".to_owned()),
            ("f6", Side::White, "w".to_owned())
        ]
    );
    let [pieces] = state.scores().try_into().unwrap();
    assert_eq!((pieces.name, pieces.points), ("pieces", BySide { black: 1, white: 2 }));
}
