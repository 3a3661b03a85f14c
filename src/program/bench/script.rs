use crate::{
    chance::Chance,
    game::{Board, KINDS, Kind},
};

/// A game to be played from the usual start.
pub struct Script {
    /// The name of the game's type.
    pub game_type: &'static str,
    /// Legal moves from the start on, as texts; the last one may end the game.
    pub moves: Vec<String>,
}

/// Games of each type, and the most moves of one.
const EACH: usize = 8;
const LONGEST: usize = 60;

/// Random games of all types, or of one: the same ones every time.
pub fn scripts(only: Option<&str>) -> Vec<Script> {
    let mut chance = Chance::new(1);
    let kinds = KINDS.iter().filter(|kind| only.is_none_or(|name| kind.game_type().name == name));
    let kinds: Vec<_> = kinds.collect();
    (0..EACH).flat_map(|_| &kinds).filter_map(|kind| draw(**kind, &mut chance)).collect()
}

fn draw(kind: &dyn Kind, chance: &mut Chance) -> Option<Script> {
    let mut board = kind.start(&Default::default()).ok()?;
    let mut moves = Vec::new();
    while moves.len() < LONGEST
        && let Some(text) = legal(&*board, chance)
    {
        board.play(&text).ok()?;
        moves.push(text);
    }
    Some(Script { game_type: kind.game_type().name, moves })
}

/// A legal move, unless the game is over.
fn legal(board: &dyn Board, chance: &mut Chance) -> Option<String> {
    Some(chance.pick(&board.listing())?.text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_long_legal_and_the_same_every_time() {
        let drawn = scripts(None);
        assert_eq!(drawn.len(), EACH * KINDS.len());
        for (script, again) in drawn.iter().zip(scripts(None)) {
            assert_eq!(script.moves, again.moves);
            assert!(20 <= script.moves.len(), "{}: {:?}", script.game_type, script.moves);
            let kind = crate::game::kind(script.game_type).expect("it is offered");
            let mut board = kind.start(&Default::default()).expect("the usual start");
            for text in &script.moves {
                assert_eq!(board.outcome(), None);
                board.play(text).expect("it is legal");
            }
        }
    }

    #[test]
    fn scripts_of_one_type_are_of_that_type() {
        let drawn = scripts(Some("quantum"));
        assert!(drawn.len() == EACH && drawn.iter().all(|script| script.game_type == "quantum"));
        assert!(scripts(Some("chess")).is_empty());
    }
}
