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
            Facet::GameType(name) => hash(&mut sha, 2, &[name]),
            Facet::Label { name, value } => hash(&mut sha, 3, &[name, value]),
            Facet::Player(name) => hash(&mut sha, 4, &[name]),
        }
        let hash: [u8; 32] = sha.finalize().into();
        let mut id = [0; 16];
        id.copy_from_slice(&hash[..16]);
        id
    }
}

/// Lengths go before texts: no two lists of texts run into one.
fn hash(sha: &mut Sha256, kind: u8, texts: &[&str]) {
    sha.update([kind]);
    for text in texts {
        sha.update((text.len() as u64).to_be_bytes());
        sha.update(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored indexes are keyed by these: a change of any of them needs a new format.
    #[test]
    fn ids_stay_what_they_are() {
        let hex = |facet: Facet<'_>| facet.id().map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(hex(Facet::All), "6e340b9cffb37a989ca544e6bb780a2c");
        assert_eq!(hex(Facet::Finished(false)), "47dc540c94ceb704a23875c11273e16b");
        assert_eq!(hex(Facet::Finished(true)), "9dcf97a184f32623d11a73124ceb99a5");
        assert_eq!(hex(Facet::GameType("surakarta")), "0c7fb2f3d1164ddffe7212872943c800");
        assert_eq!(hex(Facet::Label { name: "event", value: "cup" }), "fbbf9a0c147ff69d4955a02343e2252f");
        assert_eq!(hex(Facet::Player("ada")), "161dbfac37504c7a2194653f0e52ac69");
    }
}
