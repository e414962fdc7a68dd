//! Access to the keys and values of a scene, with validation.

use super::value::{Entry, Table, Value};
use crate::error::{Fault, Place};
use std::ops::RangeInclusive;
use std::path::{Component, PathBuf};

/// Smallest and largest length or scale factor in a scene. They keep all coordinates in the range
/// that shapes may have.
pub(super) const SIZE_MIN: f64 = 1e-60;
pub(super) const SIZE_MAX: f64 = 1e60;

/// A table of a scene whose keys have been checked: all are known, and none occurs twice.
pub(super) struct Fields<'a> {
    table: &'a Table,
    /// The prefix of the table's keys in errors, such as `ball.`.
    prefix: &'static str,
    /// The position that errors name if the table does not come from a file.
    place: Place,
}

/// A key of a scene with its value, and its position for errors.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    entry: &'a Entry,
    prefix: &'static str,
    place: Place,
}

impl<'a> Fields<'a> {
    /// Returns a table whose keys are checked: it is a fault if one is not `known` or occurs twice.
    /// `what` names the table in errors.
    pub fn new(
        table: &'a Table,
        what: &str,
        prefix: &'static str,
        known: &[&str],
        place: Place,
    ) -> Result<Self, Fault> {
        let fields = Fields {
            table,
            prefix,
            place,
        };
        for (i, entry) in table.entries.iter().enumerate() {
            if !known.contains(&entry.key.as_str()) {
                let expected = match nearest(&entry.key, known) {
                    Some(name) => format!("a key of {what}: did you mean `{name}`?"),
                    None => format!("one of the keys of {what}: {}", known.join(", ")),
                };
                let found = format!("unknown key `{}`", shown(&entry.key));
                return Err(Fault::new(fields.at(entry), found, expected));
            }
            // TOML allows no duplicate keys, but a program may insert them.
            if table.entries[..i].iter().any(|one| one.key == entry.key) {
                let found = format!("key `{}` again", shown(&entry.key));
                return Err(Fault::new(fields.at(entry), found, "it once"));
            }
        }
        Ok(fields)
    }

    fn at(&self, entry: &Entry) -> Place {
        line_or(entry.line, self.place)
    }

    /// Returns the position of the table, for errors.
    pub fn place(&self) -> Place {
        line_or(self.table.line, self.place)
    }

    /// Returns a key of the table with its value; `None` if the key is missing.
    pub fn field(&self, key: &str) -> Option<Field<'a>> {
        let entry = self.table.entries.iter().find(|entry| entry.key == key)?;
        Some(Field {
            entry,
            prefix: self.prefix,
            place: self.at(entry),
        })
    }

    /// Returns a required key of the table with its value. If the key is missing, the fault says
    /// what is `expected`.
    pub fn required(&self, key: &str, expected: &str) -> Result<Field<'a>, Fault> {
        self.field(key).ok_or_else(|| {
            let found = format!("no `{}{key}`", self.prefix);
            Fault::new(self.place(), found, expected)
        })
    }

    /// Returns the value of a key of the table, converted by `read`; `None` if the key is missing.
    pub fn value<T>(
        &self,
        key: &str,
        read: impl FnOnce(Field<'a>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        self.field(key).map(read).transpose()
    }
}

/// Returns a key as errors show it, truncated if it is long.
fn shown(key: &str) -> String {
    const SHOWN: usize = 40;
    let mut text: String = key
        .chars()
        .flat_map(char::escape_debug)
        .take(SHOWN + 1)
        .collect();
    if text.chars().count() > SHOWN {
        text.pop();
        text.push('…');
    }
    text
}

/// Returns the position for errors: the line of a file, or `place` if the line is 0, which means
/// that there is no file.
pub(super) fn line_or(line: usize, place: Place) -> Place {
    match line {
        0 => place,
        line => Place::Line(line),
    }
}

impl<'a> Field<'a> {
    /// Returns the value of the key as it is, without conversion.
    pub fn raw(&self) -> &'a Value {
        &self.entry.value
    }

    /// Returns the position of the key and its value, for errors.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the fault that the value of the key is not what was `expected`.
    pub fn fault(&self, expected: impl Into<String>) -> Fault {
        let Entry { key, value, .. } = self.entry;
        let found = format!("`{}{key} = {value}`", self.prefix);
        Fault::new(self.place, found, expected)
    }

    /// Converts the value to a finite number.
    pub fn number(self) -> Result<f64, Fault> {
        match number_of(self.raw()) {
            Some(x) if x.is_finite() => Ok(x),
            Some(_) => Err(self.fault("a finite number")),
            None => Err(self.fault("a number")),
        }
    }

    /// Converts the value to a finite number above 0.
    pub fn positive(self) -> Result<f64, Fault> {
        match self.number()? {
            x if x > 0.0 => Ok(x),
            _ => Err(self.fault("a number above 0")),
        }
    }

    /// Converts the value to a length or a scale factor: a number from `SIZE_MIN` to `SIZE_MAX`.
    pub fn size(self) -> Result<f64, Fault> {
        match self.positive()? {
            x if (SIZE_MIN..=SIZE_MAX).contains(&x) => Ok(x),
            _ => Err(self.fault(format!("a number from {SIZE_MIN:e} to {SIZE_MAX:e}"))),
        }
    }

    /// Converts the value, which must be a list, to `N` finite numbers.
    pub fn vector<const N: usize>(self) -> Result<[f64; N], Fault> {
        let Value::List(list) = self.raw() else {
            return Err(self.fault(format!("{N} numbers in brackets")));
        };
        let numbers: Option<Vec<f64>> = list.iter().map(number_of).collect();
        let numbers = numbers.ok_or_else(|| self.fault(format!("{N} numbers")))?;
        let count = numbers.len();
        let vector: [f64; N] = numbers
            .try_into()
            .map_err(|_| self.fault(format!("{N} numbers, not {count}")))?;
        match vector.iter().all(|x| x.is_finite()) {
            true => Ok(vector),
            false => Err(self.fault("finite numbers")),
        }
    }

    /// Converts the value to `N` lengths, one for each axis. A single number stands for all axes.
    pub fn sizes<const N: usize>(self) -> Result<[f64; N], Fault> {
        if number_of(self.raw()).is_some() {
            return Ok([self.size()?; N]);
        }
        let sizes = self.vector()?;
        match sizes.iter().all(|x| (SIZE_MIN..=SIZE_MAX).contains(x)) {
            true => Ok(sizes),
            false => Err(self.fault(format!("numbers from {SIZE_MIN:e} to {SIZE_MAX:e}"))),
        }
    }

    /// Converts the value to a whole number in a range. Notation such as `1e5` is accepted.
    pub fn whole<T: TryFrom<u64>>(self, range: RangeInclusive<u64>) -> Result<T, Fault> {
        whole_of(self.raw(), &range).ok_or_else(|| {
            let (least, most) = range.into_inner();
            self.fault(format!("a whole number from {least} to {most}"))
        })
    }

    /// Converts the value to `N` whole numbers in a range, one for each axis. A single number
    /// stands for all axes.
    pub fn wholes<const N: usize>(self, range: RangeInclusive<u64>) -> Result<[u32; N], Fault> {
        let numbers: Option<Vec<u32>> = match self.raw() {
            Value::List(list) => list.iter().map(|one| whole_of(one, &range)).collect(),
            one => whole_of(one, &range).map(|all| vec![all; N]),
        };
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers.ok_or_else(|| {
            let (least, most) = range.into_inner();
            self.fault(format!("{N} whole numbers from {least} to {most}, or one"))
        })
    }

    /// Converts the value to a text of one line that is not empty.
    pub fn text(self) -> Result<&'a str, Fault> {
        match self.raw() {
            Value::Text(text) if !text.is_empty() && !text.contains(char::is_control) => Ok(text),
            Value::Text(_) => Err(self.fault("a text that is not empty, without line ends")),
            _ => Err(self.fault("a text in quotes")),
        }
    }

    /// Converts the value to true or false.
    pub fn flag(self) -> Result<bool, Fault> {
        match self.raw() {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(self.fault("true or false")),
        }
    }

    /// Converts the value to the path of a file. Paths in a scene file must stay within its folder,
    /// so that a scene and its shapes can be moved together.
    pub fn path(self) -> Result<PathBuf, Fault> {
        let path = PathBuf::from(self.text()?);
        if !matches!(self.place, Place::Line(_)) {
            return Ok(path);
        }
        let mut depth = 0_i64;
        let is_within = path.components().all(|part| {
            depth += match part {
                Component::Normal(_) => 1,
                Component::CurDir => 0,
                Component::ParentDir => -1,
                Component::RootDir | Component::Prefix(_) => return false,
            };
            depth >= 0
        });
        match is_within {
            true => Ok(path),
            false => Err(self.fault("a file in the folder of the scene or in one within it")),
        }
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Number(x) => Some(*x),
        _ => None,
    }
}

fn whole_of<T: TryFrom<u64>>(value: &Value, range: &RangeInclusive<u64>) -> Option<T> {
    // Beyond 2^53 distinct integers may round to the same f64.
    const EXACT: f64 = (1_u64 << 53) as f64;
    let n = match value {
        Value::Integer(n) => u64::try_from(*n).ok()?,
        Value::Number(x) if (0.0..EXACT).contains(x) && x.fract() == 0.0 => *x as u64,
        _ => return None,
    };
    range.contains(&n).then(|| T::try_from(n).ok())?
}

/// Returns the name among `known` that is closest to a misspelt name; `None` if none is close.
pub(super) fn nearest_of<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    /// Names beyond this number are not compared.
    const MOST: usize = 1000;
    let mut known: Vec<&str> = known.take(MOST).collect();
    known.sort_unstable();
    nearest(name, &known)
}

/// Returns the name among `known` that is closest to a misspelt key by edit distance,
/// case-insensitive. `None` if none is close.
fn nearest<'n>(key: &str, known: &[&'n str]) -> Option<&'n str> {
    const LONGEST: usize = 40;
    if key.len() > LONGEST {
        return None;
    }
    let lower = key.to_lowercase().replace('-', "_");
    let near = known
        .iter()
        .map(|&name| (edit_distance(&lower, name), name));
    let (edits, name) = near.min_by_key(|&(edits, _)| edits)?;
    // One edit in a short name, two in one of six letters, three in one of nine.
    let most = (key.len().max(name.len()) / 3).clamp(1, 3);
    (edits <= most && edits < name.len()).then_some(name)
}

/// Returns the edit distance of two texts (Damerau-Levenshtein): the minimum number of insertions,
/// deletions, replacements and transpositions of adjacent letters that turn one into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let other = usize::from(a[i - 1] != b[j - 1]);
                let mut least = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + other);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(rows[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distances() {
        for (a, b, count) in [
            ("", "", 0),
            ("abc", "", 3),
            ("velocity", "velocity", 0),
            ("velocty", "velocity", 1),
            ("veloctiy", "velocity", 1),
            ("centre", "center", 1),
            ("mass", "name", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(edit_distance(a, b), count, "{a} {b}");
            assert_eq!(edit_distance(b, a), count, "{b} {a}");
        }
    }

    #[test]
    fn keys_are_shown_on_one_line_and_not_at_length() {
        assert_eq!(shown("velocty"), "velocty");
        assert_eq!(shown("a\nb"), "a\\nb");
        assert_eq!(shown(&"é".repeat(40)), "é".repeat(40));
        let long = shown(&"é".repeat(100_000));
        assert!(long.ends_with("é…") && long.chars().count() == 41);
    }

    #[test]
    fn the_closest_name_is_suggested() {
        let known = ["name", "shape", "velocity", "vertex_velocities", "spin"];
        for (key, name) in [
            ("velocty", Some("velocity")),
            ("Velocity", Some("velocity")),
            ("velocities", Some("velocity")),
            ("vertex-velocities", Some("vertex_velocities")),
            ("shpe", Some("shape")),
            ("spni", Some("spin")),
            ("mass", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(nearest(key, &known), name, "{key}");
        }
        assert_eq!(nearest(&"velocity".repeat(100_000), &known), None);
    }
}
