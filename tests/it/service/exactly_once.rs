//! The same request, however often and however late it comes, changes a game once.

use boardkeeper::api::proto;
use tokio::task::JoinSet;
use tonic::{Code, Status};

use super::{
    change::{Change, Changed},
    house::{House, connect_later},
    portal::{Portal, assert_refused, assert_whole, metadata, request_id},
    until::until,
};
use crate::proxy::{Cut, Proxy};

/// A full board with captures for White, who is to move.
const FULL: &str = "bw-bb/bwbbww/-ww-wb-/bw-bb-bw/wbwwwbbwb/wb-ww-wb/-bb-ww-/wbbwbb/ww-bb w c 0 -";

/// A capture that is legal there.
const CAPTURE: &str = "a1xc3";

/// Black's capture takes the last white stone.
const LAST_CAPTURE: &str = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. b c 0 w";

/// White has to pass, after a pass of Black.
const LAST_PASS: &str = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. w c 1 w";

/// Four connections.
async fn four(house: &House) -> [Portal; 4] {
    [house.portal().await, house.portal().await, house.portal().await, house.portal().await]
}

/// Sends one call a hundred times at once, over several connections.
async fn hundredfold(portals: &[Portal], call: impl Fn(usize) -> Change) -> Vec<Result<Changed, Status>> {
    let mut calls = JoinSet::new();
    for number in 0..100 {
        let (portal, change) = (portals[number % portals.len()].clone(), call(number));
        calls.spawn(async move { change.send(&portal).await });
    }
    calls.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c1_one_request_sent_a_hundred_times_at_once_makes_one_event() {
    let house = House::open().await;
    one_request_a_hundred_times_at_once(&four(&house).await).await;
}

pub(super) async fn one_request_a_hundred_times_at_once(portals: &[Portal]) {
    let portal = &portals[0];
    let game = portal.create_from("quantum-control", FULL).await;
    let change = Change::submit(&game.id, 1, CAPTURE);
    let answers = hundredfold(portals, |_| change.clone()).await;
    let answers: Vec<Changed> = answers.into_iter().map(|answer| answer.expect("the one answer")).collect();
    assert_eq!(answers.iter().filter(|answer| !answer.replayed).count(), 1);
    let plain = |answer: &Changed| Changed { replayed: false, ..answer.clone() };
    assert!(answers.iter().all(|answer| plain(answer) == plain(&answers[0])));
    assert_eq!(portal.get(&game.id).await.expect("kept"), answers[0].game);
    let history = portal.history(&game.id).await;
    assert_whole(&history);
    assert_eq!((history.len(), history[1].request_id.as_str()), (2, change.id()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c1_a_hundred_requests_for_one_version_make_one_event() {
    let house = House::open().await;
    a_hundred_requests_for_one_version(&four(&house).await).await;
}

pub(super) async fn a_hundred_requests_for_one_version(portals: &[Portal]) {
    let portal = &portals[0];
    let game = portal.create_from("quantum-control", FULL).await;
    let answers = hundredfold(portals, |_| Change::submit(&game.id, 1, CAPTURE)).await;
    let mut won = 0;
    for answer in answers {
        match answer {
            Ok(answer) => {
                assert!(!answer.replayed);
                won += 1;
            }
            refused => {
                let status = assert_refused(refused, Code::Aborted, "VERSION_MISMATCH");
                assert_eq!(metadata(&status, "current_version"), "2");
            }
        }
    }
    assert_eq!((won, portal.history(&game.id).await.len()), (1, 2));
}

/// One of each kind of change, each with the id of a new game of its own that it goes on from, or
/// that it begins.
async fn each_on_its_own(portal: &Portal, position: &str, text: &str) -> Vec<(String, Change)> {
    let mut changes = Vec::new();
    for change in Change::each("", 1, text) {
        let game = portal.create_from("quantum-control", position).await;
        changes.push((game.id.clone(), change.on(&game.id)));
    }
    changes
}

/// The version of a game; 0 where there is none.
async fn version(portal: &Portal, id: &str) -> u64 {
    portal.get(id).await.map_or(0, |game| game.version)
}

/// Sends a change whose answer is lost after it is in the store.
async fn send_and_lose_the_answer(change: &Change, game: &str, proxy: &Proxy, direct: &Portal) -> Status {
    let before = version(direct, game).await;
    proxy.swallow_replies();
    let through = Portal::new(connect_later(proxy.address()));
    let sent = change.clone();
    let call = tokio::spawn(async move { sent.send(&through).await });
    until("the change is in the store", async || before < version(direct, game).await).await;
    proxy.cut();
    call.await.expect("no panic").expect_err("the answer was lost")
}

#[tokio::test]
async fn c8_a_call_whose_answer_was_lost_is_sent_again_and_answered() {
    let house = House::open().await;
    let direct = house.portal().await;
    let proxy = Proxy::to(house.address()).await;
    let mut changes = each_on_its_own(&direct, FULL, CAPTURE).await;
    changes.push(("begun".to_owned(), Change::create("begun")));
    let record = r#"{"format":"boardkeeper-game/1","game_type":"quantum-control","moves":["e5"]}"#;
    changes.push(("brought".to_owned(), Change::import("brought", record)));
    for (game, change) in changes {
        send_and_lose_the_answer(&change, &game, &proxy, &direct).await;
        let kept = direct.get(&game).await.expect("it is in the store");
        let through = Portal::new(connect_later(proxy.address()));
        let again = change.send(&through).await.unwrap_or_else(|status| panic!("{change:?}: {status}"));
        assert!(again.replayed, "{change:?}");
        assert_eq!(again.game, kept, "{change:?}");
        let history = direct.history(&game).await;
        assert_whole(&history);
        let made = history.iter().filter(|event| event.request_id == change.id()).count();
        assert_eq!((made, history.len() as u64), (1, kept.version), "{change:?}");
    }
}

#[tokio::test]
async fn c10_a_client_that_sends_again_by_itself_changes_a_game_once() {
    let house = House::open().await;
    let direct = house.portal().await;
    let proxy = Proxy::to(house.address()).await;
    for (game, change) in each_on_its_own(&direct, FULL, CAPTURE).await {
        let lost = send_and_lose_the_answer(&change, &game, &proxy, &direct).await;
        // The transport failed, which is what a retry policy looks at; the service has refused nothing.
        assert!(lost.details().is_empty(), "{lost:?}");
        // The next two attempts are cut as well, at once and within the reply.
        for replies in [0, 200] {
            let cut = Cut { requests: None, replies: Some(replies) };
            let worse = Proxy::cutting(house.address(), cut).await;
            let through = Portal::new(connect_later(worse.address()));
            change.send(&through).await.expect_err("the connection is cut");
        }
        let through = Portal::new(connect_later(proxy.address()));
        let answer = change.send(&through).await.expect("the last attempt");
        assert!(answer.replayed);
        assert_eq!((answer.game.version, direct.history(&game).await.len()), (2, 2), "{change:?}");
    }
}

/// A connection that is cut after any number of bytes, in either direction, leaves a call that can
/// be sent again, and that has happened once then.
#[tokio::test]
async fn cut_anywhere_a_call_is_sent_again_and_happens_once() {
    let house = House::open().await;
    let direct = house.portal().await;
    // A whole exchange has some 600 bytes of requests and 1100 of replies.
    let requests = (0..700).step_by(13).map(|at| Cut { requests: Some(at), replies: None });
    let replies = (0..1200).step_by(17).map(|at| Cut { requests: None, replies: Some(at) });
    let (mut lost, mut arrived) = (0, 0);
    for cut in requests.chain(replies) {
        let game = direct.create_from("quantum-control", FULL).await;
        let change = Change::submit(&game.id, 1, CAPTURE);
        let proxy = Proxy::cutting(house.address(), cut).await;
        let through = Portal::new(connect_later(proxy.address()));
        match change.send(&through).await {
            Ok(answer) => {
                arrived += 1;
                assert!(!answer.replayed, "{cut:?}");
            }
            Err(_) => lost += 1,
        }
        let answer = change.send(&direct).await.unwrap_or_else(|status| panic!("{cut:?}: {status}"));
        let history = direct.history(&game.id).await;
        assert_whole(&history);
        assert_eq!((answer.game.version, history.len()), (2, 2), "{cut:?}");
        assert_eq!(history[1].request_id, change.id(), "{cut:?}");
    }
    assert!(0 < lost && 0 < arrived, "{lost} lost, {arrived} arrived: the cuts miss the exchange");
}

#[tokio::test]
async fn c11_the_request_that_ended_a_game_is_answered_after_the_end() {
    let house = House::open().await;
    let portal = house.portal().await;
    let mut changes = each_on_its_own(&portal, LAST_PASS, "pass").await;
    let game = portal.create_from("quantum-control", LAST_CAPTURE).await;
    changes.push((game.id.clone(), Change::submit(&game.id, 1, "e5xe6")));
    let mut answers = Vec::new();
    for (_, change) in &changes {
        let answer = change.send(&portal).await.expect("it ends the game");
        assert_eq!(answer.game.status(), proto::GameStatus::Finished, "{change:?}");
        answers.push(Changed { replayed: true, ..answer });
    }
    for ((_, change), first) in changes.iter().zip(&answers) {
        assert_eq!(change.send(&portal).await.as_ref().expect("the answer again"), first);
        let other = change.clone().anew().send(&portal).await;
        // An equal order for a bot's move is answered with the move that was made for it.
        if !matches!(change, Change::Bot(_) | Change::BotStream(_)) {
            assert_refused(other, Code::FailedPrecondition, "GAME_OVER");
        }
    }
    // A server that has only the store remembers as well.
    let house = House::open_in(house.stop().await, |_| ()).await;
    let portal = house.portal().await;
    for ((game, change), first) in changes.iter().zip(&answers) {
        assert_eq!(change.send(&portal).await.as_ref().expect("the answer again"), first);
        assert_eq!(portal.history(game).await.len(), 2);
    }
}

#[tokio::test]
async fn an_id_used_for_one_thing_is_refused_for_another() {
    let house = House::open().await;
    let portal = house.portal().await;
    let id = request_id();
    let game = portal.create_from("quantum-control", FULL).await;
    let played = portal.submit_as(&game.id, 1, CAPTURE, &id).await.expect("legal");
    let game = played.game.expect("a game");
    for (version, text) in [(1, "pass"), (2, CAPTURE), (2, "pass")] {
        let refused = portal.submit_as(&game.id, version, text, &id).await;
        assert_refused(refused, Code::InvalidArgument, "REQUEST_ID_REUSED");
    }
    // The id is the game's: another game may use it.
    let other = portal.create_from("quantum-control", FULL).await;
    let played = portal.submit_as(&other.id, 1, CAPTURE, &id).await.expect("legal there");
    assert!(!played.replayed);
    assert_eq!(portal.get(&game.id).await.expect("kept"), game);
}
