//! Sample of items that `--verify` compares with brute force.

use tangere_front::answer::Summary;
use tangere_front::text;

/// Maximum number of pairs that a comparison with brute force tests.
const PAIR_TESTS: usize = 100_000_000;

/// Sample of the items that `--verify` compares with brute force: all items, or every `step`-th
/// item if all would take too many tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    count: usize,
    step: usize,
}

impl Sample {
    /// Returns a sample out of `count` items. Each item of the sample takes `tests` pair tests, all
    /// together about `PAIR_TESTS` at most.
    pub fn new(count: usize, tests: usize) -> Self {
        Self::within(count, tests, PAIR_TESTS)
    }

    /// Returns a sample out of `count` items. Each item of the sample takes `tests` pair tests, all
    /// together about `limit` at most.
    pub fn within(count: usize, tests: usize, limit: usize) -> Self {
        let step = count.saturating_mul(tests).div_ceil(limit).max(1);
        Self { count, step }
    }

    /// Returns the indices of the items in the sample.
    pub fn items(self) -> Vec<usize> {
        (0..self.count).step_by(self.step).collect()
    }

    /// Whether the item of index `item` is in the sample.
    pub fn has(self, item: usize) -> bool {
        item.is_multiple_of(self.step)
    }

    /// Returns the number of items in the sample.
    pub fn len(self) -> usize {
        self.count.div_ceil(self.step)
    }

    /// Adds to the summary that the items of the sample are verified. `name` is the JSON member for
    /// the size of the sample. `one` and `more` are the noun for the items, singular and plural.
    /// `what` follows the noun in the text.
    pub fn add_to(self, summary: &mut Summary, name: &str, [one, more]: [&str; 2], what: &str) {
        let text = format!("{} {what}", self.text(one, more));
        summary.member("verified", true);
        summary.both(name, self.len(), "verified", text);
    }

    /// Returns the size of the sample in words, such as `100 of 2 000 points` or `2 000 points`; `one`
    /// and `more` are the noun in the singular and the plural.
    pub fn text(self, one: &str, more: &str) -> String {
        let all = text::counted(self.count, one, more);
        match self.len() == self.count {
            true => all,
            false => format!("{} of {all}", text::count(self.len() as u64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_bounded() {
        let all = Sample::new(2000, 50_000);
        assert_eq!((all.len(), all.items().len()), (2000, 2000));
        assert_eq!(all.text("point", "points"), "2 000 points");
        let some = Sample::new(2001, 50_000);
        assert_eq!((some.len(), some.items().len()), (1001, 1001));
        assert_eq!(some.text("point", "points"), "1 001 of 2 001 points");
        assert!(some.items().into_iter().all(|i| some.has(i)));
        assert_eq!((0..2001).filter(|&i| some.has(i)).count(), 1001);
        let one = Sample::new(5, usize::MAX);
        assert_eq!(one.items(), [0]);
        assert_eq!(Sample::new(0, 9).items(), [0; 0]);
    }
}
