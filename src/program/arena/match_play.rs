use std::{
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use super::{
    super::player::{Clock, Mind, Player},
    played::{Effort, Played},
};
use crate::chance::Chance;
use crate::game::Board;

/// All games of a match: two from each opening.
pub(super) struct Match<'a> {
    /// `a` and `b`.
    pub(super) players: [Player; 2],
    pub(super) openings: &'a [Box<dyn Board>],
    pub(super) seed: u64,
    pub(super) clock: Clock,
}

impl Match<'_> {
    /// Plays all games, so many at a time, and tells of each as it ends.
    pub(super) fn play(&self, jobs: usize, mut tell: impl FnMut(Played)) {
        let (next, games) = (AtomicUsize::new(0), 2 * self.openings.len());
        let (told, ended) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..jobs {
                let (next, told) = (&next, told.clone());
                scope.spawn(move || {
                    let mut minds = self.players.map(Player::mind);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if games <= number || told.send(self.game(number, &mut minds)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(told);
            ended.iter().for_each(&mut tell);
        });
    }

    /// Plays the game of this number. `a` is the side to move after the opening in the even ones.
    fn game(&self, number: usize, minds: &mut [Mind; 2]) -> Played {
        let mut board = self.openings[number / 2].clone();
        let first = board.side();
        let side_of_a = if number.is_multiple_of(2) { first } else { !first };
        // Each game and each player has a seed of its own: equal bots do not play mirror games.
        let mut chance = Chance::new(Chance::new(self.seed ^ number as u64).draw());
        let seeds = [chance.draw(), chance.draw()];
        let mut effort = [Effort::default(); 2];
        loop {
            let turn = usize::from(board.side() != side_of_a);
            if let Some(outcome) = board.outcome() {
                return Played { side_of_a, outcome, effort };
            }
            let line = minds[turn].think(&*board, seeds[turn], self.clock);
            let line = line.expect("a game that goes on has a move");
            effort[turn].note(&line);
            board.play(&line.best).expect("searches find legal moves");
        }
    }
}
