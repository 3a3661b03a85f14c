use crate::api::proto::{Action, Cell, Move};

/// The move texts that selected points may stand for, likeliest first: for asking the server why
/// there is no such move. A legal move shows what moves are like now.
pub(super) fn meant(points: &[String], cells: &[Cell], legal: Option<&Move>) -> Vec<String> {
    match legal {
        Some(legal) if legal.action() == Action::Place => placement(points, legal),
        _ => movement(points, cells),
    }
}

/// Points to place on: one alone is joined by another that is free.
fn placement(points: &[String], legal: &Move) -> Vec<String> {
    let mut all = points.to_vec();
    let free = legal.points.iter().find(|point| !points.contains(point));
    if points.len() < legal.points.len() {
        all.extend(free.cloned());
    }
    vec![all.join("+")]
}

/// From one point to another, the sign between them by what stands there.
fn movement(points: &[String], cells: &[Cell]) -> Vec<String> {
    let cell = |point: &str| cells.iter().find(|cell| cell.point == point);
    let [from, to] = points else { return Vec::new() };
    let signs = match (cell(from), cell(to)) {
        (Some(mover), Some(there)) if there.owner == mover.owner => ['+', 'x', '-'],
        (_, Some(_)) => ['x', '-', '+'],
        (_, None) => ['-', 'x', '+'],
    };
    let whole = cell(from).map(|mover| format!("{}:{from}-{to}", mover.count));
    signs.iter().map(|sign| format!("{from}{sign}{to}")).chain(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(point: &str, owner: i32, count: u32) -> Cell {
        Cell { point: point.to_owned(), owner, count, ..Cell::default() }
    }

    fn owned<const N: usize>(names: [&str; N]) -> Vec<String> {
        names.map(str::to_owned).to_vec()
    }

    #[test]
    fn what_stands_there_says_which_movement_was_meant() {
        let cells = [cell("a1", 1, 8), cell("b1", 2, 1)];
        let meant = |points| meant(&owned(points), &cells, None);
        assert_eq!(meant(["a1", "b1"])[0], "a1xb1");
        assert_eq!(meant(["a1", "c1"]), ["a1-c1", "a1xc1", "a1+c1", "8:a1-c1"]);
        assert_eq!(meant(["c1", "d1"]), ["c1-d1", "c1xd1", "c1+d1"]);
    }

    #[test]
    fn placements_are_made_whole() {
        let legal = Move { action: Action::Place.into(), points: owned(["a1", "b1"]), ..Move::default() };
        assert_eq!(meant(&owned(["a1"]), &[], Some(&legal)), ["a1+b1"]);
        assert_eq!(meant(&owned(["e5", "e6"]), &[], Some(&legal)), ["e5+e6"]);
    }
}
