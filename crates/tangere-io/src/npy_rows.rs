//! NumPy structured arrays (rows of named fields) in NPY files.
//!
//! Fields are aligned as in C (NumPy's `align=True`); padding is written as unnamed fields, so
//! that an array read back has the dtype of one created with `align=True`.

use crate::atomic::write_atomically;
use crate::error::{Error, Result};
use crate::npy::{NpyData, write_header};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use tangere::Argument;

/// A field of all rows.
#[derive(Clone, Copy, Debug)]
pub struct NpyField<'a> {
    /// Its name: letters, digits and `_`.
    pub name: &'a str,
    /// The values of all rows, one row after the other.
    pub data: NpyData<'a>,
    /// How many values a row has: 1 for a number, more for a small array.
    pub each: usize,
}

/// Writes rows of fields in NPY format, regardless of the file extension.
///
/// ```
/// use tangere_io::{NpyData, NpyField, write_npy_rows};
///
/// let folder = tempfile::tempdir()?;
/// let fields = [
///     NpyField { name: "face", data: NpyData::U32(&[7, 9]), each: 1 },
///     NpyField { name: "xi", data: NpyData::F64(&[0.25, 0.5, -1.0, 1.0]), each: 2 },
/// ];
/// write_npy_rows(folder.path().join("rows.npy"), 2, &fields)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a field has not `each` values a row or a name of other characters, or the file cannot be
/// written.
pub fn write_npy_rows(path: impl AsRef<Path>, count: usize, fields: &[NpyField]) -> Result<()> {
    let path = path.as_ref();
    for field in fields {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_named = !field.name.is_empty() && field.name.chars().all(is_letter);
        if !is_named || field.each == 0 || field.each.checked_mul(count) != Some(field.data.len()) {
            let found = format!(
                "{:?} of {} values, {} for each of {count} rows",
                field.name,
                field.data.len(),
                field.each
            );
            let expected = "letters, digits or _, and as many values";
            return Err(Error::shape(
                path,
                tangere::Error::argument(Argument::Other("field"), found, expected),
            ));
        }
    }
    let (description, gaps) = laid_out(fields);
    // The header of version 1 is limited, the shape included.
    if description.len() > 65_000 {
        let found = format!("{} of {} bytes", fields.len(), description.len());
        let error = tangere::Error::argument(
            Argument::Other("fields"),
            found,
            "a description of at most 65000",
        );
        return Err(Error::shape(path, error));
    }
    write_atomically(path, |out| {
        write_header(out, &description, &[count])?;
        let mut row = Vec::new();
        for i in 0..count {
            row.clear();
            for (field, &gap) in fields.iter().zip(&gaps) {
                field.data.append(i * field.each, field.each, &mut row);
                row.extend(std::iter::repeat_n(0, gap));
            }
            out.write_all(&row)?;
        }
        Ok(())
    })
}

/// The fields as NumPy describes them, and the padding bytes after each.
fn laid_out(fields: &[NpyField]) -> (String, Vec<usize>) {
    let sizes = fields.iter().map(|field| field.data.size());
    let widest = sizes.max().unwrap_or(1);
    let mut description = "[".to_owned();
    let mut gaps = Vec::with_capacity(fields.len());
    let mut end = 0_usize;
    for (i, field) in fields.iter().enumerate() {
        let kind = field.data.name();
        // Writing to a String cannot fail.
        let _ = match field.each {
            1 => write!(description, "('{}', '{kind}'), ", field.name),
            n => write!(description, "('{}', '{kind}', ({n},)), ", field.name),
        };
        end += field.data.size() * field.each;
        let next = fields.get(i + 1).map_or(widest, |next| next.data.size());
        let gap = end.next_multiple_of(next) - end;
        if gap > 0 {
            let _ = write!(description, "('', '|V{gap}'), ");
        }
        end += gap;
        gaps.push(gap);
    }
    let description = description.trim_end_matches(", ").to_owned() + "]";
    (description, gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What NumPy writes for `np.dtype([("face", "u4"), ("xi", "2f8"), ("status", "u1")],
    /// align=True)`.
    #[test]
    fn rows_are_those_of_numpy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.npy");
        let fields = [
            NpyField {
                name: "face",
                data: NpyData::U32(&[7, 9]),
                each: 1,
            },
            NpyField {
                name: "xi",
                data: NpyData::F64(&[0.25, 0.5, -1.0, f64::NAN]),
                each: 2,
            },
            NpyField {
                name: "status",
                data: NpyData::U8(&[1, 2]),
                each: 1,
            },
        ];
        write_npy_rows(&path, 2, &fields).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let expected = "{'descr': [('face', '<u4'), ('', '|V4'), ('xi', '<f8', (2,)), \
                        ('status', '|u1'), ('', '|V7')], 'fortran_order': False, 'shape': (2,), }";
        let text = String::from_utf8_lossy(&bytes[10..192]);
        assert_eq!(text.trim_end(), expected);
        let rows = &bytes[192..];
        assert_eq!(rows.len(), 2 * 32);
        assert_eq!(rows[..8], [7, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(rows[8..16], 0.25f64.to_le_bytes());
        assert_eq!(rows[32 + 8..32 + 16], (-1f64).to_le_bytes());
        assert_eq!(rows[32 + 24..], [2, 0, 0, 0, 0, 0, 0, 0]);
        // None at all.
        let none = [NpyField {
            name: "x",
            data: NpyData::F64(&[]),
            each: 3,
        }];
        write_npy_rows(&path, 0, &none).unwrap();
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        assert!(
            text.contains("[('x', '<f8', (3,))]") && text.contains("(0,)"),
            "{text}"
        );
    }

    #[test]
    fn fields_that_do_not_fit_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.npy");
        for (name, each, count) in [("x", 2, 3), ("x", 0, 2), ("", 2, 2), ("a'b", 2, 2)] {
            let data = NpyData::F32(&[0.0; 4]);
            let error = write_npy_rows(&path, count, &[NpyField { name, data, each }]);
            let error = error.unwrap_err().to_string();
            assert!(error.contains("field: found"), "{error}");
        }
        assert!(!path.exists());
    }
}
