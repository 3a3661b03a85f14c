//! Quantum Control once more, slowly, straight from the page of its rules: the measure for the fast
//! one. Cells are pairs of row and number, positions are maps.

use std::collections::{BTreeMap, BTreeSet};

/// Row and number: `a` = 1.
pub(super) type Spot = (i32, i32);

const DIRECTIONS: [Spot; 6] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)];
const CENTRES: [&str; 7] = ["e5", "e8", "h8", "h5", "e2", "b2", "b5"];
const ROWS: [(char, i32, i32); 9] = [
    ('i', 5, 9),
    ('h', 4, 9),
    ('g', 3, 9),
    ('f', 2, 9),
    ('e', 1, 9),
    ('d', 1, 8),
    ('c', 1, 7),
    ('b', 1, 6),
    ('a', 1, 5),
];

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Slow {
    /// Every cell of the board with its letter in position texts.
    cells: BTreeMap<Spot, char>,
    turn: char,
    phase: char,
    passes: u32,
    last: char,
}

impl Slow {
    /// Reads a valid position text.
    pub(super) fn read(text: &str) -> Slow {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut cells = BTreeMap::new();
        for (row, (letter, first, _)) in fields[0].split('/').zip(ROWS) {
            for (found, number) in row.chars().zip(first..) {
                cells.insert((row_number(letter), number), found);
            }
        }
        let letter = |field: usize| fields[field].chars().next().unwrap();
        let passes = fields[3].parse().unwrap();
        Slow { cells, turn: letter(1), phase: letter(2), passes, last: letter(4) }
    }

    pub(super) fn write(&self) -> String {
        let rows: Vec<String> = ROWS
            .iter()
            .map(|&(row, first, last)| {
                (first..=last).map(|number| self.cells[&(row_number(row), number)]).collect()
            })
            .collect();
        let Slow { turn, phase, passes, last, .. } = self;
        format!("{} {turn} {phase} {passes} {last}", rows.join("/"))
    }

    /// Whether this text, in canonical form, is a legal move.
    pub(super) fn accepts(&self, text: &str) -> bool {
        if text == "pass" {
            return self.phase == 'c';
        }
        if let Some((from, to)) = text.split_once('x') {
            return self.phase == 'c' && self.captures(spot(from), spot(to));
        }
        if let Some((a, b)) = text.split_once('+') {
            return self.phase == 'p' && self.stones() != 0 && self.takes_pair(spot(a), spot(b));
        }
        self.phase == 'p' && self.stones() == 0 && self.cells[&spot(text)] == '.'
    }

    /// Every text that is accepted, of all that have the form of a move.
    pub(super) fn legal(&self) -> BTreeSet<String> {
        self.texts().into_iter().filter(|text| self.accepts(text)).collect()
    }

    /// Every text that has the form of a move, pairs in ascending order only.
    pub(super) fn texts(&self) -> Vec<String> {
        let names: Vec<String> = self.cells.keys().map(|&(row, number)| name((row, number))).collect();
        let mut texts = names.clone();
        for a in &names {
            for b in &names {
                texts.push(format!("{a}x{b}"));
                if a <= b {
                    texts.push(format!("{a}+{b}"));
                }
            }
        }
        texts.push("pass".to_owned());
        texts
    }

    /// The position after a legal move.
    pub(super) fn after(&self, text: &str) -> Slow {
        let mut next = self.clone();
        next.turn = other(self.turn);
        if text == "pass" {
            next.passes += 1;
        } else if let Some((from, to)) = text.split_once('x') {
            next.cells.insert(spot(from), '.');
            next.cells.insert(spot(to), self.turn);
            next.passes = 0;
            next.last = self.turn;
        } else {
            text.split('+').for_each(|cell| _ = next.cells.insert(spot(cell), self.turn));
            if next.stones() == 49 {
                next.phase = 'c';
            }
        }
        next
    }

    /// The winner and the reason, once the game is over.
    pub(super) fn ending(&self) -> Option<(char, &'static str)> {
        if self.passes == 2 {
            return Some((self.winner(), "two_passes"));
        }
        let over = self.phase == 'c' && !self.can_capture('b') && !self.can_capture('w');
        over.then(|| (self.winner(), "no_captures"))
    }

    /// The areas of one colour: those in which it has more stones.
    pub(super) fn areas(&self, colour: char) -> u32 {
        let majority = |centre: &&str| {
            let area = self.area(spot(centre));
            let count = |colour: char| area.iter().filter(|at| self.cells[at] == colour).count();
            count(other(colour)) < count(colour)
        };
        CENTRES.into_iter().filter(majority).count() as u32
    }

    pub(super) fn count(&self, colour: char) -> u32 {
        self.cells.values().filter(|&&found| found == colour).count() as u32
    }

    fn stones(&self) -> u32 {
        self.count('b') + self.count('w')
    }

    fn winner(&self) -> char {
        let (black, white) = (self.areas('b'), self.areas('w'));
        if black == white {
            self.last
        } else if black < white {
            'w'
        } else {
            'b'
        }
    }

    fn can_capture(&self, colour: char) -> bool {
        let side = Slow { turn: colour, ..self.clone() };
        side.cells.keys().any(|&from| side.cells.keys().any(|&to| side.captures(from, to)))
    }

    fn captures(&self, from: Spot, to: Spot) -> bool {
        if self.cells[&from] != self.turn || self.cells[&to] != other(self.turn) {
            return false;
        }
        let friends =
            self.neighbours(from).into_iter().filter(|at| self.cells[at] == self.turn).count() as i32;
        DIRECTIONS.iter().any(|(row, number)| (from.0 + friends * row, from.1 + friends * number) == to)
    }

    fn takes_pair(&self, a: Spot, b: Spot) -> bool {
        let empty_areas: Vec<Vec<Spot>> = CENTRES
            .iter()
            .map(|centre| self.area(spot(centre)))
            .filter(|area| area.iter().any(|at| self.cells[at] == '.'))
            .collect();
        let together = empty_areas.iter().any(|area| area.contains(&a) && area.contains(&b));
        let both_empty = a != b && self.cells[&a] == '.' && self.cells[&b] == '.';
        both_empty && (empty_areas.len() == 1 || !together)
    }

    fn area(&self, centre: Spot) -> Vec<Spot> {
        let mut area = self.neighbours(centre);
        area.push(centre);
        area
    }

    fn neighbours(&self, (row, number): Spot) -> Vec<Spot> {
        let around = DIRECTIONS.iter().map(|(rows, numbers)| (row + rows, number + numbers));
        around.filter(|at| self.cells.contains_key(at)).collect()
    }
}

fn other(colour: char) -> char {
    if colour == 'b' { 'w' } else { 'b' }
}

fn row_number(letter: char) -> i32 {
    letter as i32 - 'a' as i32 + 1
}

fn spot(name: &str) -> Spot {
    let mut letters = name.chars();
    let (row, number) = (letters.next().unwrap(), letters.next().unwrap());
    (row_number(row), number.to_digit(10).unwrap() as i32)
}

fn name((row, number): Spot) -> String {
    format!("{}{number}", (b'a' + row as u8 - 1) as char)
}
