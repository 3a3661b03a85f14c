//! What Kvantumsakk says and shows: refusals, texts, views, ends. Chance plays in
//! `kvantumsakk_playouts`; what every game must do is in `conformance`.

use std::collections::BTreeSet;

use boardkeeper::rules::{
    Action, Breach, Game, MoveError, Options, Record, Setting, Settings, Shade, Side,
    kvantumsakk::{Kvantumsakk, KvantumsakkOptions},
};

pub(super) fn limit(moves: u32) -> KvantumsakkOptions {
    KvantumsakkOptions::read(&Settings::from([("move_limit".to_owned(), Setting::Number(moves))])).unwrap()
}

pub(super) fn position(text: &str) -> Kvantumsakk {
    Kvantumsakk::read_position(text, &KvantumsakkOptions::default()).unwrap()
}

pub(super) fn start() -> Kvantumsakk {
    Kvantumsakk::start(&KvantumsakkOptions::default())
}

pub(super) fn texts(state: &Kvantumsakk) -> Vec<String> {
    state.listing().into_iter().map(|view| view.text).collect()
}

/// Asserts that a breach is listed in the type with exactly its values.
pub(super) fn assert_listed(breach: &Breach) {
    let rule = Kvantumsakk::TYPE.rules.iter().find(|rule| rule.code == breach.code);
    let rule = rule.unwrap_or_else(|| panic!("{} is not listed", breach.code));
    let names: Vec<&str> = breach.values.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, rule.values, "{}", breach.code);
    assert!(!breach.sentence.is_empty() && !breach.sentence.ends_with('.'));
}

// === Moves ===

fn breach(position_text: &str, text: &str) -> Breach {
    match position(position_text).read_move(text) {
        Err(MoveError::Illegal(breach)) => breach,
        other => panic!("{text}: {other:?}"),
    }
}

const START: &str = "b4,b3,b5,b7,b8,b5,b3,b4/b1,b1,b1,b1,b1,b1,b1,b1/8/8/8/8/w1,w1,w1,w1,w1,w1,w1,w1/\
                     w4,w3,w5,w7,w8,w5,w3,w4 w KQkq a2a7b2b7c2c7d2d7e2e7f2f7g2g7h2h7 0";

/// Position, text, code, sentence.
#[rustfmt::skip]
const REFUSALS: [(&str, &str, &str, &str); 32] = [
    (START, "pass", "PASS_NOT_ALLOWED", "there is no passing in Kvantumsakk"),
    (START, "2:e2-e3", "NO_SUCH_PORTION", "no man is worth 2: a move takes 1, 3, 4, 5, 7 or 8 quanta"),
    (START, "1:e4-e5", "EMPTY_POINT", "e4 is empty"),
    (START, "1:e7-e6", "NOT_YOUR_PIECE", "the stack on e7 is Black's, and White is to move"),
    (START, "7:f1-f2", "STACK_TOO_SMALL", "the stack on f1 has only five"),
    (START, "1:a2-a2", "SAME_POINT", "a move ends on another square than a2, where it begins"),
    (START, "5:f1-f3", "WRONG_PATTERN",
     "a bishop's five move diagonally, and f3 does not lie so from f1"),
    (START, "1:a2-a5", "WRONG_PATTERN",
     "a pawn's one moves straight forward, and captures diagonally forward, and a5 does not lie so from a2"),
    (START, "1:b2-b1", "WRONG_PATTERN",
     "a pawn's one moves straight forward, and captures diagonally forward, and b1 does not lie so from b2"),
    (START, "4:a1-a3", "PATH_BLOCKED", "the path from a1 to a3 is blocked on a2"),
    ("4,b1,1,b8,1/4,b1,3/4,b1,3/8/4,w4,3/8/8/w8,7 w - - 0", "4:e4-e7", "PATH_BLOCKED",
     "the path from e4 to e7 is blocked on e6"),
    ("6,b1,b8/6,b1,b1/8/8/8/w3,7/w1,7/4,w8,3 w - a2 0", "1:a2-a4", "PATH_BLOCKED",
     "the path from a2 to a4 is blocked on a3"),
    (START, "1:e2-d3", "SINGLE_NEEDS_ENEMY",
     "one quantum goes diagonally only to capture, and no enemy is on d3"),
    (START, "1:d1-e2", "SINGLE_NEEDS_ENEMY",
     "one quantum goes diagonally only to capture, and no enemy is on e2"),
    (START, "1:d1-d3", "SINGLE_TOUCHED",
     "two forward only from an untouched single square, and d1 holds seven"),
    ("6,b1,b8/6,b1,b1/8/8/8/8/w1,7/4,w8,3 w - - 0", "1:a2-a4", "SINGLE_TOUCHED",
     "two forward only from an untouched single square, and a2 is none any more"),
    ("6,b1,b8/6,b1,b1/8/8/b1,7/8/w1,7/4,w8,3 w - a2 0", "1:a2xa4", "SINGLE_CAPTURES_DIAGONALLY",
     "one quantum captures diagonally only, and an enemy is on a4 straight ahead"),
    ("6,b1,b8/6,b1,b1/8/1,b1,b1,5/1,w1,6/8/8/4,w8,3 w - - 0", "1:b4xb5", "SINGLE_CAPTURES_DIAGONALLY",
     "one quantum captures diagonally only, and an enemy is on b5 straight ahead"),
    ("4,b8,3/8/8/8/8/8/8/4,w8,3 w - - 0", "4:e1xe8", "LAST_KING_PIECE",
     "e8 is Black's last king-piece, which can't be taken"),
    (START, "1:e1+e2", "NO_KING_PIECE_LEFT",
     "this would leave you without a king-piece: seven would stay on e1 and two stand on e2"),
    ("4,b8,3/4,b4,3/8/8/8/8/4,w3,3/4,w8,3 w - - 0", "3:e2-c3", "LEFT_IN_CHECK",
     "this would leave your only king-piece attacked: e1 from e7"),
    ("4,b8,3/4,b4,3/8/8/4,w8,3/8/4,w3,3/8 w - - 0", "3:e2-c3", "LEFT_IN_CHECK",
     "this would leave your only king-piece attacked: e4 from e7"),
    ("b4,5,b8,1/8/8/8/7,w9/2,b4,5/8/w8,7 w - - 0", "8:h4-h3", "LEFT_IN_CHECK",
     "this would leave all your king-pieces attacked: a1 from a8, h3 from c3"),
    (START, "3:b1xc3", "WRONG_SIGN", "c3 is empty, so the move is written 3:b1-c3"),
    (START, "4:a1xb1", "WRONG_SIGN", "b1 holds your own quanta, so the move is written 4:a1+b1"),
    (START, "O-O-O", "CASTLING_PATH_BLOCKED", "the rook passes b1 when it castles, so b1 must be empty"),
    ("6,b1,b8/6,b1,b1/8/8/8/8/8/4,w8,2,w4 w - - 0", "0-0", "CASTLING_RIGHT_LOST",
     "White can no longer castle on the king's side: something has left or landed on e1 or h1"),
    ("6,b1,b8/6,b1,b1/8/8/8/8/8/4,w8,1,b1,w4 w K - 0", "O-O", "CASTLING_ONTO_ENEMY",
     "castling captures nothing, and an enemy is on g1, where the king would land"),
    ("6,b1,b8/6,b1,b1/8/8/8/8/8/4,w8,b1,1,w4 w K - 0", "O-O", "CASTLING_ONTO_ENEMY",
     "castling captures nothing, and an enemy is on f1, where the rook would land"),
    ("3,b4,2,b1,b8/6,b1,b1/8/8/8/8/8/w4,3,w8,2,w4 w KQ - 0", "O-O-O", "CASTLING_ATTACKED",
     "the king may not castle through an attacked square: d1 is attacked from d8"),
    ("4,b4,1,b1,b8/6,b1,b1/8/8/8/8/8/w4,3,w8,2,w4 w KQ - 0", "O-O-O", "CASTLING_ATTACKED",
     "the king may not castle out of an attack: e1 is attacked from e8"),
    ("6,b1,b8/6,b1,b1/8/8/8/7,b3/8/w4,3,w8,2,w4 w KQ - 0", "O-O", "CASTLING_ATTACKED",
     "the king may not castle onto an attacked square: g1 is attacked from h3"),
];

#[test]
fn each_rule_says_what_is_wrong() {
    let mut reached = BTreeSet::new();
    for (position_text, text, code, sentence) in REFUSALS {
        let breach = breach(position_text, text);
        assert_listed(&breach);
        assert_eq!((breach.code, breach.sentence.as_str()), (code, sentence), "{text}");
        reached.insert(breach.code);
    }
    let listed: BTreeSet<&str> = Kvantumsakk::TYPE.rules.iter().map(|rule| rule.code).collect();
    assert_eq!(reached, listed);
}

#[test]
fn what_is_no_move_at_all_is_malformed() {
    let texts = [
        "",
        "e2e4",
        "1:e2",
        "1:e2-e9",
        "1:i2-e3",
        "1e2-e4",
        ":e2-e4",
        "01:e2-e4",
        "100:e2-e4",
        "+1:e2-e4",
        "1:e2 -e4",
        "1:e2=e4",
        "1:e2Xe4",
        "1:e2-e44",
        "1:\u{e9}2-e4",
        "1:e\u{e9}-e4",
        "o-o",
        "O-0",
        "O-O-O-O",
        "PASS",
        "resign",
    ];
    for text in texts {
        let error = start().read_move(text).unwrap_err();
        assert!(matches!(error, MoveError::Malformed { .. }), "{text}: {error:?}");
        assert!(error.to_string().contains("3:b1-c3"), "{error}");
    }
}

#[test]
fn views_show_what_a_move_does() {
    let view = |state: &Kvantumsakk, text: &str| state.describe(state.read_move(text).unwrap());
    let step = view(&start(), "3:b1-c3");
    assert_eq!((step.action, step.points, step.count), (Action::Step, vec!["b1", "c3"], 3));
    assert!(step.captures.is_empty() && step.merges.is_empty() && step.route.is_empty());

    let merge = view(&start(), "7:d1-e2");
    assert_eq!((merge.text.as_str(), merge.action, merge.count), ("7:d1+e2", Action::Merge, 7));
    let joined = &merge.merges[0];
    assert_eq!((joined.point, joined.owner, joined.count), ("e2", Side::White, 1));
    assert_eq!(joined.pieces, "w1");

    let state = position("6,b1,b8/w11,b12,4,b1,b1/8/8/8/8/8/4,w8,3 w - - 0");
    let capture = view(&state, "4:A7-B7");
    assert_eq!((capture.text.as_str(), capture.action), ("4:a7xb7", Action::Capture));
    let taken = &capture.captures[0];
    assert_eq!((taken.point, taken.owner, taken.count), ("b7", Side::Black, 12));
    assert_eq!(taken.pieces, "b12");

    let castling = view(&start(), "0-0");
    assert_eq!((castling.text.as_str(), castling.action), ("O-O", Action::Castle));
    assert_eq!((castling.points, castling.count), (vec!["e1", "g1"], 12));
    let joined: Vec<_> = castling.merges.iter().map(|taken| (taken.point, taken.count)).collect();
    assert_eq!(joined, [("f1", 5), ("g1", 3)]);
}

#[test]
fn castling_uses_up_both_rights_of_its_side() {
    let mut record = Record::<Kvantumsakk>::start(&KvantumsakkOptions::default());
    record.play("O-O").unwrap();
    assert_eq!(
        record.state().write_position(),
        "b4,b3,b5,b7,b8,b5,b3,b4/b1,b1,b1,b1,b1,b1,b1,b1/8/8/8/8/w1,w1,w1,w1,w1,w1,w1,w1/\
         w4,w3,w5,w7,1,w9,w11,1 b kq a2a7b2b7c2c7d2d7e2e7f2f7g2g7h2h7 1"
    );
}

#[test]
fn an_only_king_piece_attacks_with_what_it_can_spare() {
    let at = |count| format!("8/8/8/4,b{count},3/8/3,w8,4/8/8 b - - 0");
    let read = |count| Kvantumsakk::read_position(&at(count), &KvantumsakkOptions::default());
    assert!(read(10).is_ok());
    assert_eq!(read(11).unwrap_err().field, "turn", "eleven spare three, and give check like a knight");
}

// === Ends ===

#[test]
fn the_third_occurrence_and_the_move_limit_draw() {
    let shuffle = ["3:b1-c3", "3:b8-c6", "3:c3-b1", "3:c6-b8"];
    let ends = |options: &KvantumsakkOptions| {
        let mut record = Record::<Kvantumsakk>::start(options);
        let mut plies = 0;
        while record.outcome().is_none() {
            record.play(shuffle[plies % 4]).unwrap();
            plies += 1;
        }
        (plies, record.outcome().unwrap().reason)
    };
    assert_eq!(ends(&KvantumsakkOptions::default()), (8, "threefold"));
    assert_eq!(ends(&limit(8)), (8, "threefold"));
    assert_eq!(ends(&limit(7)), (7, "move_limit"));
    assert_eq!(ends(&limit(1)), (1, "move_limit"));
}

#[test]
fn untouched_squares_and_castling_rights_tell_positions_apart() {
    let board = "b4,3,b8,2,b4/b1,7/8/8/8/8/w1,7/w4,3,w8,2,w4";
    let with = |rest: &str| position(&format!("{board} {rest}"));
    let all = [with("w KQkq a2a7 0"), with("w KQk a2a7 0"), with("w KQkq a2 0"), with("b KQkq a2a7 0")];
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            assert_eq!(a.same_position(b), i == j);
            assert_eq!(a.key() == b.key(), i == j);
        }
    }
    assert!(all[0].same_position(&with("w KQkq a2a7 17")), "the counter is no part of the position");
}

#[test]
fn a_finished_position_starts_no_game() {
    let mated = "w4,6,b8/8/6,w8,1/8/8/8/8/8 b - - 0";
    let stalemated = "7,b8/5,w8,2/6,w1,1/8/8/8/8/8 b - - 0";
    for (text, reason) in [(mated, "mate"), (stalemated, "stalemate")] {
        let error = Record::<Kvantumsakk>::from_position(text, &KvantumsakkOptions::default()).unwrap_err();
        assert_eq!(error.field, "position", "{text}");
        assert!(error.expected.ends_with(reason), "{error}");
    }
}

// === Positions ===

#[test]
fn a_bad_position_names_the_field_at_fault() {
    let rows = "b4,5,b8,1/b1,7/8/8/8/8/w1,7/w4,3,w8,2,w4";
    let put = |rest: &str| format!("{rows} {rest}");
    let only = |rank: &str| format!("7,b8/{rank}/8/8/8/8/8/w8,7 w - - 0");
    let cases = [
        (put("w - - 0 "), "position", "five fields"),
        (put("w  - - 0"), "position", "five fields"),
        (put("w - 0"), "position", "five fields"),
        (format!(" {rows} w - - 0"), "position", "five fields"),
        ("8/8 w - - 0".to_owned(), "rows", "eight ranks"),
        (only("7"), "rows", "eight squares in rank 7"),
        (only("8,w1"), "rows", "eight squares in rank 7"),
        (only("7,w1,w1"), "rows", "eight squares in rank 7"),
        (only("w1,8"), "rows", "eight squares in rank 7"),
        (only("4,4"), "rows", "one number for each run of empty squares in rank 7"),
        (only("9"), "rows", "not \"9\", in rank 7"),
        (only("7,w0"), "rows", "not \"w0\", in rank 7"),
        (only("7,w01"), "rows", "not \"w01\", in rank 7"),
        (only("7,W1"), "rows", "not \"W1\", in rank 7"),
        (only("7,w48"), "rows", "not \"w48\", in rank 7"),
        (only("7,w99999999999"), "rows", "in rank 7"),
        (only("7,"), "rows", "not \"\", in rank 7"),
        (only("7,w40"), "rows", "at most 47 quanta for White, not 48"),
        ("7,b7/8/8/8/8/8/8/w8,7 w - - 0".to_owned(), "rows", "a king-piece for Black"),
        ("7,b8/8/8/8/8/8/8/w7,7 w - - 0".to_owned(), "rows", "a king-piece for White"),
        (put("W - - 0"), "turn", "w or b"),
        ("7,b8/8/8/8/8/8/8/w8,6,w4 w - - 0".to_owned(), "turn", "Black's king-pieces are all attacked"),
        (put("w QK - 0"), "castling", "in this order"),
        (put("w KK - 0"), "castling", "in this order"),
        (put("w K- - 0"), "castling", "in this order"),
        (put("w k - 0"), "castling", "no k unless Black's eight and four"),
        ("b8,7/8/8/8/8/8/8/4,w9,2,w4 w K - 0".to_owned(), "castling", "no K unless White's"),
        ("b8,7/8/8/8/8/8/8/4,w8,2,w5 w K - 0".to_owned(), "castling", "no K unless White's"),
        (put("w - a7a2 0"), "fresh", "in order of file"),
        (put("w - a2a2 0"), "fresh", "in order of file"),
        (put("w - A2 0"), "fresh", "in order of file"),
        (put("w - a2a 0"), "fresh", "in order of file"),
        (put("w - a2- 0"), "fresh", "in order of file"),
        (put("w - a\u{e9} 0"), "fresh", "in order of file"),
        (put("w - a2b2 0"), "fresh", "b2 is none"),
        (put("w - a1 0"), "fresh", "a1 is none"),
        ("7,b8/w1,7/8/8/8/8/8/w8,7 w - a7 0".to_owned(), "fresh", "a7 is none"),
        (put("w - - 00"), "quiet", "a number below 100"),
        (put("w - - 100"), "quiet", "a number below 100"),
        (put("w - - 70000"), "quiet", "a number below 100"),
        (put("w - - -1"), "quiet", "a number below 100"),
        (put("w - - x"), "quiet", "a number below 100"),
    ];
    for (text, field, expected) in cases {
        let error = Kvantumsakk::read_position(&text, &KvantumsakkOptions::default()).unwrap_err();
        assert_eq!(error.field, field, "{text}: {error}");
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
    let fitting = put("w KQ a2a7 99");
    assert!(Kvantumsakk::read_position(&fitting, &KvantumsakkOptions::default()).is_ok());
    assert_eq!(Kvantumsakk::read_position(&fitting, &limit(99)).unwrap_err().field, "quiet");
}

// === Everything else ===

#[test]
fn options_have_their_range_and_default() {
    let settings = |number| Settings::from([("move_limit".to_owned(), Setting::Number(number))]);
    assert_eq!(KvantumsakkOptions::default().move_limit(), 100);
    assert_eq!(KvantumsakkOptions::read(&Settings::new()), Ok(KvantumsakkOptions::default()));
    for number in [1, 37, 1000] {
        let options = KvantumsakkOptions::read(&settings(number)).unwrap();
        assert_eq!(options.to_settings(), settings(number));
        assert_eq!(Kvantumsakk::start(&options).options(), options);
    }
    for number in [0, 1001, 70000] {
        assert_eq!(KvantumsakkOptions::read(&settings(number)).unwrap_err().name, "move_limit");
    }
}

#[test]
fn the_board_is_a_chess_board() {
    let board = Kvantumsakk::geometry(&KvantumsakkOptions::default());
    let point = |name: &str| board.points.iter().find(|point| point.name == name).unwrap();
    let names: Vec<&str> = board.points.iter().map(|point| point.name).collect();
    assert_eq!((names.len(), names[0], names[7], names[8], names[63]), (64, "a8", "h8", "a7", "h1"));
    assert_eq!((point("a1").x, point("a1").y, point("a1").shade), (0.0, 7.0, Shade::Dark));
    assert_eq!((point("h8").x, point("h8").y, point("h8").shade), (7.0, 0.0, Shade::Dark));
    assert_eq!(point("h1").shade, Shade::Light);
    assert_eq!(point("a1").neighbours, ["a2", "b1", "b2"]);
    assert_eq!(point("e4").neighbours, ["d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]);
    assert_eq!(board.points.iter().filter(|point| point.shade == Shade::Light).count(), 32);
    assert!(board.points.iter().all(|point| point.playable));
}

#[test]
fn cells_and_scores_show_the_board() {
    let state = position("4,b8,1,b1,b8/6,b1,b1/8/8/4,w4,3/8/8/w12,7 w - - 0");
    let cells = state.cells();
    let shown = |i: usize| (cells[i].point, cells[i].owner, cells[i].count, cells[i].pieces.as_str());
    assert_eq!(shown(0), ("e8", Side::Black, 8, "b8"));
    assert_eq!(shown(6), ("a1", Side::White, 12, "w12"));
    assert_eq!(cells.len(), 7);
    let scores = state.scores();
    let score = |name| scores.iter().find(|score| score.name == name).unwrap().points;
    assert_eq!((score("quanta").white, score("quanta").black), (16, 19));
    assert_eq!((score("king_pieces").white, score("king_pieces").black), (1, 2));
}
