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

/// Writes particles as [`write_particles`] does, with data: `components` numbers for each particle.
///
/// In `.vtp` and `.vtu` files data are fields of the points, in texts columns after the radius; the
/// columns of a field of several components are named `v_x`, `v_y` and `v_z`, or `v_0`, `v_1` and so
/// on if there are more than 3. Integers are written with all their digits.
///
/// # Errors
/// When a field has no number for each particle, or a name that is empty, taken (`x`, `y`, `z`,
/// `radius`, `r`, `diameter`, another field's) or has control characters; when a number for a text is
/// not finite. `.npy` files hold no names, and therefore no data.
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
            let (table, separator) = (named(particles, fields), csv::separator_of(path));
            write_atomically(path, |out| csv::write(out, &table, fields, separator))
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
    csv::write(&mut out, &named(particles, fields), fields, ",")
}

/// Writes points without radii, with their fields: as points of `.vtp` and `.vtu` files, as columns
/// `x`, `y`, `z` (missing in the plane) and those of the fields in texts; `.npy` files have the
/// coordinates alone.
///
/// # Errors
/// As [`write_particles_with`], but `.npy` files leave fields out.
pub fn write_cloud(path: impl AsRef<Path>, cloud: &PointCloud) -> Result<()> {
    let path = path.as_ref();
    let format = TableFormat::of_path(path)?;
    let refused = |source| Error::shape(path, source);
    check(&cloud.fields, cloud.points.len(), format).map_err(refused)?;
    match format {
        TableFormat::Npy => {
            let table = coordinates(cloud);
            let shape = [table.len(), table.columns];
            crate::table::write_npy(path, &shape, crate::npy::NpyData::F64(&table.values))
        }
        TableFormat::Csv => {
            let (table, separator) = (coordinates(cloud), csv::separator_of(path));
            write_atomically(path, |out| {
                csv::write(out, &table, &cloud.fields, separator)
            })
        }
        TableFormat::Vtp | TableFormat::Vtu => write_points(path, format, cloud.clone()),
    }
}

/// Writes points without radii as CSV, as [`write_cloud`] does.
pub fn cloud_as_csv(out: &mut dyn io::Write, cloud: &PointCloud) -> io::Result<()> {
    let checked = check(&cloud.fields, cloud.points.len(), TableFormat::Csv);
    checked.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))?;
    let mut out = out;
    csv::write(&mut out, &coordinates(cloud), &cloud.fields, ",")
}

/// Returns the table of coordinates, with the names of the columns of the fields after its own.
fn coordinates(cloud: &PointCloud) -> Table {
    let columns = if cloud.planar { 2 } else { 3 };
    let axes = TAKEN[..columns].iter().map(|&axis| axis.to_owned());
    let points = cloud.points.iter();
    Table {
        columns,
        values: points.flat_map(|p| p[..columns].iter().copied()).collect(),
        names: Some(
            axes.chain(cloud.fields.iter().flat_map(self::columns))
                .collect(),
        ),
    }
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
    for field in fields {
        let refused = |found: String, expected: String| {
            let what = Argument::Other("data");
            Err(tangere::Error::argument(what, found, expected))
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
        if format == TableFormat::Csv
            && let Some(x) = field.values.to_f64().iter().find(|x| !x.is_finite())
        {
            let expected = "finite numbers in a text";
            return refused(format!("{x} in {name:?}"), expected.into());
        }
        names.extend(columns(field));
        names.push(name.clone());
    }
    Ok(())
}

/// Returns the names of the columns of a field in a text.
pub(crate) fn columns(field: &Field) -> Vec<String> {
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

/// Returns the table of particles, with the names of the columns of the fields after its own.
fn named<const D: usize>(particles: &Spheres<D>, fields: &[Field]) -> Table {
    let mut table = particle_table(particles);
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
    fn integers_keep_all_digits() {
        let folder = tempfile::tempdir().unwrap();
        let large = (1_i64 << 53) + 1;
        let fields = [
            Field::scalar("id", vec![large, -large]),
            Field::scalar("key", vec![u64::MAX, 0]),
            Field::scalar("count", vec![1_u8, 2]),
            Field::scalar("m", vec![-0.0, 1e300]),
        ];
        let path = folder.path().join("a.tsv");
        write_particles_with(&path, &spheres(), &fields).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(
            text,
            "x\ty\tz\tradius\tid\tkey\tcount\tm\n\
             1\t2\t3\t0.5\t9007199254740993\t18446744073709551615\t1\t-0\n\
             4\t5\t6\t0.25\t-9007199254740993\t0\t2\t1e300\n"
        );
        let Shape::Particles(read) = read_shape(&path).unwrap() else {
            panic!("particles")
        };
        assert_eq!(read.others[..2], fields[..2]);
        assert_eq!(read.others[2], Field::scalar("count", vec![1_i64, 2]));
        // -0 is a float, as an integer has no such sign.
        assert_eq!(read.others[3], fields[3]);
        let mut out = Vec::new();
        particles_as_csv(&mut out, &spheres(), &fields).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), text.replace('\t', ","));
    }

    #[test]
    fn wrong_data_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        for (field, words) in [
            (
                Field::scalar("X", vec![1.0, 2.0]),
                "data: found the name \"X\"",
            ),
            (Field::scalar("", vec![1.0, 2.0]), "found the name \"\""),
            (Field::scalar("a\nb", vec![1.0, 2.0]), "found the name"),
            (Field::scalar("m", vec![1.0]), "found 1 numbers in \"m\""),
            (
                Field::scalar("m", vec![1.0, f64::NAN]),
                "found NaN in \"m\"",
            ),
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
