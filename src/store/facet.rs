use sha2::{Digest, Sha256};

use super::{Card, Filter};

/// A property by which games are listed: the index keeps a list of games for each value that occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Facet<'a> {
    All,
    Finished(bool),
    GameType(&'a str),
    Label { name: &'a str, value: &'a str },
    Player(&'a str),
}

impl<'a> Facet<'a> {
    /// Every list that a game of this card is on.
    pub(super) fn of(card: &'a Card) -> Vec<Facet<'a>> {
        let mut facets = vec![
            Facet::All,
            Facet::Finished(card.finished),
            Facet::GameType(&card.game_type),
            Facet::Player(&card.black_player),
        ];
        if card.white_player != card.black_player {
            facets.push(Facet::Player(&card.white_player));
        }
        facets.extend(card.labels.iter().map(|(name, value)| Facet::Label { name, value }));
        facets
    }

    /// The list that is likely the shortest of those that hold every game that fits.
    pub(super) fn narrowest(filter: &'a Filter) -> Facet<'a> {
        let player = filter.player.as_deref().map(Facet::Player);
        let label = || filter.labels.iter().next().map(|(name, value)| Facet::Label { name, value });
        let finished = || filter.finished.map(Facet::Finished);
        let game_type = || filter.game_type.as_deref().map(Facet::GameType);
        player.or_else(label).or_else(finished).or_else(game_type).unwrap_or(Facet::All)
    }

    /// A short name of the list, the same in every release. Texts of callers are hashed, so that none
    /// can pass for another or be longer than a key may be.
    pub(super) fn id(&self) -> [u8; 16] {
        let mut sha = Sha256::new();
        match *self {
            Facet::All => sha.update([0]),
            Facet::Finished(finished) => sha.update([1, u8::from(finished)]),
            Facet::GameType(name) => part(part_of(&mut sha, 2), name),
            Facet::Label { name, value } => {
                part(part_of(&mut sha, 3), name);
                part(&mut sha, value);
            }
            Facet::Player(name) => part(part_of(&mut sha, 4), name),
        }
        let hash: [u8; 32] = sha.finalize().into();
        let mut id = [0; 16];
        id.copy_from_slice(&hash[..16]);
        id
    }
}

fn part_of(sha: &mut Sha256, kind: u8) -> &mut Sha256 {
    sha.update([kind]);
    sha
}

/// The length goes first: no two lists of texts are one text.
fn part(sha: &mut Sha256, text: &str) {
    sha.update((text.len() as u64).to_be_bytes());
    sha.update(text);
}
