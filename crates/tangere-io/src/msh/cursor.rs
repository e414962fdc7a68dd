//! Cursor over a Gmsh MSH file, whose numbers are words of text or binary.

use crate::error::{Fault, Place};
use crate::text::{is_space, quoted};
use crate::vtk::line_of;

pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The index of the byte at which reading continues.
    at: usize,
    /// The index of the first byte of the word or number read last, for errors.
    from: usize,
    binary: bool,
    /// Whether binary numbers are big-endian.
    big_end: bool,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let mark = usize::from(bytes.starts_with(b"\xef\xbb\xbf")) * 3;
        Cursor {
            bytes,
            at: mark,
            from: mark,
            binary: false,
            big_end: false,
        }
    }

    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// Returns the number of bytes of the file that are not read yet.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Returns a fault at the word or number read last.
    pub fn fault(&self, found: impl std::fmt::Display, expected: impl Into<String>) -> Fault {
        let place = match self.binary {
            true => Place::Byte(self.from),
            false => Place::Line(line_of(self.bytes, self.from)),
        };
        Fault::new(place, found, expected)
    }

    fn word(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let Some(start) = rest.iter().position(|&byte| !is_space(byte)) else {
            // `from` stays: the fault of a file that ends too early names the last line that has a
            // word.
            self.at = self.bytes.len();
            return None;
        };
        let rest = &rest[start..];
        let length = rest.iter().position(|&byte| is_space(byte));
        let length = length.unwrap_or(rest.len());
        self.from = self.at + start;
        self.at = self.from + length;
        Some(&rest[..length])
    }

    pub fn expected_word(&mut self, expected: &str) -> Result<&'a [u8], Fault> {
        self.word()
            .ok_or_else(|| self.fault("the end of the file", expected))
    }

    /// Skips to the next line.
    fn end_line(&mut self) {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
    }

    /// Skips to the next line and reads the number 1 at the start of binary data, which reveals the
    /// byte order.
    pub fn begin_binary(&mut self) -> Result<(), Fault> {
        self.end_line();
        self.binary = true;
        self.big_end = match self.raw::<4>("the number 1 in four bytes")? {
            [1, 0, 0, 0] => false,
            [0, 0, 0, 1] => true,
            other => {
                let found = format!("the bytes {other:?}");
                return Err(self.fault(found, "the number 1 in four bytes"));
            }
        };
        Ok(())
    }

    /// Returns the name of the next section, such as `$Nodes`; `None` at the end of the file.
    pub fn section(&mut self) -> Result<Option<&'a [u8]>, Fault> {
        let Some(word) = self.word() else {
            return Ok(None);
        };
        if !word.starts_with(b"$") || word.starts_with(b"$End") {
            return Err(self.fault(quoted(word), "the name of a section after $"));
        }
        Ok(Some(word))
    }

    /// Reads the end of the section `name`, which is the word `$End` followed by the name. Another
    /// word is a fault.
    pub fn end(&mut self, name: &str) -> Result<(), Fault> {
        let expected = format!("$End{name}");
        let word = self.expected_word(&expected)?;
        match word == expected.as_bytes() {
            true => Ok(()),
            false => Err(self.fault(quoted(word), expected)),
        }
    }

    /// Skips the rest of the section `name`, past the word `$End` followed by the name.
    pub fn skip(&mut self, name: &str) -> Result<(), Fault> {
        let mark = format!("$End{name}");
        let rest = &self.bytes[self.at..];
        let found = rest
            .windows(mark.len())
            .position(|window| window == mark.as_bytes());
        let Some(found) = found else {
            return Err(self.fault(format!("no {mark}"), format!("{mark} after ${name}")));
        };
        self.at += found + mark.len();
        Ok(())
    }

    /// Reads the number of items at the start of a section of version 2, which is text even in a
    /// binary file.
    pub fn text_count(&mut self, what: &str) -> Result<u64, Fault> {
        let count = self.parsed(what)?;
        if self.binary {
            self.end_line();
        }
        Ok(count)
    }

    fn parsed<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, Fault> {
        let word = self.expected_word(expected)?;
        let number = std::str::from_utf8(word)
            .ok()
            .and_then(|word| word.parse().ok());
        number.ok_or_else(|| self.fault(quoted(word), expected))
    }

    fn raw<const N: usize>(&mut self, expected: &str) -> Result<[u8; N], Fault> {
        self.from = self.at;
        let rest = &self.bytes[self.at..];
        let Some(bytes) = rest.first_chunk::<N>() else {
            let found = format!("{} bytes until the end of the file", rest.len());
            return Err(self.fault(found, expected));
        };
        self.at += N;
        let mut bytes = *bytes;
        if self.big_end {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// In a binary file, skips to the next line, where binary numbers begin.
    pub fn begin_numbers(&mut self) {
        if self.binary {
            self.end_line();
        }
    }

    /// Reads an integer, which has 32 bits in a binary file.
    pub fn int(&mut self, expected: &str) -> Result<i64, Fault> {
        match self.binary {
            true => Ok(i32::from_le_bytes(self.raw(expected)?).into()),
            false => self.parsed(expected),
        }
    }

    /// Reads an integer that is not negative, which has 64 bits in a binary file.
    pub fn size(&mut self, expected: &str) -> Result<u64, Fault> {
        match self.binary {
            true => Ok(u64::from_le_bytes(self.raw(expected)?)),
            false => self.parsed(expected),
        }
    }

    pub fn real(&mut self, expected: &str) -> Result<f64, Fault> {
        match self.binary {
            true => Ok(f64::from_le_bytes(self.raw(expected)?)),
            false => self.parsed(expected),
        }
    }

    pub fn point(&mut self) -> Result<[f64; 3], Fault> {
        let mut point = [0.0; 3];
        for x in &mut point {
            *x = self.real("a coordinate")?;
        }
        Ok(point)
    }
}
