//! How deep and how fast bots search with 200,000 nodes: `cargo bench --bench search`.
//!
//! Depths and shares of solved positions are the same on every machine; speeds are of this one, by
//! the time that the search had on a core where the system tells that (Linux), else by the clock.

use std::{
    fs,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use boardkeeper::{
    chance::Chance,
    rules::{
        Game, Record,
        kvantumsakk::Kvantumsakk,
        quantum::Quantum,
        quantum_control::{Move, QuantumControl},
        surakarta::Surakarta,
    },
    search::{Control, LEVELS, Limits, Line, Plain, Searchable, Searcher, StopReason},
};

/// So many positions are searched for each figure.
const POSITIONS: usize = 100;

fn main() {
    println!("{:<40} {:>6} {:>8} {:>8} {:>12}", "", "player", "depth", "solved", "nodes/s");
    figures("quantum-control, full boards", &full_boards(0));
    figures("quantum-control, after 12 captures", &full_boards(12));
    figures("quantum-control, after 20 captures", &full_boards(20));
    figures("surakarta, after 6 to 25 moves", &middles::<Surakarta>());
    figures("quantum, after 6 to 25 moves", &middles::<Quantum>());
    figures("kvantumsakk, after 6 to 25 moves", &middles::<Kvantumsakk>());
}

/// Prints what Five and the plain search make of these positions.
fn figures<G: Searchable>(name: &str, records: &[Record<G>]) {
    let (mut five, mut plain) = (Searcher::default(), Plain::default());
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, elapsed: &|| Duration::ZERO };
    let five = measure(records, |record| five.search(record, LEVELS[4].bot(1), control, &mut |_| ()));
    println!("{name:<40} {:>6} {five}", "five");
    let plain = measure(records, |record| plain.search(record, Limits::MAX, control));
    println!("{name:<40} {:>6} {plain}", "plain");
}

fn measure<G: Searchable>(
    records: &[Record<G>],
    mut search: impl FnMut(&Record<G>) -> Option<Line<G::Move>>,
) -> String {
    let (started, worked) = (Instant::now(), core_time());
    let lines: Vec<_> = records.iter().filter_map(&mut search).collect();
    let time = match (worked, core_time()) {
        (Some(before), Some(after)) => after - before,
        _ => started.elapsed(),
    };
    let speed = lines.iter().map(|line| line.nodes).sum::<u64>() as f64 / time.as_secs_f64();
    let mean = lines.iter().map(|line| f64::from(line.depth)).sum::<f64>() / lines.len() as f64;
    let solved = lines.iter().filter(|line| line.stop == Some(StopReason::Solved)).count();
    format!("{mean:>8.2} {solved:>8} {:>10.1} M", speed / 1e6)
}

/// How long this thread has run on a core.
fn core_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Boards of Quantum Control that were filled at random, after so many random captures.
fn full_boards(captures: usize) -> Vec<Record<QuantumControl>> {
    let mut chance = Chance::new(5);
    let mut records = Vec::new();
    while records.len() < POSITIONS {
        let mut record = Record::<QuantumControl>::start(&Default::default());
        let mut left = captures;
        while record.outcome().is_none() && (record.state().phase() == "placement" || 0 < left) {
            left -= usize::from(record.state().phase() == "capture");
            let moves = record.state().moves();
            let stones: Vec<Move> = moves.iter().copied().filter(|mv| *mv != Move::Pass).collect();
            record
                .advance(*chance.pick(if stones.is_empty() { &moves } else { &stones }).expect("it goes on"));
        }
        if record.outcome().is_none() && 1 < record.state().count_moves() {
            records.push(record);
        }
    }
    records
}

/// Positions after 6 to 25 random moves.
fn middles<G: Game>() -> Vec<Record<G>> {
    let mut chance = Chance::new(5);
    let mut records = Vec::new();
    while records.len() < POSITIONS {
        let mut record = Record::<G>::start(&G::Options::default());
        for _ in 0..6 + chance.draw() % 20 {
            if record.outcome().is_none() {
                record.advance(*chance.pick(&record.state().moves()).expect("it goes on"));
            }
        }
        if record.outcome().is_none() && 1 < record.state().count_moves() {
            records.push(record);
        }
    }
    records
}
