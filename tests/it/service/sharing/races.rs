//! The same games through two servers at once.

use super::row::Row;
use crate::service::{exactly_once, stale};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c1_one_request_sent_a_hundred_times_through_two_servers_makes_one_event() {
    let row = Row::open().await;
    exactly_once::one_request_a_hundred_times_at_once(&row.portals().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c1_a_hundred_requests_for_one_version_through_two_servers_make_one_event() {
    let row = Row::open().await;
    exactly_once::a_hundred_requests_for_one_version(&row.portals().await).await;
}

/// Fewer than through one server: each of them waits for the disk.
const RACES: usize = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c2_a_move_and_a_resignation_through_two_servers_happen_one_after_the_other() {
    let row = Row::open().await;
    stale::a_move_and_a_resignation_at_once(&row.portals().await, RACES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c13_the_portals_clock_and_a_move_through_two_servers_happen_one_after_the_other() {
    let row = Row::open().await;
    stale::the_portals_clock_and_a_move_at_once(&row.portals().await, RACES).await;
}

#[tokio::test]
async fn c6_a_move_from_a_board_that_another_server_has_left_is_refused() {
    let row = Row::open().await;
    let [ahead, behind] = row.portals().await;
    stale::moves_from_a_stale_board(&ahead, &behind).await;
}
