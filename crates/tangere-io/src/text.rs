//! Tokenizer of text files: lines, words and numbers, with line numbers for errors.

use crate::error::{Fault, Place};

/// A line of a text, without its line end.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    /// The line number, counted from 1.
    pub number: usize,
    /// The bytes of the line.
    pub bytes: &'a [u8],
}

impl<'a> Line<'a> {
    /// Returns the words of the line, which white space separates.
    #[inline]
    pub fn words(self) -> impl Iterator<Item = &'a [u8]> {
        words(self.bytes)
    }

    /// Whether the line has no words.
    pub fn is_blank(self) -> bool {
        self.bytes.iter().all(|&byte| is_space(byte))
    }

    /// Returns the line up to its first `#`, which begins a comment.
    pub fn without_comment(self) -> Self {
        let end = self.bytes.iter().position(|&byte| byte == b'#');
        Line {
            bytes: &self.bytes[..end.unwrap_or(self.bytes.len())],
            ..self
        }
    }

    /// Returns a fault in this line.
    pub fn fault(self, found: impl std::fmt::Display, expected: impl Into<String>) -> Fault {
        Fault::new(Place::Line(self.number), found, expected)
    }

    /// Parses the next three words of this line as the coordinates of a point.
    #[inline]
    pub fn point(self, words: &mut impl Iterator<Item = &'a [u8]>) -> Result<[f64; 3], Fault> {
        let mut point = [0.0; 3];
        for (x, name) in point.iter_mut().zip(["x", "y", "z"]) {
            let word = words.next().ok_or_else(|| {
                self.fault(
                    "the end of the line",
                    format!("a number for coordinate {name}"),
                )
            })?;
            *x = number(word, self.number)?;
        }
        Ok(point)
    }
}

/// Refuses UTF-16, recognised by its byte order mark.
pub(crate) fn check_utf8_mark(bytes: &[u8]) -> Result<(), Fault> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            Err(Fault::new(Place::Byte(0), "UTF-16 text", "UTF-8"))
        }
        _ => Ok(()),
    }
}

/// Iterator over the lines of a text, which end with LF, CR LF or CR. A byte order mark is skipped.
#[derive(Clone)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    /// The line number, counted from 1, of the last line returned; 0 before the first.
    number: usize,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Lines {
            rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            number: 0,
        }
    }

    /// Returns the rest of the text after the last line returned.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the next line that has a word before its comment, without the comment.
    pub fn next_without_comment(&mut self) -> Option<Line<'a>> {
        self.map(Line::without_comment)
            .find(|line| !line.is_blank())
    }

    /// Returns the next line that is not blank.
    pub fn next_filled(&mut self) -> Option<Line<'a>> {
        self.find(|line| !line.is_blank())
    }

    /// Returns the fault that the file ends although `expected` should follow.
    pub fn end_fault(&self, expected: impl Into<String>) -> Fault {
        let place = Place::Line(self.number.max(1));
        Fault::new(place, "the end of the file", expected)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let rest = self.rest;
        let end = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let end = end.unwrap_or(rest.len());
        let mut after = (end + 1).min(rest.len());
        if rest[end..].starts_with(b"\r\n") {
            after = end + 2;
        }
        self.rest = &rest[after..];
        Some(Line {
            number: self.number,
            bytes: &rest[..end],
        })
    }
}

/// Whether a byte is white space, including vertical tabs and form feeds, as C's `isspace`.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Returns the words of some bytes, separated by white space.
#[inline]
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split(|&byte| is_space(byte))
        .filter(|word| !word.is_empty())
}

/// Returns a word for an error message: quoted and truncated.
pub(crate) fn quoted(word: &[u8]) -> String {
    const SHOWN: usize = 40;
    let cut = &word[..word.len().min(SHOWN)];
    let text = String::from_utf8_lossy(cut);
    match word.len() > SHOWN {
        true => format!("{text:?}… of {} bytes", word.len()),
        false => format!("{text:?}"),
    }
}

/// Parses a number, finite or not; `None` if the word is not a number.
#[inline]
pub(crate) fn any_number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Parses a finite number.
#[inline]
pub(crate) fn number(word: &[u8], line: usize) -> Result<f64, Fault> {
    match any_number(word) {
        Some(x) if x.is_finite() => Ok(x),
        _ => Err(Fault::new(
            Place::Line(line),
            quoted(word),
            "a finite number",
        )),
    }
}

/// Parses an integer; `None` if the word is not an integer of the type `T`.
#[inline]
pub(crate) fn integer<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Writes the shortest text that reads back as the same number, without a needless `.0`.
pub(crate) fn write_number(out: &mut impl std::io::Write, x: f64) -> std::io::Result<()> {
    let magnitude = x.abs();
    // Between these bounds the format `{}` is at most about as long as `{:e}`.
    if magnitude == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&magnitude) {
        write!(out, "{x}")
    } else {
        write!(out, "{x:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_known_way() {
        let lines: Vec<_> = Lines::new(b"\xef\xbb\xbfa\nb\r\nc\rd\n\ne")
            .map(|line| (line.number, line.bytes))
            .collect();
        let expected: [(usize, &[u8]); 6] = [
            (1, b"a"),
            (2, b"b"),
            (3, b"c"),
            (4, b"d"),
            (5, b""),
            (6, b"e"),
        ];
        assert_eq!(lines, expected);
        assert_eq!(Lines::new(b"").count(), 0);
        assert_eq!(Lines::new(b"\n").count(), 1);
        assert_eq!(Lines::new(b"\r\n").count(), 1);
    }

    #[test]
    fn numbers_read_back_as_written() {
        let some = [
            0.0,
            -0.0,
            1.0,
            -3.0,
            0.1,
            1e-300,
            5e-324,
            1e300,
            f64::MAX,
            1e16,
            1e-5,
            0.1 + 0.2,
            1.0 / 3.0,
            123456789.125,
            f64::MIN_POSITIVE,
            9007199254740993.0,
        ];
        for x in some {
            let mut text = Vec::new();
            write_number(&mut text, x).unwrap();
            assert_eq!(number(&text, 1).unwrap().to_bits(), x.to_bits());
            assert!(text.len() <= 24, "{x:?}");
        }
    }

    #[test]
    fn words_that_are_no_finite_number_are_named() {
        for word in ["", "x", "nan", "inf", "1e999", "1,5", "0x10", "1.0f"] {
            let fault = number(word.as_bytes(), 7).unwrap_err().to_string();
            assert_eq!(
                fault,
                format!("line 7: found {word:?}, expected a finite number")
            );
        }
        let fault = number(&[b'9'; 400], 1).unwrap_err().to_string();
        assert!(fault.contains("of 400 bytes") && fault.len() < 120);
    }
}
