use super::{
    Surakarta, SurakartaOptions,
    board::{Square, SquareSet},
    route::Route,
};
use crate::rules::{BySide, MoveError, PositionError, Side};

/// How many pieces a side has at the start, and at most.
const PIECES: u32 = 12;

/// What a move text says, whether or not the move is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveText<'a> {
    Pass,
    Quiet(Square, Square),
    /// With the list of arcs between the brackets, if there are any.
    Capture(Square, Square, Option<&'a str>),
}

impl<'a> MoveText<'a> {
    /// # Errors
    /// The text has not the form of a move.
    pub(super) fn read(text: &'a str) -> Result<MoveText<'a>, MoveError> {
        MoveText::parse(text.trim()).ok_or_else(|| {
            MoveError::malformed(
                "two points of a1 to f6 joined by - for a quiet move or x for a capture, and after a capture \
                 its arcs in brackets if you like, such as b2-c3, b2xe5 or b2xe5[top-left,bottom-left]",
            )
        })
    }

    fn parse(text: &'a str) -> Option<MoveText<'a>> {
        if text == "pass" {
            return Some(MoveText::Pass);
        }
        let (points, rest) = text.split_at_checked(5)?;
        let points = points.as_bytes();
        let (from, to) = (Square::read(&points[..2])?, Square::read(&points[3..])?);
        match (points[2], rest) {
            (b'-', "") => Some(MoveText::Quiet(from, to)),
            (b'x', "") => Some(MoveText::Capture(from, to, None)),
            (b'x', arcs) => {
                let list = arcs.strip_prefix('[')?.strip_suffix(']')?;
                Route::is_list(list).then_some(MoveText::Capture(from, to, Some(list)))
            }
            _ => None,
        }
    }
}

/// Reads `ROWS TURN QUIET`.
pub(super) fn read_position(text: &str, options: SurakartaOptions) -> Result<Surakarta, PositionError> {
    let fields: Vec<&str> = text.split(' ').collect();
    let &[rows, turn, quiet] = fields.as_slice() else {
        let expected =
            format!("three fields, ROWS TURN QUIET, with one space between; found {}", fields.len());
        return Err(PositionError::new("position", expected));
    };
    let pieces = read_rows(rows)?;
    let side = match turn {
        "b" => Side::Black,
        "w" => Side::White,
        _ => return Err(PositionError::new("turn", format!("b or w, found {turn:?}"))),
    };
    Ok(Surakarta::new(pieces, side, read_quiet(quiet, options)?, options))
}

fn read_rows(rows: &str) -> Result<BySide<SquareSet>, PositionError> {
    let rows: Vec<&str> = rows.split('/').collect();
    if rows.len() != 6 {
        let expected = format!("six ranks joined by /, found {}", rows.len());
        return Err(PositionError::new("rows", expected));
    }
    let mut pieces = BySide::default();
    for (row, rank) in rows.into_iter().zip(0..) {
        read_row(row, rank, &mut pieces)?;
    }
    for side in Side::BOTH {
        let count = pieces[side].count();
        if !(1..=PIECES).contains(&count) {
            let expected = format!("1 to {PIECES} pieces of {side}, found {count}");
            return Err(PositionError::new("rows", expected));
        }
    }
    Ok(pieces)
}

fn read_row(row: &str, rank: u8, pieces: &mut BySide<SquareSet>) -> Result<(), PositionError> {
    let wrong = |what: String| Err(PositionError::new("rows", format!("{what} in rank {}", rank + 1)));
    let mut file = 0;
    let mut after_run = false;
    for letter in row.chars() {
        let run = letter.to_digit(7).filter(|&run| run > 0);
        let side = Side::from_letter(letter);
        if run.is_none() && side.is_none() {
            return wrong(format!("b, w, or a digit from 1 to 6 for empty points, found {letter:?}"));
        }
        if run.is_some() && after_run {
            return wrong("one digit for each run of empty points, found two side by side".to_owned());
        }
        if let Some(side) = side.filter(|_| file < 6) {
            pieces[side] = pieces[side] | Square::at(file as u8, rank).into();
        }
        after_run = run.is_some();
        file += run.unwrap_or(1);
    }
    if file != 6 {
        return wrong(format!("six points, found {file}"));
    }
    Ok(())
}

fn read_quiet(text: &str, options: SurakartaOptions) -> Result<u16, PositionError> {
    let limit = options.move_limit();
    let number = text.parse().ok().filter(|number: &u16| number.to_string() == text);
    number.filter(|&quiet| quiet < limit).ok_or_else(|| {
        let expected = format!(
            "the moves since the last capture, a whole number below the move limit of {limit} without \
             leading zeros; found {text:?}"
        );
        PositionError::new("quiet", expected)
    })
}

/// The canonical position text.
pub(super) fn write_position(state: &Surakarta) -> String {
    let rows: Vec<String> = (0..6).map(|rank| write_row(state, rank)).collect();
    format!("{} {} {}", rows.join("/"), state.side.letter(), state.quiet)
}

fn write_row(state: &Surakarta, rank: u8) -> String {
    let mut row = String::new();
    let mut run = 0;
    for file in 0..6 {
        match state.owner(Square::at(file, rank)) {
            None => run += 1,
            Some(side) => {
                push_run(&mut row, &mut run);
                row.push(side.letter());
            }
        }
    }
    push_run(&mut row, &mut run);
    row
}

fn push_run(row: &mut String, run: &mut u32) {
    if *run > 0 {
        row.push_str(&run.to_string());
    }
    *run = 0;
}
