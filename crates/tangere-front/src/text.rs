//! Formatting of numbers, durations and tables as text.

/// Formats rows of a name and a value as text. Lines are indented by two spaces, and names are
/// padded to the longest.
pub fn two_columns(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or(0);
    rows.iter()
        .map(|(name, value)| format!("  {name:width$}  {value}\n"))
        .collect()
}

/// Formats a count with separated thousands: `1 234 567`.
pub fn count(n: impl Into<u64>) -> String {
    let digits = n.into().to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun in the singular or the plural: `1 vertex`, `2 vertices`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n as u64), if n == 1 { one } else { many })
}

/// Lists the first `most` names, with an ellipsis if there are more: `1, 2, …`.
pub fn first_of(names: impl Iterator<Item = impl std::fmt::Display>, most: usize) -> String {
    let mut names = names.map(|name| name.to_string());
    let first: Vec<String> = names.by_ref().take(most).collect();
    let rest = if names.next().is_some() { ", …" } else { "" };
    first.join(", ") + rest
}

/// Returns "yes" or "no".
pub fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// Formats a number with up to seven significant digits. Trailing zeros are removed unless the
/// number has an exponent.
pub fn number(x: f64) -> String {
    let magnitude = x.abs();
    if x == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e7).contains(&magnitude) {
        return format!("{x:.6e}");
    }
    let before = magnitude.log10().floor() as i32 + 1;
    let text = format!("{x:.*}", (7 - before).max(0) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        text
    }
}

/// Formats seconds as whole microseconds, milliseconds with one decimal, or seconds with two.
pub fn seconds(s: f64) -> String {
    if s < 1e-3 {
        format!("{:.0} us", s * 1e6)
    } else if s < 1.0 {
        format!("{:.1} ms", s * 1e3)
    } else {
        format!("{s:.2} s")
    }
}

/// Wraps a text to lines of at most a hundred characters, indented by two spaces.
pub fn wrapped(text: &str) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 100 {
            lines.push('\n');
            width = 0;
        }
        lines += if width == 0 { "  " } else { " " };
        lines += word;
        width += if width == 0 { 2 } else { 1 } + length;
    }
    lines + "\n"
}

/// Table of text with a header. The first column contains names, the others numbers.
pub struct Table {
    /// The names of the columns of the table.
    pub head: Vec<&'static str>,
    /// The rows of the table; each has as many cells as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Formats the table for a terminal, indented by two spaces.
    pub fn text(&self) -> String {
        let rows = || {
            let head = self.head.iter().map(|s| (*s).to_owned()).collect();
            std::iter::once(head).chain(self.rows.iter().cloned())
        };
        let width = |k: usize| {
            let cells = rows().filter_map(|row: Vec<String>| Some(row.get(k)?.chars().count()));
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = String::new();
        for row in rows() {
            for (k, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                text += &if k == 0 {
                    format!("  {cell:width$}")
                } else {
                    format!("  {cell:>width$}")
                };
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }
}

/// Formats a number with three significant digits; with an exponent only below 1e-4 and from 1e7
/// on.
pub fn three_digits(x: f64) -> String {
    let magnitude = x.abs();
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    if !(1e-4..1e7).contains(&magnitude) {
        return format!("{x:.2e}");
    }
    // Rounding may carry: 9.996 has as many digits before the point as 10.
    let rounded: f64 = format!("{magnitude:.2e}").parse().unwrap_or(magnitude);
    let before = rounded.log10().floor() as i32 + 1;
    format!("{x:.*}", (3 - before).max(0) as usize)
}

/// Formats seconds with three significant digits in ns, us, ms or s.
pub fn duration(s: f64) -> String {
    let (x, unit) = match s {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "us"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_digits(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.1), "-0.1");
        assert_eq!(number(4.188790204786391), "4.18879");
        assert_eq!(number(1234567.0), "1234567");
        assert_eq!(number(9999999.9), "10000000");
        assert_eq!(number(1.0e-9), "1.000000e-9");
        assert_eq!(number(-2.5e20), "-2.500000e20");
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(count(0u64), "0");
        assert_eq!(count(999u64), "999");
        assert_eq!(count(1000u64), "1 000");
        assert_eq!(count(1234567u64), "1 234 567");
        assert_eq!(counted(1, "vertex", "vertices"), "1 vertex");
        assert_eq!(counted(0, "vertex", "vertices"), "0 vertices");
        assert_eq!(counted(2000, "vertex", "vertices"), "2 000 vertices");
    }

    #[test]
    fn the_first_of_many_are_named() {
        assert_eq!(first_of([1, 2].iter(), 2), "1, 2");
        assert_eq!(first_of(1..9, 2), "1, 2, …");
    }

    #[test]
    fn columns_line_up() {
        let table = two_columns(&[("a", "1".into()), ("long", "2".into())]);
        assert_eq!(table, "  a     1\n  long  2\n");
    }

    #[test]
    fn long_text_is_wrapped() {
        let text = wrapped(&"word ".repeat(50));
        assert!(
            text.lines()
                .all(|line| line.starts_with("  word") && line.len() <= 100)
        );
        assert_eq!(text.matches("word").count(), 50);
        assert_eq!(text.lines().count(), 3);
        assert_eq!(wrapped("one"), "  one\n");
    }

    #[test]
    fn columns_line_up_under_their_heads() {
        let table = Table {
            head: vec!["body", "n"],
            rows: vec![
                vec!["knot".into(), "1 000".into()],
                vec!["a".into(), "2".into()],
            ],
        };
        assert_eq!(
            table.text(),
            "  body      n\n  knot  1 000\n  a         2\n"
        );
    }

    #[test]
    fn numbers_have_three_digits() {
        for (x, text) in [
            (0.0, "0"),
            (0.48312, "0.483"),
            (9.996, "10.0"),
            (-12.34, "-12.3"),
            (123.4, "123"),
            (12_345.0, "12345"),
            (1e-9, "1.00e-9"),
        ] {
            assert_eq!(three_digits(x), text);
        }
        assert_eq!(duration(1.5e-7), "150 ns");
        assert_eq!(duration(2.5e-3), "2.50 ms");
    }
}
