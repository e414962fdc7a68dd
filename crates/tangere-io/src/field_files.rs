//! Writers of fields: one as an NPY array, several as the columns of a text.

use crate::atomic::write_atomically;
use crate::csv;
use crate::error::{Error, Result};
use crate::particle_fields::columns;
use crate::table::{Table, write_npy_through};
use crate::vtk::{Field, FieldValues};
use std::path::Path;
use tangere::Argument;

/// Writes a field as an NPY array in its own type, whatever the file extension. The axes are those
/// of `shape`, in C order; they have a value for each number of the field.
///
/// # Errors
/// When the shape has another number of values, or the file cannot be written.
pub fn write_field_npy(path: impl AsRef<Path>, shape: &[usize], field: &Field) -> Result<()> {
    let (path, values) = (path.as_ref(), &field.values);
    let count = shape
        .iter()
        .try_fold(1, |n: usize, &axis| n.checked_mul(axis));
    if count != Some(values.len()) {
        let found = format!("{shape:?} for {} values", values.len());
        let source = tangere::Error::argument(Argument::Shape, found, "as many values");
        return Err(Error::shape(path, source));
    }
    let kind = match values {
        FieldValues::F64(_) => "<f8",
        FieldValues::F32(_) => "<f4",
        FieldValues::I64(_) => "<i8",
        FieldValues::I32(_) => "<i4",
        FieldValues::I16(_) => "<i2",
        FieldValues::I8(_) => "|i1",
        FieldValues::U64(_) => "<u8",
        FieldValues::U32(_) => "<u4",
        FieldValues::U16(_) => "<u2",
        FieldValues::U8(_) => "|u1",
    };
    write_npy_through(path, &format!("'{kind}'"), shape, |out| values.write(out))
}

/// Writes fields as the columns of a text, with their names in the first line: tabs separate them in
/// `.tsv` files, else commas. Columns of several components are named as by
/// [`write_particles_with`](crate::write_particles_with). Numbers that are not finite are `NaN` and
/// `inf`.
///
/// # Errors
/// When two columns have the same name, fields have different numbers of rows, or the file cannot be
/// written.
pub fn write_columns(path: impl AsRef<Path>, fields: &[Field]) -> Result<()> {
    let path = path.as_ref();
    let rows = |field: &Field| field.values.len() / field.components.max(1);
    let count = fields.first().map_or(0, rows);
    let refused = |found: String, expected: String| {
        let source = tangere::Error::argument(Argument::Other("columns"), found, expected);
        Err(Error::shape(path, source))
    };
    if let Some(field) = fields.iter().find(|field| rows(field) != count) {
        let found = format!("{} rows in {:?}", rows(field), field.name);
        return refused(found, format!("{count}, as in the first"));
    }
    let names: Vec<String> = fields.iter().flat_map(columns).collect();
    let is_twice = |(i, name): (usize, &String)| names[..i].contains(name);
    if let Some(i) = (0..names.len()).find(|&i| is_twice((i, &names[i]))) {
        return refused(format!("{:?} twice", names[i]), "each name once".into());
    }
    // The rows of a table without columns of its own are those of the fields.
    let table = Table {
        columns: 0,
        values: Vec::new(),
        names: Some(names),
    };
    let separator = csv::separator_of(path);
    write_atomically(path, |out| {
        csv::write_rows(out, &table, count, fields, separator)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let sides = Field::scalar("side", vec![-1_i8, 0, 1, 1, 0, -1]);
        write_field_npy(&path, &[3, 1, 2], &sides).unwrap();
        let read = crate::read_array(&path).unwrap();
        assert_eq!(read.shape, [3, 1, 2]);
        assert_eq!(read.values, [-1.0, 0.0, 1.0, 1.0, 0.0, -1.0]);
        assert!(write_field_npy(&path, &[3, 3], &sides).is_err());
        let path = folder.path().join("a.csv");
        let fields = [
            Field::scalar("id", vec![i64::MAX, -1]),
            Field::vector(
                "point",
                vec![[0.5, f64::NAN, 1.0], [2.0, 3.0, f64::INFINITY]],
            ),
        ];
        write_columns(&path, &fields).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = "id,point_x,point_y,point_z\n9223372036854775807,0.5,NaN,1\n-1,2,3,inf\n";
        assert_eq!(text, expected);
        let short = Field::scalar("m", vec![1.0]);
        for wrong in [
            [fields[0].clone(), short],
            [fields[0].clone(), fields[0].clone()],
        ] {
            assert!(write_columns(&path, &wrong).is_err());
        }
    }
}
