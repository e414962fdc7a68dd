//! Reader and writer of NPY, NumPy's array file: versions 1 to 3, any number of axes, floats of 2,
//! 4 and 8 bytes and integers of 1 to 8 bytes, both byte orders, C and Fortran order.
//!
//! An array becomes f64 in C order. Integers that f64 cannot hold exactly are
//! refused, as are values that are not finite and content after the array.

use crate::error::{Error, Fault, Place};
use crate::mesh::file_bytes;
use crate::table::Array;
use crate::text::quoted;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Parses the content of an NPY file as an array of floats. NaN and infinite values are a fault,
/// and so is content after the array.
pub fn parse_npy(bytes: &[u8]) -> Result<Array, Fault> {
    let (array, _) = parsed(bytes, true, true)?;
    Ok(array)
}

/// Parses an array as [`parse_npy`] does, but also accepts NaN and infinite values.
pub(crate) fn any_npy(bytes: &[u8]) -> Result<Array, Fault> {
    let (array, _) = parsed(bytes, true, false)?;
    Ok(array)
}

/// Parses the first array of a file that may contain several, one after the other as NumPy saves
/// them. Returns the array, and the index of the byte after it.
pub(crate) fn first_npy(bytes: &[u8]) -> Result<(Array, usize), Fault> {
    parsed(bytes, false, true)
}

/// Whether bytes begin with the signature of an NPY array.
pub(crate) fn is_npy(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Parses an array. Returns it, and the index of the byte after it. If `alone`, content after the
/// array is a fault. If `finite`, NaN and infinite floats are a fault.
fn parsed(bytes: &[u8], alone: bool, finite: bool) -> Result<(Array, usize), Fault> {
    let (header, place) = located(bytes, alone)?;
    let data = &bytes[place.clone()];
    let mut values = header.kind.values(data, header.big_endian);
    let bad = values.iter().position(|x| !x.is_finite());
    if let Some(i) = bad.filter(|_| finite || header.kind.is_integer()) {
        return Err(header.not_finite(data, place.start, i));
    }
    if header.fortran_order && header.shape.len() > 1 {
        values = in_c_order(&values, &header.shape);
    }
    let array = Array {
        shape: header.shape,
        values,
    };
    Ok((array, place.end))
}

/// Parses the header of an array. Returns it, and the range of the bytes of the data. If `alone`,
/// content after the array is a fault.
fn located(bytes: &[u8], alone: bool) -> Result<(Header, Range<usize>), Fault> {
    let (header, start) = Header::parse(bytes)?;
    let data = &bytes[start..];
    // If one axis has length 0 the array is empty, however long the others are.
    let count = match header.shape.contains(&0) {
        true => Some(0),
        false => header
            .shape
            .iter()
            .try_fold(1_usize, |count, &axis| count.checked_mul(axis)),
    };
    let size = count.and_then(|count| count.checked_mul(header.kind.size()));
    match size {
        Some(size) if size == data.len() || size < data.len() && !alone => {
            Ok((header, start..start + size))
        }
        _ => {
            let size = size.map_or("more than any memory".to_owned(), |size| size.to_string());
            Err(Fault::new(
                Place::Byte(start),
                format!("{} bytes of data", data.len()),
                format!("{size} for the shape {:?}", header.shape),
            ))
        }
    }
}

/// The first array of an NPY file: a table, or tables of the same shape, one for each step. Its
/// values are decoded on request.
pub struct NpyFile {
    path: PathBuf,
    bytes: Vec<u8>,
    header: Header,
    data: Range<usize>,
}

impl NpyFile {
    /// Reads an NPY file without decoding its values.
    ///
    /// # Errors
    /// When the file cannot be read, or contains no array of numbers.
    pub fn open(path: impl AsRef<Path>) -> crate::error::Result<Self> {
        let path = path.as_ref();
        let (bytes, _) = file_bytes(path, |_| Ok(()))?;
        let fault = |fault| Error::content(path, fault);
        let (mut header, mut data) = located(&bytes, false).map_err(fault)?;
        if data.end < bytes.len() && !is_npy(&bytes[data.end..]) {
            (header, data) = located(&bytes, true).map_err(fault)?;
        }
        Ok(NpyFile {
            path: path.to_owned(),
            bytes,
            header,
            data,
        })
    }

    /// Returns the shape of the array: the length of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.header.shape
    }

    /// Decodes `N` columns of the array, from column `first` on, in all rows of a step. The array
    /// has the axes (rows, columns), or (steps, rows, columns).
    ///
    /// # Errors
    /// When a value is not finite, or float64 cannot represent it exactly.
    ///
    /// # Panics
    /// When there is no such step or column, or the array has other axes.
    pub fn columns<const N: usize>(
        &self,
        step: usize,
        first: usize,
    ) -> crate::error::Result<Vec<[f64; N]>> {
        let header = &self.header;
        let (steps, rows, columns) = match header.shape[..] {
            [rows, columns] => (1, rows, columns),
            [steps, rows, columns] => (steps, rows, columns),
            _ => panic!("{} axes, expected 2 or 3", header.shape.len()),
        };
        assert!(step < steps && first + N <= columns, "no such column");
        let [across_steps, down, along] = match header.fortran_order {
            false => [rows * columns, columns, 1],
            true => [1, steps, steps * rows],
        };
        let data = &self.bytes[self.data.clone()];
        let start = step * across_steps + first * along;
        let picked = Picked {
            data,
            big: header.big_endian,
            rows,
            start,
            down,
            along,
        };
        let values: Vec<[f64; N]> = header.kind.picked(&picked);
        match values.as_flattened().iter().position(|x| !x.is_finite()) {
            None => Ok(values),
            Some(i) => {
                let place = start + i / N * down + i % N * along;
                let fault = header.not_finite(data, self.data.start, place);
                Err(Error::content(&self.path, fault))
            }
        }
    }
}

/// Reorders the values of an array from Fortran to C order.
fn in_c_order(values: &[f64], shape: &[usize]) -> Vec<f64> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1_usize;
    for &axis in shape {
        strides.push(stride);
        // The product exceeds the number of values only if that is 0.
        stride = stride.saturating_mul(axis);
    }
    let mut index = vec![0; shape.len()];
    let mut place = 0;
    let mut ordered = Vec::with_capacity(values.len());
    for _ in 0..values.len() {
        ordered.push(values[place]);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            place += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            place -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    ordered
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "f2" => Kind::F16,
            "f4" => Kind::F32,
            "f8" => Kind::F64,
            "i1" => Kind::I8,
            "i2" => Kind::I16,
            "i4" => Kind::I32,
            "i8" => Kind::I64,
            "u1" => Kind::U8,
            "u2" => Kind::U16,
            "u4" => Kind::U32,
            "u8" => Kind::U64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::F16 | Kind::I16 | Kind::U16 => 2,
            Kind::F32 | Kind::I32 | Kind::U32 => 4,
            Kind::F64 | Kind::I64 | Kind::U64 => 8,
        }
    }

    fn is_integer(self) -> bool {
        !matches!(self, Kind::F16 | Kind::F32 | Kind::F64)
    }

    /// Formats the integer at the start of `data` as decimal text, for errors. `big` is whether it
    /// is big-endian.
    fn integer_text(self, data: &[u8], big: bool) -> String {
        let size = self.size();
        let bytes = data[..size].iter();
        let bits = match big {
            true => bytes.fold(0, |sum, &b| sum << 8 | u64::from(b)),
            false => bytes.rev().fold(0, |sum, &b| sum << 8 | u64::from(b)),
        };
        match self {
            Kind::I64 => bits.cast_signed().to_string(),
            _ => bits.to_string(),
        }
    }

    /// Decodes all values of `data`; `big` is whether they are big-endian. An integer that f64
    /// cannot represent exactly becomes NaN.
    fn values(self, data: &[u8], big: bool) -> Vec<f64> {
        let all = Picked {
            data,
            big,
            rows: data.len() / self.size(),
            start: 0,
            down: 1,
            along: 0,
        };
        self.picked::<1>(&all).into_flattened()
    }

    /// Decodes selected values. An integer that f64 cannot represent exactly becomes NaN.
    fn picked<const N: usize>(self, picked: &Picked) -> Vec<[f64; N]> {
        match self {
            Kind::F16 => picked.decoded(|b| half(u16::from_le_bytes(b))),
            Kind::F32 => picked.decoded(|b| f32::from_le_bytes(b).into()),
            Kind::F64 => picked.decoded(f64::from_le_bytes),
            Kind::I8 => picked.decoded(|b| i8::from_le_bytes(b).into()),
            Kind::I16 => picked.decoded(|b| i16::from_le_bytes(b).into()),
            Kind::I32 => picked.decoded(|b| i32::from_le_bytes(b).into()),
            Kind::U8 => picked.decoded(|b| u8::from_le_bytes(b).into()),
            Kind::U16 => picked.decoded(|b| u16::from_le_bytes(b).into()),
            Kind::U32 => picked.decoded(|b| u32::from_le_bytes(b).into()),
            Kind::I64 => picked.decoded(|b| exact(i64::from_le_bytes(b).into())),
            Kind::U64 => picked.decoded(|b| exact(u64::from_le_bytes(b).into())),
        }
    }
}

/// Selection of the values of an array to decode: some adjacent columns of each row. Indices and
/// strides count values, not bytes.
struct Picked<'a> {
    data: &'a [u8],
    big: bool,
    rows: usize,
    /// The index in the data of the first selected value of the first row.
    start: usize,
    /// The stride from a row to the next, in values.
    down: usize,
    /// The stride from a column to the next, in values.
    along: usize,
}

impl Picked<'_> {
    fn decoded<const S: usize, const N: usize>(
        &self,
        value: impl Fn([u8; S]) -> f64,
    ) -> Vec<[f64; N]> {
        let (chunks, _) = self.data.as_chunks::<S>();
        let ordered = |mut bytes: [u8; S]| {
            if self.big {
                bytes.reverse();
            }
            value(bytes)
        };
        let first = |row: usize| self.start + row * self.down;
        let row = |row| std::array::from_fn(|k| ordered(chunks[first(row) + k * self.along]));
        (0..self.rows).map(row).collect()
    }
}

/// Converts an integer to f64 if that is exact, else to NaN.
fn exact(integer: i128) -> f64 {
    let float = integer as f64;
    if float as i128 == integer {
        float
    } else {
        f64::NAN
    }
}

/// Converts an IEEE 754 binary16 number: 1 bit sign, 5 bits exponent, 10 bits fraction.
fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    let magnitude = match (bits >> 10) & 0x1f {
        0 => fraction * 2.0_f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1.0 + fraction) * 2.0_f64.powi(i32::from(exponent) - 15),
    };
    if bits >> 15 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

struct Header {
    kind: Kind,
    big_endian: bool,
    fortran_order: bool,
    shape: Vec<usize>,
}

impl Header {
    /// Returns the fault that value `i` is not finite, or is an integer that f64 cannot represent
    /// exactly. The data begin at byte `start` of the file.
    fn not_finite(&self, data: &[u8], start: usize, i: usize) -> Fault {
        let (kind, begin) = (self.kind, i * self.kind.size());
        let place = Place::Byte(start + begin);
        if kind.is_integer() {
            let integer = kind.integer_text(&data[begin..], self.big_endian);
            let expected = "an integer that a float of 8 bytes can hold";
            return Fault::new(place, format!("{integer} as value {i}"), expected);
        }
        let value = kind.values(&data[begin..][..kind.size()], self.big_endian)[0];
        Fault::new(place, format!("{value} as value {i}"), "a finite number")
    }

    /// Parses the header of an NPY file. Returns it, and the index of the byte at which the data
    /// begin.
    fn parse(bytes: &[u8]) -> Result<(Header, usize), Fault> {
        if !bytes.starts_with(MAGIC) {
            let start = &bytes[..bytes.len().min(MAGIC.len())];
            return Err(Fault::new(
                Place::Byte(0),
                quoted(start),
                "the bytes \"\\x93NUMPY\" of an NPY file",
            ));
        }
        let short = || {
            Fault::new(
                Place::Byte(bytes.len()),
                "the end of the file",
                "a version and the size of the header",
            )
        };
        let version = *bytes.get(6).ok_or_else(short)?;
        let (size, begin): (usize, usize) = match version {
            1 => {
                let size = bytes.get(8..10).ok_or_else(short)?;
                (usize::from(size[0]) | usize::from(size[1]) << 8, 10)
            }
            2 | 3 => {
                let size = bytes.get(8..12).ok_or_else(short)?;
                let size = size.iter().rev().fold(0, |sum, &b| sum << 8 | u64::from(b));
                (usize::try_from(size).unwrap_or(usize::MAX), 12)
            }
            _ => {
                return Err(Fault::new(
                    Place::Byte(6),
                    format!("version {version}"),
                    "version 1, 2 or 3",
                ));
            }
        };
        let text = begin
            .checked_add(size)
            .and_then(|end| bytes.get(begin..end))
            .ok_or_else(|| {
                Fault::new(
                    Place::Byte(begin - if version == 1 { 2 } else { 4 }),
                    format!("a header of {size} bytes"),
                    format!("at most the {} that follow", bytes.len() - begin),
                )
            })?;
        let mut dictionary = Literal { text, at: 0, begin };
        Ok((dictionary.header()?, begin + size))
    }
}

/// Parser of the dictionary in the header of an NPY file, which is a Python literal.
struct Literal<'a> {
    text: &'a [u8],
    at: usize,
    /// The index in the file of the first byte of `text`, for errors.
    begin: usize,
}

impl<'a> Literal<'a> {
    fn header(&mut self) -> Result<Header, Fault> {
        let (mut kind, mut fortran_order, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.accept(b'}') {
            let at = self.at;
            let key = self.string("a key in quotes, or \"}\"")?;
            self.expect(b':')?;
            match key {
                b"descr" if kind.is_none() => kind = Some(self.kind()?),
                b"fortran_order" if fortran_order.is_none() => {
                    fortran_order = Some(self.boolean()?)
                }
                b"shape" if shape.is_none() => shape = Some(self.shape()?),
                _ => {
                    self.at = at;
                    let expected = "each of descr, fortran_order and shape once";
                    return Err(self.fault_of(quoted(key), expected));
                }
            }
            if !self.accept(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        self.skip_space();
        // The header is padded with spaces and ends with a line feed.
        if self.at < self.text.len() {
            return Err(self.fault("the end of the header"));
        }
        match (kind, fortran_order, shape) {
            (Some((kind, big_endian)), Some(fortran_order), Some(shape)) => Ok(Header {
                kind,
                big_endian,
                fortran_order,
                shape,
            }),
            _ => Err(self.fault("each of descr, fortran_order and shape once")),
        }
    }

    fn kind(&mut self) -> Result<(Kind, bool), Fault> {
        const EXPECTED: &str =
            "the type of one number: f2, f4, f8, i1 to i8 or u1 to u8 after \"<\", \">\" or \"|\"";
        self.skip_space();
        let at = self.at;
        let name = self.string(EXPECTED)?;
        let text = std::str::from_utf8(name).unwrap_or_default();
        let kind = text
            .strip_prefix(['<', '>', '|', '='])
            .and_then(Kind::named);
        match kind {
            // Only types of a single byte have no byte order.
            Some(kind) if !text.starts_with('|') || kind.size() == 1 => {
                Ok((kind, text.starts_with('>')))
            }
            _ => {
                self.at = at;
                Err(self.fault_of(quoted(name), EXPECTED))
            }
        }
    }

    fn boolean(&mut self) -> Result<bool, Fault> {
        self.skip_space();
        for (word, value) in [("True", true), ("False", false)] {
            if self.text[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.fault("True or False"))
    }

    fn shape(&mut self) -> Result<Vec<usize>, Fault> {
        /// Maximum number of axes of a NumPy array.
        const AXES: usize = 64;
        let mut shape = Vec::new();
        self.expect(b'(')?;
        while !self.accept(b')') {
            self.skip_space();
            let rest = &self.text[self.at..];
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let axis = crate::text::integer(&rest[..digits]);
            let Some(axis) = axis.filter(|_| shape.len() < AXES) else {
                return Err(self.fault("the length of an axis, or \")\""));
            };
            shape.push(axis);
            self.at += digits;
            // Files from Python 2 may contain long integers.
            self.accept(b'L');
            if !self.accept(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(shape)
    }

    fn string(&mut self, expected: &str) -> Result<&'a [u8], Fault> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let Some(&quote @ (b'\'' | b'"')) = rest.first() else {
            return Err(self.fault(expected));
        };
        let length = rest[1..].iter().position(|&byte| byte == quote);
        let length = length.ok_or_else(|| self.fault("a text that ends with a quote"))?;
        self.at += length + 2;
        Ok(&rest[1..][..length])
    }

    fn accept(&mut self, byte: u8) -> bool {
        self.skip_space();
        let accepted = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(accepted);
        accepted
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        match self.accept(byte) {
            true => Ok(()),
            false => Err(self.fault(&format!("{:?}", char::from(byte)))),
        }
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest
            .iter()
            .take_while(|&&b| crate::text::is_space(b))
            .count();
    }

    fn fault(&self, expected: &str) -> Fault {
        let rest = &self.text[self.at..];
        let found = match rest {
            [] => "the end of the header".to_owned(),
            _ => quoted(&rest[..rest.len().min(20)]),
        };
        self.fault_of(found, expected)
    }

    fn fault_of(&self, found: String, expected: &str) -> Fault {
        Fault::new(Place::Byte(self.begin + self.at), found, expected)
    }
}

/// The values of an array to be written, in C order.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum NpyData<'a> {
    /// Floats of 8 bytes.
    F64(&'a [f64]),
    /// Floats of 4 bytes.
    F32(&'a [f32]),
    /// Signed integers of 1 byte.
    I8(&'a [i8]),
    /// Unsigned integers of 1 byte.
    U8(&'a [u8]),
    /// Signed integers of 4 bytes.
    I32(&'a [i32]),
    /// Unsigned integers of 4 bytes.
    U32(&'a [u32]),
    /// Signed integers of 8 bytes.
    I64(&'a [i64]),
    /// Unsigned integers of 8 bytes.
    U64(&'a [u64]),
}

impl NpyData<'_> {
    /// Returns the number of values of the array.
    pub fn len(&self) -> usize {
        match self {
            NpyData::F64(values) => values.len(),
            NpyData::F32(values) => values.len(),
            NpyData::I8(values) => values.len(),
            NpyData::U8(values) => values.len(),
            NpyData::I32(values) => values.len(),
            NpyData::U32(values) => values.len(),
            NpyData::I64(values) => values.len(),
            NpyData::U64(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the type of the values as NumPy writes it in the header, such as `<f8`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            NpyData::F64(_) => "<f8",
            NpyData::F32(_) => "<f4",
            NpyData::I8(_) => "|i1",
            NpyData::U8(_) => "|u1",
            NpyData::I32(_) => "<i4",
            NpyData::U32(_) => "<u4",
            NpyData::I64(_) => "<i8",
            NpyData::U64(_) => "<u8",
        }
    }
}

/// Writes the header of an NPY file. `description` is the type as NumPy writes it, a name in quotes
/// or a list of fields.
pub(crate) fn write_header(
    out: &mut impl Write,
    description: &str,
    shape: &[usize],
) -> io::Result<()> {
    let axes: String = shape.iter().map(|axis| format!("{axis}, ")).collect();
    let mut header = format!(
        "{{'descr': {description}, 'fortran_order': False, 'shape': ({}), }}",
        // A tuple of one element needs a comma.
        if shape.len() == 1 {
            axes.trim_end()
        } else {
            axes.trim_end_matches(", ")
        }
    );
    // The data begin at a multiple of 64 bytes; a line feed ends the header.
    const BEFORE: usize = 10;
    let padded = (BEFORE + header.len() + 1).next_multiple_of(64) - BEFORE;
    header.extend(std::iter::repeat_n(' ', padded - 1 - header.len()));
    header.push('\n');
    out.write_all(MAGIC)?;
    out.write_all(&[1, 0])?;
    // The header has at most 64 axes of 20 digits, or a few fields: less than the 65535 of version
    // 1.
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())
}

/// Writes an array as NPY. The caller has checked that the shape fits the number of values.
pub(crate) fn write(out: &mut impl Write, shape: &[usize], data: NpyData) -> io::Result<()> {
    write_header(out, &format!("'{}'", data.name()), shape)?;
    match data {
        NpyData::F64(values) => each(out, values, |x| x.to_le_bytes()),
        NpyData::F32(values) => each(out, values, |x| x.to_le_bytes()),
        NpyData::I8(values) => each(out, values, |x| x.to_le_bytes()),
        NpyData::U8(values) => out.write_all(values),
        NpyData::I32(values) => each(out, values, |x| x.to_le_bytes()),
        NpyData::U32(values) => each(out, values, |x| x.to_le_bytes()),
        NpyData::I64(values) => each(out, values, |x| x.to_le_bytes()),
        NpyData::U64(values) => each(out, values, |x| x.to_le_bytes()),
    }
}

fn each<T: Copy, const N: usize>(
    out: &mut impl Write,
    values: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    values.iter().try_for_each(|&x| out.write_all(&bytes(x)))
}
