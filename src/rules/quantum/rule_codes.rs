use crate::rules::RuleCode;

const fn rule(code: &'static str, summary: &'static str, values: &'static [&'static str]) -> RuleCode {
    RuleCode { code, summary, values }
}

/// The rules that a refused move can break, in the order in which they are looked at.
pub(super) const RULES: &[RuleCode] = &[
    rule("PASS_NOT_ALLOWED", "A player may not miss a move.", &[]),
    rule("EMPTY_POINT", "A move starts from a piece or a tower.", &["point"]),
    rule("NOT_YOUR_PIECE", "A player moves only what has the own colour on top.", &["point", "owner"]),
    rule("FIXED_TOWER_STAYS", "A tower of six or more is fixed and never moves.", &["point", "height"]),
    rule("SAME_POINT", "A move ends on another square than it starts from.", &["point"]),
    rule(
        "WRONG_DIRECTION",
        "A square moves straight, a circle diagonally, a cross both ways; a tower moves like its top piece.",
        &["shape", "from", "to"],
    ),
    rule(
        "TOO_FAR",
        "A single piece moves one square, a tower at most as many as it has pieces, but for power squares.",
        &["from", "to", "reach", "distance"],
    ),
    rule("PATH_BLOCKED", "Nothing jumps: all squares on the way are empty.", &["from", "to", "point"]),
    rule("FIXED_TOWER_HOLDS", "A tower of six or more is fixed and is never taken.", &["point", "height"]),
    rule("OWN_PIECE", "Nothing moves onto its own side's pieces or towers.", &["point"]),
    rule("NOTHING_TO_CAPTURE", "A move written with x ends on an enemy.", &["point", "text"]),
    rule("OCCUPIED_POINT", "A move written with - ends on an empty square.", &["point", "text"]),
];
