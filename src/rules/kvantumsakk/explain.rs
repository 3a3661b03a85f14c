use super::{
    Kvantumsakk, Move, Portion, Square, Wing,
    castling::{CastlingRights, Route},
    moves::{Landing, TransferText},
    portion::KING_PIECE,
    rays,
    squares::Squares,
};
use crate::rules::{Breach, Game, Side};

/// A transfer as a player typed it, legal or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub(super) quanta: u32,
    pub(super) from: Square,
    /// `-`, `x` or `+`.
    pub(super) sign: char,
    pub(super) to: Square,
}

impl Attempt {
    pub(super) fn transfer(self) -> Option<Move> {
        let portion = Portion::from_quanta(self.quanta)?;
        Some(Move::Transfer { from: self.from, to: self.to, portion })
    }

    /// Whether the sign is the canonical one, or the `-` that may stand for all.
    pub(super) fn sign_fits(self, state: &Kvantumsakk) -> bool {
        self.sign == '-' || self.sign == state.landing(self.to).sign()
    }
}

pub(super) fn passing() -> Breach {
    Breach::new("PASS_NOT_ALLOWED", "there is no passing in Kvantumsakk")
}

// === Transfers ===

/// Why this is not a legal transfer: the first rule that it breaks, from what the player picked up
/// to what the move leads to.
pub(super) fn transfer(state: &Kvantumsakk, attempt: Attempt) -> Breach {
    let Some(portion) = Portion::from_quanta(attempt.quanta) else {
        return no_such_portion(attempt.quanta);
    };
    let Attempt { from, to, .. } = attempt;
    stack(state, from, portion)
        .or_else(|| way(state, from, to, portion))
        .or_else(|| kings(state, from, to, portion))
        .unwrap_or_else(|| {
            let mv = Move::Transfer { from, to, portion };
            left_in_check(state, mv).unwrap_or_else(|| wrong_sign(state, attempt, portion))
        })
}

fn no_such_portion(quanta: u32) -> Breach {
    let sentence = format!("no man is worth {quanta}: a move takes 1, 3, 4, 5, 7 or 8 quanta");
    Breach::new("NO_SUCH_PORTION", sentence).with("quanta", quanta)
}

/// What is wrong with the stack that was picked.
fn stack(state: &Kvantumsakk, from: Square, portion: Portion) -> Option<Breach> {
    let count = state.count(from);
    let quanta = u32::from(portion.quanta());
    match state.owner(from) {
        None => Some(Breach::new("EMPTY_POINT", format!("{from} is empty")).with("point", from)),
        Some(owner) if owner != state.side => {
            let sentence = format!("the stack on {from} is {owner}'s, and {} is to move", state.side);
            let breach = Breach::new("NOT_YOUR_PIECE", sentence);
            Some(breach.with("point", from).with("owner", owner.letter()))
        }
        Some(_) if count < quanta => {
            let sentence = format!("the stack on {from} has only {}", number(count));
            let breach = Breach::new("STACK_TOO_SMALL", sentence);
            Some(breach.with("point", from).with("count", count).with("quanta", quanta))
        }
        Some(_) => None,
    }
}

/// What is wrong with the way from one square to the other.
fn way(state: &Kvantumsakk, from: Square, to: Square, portion: Portion) -> Option<Breach> {
    if from == to {
        let sentence = format!("a move ends on another square than {from}, where it begins");
        return Some(Breach::new("SAME_POINT", sentence).with("point", from));
    }
    if portion == Portion::One {
        return single(state, from, to);
    }
    let alone = Squares::of(from);
    let reach = match portion {
        Portion::One | Portion::Three => rays::knight(alone),
        Portion::Four => rays::rook(alone, Squares::ALL),
        Portion::Five => rays::bishop(alone, Squares::ALL),
        Portion::Seven => rays::rook(alone, Squares::ALL) | rays::bishop(alone, Squares::ALL),
        Portion::Eight => rays::king(alone),
    };
    if reach.contains(to) { path(state, from, to) } else { Some(wrong_pattern(from, to, portion)) }
}

fn wrong_pattern(from: Square, to: Square, portion: Portion) -> Breach {
    let moves = match portion {
        Portion::One => "moves straight forward, and captures diagonally forward",
        Portion::Three => "leap two squares along a line and one across",
        Portion::Four => "move along ranks and files",
        Portion::Five => "move diagonally",
        Portion::Seven => "move along ranks, files and diagonals",
        Portion::Eight => "move one square in any direction",
    };
    let (man, word) = (portion.man(), portion.word());
    let sentence = format!("a {man}'s {word} {moves}, and {to} does not lie so from {from}");
    let breach = Breach::new("WRONG_PATTERN", sentence);
    breach.with("quanta", portion.quanta()).with("man", man).with("from", from).with("to", to)
}

fn path(state: &Kvantumsakk, from: Square, to: Square) -> Option<Breach> {
    let distance =
        |square: &Square| square.file().abs_diff(from.file()).max(square.rank().abs_diff(from.rank()));
    let held = rays::between(from, to) & !state.board.empty();
    let blocker = held.min_by_key(distance)?;
    let sentence = format!("the path from {from} to {to} is blocked on {blocker}");
    let breach = Breach::new("PATH_BLOCKED", sentence);
    Some(breach.with("from", from).with("to", to).with("point", blocker))
}

/// What is wrong with the way of a single quantum.
fn single(state: &Kvantumsakk, from: Square, to: Square) -> Option<Breach> {
    let alone = Squares::of(from);
    let one = rays::ahead(state.side, alone);
    let two = rays::ahead(state.side, one);
    let landing = state.landing(to);
    if rays::aside(state.side, alone).contains(to) {
        return (landing != Landing::Enemy).then(|| {
            let sentence = format!("one quantum goes diagonally only to capture, and no enemy is on {to}");
            Breach::new("SINGLE_NEEDS_ENEMY", sentence).with("from", from).with("to", to)
        });
    }
    if !(one | two).contains(to) {
        return Some(wrong_pattern(from, to, Portion::One));
    }
    if two.contains(to) && !state.fresh.contains(from) {
        return Some(touched(state, from));
    }
    path(state, from, to).or_else(|| {
        (landing == Landing::Enemy).then(|| {
            let sentence =
                format!("one quantum captures diagonally only, and an enemy is on {to} straight ahead");
            Breach::new("SINGLE_CAPTURES_DIAGONALLY", sentence).with("from", from).with("to", to)
        })
    })
}

fn touched(state: &Kvantumsakk, from: Square) -> Breach {
    let why = match state.count(from) {
        1 => format!("{from} is none any more"),
        count => format!("{from} holds {}", number(count)),
    };
    let sentence = format!("two forward only from an untouched single square, and {why}");
    Breach::new("SINGLE_TOUCHED", sentence).with("from", from).with("count", state.count(from))
}

/// Whether the move would end the last king-piece of either side.
fn kings(state: &Kvantumsakk, from: Square, to: Square, portion: Portion) -> Option<Breach> {
    let enemy = !state.side;
    if state.king_pieces(enemy) == Squares::of(to) {
        let sentence = format!("{to} is {enemy}'s last king-piece, which can't be taken");
        return Some(Breach::new("LAST_KING_PIECE", sentence).with("point", to));
    }
    let stays = state.count(from) - u32::from(portion.quanta());
    let joined = if state.landing(to) == Landing::Own { state.count(to) } else { 0 };
    let lands = joined + u32::from(portion.quanta());
    let remains = state.king_pieces(state.side) != Squares::of(from);
    if remains || [stays, lands].into_iter().any(|count| u32::from(KING_PIECE) <= count) {
        return None;
    }
    let sentence = format!(
        "this would leave you without a king-piece: {} would stay on {from} and {} stand on {to}",
        number(stays),
        number(lands)
    );
    let breach = Breach::new("NO_KING_PIECE_LEFT", sentence);
    Some(breach.with("from", from).with("stays", stays).with("to", to).with("lands", lands))
}

/// Which king-pieces would be attacked, if all of them.
fn left_in_check(state: &Kvantumsakk, mv: Move) -> Option<Breach> {
    let mut next = *state;
    next.play(mv);
    let side = state.side;
    if !next.in_check(side) {
        return None;
    }
    let attacks: Vec<(Square, Square)> =
        next.king_pieces(side).filter_map(|king| Some((king, attacker(&next, !side, king)?))).collect();
    let sentence = match attacks.as_slice() {
        [(king, from)] => format!("this would leave your only king-piece attacked: {king} from {from}"),
        _ => format!("this would leave all your king-pieces attacked: {}", list(&attacks)),
    };
    let names = |squares: Vec<Square>| squares.into_iter().map(Square::name).collect::<Vec<_>>().join(",");
    let (kings, attackers) = attacks.into_iter().unzip();
    let breach = Breach::new("LEFT_IN_CHECK", sentence);
    Some(breach.with("king_pieces", names(kings)).with("attackers", names(attackers)))
}

fn list(attacks: &[(Square, Square)]) -> String {
    let one = |(king, from): &(Square, Square)| format!("{king} from {from}");
    attacks.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A stack of this side that attacks the square.
fn attacker(state: &Kvantumsakk, side: Side, square: Square) -> Option<Square> {
    let all = state.board.attackers(side, Squares::NONE);
    let attacks = |from: &Square| all.among(Squares::of(*from)).squares(state.board.empty()).contains(square);
    state.stacks(side).find(attacks)
}

fn wrong_sign(state: &Kvantumsakk, attempt: Attempt, portion: Portion) -> Breach {
    let Attempt { from, to, .. } = attempt;
    let landing = state.landing(to);
    let found = match landing {
        Landing::Empty => "is empty",
        Landing::Enemy => "holds enemies",
        Landing::Own => "holds your own quanta",
    };
    let expected = TransferText { portion, from, landing, to };
    let sentence = format!("{to} {found}, so the move is written {expected}");
    Breach::new("WRONG_SIGN", sentence).with("point", to).with("expected", expected)
}

// === Castling ===

/// Why the side to move may not castle on this wing.
pub(super) fn castling(state: &Kvantumsakk, wing: Wing) -> Breach {
    let route = Route::of(state.side, wing);
    castling_right(state.castling, state.side, wing)
        .or_else(|| enemy_where_they_land(state, &route))
        .or_else(|| rook_s_path(state, &route))
        .unwrap_or_else(|| attacked_walk(state, &route))
}

fn castling_right(rights: CastlingRights, side: Side, wing: Wing) -> Option<Breach> {
    if rights.has(side, wing) {
        return None;
    }
    let Route { king_from, rook_from, .. } = Route::of(side, wing);
    let sentence = format!(
        "{side} can no longer castle on the {}'s side: something has left or landed on {king_from} or \
         {rook_from}",
        wing.word()
    );
    Some(Breach::new("CASTLING_RIGHT_LOST", sentence).with("wing", wing.word()))
}

fn enemy_where_they_land(state: &Kvantumsakk, route: &Route) -> Option<Breach> {
    let held = |square: &Square| state.landing(*square) == Landing::Enemy;
    let point = route.landings().into_iter().find(held)?;
    let man = if point == route.king_to { "king" } else { "rook" };
    let sentence =
        format!("castling captures nothing, and an enemy is on {point}, where the {man} would land");
    Some(Breach::new("CASTLING_ONTO_ENEMY", sentence).with("point", point))
}

fn rook_s_path(state: &Kvantumsakk, route: &Route) -> Option<Breach> {
    let point = route.rook_passes.filter(|square| !state.board.empty().contains(*square))?;
    let sentence = format!("the rook passes {point} when it castles, so {point} must be empty");
    Some(Breach::new("CASTLING_PATH_BLOCKED", sentence).with("point", point))
}

fn attacked_walk(state: &Kvantumsakk, route: &Route) -> Breach {
    let attack = |point| Some((point, attacker(state, !state.side, point)?));
    // Everything else has been ruled out, so one of the three squares is attacked.
    let (point, from) =
        route.king_walk().into_iter().find_map(attack).unwrap_or((route.king_from, route.king_from));
    let what = if point == route.king_from {
        "out of an attack"
    } else if point == route.king_to {
        "onto an attacked square"
    } else {
        "through an attacked square"
    };
    let sentence = format!("the king may not castle {what}: {point} is attacked from {from}");
    Breach::new("CASTLING_ATTACKED", sentence).with("point", point).with("attacker", from)
}

/// Small numbers as words.
fn number(count: u32) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(count as usize).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}
