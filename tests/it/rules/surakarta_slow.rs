//! Surakarta read straight off its rules, in words and without haste: points are names, circuits
//! are texts, a capture is walked step by step.

use std::collections::{BTreeMap, BTreeSet};

pub(super) const CIRCUITS: [(&str, &str); 2] = [
    (
        "inner",
        "a2 b2 c2 d2 e2 f2 ~top-right e1 e2 e3 e4 e5 e6 ~bottom-right \
         f5 e5 d5 c5 b5 a5 ~bottom-left b6 b5 b4 b3 b2 b1 ~top-left",
    ),
    (
        "outer",
        "a3 b3 c3 d3 e3 f3 ~top-right d1 d2 d3 d4 d5 d6 ~bottom-right \
         f4 e4 d4 c4 b4 a4 ~bottom-left c6 c5 c4 c3 c2 c1 ~top-left",
    ),
];

/// A position: who stands where, and whose turn it is.
pub(super) struct Position {
    pieces: BTreeMap<String, char>,
    turn: char,
    quiet: u32,
}

/// One way to make a capture.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) text: String,
    /// Every point touched, the first and the last included.
    pub(super) points: Vec<String>,
}

/// All ways of one pair of points, the listed one first, the others in byte order.
pub(super) type Listed = BTreeMap<String, (Way, Vec<Way>)>;

pub(super) fn points() -> Vec<String> {
    ('1'..='6').flat_map(|rank| ('a'..='f').map(move |file| format!("{file}{rank}"))).collect()
}

impl Position {
    pub(super) fn read(text: &str) -> Position {
        let mut fields = text.split(' ');
        let rows = fields.next().unwrap().replace('/', "");
        let squares = rows.chars().flat_map(|c| match c.to_digit(10) {
            Some(run) => vec!['.'; run as usize],
            None => vec![c],
        });
        let pieces = points().into_iter().zip(squares).filter(|(_, piece)| *piece != '.').collect();
        let turn = fields.next().unwrap().chars().next().unwrap();
        Position { pieces, turn, quiet: fields.next().unwrap().parse().unwrap() }
    }

    pub(super) fn count(&self, side: char) -> usize {
        self.pieces.values().filter(|&&piece| piece == side).count()
    }

    fn mine(&self) -> Vec<&String> {
        self.pieces.iter().filter(|(_, piece)| **piece == self.turn).map(|(point, _)| point).collect()
    }

    pub(super) fn quiet_moves(&self) -> BTreeSet<String> {
        let mut moves = BTreeSet::new();
        for from in self.mine() {
            for to in points() {
                if next_to(from, &to) && !self.pieces.contains_key(&to) {
                    moves.insert(format!("{from}-{to}"));
                }
            }
        }
        moves
    }

    /// The captures by pair of points, as in `b2xe5`.
    pub(super) fn captures(&self) -> Listed {
        let mut by_pair: BTreeMap<String, Vec<Way>> = BTreeMap::new();
        for from in self.mine() {
            for way in self.ways_from(from) {
                by_pair.entry(way.text[..5].to_owned()).or_default().push(way);
            }
        }
        by_pair.into_iter().map(|(pair, ways)| (pair, listed(ways))).collect()
    }

    fn ways_from(&self, from: &str) -> Vec<Way> {
        let mut ways = Vec::new();
        for (_, circuit) in CIRCUITS {
            let there: Vec<&str> = circuit.split_whitespace().collect();
            let back: Vec<&str> = there.iter().rev().copied().collect();
            for track in [there, back] {
                let starts = (0..track.len()).filter(|&i| track[i] == from);
                ways.extend(starts.filter_map(|start| self.walk(&track, start)));
            }
        }
        ways
    }

    fn walk(&self, track: &[&str], start: usize) -> Option<Way> {
        let from = track[start];
        let mut arcs = Vec::new();
        let mut points = vec![from.to_owned()];
        for ahead in 1..track.len() {
            let here = track[(start + ahead) % track.len()];
            if let Some(arc) = here.strip_prefix('~') {
                arcs.push(arc);
                continue;
            }
            points.push(here.to_owned());
            if here != from && self.pieces.contains_key(here) {
                let taken = self.pieces[here] != self.turn && !arcs.is_empty();
                return taken.then(|| Way { text: format!("{from}x{here}[{}]", arcs.join(",")), points });
            }
        }
        None
    }

    /// Every text that may be played.
    pub(super) fn legal_texts(&self) -> BTreeSet<String> {
        let mut texts = self.quiet_moves();
        for (pair, (first, others)) in self.captures() {
            texts.insert(pair);
            texts.insert(first.text);
            texts.extend(others.into_iter().map(|way| way.text));
        }
        texts
    }

    /// Winner and reason, if the game is over.
    pub(super) fn ending(
        &self,
        occurrences: u32,
        majority: bool,
        limit: u32,
    ) -> Option<(Option<char>, &'static str)> {
        let other = if self.turn == 'b' { 'w' } else { 'b' };
        let (black, white) = (self.count('b'), self.count('w'));
        if black == 0 {
            return Some((Some('w'), "all_captured"));
        }
        if white == 0 {
            return Some((Some('b'), "all_captured"));
        }
        if self.legal_texts().is_empty() {
            return Some((Some(other), "no_moves"));
        }
        if occurrences == 3 {
            return Some((None, "threefold"));
        }
        if self.quiet < limit {
            return None;
        }
        if majority && black != white {
            return Some((Some(if black > white { 'b' } else { 'w' }), "majority"));
        }
        Some((None, "move_limit"))
    }
}

fn next_to(a: &str, b: &str) -> bool {
    let apart = |i: usize| a.as_bytes()[i].abs_diff(b.as_bytes()[i]);
    a != b && apart(0) <= 1 && apart(1) <= 1
}

/// Fewest steps first, then byte order; a text that two ways share counts as its shorter one.
fn listed(mut ways: Vec<Way>) -> (Way, Vec<Way>) {
    ways.sort_by_key(|way| (way.points.len(), way.text.clone()));
    let mut seen = BTreeSet::new();
    ways.retain(|way| seen.insert(way.text.clone()));
    let first = ways.remove(0);
    ways.sort_by_key(|way| way.text.clone());
    (first, ways)
}
