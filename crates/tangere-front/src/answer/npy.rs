//! Rows of an answer as arrays, in NPY files and in the memory of NumPy.
//!
//! If all columns have one type, the file is a plain array, else a structured array with the
//! alignment of C (NumPy's `align=True`). Files are written in chunks of rows.

use super::{Column, Get, Rows, data};
use std::ops::Range;
use std::path::Path;
use tangere::error::Argument;
use tangere::memory::reserved;
use tangere_io::write_npy_through;

/// Number of rows of an answer that are packed and written at once.
const CHUNK: usize = 4096;

/// A field of a NumPy structured array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedField {
    /// The name of the field in the structured array.
    pub name: &'static str,
    /// The type of the field as NumPy writes it, such as `f8`, or `3f8` for a vector of three.
    pub format: String,
    /// The offset of the field from the start of a row, in bytes.
    pub offset: usize,
}

/// The rows of a NumPy structured array in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The fields of which each row consists.
    pub fields: Vec<PackedField>,
    /// The size of a row in bytes, padding included.
    pub size: usize,
    /// The number of rows of the structured array.
    pub count: usize,
    /// The bytes of all rows of the structured array, one row after another. They are stored as
    /// 64-bit words so that every field is aligned in memory. The last word may end with padding.
    pub words: Vec<u64>,
}

/// Layout of a field of a structured array: its type, the size of a value in bytes, the number of
/// values in a row, and the offset of the first from the start of the row in bytes.
struct Part {
    name: &'static str,
    kind: &'static str,
    size: usize,
    width: usize,
    offset: usize,
}

/// Layout of a row of a structured array in memory.
struct Layout {
    parts: Vec<Part>,
    /// Two byte offsets in a row for each column. For a feature they are the offsets of its kind
    /// and of its index, for any other column the same offset twice.
    offsets: Vec<[usize; 2]>,
    /// The size of a row in bytes, padding included.
    size: usize,
}

impl Layout {
    fn of<T>(columns: &[Column<T>]) -> Self {
        let (mut parts, mut offsets) = (Vec::new(), Vec::new());
        let (mut end, mut widest) = (0_usize, 1);
        for column in columns {
            let mut place = |name, kind, size: usize, width| {
                let offset = end.next_multiple_of(size);
                (end, widest) = (offset + size * width, widest.max(size));
                parts.push(Part {
                    name,
                    kind,
                    size,
                    width,
                    offset,
                });
                offset
            };
            let mut one = |kind, size| [place(column.name, kind, size, column.width()); 2];
            offsets.push(match (column.get, column.heads) {
                (Get::Float(_) | Get::Vector(..), _) => one("f8", 8),
                (Get::Count(_) | Get::Counts(..), _) => one("u8", 8),
                (Get::Index(_) | Get::Indices(..), _) => one("u4", 4),
                (Get::Integers(..), _) => one("i4", 4),
                (Get::Side(_), _) => one("i1", 1),
                (Get::Code(..) | Get::Flag(_), _) => one("u1", 1),
                (Get::Feature(_), [kind, index]) => {
                    [place(kind, "u1", 1, 1), place(index, "u4", 4, 1)]
                }
                // Arrays contain no texts.
                (Get::Feature(_) | Get::Text(_) | Get::Value(..), _) => [0; 2],
            });
        }
        Layout {
            parts,
            offsets,
            size: end.next_multiple_of(widest),
        }
    }

    /// Returns the NumPy type of all fields if they have the same one; `None` if types differ.
    fn plain(&self) -> Option<&'static str> {
        let first = self.parts.first()?.kind;
        let is_same = |part: &Part| part.kind == first;
        self.parts.iter().all(is_same).then_some(first)
    }

    /// Returns the list of fields as the header of an NPY file describes it. Padding is a field
    /// without a name.
    fn described(&self) -> String {
        let ends = self.parts.iter().skip(1).map(|part| part.offset);
        let described = self.parts.iter().zip(ends.chain([self.size]));
        let described = described.map(|(part, next)| {
            let (name, kind) = (part.name, ordered(part.kind));
            let field = match part.width {
                1 => format!("('{name}', '{kind}')"),
                n => format!("('{name}', '{kind}', ({n},))"),
            };
            match next - part.offset - part.size * part.width {
                0 => field,
                gap => format!("{field}, ('', '|V{gap}')"),
            }
        });
        format!("[{}]", described.collect::<Vec<_>>().join(", "))
    }

    /// Replaces the content of the buffer `words` by the rows of `range` in the layout of the NPY
    /// array: the values of each row in turn, with the padding that aligns them. The buffer has
    /// 64-bit words so that its bytes are aligned for every value.
    fn pack<T>(
        &self,
        columns: &[Column<T>],
        rows: &Rows<T>,
        range: Range<usize>,
        words: &mut Vec<u64>,
    ) {
        words.clear();
        words.resize((self.size * range.len()).div_ceil(8), 0);
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(words);
        for (column, &offsets) in columns.iter().zip(&self.offsets) {
            for (k, i) in range.clone().enumerate() {
                let row = &mut bytes[k * self.size..];
                rows.with(i, |item| put(column, item, row, offsets));
            }
        }
    }
}

/// Returns a NumPy type with the sign for the byte order of this machine, such as `<f8` for `f8`.
fn ordered(kind: &str) -> String {
    let order = match kind {
        "i1" | "u1" => '|',
        _ if cfg!(target_endian = "big") => '>',
        _ => '<',
    };
    format!("{order}{kind}")
}

/// Writes the rows of an answer as an NPY file: a plain array if all columns have one type or
/// `as_floats` is set, else a structured one. `axes` are the lengths of the axes of the rows.
pub(super) fn write<T>(
    path: &Path,
    columns: &[Column<T>],
    rows: &Rows<T>,
    axes: Vec<usize>,
    as_floats: bool,
) -> tangere_io::Result<()> {
    let (layout, count) = (Layout::of(columns), rows.len());
    let kind = if as_floats {
        Some("f8")
    } else {
        layout.plain()
    };
    let width: usize = layout.parts.iter().map(|part| part.width).sum();
    let (description, shape) = match (kind, width) {
        (Some(kind), 1) => (format!("'{}'", ordered(kind)), axes),
        (Some(kind), _) => (format!("'{}'", ordered(kind)), [axes, vec![width]].concat()),
        (None, _) => (layout.described(), axes),
    };
    write_npy_through(path, &description, &shape, |out| {
        let (mut words, mut floats) = (Vec::new(), Vec::new());
        for first in (0..count).step_by(CHUNK) {
            let range = first..count.min(first + CHUNK);
            let bytes: &[u8] = match as_floats {
                true => {
                    floats.clear();
                    for i in range {
                        let add =
                            |column| rows.with(i, |row| data::floats(column, row, &mut floats));
                        columns.iter().for_each(add);
                    }
                    bytemuck::cast_slice(&floats)
                }
                false => {
                    let size = layout.size * range.len();
                    layout.pack(columns, rows, range, &mut words);
                    &bytemuck::cast_slice(&words)[..size]
                }
            };
            out.write_all(bytes)?;
        }
        Ok(())
    })
}

pub(super) fn packed<T>(columns: &[Column<T>], rows: &Rows<T>) -> tangere::Result<Packed> {
    let (layout, count) = (Layout::of(columns), rows.len());
    let mut words = reserved((layout.size * count).div_ceil(8), Argument::Items)?;
    layout.pack(columns, rows, 0..count, &mut words);
    let field = |part: &Part| PackedField {
        name: part.name,
        format: match part.width {
            1 => part.kind.to_owned(),
            n => format!("{n}{}", part.kind),
        },
        offset: part.offset,
    };
    Ok(Packed {
        fields: layout.parts.iter().map(field).collect(),
        size: layout.size,
        count,
        words,
    })
}

/// Writes the value of a column into the bytes of a row, at the byte `offset`. A feature has its
/// kind there, and its index at the byte `second`, which other columns do not use.
fn put<T>(column: &Column<T>, item: &T, row: &mut [u8], [offset, second]: [usize; 2]) {
    let mut put = |at: usize, value: &[u8]| row[at..at + value.len()].copy_from_slice(value);
    match column.get {
        Get::Float(get) => put(offset, &get(item).to_ne_bytes()),
        Get::Vector(width, get) => {
            (0..width).for_each(|k| put(offset + 8 * k, &get(item, k).to_ne_bytes()));
        }
        Get::Count(get) => put(offset, &get(item).to_ne_bytes()),
        Get::Counts(width, get) => {
            (0..width).for_each(|k| put(offset + 8 * k, &get(item, k).to_ne_bytes()));
        }
        Get::Index(get) => put(offset, &get(item).to_ne_bytes()),
        Get::Indices(width, get) => {
            (0..width).for_each(|k| put(offset + 4 * k, &get(item, k).to_ne_bytes()));
        }
        Get::Integers(width, get) => {
            (0..width).for_each(|k| put(offset + 4 * k, &get(item, k).to_ne_bytes()));
        }
        Get::Side(get) => put(offset, &get(item).to_ne_bytes()),
        Get::Code(get, _) => put(offset, &[get(item)]),
        Get::Flag(get) => put(offset, &[u8::from(get(item))]),
        Get::Feature(get) if !column.heads.is_empty() => {
            let feature = get(item);
            put(offset, &[feature.kind as u8]);
            put(second, &feature.index.to_ne_bytes());
        }
        Get::Feature(_) | Get::Text(_) | Get::Value(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Table, code, index, vector};
    use super::*;

    struct Row(u32, [f64; 2], u8);

    const COLUMNS: &[Column<Row>] = &[
        index("face", |r: &Row| r.0),
        vector("xi", &["xi", "eta"], |r: &Row, k| r.1[k]),
        code("status", |r: &Row| r.2, |_| "known"),
    ];

    /// The expected bytes are those of NumPy for `np.dtype([("face", "u4"), ("xi", "2f8"),
    /// ("status", "u1")], align=True)`.
    #[test]
    fn rows_are_those_of_numpy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.npy");
        let rows = [Row(7, [0.25, 0.5], 1), Row(9, [-1.0, f64::NAN], 2)];
        let table = Table::new(COLUMNS, &rows);
        table.write_npy(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let expected = "{'descr': [('face', '<u4'), ('', '|V4'), ('xi', '<f8', (2,)), \
                        ('status', '|u1'), ('', '|V7')], 'fortran_order': False, 'shape': (2,), }";
        let text = String::from_utf8_lossy(&bytes[10..192]);
        assert_eq!(text.trim_end(), expected);
        assert_eq!(
            bytes[192..],
            *bytemuck::cast_slice::<u64, u8>(&table.packed().unwrap().words)
        );
        assert_eq!(bytes[192 + 8..192 + 16], 0.25f64.to_le_bytes());
        assert_eq!(bytes[192 + 32 + 24..], [2, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn columns_of_one_type_are_a_plain_array() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.npy");
        let head = |table: Table<Row>| {
            table.write_npy(&path).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            String::from_utf8_lossy(&bytes[10..100]).into_owned()
        };
        // There are more rows than in a chunk.
        let rows = |i: usize| Row(i as u32, [i as f64; 2], 0);
        let count = 2 * CHUNK + 1;
        let made = || Table::made(COLUMNS, count, &rows);
        let plain = head(made().without(&["face", "status"]));
        assert!(
            plain.contains("'<f8'") && plain.contains("(8193, 2)"),
            "{plain}"
        );
        let values = tangere_io::read_array(&path).unwrap().values;
        assert_eq!(values[2 * count - 1], (count - 1) as f64);
        let plain = head(made().without(&["face", "xi"]));
        assert!(
            plain.contains("'|u1'") && plain.contains("(8193,)"),
            "{plain}"
        );
        let floats = head(made().as_floats());
        assert!(
            floats.contains("'<f8'") && floats.contains("(8193, 4)"),
            "{floats}"
        );
        let values = tangere_io::read_array(&path).unwrap().values;
        assert_eq!(values[4 * count - 4..], [8192.0, 8192.0, 8192.0, 0.0]);
        // Those of a grid of 3 x 2731 points.
        let axes = || Some(vec![3, 2731]);
        let plain = head(made().without(&["face", "status"]).shaped(axes()));
        assert!(plain.contains("(3, 2731, 2)"), "{plain}");
        let plain = head(made().without(&["face", "xi"]).shaped(axes()));
        assert!(plain.contains("(3, 2731)"), "{plain}");
    }
}
