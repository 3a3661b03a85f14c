use std::collections::HashSet;

use anyhow::bail;

use crate::{chance::Chance, game::Board};

/// How often an opening is drawn anew because it ended the game or has been drawn before.
const ATTEMPTS: u32 = 1000;

/// Draws so many openings of so many random moves. They differ as long as there are enough.
///
/// # Errors
/// Random moves keep ending the game.
pub(super) fn draw(
    start: &dyn Board,
    count: usize,
    moves: u32,
    seed: u64,
) -> anyhow::Result<Vec<Box<dyn Board>>> {
    let mut chance = Chance::new(seed);
    let mut seen = HashSet::new();
    let mut openings: Vec<Box<dyn Board>> = Vec::with_capacity(count);
    while openings.len() < count {
        let mut found = None;
        for _ in 0..ATTEMPTS {
            let Some(opening) = wander(start, moves, &mut chance) else { continue };
            let fresh = seen.insert(opening.position());
            found = Some(opening);
            if fresh || moves == 0 {
                break;
            }
        }
        match found {
            Some(opening) => openings.push(opening),
            None => bail!("{moves} random moves end the game from this position: try a shorter --opening"),
        }
    }
    Ok(openings)
}

/// The game after so many random moves, if it still goes on.
fn wander(start: &dyn Board, moves: u32, chance: &mut Chance) -> Option<Box<dyn Board>> {
    let mut board = start.boxed();
    for _ in 0..moves {
        let legal = board.listing();
        board.play(&chance.pick(&legal)?.text).ok()?;
    }
    board.outcome().is_none().then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::KINDS;

    #[test]
    fn openings_differ_and_go_on_and_are_the_same_for_a_seed() {
        for kind in KINDS {
            let start = kind.start(&Default::default()).expect("the usual start");
            let positions = |seed| -> Vec<String> {
                let drawn = draw(&*start, 20, 3, seed).expect("three moves end no game");
                assert!(drawn.iter().all(|board| board.outcome().is_none()));
                drawn.iter().map(|board| board.position()).collect()
            };
            let (once, again, other) = (positions(1), positions(1), positions(2));
            assert_eq!(once, again);
            assert_ne!(once, other);
            assert_eq!(once.iter().collect::<HashSet<_>>().len(), 20);
        }
    }

    #[test]
    fn a_position_without_an_opening_is_told() {
        let kind = crate::game::kind("quantum-control").expect("it is offered");
        // Black can capture White's last stone, and nothing else.
        let text = "..-../....../-..-..-/..-..-../...bbw.../..-..-../-..-..-/....../..-.. w c 0 w";
        let start = kind.open(&Default::default(), text).expect("a position");
        let refused = draw(&*start, 1, 40, 1).err().expect("the game is over long before");
        assert!(refused.to_string().starts_with("40 random moves end the game"), "{refused}");
    }
}
