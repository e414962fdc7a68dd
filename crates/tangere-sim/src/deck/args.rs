//! The arguments of a command, taken one after the other.

use super::error::Problem;

/// The arguments of a command that are not yet read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Args<'a> {
    words: &'a [String],
}

impl<'a> Args<'a> {
    pub fn new(words: &'a [String]) -> Self {
        Self { words }
    }

    /// The next word, which stays.
    pub fn peek(&self) -> Option<&'a str> {
        self.words.first().map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words that are left.
    pub fn rest(&self) -> &'a [String] {
        self.words
    }

    /// The next word if there is one.
    pub fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// Takes the next word if it is this one.
    pub fn take(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(word);
        if is_next {
            self.next();
        }
        is_next
    }

    /// The next word; `what` says what it should be.
    pub fn word(&mut self, what: &str) -> Result<&'a str, Problem> {
        self.next().ok_or_else(|| Problem::missing(what))
    }

    /// The next word as a number.
    pub fn number(&mut self, what: &str) -> Result<f64, Problem> {
        number(self.word(what)?, what)
    }

    /// The next word as a number, none if it is `NULL`.
    pub fn number_or_null(&mut self, what: &str) -> Result<Option<f64>, Problem> {
        match self.word(what)? {
            "NULL" => Ok(None),
            word => number(word, what).map(Some),
        }
    }

    /// The next word as an integer.
    pub fn integer(&mut self, what: &str) -> Result<i64, Problem> {
        integer(self.word(what)?, what)
    }

    /// The next word as a count: an integer from 0 up.
    pub fn count(&mut self, what: &str) -> Result<u64, Problem> {
        count(self.word(what)?, what)
    }

    /// The next three words as numbers.
    pub fn vector(&mut self, what: &str) -> Result<[f64; 3], Problem> {
        Ok([self.number(what)?, self.number(what)?, self.number(what)?])
    }

    /// The next word as yes or no.
    pub fn yes_no(&mut self, what: &str) -> Result<bool, Problem> {
        match self.word(what)? {
            "yes" | "on" | "true" => Ok(true),
            "no" | "off" | "false" => Ok(false),
            word => Err(Problem::new(word, format!("{what}: yes or no"))),
        }
    }

    /// An error unless all is read.
    pub fn end(&self) -> Result<(), Problem> {
        match self.peek() {
            Some(word) => Err(Problem::surplus(word)),
            None => Ok(()),
        }
    }
}

/// A finite number.
pub(super) fn number(word: &str, what: &str) -> Result<f64, Problem> {
    let wrong = || Problem::new(word, format!("{what}: a number"));
    // Rust also reads "inf", "nan" and "infinity".
    if word.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')) {
        return Err(wrong());
    }
    let value: f64 = word.parse().map_err(|_| wrong())?;
    value.is_finite().then_some(value).ok_or_else(wrong)
}

/// An integer.
pub(super) fn integer(word: &str, what: &str) -> Result<i64, Problem> {
    let wrong = || Problem::new(word, format!("{what}: an integer"));
    word.parse().map_err(|_| wrong())
}

/// An integer from 0 up.
pub(super) fn count(word: &str, what: &str) -> Result<u64, Problem> {
    let wrong = || Problem::new(word, format!("{what}: an integer from 0 up"));
    word.parse().map_err(|_| wrong())
}

/// A range of integers as LAMMPS writes it: `3`, `*`, `2*`, `*4`, `2*4`; ends from `first` to `last`.
pub(super) fn range(word: &str, what: &str, first: i64, last: i64) -> Result<(i64, i64), Problem> {
    let (low, high) = match word.split_once('*') {
        Some((low, high)) => {
            let end = |word: &str, open: i64| match word {
                "" => Ok(open),
                word => integer(word, what),
            };
            (end(low, first)?, end(high, last)?)
        }
        None => {
            let only = integer(word, what)?;
            (only, only)
        }
    };
    if low < first || high > last || low > high {
        let expected = format!("{what}: a range within {first} and {last}");
        return Err(Problem::new(word, expected));
    }
    Ok((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(number("-1.5e3", "x").unwrap(), -1500.0);
        for word in ["", "abc", "nan", "inf", "1e999", "--1", "1,5"] {
            assert!(number(word, "x").is_err(), "{word}");
        }
    }

    #[test]
    fn ranges() {
        for (word, expected) in [
            ("*", (1, 5)),
            ("3", (3, 3)),
            ("2*", (2, 5)),
            ("*4", (1, 4)),
            ("2*4", (2, 4)),
        ] {
            assert_eq!(range(word, "type", 1, 5).unwrap(), expected);
        }
        for word in ["0", "6", "4*2", "a*b", "*9", ""] {
            assert!(range(word, "type", 1, 5).is_err(), "{word}");
        }
    }
}
