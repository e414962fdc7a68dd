//! CSV writer of tables of answers.

use super::{Column, Get, Rows};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

/// Formats a number for CSV: the shortest text that reads back as the same number, with an exponent
/// if there would be many zeros. Numbers that are not finite are `nan` and `inf`, which readers of
/// CSV accept.
pub fn number(x: f64) -> impl fmt::Display {
    struct Number(f64);
    impl fmt::Display for Number {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let x = self.0;
            match x.abs() {
                _ if x.is_nan() => f.write_str("nan"),
                size if size == 0.0 || (1e-5..1e16).contains(&size) || x.is_infinite() => {
                    write!(f, "{x}")
                }
                _ => write!(f, "{x:e}"),
            }
        }
    }
    Number(x)
}

/// Returns the names of the columns in the first line of a CSV file.
pub(super) fn heads<T>(columns: &[Column<T>]) -> impl Iterator<Item = &'static str> {
    columns
        .iter()
        .flat_map(|column| match column.heads {
            [] => std::slice::from_ref(&column.name),
            names => names,
        })
        .copied()
}

pub(super) fn write<T>(
    out: &mut dyn Write,
    columns: &[Column<T>],
    rows: &Rows<T>,
    numbered: Option<&'static str>,
) -> io::Result<()> {
    let heads: Vec<&str> = heads(columns).chain(numbered).collect();
    writeln!(out, "{}", heads.join(","))?;
    (0..rows.len()).try_for_each(|i| {
        rows.with(i, |row| {
            for (k, column) in columns.iter().enumerate() {
                if k > 0 {
                    out.write_all(b",")?;
                }
                value(out, column, row)?;
            }
            if numbered.is_some() {
                write!(out, ",{i}")?;
            }
            out.write_all(b"\n")
        })
    })
}

fn value<T>(out: &mut dyn Write, column: &Column<T>, row: &T) -> io::Result<()> {
    match column.get {
        Get::Float(get) => write!(out, "{}", number(get(row))),
        Get::Vector(width, get) => separated(out, (0..width).map(|k| number(get(row, k)))),
        Get::Count(get) => write!(out, "{}", get(row)),
        Get::Counts(width, get) => separated(out, (0..width).map(|k| get(row, k))),
        Get::Index(get) => write!(out, "{}", get(row)),
        Get::Indices(width, get) => separated(out, (0..width).map(|k| get(row, k))),
        Get::Integers(width, get) => separated(out, (0..width).map(|k| get(row, k))),
        Get::Side(get) => write!(out, "{}", get(row)),
        Get::Code(_, word) => out.write_all(word(row).as_bytes()),
        Get::Flag(get) => write!(out, "{}", u8::from(get(row))),
        Get::Feature(get) => {
            let feature = get(row);
            match column.heads {
                [] => write!(out, "{feature}"),
                _ => write!(out, "{},{}", feature.kind.name(), feature.index),
            }
        }
        Get::Text(get) => out.write_all(quoted(get(row)).as_bytes()),
        Get::Value(_, get) => out.write_all(quoted(&get(row).to_string()).as_bytes()),
    }
}

fn separated(
    out: &mut dyn Write,
    values: impl Iterator<Item = impl fmt::Display>,
) -> io::Result<()> {
    for (k, value) in values.enumerate() {
        write!(out, "{}{value}", if k > 0 { "," } else { "" })?;
    }
    Ok(())
}

/// Returns a text for a CSV field, in quotes if it contains a separator, a quote or a line end.
fn quoted(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for (x, text) in [
            (0.0, "0"),
            (-0.5, "-0.5"),
            (1.0, "1"),
            (1e-5, "0.00001"),
            (1e-17, "1e-17"),
            (-2.5e300, "-2.5e300"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
            (1.0 / 3.0, "0.3333333333333333"),
        ] {
            assert_eq!(number(x).to_string(), text);
        }
    }

    #[test]
    fn texts_with_separators_are_quoted() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("6\" pipe"), "\"6\"\" pipe\"");
    }
}
