//! Finds evaluation weights by self-play: bots play each other, and the weights are fitted to how
//! the games ended, as chances of winning.

use std::{sync::atomic::AtomicBool, time::Duration};

use super::{Bot, Control, Limits, MAX_TIME, Searchable, Searcher, Tree, Weights, seed::Seed};
use crate::rules::Record;

/// A position from a game, and how that ended.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<G> {
    state: G,
    /// To the side to move: 1 for a win, 0 for a loss, a half for a draw.
    result: f64,
}

/// How the games that lessons come from are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Practice {
    pub games: u32,
    /// The node limit of each search.
    pub nodes: u64,
    /// A game begins with fewer than so many random moves.
    pub opening: u32,
    pub seed: u64,
}

/// Weights and how far they are from the truth.
#[derive(Clone, Copy, Debug)]
pub struct Fit<W> {
    pub weights: W,
    /// The mean logarithmic loss of the weights that the fit began with, and of these.
    pub losses: (f64, f64),
}

/// By how many hundredths estimates are off in practice, for variety.
const NOISE: u16 = 10;

/// In practice one move in so many is random, so that positions are met that bots avoid.
const STRAY: u64 = 30;

/// Plays games with these weights, and hands over every position in which there was a choice.
pub fn practise<G: Searchable>(weights: &WeightsOf<G>, practice: Practice) -> Vec<Lesson<G>> {
    let mut searcher = Searcher::default();
    let mut lessons = Vec::new();
    for number in 0..practice.games {
        let seed = Seed(practice.seed).child(number.into());
        lessons.extend(game(&mut searcher, weights, practice, seed));
    }
    lessons
}

type WeightsOf<G> = <<G as Searchable>::Tree as Tree>::Weights;

fn game<G: Searchable>(
    searcher: &mut Searcher,
    weights: &WeightsOf<G>,
    practice: Practice,
    seed: Seed,
) -> Vec<Lesson<G>> {
    let mut record = Record::<G>::start(&G::Options::default());
    let mut states = Vec::new();
    let opening = seed.below(0, practice.opening.max(1).into());
    for ply in 1.. {
        if record.outcome().is_some() {
            break;
        }
        let stray = ply <= opening || seed.below(2 * ply, STRAY) == 0;
        let mv = if stray {
            let moves = record.state().moves();
            moves[seed.below(2 * ply + 1, moves.len() as u64) as usize]
        } else {
            states.push(*record.state());
            let bot =
                Bot { limits: Limits::new(12, practice.nodes, MAX_TIME), noise: NOISE, seed: seed.0 ^ ply };
            let Some(mv) = think(searcher, weights, &record, bot) else { break };
            mv
        };
        record.advance(mv);
    }
    let winner = record.outcome().and_then(|outcome| outcome.winner);
    let result = |state: &G| winner.map_or(0.5, |winner| f64::from(u8::from(winner == state.side())));
    states.into_iter().map(|state| Lesson { state, result: result(&state) }).collect()
}

fn think<G: Searchable>(
    searcher: &mut Searcher,
    weights: &WeightsOf<G>,
    record: &Record<G>,
    bot: Bot,
) -> Option<G::Move> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, elapsed: &|| Duration::ZERO };
    Some(searcher.search_weighing(weights, record, bot, control, &mut |_| ())?.best)
}

/// One lesson as the fit sees it: what each weight, by its number, is multiplied with.
struct Sample {
    terms: Vec<(usize, f64)>,
    result: f64,
}

/// So many steps downhill are made.
const STEPS: u32 = 400;

/// How fast the first of them go, in hundredths a step.
const PACE: f64 = 4.0;

/// How strongly weights are held where they were, per squared hundredth.
const HOLD: f64 = 1e-8;

/// Fits weights to lessons by logistic regression, starting from these: afterwards an estimate of 100
/// stands for odds of e to 1. The evaluation has to be linear in its weights.
pub fn fit<G: Searchable>(lessons: &[Lesson<G>], weights: &WeightsOf<G>) -> Fit<WeightsOf<G>> {
    let samples = samples(lessons, weights);
    let start = values(*weights);
    let mut point = start.clone();
    let mut pace = Pace::new(point.len());
    for step in 1..=STEPS {
        let mut slope = slope(&samples, &point);
        for ((slope, value), start) in slope.iter_mut().zip(&point).zip(&start) {
            *slope += 2.0 * HOLD * (value - start);
        }
        pace.go(step, &slope, &mut point);
    }
    let losses = (loss(&samples, &start), loss(&samples, &point));
    Fit { weights: with_values(*weights, &point), losses }
}

/// Steps of Adam (Kingma and Ba, 2015), which slow down to nothing.
struct Pace {
    mean: Vec<f64>,
    square: Vec<f64>,
}

impl Pace {
    fn new(len: usize) -> Pace {
        Pace { mean: vec![0.0; len], square: vec![0.0; len] }
    }

    fn go(&mut self, step: u32, slope: &[f64], point: &mut [f64]) {
        let rate = PACE * (1.0 - f64::from(step - 1) / f64::from(STEPS));
        let (warm_mean, warm_square) = (1.0 - 0.9_f64.powi(step as i32), 1.0 - 0.999_f64.powi(step as i32));
        for (i, slope) in slope.iter().enumerate() {
            self.mean[i] = 0.9 * self.mean[i] + 0.1 * slope;
            self.square[i] = 0.999 * self.square[i] + 0.001 * slope * slope;
            point[i] -= rate * (self.mean[i] / warm_mean) / ((self.square[i] / warm_square).sqrt() + 1e-12);
        }
    }
}

/// The terms of each lesson, found by giving one weight a value and all others none.
fn samples<G: Searchable>(lessons: &[Lesson<G>], weights: &WeightsOf<G>) -> Vec<Sample> {
    /// Large enough that rounding in the evaluation does not matter.
    const UNIT: f64 = 100.0;

    let count = values(*weights).len();
    let alone = |number: usize| {
        let mut point = vec![0.0; count];
        point[number] = UNIT;
        with_values(*weights, &point)
    };
    let alone: Vec<WeightsOf<G>> = (0..count).map(alone).collect();
    let sample = |lesson: &Lesson<G>| {
        let tree = G::Tree::root(&lesson.state);
        let term = |weights: &WeightsOf<G>| f64::from(tree.evaluate(weights)) / UNIT;
        let terms = alone.iter().map(term).enumerate().filter(|(_, term)| *term != 0.0).collect();
        Sample { terms, result: lesson.result }
    };
    lessons.iter().map(sample).collect()
}

/// The chance of winning that these weights see.
fn chance(sample: &Sample, point: &[f64]) -> f64 {
    let estimate: f64 = sample.terms.iter().map(|(number, term)| term * point[*number]).sum();
    1.0 / (1.0 + (-estimate / 100.0).exp())
}

fn slope(samples: &[Sample], point: &[f64]) -> Vec<f64> {
    let mut slope = vec![0.0; point.len()];
    for sample in samples {
        let error = chance(sample, point) - sample.result;
        for (number, term) in &sample.terms {
            slope[*number] += error * term / 100.0 / samples.len() as f64;
        }
    }
    slope
}

fn loss(samples: &[Sample], point: &[f64]) -> f64 {
    let loss = |sample: &Sample| {
        let chance = chance(sample, point).clamp(1e-9, 1.0 - 1e-9);
        -sample.result * chance.ln() - (1.0 - sample.result) * (1.0 - chance).ln()
    };
    samples.iter().map(loss).sum::<f64>() / samples.len() as f64
}

fn values<W: Weights>(mut weights: W) -> Vec<f64> {
    let mut values = Vec::new();
    weights.visit(&mut |_, weight| values.push(f64::from(*weight)));
    values
}

fn with_values<W: Weights>(mut weights: W, values: &[f64]) -> W {
    let mut values = values.iter();
    weights.visit(&mut |_, weight| {
        if let Some(value) = values.next() {
            *weight = value.round() as i32;
        }
    });
    weights
}
