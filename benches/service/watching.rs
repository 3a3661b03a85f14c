//! One event to many streams, against a bare broadcast; and the way from one server to another.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use boardkeeper::{
    api::proto::WatchGameRequest,
    program::bench::{Caller, Line, Script, Seat, Tally},
};
use tokio::sync::mpsc;
use tonic::{Request, client::Grpc, codegen::http::uri::PathAndQuery};
use tonic_prost::ProstCodec;

use super::{
    floor,
    median::{median, median_time},
    process::Process,
    servers::Servers,
};

const STREAMS: usize = 1_000;
const CONNECTIONS: usize = 20;

/// Events of a round.
const EVENTS: usize = 25;

/// About what an event takes on the wire.
const EVENT_BYTES: usize = 330;

const WATCH_GAME: &str = "/boardkeeper.v1.GameService/WatchGame";

/// The moments at which messages came, of whatever stream.
type Arrivals = mpsc::UnboundedReceiver<Instant>;

struct Round {
    tally: Tally,
    server: f64,
}

/// Measures in rounds that alternate, and prints a table.
pub(crate) async fn measure(servers: &Servers, rounds: usize, scripts: &Arc<[Script]>) -> anyhow::Result<()> {
    let subjects = ["bare broadcast", "WatchGame, Redis", "WatchGame, embedded"];
    let mut measured: [Vec<Round>; 3] = Default::default();
    for _ in 0..rounds {
        measured[0].push(bare(&servers.floor).await?);
        measured[1].push(watched(&servers.redis_backed, scripts).await?);
        measured[2].push(watched(&servers.embedded, scripts).await?);
    }
    let title = format!("{STREAMS} streams, {CONNECTIONS} connections");
    println!(
        "\n{title:<34} {:>12} {:>8} {:>9} {:>9}  {:>8} {:>8}",
        "deliveries/s", "of bare", "p50", "p99", "CPU s/k", "of bare"
    );
    let (bare_rate, bare_cpu) = figures(&measured[0]);
    for (name, rounds) in subjects.into_iter().zip(&measured) {
        let (rate, cpu) = figures(rounds);
        let [p50, p99] =
            [50, 99].map(|percent| median_time(rounds.iter().map(|round| round.tally.percentile(percent))));
        println!(
            "{name:<34} {rate:>12.0} {:>8.2} {p50:>9.1?} {p99:>9.1?}  {cpu:>8.4} {:>8.2}",
            rate / bare_rate,
            cpu / bare_cpu
        );
    }
    Ok(())
}

fn figures(rounds: &[Round]) -> (f64, f64) {
    let thousands = rounds.iter().map(|round| round.tally.calls()).sum::<usize>() as f64 / 1000.0;
    let cpu = rounds.iter().map(|round| round.server).sum::<f64>() / thousands;
    (median(rounds.iter().map(|round| round.tally.rate())), cpu)
}

async fn bare(server: &Process) -> anyhow::Result<Round> {
    let lines = Line::connect(&server.address(), CONNECTIONS).await?;
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    for number in 0..STREAMS {
        watch(&lines[number % CONNECTIONS], floor::WATCH, Vec::<u8>::new(), &arrived).await?;
    }
    let teller = Line::connect(&server.address(), 1).await?.remove(0);
    let tell = async || Ok(teller.call(floor::TELL, vec![7; EVENT_BYTES]).await?);
    spread(server, &mut arrivals, tell).await
}

async fn watched(server: &Process, scripts: &Arc<[Script]>) -> anyhow::Result<Round> {
    let lines = Line::connect(&server.address(), CONNECTIONS).await?;
    let mut seat = seat(server, scripts, EVENTS).await?;
    let game_id = seat.game().context("a game has been begun")?.to_owned();
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    for number in 0..STREAMS {
        let request = WatchGameRequest { game_id: game_id.clone(), after: None };
        watch(&lines[number % CONNECTIONS], WATCH_GAME, request, &arrived).await?;
    }
    await_all(&mut arrivals, STREAMS).await.context("a stream begins with a snapshot")?;
    let seat = &mut seat;
    spread(server, &mut arrivals, async || seat.call().await).await
}

/// A caller with so many moves at hand in its first game.
async fn seat(server: &Process, scripts: &Arc<[Script]>, moves: usize) -> anyhow::Result<Seat> {
    let line = Line::connect(&server.address(), 1).await?.remove(0);
    let long = scripts.iter().position(|script| moves <= script.moves.len());
    let mut seat = Seat::new(line, scripts, long.context("no game is long enough")?);
    seat.stock(moves).await?;
    Ok(seat)
}

/// Opens a stream whose messages are counted, not unpacked.
async fn watch<M: prost::Message + Send + Sync + 'static>(
    line: &Line,
    path: &'static str,
    request: M,
    arrived: &mpsc::UnboundedSender<Instant>,
) -> anyhow::Result<()> {
    let mut grpc = Grpc::new(line.channel());
    grpc.ready().await?;
    let codec = ProstCodec::<M, ()>::default();
    let stream = grpc.server_streaming(Request::new(request), PathAndQuery::from_static(path), codec).await?;
    let (mut stream, arrived) = (stream.into_inner(), arrived.clone());
    tokio::spawn(async move {
        while let Ok(Some(())) = stream.message().await {
            // At the end of a round nobody counts any more.
            if arrived.send(Instant::now()).is_err() {
                break;
            }
        }
    });
    Ok(())
}

/// Makes one event after the other, each when all have had the one before; how long deliveries took
/// from the moment at which the event was asked for.
async fn spread(
    server: &Process,
    arrivals: &mut Arrivals,
    mut make: impl AsyncFnMut() -> anyhow::Result<()>,
) -> anyhow::Result<Round> {
    let before = server.cpu()?;
    let begun = Instant::now();
    let mut times = Vec::new();
    for _ in 0..EVENTS {
        let asked = Instant::now();
        make().await?;
        let came = await_all(arrivals, STREAMS).await?;
        times.extend(came.into_iter().map(|came| came.duration_since(asked)));
    }
    Ok(Round { tally: Tally::new(times, begun.elapsed()), server: server.cpu()? - before })
}

async fn await_all(arrivals: &mut Arrivals, count: usize) -> anyhow::Result<Vec<Instant>> {
    let mut came = Vec::with_capacity(count);
    while came.len() < count {
        came.push(arrivals.recv().await.context("a stream has ended")?);
    }
    Ok(came)
}

/// How many moves are followed from one server to the other.
const FOLLOWED: usize = 400;

/// Plays through one server and watches through another: how long after the answer to the move the
/// event comes.
pub(crate) async fn across(servers: &Servers, scripts: &Arc<[Script]>) -> anyhow::Result<()> {
    let (mut after_answer, mut calls) = (Vec::new(), Vec::new());
    let other = servers.another()?;
    let there = Line::connect(&other.address(), 1).await?.remove(0);
    while after_answer.len() < FOLLOWED {
        let mut seat = seat(&servers.redis_backed, scripts, EVENTS).await?;
        let game_id = seat.game().context("a game has been begun")?.to_owned();
        let (arrived, mut arrivals) = mpsc::unbounded_channel();
        watch(&there, WATCH_GAME, WatchGameRequest { game_id, after: None }, &arrived).await?;
        await_all(&mut arrivals, 1).await?;
        for _ in 0..EVENTS {
            let asked = Instant::now();
            seat.call().await?;
            let answered = Instant::now();
            let came = await_all(&mut arrivals, 1).await?[0];
            calls.push(answered - asked);
            // An event may overtake the answer.
            after_answer.push(came.saturating_duration_since(answered));
        }
    }
    let [after_answer, calls] = [after_answer, calls].map(|times| Tally::new(times, Duration::ZERO));
    println!(
        "\nfrom the answer of one server to the event at the other: median {:.1?}, p99 {:.1?}; \
         the move itself: median {:.1?}",
        after_answer.percentile(50),
        after_answer.percentile(99),
        calls.percentile(50),
    );
    Ok(())
}
