//! Moves in a closed loop, against bare calls.

use std::sync::Arc;

use boardkeeper::program::bench::{Caller, Enough, Line, Script, Seat, Tally, closed_loop};

use super::{
    floor::{self, BareSeat},
    median::{median, median_time},
    process::Process,
    servers::Servers,
};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Echo,
    Floor,
    Redis,
    Embedded,
}

const SUBJECTS: [Subject; 4] = [Subject::Echo, Subject::Floor, Subject::Redis, Subject::Embedded];

/// Calls of a round: about two seconds' worth.
const ROUNDS: [(usize, usize); 3] = [(1, 4_000), (16, 16_000), (128, 25_600)];

/// Callers share so many connections.
const CONNECTIONS: usize = 4;

struct Round {
    tally: Tally,
    /// Processor seconds of the server, and of Redis.
    server: f64,
    redis: f64,
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Subject::Echo => "bare echo",
            Subject::Floor => "floor: bare call, one EVALSHA",
            Subject::Redis => "SubmitMove, Redis",
            Subject::Embedded => "SubmitMove, embedded",
        }
    }

    fn server(self, servers: &Servers) -> &Process {
        match self {
            Subject::Echo | Subject::Floor => &servers.floor,
            Subject::Redis => &servers.redis_backed,
            Subject::Embedded => &servers.embedded,
        }
    }
}

/// Measures in rounds that alternate, and prints a table for each number of calls in flight.
pub(crate) async fn measure(servers: &Servers, rounds: usize, scripts: &Arc<[Script]>) -> anyhow::Result<()> {
    for (in_flight, calls) in ROUNDS {
        let mut measured: [Vec<Round>; SUBJECTS.len()] = Default::default();
        for _ in 0..rounds {
            for (subject, into) in SUBJECTS.into_iter().zip(&mut measured) {
                into.push(round(subject, servers, in_flight, calls, scripts).await?);
            }
        }
        print(in_flight, &measured);
    }
    Ok(())
}

async fn round(
    subject: Subject,
    servers: &Servers,
    in_flight: usize,
    calls: usize,
    scripts: &Arc<[Script]>,
) -> anyhow::Result<Round> {
    let server = subject.server(servers);
    let lines = Line::connect(&server.address(), CONNECTIONS.min(in_flight)).await?;
    let line = |number: usize| lines[number % lines.len()].clone();
    let each = calls / in_flight;
    match subject {
        Subject::Echo | Subject::Floor => {
            let path = if subject == Subject::Echo { floor::ECHO } else { floor::COMMIT };
            let seats = (0..in_flight).map(|number| BareSeat::new(line(number), path)).collect();
            run::<BareSeat>(servers, server, seats, each).await
        }
        Subject::Redis | Subject::Embedded => {
            let mut seats = Vec::new();
            for number in 0..in_flight {
                let mut seat = Seat::new(line(number), scripts, number);
                seat.stock(each).await?;
                seats.push(seat);
            }
            run::<Seat>(servers, server, seats, each).await
        }
    }
}

async fn run<C: Caller>(
    servers: &Servers,
    server: &Process,
    seats: Vec<C>,
    each: usize,
) -> anyhow::Result<Round> {
    let before = (server.cpu()?, servers.redis.cpu()?);
    let (_, tally) = closed_loop(seats, Enough::Calls(each)).await?;
    Ok(Round { tally, server: server.cpu()? - before.0, redis: servers.redis.cpu()? - before.1 })
}

/// Each figure is the median of the rounds; processor time, which is coarse, the mean of all calls.
struct Figures {
    rate: f64,
    server: f64,
    redis: f64,
}

fn figures(rounds: &[Round]) -> Figures {
    let thousands = rounds.iter().map(|round| round.tally.calls()).sum::<usize>() as f64 / 1000.0;
    Figures {
        rate: median(rounds.iter().map(|round| round.tally.rate())),
        server: rounds.iter().map(|round| round.server).sum::<f64>() / thousands,
        redis: rounds.iter().map(|round| round.redis).sum::<f64>() / thousands,
    }
}

fn print(in_flight: usize, measured: &[Vec<Round>; SUBJECTS.len()]) {
    println!(
        "\n{:<32} {:>8} {:>8} {:>9} {:>9}  {:>8} {:>8} {:>8}",
        format!("{in_flight} in flight"),
        "calls/s",
        "of floor",
        "p50",
        "p99",
        "CPU s/k",
        "of floor",
        "Redis"
    );
    let floor = SUBJECTS.iter().position(|subject| *subject == Subject::Floor);
    let floor = figures(floor.map_or(&[], |place| &measured[place]));
    for (subject, rounds) in SUBJECTS.into_iter().zip(measured) {
        let Figures { rate, server, redis } = figures(rounds);
        let [p50, p99] =
            [50, 99].map(|percent| median_time(rounds.iter().map(|round| round.tally.percentile(percent))));
        println!(
            "{:<32} {rate:>8.0} {:>8.2} {p50:>9.1?} {p99:>9.1?}  {server:>8.3} {:>8.2} {redis:>8.3}",
            subject.name(),
            rate / floor.rate,
            server / floor.server,
        );
    }
}
