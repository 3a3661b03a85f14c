//! Endings that the search solves, against exhaustive search.

use std::collections::HashMap;

use boardkeeper::{
    rules::{Game, quantum_control::QuantumControl},
    search::{Score, Searchable, Searcher, StopReason},
};

use super::think::{Chance, five, random_game, think};

/// How a game ends with best play, and how long its longest line is.
#[derive(Clone, Copy)]
struct Ending {
    /// Whether the side to move wins.
    won: bool,
    longest: u32,
}

/// Plays out everything. `None` where that would take more than so many positions.
struct Exhaustive<G> {
    known: HashMap<u64, (G, Ending)>,
    most: usize,
}

impl<G: Game> Exhaustive<G> {
    fn ending(&mut self, state: &G) -> Option<Ending> {
        if let Some((known, ending)) = self.known.get(&state.key())
            && known == state
        {
            return Some(*ending);
        }
        let ending = match state.outcome(1) {
            Some(outcome) => Ending { won: outcome.winner == Some(state.side()), longest: 0 },
            None => self.of_moves(state)?,
        };
        if self.known.len() == self.most {
            return None;
        }
        self.known.insert(state.key(), (*state, ending));
        Some(ending)
    }

    fn of_moves(&mut self, state: &G) -> Option<Ending> {
        let mut ending = Ending { won: false, longest: 0 };
        for mv in state.moves() {
            let mut next = *state;
            next.play(mv);
            let after = self.ending(&next)?;
            ending.won |= !after.won;
            ending.longest = ending.longest.max(after.longest + 1);
        }
        Some(ending)
    }
}

/// Endings with more positions than this are left out.
const MOST: usize = 10_000;

#[test]
fn late_quantum_control_is_solved_truly() {
    let chance = Chance::new(11);
    let mut searcher = Searcher::default();
    let (mut short, mut solved) = (0, 0);
    while short < 200 {
        let game = random_game::<QuantumControl>(&Default::default(), &chance, 400);
        for record in game.iter().skip(30).step_by(3) {
            let mut exhaustive = Exhaustive { known: HashMap::new(), most: MOST };
            let Some(ending) = exhaustive.ending(record.state()) else { continue };
            if 12 < ending.longest || record.state().count_moves() < 2 {
                continue;
            }
            let line = think(&mut searcher, record, five(12)).expect("the game goes on");
            short += 1;
            if line.stop == Some(StopReason::Solved) {
                solved += 1;
                let won = matches!(line.score, Score::Win { .. });
                assert_eq!(won, ending.won, "{}", record.state().write_position());
            }
        }
    }
    println!("{solved} of {short} endings of at most twelve turns are solved");
    assert!(99 * short <= 100 * solved, "{solved} of {short} are solved");
}

#[test]
fn a_won_ending_is_won_over_the_board() {
    let chance = Chance::new(12);
    let mut searcher = Searcher::default();
    let mut won = 0;
    while won < 20 {
        let game = random_game::<QuantumControl>(&Default::default(), &chance, 400);
        let Some(record) = game.iter().rev().nth(8) else { continue };
        let winner = record.state().side();
        if let Some(Score::Win { .. }) = think(&mut searcher, record, five(12)).map(|line| line.score) {
            assert_eq!(play_out(&mut searcher, record.clone(), &chance, winner), Some(winner));
            won += 1;
        }
    }
}

/// The winner, when `bot` plays as it thinks and the other side plays at random.
fn play_out<G: Searchable>(
    searcher: &mut Searcher,
    mut record: boardkeeper::rules::Record<G>,
    chance: &Chance,
    bot: boardkeeper::rules::Side,
) -> Option<boardkeeper::rules::Side> {
    loop {
        if let Some(outcome) = record.outcome() {
            return outcome.winner;
        }
        let moves = record.state().moves();
        let mv = if record.state().side() == bot {
            think(searcher, &record, five(12)).expect("the game goes on").best
        } else {
            moves[chance.below(moves.len())]
        };
        record.advance(mv);
    }
}
