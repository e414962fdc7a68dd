//! Rows as structured arrays, in NPY files and in the memory of NumPy.
//!
//! Both lie as C would have them, NumPy's `align=True`.

use super::{Column, Data, Get, Rows, data};
use std::path::Path;
use tangere_io::{NpyData, NpyField, write_npy, write_npy_rows};

pub(super) fn write(
    path: &Path,
    count: usize,
    columns: &[(&'static str, usize, Data)],
) -> tangere_io::Result<()> {
    match columns {
        [(_, 1, data)] => return write_npy(path, &[count], data.npy()),
        [(_, each, data)] => return write_npy(path, &[count, *each], data.npy()),
        _ => {}
    }
    let fields: Vec<NpyField> = (columns.iter())
        .map(|(name, each, data)| NpyField {
            name,
            data: data.npy(),
            each: *each,
        })
        .collect();
    write_npy_rows(path, count, &fields)
}

/// Writes all columns side by side as one array of two axes: of unsigned integers of 4 bytes where
/// all columns are indices, else of floats of 8 bytes.
pub(super) fn write_matrix<T>(
    path: &Path,
    columns: &[Column<T>],
    rows: &Rows<T>,
) -> tangere_io::Result<()> {
    let width: usize = columns.iter().map(Column::width).sum();
    let shape = [rows.len(), width];
    let is_index = |column: &Column<T>| matches!(column.get, Get::Index(_) | Get::Indices(..));
    if columns.iter().all(is_index) {
        let mut values: Vec<u32> = Vec::with_capacity(width * rows.len());
        rows.each(|row| {
            for column in columns {
                match column.get {
                    Get::Index(get) => values.push(get(row)),
                    Get::Indices(n, get) => values.extend((0..n).map(|k| get(row, k))),
                    _ => {}
                }
            }
        });
        return write_npy(path, &shape, NpyData::U32(&values));
    }
    let mut values: Vec<f64> = Vec::with_capacity(width * rows.len());
    rows.each(|row| {
        for column in columns {
            data::floats(column, row, &mut values);
        }
    });
    write_npy(path, &shape, NpyData::F64(&values))
}

/// A field of a structured array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedField {
    /// Its name.
    pub name: &'static str,
    /// Its type as NumPy writes it: `f8`, `3f8`.
    pub format: String,
    /// Where it begins in a row, in bytes.
    pub offset: usize,
}

/// Rows side by side in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The fields of a row.
    pub fields: Vec<PackedField>,
    /// The bytes of a row.
    pub size: usize,
    /// How many rows there are.
    pub count: usize,
    /// Their memory, which is aligned for every field; the last word may be filled up.
    pub words: Vec<u64>,
}

/// One value of a column: the name of its array, its type, bytes and place in the column.
struct Part {
    name: &'static str,
    kind: &'static str,
    size: usize,
    width: usize,
}

fn parts<T>(column: &Column<T>) -> Vec<Part> {
    let part = |name, kind, size, width| Part {
        name,
        kind,
        size,
        width,
    };
    let (kind, size) = match column.get {
        Get::Float(_) | Get::Vector(..) => ("f8", 8),
        Get::Count(_) | Get::Counts(..) => ("u8", 8),
        Get::Index(_) | Get::Indices(..) => ("u4", 4),
        Get::Integers(..) => ("i4", 4),
        Get::Side(_) => ("i1", 1),
        Get::Code(..) | Get::Flag(_) => ("u1", 1),
        Get::Feature(_) => {
            return match column.heads {
                [kind, index] => vec![part(*kind, "u1", 1, 1), part(*index, "u4", 4, 1)],
                _ => Vec::new(),
            };
        }
        Get::Text(_) | Get::Value(..) => return Vec::new(),
    };
    vec![part(column.name, kind, size, column.width())]
}

pub(super) fn packed<T>(columns: &[Column<T>], rows: &Rows<T>) -> Packed {
    let (mut fields, mut offsets) = (Vec::new(), Vec::new());
    let (mut end, mut widest) = (0_usize, 1);
    for column in columns {
        let mut of_column = Vec::new();
        for part in parts(column) {
            let offset = end.next_multiple_of(part.size);
            end = offset + part.size * part.width;
            widest = widest.max(part.size);
            of_column.push(offset);
            fields.push(PackedField {
                name: part.name,
                format: match part.width {
                    1 => part.kind.to_owned(),
                    n => format!("{n}{}", part.kind),
                },
                offset,
            });
        }
        offsets.push(of_column);
    }
    let size = end.next_multiple_of(widest);
    let count = rows.len();
    let mut words = vec![0_u64; (size * count).div_ceil(8)];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
    for (column, offsets) in columns.iter().zip(&offsets) {
        if let [offset, ..] = offsets[..] {
            let second = offsets.get(1).copied().unwrap_or(offset);
            fill(column, rows, bytes, size, [offset, second]);
        }
    }
    Packed {
        fields,
        size,
        count,
        words,
    }
}

/// Writes the values of a column to their places in all rows.
fn fill<T>(
    column: &Column<T>,
    rows: &Rows<T>,
    bytes: &mut [u8],
    size: usize,
    [offset, second]: [usize; 2],
) {
    let mut start = 0;
    rows.each(|row| {
        let mut put = |at: usize, value: &[u8]| {
            bytes[start + at..start + at + value.len()].copy_from_slice(value);
        };
        match column.get {
            Get::Float(get) => put(offset, &get(row).to_ne_bytes()),
            Get::Vector(width, get) => {
                (0..width).for_each(|k| put(offset + 8 * k, &get(row, k).to_ne_bytes()));
            }
            Get::Count(get) => put(offset, &get(row).to_ne_bytes()),
            Get::Counts(width, get) => {
                (0..width).for_each(|k| put(offset + 8 * k, &get(row, k).to_ne_bytes()));
            }
            Get::Index(get) => put(offset, &get(row).to_ne_bytes()),
            Get::Indices(width, get) => {
                (0..width).for_each(|k| put(offset + 4 * k, &get(row, k).to_ne_bytes()));
            }
            Get::Integers(width, get) => {
                (0..width).for_each(|k| put(offset + 4 * k, &get(row, k).to_ne_bytes()));
            }
            Get::Side(get) => put(offset, &get(row).to_ne_bytes()),
            Get::Code(get, _) => put(offset, &[get(row)]),
            Get::Flag(get) => put(offset, &[u8::from(get(row))]),
            Get::Feature(get) => {
                let feature = get(row);
                put(offset, &[feature.kind as u8]);
                put(second, &feature.index.to_ne_bytes());
            }
            Get::Text(_) | Get::Value(..) => {}
        }
        start += size;
    });
}
