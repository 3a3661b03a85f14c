//! Quantum once more, written straight from its page and slowly: strings on a grid.

/// How a slow game ended: the winner's letter, if any, and the reason.
pub(super) type End = (Option<char>, &'static str);

#[derive(Clone)]
pub(super) struct SlowQuantum {
    /// Towers from the bottom up, `grid[rank][file]`, the rank 0 being White's.
    grid: Vec<Vec<String>>,
    turn: char,
    quiet: usize,
    limit: usize,
    /// Board and turn of every position since the last capture, the present one last.
    seen: Vec<String>,
}

type Place = (usize, usize);

impl SlowQuantum {
    /// From a valid position text.
    pub(super) fn new(text: &str, limit: usize) -> SlowQuantum {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut grid: Vec<Vec<String>> = fields[0].split('/').map(rank).collect();
        grid.reverse();
        let turn = fields[1].chars().next().unwrap();
        let quiet = fields[2].parse().unwrap();
        let mut slow = SlowQuantum { grid, turn, quiet, limit, seen: Vec::new() };
        slow.seen.push(slow.board_and_turn());
        slow
    }

    pub(super) fn text(&self) -> String {
        format!("{} {}", self.board_and_turn(), self.quiet)
    }

    /// Every text of a move between two squares of the board that the rules allow now.
    pub(super) fn legal(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for from in self.places() {
            for to in self.places() {
                for sign in ['-', 'x'] {
                    if self.allows(from, sign, to) {
                        texts.push(format!("{}{sign}{}", name(from), name(to)));
                    }
                }
            }
        }
        texts.sort();
        texts
    }

    /// Plays the text of a legal move.
    pub(super) fn play(&mut self, text: &str) {
        let (from, to) = (place(&text[..2]), place(&text[3..]));
        let mover = std::mem::take(&mut self.grid[from.1][from.0]);
        self.grid[to.1][to.0].push_str(&mover);
        self.turn = if self.turn == 'w' { 'b' } else { 'w' };
        if text.contains('x') {
            self.quiet = 0;
            self.seen.clear();
        } else {
            self.quiet += 1;
        }
        self.seen.push(self.board_and_turn());
    }

    pub(super) fn end(&self) -> Option<End> {
        for side in ['w', 'b'] {
            if self.fixed(side) >= 3 {
                return Some((Some(side), "three_fixed_towers"));
            }
        }
        let impossible = |side| self.loose() < 6 * (3 - self.fixed(side));
        let now = self.seen.last().unwrap();
        let reason = if impossible('w') && impossible('b') {
            "towers_impossible"
        } else if self.legal().is_empty() {
            "no_moves"
        } else if self.seen.iter().filter(|past| *past == now).count() >= 3 {
            "threefold"
        } else if self.quiet >= self.limit {
            "move_limit"
        } else {
            return None;
        };
        Some((self.more_pieces(), reason))
    }

    pub(super) fn fixed(&self, side: char) -> usize {
        self.towers().filter(|tower| tower.len() >= 6 && owner(tower) == side).count()
    }

    /// All pieces in what has this side's colour on top.
    pub(super) fn pieces(&self, side: char) -> usize {
        self.towers().filter(|tower| owner(tower) == side).map(|tower| tower.len()).sum()
    }

    fn more_pieces(&self) -> Option<char> {
        let (white, black) = (self.pieces('w'), self.pieces('b'));
        if white == black {
            return None;
        }
        let side = if white > black { 'w' } else { 'b' };
        (self.fixed(side) >= 1).then_some(side)
    }

    fn loose(&self) -> usize {
        self.towers().filter(|tower| tower.len() < 6).map(|tower| tower.len()).sum()
    }

    fn allows(&self, from: Place, sign: char, to: Place) -> bool {
        let (mover, target) = (self.tower(from), self.tower(to));
        if mover.is_empty() || owner(mover) != self.turn || mover.len() >= 6 {
            return false;
        }
        let target_fits = match sign {
            '-' => target.is_empty(),
            _ => !target.is_empty() && owner(target) != self.turn && target.len() < 6,
        };
        target_fits && self.reaches(from, to)
    }

    /// Walks from a square in each direction of its top piece until something is in the way.
    fn reaches(&self, from: Place, to: Place) -> bool {
        let mover = self.tower(from);
        let straight = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let directions: Vec<(i32, i32)> = match mover.to_ascii_lowercase().chars().last().unwrap() {
            's' => straight.to_vec(),
            'c' => diagonal.to_vec(),
            _ => [straight, diagonal].concat(),
        };
        let steps = if self.power().contains(&from) { 100 } else { mover.len() };
        directions.into_iter().any(|(files, ranks)| {
            let mut at = from;
            for _ in 0..steps {
                let (file, rank) = (at.0 as i32 + files, at.1 as i32 + ranks);
                if file < 0 || rank < 0 || file >= self.files() as i32 || rank >= self.ranks() as i32 {
                    return false;
                }
                at = (file as usize, rank as usize);
                if at == to {
                    return true;
                }
                if !self.tower(at).is_empty() {
                    return false;
                }
            }
            false
        })
    }

    fn power(&self) -> Vec<Place> {
        let names = match (self.files(), self.ranks()) {
            (10, 6) => "a1 j1 a6 j6",
            (10, 8) => "a1 j1 a8 j8 a2 j2 a7 j7",
            (12, 8) => "a1 l1 a8 l8 b2 k2 b7 k7",
            other => panic!("no board of {other:?}"),
        };
        names.split(' ').map(place).collect()
    }

    fn files(&self) -> usize {
        self.grid[0].len()
    }

    fn ranks(&self) -> usize {
        self.grid.len()
    }

    fn places(&self) -> Vec<Place> {
        (0..self.files()).flat_map(|file| (0..self.ranks()).map(move |rank| (file, rank))).collect()
    }

    fn tower(&self, (file, rank): Place) -> &str {
        &self.grid[rank][file]
    }

    fn towers(&self) -> impl Iterator<Item = &String> {
        self.grid.iter().flatten().filter(|tower| !tower.is_empty())
    }

    fn board_and_turn(&self) -> String {
        let rows: Vec<String> = self.grid.iter().rev().map(|rank| rank_text(rank)).collect();
        format!("{} {}", rows.join("/"), self.turn)
    }
}

fn rank(row: &str) -> Vec<String> {
    let mut towers = Vec::new();
    for item in row.split(',') {
        match item.parse::<usize>() {
            Ok(empty) => towers.extend(vec![String::new(); empty]),
            Err(_) => towers.push(item.to_owned()),
        }
    }
    towers
}

pub(super) fn rank_text(rank: &[String]) -> String {
    let mut items: Vec<String> = Vec::new();
    let mut empty = 0;
    for tower in rank {
        if tower.is_empty() {
            empty += 1;
            continue;
        }
        if empty > 0 {
            items.push(empty.to_string());
            empty = 0;
        }
        items.push(tower.clone());
    }
    if empty > 0 {
        items.push(empty.to_string());
    }
    items.join(",")
}

fn owner(tower: &str) -> char {
    if tower.ends_with(|top: char| top.is_uppercase()) { 'w' } else { 'b' }
}

fn place(name: &str) -> Place {
    let letters: Vec<char> = name.chars().collect();
    (letters[0] as usize - 'a' as usize, letters[1] as usize - '1' as usize)
}

fn name((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}
