//! Summary of an answer, as one JSON object and as lines of text.

use super::{Column, Table, object};
use crate::text;
use serde_json::{Map, Value, json};

/// Summary of an answer. An entry is a member of one JSON object, a line of text, or both.
///
/// Members and lines have the order of the calls. [`Summary::member`] adds to JSON only,
/// [`Summary::line`] to text only.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    members: Map<String, Value>,
    lines: Vec<(String, String)>,
    rest: String,
}

impl Summary {
    /// Adds a JSON member and a line of text.
    pub fn both(
        &mut self,
        name: &str,
        value: impl Into<Value>,
        label: &str,
        text: impl Into<String>,
    ) -> &mut Self {
        self.member(name, value).line(label, text)
    }

    /// Adds a JSON member without a line of text.
    pub fn member(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a line of text without a JSON member.
    pub fn line(&mut self, label: &str, text: impl Into<String>) -> &mut Self {
        self.lines.push((label.to_owned(), text.into()));
        self
    }

    /// Adds a count, with one name for JSON and text.
    pub fn count(&mut self, name: &str, count: usize) -> &mut Self {
        self.labelled_count(name, name, count)
    }

    /// Adds a count, with a different name in text.
    pub fn labelled_count(&mut self, name: &str, label: &str, count: usize) -> &mut Self {
        self.both(name, count, label, text::count(count as u64))
    }

    /// Adds a number, with one name for JSON and text; null if it is not finite.
    pub fn number(&mut self, name: &str, x: f64) -> &mut Self {
        self.both(name, x, name, text::number(x))
    }

    /// Adds a word, with one name for JSON and text.
    pub fn word(&mut self, name: &str, word: &str) -> &mut Self {
        self.both(name, word, name, word)
    }

    /// Adds the method that was used and the reason for its choice.
    pub fn method(&mut self, method: &str, reason: &str) -> &mut Self {
        self.member("method", method)
            .member("reason", reason)
            .line("method", format!("{method}: {reason}"))
    }

    /// Adds a truth value, with one name for JSON and text.
    pub fn flag(&mut self, name: &str, is_so: bool) -> &mut Self {
        self.both(name, is_so, name, if is_so { "yes" } else { "no" })
    }

    /// Adds all members of a JSON object to the summary, and lines of text, each a label and its
    /// text.
    pub fn extend(&mut self, members: Value, lines: Vec<(&'static str, String)>) -> &mut Self {
        if let Value::Object(members) = members {
            self.members.extend(members);
        }
        for (label, text) in lines {
            self.line(label, text);
        }
        self
    }

    /// Adds a row of an answer to the summary: a JSON member and a line of text for each column.
    pub fn row<T>(&mut self, columns: &[Column<T>], row: &T) -> &mut Self {
        let lines = Table::new(columns, std::slice::from_ref(row)).lines(0);
        self.extend(object(columns, row), lines)
    }

    /// Adds the minimum, the maximum and optionally the mean of some numbers; null if there are
    /// none.
    pub fn span(
        &mut self,
        name: &str,
        numbers: impl Iterator<Item = f64> + Clone,
        with_mean: bool,
    ) -> &mut Self {
        let count = numbers.clone().count();
        if count == 0 {
            return self.member(name, Value::Null);
        }
        let least = numbers.clone().fold(f64::INFINITY, f64::min);
        let most = numbers.clone().fold(f64::NEG_INFINITY, f64::max);
        let mut members = json!({ "least": least, "most": most });
        let mut words = format!("{} to {}", text::number(least), text::number(most));
        if with_mean {
            let mean = numbers.sum::<f64>() / count as f64;
            members["mean"] = mean.into();
            words += &format!(", {} on average", text::number(mean));
        }
        self.both(name, members, name, words)
    }

    /// Adds the number of items of each kind: JSON contains all kinds, text only the kinds that
    /// occur.
    pub fn tally<K: Copy + PartialEq>(
        &mut self,
        name: &str,
        kinds: &[K],
        word: fn(K) -> &'static str,
        found: impl Iterator<Item = K> + Clone,
    ) -> &mut Self {
        let mut members = Map::new();
        for &kind in kinds {
            let count = found.clone().filter(|&one| one == kind).count();
            members.insert(word(kind).to_owned(), count.into());
            if count > 0 {
                self.line(word(kind), text::count(count as u64));
            }
        }
        self.member(name, members)
    }

    /// Adds a text below all lines.
    pub fn below(&mut self, text: &str) -> &mut Self {
        self.rest += text;
        self
    }

    /// Returns the JSON object with all members of the summary.
    pub fn json(&self) -> Value {
        Value::Object(self.members.clone())
    }

    /// Returns the lines of the summary as two columns, and the text below them.
    pub fn text(&self) -> String {
        let lines = self.lines.iter();
        let lines: Vec<(&str, String)> = lines
            .map(|(label, text)| (label.as_str(), text.clone()))
            .collect();
        text::two_columns(&lines) + &self.rest
    }
}
