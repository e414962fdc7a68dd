//! Values of a column of an answer as one array.

use super::{Column, Get, Rows};
use tangere_io::vtk::{Field, FieldValues};

/// Array of the values of a column, all of one type. If a row has several values, they are
/// adjacent.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Floats of 8 bytes.
    F64(Vec<f64>),
    /// Unsigned integers of 8 bytes.
    U64(Vec<u64>),
    /// Unsigned integers of 4 bytes.
    U32(Vec<u32>),
    /// Signed integers of 4 bytes.
    I32(Vec<i32>),
    /// Signed integers of 1 byte.
    I8(Vec<i8>),
    /// Unsigned integers of 1 byte.
    U8(Vec<u8>),
}

impl Data {
    /// Returns the values of a column as a field of a VTK file. `width` is the number of values in
    /// a row. Vectors of two floats or two signed integers get a third component 0, as viewers
    /// expect vectors of three.
    pub(super) fn field(self, name: &str, width: usize) -> Field {
        fn in_space<V: Copy + Default>(values: &[V]) -> Vec<V> {
            let rows = values.chunks_exact(2);
            rows.flat_map(|row| [row[0], row[1], V::default()])
                .collect()
        }
        let (components, values): (usize, FieldValues) = match self {
            Data::F64(values) if width == 2 => (3, in_space(&values).into()),
            Data::I32(values) if width == 2 => (3, in_space(&values).into()),
            Data::F64(values) => (width, values.into()),
            Data::U64(values) => (width, values.into()),
            Data::U32(values) => (width, values.into()),
            Data::I32(values) => (width, values.into()),
            Data::I8(values) => (width, values.into()),
            Data::U8(values) => (width, values.into()),
        };
        Field {
            name: name.into(),
            components,
            values,
        }
    }
}

/// Returns the arrays of a column, each with its name and the number of values in a row. A feature
/// with `heads` has two arrays, its kind and its index. Other features, texts and JSON values have
/// none, all other columns one.
pub(super) fn of<T>(column: &Column<T>, rows: &Rows<T>) -> Vec<(&'static str, usize, Data)> {
    fn one<T, V>(rows: &Rows<T>, get: impl Fn(&T) -> V) -> Vec<V> {
        let mut values = Vec::with_capacity(rows.len());
        rows.each(|row| values.push(get(row)));
        values
    }
    fn many<T, V>(rows: &Rows<T>, width: usize, get: impl Fn(&T, usize) -> V) -> Vec<V> {
        let mut values = Vec::with_capacity(rows.len() * width);
        rows.each(|row| values.extend((0..width).map(|k| get(row, k))));
        values
    }
    let data = match column.get {
        Get::Float(get) => Data::F64(one(rows, get)),
        Get::Vector(width, get) => Data::F64(many(rows, width, get)),
        Get::Count(get) => Data::U64(one(rows, get)),
        Get::Counts(width, get) => Data::U64(many(rows, width, get)),
        Get::Index(get) => Data::U32(one(rows, get)),
        Get::Indices(width, get) => Data::U32(many(rows, width, get)),
        Get::Integers(width, get) => Data::I32(many(rows, width, get)),
        Get::Side(get) => Data::I8(one(rows, get)),
        Get::Code(get, _) => Data::U8(one(rows, get)),
        Get::Flag(get) => Data::U8(one(rows, |row| u8::from(get(row)))),
        Get::Feature(get) => {
            let kinds = Data::U8(one(rows, |row| get(row).kind as u8));
            let indices = Data::U32(one(rows, |row| get(row).index));
            return match column.heads {
                [kind, index] => vec![(*kind, 1, kinds), (*index, 1, indices)],
                _ => Vec::new(),
            };
        }
        Get::Text(_) | Get::Value(..) => return Vec::new(),
    };
    vec![(column.name, column.width(), data)]
}

/// Appends the values of a column in a row as floats; a text becomes one NaN.
pub(super) fn floats<T>(column: &Column<T>, row: &T, values: &mut Vec<f64>) {
    match column.get {
        Get::Float(get) => values.push(get(row)),
        Get::Vector(width, get) => values.extend((0..width).map(|k| get(row, k))),
        Get::Count(get) => values.push(get(row) as f64),
        Get::Counts(width, get) => values.extend((0..width).map(|k| get(row, k) as f64)),
        Get::Index(get) => values.push(get(row).into()),
        Get::Indices(width, get) => values.extend((0..width).map(|k| f64::from(get(row, k)))),
        Get::Integers(width, get) => values.extend((0..width).map(|k| f64::from(get(row, k)))),
        Get::Side(get) => values.push(get(row).into()),
        Get::Code(get, _) => values.push(get(row).into()),
        Get::Flag(get) => values.push(u8::from(get(row)).into()),
        Get::Feature(get) if !column.heads.is_empty() => {
            let feature = get(row);
            values.extend([f64::from(feature.kind as u8), feature.index.into()]);
        }
        Get::Feature(_) | Get::Text(_) | Get::Value(..) => values.push(f64::NAN),
    }
}
