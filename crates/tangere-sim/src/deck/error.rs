//! Errors of decks: where, which command, what was found and what was expected.

use std::fmt;

/// What is wrong with a command: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl Problem {
    /// A problem from what was found and what was expected.
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            found: found.into(),
            expected: expected.into(),
        }
    }

    /// An unknown word where one of several was expected. A word that is nearly one of them is named.
    pub fn unknown(word: &str, what: &str, known: &[&str]) -> Self {
        let expected = match near_match(word, known) {
            Some(near) => format!("{what}: did you mean {near}?"),
            None => match known.len() {
                1..=12 => format!("{what}: {}", known.join(", ")),
                _ => what.to_string(),
            },
        };
        Self::new(word, expected)
    }

    /// Arguments that are not there.
    pub fn missing(what: impl Into<String>) -> Self {
        Self::new("the end of the command", what)
    }

    /// Arguments beyond those that are read.
    pub fn surplus(word: &str) -> Self {
        Self::new(word, "the end of the command")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {}, expected {}", self.found, self.expected)
    }
}

impl std::error::Error for Problem {}

/// An error of a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file.
    pub file: String,
    /// The line, counted from 1; of a command on several lines the first.
    pub line: usize,
    /// The command, with its variables replaced as far as they were.
    pub command: String,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            command,
            problem,
        } = self;
        match line {
            0 => write!(f, "{file}: {problem}"),
            _ => write!(f, "{file}:{line}: {command}: {problem}"),
        }
    }
}

impl std::error::Error for Error {}

/// The known word that differs least from a word, if it differs by little.
fn near_match<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let most = match word.chars().count() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    let distances = known.iter().map(|known| (edits(word, known), *known));
    let (distance, near) = distances.min()?;
    (distance <= most).then_some(near)
}

/// The number of letters to insert, delete, replace or swap with their neighbour that turns one word into
/// the other.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_named() {
        let known = ["gravity", "freeze", "nve/sphere"];
        assert_eq!(near_match("gravty", &known), Some("gravity"));
        assert_eq!(near_match("freze", &known), Some("freeze"));
        assert_eq!(near_match("nve/shpere", &known), Some("nve/sphere"));
        assert_eq!(near_match("pour", &known), None);
        assert_eq!(near_match("x", &known), None);
    }

    #[test]
    fn messages_name_place_and_expectation() {
        let error = Error {
            file: "in.chute".into(),
            line: 7,
            command: "fix 1 all gravty 1.0".into(),
            problem: Problem::unknown("gravty", "a fix", &["gravity"]),
        };
        assert_eq!(
            error.to_string(),
            "in.chute:7: fix 1 all gravty 1.0: found gravty, expected a fix: did you mean gravity?"
        );
    }
}
