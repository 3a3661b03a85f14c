//! Kvantumsakk once more, written from its rules page with nothing in mind but to be plain: a map
//! of stacks, every quantity of every stack tried on every square, every attack looked for anew.

use std::collections::{BTreeMap, BTreeSet};

/// File and rank, each from 0 to 7.
type At = (i32, i32);

const PORTIONS: [u32; 6] = [1, 3, 4, 5, 7, 8];

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Slow {
    stacks: BTreeMap<At, (char, u32)>,
    turn: char,
    rights: String,
    fresh: BTreeSet<At>,
    quiet: u32,
}

impl Slow {
    /// Reads a text that is known to be canonical.
    pub(super) fn read(text: &str) -> Slow {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut stacks = BTreeMap::new();
        for (row, rank) in fields[0].split('/').zip((0..8).rev()) {
            let mut file = 0;
            for part in row.split(',') {
                match part.parse::<i32>() {
                    Ok(gap) => file += gap,
                    Err(_) => {
                        let colour = part.chars().next().unwrap();
                        stacks.insert((file, rank), (colour, part[1..].parse().unwrap()));
                        file += 1;
                    }
                }
            }
        }
        let fresh = fields[3].trim_matches('-').as_bytes().chunks(2).map(|name| at(name[0], name[1]));
        Slow {
            stacks,
            turn: fields[1].chars().next().unwrap(),
            rights: fields[2].replace('-', ""),
            fresh: fresh.collect(),
            quiet: fields[4].parse().unwrap(),
        }
    }

    pub(super) fn write(&self) -> String {
        let rows: Vec<String> = (0..8).rev().map(|rank| self.write_row(rank)).collect();
        let fresh: String = self.fresh.iter().map(|&square| name(square)).collect();
        let dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        format!("{} {} {} {} {}", rows.join("/"), self.turn, dash(&self.rights), dash(&fresh), self.quiet)
    }

    fn write_row(&self, rank: i32) -> String {
        let marks: Vec<String> = (0..8)
            .map(|file| match self.stacks.get(&(file, rank)) {
                Some((colour, count)) => format!("{colour}{count}"),
                None => ".".to_owned(),
            })
            .collect();
        let mut row = marks.join(",");
        for gap in (1..=8).rev() {
            row = row.replace(&vec!["."; gap].join(","), &gap.to_string());
        }
        row
    }

    /// Every legal move's canonical text with the position after it, in byte order.
    pub(super) fn moves(&self) -> BTreeMap<String, Slow> {
        let mut moves = BTreeMap::new();
        for (&from, &(colour, _)) in &self.stacks {
            for portion in PORTIONS {
                for to in squares() {
                    if colour == self.turn
                        && let Some(next) = self.transfer(from, to, portion)
                    {
                        let sign = match self.stacks.get(&to) {
                            None => '-',
                            Some(&(owner, _)) if owner == colour => '+',
                            Some(_) => 'x',
                        };
                        moves.insert(format!("{portion}:{}{sign}{}", name(from), name(to)), next);
                    }
                }
            }
        }
        for (text, king_to, rook_from, rook_to) in [("O-O", 6, 7, 5), ("O-O-O", 2, 0, 3)] {
            if let Some(next) = self.castle(king_to, rook_from, rook_to) {
                moves.insert(text.to_owned(), next);
            }
        }
        moves
    }

    /// `mate`, `stalemate`, or nothing.
    pub(super) fn end(&self) -> Option<&'static str> {
        match (self.moves().is_empty(), self.in_check(self.turn)) {
            (false, _) => None,
            (true, true) => Some("mate"),
            (true, false) => Some("stalemate"),
        }
    }

    pub(super) fn in_check(&self, colour: char) -> bool {
        self.king_pieces(colour).iter().all(|&king| self.attacks(other(colour), king))
    }

    fn king_pieces(&self, colour: char) -> Vec<At> {
        let king = |&(_, &(owner, count)): &(&At, &(char, u32))| owner == colour && count >= 8;
        self.stacks.iter().filter(king).map(|(&square, _)| square).collect()
    }

    fn transfer(&self, from: At, to: At, portion: u32) -> Option<Slow> {
        let (colour, count) = self.stacks[&from];
        if count < portion || !self.can_go(from, to, portion) {
            return None;
        }
        let mut next = self.clone();
        next.carry(from, to, portion);
        let captured = self.stacks.get(&to).is_some_and(|&(owner, _)| owner != colour);
        next.quiet = if captured { 0 } else { self.quiet + 1 };
        next.turn = other(colour);
        let kings_live = ['b', 'w'].iter().all(|&side| !next.king_pieces(side).is_empty());
        (kings_live && !next.in_check(colour)).then_some(next)
    }

    /// Whether the portion's man goes that way, with what stands there now.
    fn can_go(&self, from: At, to: At, portion: u32) -> bool {
        let (colour, _) = self.stacks[&from];
        let enemy = self.stacks.get(&to).is_some_and(|&(owner, _)| owner != colour);
        if portion == 1 {
            let ahead = if colour == 'w' { 1 } else { -1 };
            let (across, forward) = (to.0 - from.0, (to.1 - from.1) * ahead);
            let passed = (from.0, from.1 + ahead);
            return match (across, forward) {
                (0, 1) => !enemy,
                (0, 2) => !enemy && self.fresh.contains(&from) && !self.stacks.contains_key(&passed),
                (-1 | 1, 1) => enemy,
                _ => false,
            };
        }
        self.strikes(from, to, portion)
    }

    /// Whether the portion's man would capture an enemy there.
    fn strikes(&self, from: At, to: At, portion: u32) -> bool {
        let (across, along) = (to.0 - from.0, to.1 - from.1);
        let distance = across.abs().max(along.abs());
        let straight = (across == 0) != (along == 0);
        let diagonal = across.abs() == along.abs() && across != 0;
        let right = match portion {
            1 => across.abs() == 1 && along == if self.stacks[&from].0 == 'w' { 1 } else { -1 },
            3 => across.abs() * along.abs() == 2,
            4 => straight,
            5 => diagonal,
            7 => straight || diagonal,
            _ => distance == 1,
        };
        let leaps = portion == 3;
        let passed = |i| (from.0 + across.signum() * i, from.1 + along.signum() * i);
        right && (leaps || (1..distance).all(|i| !self.stacks.contains_key(&passed(i))))
    }

    fn attacks(&self, colour: char, square: At) -> bool {
        self.stacks.iter().any(|(&from, &(owner, count))| {
            let strikes = |portion: u32| {
                let mut after = self.clone();
                portion <= count && self.strikes(from, square, portion) && {
                    after.stacks.remove(&square);
                    after.carry(from, square, portion);
                    !after.king_pieces(colour).is_empty()
                }
            };
            owner == colour && from != square && PORTIONS.into_iter().any(strikes)
        })
    }

    /// Moves quanta, whatever the rules say, and forgets what is no longer as at the start.
    fn carry(&mut self, from: At, to: At, portion: u32) {
        let (colour, count) = self.stacks.remove(&from).unwrap();
        if count > portion {
            self.stacks.insert(from, (colour, count - portion));
        }
        let joined = match self.stacks.get(&to) {
            Some(&(owner, there)) if owner == colour => there,
            _ => 0,
        };
        self.stacks.insert(to, (colour, joined + portion));
        for square in [from, to] {
            self.fresh.remove(&square);
            let lost = match name(square).as_str() {
                "e1" => "KQ",
                "h1" => "K",
                "a1" => "Q",
                "e8" => "kq",
                "h8" => "k",
                "a8" => "q",
                _ => "",
            };
            self.rights.retain(|right| !lost.contains(right));
        }
    }

    fn castle(&self, king_to: i32, rook_from: i32, rook_to: i32) -> Option<Slow> {
        let (rank, letters) = if self.turn == 'w' { (0, ['K', 'Q']) } else { (7, ['k', 'q']) };
        let right = letters[usize::from(rook_from == 0)];
        let enemy = |file| self.stacks.get(&(file, rank)).is_some_and(|&(owner, _)| owner != self.turn);
        let attacked = |file| self.attacks(other(self.turn), (file, rank));
        let rook_passes = rook_from == 0 && self.stacks.contains_key(&(1, rank));
        if !self.rights.contains(right)
            || [king_to, rook_to].into_iter().any(enemy)
            || rook_passes
            || [4, rook_to, king_to].into_iter().any(attacked)
        {
            return None;
        }
        let mut next = self.clone();
        next.carry((4, rank), (king_to, rank), 8);
        next.carry((rook_from, rank), (rook_to, rank), 4);
        next.turn = other(self.turn);
        next.quiet += 1;
        (!next.in_check(self.turn)).then_some(next)
    }
}

pub(super) fn names() -> Vec<String> {
    squares().map(name).collect()
}

fn squares() -> impl Iterator<Item = At> {
    (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank)))
}

fn at(file: u8, rank: u8) -> At {
    (i32::from(file - b'a'), i32::from(rank - b'1'))
}

fn name((file, rank): At) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn other(colour: char) -> char {
    if colour == 'w' { 'b' } else { 'w' }
}
