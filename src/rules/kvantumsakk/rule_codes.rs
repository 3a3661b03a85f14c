use crate::rules::RuleCode;

/// Every rule that a refused move can break, in the order in which they are looked at.
pub(super) const RULES: &[RuleCode] = &[
    rule("PASS_NOT_ALLOWED", "There is no passing in this game.", &[]),
    rule("NO_SUCH_PORTION", "A move takes 1, 3, 4, 5, 7 or 8 quanta.", &["quanta"]),
    rule("EMPTY_POINT", "A move starts from a stack.", &["point"]),
    rule("NOT_YOUR_PIECE", "A move starts from a stack of the side to move.", &["point", "owner"]),
    rule("STACK_TOO_SMALL", "A move takes no more quanta than the stack has.", &["point", "count", "quanta"]),
    rule("SAME_POINT", "A move ends on another square than it starts from.", &["point"]),
    rule(
        "WRONG_PATTERN",
        "The quanta of a move go like the man that is worth as many.",
        &["quanta", "man", "from", "to"],
    ),
    rule("SINGLE_NEEDS_ENEMY", "One quantum goes diagonally only to capture.", &["from", "to"]),
    rule(
        "SINGLE_TOUCHED",
        "One quantum goes two squares forward only from an untouched single square.",
        &["from", "count"],
    ),
    rule(
        "PATH_BLOCKED",
        "Every square between the two ends of a move is empty, except for a knight's leap.",
        &["from", "to", "point"],
    ),
    rule("SINGLE_CAPTURES_DIAGONALLY", "One quantum captures diagonally forward only.", &["from", "to"]),
    rule("LAST_KING_PIECE", "A player's last king-piece is never taken.", &["point"]),
    rule(
        "NO_KING_PIECE_LEFT",
        "A player does not break up his own last king-piece.",
        &["from", "stays", "to", "lands"],
    ),
    rule(
        "LEFT_IN_CHECK",
        "A move does not leave all king-pieces of its own player attacked.",
        &["king_pieces", "attackers"],
    ),
    rule(
        "WRONG_SIGN",
        "A move is written with x if it captures and with + if it merges; - may stand for both.",
        &["point", "expected"],
    ),
    rule(
        "CASTLING_RIGHT_LOST",
        "Castling needs a king's and a rook's square that nothing has left or landed on.",
        &["wing"],
    ),
    rule("CASTLING_ONTO_ENEMY", "King and rook castle onto empty squares or their own quanta.", &["point"]),
    rule("CASTLING_PATH_BLOCKED", "The square that only the rook passes is empty.", &["point"]),
    rule(
        "CASTLING_ATTACKED",
        "The king's square, the one that it passes and its destination are not attacked.",
        &["point", "attacker"],
    ),
];

const fn rule(code: &'static str, summary: &'static str, values: &'static [&'static str]) -> RuleCode {
    RuleCode { code, summary, values }
}
