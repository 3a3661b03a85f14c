//! Servers that are killed while portals play, again and again over one store.

use super::{house::Process, load::Load};

#[tokio::test]
async fn r11_a_killed_server_loses_no_acknowledged_event_and_lists_what_can_be_read() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut load = Load::new();
    // Early, while games begin, and in the middle of play.
    for acks in [1, 9, 60, 250, 30, 400] {
        let server = Process::start(dir.path(), &[]).await;
        load.play_until(server, acks, async |server| server.kill()).await;
        let server = Process::start(dir.path(), &[]).await;
        let portal = server.portal().await;
        load.check(&portal).await;
        load.settle(&portal).await;
        load.check(&portal).await;
        server.kill();
    }
    assert!(750 <= load.told());
}
