use crate::api::proto::Cell;

/// The move texts that selected points may stand for, likeliest first: for asking the server why
/// there is no such move.
pub(super) fn meant(points: &[String], cells: &[Cell]) -> Vec<String> {
    let cell = |point: &str| cells.iter().find(|cell| cell.point == point);
    match points {
        [point] => vec![point.clone()],
        [from, to] => {
            let Some(mover) = cell(from) else { return vec![format!("{from}+{to}")] };
            let signs = match cell(to) {
                Some(there) if there.owner == mover.owner => ['+', 'x', '-'],
                Some(_) => ['x', '-', '+'],
                None => ['-', 'x', '+'],
            };
            let whole = format!("{}:{from}-{to}", mover.count);
            signs.iter().map(|sign| format!("{from}{sign}{to}")).chain([whole]).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(point: &str, owner: i32, count: u32) -> Cell {
        Cell { point: point.to_owned(), owner, count, ..Cell::default() }
    }

    #[test]
    fn what_stands_there_says_what_was_meant() {
        let points = |names: [&str; 2]| names.map(str::to_owned);
        let cells = [cell("a1", 1, 8), cell("b1", 2, 1)];
        assert_eq!(meant(&points(["c1", "d1"]), &cells), ["c1+d1"]);
        assert_eq!(meant(&points(["a1", "b1"]), &cells)[0], "a1xb1");
        assert_eq!(meant(&points(["a1", "c1"]), &cells), ["a1-c1", "a1xc1", "a1+c1", "8:a1-c1"]);
        assert_eq!(meant(&["c1".to_owned()], &cells), ["c1"]);
    }
}
