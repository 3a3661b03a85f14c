//! Bots at play: whole games, and what every level sees.

use boardkeeper::{
    rules::{
        Record, Side, kvantumsakk::Kvantumsakk, quantum::Quantum, quantum_control::QuantumControl,
        surakarta::Surakarta,
    },
    search::{Bot, LEVELS, Limits, Score, Searchable, Searcher},
};

use super::{
    minimax::{WON, minimax},
    think::{Chance, random_game, think},
};

#[test]
fn a_strong_bot_beats_a_weak_one_in_every_game() {
    beats::<QuantumControl>();
    beats::<Surakarta>();
    beats::<Quantum>();
    beats::<Kvantumsakk>();
}

/// Four games from start to end, two with each side: at least three points.
fn beats<G: Searchable>() {
    let strong = Bot { limits: Limits::new(12, 6_000, LEVELS[4].limits.time()), ..LEVELS[4].bot(3) };
    let mut half_points = 0;
    for (side, seed) in [(Side::Black, 1), (Side::White, 2), (Side::Black, 3), (Side::White, 4)] {
        let record = whole_game::<G>(side, strong, LEVELS[0].bot(seed));
        let winner = record.outcome().expect("the game has ended").winner;
        half_points += winner.map_or(1, |winner| if winner == side { 2 } else { 0 });
    }
    assert!(6 <= half_points, "{}: {half_points} of 8 half points", G::TYPE.name);
}

fn whole_game<G: Searchable>(side: Side, strong: Bot, weak: Bot) -> Record<G> {
    let mut searcher = Searcher::default();
    let mut record = Record::<G>::start(&G::Options::default());
    while record.outcome().is_none() {
        let bot = if record.state().side() == side { strong } else { weak };
        let line = think(&mut searcher, &record, bot).expect("the game goes on");
        assert!(record.state().moves().contains(&line.best));
        record.advance(line.best);
    }
    record
}

#[test]
fn every_level_sees_a_win_in_two() {
    sees_wins::<QuantumControl>();
    sees_wins::<Surakarta>();
    sees_wins::<Quantum>();
    sees_wins::<Kvantumsakk>();
}

/// Wherever minimax sees a win within three turns in games between weak bots, every level sees it too.
fn sees_wins<G: Searchable>() {
    let chance = Chance::new(4);
    let mut searcher = Searcher::default();
    let (mut at_once, mut in_two) = (0, 0);
    while at_once + in_two < 12 {
        let record = weak_game::<G>(&mut searcher, &chance);
        for record in record.iter().rev().take(8) {
            if 60 < record.state().count_moves() {
                continue;
            }
            let depth = if record.state().count_moves() <= 25 { 3 } else { 1 };
            let Some(value) = minimax(record, depth) else { continue };
            match WON - value {
                1 => at_once += 1,
                3 => in_two += 1,
                _ => continue,
            }
            for level in &LEVELS {
                let line = think(&mut searcher, record, level.bot(7)).expect("the game goes on");
                let won = matches!(line.score, Score::Win { .. }) || record.state().count_moves() == 1;
                assert!(won, "{} in {}: {line:?}", level.name, record.state().write_position());
            }
        }
    }
}

/// A game between two bots of the first level after some random moves.
fn weak_game<G: Searchable>(searcher: &mut Searcher, chance: &Chance) -> Vec<Record<G>> {
    let mut records = random_game::<G>(&G::Options::default(), chance, 10);
    while let Some(last) = records.last()
        && let Some(line) = think(searcher, last, LEVELS[0].bot(chance.below(1000) as u64))
    {
        let mut next = last.clone();
        next.advance(line.best);
        records.push(next);
    }
    records.pop();
    records
}
