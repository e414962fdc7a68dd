//! Particles with data: a number or a vector for each, besides centre and radius.

use crate::atomic::write_atomically;
use crate::csv;
use crate::error::{Error, Result};
use crate::format::TableFormat;
use crate::particles::{particle_table, write_particles};
use crate::table::{Table, write_points};
use crate::vtk::{Field, PointCloud};
use std::io;
use std::path::Path;
use tangere::Argument;
use tangere::shape::Spheres;

/// The columns of particles, which are no names of data.
const TAKEN: [&str; 6] = ["x", "y", "z", "radius", "r", "diameter"];

/// Integers up to 2^53 are exact in a text, whose numbers are read as f64.
const EXACT: f64 = (1_u64 << 53) as f64;

/// Writes particles as [`write_particles`] does, with data: `components` numbers for each particle.
///
/// In `.vtp` and `.vtu` files data are fields of the points, in texts columns after the radius; the
/// columns of a field of several components are named `v_x`, `v_y` and `v_z`, or `v_0`, `v_1` and so
/// on if there are more than 3.
///
/// # Errors
/// When a field has no number for each particle, or a name that is empty, taken (`x`, `y`, `z`,
/// `radius`, `r`, `diameter`, another field's) or has control characters; when a text cannot hold a
/// number: one that is not finite, or an integer beyond 2^53. `.npy` files hold no names, and
/// therefore no data.
pub fn write_particles_with<const D: usize>(
    path: impl AsRef<Path>,
    particles: &Spheres<D>,
    fields: &[Field],
) -> Result<()> {
    let path = path.as_ref();
    let format = TableFormat::of_path(path)?;
    if fields.is_empty() {
        return write_particles(path, particles);
    }
    let refused = |source| Error::shape(path, source);
    check(fields, particles.len(), format).map_err(refused)?;
    match format {
        TableFormat::Npy => Err(crate::format::unfit(
            path,
            "holds no names, and therefore no data; expected csv, vtp or vtu",
        )),
        TableFormat::Csv => {
            let table = joined(particle_table(particles), fields);
            write_atomically(path, |out| csv::write(out, &table))
        }
        TableFormat::Vtp | TableFormat::Vtu => {
            let mut all = vec![Field::scalar("radius", particles.radii())];
            all.extend_from_slice(fields);
            let point = |c: &[f64; D]| std::array::from_fn(|k| c.get(k).copied().unwrap_or(0.0));
            let cloud = PointCloud {
                points: particles.centers().iter().map(point).collect(),
                fields: all,
                planar: D == 2,
            };
            write_points(path, format, cloud)
        }
    }
}

/// Writes particles with data as CSV, as [`write_particles_with`] does.
pub fn particles_as_csv<const D: usize>(
    out: &mut dyn io::Write,
    particles: &Spheres<D>,
    fields: &[Field],
) -> io::Result<()> {
    let checked = check(fields, particles.len(), TableFormat::Csv);
    checked.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))?;
    let mut out = out;
    csv::write(&mut out, &joined(particle_table(particles), fields))
}

/// Returns the fields that a file of the format can hold for particles, and the names of the others.
pub fn kept_fields(fields: Vec<Field>, format: TableFormat) -> (Vec<Field>, Vec<String>) {
    let (mut kept, mut unkept) = (Vec::new(), Vec::new());
    for field in fields {
        let count = field.values.len() / field.components.max(1);
        let is_kept = format != TableFormat::Npy;
        kept.push(field);
        if !is_kept || check(&kept, count, format).is_err() {
            unkept.extend(kept.pop().map(|field| field.name));
        }
    }
    (kept, unkept)
}

fn check(fields: &[Field], count: usize, format: TableFormat) -> tangere::Result<()> {
    let mut names: Vec<String> = Vec::new();
    for (i, field) in fields.iter().enumerate() {
        let refused = |found: String, expected: String| {
            Err(tangere::Error::item(
                Argument::Other("data"),
                i,
                found,
                expected,
            ))
        };
        let name = &field.name;
        let is_taken = |name: &str| {
            let others = TAKEN.into_iter().chain(names.iter().map(String::as_str));
            others
                .into_iter()
                .any(|other| other.eq_ignore_ascii_case(name))
        };
        if name.is_empty() || name.chars().any(char::is_control) || is_taken(name) {
            let expected = "a name of its own, without control characters, other than x, y, z, \
                            radius, r and diameter";
            return refused(format!("the name {name:?}"), expected.into());
        }
        if field.components == 0 || field.values.len() != count * field.components {
            let found = format!("{} numbers in {name:?}", field.values.len());
            return refused(found, format!("as many for each of the {count} particles"));
        }
        if format == TableFormat::Csv {
            let invalid = |x: &f64| !x.is_finite() || (x.abs() > EXACT && is_integral(field));
            if let Some(x) = field.values.to_f64().iter().find(|x| invalid(x)) {
                let expected = "finite numbers and integers up to 2^53 in a text";
                return refused(format!("{x} in {name:?}"), expected.into());
            }
        }
        names.extend(columns(field));
        names.push(name.clone());
    }
    Ok(())
}

fn is_integral(field: &Field) -> bool {
    use crate::vtk::FieldValues::{I64, U64};
    matches!(field.values, I64(_) | U64(_))
}

/// Returns the names of the columns of a field in a text.
fn columns(field: &Field) -> Vec<String> {
    let name = &field.name;
    match field.components {
        1 => vec![name.clone()],
        n @ (2 | 3) => ["x", "y", "z"][..n]
            .iter()
            .map(|axis| format!("{name}_{axis}"))
            .collect(),
        n => (0..n).map(|k| format!("{name}_{k}")).collect(),
    }
}

/// Returns the table with the fields as more columns.
fn joined(mut table: Table, fields: &[Field]) -> Table {
    let values: Vec<_> = fields.iter().map(|field| field.values.to_f64()).collect();
    let rows = table.rows().enumerate();
    let rows = rows.flat_map(|(i, row)| {
        let more = fields.iter().zip(&values).flat_map(move |(field, values)| {
            let start = i * field.components;
            values[start..start + field.components].iter().copied()
        });
        row.iter().copied().chain(more)
    });
    let values = rows.collect();
    table.values = values;
    table.columns += fields.iter().map(|field| field.components).sum::<usize>();
    let names = fields.iter().flat_map(columns);
    table.names.get_or_insert_default().extend(names);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Particles, Shape, read_particles, read_shape};

    fn spheres() -> Spheres<3> {
        Spheres::new(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], vec![0.5, 0.25]).unwrap()
    }

    fn data() -> Vec<Field> {
        vec![
            Field::scalar("id", vec![7_i64, 9]),
            Field::vector("v", vec![[0.5, 0.0, -1.0], [1.0, 2.0, 3.0]]),
        ]
    }

    #[test]
    fn data_read_back() {
        let folder = tempfile::tempdir().unwrap();
        for extension in ["csv", "vtp", "vtu"] {
            let path = folder.path().join(format!("a.{extension}"));
            write_particles_with(&path, &spheres(), &data()).unwrap();
            assert_eq!(
                read_particles(&path).unwrap(),
                Particles::Spheres(spheres())
            );
            let Shape::Particles(read) = read_shape(&path).unwrap() else {
                panic!("particles")
            };
            if extension == "csv" {
                let names: Vec<&str> = read.others.iter().map(|f| f.name.as_str()).collect();
                assert_eq!(names, ["id", "v_x", "v_y", "v_z"]);
                assert_eq!(read.others[3].values.to_f64()[..], [-1.0, 3.0]);
            } else {
                assert_eq!(read.others, data());
            }
        }
        let error = write_particles_with(folder.path().join("a.npy"), &spheres(), &data());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("npy holds no names"), "{error}");
    }

    #[test]
    fn wrong_data_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        for (field, words) in [
            (
                Field::scalar("X", vec![1.0, 2.0]),
                "data 0: found the name \"X\"",
            ),
            (Field::scalar("", vec![1.0, 2.0]), "found the name \"\""),
            (Field::scalar("a\nb", vec![1.0, 2.0]), "found the name"),
            (Field::scalar("m", vec![1.0]), "found 1 numbers in \"m\""),
            (
                Field::scalar("m", vec![1.0, f64::NAN]),
                "found NaN in \"m\"",
            ),
            (Field::scalar("m", vec![1, i64::MAX]), "up to 2^53"),
        ] {
            let error = write_particles_with(&path, &spheres(), &[field]);
            let error = error.unwrap_err().to_string();
            assert!(error.contains(words), "{words}: {error}");
        }
        let twice = [data(), data()].concat();
        assert!(write_particles_with(&path, &spheres(), &twice).is_err());
        assert!(!path.exists());
        let (kept, unkept) = kept_fields(twice, TableFormat::Vtp);
        assert_eq!((kept, unkept), (data(), vec!["id".into(), "v".into()]));
        let (kept, unkept) = kept_fields(data(), TableFormat::Npy);
        assert_eq!((kept.len(), unkept.len()), (0, 2));
    }
}
