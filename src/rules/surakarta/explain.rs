use super::{
    Surakarta,
    board::{Square, SquareSet},
    circuit::Track,
    moves::Move,
    notation::MoveText,
    route::Route,
    travel::Travel,
};
use crate::rules::{Breach, RuleCode};

const fn rule(code: &'static str, summary: &'static str, values: &'static [&'static str]) -> RuleCode {
    RuleCode { code, summary, values }
}

/// Every rule that a refused move can break.
pub(super) const RULES: &[RuleCode] = &[
    rule("PASS_NOT_ALLOWED", "There is no pass.", &[]),
    rule("EMPTY_POINT", "A move starts from a piece.", &["point"]),
    rule("NOT_YOUR_PIECE", "A player moves only own pieces.", &["point", "owner"]),
    rule("SAME_POINT", "A move ends on another point than it starts from.", &["point"]),
    rule("OCCUPIED_POINT", "A quiet move ends on an empty point.", &["point", "owner"]),
    rule(
        "WRONG_DISTANCE",
        "A quiet move goes one step, in any of the eight directions.",
        &["from", "to", "distance"],
    ),
    rule("NOTHING_TO_CAPTURE", "A capture ends on an enemy piece.", &["point"]),
    rule("OWN_PIECE", "A capture takes an enemy piece, not an own one.", &["point"]),
    rule(
        "NO_CIRCUIT",
        "The corners a1, f1, a6 and f6 lie on no circuit: from there nothing captures, and nothing is taken there.",
        &["point"],
    ),
    rule("NO_COMMON_CIRCUIT", "A capture starts and ends on the same circuit.", &["from", "to"]),
    rule(
        "NO_ARC",
        "A capture goes through at least one arc: straight along a line nothing is taken.",
        &["from", "to"],
    ),
    rule(
        "ROUTE_BLOCKED",
        "A capture travels over empty points only and takes the first piece that it meets.",
        &["from", "to", "blockers"],
    ),
    rule(
        "NO_SUCH_ROUTE",
        "A capture that names its arcs names those of a way that exists and is free.",
        &["from", "to", "route", "routes"],
    ),
];

impl Surakarta {
    /// The move that this text names, or the rule that forbids it here.
    pub(super) fn allow(&self, text: MoveText) -> Result<Move, Breach> {
        match text {
            MoveText::Pass => {
                let sentence = "there is no pass in Surakarta: a player without a move loses";
                Err(Breach::new("PASS_NOT_ALLOWED", sentence))
            }
            MoveText::Quiet(from, to) => {
                self.check_mover(from, to)?;
                self.check_empty(to)?;
                check_distance(from, to)?;
                Ok(Move::quiet(from, to))
            }
            MoveText::Capture(from, to, arcs) => {
                self.check_mover(from, to)?;
                self.check_enemy(to)?;
                check_circuits(from, to)?;
                Ok(Move::capture(from, to, self.allow_route(from, to, arcs)?))
            }
        }
    }

    fn check_mover(&self, from: Square, to: Square) -> Result<(), Breach> {
        match self.owner(from) {
            None => Err(Breach::new("EMPTY_POINT", format!("no piece stands on {from}")).with("point", from)),
            Some(owner) if owner != self.side => {
                let sentence = format!("the piece on {from} is {owner}'s, and it is {}'s turn", self.side);
                let breach = Breach::new("NOT_YOUR_PIECE", sentence).with("point", from);
                Err(breach.with("owner", owner.letter()))
            }
            Some(_) if from == to => {
                let sentence =
                    format!("a move ends on another point than it starts from, and both are {from}");
                Err(Breach::new("SAME_POINT", sentence).with("point", from))
            }
            Some(_) => Ok(()),
        }
    }

    fn check_empty(&self, point: Square) -> Result<(), Breach> {
        let Some(owner) = self.owner(point) else { return Ok(()) };
        let sentence = format!("{point} is held by {owner}, and a quiet move ends on an empty point");
        Err(Breach::new("OCCUPIED_POINT", sentence).with("point", point).with("owner", owner.letter()))
    }

    fn check_enemy(&self, point: Square) -> Result<(), Breach> {
        match self.owner(point) {
            None => {
                let sentence = format!("there is nothing to take on {point}");
                Err(Breach::new("NOTHING_TO_CAPTURE", sentence).with("point", point))
            }
            Some(owner) if owner == self.side => {
                let sentence = format!("the piece on {point} is {owner}'s own, so {owner} can't take it");
                Err(Breach::new("OWN_PIECE", sentence).with("point", point))
            }
            Some(_) => Ok(()),
        }
    }

    /// The route of these arcs, or without any the canonical one.
    fn allow_route(&self, from: Square, to: Square, arcs: Option<&str>) -> Result<Route, Breach> {
        let routes: Vec<Route> = self.ways(from, to).into_iter().map(|(route, _)| route).collect();
        let Some(&canonical) = routes.first() else {
            return Err(self.no_way(from, to));
        };
        let Some(arcs) = arcs else { return Ok(canonical) };
        let asked = Route::read(arcs).filter(|asked| routes.contains(asked));
        asked.ok_or_else(|| no_such_route(from, to, arcs, routes))
    }

    /// Why no way along a circuit that both points lie on is a capture.
    fn no_way(&self, from: Square, to: Square) -> Breach {
        let mut met = SquareSet::EMPTY;
        for travel in Travel::all_from(from, self.occupied()).filter(|travel| travel.track.has(to)) {
            met = met | travel.to().into();
        }
        let blockers = met & !SquareSet::from(to);
        if met.contains(to) { no_arc(from, to, blockers) } else { blocked(from, to, blockers) }
    }
}

fn check_distance(from: Square, to: Square) -> Result<(), Breach> {
    let distance = from.distance(to);
    if distance == 1 {
        return Ok(());
    }
    let sentence = format!("a quiet move goes one step, and {to} is {distance} steps from {from}");
    Err(Breach::new("WRONG_DISTANCE", sentence).with("from", from).with("to", to).with("distance", distance))
}

fn check_circuits(from: Square, to: Square) -> Result<(), Breach> {
    if from.is_corner() {
        let sentence = format!("{from} lies on no circuit, so a piece there can't take anything");
        return Err(Breach::new("NO_CIRCUIT", sentence).with("point", from));
    }
    if to.is_corner() {
        let sentence = format!("{to} lies on no circuit, so a piece there can't be taken");
        return Err(Breach::new("NO_CIRCUIT", sentence).with("point", to));
    }
    if Track::BOTH.into_iter().any(|track| track.has(from) && track.has(to)) {
        return Ok(());
    }
    let (mine, other) = if Track::Inner.has(from) { ("inner", "outer") } else { ("outer", "inner") };
    let sentence = format!("{from} lies on the {mine} circuit only and {to} on the {other} one only");
    Err(Breach::new("NO_COMMON_CIRCUIT", sentence).with("from", from).with("to", to))
}

fn no_arc(from: Square, to: Square, blockers: SquareSet) -> Breach {
    let mut sentence = format!("{from} meets {to} straight along a line, and a capture goes through an arc");
    if !blockers.is_empty() {
        sentence += &format!("; the ways through arcs are blocked on {}", listed(&names(blockers), "and"));
    }
    Breach::new("NO_ARC", sentence).with("from", from).with("to", to)
}

fn blocked(from: Square, to: Square, blockers: SquareSet) -> Breach {
    let names = names(blockers);
    let sentence =
        format!("every way round the circuits from {from} to {to} is blocked: on {}", listed(&names, "and"));
    Breach::new("ROUTE_BLOCKED", sentence).with("from", from).with("to", to).with("blockers", names.join(" "))
}

fn no_such_route(from: Square, to: Square, arcs: &str, mut routes: Vec<Route>) -> Breach {
    routes.sort_unstable();
    let routes: Vec<String> = routes.into_iter().map(|route| format!("[{route}]")).collect();
    let sentence = format!("{from} takes {to} by no route [{arcs}] here, but by {}", listed(&routes, "or"));
    Breach::new("NO_SUCH_ROUTE", sentence)
        .with("from", from)
        .with("to", to)
        .with("route", format!("[{arcs}]"))
        .with("routes", routes.join(" "))
}

fn names(set: SquareSet) -> Vec<String> {
    let mut names: Vec<String> = set.map(|square| square.to_string()).collect();
    names.sort_unstable();
    names
}

/// Joins words as a sentence does: `a, b and c`.
fn listed(words: &[String], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}
