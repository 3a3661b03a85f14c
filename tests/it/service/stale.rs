//! A caller that has seen an older version, or that loses a race, changes nothing and is told so.

use std::time::Duration;

use boardkeeper::api::proto;
use prost::Message;
use tokio::{task::JoinSet, time::sleep};
use tonic::{Code, Status};

use super::{
    change::Change,
    house::House,
    portal::{Portal, assert_refused, assert_whole, metadata, reason},
};

/// A full board with captures for White, who is to move.
const FULL: &str = "bw-bb/bwbbww/-ww-wb-/bw-bb-bw/wbwwwbbwb/wb-ww-wb/-bb-ww-/wbbwbb/ww-bb w c 0 -";

/// A capture that is legal there.
const CAPTURE: &str = "a1xc3";

/// How many games are raced for: a tenth of what one server of a portal sees in a bad minute, so that
/// the tests stay short. The races are between calls of one game, so more games only repeat them.
const RACES: usize = 1_000;

/// Races a change of one portal against another's on many games, some of them at a time; both answers
/// and the history of each.
async fn race(
    [one, other]: &[Portal; 2],
    races: usize,
    change: fn(&str) -> Change,
    against: fn(&str) -> Change,
) -> Vec<(Outcome, Outcome, Vec<proto::Event>)> {
    let mut games = JoinSet::new();
    let mut outcomes = Vec::with_capacity(races);
    for number in 0..races {
        let (one, other) = (one.clone(), other.clone());
        if 32 < games.len() {
            outcomes.extend(games.join_next().await.map(|joined| joined.expect("no panic")));
        }
        games.spawn(async move {
            let game = one.create_from("quantum-control", FULL).await.id;
            let (change, against) = (change(&game), against(&game));
            // Each has the start in turn, by different times: one may have more to do than the other.
            let start = Duration::from_millis((1 << (number / 2 % 8)) - 1);
            let (early, late) =
                if number % 2 == 0 { (Duration::ZERO, start) } else { (start, Duration::ZERO) };
            let first = async {
                sleep(early).await;
                Outcome::of(change.send(&one).await)
            };
            let second = async {
                sleep(late).await;
                Outcome::of(against.send(&other).await)
            };
            let (first, second) = tokio::join!(first, second);
            (first, second, one.history(&game).await)
        });
    }
    outcomes.extend(games.join_all().await);
    outcomes
}

/// How a call of a race ended.
#[derive(Clone, PartialEq, Debug)]
enum Outcome {
    Won(Box<proto::Event>),
    Lost(Code, String),
}

impl Outcome {
    fn of(answer: Result<super::change::Changed, Status>) -> Outcome {
        match answer {
            Ok(answer) => Outcome::Won(Box::new(answer.event.expect("an event"))),
            Err(status) => Outcome::Lost(status.code(), reason(&status)),
        }
    }

    fn lost(code: Code, why: &str) -> Outcome {
        Outcome::Lost(code, why.to_owned())
    }
}

/// Asserts that each race ended as one of the two calls after the other would: the history is that of
/// the winner, and the loser was refused for what the winner had done. How often the first one won.
fn assert_serial(races: &[(Outcome, Outcome, Vec<proto::Event>)], after: [Outcome; 2]) -> usize {
    let [first_after_second, second_after_first] = after;
    let mut won = 0;
    for (first, second, history) in races {
        assert_whole(history);
        assert_eq!(history.len(), 2);
        match (first, second) {
            (Outcome::Won(event), loser) => {
                won += 1;
                assert_eq!((event.as_ref(), loser), (&history[1], &second_after_first));
            }
            (loser, Outcome::Won(event)) => {
                assert_eq!((event.as_ref(), loser), (&history[1], &first_after_second));
            }
            both => panic!("nobody won: {both:?}"),
        }
    }
    won
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c2_a_move_and_a_resignation_at_once_happen_one_after_the_other() {
    let house = House::open().await;
    a_move_and_a_resignation_at_once(&[house.portal().await, house.portal().await], RACES).await;
}

pub(super) async fn a_move_and_a_resignation_at_once(portals: &[Portal; 2], races: usize) {
    let submit = |game: &str| Change::submit(game, 1, CAPTURE);
    let resign = |game: &str| Change::each(game, 1, CAPTURE).swap_remove(2);
    let raced = race(portals, races, submit, resign).await;
    assert_eq!(raced.len(), races);
    let over = Outcome::lost(Code::FailedPrecondition, "GAME_OVER");
    let stale = Outcome::lost(Code::Aborted, "VERSION_MISMATCH");
    let moves = assert_serial(&raced, [over, stale]);
    assert!(0 < moves && moves < races, "{moves} of {races}: one of the two always wins");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c13_the_portals_clock_and_a_move_at_once_happen_one_after_the_other() {
    let house = House::open().await;
    the_portals_clock_and_a_move_at_once(&[house.portal().await, house.portal().await], RACES).await;
}

pub(super) async fn the_portals_clock_and_a_move_at_once(portals: &[Portal; 2], races: usize) {
    let submit = |game: &str| Change::submit(game, 1, CAPTURE);
    let end = |game: &str| Change::each(game, 1, CAPTURE).swap_remove(3);
    let raced = race(portals, races, end, submit).await;
    let stale = Outcome::lost(Code::Aborted, "VERSION_MISMATCH");
    let over = Outcome::lost(Code::FailedPrecondition, "GAME_OVER");
    let ends = assert_serial(&raced, [stale, over]);
    assert!(0 < ends && ends < races, "{ends} of {races}: one of the two always wins");
}

#[tokio::test]
async fn c3_the_loser_of_a_race_is_told_what_has_become_of_the_game() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = portal.create_from("quantum-control", FULL).await;
    let (one, other) = (Change::submit(&game.id, 1, CAPTURE), Change::submit(&game.id, 1, "pass"));
    let (one, other) = tokio::join!(one.send(&portal), other.send(&portal));
    let (won, lost) = match (one, other) {
        (Ok(won), lost) | (lost, Ok(won)) => (won, lost),
        both => panic!("nobody won: {both:?}"),
    };
    let status = assert_refused(lost, Code::Aborted, "VERSION_MISMATCH");
    assert_eq!(metadata(&status, "current_version"), won.game.version.to_string());
    let digest: String = won.game.digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(metadata(&status, "current_digest"), digest);
    assert!(status.message().contains("version 2"), "{}", status.message());
}

/// A game at version 3, where White can capture, and what was legal at version 1 still is.
async fn third_version(portal: &Portal) -> proto::Game {
    let start = "..-../....../-..-..-/..-..-../..bbwwwb./..-..-../-..-..-/....../..-.. w c 0 b";
    let game = portal.create_from("quantum-control", start).await;
    portal.submit(&game.id, 1, "e7xe8").await.expect("legal");
    portal.submit(&game.id, 2, "pass").await.expect("legal").game.expect("a game")
}

#[tokio::test]
async fn c5_a_refused_call_leaves_the_game_as_it_was() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = third_version(&portal).await;
    let used = portal.history(&game.id).await[1].request_id.clone();
    let bytes = async || {
        let events = portal.history(&game.id).await;
        let log: Vec<Vec<u8>> = events.iter().map(Message::encode_to_vec).collect();
        (portal.get(&game.id).await.expect("kept").encode_to_vec(), log)
    };
    let before = bytes().await;
    let mut refused = 0;
    for text in ["", "e5", "e5+e7", "e5xe9", "e3xe5", "d4xe5", "z9xa1", "EE5XE4", "pass!", "e6xe4,"] {
        portal.submit(&game.id, game.version, text).await.expect_err(text);
        refused += 1;
    }
    let stale = [1, 2, 4, u64::MAX].into_iter().flat_map(|version| Change::each(&game.id, version, "pass"));
    for change in stale {
        change.send(&portal).await.expect_err("a stale version");
        refused += 1;
    }
    for change in wrong(&game, &used) {
        change.send(&portal).await.expect_err("a wrong request");
        refused += 1;
    }
    assert_eq!(refused, 10 + 24 + 9);
    assert_eq!(bytes().await, before);
    // What is in the store is the same too, not only what this server has in memory.
    let house = House::open_in(house.stop().await, |_| ()).await;
    let portal = house.portal().await;
    let log: Vec<Vec<u8>> = portal.history(&game.id).await.iter().map(Message::encode_to_vec).collect();
    assert_eq!((portal.get(&game.id).await.expect("kept").encode_to_vec(), log), before);
}

/// Requests at the right version that are refused for something else.
fn wrong(game: &proto::Game, used_id: &str) -> Vec<Change> {
    let mut wrong = Vec::new();
    let mut push = |index: usize, spoil: &dyn Fn(&mut Change)| {
        let mut change = Change::each(&game.id, game.version, "pass").swap_remove(index);
        spoil(&mut change);
        wrong.push(change);
    };
    push(0, &|change| {
        let Change::Submit(request) = change else { return };
        request.side = proto::Side::Black.into();
    });
    push(0, &|change| {
        let Change::Submit(request) = change else { return };
        used_id.clone_into(&mut request.request_id);
    });
    push(0, &|change| {
        let Change::Submit(request) = change else { return };
        request.r#move = None;
    });
    push(1, &|change| {
        let Change::Pass(request) = change else { return };
        request.side = proto::Side::Black.into();
    });
    push(1, &|change| {
        let Change::Pass(request) = change else { return };
        request.request_id = "no UUID".to_owned();
    });
    push(2, &|change| {
        let Change::Resign(request) = change else { return };
        request.side = proto::Side::Unspecified.into();
    });
    push(3, &|change| {
        let Change::End(request) = change else { return };
        request.reason = proto::EndReason::Agreement.into();
    });
    push(4, &|change| {
        let Change::Bot(request) = change else { return };
        request.level = 6;
    });
    push(4, &|change| {
        let Change::Bot(request) = change else { return };
        request.limits = Some(proto::SearchLimits { depth: 13, ..Default::default() });
    });
    wrong
}

#[tokio::test]
async fn c6_a_move_from_a_stale_board_is_refused_even_where_it_is_legal_now() {
    let house = House::open().await;
    let portal = house.portal().await;
    moves_from_a_stale_board(&portal, &portal).await;
}

/// One portal brings a game to its third version, and the other moves.
pub(super) async fn moves_from_a_stale_board(ahead: &Portal, portal: &Portal) {
    let game = third_version(ahead).await;
    let legal = portal.legal(&game.id).await;
    assert!(1 < legal.len(), "{legal:?}");
    for text in &legal {
        for version in [game.version - 1, game.version - 2] {
            let refused = portal.submit(&game.id, version, text).await;
            let status = assert_refused(refused, Code::Aborted, "VERSION_MISMATCH");
            assert_eq!(metadata(&status, "current_version"), "3");
        }
    }
    // A preview too is of the board that the caller sees.
    let stale = proto::SubmitMoveRequest {
        game_id: game.id.clone(),
        expected_version: 2,
        r#move: Some(proto::submit_move_request::Move::Text(legal[0].clone())),
        validate_only: true,
        ..Default::default()
    };
    let refused = portal.client.clone().submit_move(stale).await;
    assert_refused(refused, Code::Aborted, "VERSION_MISMATCH");
    portal.submit(&game.id, game.version, &legal[0]).await.expect("legal at its version");
}

#[tokio::test]
async fn c7_no_conflict_of_versions_is_an_invalid_argument() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = third_version(&portal).await;
    for version in [1, 2] {
        // Illegal and unreadable moves come to the same: the version is looked at first.
        let moves = ["pass", "e5", "rubbish"].map(|text| Change::submit(&game.id, version, text));
        for change in Change::each(&game.id, version, "pass").into_iter().chain(moves) {
            let status = assert_refused(change.send(&portal).await, Code::Aborted, "VERSION_MISMATCH");
            assert_eq!(metadata(&status, "current_version"), "3", "{change:?}");
        }
    }
}

/// What a caller has seen, and the game does not hold, a failover of the store has lost.
#[tokio::test]
async fn a_version_that_is_ahead_of_the_game_or_has_another_digest_is_lost_history() {
    let house = House::open().await;
    let portal = house.portal().await;
    let game = third_version(&portal).await;
    for version in [4, 5, u64::MAX] {
        for change in Change::each(&game.id, version, "pass") {
            let status = assert_refused(change.send(&portal).await, Code::DataLoss, "HISTORY_DIVERGED");
            assert_eq!(metadata(&status, "current_version"), "3", "{change:?}");
        }
    }
    for (version, digest, expected) in [
        (3, vec![7; 32], "HISTORY_DIVERGED"),
        (2, vec![7; 32], "VERSION_MISMATCH"),
        (3, vec![7; 31], "MALFORMED_REQUEST"),
    ] {
        for change in Change::each(&game.id, version, "pass") {
            let answer = change.clone().seen(digest.clone()).send(&portal).await;
            let refused = answer.expect_err("another history");
            assert_eq!(reason(&refused), expected, "{change:?}");
        }
    }
    let resignation = Change::each(&game.id, 3, "pass").swap_remove(2).seen(game.digest.to_vec());
    assert_eq!(resignation.send(&portal).await.expect("as it was seen").game.version, 4);
}
