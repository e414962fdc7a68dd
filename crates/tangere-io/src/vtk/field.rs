//! VTK fields: named arrays of numbers on points or cells.

use std::borrow::Cow;
use std::str::FromStr;

/// A named array: `components` numbers for each point or cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name; not empty, and unique among the fields of the points (or cells).
    pub name: String,
    /// The number of values per point or cell; at least 1.
    pub components: usize,
    /// The values of all points or cells, one after another; the components of each are adjacent.
    pub values: FieldValues,
}

impl Field {
    /// Returns a field with one number for each point or cell.
    pub fn scalar(name: impl Into<String>, values: impl Into<FieldValues>) -> Self {
        Field {
            name: name.into(),
            components: 1,
            values: values.into(),
        }
    }

    /// Returns a field with `N` numbers for each point or cell.
    pub fn vector<T, const N: usize>(name: impl Into<String>, values: Vec<[T; N]>) -> Self
    where
        Vec<T>: Into<FieldValues>,
    {
        Field {
            name: name.into(),
            components: N,
            values: values.into_flattened().into(),
        }
    }
}

/// Byte order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

/// Operations common to all number types of a VTK file.
trait Number: Copy + FromStr {
    fn all_from(bytes: &[u8], order: ByteOrder) -> Vec<Self>;
    fn bytes_of(values: &[Self], sink: &mut dyn std::io::Write) -> std::io::Result<()>;
    /// Returns the value as `f64`: exact except for 64-bit integers beyond 2⁵³.
    fn real(self) -> f64;
    /// Returns the value as an index; `None` if it is negative or not an integer.
    fn index(self) -> Option<u64>;
}

macro_rules! number {
    ($($variant:ident, $number:ty, $name:literal, $as_index:expr;)*) => {
        /// The numbers of a [`Field`], in the type of the file.
        #[derive(Clone, Debug, PartialEq)]
        pub enum FieldValues {
            $(
                #[doc = concat!("VTK's `", $name, "`.")]
                $variant(Vec<$number>),
            )*
        }

        /// The type of the numbers of a [`Field`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum NumberType {
            $($variant,)*
        }

        impl NumberType {
            /// Returns the type by its name in an XML file.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Returns the name in an XML file.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the number of bytes of one number of this type.
            pub fn size(self) -> usize {
                match self {
                    $(Self::$variant => size_of::<$number>(),)*
                }
            }
        }

        $(
            impl Number for $number {
                fn all_from(bytes: &[u8], order: ByteOrder) -> Vec<Self> {
                    let (items, _) = bytes.as_chunks::<{ size_of::<$number>() }>();
                    match order {
                        ByteOrder::Little => {
                            items.iter().map(|b| <$number>::from_le_bytes(*b)).collect()
                        }
                        ByteOrder::Big => {
                            items.iter().map(|b| <$number>::from_be_bytes(*b)).collect()
                        }
                    }
                }

                fn bytes_of(
                    values: &[Self],
                    sink: &mut dyn std::io::Write,
                ) -> std::io::Result<()> {
                    write_all_as(values, sink, |v| v.to_le_bytes())
                }

                fn real(self) -> f64 {
                    self as f64
                }

                fn index(self) -> Option<u64> {
                    let index: fn($number) -> Option<u64> = $as_index;
                    index(self)
                }
            }

            impl From<Vec<$number>> for FieldValues {
                fn from(values: Vec<$number>) -> Self {
                    FieldValues::$variant(values)
                }
            }
        )*

        /// Evaluates an expression for the vector of numbers in a `FieldValues`, whatever its
        /// variant.
        macro_rules! each {
            ($values:expr, $v:ident => $body:expr) => {
                match $values {
                    $(FieldValues::$variant($v) => $body,)*
                }
            };
        }

        impl FieldValues {
            /// Decodes numbers from bytes; an incomplete number at the end is dropped.
            pub(crate) fn from_bytes(kind: NumberType, bytes: &[u8], order: ByteOrder) -> Self {
                match kind {
                    $(NumberType::$variant => Self::$variant(Number::all_from(bytes, order)),)*
                }
            }

            /// Parses `count` numbers from words of text. The error is the first word that is not a
            /// number of the type, or the number of words if there are fewer than `count`.
            pub(crate) fn from_words<'a>(
                kind: NumberType,
                words: impl Iterator<Item = &'a str>,
                count: usize,
                capacity: usize,
            ) -> std::result::Result<Self, WordFault<'a>> {
                match kind {
                    $(NumberType::$variant => {
                        Ok(Self::$variant(parsed_words(words, count, capacity)?))
                    })*
                }
            }

            /// Returns the type of the numbers.
            pub(crate) fn kind(&self) -> NumberType {
                match self {
                    $(Self::$variant(_) => NumberType::$variant,)*
                }
            }

            /// Appends the numbers of another array of the same type; returns
            /// the other array if its type differs.
            pub(crate) fn append(&mut self, other: Self) -> std::result::Result<(), Self> {
                match (self, other) {
                    $((Self::$variant(a), Self::$variant(b)) => a.extend(b),)*
                    (_, other) => return Err(other),
                }
                Ok(())
            }
        }
    };
}

number! {
    F64, f64, "Float64", |x| (x >= 0.0 && x == x.trunc()).then_some(x as u64);
    F32, f32, "Float32", |x| (x >= 0.0 && x == x.trunc()).then_some(x as u64);
    I64, i64, "Int64", |x| x.try_into().ok();
    I32, i32, "Int32", |x| x.try_into().ok();
    I16, i16, "Int16", |x| x.try_into().ok();
    I8, i8, "Int8", |x| x.try_into().ok();
    U64, u64, "UInt64", |x| Some(x);
    U32, u32, "UInt32", |x| Some(x.into());
    U16, u16, "UInt16", |x| Some(x.into());
    U8, u8, "UInt8", |x| Some(x.into());
}

impl FieldValues {
    /// Returns how many numbers there are.
    pub fn len(&self) -> usize {
        each!(self, v => v.len())
    }

    /// Whether there are no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes a number as text that reads back as the same number.
    pub(crate) fn write_text(
        &self,
        i: usize,
        out: &mut impl std::io::Write,
    ) -> std::io::Result<()> {
        match self {
            FieldValues::F64(v) => crate::text::write_number(out, v[i]),
            FieldValues::F32(v) => crate::text::write_number(out, v[i].into()),
            integers => each!(integers, v => write!(out, "{}", v[i])),
        }
    }

    /// Returns all numbers as `f64`: exact except for 64-bit integers beyond 2⁵³.
    pub fn to_f64(&self) -> Cow<'_, [f64]> {
        match self {
            FieldValues::F64(v) => Cow::Borrowed(v),
            other => Cow::Owned(each!(other, v => v.iter().map(|x| x.real()).collect())),
        }
    }

    /// Formats number `i` of the array as text.
    pub(crate) fn shown(&self, i: usize) -> String {
        each!(self, v => v.get(i).map_or_else(String::new, |x| x.to_string()))
    }

    /// Returns all numbers as indices, each increased by `base`. Before that, each must be an
    /// integer from 0 to below `limit`; the error is the position of the first one that is not.
    pub(crate) fn indices(&self, base: u32, limit: u32) -> std::result::Result<Vec<u32>, usize> {
        each!(self, v => indices(v, base, limit))
    }

    /// Returns all numbers as `usize`; the error is the position of the first number that is
    /// negative, too large or not an integer.
    pub(crate) fn sizes(&self) -> std::result::Result<Vec<usize>, usize> {
        each!(self, v => v
            .iter()
            .enumerate()
            .map(|(i, x)| x.index().and_then(|x| usize::try_from(x).ok()).ok_or(i))
            .collect())
    }

    /// Writes all numbers, little-endian.
    pub(crate) fn write(&self, sink: &mut dyn std::io::Write) -> std::io::Result<()> {
        each!(self, v => Number::bytes_of(v, sink))
    }
}

impl<T: Copy> From<&[T]> for FieldValues
where
    Vec<T>: Into<FieldValues>,
{
    fn from(values: &[T]) -> Self {
        values.to_vec().into()
    }
}

fn indices<T: Number>(values: &[T], base: u32, limit: u32) -> std::result::Result<Vec<u32>, usize> {
    let mut out = Vec::with_capacity(values.len());
    for (i, value) in values.iter().enumerate() {
        match value.index() {
            // The caller keeps base + limit within u32.
            Some(x) if x < u64::from(limit) => out.push(base + x as u32),
            _ => return Err(i),
        }
    }
    Ok(out)
}

/// Reason why words of text are not the expected numbers.
#[derive(Debug)]
pub(crate) enum WordFault<'a> {
    /// A word that is not a number of the type.
    Word(&'a str),
    /// There are too few words; this is their number.
    Few(usize),
}

fn parsed_words<'a, T: Number>(
    words: impl Iterator<Item = &'a str>,
    count: usize,
    capacity: usize,
) -> std::result::Result<Vec<T>, WordFault<'a>> {
    let mut out = Vec::with_capacity(capacity.min(count));
    for word in words.take(count) {
        out.push(word.parse().map_err(|_| WordFault::Word(word))?);
    }
    if out.len() < count {
        return Err(WordFault::Few(out.len()));
    }
    Ok(out)
}

/// Writes items converted to `N` bytes each, in chunks that stay in the cache.
pub(crate) fn write_all_as<T: Copy, const N: usize>(
    items: &[T],
    sink: &mut dyn std::io::Write,
    bytes: impl Fn(T) -> [u8; N],
) -> std::io::Result<()> {
    const PIECE: usize = 1 << 16;
    let mut buffer = vec![0; PIECE.min(items.len().saturating_mul(N))];
    for piece in items.chunks(PIECE / N) {
        let filled = &mut buffer[..piece.len() * N];
        for (slot, &item) in filled.as_chunks_mut::<N>().0.iter_mut().zip(piece) {
            *slot = bytes(item);
        }
        sink.write_all(filled)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders() {
        let little = FieldValues::from_bytes(NumberType::I32, &[1, 0, 0, 0], ByteOrder::Little);
        let big = FieldValues::from_bytes(NumberType::I32, &[0, 0, 0, 1], ByteOrder::Big);
        assert_eq!(little, FieldValues::I32(vec![1]));
        assert_eq!(big, little);
    }

    #[test]
    fn indices_are_checked() {
        assert_eq!(
            FieldValues::I64(vec![0, 2]).indices(10, 3),
            Ok(vec![10, 12])
        );
        assert_eq!(FieldValues::I64(vec![0, 3]).indices(10, 3), Err(1));
        assert_eq!(FieldValues::I8(vec![-1]).indices(0, 3), Err(0));
        assert_eq!(FieldValues::F64(vec![0.5]).indices(0, 3), Err(0));
        assert_eq!(FieldValues::F64(vec![f64::NAN]).indices(0, 3), Err(0));
    }

    #[test]
    fn long_arrays_are_written_whole() {
        let values = FieldValues::U32((0..100_000).collect());
        let mut bytes = Vec::new();
        values.write(&mut bytes).unwrap();
        assert_eq!(
            FieldValues::from_bytes(NumberType::U32, &bytes, ByteOrder::Little),
            values
        );
    }
}
