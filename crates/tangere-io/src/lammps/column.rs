//! The columns of the atoms of a frame of a LAMMPS dump.

use super::Stopped;
use crate::text::{Line, any_number, integer, number, quoted};

/// A column of the atoms of a frame: a value for each atom.
///
/// The attributes that LAMMPS writes as integers (`id`, `mol`, `type`, `proc`, `procp1`, `ix`, `iy`,
/// `iz`, `i_name`) are integers, all others floats; a column with a word that is not a number is
/// text.
#[derive(Clone, Debug, PartialEq)]
pub enum DumpColumn {
    /// The values are integers.
    Integers(Vec<i64>),
    /// The values are floats; NaN and infinities are possible except in positions and sizes.
    Numbers(Vec<f64>),
    /// The values are words, such as the names of elements.
    Words(Vec<String>),
}

/// Whether values of a column are constrained.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Any,
    Id,
    /// A coordinate: finite.
    Position,
    /// A radius or a diameter: finite and not negative.
    Size,
}

fn rule(name: &str) -> Rule {
    match name {
        "id" => Rule::Id,
        "radius" | "diameter" => Rule::Size,
        "x" | "y" | "z" | "xs" | "ys" | "zs" | "xu" | "yu" | "zu" | "xsu" | "ysu" | "zsu" => {
            Rule::Position
        }
        _ => Rule::Any,
    }
}

fn is_integer(name: &str) -> bool {
    matches!(
        name,
        "id" | "mol" | "type" | "proc" | "procp1" | "ix" | "iy" | "iz"
    ) || name.starts_with("i_")
}

impl DumpColumn {
    /// Returns a column without values, of the type that its name implies.
    pub(super) fn empty(name: &str) -> Self {
        match is_integer(name) {
            true => DumpColumn::Integers(Vec::new()),
            false => DumpColumn::Numbers(Vec::new()),
        }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            DumpColumn::Integers(values) => values.len(),
            DumpColumn::Numbers(values) => values.len(),
            DumpColumn::Words(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the values as floats; `None` if they are words.
    pub fn floats(&self) -> Option<Vec<f64>> {
        match self {
            DumpColumn::Integers(values) => Some(values.iter().map(|&i| i as f64).collect()),
            DumpColumn::Numbers(values) => Some(values.clone()),
            DumpColumn::Words(_) => None,
        }
    }

    /// Appends the value of an atom.
    pub(super) fn push(&mut self, name: &str, word: &[u8], line: Line<'_>) -> Result<(), Stopped> {
        let rule = rule(name);
        match self {
            DumpColumn::Integers(values) => match (integer(word), rule) {
                (Some(value), Rule::Id) if value < 0 => {
                    return Err(line.fault(quoted(word), "the id of an atom").into());
                }
                (Some(value), _) => values.push(value),
                (None, Rule::Id) => {
                    return Err(line.fault(quoted(word), "the id of an atom").into());
                }
                (None, _) => self.push_word(word),
            },
            DumpColumn::Numbers(values) => match rule {
                Rule::Position | Rule::Size => {
                    let value = number(word, line.number)?;
                    if rule == Rule::Size && value < 0.0 {
                        let expected = "a size that is not negative";
                        return Err(line.fault(quoted(word), expected).into());
                    }
                    values.push(value);
                }
                _ => match any_number(word) {
                    Some(value) => values.push(value),
                    None => self.push_word(word),
                },
            },
            DumpColumn::Words(_) => self.push_word(word),
        }
        Ok(())
    }

    /// Appends a word; the values before become words.
    fn push_word(&mut self, word: &[u8]) {
        let mut words = match std::mem::replace(self, DumpColumn::Words(Vec::new())) {
            DumpColumn::Integers(values) => values.iter().map(i64::to_string).collect(),
            DumpColumn::Numbers(values) => values.iter().map(f64::to_string).collect(),
            DumpColumn::Words(words) => words,
        };
        words.push(String::from_utf8_lossy(word).into_owned());
        *self = DumpColumn::Words(words);
    }

    /// Returns the column with its values in another order: value `i` is that of `order[i]`.
    pub(super) fn ordered(self, order: &[usize]) -> Self {
        fn ordered<T: Clone>(values: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|&i| values[i].clone()).collect()
        }
        match self {
            DumpColumn::Integers(values) => DumpColumn::Integers(ordered(&values, order)),
            DumpColumn::Numbers(values) => DumpColumn::Numbers(ordered(&values, order)),
            DumpColumn::Words(values) => DumpColumn::Words(ordered(&values, order)),
        }
    }
}
