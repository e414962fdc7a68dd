//! Tables of keys and values that describe a scene, from TOML or from a program.

use std::fmt;

/// A value in the description of a scene: a text, a number, a flag, a list, a table, or an object
/// of the calling program.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i128),
    /// A floating-point number, finite or not.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A list of values, in order.
    List(Vec<Value>),
    /// A table of keys and values.
    Table(Table),
    /// A shape or an array that the calling program stores: its index in the list of the program.
    Given(usize),
    /// A value of a type that no key accepts: its description for error messages.
    Other(String),
}

/// Keys and values, in insertion order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The line on which the table begins; 0 if it is not from a file.
    pub(super) line: usize,
    pub(super) entries: Vec<Entry>,
    pub(super) origin: Origin,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The line of the key; 0 if it is not from a file.
    pub line: usize,
    pub key: String,
    pub value: Value,
}

/// How a TOML file defines a table, which decides whether later lines may add keys to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Origin {
    /// Defined in braces, as `a = { b = 1 }` defines the table `a`, or by the calling program: no
    /// key may be added.
    #[default]
    Inline,
    /// Defined by its own header, as `[a]` defines the table `a`.
    Header,
    /// Defined by the header of a table within it, as `[a.b]` defines the table `a`.
    Implied,
    /// Defined by a dotted key, as `a.b = 1` defines the table `a`.
    Dotted,
}

impl Table {
    /// Returns a table without keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key and its value.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.entries.push(Entry {
            line: 0,
            key: key.into(),
            value: value.into(),
        });
    }

    /// Returns the value of a key; `None` if the table does not have the key.
    pub fn value(&self, key: &str) -> Option<&Value> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        Some(&entry.value)
    }

    /// Returns the keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let entries = self.entries.iter();
        entries.map(|entry| (entry.key.as_str(), &entry.value))
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Value::Number(x)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Flag(flag)
    }
}

impl From<Table> for Value {
    fn from(table: Table) -> Self {
        Value::Table(table)
    }
}

impl From<Vec<Value>> for Value {
    fn from(list: Vec<Value>) -> Self {
        Value::List(list)
    }
}

impl<const N: usize> From<[f64; N]> for Value {
    fn from(numbers: [f64; N]) -> Self {
        Value::List(numbers.map(Value::Number).to_vec())
    }
}

/// Formats a value as in TOML, truncated if it is long.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 60;
        let mut text = String::new();
        self.show(&mut text, SHOWN);
        match text.char_indices().nth(SHOWN) {
            None => f.write_str(&text),
            Some((end, _)) => write!(f, "{}…", &text[..end]),
        }
    }
}

impl Value {
    /// Appends the value to `text` in TOML syntax. A long value is cut off soon after the text
    /// exceeds `enough` bytes.
    fn show(&self, text: &mut String, enough: usize) {
        match self {
            Value::Text(own) => {
                let cut: String = own.chars().take(enough + 1).collect();
                text.push_str(&format!("{cut:?}"));
            }
            Value::Integer(n) => text.push_str(&n.to_string()),
            Value::Number(x) if x.is_nan() => text.push_str("nan"),
            Value::Number(x) => text.push_str(&format!("{x:?}")),
            Value::Flag(flag) => text.push_str(&flag.to_string()),
            Value::Given(_) => text.push_str("an object"),
            Value::Other(name) => {
                let cut: String = name.chars().take(enough + 1).collect();
                text.extend(cut.escape_debug());
            }
            Value::List(list) => {
                text.push('[');
                for (i, value) in list.iter().enumerate() {
                    if text.len() > enough {
                        return;
                    }
                    text.push_str(if i > 0 { ", " } else { "" });
                    value.show(text, enough);
                }
                text.push(']');
            }
            Value::Table(table) if table.entries.is_empty() => text.push_str("{}"),
            Value::Table(table) => {
                text.push_str("{ ");
                for (i, entry) in table.entries.iter().enumerate() {
                    if text.len() > enough {
                        return;
                    }
                    text.push_str(if i > 0 { ", " } else { "" });
                    let cut: String = entry.key.chars().take(enough + 1).collect();
                    text.extend(cut.escape_debug());
                    text.push_str(" = ");
                    entry.value.show(text, enough);
                }
                text.push_str(" }");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_they_are_written_and_not_at_length() {
        let mut sphere = Table::new();
        sphere.insert("level", Value::Integer(4));
        let mut shape = Table::new();
        shape.insert("sphere", sphere);
        shape.insert("scale", 0.5);
        for (value, text) in [
            (shape.into(), "{ sphere = { level = 4 }, scale = 0.5 }"),
            ([1.0, f64::NAN, -1e300].into(), "[1.0, nan, -1e300]"),
            (true.into(), "true"),
            ("a \"b\"\n".into(), r#""a \"b\"\n""#),
            (Table::new().into(), "{}"),
        ] as [(Value, &str); 5]
        {
            assert_eq!(value.to_string(), text);
        }
        for long in [
            Value::List(vec![Value::Integer(7); 1_000_000]),
            Value::Text("é".repeat(1_000_000)),
            Value::Other("x".repeat(1_000_000)),
        ] {
            assert_eq!(long.to_string().chars().count(), 61);
        }
    }
}
