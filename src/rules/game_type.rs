use super::Side;

/// What is true of every game of one type, for people and for portals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameType {
    /// The name in texts and on the wire, in `kebab-case`.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The side that makes the first move from the usual start.
    pub first: Side,
    /// Whether `pass` is ever a move.
    pub passing: bool,
    /// Every reason for which the rules end a game.
    pub reasons: &'static [&'static str],
    /// Every rule that a refused move can break.
    pub rules: &'static [RuleCode],
    /// The rules as a Markdown page.
    pub page: &'static str,
}

/// A rule that a refused move can break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleCode {
    /// In `SCREAMING_SNAKE_CASE`.
    pub code: &'static str,
    /// The rule, as one English sentence.
    pub summary: &'static str,
    /// The names of the values that come with the code.
    pub values: &'static [&'static str],
}
