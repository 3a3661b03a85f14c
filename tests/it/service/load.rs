use std::collections::{BTreeMap, BTreeSet};

use boardkeeper::api::proto;
use tokio::task::JoinSet;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::{
    house::Process,
    portal::{Portal, assert_whole, request_id},
    recorded::{self, Recorded},
};

/// How many portals play at once.
const PORTALS: usize = 8;

/// Portals that play recorded games on a server until it dies, and go on with another one over the
/// same store. Each knows what it was told.
pub(super) struct Load {
    games: Vec<Recorded>,
    tables: Vec<Table>,
}

/// One game, and what its portal was told about it.
struct Table {
    id: String,
    /// Which recorded game is played.
    game: usize,
    /// What was acknowledged: the event of version 1, 2, ...
    told: Vec<Told>,
    /// The id of a request whose answer never came.
    unanswered: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
struct Told {
    request: String,
    digest: Vec<u8>,
}

impl Load {
    pub(super) fn new() -> Load {
        Load { games: recorded::games("quantum-control"), tables: Vec::new() }
    }

    /// How many events were acknowledged so far.
    pub(super) fn told(&self) -> usize {
        self.tables.iter().map(|table| table.told.len()).sum()
    }

    /// Plays on the server until `acks` more events were acknowledged, then ends it with `end`, in
    /// the middle of everybody's play.
    pub(super) async fn play_until<T>(
        &mut self,
        server: Process,
        acks: usize,
        end: impl AsyncFnOnce(Process) -> T,
    ) -> T {
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let mut portals = JoinSet::new();
        let mut hands: Vec<Vec<Table>> = (0..PORTALS).map(|_| Vec::new()).collect();
        for (index, table) in self.tables.drain(..).enumerate() {
            hands[index % PORTALS].push(table);
        }
        for (number, tables) in hands.into_iter().enumerate() {
            let (portal, games, tell) = (server.portal().await, self.games.clone(), tell.clone());
            portals.spawn(play(portal, number, games, tables, tell));
        }
        for _ in 0..acks {
            told.recv().await.expect("the portals play until the server has gone");
        }
        let ended = end(server).await;
        self.tables = portals.join_all().await.into_iter().flatten().collect();
        ended
    }

    /// Asserts that the server has all that was acknowledged, and of what was not, all or nothing.
    pub(super) async fn check(&self, portal: &Portal) {
        for table in &self.tables {
            table.check(portal).await;
        }
        self.check_listing(portal).await;
    }

    /// Asserts that listings hold the games that can be read, and those only.
    async fn check_listing(&self, portal: &Portal) {
        let all = list(portal, proto::ListGamesRequest::default()).await;
        for table in &self.tables {
            let readable = portal.get(&table.id).await.ok();
            let listed = all.get(&table.id);
            assert_eq!(listed.copied(), readable.as_ref().map(|game| game.status()), "{}", table.id);
            assert!(readable.is_some() || table.told.is_empty(), "{} is lost", table.id);
        }
        let known: BTreeSet<&String> = self.tables.iter().map(|table| &table.id).collect();
        assert!(all.keys().all(|id| known.contains(id)), "games that nobody has begun are listed");
        for status in [proto::GameStatus::Running, proto::GameStatus::Finished] {
            let filter = proto::ListGamesRequest { status: status.into(), ..Default::default() };
            let of_status = all.iter().filter(|(_, of)| **of == status);
            let expected: BTreeMap<_, _> = of_status.map(|(id, of)| (id.clone(), *of)).collect();
            assert_eq!(list(portal, filter).await, expected);
        }
    }

    /// Sends again what was not answered, and asserts that it happened once.
    pub(super) async fn settle(&mut self, portal: &Portal) {
        for table in &mut self.tables {
            if table.unanswered.is_some() {
                table.go_on(portal, &self.games).await.expect("the server answers");
            }
            table.check(portal).await;
            let history = portal.history(&table.id).await;
            assert_eq!(history.len(), table.told.len(), "{}: more has happened than was asked for", table.id);
        }
    }
}

/// Plays games on until the server does not answer; first those that were begun.
async fn play(
    portal: Portal,
    number: usize,
    games: Vec<Recorded>,
    mut tables: Vec<Table>,
    tell: tokio::sync::mpsc::UnboundedSender<()>,
) -> Vec<Table> {
    loop {
        let open = tables.iter().position(|table| !table.over(&games));
        let index = open.unwrap_or_else(|| {
            tables.push(Table::new((number + tables.len() * PORTALS) % games.len()));
            tables.len() - 1
        });
        match tables[index].go_on(&portal, &games).await {
            // Nobody counts any more once the server is being ended.
            Ok(()) => drop(tell.send(())),
            Err(status) => {
                assert_lost(&status);
                return tables;
            }
        }
    }
}

/// Asserts that a call failed because the server has gone, not because it was refused.
fn assert_lost(status: &Status) {
    let reason = status.get_error_details().error_info().map(|info| info.reason.clone());
    let gone = match reason.as_deref() {
        None => matches!(status.code(), Code::Unavailable | Code::Cancelled | Code::Unknown | Code::Internal),
        Some(reason) => ["DRAINING", "COMMIT_UNKNOWN"].contains(&reason),
    };
    assert!(gone, "{status:?}");
}

impl Table {
    fn new(game: usize) -> Table {
        Table { id: request_id(), game, told: Vec::new(), unanswered: None }
    }

    fn over(&self, games: &[Recorded]) -> bool {
        self.told.len() == 1 + games[self.game].moves.len()
    }

    /// Makes the next request, or the one again that was not answered.
    async fn go_on(&mut self, portal: &Portal, games: &[Recorded]) -> Result<(), Status> {
        let request = self.unanswered.take().unwrap_or_else(request_id);
        self.unanswered = Some(request.clone());
        let game = self.ask(portal, &games[self.game], &request).await?;
        assert_eq!(game.version, self.told.len() as u64 + 1, "{}", self.id);
        self.unanswered = None;
        self.told.push(Told { request, digest: game.digest });
        Ok(())
    }

    async fn ask(&self, portal: &Portal, game: &Recorded, request: &str) -> Result<proto::Game, Status> {
        let answer = match self.told.len() {
            0 => {
                let request = proto::CreateGameRequest {
                    request_id: request.to_owned(),
                    game_type: "quantum-control".to_owned(),
                    game_id: self.id.clone(),
                    black_player: "ada".to_owned(),
                    ..Default::default()
                };
                portal.client.clone().create_game(request).await?.into_inner().game
            }
            version => {
                portal.submit_as(&self.id, version as u64, &game.moves[version - 1], request).await?.game
            }
        };
        Ok(answer.expect("a game"))
    }

    /// Asserts that all that was acknowledged is there, once, and at most one event more.
    async fn check(&self, portal: &Portal) {
        if self.told.is_empty() {
            return;
        }
        let history = portal.history(&self.id).await;
        assert_whole(&history);
        let kept: Vec<Told> = history
            .iter()
            .map(|event| Told { request: event.request_id.clone(), digest: event.digest.clone() })
            .collect();
        assert_eq!(kept[..self.told.len().min(kept.len())], self.told[..], "{}", self.id);
        match kept[self.told.len()..] {
            [] => (),
            [ref more] => assert_eq!(Some(&more.request), self.unanswered.as_ref(), "{}", self.id),
            _ => panic!("{} has {} events, {} were asked for", self.id, kept.len(), self.told.len()),
        }
        let last = portal.get(&self.id).await.expect("readable");
        assert_eq!(last.version, kept.len() as u64);
        assert_eq!(Some(&last.digest), kept.last().map(|told| &told.digest));
    }
}

/// All listed games with their status, page by page.
pub(super) async fn list(
    portal: &Portal,
    filter: proto::ListGamesRequest,
) -> BTreeMap<String, proto::GameStatus> {
    let mut games = BTreeMap::new();
    let mut request = proto::ListGamesRequest { page_size: 7, ..filter };
    loop {
        let page = portal.client.clone().list_games(request.clone()).await.expect("listed").into_inner();
        for game in page.games {
            let status = game.status();
            assert_eq!(games.insert(game.id.clone(), status), None, "{} is listed twice", game.id);
        }
        if page.next_page_token.is_empty() {
            return games;
        }
        request.page_token = page.next_page_token;
    }
}
