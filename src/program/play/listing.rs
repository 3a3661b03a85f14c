use crate::api::proto::Move;

/// The most moves that are shown at once.
const MOST: usize = 60;

/// Columns that a list may take.
const WIDTH: usize = 76;

/// The texts of moves, other routes included, in the order in which they are numbered.
pub(super) fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().flat_map(|mv| std::iter::once(&mv.text).chain(&mv.other_texts)).cloned().collect()
}

/// A numbered list of moves in columns.
pub(super) fn numbered(texts: &[String]) -> String {
    let entries: Vec<String> =
        texts.iter().take(MOST).enumerate().map(|(i, text)| format!("{:>3} {text}", i + 1)).collect();
    let wide = entries.iter().map(String::len).max().unwrap_or_default() + 2;
    let rows = entries.chunks((WIDTH / wide).max(1));
    let mut list: String = rows.map(|row| row_of(row, wide) + "\n").collect();
    if MOST < texts.len() {
        list += &format!("    and {} more: name a point to see fewer\n", texts.len() - MOST);
    }
    list
}

fn row_of(entries: &[String], wide: usize) -> String {
    let row: String = entries.iter().map(|entry| format!("{entry:<wide$}")).collect();
    row.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_columns_and_an_end() {
        let texts: Vec<String> = (0..70).map(|i| format!("a1+b{i}")).collect();
        let list = numbered(&texts);
        assert!(list.starts_with("  1 a1+b0     2 a1+b1 "), "{list}");
        assert!(list.ends_with("and 10 more: name a point to see fewer\n"), "{list}");
        assert!(list.lines().all(|line| line.len() <= WIDTH), "{list}");
    }
}
