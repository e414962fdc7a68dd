//! The count that an error reports, of pairs or other items: exact or a lower bound.

use std::fmt;

/// A number of items, exact or a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// The exact number.
    Exactly(u64),
    /// A lower bound of the number: the search ended before all items were counted.
    AtLeast(u64),
}

impl Count {
    /// Returns the count of items in an error if it is exact, otherwise the lower bound of the
    /// count.
    pub fn least(self) -> u64 {
        match self {
            Count::Exactly(n) | Count::AtLeast(n) => n,
        }
    }

    /// Returns the count of items in an error as text, with two significant digits if it is large.
    pub(super) fn short(self) -> String {
        let number = match self.least() {
            n @ ..1_000_000 => n.to_string(),
            n => format!("{:.1e}", n as f64).replace(".0e", "e"),
        };
        match self {
            Count::Exactly(_) => number,
            Count::AtLeast(_) => format!("at least {number}"),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Exactly(n) => write!(f, "{n}"),
            Count::AtLeast(n) => write!(f, "at least {n}"),
        }
    }
}

/// Returns a count of bytes in an error as text, with two significant digits, in units of powers of
/// 1000.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let (mut x, mut unit) = (bytes as f64, 0);
    while x >= 999.5 {
        x /= 1000.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && x < 9.95);
    format!("{x:.digits$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.0 kB"),
            (9_940, "9.9 kB"),
            (9_960, "10 kB"),
            (999_600, "1.0 MB"),
            (24_000_000_000, "24 GB"),
            (u64::MAX, "18 EB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn counts_are_short() {
        for (count, text) in [
            (Count::Exactly(0), "0"),
            (Count::Exactly(999_999), "999999"),
            (Count::Exactly(1_000_000), "1e6"),
            (Count::Exactly(3_210_000_000), "3.2e9"),
            (Count::AtLeast(7), "at least 7"),
        ] {
            assert_eq!(count.short(), text);
        }
        assert_eq!(Count::AtLeast(1_000_001).to_string(), "at least 1000001");
    }
}
