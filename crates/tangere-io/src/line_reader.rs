//! Lines of a text that is read bit by bit: one line is in memory at a time.

use crate::error::{Fault, Place};
use crate::text::Line;
use std::io::{self, BufRead};

/// Reader of lines that are not blank. Lines end with LF, CR LF or CR; a byte order mark is
/// skipped.
pub(crate) struct LineReader<R> {
    source: R,
    /// The bytes of the last line read, without its line end.
    bytes: Vec<u8>,
    /// The line number, counted from 1, of the last line read; 0 before the first.
    number: usize,
    /// Whether the last line ended with CR, so that an LF that follows belongs to its line end.
    ended_with_return: bool,
}

impl<R: BufRead> LineReader<R> {
    pub fn new(source: R) -> Self {
        LineReader {
            source,
            bytes: Vec::new(),
            number: 0,
            ended_with_return: false,
        }
    }

    /// Reads the next line that is not blank; `None` at the end of the text.
    pub fn next_filled(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            if !self.advance()? {
                return Ok(None);
            }
            // The loop cannot return a borrowed line directly, as it goes on if the line is blank.
            if !self.line().is_blank() {
                return Ok(Some(self.line()));
            }
        }
    }

    /// Returns the fault that the text ends although `expected` should follow.
    pub fn end_fault(&self, expected: impl Into<String>) -> Fault {
        let place = Place::Line(self.number.max(1));
        Fault::new(place, "the end of the file", expected)
    }

    fn line(&self) -> Line<'_> {
        Line {
            number: self.number,
            bytes: &self.bytes,
        }
    }

    /// Reads the next line; returns whether there is one.
    fn advance(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        let mut has_begun = false;
        loop {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                break;
            }
            if std::mem::take(&mut self.ended_with_return) && buffer[0] == b'\n' {
                self.source.consume(1);
                continue;
            }
            has_begun = true;
            let end = (buffer.iter()).position(|&byte| byte == b'\n' || byte == b'\r');
            let taken = end.unwrap_or(buffer.len());
            self.bytes.extend_from_slice(&buffer[..taken]);
            self.ended_with_return = end.is_some_and(|end| buffer[end] == b'\r');
            self.source.consume(taken + usize::from(end.is_some()));
            if end.is_some() {
                break;
            }
        }
        if has_begun {
            self.number += 1;
            if self.number == 1 && self.bytes.starts_with(b"\xef\xbb\xbf") {
                self.bytes.drain(..3);
            }
        }
        Ok(has_begun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_do_not_depend_on_the_buffer() {
        let text = b"\xef\xbb\xbfa\nbb\r\nc\rd\n\n  \r\r\ne";
        let expected = [(1, "a"), (2, "bb"), (3, "c"), (4, "d"), (8, "e")];
        for capacity in 1..9 {
            let mut lines = LineReader::new(BufReader::with_capacity(capacity, &text[..]));
            let mut read = Vec::new();
            while let Some(line) = lines.next_filled().unwrap() {
                read.push((
                    line.number,
                    String::from_utf8_lossy(line.bytes).into_owned(),
                ));
            }
            let read: Vec<_> = read.iter().map(|(n, text)| (*n, text.as_str())).collect();
            assert_eq!(read, expected, "{capacity}");
            let fault = lines.end_fault("more").to_string();
            assert_eq!(fault, "line 8: found the end of the file, expected more");
        }
    }
}
