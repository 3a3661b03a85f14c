use super::{Medium, palette::Colour};

/// A sheet of characters. The ground can change in the middle of a line, since a half block shows
/// two colours one above the other; so squares can be as high as they are wide.
pub(super) struct Canvas {
    width: usize,
    spots: Vec<Spot>,
}

/// The place of one character.
#[derive(Clone, Copy, Default)]
struct Spot {
    /// What is written here, over any stroke.
    sign: Option<char>,
    ink: Option<Colour>,
    bold: bool,
    /// Arms of the lines that meet here, a bit each: up, down, left, right.
    arms: u8,
    upper: Option<Colour>,
    lower: Option<Colour>,
}

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// Line characters by their arms.
const COLOUR_STROKES: [char; 16] =
    [' ', '╵', '╷', '│', '╴', '╯', '╮', '┤', '╶', '╰', '╭', '├', '─', '┴', '┬', '┼'];
const PLAIN_STROKES: [char; 16] =
    [' ', '|', '|', '|', '-', '\'', '.', '+', '-', '\'', '.', '+', '-', '+', '+', '+'];

/// A column and a line.
pub(super) type Place = (usize, usize);

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, spots: vec![Spot::default(); width * height] }
    }

    /// Writes a text rightwards from a place. What lies outside is left out.
    pub(super) fn write(&mut self, (column, line): Place, text: &str, ink: Option<Colour>, bold: bool) {
        for (i, sign) in text.chars().enumerate() {
            if let Some(spot) = self.spot(column + i, line) {
                *spot = Spot { sign: Some(sign), ink, bold, ..*spot };
            }
        }
    }

    /// Colours the ground of some columns, over half lines: line `n` is the half lines `2n` and
    /// `2n + 1`.
    pub(super) fn fill(
        &mut self,
        columns: std::ops::Range<usize>,
        halves: std::ops::Range<usize>,
        ground: Colour,
    ) {
        for column in columns {
            for half in halves.clone() {
                let Some(spot) = self.spot(column, half / 2) else { continue };
                let side = if half % 2 == 0 { &mut spot.upper } else { &mut spot.lower };
                *side = Some(ground);
            }
        }
    }

    /// Draws a line between two places of one column or of one line.
    pub(super) fn stroke(&mut self, from: Place, to: Place, ink: Colour) {
        let (start, end) = (from.min(to), from.max(to));
        let upright = start.0 == end.0;
        let (back, on) = if upright { (UP, DOWN) } else { (LEFT, RIGHT) };
        let length = end.0 - start.0 + end.1 - start.1;
        for i in 0..=length {
            let place = if upright { (start.0, start.1 + i) } else { (start.0 + i, start.1) };
            let arms = if i == 0 { 0 } else { back } | if i == length { 0 } else { on };
            if let Some(spot) = self.spot(place.0, place.1) {
                *spot = Spot { arms: spot.arms | arms, ink: Some(ink), ..*spot };
            }
        }
    }

    fn spot(&mut self, column: usize, line: usize) -> Option<&mut Spot> {
        if self.width <= column {
            return None;
        }
        self.spots.get_mut(line * self.width + column)
    }

    /// The lines, without white space at their ends.
    pub(super) fn render(&self, medium: Medium) -> String {
        let lines = self.spots.chunks(self.width.max(1));
        let lines: Vec<String> = lines.map(|spots| render_line(spots, medium)).collect();
        lines.join("\n").trim_end().to_owned() + "\n"
    }
}

fn render_line(spots: &[Spot], medium: Medium) -> String {
    if medium == Medium::Plain {
        let line: String = spots.iter().map(|spot| spot.sign_on(&PLAIN_STROKES)).collect();
        return line.trim_end().to_owned();
    }
    let used = spots.iter().rposition(|spot| !spot.is_bare()).map_or(0, |last| last + 1);
    let mut line = String::new();
    let mut worn = String::new();
    for spot in &spots[..used] {
        let (sign, look) = spot.look();
        if look != worn {
            line += &look;
            worn = look;
        }
        line.push(sign);
    }
    if !worn.is_empty() {
        line += "\x1b[0m";
    }
    line
}

impl Spot {
    fn sign_on(&self, strokes: &[char; 16]) -> char {
        self.sign.unwrap_or(strokes[usize::from(self.arms & 15)])
    }

    fn is_bare(&self) -> bool {
        self.sign_on(&COLOUR_STROKES) == ' ' && self.upper.is_none() && self.lower.is_none()
    }

    /// The character, and the escape code that gives it its colours.
    fn look(&self) -> (char, String) {
        let sign = self.sign_on(&COLOUR_STROKES);
        match (self.upper, self.lower) {
            (upper, lower) if sign != ' ' || upper == lower => {
                (sign, escape(self.ink, upper.or(lower), self.bold))
            }
            (None, lower) => ('▄', escape(lower, None, false)),
            (upper, lower) => ('▀', escape(upper, lower, false)),
        }
    }
}

fn escape(ink: Option<Colour>, ground: Option<Colour>, bold: bool) -> String {
    let mut code = "\x1b[0".to_owned();
    if bold {
        code += ";1";
    }
    if let Some(ink) = ink {
        code += &format!(";38;5;{}", ink.0);
    }
    if let Some(ground) = ground {
        code += &format!(";48;5;{}", ground.0);
    }
    code + "m"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join_where_they_meet() {
        let mut canvas = Canvas::new(5, 3);
        canvas.stroke((0, 0), (4, 0), Colour(1));
        canvas.stroke((2, 2), (2, 0), Colour(1));
        canvas.stroke((4, 0), (4, 2), Colour(1));
        canvas.stroke((0, 1), (4, 1), Colour(1));
        assert_eq!(canvas.render(Medium::Plain), "--+-.\n--+-+\n  | |\n");
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let mut canvas = Canvas::new(3, 1);
        canvas.write((1, 0), "abc", None, false);
        canvas.write((0, 5), "abc", None, false);
        canvas.fill(0..9, 0..9, Colour(1));
        assert_eq!(canvas.render(Medium::Plain), " ab\n");
    }

    #[test]
    fn half_lines_of_ground_are_half_blocks() {
        let mut canvas = Canvas::new(1, 2);
        canvas.fill(0..1, 1..3, Colour(7));
        assert_eq!(canvas.render(Medium::Colour), "\x1b[0;38;5;7m▄\x1b[0m\n\x1b[0;38;5;7m▀\x1b[0m\n");
    }
}
