//! Comparison with the truth in the file of queries: missed contacts (false negatives) and invented
//! ones (false positives).

use crate::failure::Failure;
use serde_json::{Value, json};
use std::path::Path;
use tangere::impact::primitive::{ContactStatus, FirstContact};
use tangere_front::text;

/// The number of wrong queries that an error names.
const NAMED: usize = 10;

/// Verdict on the answers: which of them are wrong.
pub struct Verdict {
    count: usize,
    missed: Vec<usize>,
    invented: Vec<usize>,
    with_separation: bool,
}

impl Verdict {
    /// Compares contacts with the truth, which is whether the primitives touch. With a separation,
    /// primitives are in contact before they touch; a contact of primitives that do not touch is
    /// then not counted as wrong.
    pub fn of(found: &[FirstContact], truth: &[bool], with_separation: bool) -> Self {
        let is_free = |i: usize| found[i].status == ContactStatus::Free;
        let count = found.len().min(truth.len());
        let is_invented = |i: usize| !with_separation && found[i].is_contact() && !truth[i];
        Verdict {
            count,
            missed: (0..count).filter(|&i| truth[i] && is_free(i)).collect(),
            invented: (0..count).filter(|&i| is_invented(i)).collect(),
            with_separation,
        }
    }

    /// Returns an error if an answer is wrong.
    pub fn check(&self, path: &Path) -> Result<(), Failure> {
        if self.missed.is_empty() && self.invented.is_empty() {
            return Ok(());
        }
        let kinds = [("missed", &self.missed), ("invented", &self.invented)];
        let wrong = kinds.map(|(what, queries)| match queries.len() {
            0 => format!("none {what}"),
            n => format!("{n} {what}: {}", text::first_of(queries.iter(), NAMED)),
        });
        let message = format!(
            "{}: answers differ from the truth of {}, {}",
            path.display(),
            text::counted(self.count, "query", "queries"),
            wrong.join("; ")
        );
        Err(Failure::Work(message))
    }

    pub fn json(&self) -> Value {
        json!({ "missed": self.missed.len(), "invented": self.invented.len() })
    }

    pub fn text(&self) -> String {
        let missed = text::count(self.missed.len() as u64);
        match self.with_separation {
            true => format!("{missed} missed"),
            false => {
                let invented = text::count(self.invented.len() as u64);
                format!("{missed} missed, {invented} invented")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangere::impact::primitive::{PrimitiveSettings, vertex_vertex};

    #[test]
    fn wrong_answers_are_counted_and_named() {
        let there = |x: f64| [[0.0; 3], [x, 0.0, 0.0]];
        let query = |x: f64| vertex_vertex(&there(1.0), &there(x), &PrimitiveSettings::default());
        let found = [query(-1.0), query(0.5), query(-1.0), query(0.5)];
        let path = Path::new("q.csv");
        let right = Verdict::of(&found, &[true, false, true, false], false);
        assert!(right.check(path).is_ok());
        assert_eq!(right.text(), "0 missed, 0 invented");
        let wrong = Verdict::of(&found, &[false, true, false, true], false);
        let Err(Failure::Work(message)) = wrong.check(path) else {
            panic!("answers are wrong");
        };
        let text =
            "q.csv: answers differ from the truth of 4 queries, 2 missed: 1, 3; 2 invented: 0, 2";
        assert_eq!(message, text);
        let apart = Verdict::of(&found, &[false, false, false, false], true);
        assert!(apart.check(path).is_ok());
        assert_eq!(apart.text(), "0 missed");
    }
}
