/// Weights of the terms of an evaluation, which shift as the game goes on: a row for every `step` of
/// some measure of it, in between what lies in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phased<const TERMS: usize, const ROWS: usize> {
    pub(super) names: [&'static str; TERMS],
    pub(super) step: i32,
    pub(super) rows: [[i32; TERMS]; ROWS],
}

impl<const TERMS: usize, const ROWS: usize> Phased<TERMS, ROWS> {
    /// The sum of the terms, each times its weight at this point of the game, 0 or more.
    #[inline]
    pub(super) fn weigh(&self, terms: &[i32; TERMS], at: i32) -> i32 {
        const { assert!(2 <= ROWS) }
        let row = (at / self.step).min(ROWS as i32 - 2);
        let past = (at - row * self.step).min(self.step);
        let sum = |row: &[i32; TERMS]| terms.iter().zip(row).map(|(term, weight)| term * weight).sum::<i32>();
        let (before, after) = (&self.rows[row as usize], &self.rows[row as usize + 1]);
        (sum(before) * (self.step - past) + sum(after) * past) / self.step
    }

    /// Hands over each weight by its name, such as `tempo@16`.
    pub(super) fn visit(&mut self, visit: &mut dyn FnMut(&str, &mut i32)) {
        for (row, at) in self.rows.iter_mut().zip((0..).step_by(self.step as usize)) {
            for (weight, name) in row.iter_mut().zip(self.names) {
                visit(&format!("{name}@{at}"), weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHASED: Phased<2, 3> = Phased { names: ["a", "b"], step: 10, rows: [[100, 0], [200, -50], [0, 0]] };

    #[test]
    fn weights_shift_evenly_from_row_to_row() {
        let at = |at| PHASED.weigh(&[1, 2], at);
        assert_eq!([at(0), at(5), at(10), at(20), at(99)], [100, 100, 100, 0, 0]);
        assert_eq!(PHASED.weigh(&[-1, 0], 15), -100);
    }

    #[test]
    fn weights_have_names() {
        let mut names = Vec::new();
        let mut phased = PHASED;
        phased.visit(&mut |name, weight| names.push((name.to_owned(), *weight)));
        assert_eq!(names[1], ("b@0".to_owned(), 0));
        assert_eq!(names[2], ("a@10".to_owned(), 200));
        assert_eq!(names.len(), 6);
    }
}
