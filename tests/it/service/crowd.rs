use std::collections::BTreeMap;

use boardkeeper::api::proto::{
    Cursor, Event, Game, WatchGamesRequest, WatchGamesResponse, WatchedGame, watch_games_response::Frame,
};
use tonic::{Status, Streaming};

use super::{portal::Portal, reader::next};

/// A watcher of many games on one stream, which asserts that within each game no version is left
/// out, comes twice, or goes down.
pub(super) struct Crowd {
    stream: Streaming<WatchGamesResponse>,
    /// How far each game is.
    places: BTreeMap<String, u64>,
    pub(super) snapshots: BTreeMap<String, Game>,
    pub(super) events: BTreeMap<String, Vec<Event>>,
    /// How often everything that existed was said to have come.
    pub(super) current: usize,
    pub(super) heartbeats: usize,
}

/// A game to watch from a place on, or from a snapshot.
pub(super) fn watched(game: &Game, after: Option<Cursor>) -> WatchedGame {
    WatchedGame { game_id: game.id.clone(), after }
}

impl Crowd {
    pub(super) async fn watch(portal: &Portal, request: WatchGamesRequest) -> Result<Crowd, Status> {
        let places = request.games.iter().filter_map(|game| {
            let after = game.after.as_ref()?;
            Some((game.game_id.clone(), after.version))
        });
        let places = places.collect();
        let stream = portal.client.clone().watch_games(request).await?.into_inner();
        let (snapshots, events) = (BTreeMap::new(), BTreeMap::new());
        Ok(Crowd { stream, places, snapshots, events, current: 0, heartbeats: 0 })
    }

    /// All games of the tenant, as far as they go on.
    pub(super) async fn watch_all(portal: &Portal) -> Crowd {
        let request = WatchGamesRequest { all: true, ..Default::default() };
        Crowd::watch(portal, request).await.expect("it begins")
    }

    /// The next frame: `None` is OK.
    pub(super) async fn frame(&mut self) -> Result<Option<WatchGamesResponse>, Status> {
        let Some(response) = next(&mut self.stream).await? else { return Ok(None) };
        self.take(&response);
        Ok(Some(response))
    }

    fn take(&mut self, response: &WatchGamesResponse) {
        let id = response.game_id.clone();
        match response.frame.as_ref().expect("a frame is something") {
            Frame::Snapshot(game) => {
                assert_eq!(game.id, id);
                let before = self.places.insert(id.clone(), game.version);
                assert_eq!(before, None, "a snapshot of a game whose place is known");
                self.snapshots.insert(id, game.clone());
            }
            Frame::Event(event) => {
                // A game that nobody has named came into being meanwhile.
                let place = self.places.entry(id.clone()).or_default();
                assert_eq!(event.version, *place + 1, "a gap, a repetition or a step back");
                *place = event.version;
                self.events.entry(id).or_default().push(event.clone());
            }
            Frame::Heartbeat(heartbeat) => {
                assert_eq!((id.as_str(), &heartbeat.cursor), ("", &None));
                assert!(heartbeat.time.is_some());
                self.heartbeats += 1;
            }
            Frame::Current(current) => {
                assert_eq!(id, "");
                assert!(current.time.is_some());
                self.current += 1;
            }
            Frame::GoingAway(_) => assert_eq!(id, ""),
        }
    }

    /// Reads on until a state is reached.
    pub(super) async fn read_until(&mut self, there: impl Fn(&Crowd) -> bool) {
        while !there(self) {
            assert!(self.frame().await.expect("the stream goes on").is_some(), "the stream ended with OK");
        }
    }

    /// Reads on until the stream ends with OK.
    pub(super) async fn rest(&mut self) {
        while self.frame().await.expect("the stream goes on").is_some() {}
    }

    /// How far a game is; 0 is before its creation.
    pub(super) fn place(&self, game: &Game) -> u64 {
        self.places.get(&game.id).copied().unwrap_or_default()
    }

    /// How many events the games have together, as far as they have come.
    pub(super) fn places_summed(&self) -> u64 {
        self.places.values().sum()
    }

    /// The games that have been heard of.
    pub(super) fn games(&self) -> Vec<String> {
        let mut games: Vec<String> = self.snapshots.keys().chain(self.events.keys()).cloned().collect();
        games.sort();
        games.dedup();
        games
    }
}
