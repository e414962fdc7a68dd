//! Reader of legacy VTK files (`.vtk`), versions 1 to 5, text or binary: the
//! surface of polygonal data or of an unstructured grid, for volume cells their
//! boundary. Point and cell data come last in such a file and are not read.
//!
//! Binary numbers are big-endian. Up to version 4 a list of cells is one array,
//! `count, index, index…, count, …`; from version 5 on it is two arrays, offsets
//! and connectivity. Cost: one pass.

use super::cell::{Grid, add_cell, add_polygon, add_strip};
use super::dataset::{Cells, append_points};
use super::field::{ByteOrder, FieldValues, NumberType, WordFault};
use super::text::line_of;
use crate::error::{Fault, Place};
use crate::polygons::Polygons;
use crate::text::quoted;

/// Returns the surface of a legacy file: the boundary of its volume cells if there are any, else
/// its surface cells. Triangle strips become triangles; vertices and lines are left out.
pub fn polygons(bytes: &[u8]) -> Result<Polygons, Fault> {
    grid(bytes)?.into_polygons()
}

/// Returns the cells of a legacy file.
pub(crate) fn grid(bytes: &[u8]) -> Result<Grid, Fault> {
    let mut reader = Reader::new(bytes)?;
    let grid = reader.is_grid()?;
    let mut whole = Grid::default();
    let surface = &mut whole.surface;
    let mut cells = Cells::default();
    let mut codes = None;
    while let Some(keyword) = reader.word() {
        match keyword.to_ascii_lowercase().as_slice() {
            b"points" => surface.vertices = reader.points()?,
            b"vertices" | b"lines" if !grid => {
                reader.cells("cell", surface.vertices.len())?;
            }
            b"polygons" if !grid => {
                let polygons = reader.cells("polygon", surface.vertices.len())?;
                for (i, polygon) in polygons.iter().enumerate() {
                    add_polygon(surface, "polygon", i, polygon)?;
                }
            }
            b"triangle_strips" if !grid => {
                const WHAT: &str = "triangle strip";
                let strips = reader.cells(WHAT, surface.vertices.len())?;
                for (i, strip) in strips.iter().enumerate() {
                    add_strip(surface, WHAT, i, strip)?;
                }
            }
            b"cells" if grid => cells = reader.cells("cell", surface.vertices.len())?,
            b"cell_types" if grid => {
                let count = reader.count()?;
                codes = Some(reader.numbers(NumberType::I32, count)?);
            }
            b"field" => reader.skip_fields()?,
            b"metadata" => reader.skip_metadata(),
            b"point_data" | b"cell_data" => {
                let name = String::from_utf8_lossy(keyword).to_ascii_uppercase();
                surface.unkept.push(name);
                break;
            }
            _ => {
                return Err(reader.fault(
                    quoted(keyword),
                    if grid {
                        "POINTS, CELLS, CELL_TYPES, FIELD, METADATA, POINT_DATA or CELL_DATA"
                    } else {
                        "POINTS, VERTICES, LINES, POLYGONS, TRIANGLE_STRIPS, FIELD, METADATA, \
                         POINT_DATA or CELL_DATA"
                    },
                ));
            }
        }
    }
    let codes = codes.map_or_else(Vec::new, |codes| codes.to_f64().into_owned());
    if codes.len() != cells.len() {
        return Err(Fault::new(
            Place::Part("CELL_TYPES"),
            format!("{} types", codes.len()),
            format!("{}, one for each cell", cells.len()),
        ));
    }
    for (i, (cell, code)) in cells.iter().zip(codes).enumerate() {
        if code < 0.0 {
            return Err(Fault::new(
                Place::Item("cell", i),
                format!("the type {code}"),
                "the code of a VTK cell type",
            ));
        }
        add_cell(&mut whole, i, code as u64, cell)?;
    }
    Ok(whole)
}

/// Cursor over a file after its three header lines.
struct Reader<'a> {
    bytes: &'a [u8],
    /// The byte at which reading continues.
    at: usize,
    /// The first byte of the last word read.
    word_at: usize,
    binary: bool,
    version: u32,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut reader = Reader {
            bytes,
            at: 0,
            word_at: 0,
            binary: false,
            version: 0,
        };
        const HEADER: &str = "# vtk DataFile Version, a number from 1.0 to 5.1";
        let line = reader.line();
        let lower = line.to_ascii_lowercase();
        let version = lower
            .strip_prefix(b"# vtk datafile version")
            .and_then(|rest| std::str::from_utf8(rest).ok())
            .and_then(|rest| rest.trim().split('.').next()?.parse().ok())
            .filter(|version| (1..=5).contains(version));
        let Some(version) = version else {
            return Err(Fault::new(Place::Line(1), quoted(line), HEADER));
        };
        reader.version = version;
        reader.line();
        let line = reader.line();
        reader.binary = match line.trim_ascii().to_ascii_lowercase().as_slice() {
            b"ascii" => false,
            b"binary" => true,
            _ => {
                return Err(Fault::new(Place::Line(3), quoted(line), "ASCII or BINARY"));
            }
        };
        Ok(reader)
    }

    /// Returns a fault at the last word read.
    fn fault(&self, found: impl std::fmt::Display, expected: impl Into<String>) -> Fault {
        let place = if self.binary {
            Place::Byte(self.word_at)
        } else {
            Place::Line(line_of(self.bytes, self.word_at))
        };
        Fault::new(place, found, expected)
    }

    /// Reads the rest of the current line; it is empty at the end of the file.
    fn line(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.at = (self.at + length + 1).min(self.bytes.len());
        rest[..length].trim_ascii_end()
    }

    /// Returns the next word, on this line or a later one.
    fn word(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let start = rest.iter().position(|b| !b.is_ascii_whitespace());
        let Some(start) = start else {
            self.at = self.bytes.len();
            self.word_at = self.at;
            return None;
        };
        let rest = &rest[start..];
        let length = rest.iter().position(u8::is_ascii_whitespace);
        let length = length.unwrap_or(rest.len());
        self.word_at = self.at + start;
        self.at = self.word_at + length;
        Some(&rest[..length])
    }

    fn expected_word(&mut self, expected: &str) -> Result<&'a [u8], Fault> {
        self.word()
            .ok_or_else(|| self.fault("the end of the file", expected))
    }

    /// Reads the kind of the dataset: true for an unstructured grid, false for polygonal data.
    fn is_grid(&mut self) -> Result<bool, Fault> {
        let word = self.expected_word("DATASET")?;
        if !word.eq_ignore_ascii_case(b"dataset") {
            return Err(self.fault(quoted(word), "DATASET"));
        }
        const KINDS: &str = "POLYDATA or UNSTRUCTURED_GRID";
        let word = self.expected_word(KINDS)?;
        match word.to_ascii_lowercase().as_slice() {
            b"polydata" => Ok(false),
            b"unstructured_grid" => Ok(true),
            _ => Err(self.fault(format!("the dataset {}", quoted(word)), KINDS)),
        }
    }

    fn count(&mut self) -> Result<usize, Fault> {
        const EXPECTED: &str = "a whole number that is not negative";
        let word = self.expected_word(EXPECTED)?;
        let number = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        number.ok_or_else(|| self.fault(quoted(word), EXPECTED))
    }

    fn number_type(&mut self) -> Result<NumberType, Fault> {
        const EXPECTED: &str = "a type of numbers, such as float, double, int or vtktypeint64";
        let word = self.expected_word(EXPECTED)?;
        number_type(word).ok_or_else(|| self.fault(quoted(word), EXPECTED))
    }

    /// Reads `count` numbers: in a text the next words, in a binary file the bytes after the
    /// current line.
    fn numbers(&mut self, kind: NumberType, count: usize) -> Result<FieldValues, Fault> {
        if !self.binary {
            // A number takes at least one character, and a blank before the next.
            let capacity = (self.bytes.len() - self.at) / 2 + 1;
            let words = std::iter::from_fn(|| {
                // Bytes that are not UTF-8 are not a number either.
                self.word().map(|w| std::str::from_utf8(w).unwrap_or("?"))
            });
            return match FieldValues::from_words(kind, words, count, capacity) {
                Ok(values) => Ok(values),
                Err(WordFault::Few(found)) => Err(self.fault(
                    format!("the end of the file after {found} numbers"),
                    format!("{count} numbers"),
                )),
                Err(WordFault::Word(_)) => {
                    let word = &self.bytes[self.word_at..self.at];
                    Err(self.fault(quoted(word), format!("a number of type {}", kind.name())))
                }
            };
        }
        self.line();
        let rest = &self.bytes[self.at..];
        let bytes = count
            .checked_mul(kind.size())
            .and_then(|size| rest.get(..size));
        let Some(bytes) = bytes else {
            return Err(Fault::new(
                Place::Byte(self.at),
                format!("{} bytes until the end of the file", rest.len()),
                format!("{count} numbers of {} bytes", kind.size()),
            ));
        };
        self.at += bytes.len();
        Ok(FieldValues::from_bytes(kind, bytes, ByteOrder::Big))
    }

    fn points(&mut self) -> Result<Vec<[f64; 3]>, Fault> {
        let count = self.count()?;
        let (Ok(_), Some(numbers)) = (u32::try_from(count), count.checked_mul(3)) else {
            return Err(self.fault(format!("{count} points"), format!("at most {}", u32::MAX)));
        };
        let kind = self.number_type()?;
        let values = self.numbers(kind, numbers)?;
        let mut points = Vec::new();
        append_points(&values, &mut points)?;
        Ok(points)
    }

    fn cells(&mut self, what: &'static str, points: usize) -> Result<Cells, Fault> {
        let rows = self.count()?;
        let size = self.count()?;
        if self.version < 5 {
            self.counted_cells(what, rows, size, points)
        } else {
            self.offset_cells(what, rows, size, points)
        }
    }

    /// Reads the cells of a file up to version 4: `count, index, index…` for each cell.
    fn counted_cells(
        &mut self,
        what: &'static str,
        number: usize,
        size: usize,
        points: usize,
    ) -> Result<Cells, Fault> {
        if number > size {
            return Err(self.fault(
                format!("{number} cells in {size} numbers"),
                "at least one number for each cell",
            ));
        }
        let header_at = self.word_at;
        let values = self.numbers(NumberType::I32, size)?;
        let FieldValues::I32(row) = values else {
            return Ok(Cells::default());
        };
        let mut cells = Cells {
            indices: Vec::with_capacity(size - number),
            ends: Vec::with_capacity(number),
        };
        let mut rest = row.as_slice();
        for i in 0..number {
            let cell = rest
                .split_first()
                .and_then(|(&count, rest)| rest.split_at_checked(usize::try_from(count).ok()?));
            let Some((cell, after)) = cell else {
                return Err(Fault::new(
                    Place::Item(what, i),
                    match rest.first() {
                        Some(count) => {
                            format!(
                                "{count} points, of {} numbers that are left",
                                rest.len() - 1
                            )
                        }
                        None => "no numbers left".to_owned(),
                    },
                    format!("{number} cells in {size} numbers"),
                ));
            };
            for &index in cell {
                cells
                    .indices
                    .push(checked_index(index.into(), points, what, i)?);
            }
            cells.ends.push(cells.indices.len());
            rest = after;
        }
        if !rest.is_empty() {
            self.word_at = header_at;
            return Err(self.fault(
                format!("{} numbers left after {number} cells", rest.len()),
                format!("{number} cells in {size} numbers"),
            ));
        }
        Ok(cells)
    }

    /// Reads the cells of a file from version 5 on: the arrays `OFFSETS` and `CONNECTIVITY`.
    fn offset_cells(
        &mut self,
        what: &'static str,
        rows: usize,
        size: usize,
        points: usize,
    ) -> Result<Cells, Fault> {
        let offsets = self.named_numbers("OFFSETS", rows)?;
        let connectivity = self.named_numbers("CONNECTIVITY", size)?;
        let mut ends = offsets.sizes().map_err(|i| {
            Fault::new(
                Place::Item("offset", i),
                offsets.shown(i),
                "a whole number that is not negative",
            )
        })?;
        if let Some(i) = ends.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(Fault::new(
                Place::Item("offset", i + 1),
                format!("{} after {}", ends[i + 1], ends[i]),
                "non-decreasing offsets",
            ));
        }
        let (first, last) = (ends.first().copied(), ends.last().copied());
        if first.unwrap_or(0) != 0 || last.unwrap_or(0) != size {
            return Err(Fault::new(
                Place::Part("OFFSETS"),
                format!(
                    "offsets from {:?} to {:?}",
                    first.unwrap_or(0),
                    last.unwrap_or(0)
                ),
                format!("0 to {size}, the length of CONNECTIVITY"),
            ));
        }
        if !ends.is_empty() {
            ends.remove(0);
        }
        let limit = u32::try_from(points).unwrap_or(u32::MAX);
        let indices = connectivity.indices(0, limit).map_err(|k| {
            Fault::new(
                Place::Item(what, ends.partition_point(|&end| end <= k)),
                format!("the point {}", connectivity.shown(k)),
                format!("an index below {points}, the number of points"),
            )
        })?;
        Ok(Cells { indices, ends })
    }

    fn named_numbers(&mut self, name: &str, count: usize) -> Result<FieldValues, Fault> {
        let word = self.expected_word(name)?;
        if !word.eq_ignore_ascii_case(name.as_bytes()) {
            return Err(self.fault(quoted(word), name));
        }
        let kind = self.number_type()?;
        self.numbers(kind, count)
    }

    /// Skips to the blank line that ends a block of metadata.
    fn skip_metadata(&mut self) {
        self.line();
        while self.at < self.bytes.len() && !self.line().is_empty() {}
    }

    /// Skips field data: the rest of a line `FIELD name n`, and the `n` arrays after it.
    fn skip_fields(&mut self) -> Result<(), Fault> {
        self.expected_word("the name of a field")?;
        let arrays = self.count()?;
        for _ in 0..arrays {
            let mut name = self.expected_word("the name of an array")?;
            while name.eq_ignore_ascii_case(b"metadata") {
                self.skip_metadata();
                name = self.expected_word("the name of an array")?;
            }
            let components = self.count()?;
            let tuples = self.count()?;
            let Some(count) = components.checked_mul(tuples) else {
                return Err(self.fault(format!("{components} × {tuples} numbers"), "fewer"));
            };
            let kind = self.expected_word("a type of numbers")?;
            match (number_type(kind), kind.to_ascii_lowercase().as_slice()) {
                (Some(kind), _) => {
                    self.numbers(kind, count)?;
                }
                (None, b"bit") if self.binary => {
                    self.numbers(NumberType::U8, count.div_ceil(8))?;
                }
                (None, b"bit") => {
                    self.numbers(NumberType::U8, count)?;
                }
                (None, b"string") => self.skip_strings(count)?,
                _ => {
                    return Err(self.fault(quoted(kind), "a type of numbers, bit or string"));
                }
            }
        }
        Ok(())
    }

    /// Skips strings: in text a line each, in binary a length and as many bytes.
    fn skip_strings(&mut self, count: usize) -> Result<(), Fault> {
        self.line();
        for i in 0..count {
            let start = self.at;
            if self.binary {
                // The first two bits give the number of bytes of the length.
                let rest = &self.bytes[self.at..];
                let width: usize = match rest.first().map_or(0, |b| b >> 6) {
                    3 => 1,
                    2 => 2,
                    1 => 4,
                    _ => 8,
                };
                let length = rest.get(..width).and_then(|bytes| {
                    let digit = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
                    let mask = u64::MAX >> (66 - 8 * width);
                    usize::try_from(bytes.iter().fold(0, digit) & mask).ok()
                });
                let end = length.and_then(|length| length.checked_add(self.at + width));
                self.at = end.unwrap_or(usize::MAX);
            } else {
                self.line();
            }
            if self.at > self.bytes.len() || start == self.bytes.len() {
                self.at = self.bytes.len();
                return Err(Fault::new(
                    Place::Item("string", i),
                    "the end of the file",
                    format!("{count} strings"),
                ));
            }
        }
        Ok(())
    }
}

fn checked_index(index: i64, points: usize, what: &'static str, item: usize) -> Result<u32, Fault> {
    match u32::try_from(index) {
        Ok(index) if (index as usize) < points => Ok(index),
        _ => Err(Fault::new(
            Place::Item(what, item),
            format!("the point {index}"),
            format!("an index below {points}, the number of points"),
        )),
    }
}

/// Returns the type of numbers by its name in a legacy file. There `vtkIdType` has 32 bits, and
/// `long` has 64, as on most systems.
fn number_type(name: &[u8]) -> Option<NumberType> {
    Some(match name.to_ascii_lowercase().as_slice() {
        b"float" | b"vtktypefloat32" => NumberType::F32,
        b"double" | b"vtktypefloat64" => NumberType::F64,
        b"char" | b"signed_char" | b"vtktypeint8" => NumberType::I8,
        b"unsigned_char" | b"vtktypeuint8" => NumberType::U8,
        b"short" | b"vtktypeint16" => NumberType::I16,
        b"unsigned_short" | b"vtktypeuint16" => NumberType::U16,
        b"int" | b"vtkidtype" | b"vtktypeint32" => NumberType::I32,
        b"unsigned_int" | b"vtktypeuint32" => NumberType::U32,
        b"long" | b"vtktypeint64" => NumberType::I64,
        b"unsigned_long" | b"vtktypeuint64" => NumberType::U64,
        _ => return None,
    })
}
