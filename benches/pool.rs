//! What bots do to moves: how long SubmitMove takes without bots, and while four tenants ask for ten
//! times as many bot moves as the pool can search. Turn by turn in one run, over one connection a
//! tenant for moves and one for bots, all in this process.
//!
//! `cargo bench --bench pool -- [SECONDS] [DIRECTORY]`: the length of a turn, and where the store is.

use std::{
    env,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::Context;
use boardkeeper::{
    api::{
        Service,
        proto::{
            self, GameStatus, game_service_client::GameServiceClient, game_service_server::GameServiceServer,
        },
    },
    bots::{Desk, Pool},
    game::kind,
    ledger::{Ledger, system_clock},
    server::Config,
    store::Embedded,
    watch::{Hub, Pace},
};
use tokio::{
    net::TcpListener,
    task::JoinSet,
    time::{MissedTickBehavior, interval, sleep, sleep_until},
};
use tokio_util::sync::CancellationToken;
use tonic::{
    Code,
    transport::{Channel, Endpoint, Server, server::TcpIncoming},
};

const TENANTS: [&str; 4] = ["ada", "bob", "cyd", "dot"];

/// Callers that move, each of a tenant, and how long each waits after a move.
const MOVERS: usize = 16;
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::ZERO];

/// How many times more bot moves are asked for than can be searched.
const OVERLOAD: f64 = 10.0;

/// How often each kind of turn is taken.
const TURNS: usize = 9;

/// The time that a bot call may take: the longest search, and the time to write its move.
const BUDGET: Duration = Duration::from_millis(2100);

type Client = GameServiceClient<Channel>;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    // Cargo adds `--bench` to what the caller gives.
    let mut given = env::args().skip(1).filter(|text| text != "--bench");
    let turn = Duration::from_secs(given.next().map_or(Ok(2), |text| text.parse())?);
    let parent = given.next().map_or_else(env::temp_dir, PathBuf::from);
    let dir = tempfile::tempdir_in(parent)?;
    let house = House::open(dir.path()).await?;
    let capacity = house.capacity(turn).await?;
    println!("{} search threads make {capacity:.0} bot moves a second", house.desk.pool().size().threads);
    for pause in PAUSES {
        house.compare(turn, pause, OVERLOAD * capacity).await?;
    }
    house.cancellations().await
}

/// One store, one pool, and a service for each tenant.
struct House {
    desk: Arc<Desk>,
    movers: Vec<Client>,
    bots: Vec<Arc<Bots>>,
    script: Arc<Vec<String>>,
}

/// A tenant's calls for bot moves.
struct Bots {
    client: Client,
    /// Games in which a bot is to move, with their versions.
    games: Mutex<Vec<(String, u64)>>,
    calls: Mutex<Calls>,
}

/// How calls for bot moves ended, and how long they took.
#[derive(Clone, Default)]
struct Calls {
    answered: Vec<Duration>,
    refused: Vec<Duration>,
    failed: Vec<String>,
}

impl House {
    async fn open(dir: &Path) -> anyhow::Result<House> {
        let (hub, config) = (Arc::new(Hub::default()), Config::default());
        let store = Arc::new(Embedded::open(dir, hub.clone())?);
        let ledger = Arc::new(Ledger::new(store, hub, config.games_in_memory, system_clock()));
        let desk = Arc::new(Desk::new(ledger.clone(), Pool::start(config.pool)));
        let mut house = House { desk, movers: Vec::new(), bots: Vec::new(), script: Arc::new(script()?) };
        for tenant in TENANTS {
            let pace = pace(&config);
            let service =
                Service::new(tenant.parse()?, ledger.clone(), house.desk.clone(), pace, config.streams);
            let address = serve(service).await?;
            house.movers.push(connect(&address).await?);
            let client = connect(&address).await?;
            house.bots.push(Arc::new(Bots { client, games: Mutex::default(), calls: Mutex::default() }));
        }
        Ok(house)
    }

    /// How many bot moves a second are made while there are always some waiting.
    async fn capacity(&self, turn: Duration) -> anyhow::Result<f64> {
        let end = Instant::now() + turn;
        let mut callers = JoinSet::new();
        for number in 0..4 * self.desk.pool().size().threads {
            let bots = self.bots[number % TENANTS.len()].clone();
            callers.spawn(async move {
                while Instant::now() < end {
                    bots.call().await;
                }
            });
        }
        callers.join_all().await;
        let moves: usize = self.bots.iter().map(|bots| bots.take_calls().answered.len()).sum();
        anyhow::ensure!(0 < moves, "no bot moved");
        Ok(moves as f64 / turn.as_secs_f64())
    }

    /// Moves without bots and with, by turns.
    async fn compare(&self, turn: Duration, pause: Duration, rate: f64) -> anyhow::Result<()> {
        println!("\n{MOVERS} callers move, each again {} ms after its answer", pause.as_millis());
        let (mut quiet, mut busy) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            quiet.push(self.moves(turn, pause).await?);
            let stop = CancellationToken::new();
            let asking: Vec<_> = self
                .bots
                .iter()
                .map(|bots| tokio::spawn(ask(bots.clone(), rate / TENANTS.len() as f64, stop.clone())))
                .collect();
            busy.push(self.moves(turn, pause).await?);
            stop.cancel();
            for asking in asking {
                asking.await?;
            }
        }
        println!("{:<14} {:>8} {:>9} {:>9} {:>9}", "", "moves/s", "p50", "p99", "longest");
        let time = turn * TURNS as u32;
        let p99 = [row("without bots", &quiet, time), row("with bots", &busy, time)];
        println!("p99 with bots is {:.2} times that without", p99[1].as_secs_f64() / p99[0].as_secs_f64());
        self.tell_calls(time, rate);
        Ok(())
    }

    /// How long moves took while all callers moved.
    async fn moves(&self, turn: Duration, pause: Duration) -> anyhow::Result<Vec<Duration>> {
        let end = Instant::now() + turn;
        let mut callers = JoinSet::new();
        for number in 0..MOVERS {
            let client = self.movers[number % TENANTS.len()].clone();
            callers.spawn(play(client, self.script.clone(), pause, end));
        }
        let mut times = Vec::new();
        for played in callers.join_all().await {
            times.extend(played?);
        }
        Ok(times)
    }

    fn tell_calls(&self, time: Duration, rate: f64) {
        let seconds = time.as_secs_f64();
        let all: Vec<Calls> = self.bots.iter().map(|bots| bots.take_calls()).collect();
        let shares: Vec<String> =
            all.iter().map(|calls| format!("{:.1}", calls.answered.len() as f64 / seconds)).collect();
        let answered: Vec<Duration> = all.iter().flat_map(|calls| calls.answered.clone()).collect();
        let refused: Vec<Duration> = all.iter().flat_map(|calls| calls.refused.clone()).collect();
        let late = answered.iter().filter(|took| BUDGET < **took).count();
        println!("bots: {rate:.0} calls a second asked for, answered for each tenant {}", shares.join(", "));
        println!(
            "bots: {} answered, p50 {:.2?}, longest {:.2?}, {late} later than {BUDGET:?}",
            answered.len(),
            percentile(&answered, 50),
            answered.iter().max().copied().unwrap_or_default()
        );
        println!("bots: {} refused, p99 after {:.1?}", refused.len(), percentile(&refused, 99));
        for failed in all.iter().flat_map(|calls| &calls.failed).take(3) {
            println!("bots: failed: {failed}");
        }
    }

    /// How long a search thread stays busy after its call was cancelled.
    async fn cancellations(&self) -> anyhow::Result<()> {
        let running = || self.desk.pool().running();
        let mut freed = Vec::new();
        while freed.len() < 100 {
            let bots = self.bots[freed.len() % TENANTS.len()].clone();
            let call = tokio::spawn(async move { bots.call().await });
            while running() == 0 && !call.is_finished() {
                sleep(Duration::from_micros(100)).await;
            }
            let asked = Instant::now();
            call.abort();
            while 0 < running() {
                sleep(Duration::from_micros(100)).await;
            }
            freed.push(asked.elapsed());
        }
        let longest = freed.iter().max().copied().unwrap_or_default();
        println!(
            "\na cancelled call frees its thread: p50 {:.1?}, longest {longest:.1?}",
            percentile(&freed, 50)
        );
        Ok(())
    }
}

impl Bots {
    /// Asks for one bot move in a game that waits for one, or in a new one.
    async fn call(&self) {
        let waiting = lock(&self.games).pop();
        let (id, version) = match waiting {
            Some(waiting) => waiting,
            None => match create(&self.client).await {
                Ok(id) => (id, 1),
                Err(error) => return lock(&self.calls).failed.push(error.to_string()),
            },
        };
        let request = proto::RequestBotMoveRequest {
            game_id: id.clone(),
            expected_version: version,
            request_id: request_id(),
            level: 5,
            ..Default::default()
        };
        let asked = Instant::now();
        let answer = self.client.clone().request_bot_move(request).await;
        let took = asked.elapsed();
        let mut calls = lock(&self.calls);
        match answer {
            Ok(answer) => {
                calls.answered.push(took);
                let game = answer.into_inner().game.unwrap_or_default();
                if game.status() == GameStatus::Running {
                    lock(&self.games).push((id, game.version));
                }
            }
            Err(status) if status.code() == Code::ResourceExhausted => {
                calls.refused.push(took);
                lock(&self.games).push((id, version));
            }
            Err(status) => calls.failed.push(status.to_string()),
        }
    }

    fn take_calls(&self) -> Calls {
        std::mem::take(&mut lock(&self.calls))
    }
}

/// Asks for so many bot moves a second, whatever becomes of them, until it is told to stop; then waits
/// for the last answer.
async fn ask(bots: Arc<Bots>, rate: f64, stop: CancellationToken) {
    let mut ticks = interval(Duration::from_secs_f64(1.0 / rate));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut calls = JoinSet::new();
    while !stop.is_cancelled() {
        ticks.tick().await;
        let bots = bots.clone();
        calls.spawn(async move { bots.call().await });
        while calls.try_join_next().is_some() {}
    }
    calls.join_all().await;
}

/// Plays the script again and again in games of its own, and tells how long each move took.
async fn play(
    mut client: Client,
    script: Arc<Vec<String>>,
    pause: Duration,
    end: Instant,
) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::new();
    loop {
        let id = create(&client).await?;
        for (version, text) in (1..).zip(script.iter()) {
            if end < Instant::now() {
                return Ok(times);
            }
            let request = proto::SubmitMoveRequest {
                game_id: id.clone(),
                expected_version: version,
                request_id: request_id(),
                r#move: Some(proto::submit_move_request::Move::Text(text.clone())),
                ..Default::default()
            };
            let asked = Instant::now();
            client.submit_move(request).await?;
            times.push(asked.elapsed());
            sleep_until((asked + times.last().copied().unwrap_or_default() + pause).into()).await;
        }
    }
}

async fn create(client: &Client) -> anyhow::Result<String> {
    let request = proto::CreateGameRequest {
        request_id: request_id(),
        game_type: "quantum-control".to_owned(),
        ..Default::default()
    };
    let game = client.clone().create_game(request).await?.into_inner().game;
    Ok(game.context("no game")?.id)
}

/// The moves of a whole game.
fn script() -> anyhow::Result<Vec<String>> {
    let mut board = kind("quantum-control").context("it is offered")?.start(&Default::default())?;
    let mut texts: Vec<String> = Vec::new();
    while board.outcome().is_none() {
        let legal = board.listing();
        let text = legal[texts.len() * 7919 % legal.len()].text.clone();
        board.play(&text)?;
        texts.push(text);
    }
    Ok(texts)
}

async fn serve(service: Service) -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let router = Server::builder().add_service(GameServiceServer::new(service));
    tokio::spawn(router.serve_with_incoming(TcpIncoming::from(listener).with_nodelay(Some(true))));
    Ok(address)
}

async fn connect(address: &str) -> anyhow::Result<Client> {
    Ok(GameServiceClient::new(Endpoint::from_shared(address.to_owned())?.connect().await?))
}

fn pace(config: &Config) -> Pace {
    Pace {
        heartbeat: config.heartbeat,
        patience: config.patience,
        look_anyway: Duration::from_secs(5),
        greatest_age: config.stream_age,
        most_games: config.games_per_stream,
        drain: CancellationToken::new(),
    }
}

/// Prints how long calls took; their 99th percentile. Percentiles are those of the median turn, so
/// that one in which the machine did something else does not count.
fn row(name: &str, turns: &[Vec<Duration>], time: Duration) -> Duration {
    let rate = turns.iter().map(Vec::len).sum::<usize>() as f64 / time.as_secs_f64();
    let [p50, p99] = [50, 99].map(|percent| {
        let each: Vec<Duration> = turns.iter().map(|times| percentile(times, percent)).collect();
        percentile(&each, 50)
    });
    let longest = turns.iter().flatten().max().copied().unwrap_or_default();
    println!("{name:<14} {rate:>8.0} {p50:>9.1?} {p99:>9.1?} {longest:>9.1?}");
    p99
}

fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() * percent / 100).copied().unwrap_or_default()
}

fn request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
