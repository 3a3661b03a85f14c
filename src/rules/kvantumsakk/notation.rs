use super::{
    Kvantumsakk, KvantumsakkOptions, Move, Square, Wing,
    board::Board,
    castling::{self, CastlingRights},
    explain::{self, Attempt},
    generator::Generator,
    squares::Squares,
};
use crate::rules::{Game, MoveError, PositionError, Side};

/// As many as each side has at the start; nothing ever adds a quantum.
const MOST_QUANTA: u32 = 47;

const MOVE_FORM: &str = "a number of quanta and two squares from a1 to h8, such as 3:b1-c3, 4:a1xa7 or \
                         3:f4+d5, or castling, O-O or O-O-O";

// === Moves ===

/// A move as it was typed.
enum MoveText {
    Transfer(Attempt),
    Castle(Wing),
    Pass,
}

pub(super) fn read_move(state: &Kvantumsakk, text: &str) -> Result<Move, MoveError> {
    let typed = parse_move(text.trim()).ok_or_else(|| MoveError::malformed(MOVE_FORM))?;
    let generator = Generator::new(state);
    match typed {
        MoveText::Pass => Err(explain::passing().into()),
        MoveText::Castle(wing) if generator.allows(Move::Castle(wing)) => Ok(Move::Castle(wing)),
        MoveText::Castle(wing) => Err(explain::castling(state, wing).into()),
        MoveText::Transfer(attempt) => match attempt.transfer() {
            Some(mv) if generator.allows(mv) && attempt.sign_fits(state) => Ok(mv),
            _ => Err(explain::transfer(state, attempt).into()),
        },
    }
}

fn parse_move(text: &str) -> Option<MoveText> {
    match text {
        "pass" => Some(MoveText::Pass),
        "O-O" | "0-0" => Some(MoveText::Castle(Wing::King)),
        "O-O-O" | "0-0-0" => Some(MoveText::Castle(Wing::Queen)),
        _ => parse_transfer(text).map(MoveText::Transfer),
    }
}

fn parse_transfer(text: &str) -> Option<Attempt> {
    let (quanta, way) = text.split_once(':')?;
    let quanta = parse_number(quanta).filter(|&quanta| quanta < 100)?;
    let (from, way) = way.split_at_checked(2)?;
    let sign = way.chars().next().filter(|sign| ['-', 'x', '+'].contains(sign))?;
    let to = way.get(1..)?;
    Some(Attempt { quanta, from: Square::read(from)?, sign, to: Square::read(to)? })
}

/// Reads a whole number in digits, without a sign or leading zeros.
fn parse_number(text: &str) -> Option<u32> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if canonical && digits { text.parse().ok() } else { None }
}

// === Positions ===

pub(super) fn write_position(state: &Kvantumsakk) -> String {
    let ranks: Vec<String> = (0..8).rev().map(|rank| write_rank(&state.board, rank)).collect();
    let rows = ranks.join("/");
    let (turn, castling) = (state.side.letter(), write_castling(state.castling));
    format!("{rows} {turn} {castling} {} {}", write_fresh(state.fresh), state.quiet())
}

fn write_rank(board: &Board, rank: u8) -> String {
    let mut parts = Vec::new();
    let mut gap = 0;
    for square in (0..8).map(|file| Square::at(file, rank)) {
        let Some(owner) = board.owner(square) else {
            gap += 1;
            continue;
        };
        if 0 < gap {
            parts.push(gap.to_string());
            gap = 0;
        }
        parts.push(format!("{}{}", owner.letter(), board.count(square)));
    }
    if 0 < gap {
        parts.push(gap.to_string());
    }
    parts.join(",")
}

fn write_castling(rights: CastlingRights) -> String {
    let held = CastlingRights::LETTERS.into_iter().filter(|&(_, side, wing)| rights.has(side, wing));
    or_dash(held.map(|(letter, ..)| letter).collect())
}

/// By file, then rank.
fn write_fresh(fresh: Squares) -> String {
    let by_file = (0..8).flat_map(|file| (0..8).map(move |rank| Square::at(file, rank)));
    or_dash(by_file.filter(|&square| fresh.contains(square)).map(Square::name).collect())
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

pub(super) fn read_position(text: &str, options: KvantumsakkOptions) -> Result<Kvantumsakk, PositionError> {
    let fields: Vec<&str> = text.split(' ').collect();
    let &[rows, turn, castling, fresh, quiet] = fields.as_slice() else {
        let expected = "five fields with single spaces between them: rows, turn, castling, fresh, quiet";
        return Err(PositionError::new("position", expected));
    };
    let board = read_rows(rows)?;
    let mut state = Kvantumsakk {
        side: read_turn(turn)?,
        castling: read_castling(castling, &board)?,
        fresh: read_fresh(fresh, &board)?,
        quiet: read_quiet(quiet, options.move_limit())?,
        board,
        key: 0,
        options,
    };
    if state.in_check(!state.side) {
        let waiting = !state.side;
        let expected = format!(
            "a side to move whose opponent is not in check; {waiting}'s king-pieces are all attacked"
        );
        return Err(PositionError::new("turn", expected));
    }
    state.key = state.key_from_scratch();
    Ok(state)
}

fn read_rows(text: &str) -> Result<Board, PositionError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        let expected = format!("eight ranks with / between them, not {}", ranks.len());
        return Err(PositionError::new("rows", expected));
    }
    let mut board = Board::EMPTY;
    for (text, rank) in ranks.into_iter().zip((0..8).rev()) {
        read_rank(text, rank, &mut board)?;
    }
    check_stacks(&board)?;
    Ok(board)
}

fn read_rank(text: &str, rank: u8, board: &mut Board) -> Result<(), PositionError> {
    let wrong = |expected: &str| PositionError::new("rows", format!("{expected} in rank {}", rank + 1));
    let mut file = 0;
    let mut after_gap = false;
    for part in text.split(',') {
        if 8 <= file {
            return Err(wrong("eight squares"));
        }
        if let Some((owner, count)) = parse_stack(part) {
            board.put(Square::at(file, rank), owner, count);
            after_gap = false;
            file += 1;
        } else if let Some(gap) = parse_gap(part) {
            if after_gap {
                return Err(wrong("one number for each run of empty squares"));
            }
            after_gap = true;
            file += gap;
        } else {
            return Err(wrong(&format!("a number of empty squares or a stack such as w5, not {part:?},")));
        }
    }
    if file == 8 { Ok(()) } else { Err(wrong("eight squares")) }
}

/// Reads a stack such as `w5`.
fn parse_stack(text: &str) -> Option<(Side, u8)> {
    let owner = Side::from_letter(text.chars().next()?)?;
    let count = parse_number(&text[1..]).filter(|count| (1..=MOST_QUANTA).contains(count))?;
    Some((owner, count as u8))
}

/// Reads the length of a run of empty squares.
fn parse_gap(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [digit @ b'1'..=b'8'] => Some(digit - b'0'),
        _ => None,
    }
}

fn check_stacks(board: &Board) -> Result<(), PositionError> {
    for side in Side::BOTH {
        let quanta = board.quanta(side);
        if MOST_QUANTA < quanta {
            let expected = format!("at most {MOST_QUANTA} quanta for {side}, not {quanta}");
            return Err(PositionError::new("rows", expected));
        }
        if board.king_pieces(side).is_empty() {
            let expected = format!("a king-piece for {side}: a stack of eight quanta or more");
            return Err(PositionError::new("rows", expected));
        }
    }
    Ok(())
}

fn read_turn(text: &str) -> Result<Side, PositionError> {
    match text {
        "w" => Ok(Side::White),
        "b" => Ok(Side::Black),
        _ => Err(PositionError::new("turn", "w or b")),
    }
}

fn read_castling(text: &str, board: &Board) -> Result<CastlingRights, PositionError> {
    let rights = CastlingRights::LETTERS
        .into_iter()
        .filter(|&(letter, ..)| text.contains(letter))
        .fold(CastlingRights::NONE, |rights, (_, side, wing)| rights.with(side, wing));
    if write_castling(rights) != text {
        return Err(PositionError::new("castling", "some of KQkq in this order, or -"));
    }
    for (letter, side, wing) in CastlingRights::LETTERS {
        if rights.has(side, wing) && !castling::at_home(board, side, wing) {
            let expected = format!("no {letter} unless {side}'s eight and four stand where they started");
            return Err(PositionError::new("castling", expected));
        }
    }
    Ok(rights)
}

fn read_fresh(text: &str, board: &Board) -> Result<Squares, PositionError> {
    let names = if text == "-" { "" } else { text };
    let wrong = || PositionError::new("fresh", "squares such as a2a7b2 in order of file, then rank, or -");
    let mut fresh = Squares::NONE;
    for name in names.as_bytes().chunks(2) {
        let square = std::str::from_utf8(name).ok().and_then(Square::read).ok_or_else(wrong)?;
        fresh |= Squares::of(square);
    }
    if write_fresh(fresh) != text {
        return Err(wrong());
    }
    match fresh.into_iter().find(|&square| !may_be_fresh(board, square)) {
        None => Ok(fresh),
        Some(square) => {
            let expected = format!("untouched squares with w1 on rank 2 or b1 on rank 7; {square} is none");
            Err(PositionError::new("fresh", expected))
        }
    }
}

/// Whether this square can have held one quantum of its own colour since the start.
fn may_be_fresh(board: &Board, square: Square) -> bool {
    let home = match board.owner(square) {
        Some(Side::White) => 1,
        Some(Side::Black) => 6,
        None => return false,
    };
    square.rank() == home && board.count(square) == 1
}

fn read_quiet(text: &str, limit: u16) -> Result<u16, PositionError> {
    let quiet = parse_number(text).and_then(|quiet| u16::try_from(quiet).ok());
    quiet.filter(|&quiet| quiet < limit).ok_or_else(|| {
        PositionError::new("quiet", format!("the moves since the last capture: a number below {limit}"))
    })
}
