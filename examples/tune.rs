//! Finds weights for the evaluation of a game by self-play, and prints them with the figures that
//! speak for them: `cargo run --release --example tune -- GAME [GAMES] [NODES] [ROUNDS] [SEED]`.
//!
//! Each round plays games with the weights so far, and fits them to how all games until then ended.
//! The last line is a match of the fitted weights against those in the program.

use std::{env, process::ExitCode, sync::atomic::AtomicBool, time::Duration};

use boardkeeper::{
    chance::Chance,
    rules::{
        Game, Record, Side, kvantumsakk::Kvantumsakk, quantum::Quantum, quantum_control::QuantumControl,
        surakarta::Surakarta,
    },
    search::{
        Bot, Control, Limits, MAX_DEPTH, MAX_TIME, Searchable, Searcher, Tree, Weights,
        tuning::{Practice, fit, practise},
    },
};

type WeightsOf<G> = <<G as Searchable>::Tree as Tree>::Weights;

fn main() -> ExitCode {
    let given: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize, usual: u64| match given.get(place) {
        Some(text) => text.parse().ok(),
        None => Some(usual),
    };
    let [Some(games), Some(nodes), Some(rounds), Some(seed)] =
        [number(1, 400), number(2, 1000), number(3, 3), number(4, 1)]
    else {
        return usage();
    };
    let practice = Practice { games: games as u32, nodes, opening: 12, seed };
    match given.first().map(String::as_str) {
        Some("quantum-control") => tune::<QuantumControl>(practice, rounds),
        Some("surakarta") => tune::<Surakarta>(practice, rounds),
        Some("quantum") => tune::<Quantum>(practice, rounds),
        Some("kvantumsakk") => tune::<Kvantumsakk>(practice, rounds),
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: tune GAME [GAMES] [NODES] [ROUNDS] [SEED]");
    ExitCode::FAILURE
}

fn tune<G: Searchable>(practice: Practice, rounds: u64) {
    let mut weights = <WeightsOf<G>>::TUNED;
    let mut lessons = Vec::new();
    for round in 0..rounds {
        lessons.extend(practise::<G>(&weights, Practice { seed: practice.seed + round, ..practice }));
        let fitted = fit::<G>(&lessons, &weights);
        let (before, after) = fitted.losses;
        println!("round {}: {} positions, loss {before:.4}, fitted {after:.4}", round + 1, lessons.len());
        weights = fitted.weights;
    }
    weights.visit(&mut |name, weight| println!("{name} = {weight}"));
    compare::<G>(&weights, practice);
}

/// Plays a match against the weights in the program, each opening with both colours.
fn compare<G: Searchable>(weights: &WeightsOf<G>, practice: Practice) {
    let mut searcher = Searcher::default();
    let mut chance = Chance::new(practice.seed);
    let (mut points, mut games) = (0.0, 0.0);
    for _ in 0..practice.games / 2 {
        let opening = opening::<G>(&mut chance);
        for side in [Side::Black, Side::White] {
            points += play(&mut searcher, opening.clone(), weights, side, practice.nodes);
            games += 1.0;
        }
    }
    println!("{:.1} % of {games} games against the present weights", 100.0 * points / games);
}

/// A game after four random moves.
fn opening<G: Game>(chance: &mut Chance) -> Record<G> {
    let mut record = Record::<G>::start(&G::Options::default());
    for _ in 0..4 {
        record.advance(*chance.pick(&record.state().moves()).expect("it goes on"));
    }
    record
}

/// The points of these weights in a game as this side: 1 for a win, a half for a draw.
fn play<G: Searchable>(
    searcher: &mut Searcher,
    mut record: Record<G>,
    weights: &WeightsOf<G>,
    side: Side,
    nodes: u64,
) -> f64 {
    let bot = Bot { limits: Limits::new(MAX_DEPTH, nodes, MAX_TIME), noise: 0, seed: 1 };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, elapsed: &|| Duration::ZERO };
    loop {
        let weights = if record.state().side() == side { *weights } else { Weights::TUNED };
        match searcher.search_weighing(&weights, &record, bot, control, &mut |_| ()) {
            Some(line) => record.advance(line.best),
            None => break,
        }
    }
    let winner = record.outcome().and_then(|outcome| outcome.winner);
    winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)))
}
