//! Comparison of pairs with brute force over every pair of items.

use super::search::PairQuery;
use crate::failure::Failure;
use std::cmp::Ordering;
use tangere::pairs::Method;
use tangere_front::finder::{Finder, Settings};
use tangere_front::text::first_of;

/// Maximum number of missing pairs that an error lists, and also of extra pairs.
const NAMED: usize = 10;

/// Oracle: the pairs of each step, found by brute force.
pub struct Oracle {
    steps: Vec<Vec<[u32; 2]>>,
}

impl Oracle {
    /// Finds the pairs of each step by brute force; `--max-pairs` does not limit them.
    pub fn new(settings: &Settings, pair_query: &PairQuery<'_>) -> Result<Self, Failure> {
        let mut brute = Finder::new(Settings {
            method: Method::Brute,
            skin: None,
            most: usize::MAX,
            occupancy: None,
            origin: None,
            ..settings.clone()
        })?;
        brute.leave_out(pair_query.filters.clone());
        let found = |step| {
            let mut pairs = Vec::new();
            pair_query.update(&mut brute, step)?;
            pair_query.pairs(&mut brute, step, &mut pairs)?;
            Ok(pairs)
        };
        let steps = (0..pair_query.steps.frames.len()).map(found);
        Ok(Oracle {
            steps: steps.collect::<Result<_, Failure>>()?,
        })
    }

    /// Compares the pairs found at a step with those of brute force. The error names missing and
    /// extra pairs.
    pub fn compare(
        &self,
        pair_query: &PairQuery<'_>,
        step: usize,
        pairs: &[[u32; 2]],
    ) -> Result<(), Failure> {
        self.difference(step, pairs).map_err(|message| {
            let message = pair_query.steps.message(step, message);
            let file = pair_query.options.particles.display();
            Failure::Work(format!("{file}: {message}"))
        })
    }

    fn difference(&self, step: usize, pairs: &[[u32; 2]]) -> Result<(), String> {
        let expected = &self.steps[step][..];
        if expected == pairs {
            return Ok(());
        }
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        let [missing, extra] = differences(expected, &sorted);
        if missing.is_empty() && extra.is_empty() {
            return Err("pairs are those of brute force, but not sorted".into());
        }
        Err(format!(
            "pairs differ from brute force: {}; {}",
            listed("missing", &missing),
            listed("extra", &extra)
        ))
    }
}

/// Compares two sorted lists: returns the pairs that only `a` contains, and those that only `b`
/// contains.
fn differences(mut a: &[[u32; 2]], mut b: &[[u32; 2]]) -> [Vec<[u32; 2]>; 2] {
    let mut only = [Vec::new(), Vec::new()];
    while let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
        match x.cmp(y) {
            Ordering::Less => {
                only[0].push(*x);
                a = rest_a;
            }
            Ordering::Greater => {
                only[1].push(*y);
                b = rest_b;
            }
            Ordering::Equal => (a, b) = (rest_a, rest_b),
        }
    }
    only[0].extend(a);
    only[1].extend(b);
    only
}

fn listed(what: &str, pairs: &[[u32; 2]]) -> String {
    if pairs.is_empty() {
        return format!("none {what}");
    }
    let names = pairs.iter().map(|[a, b]| format!("{a}-{b}"));
    format!("{} {what}: {}", pairs.len(), first_of(names, NAMED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let oracle = Oracle {
            steps: vec![vec![[0, 1], [0, 2], [3, 4]]],
        };
        assert_eq!(oracle.difference(0, &[[0, 1], [0, 2], [3, 4]]), Ok(()));
        let message = |pairs: &[[u32; 2]]| oracle.difference(0, pairs).unwrap_err();
        assert_eq!(
            message(&[[0, 2], [1, 2], [7, 8]]),
            "pairs differ from brute force: 2 missing: 0-1, 3-4; 2 extra: 1-2, 7-8"
        );
        assert!(message(&[[0, 1], [0, 1], [0, 2], [3, 4]]).ends_with("none missing; 1 extra: 0-1"));
        assert!(message(&[[0, 2], [0, 1], [3, 4]]).ends_with("not sorted"));
        let many: Vec<[u32; 2]> = (10..30).map(|i| [9, i]).collect();
        assert!(
            message(&many).ends_with(
                "20 extra: 9-10, 9-11, 9-12, 9-13, 9-14, 9-15, 9-16, 9-17, 9-18, 9-19, …"
            )
        );
    }
}
