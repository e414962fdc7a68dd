//! Reading and writing particles: discs or spheres by centre and radius.

use crate::csv::{integer_columns, line_of_row};
use crate::error::{Error, Fault, Place, Result};
use crate::format::TableFormat;
use crate::mesh::file_bytes;
use crate::shape::LoadedParticles;
use crate::table::{LoadedTable, Table, listed_names, table_from_bytes, write_table};
use crate::vtk::{Field, FieldValues};
use std::path::Path;
use tangere::shape::Spheres;

/// Particles: discs in the plane, or spheres in space.
#[derive(Clone, Debug, PartialEq)]
pub enum Particles {
    /// Particles in the plane.
    Discs(Spheres<2>),
    /// Particles in space.
    Spheres(Spheres<3>),
}

const NAMES: [&str; 4] = ["x", "y", "z", "radius"];

/// Reads particles from a table, as [`read_table`](crate::read_table) does.
///
/// A row is a particle: its centre, then its radius; 3 columns are discs, 4 are
/// spheres. Named columns may come in any order and are case-insensitive: `x`,
/// `y`, `z` (missing for discs) and `radius` (or `r`, or `diameter`, which is
/// halved, but only one of them); other columns are ignored. The points of `.vtp` and `.vtu` need the
/// field `radius`; they are discs if the file is marked as planar, as one written
/// from discs is.
pub fn read_particles(path: impl AsRef<Path>) -> Result<Particles> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, TableFormat::of_path)?;
    Ok(particles_from_bytes(path, &bytes, format)?.particles)
}

/// Parses particles from the content of a file. `path` names the file in errors.
pub(crate) fn particles_from_bytes(
    path: &Path,
    bytes: &[u8],
    format: TableFormat,
) -> Result<LoadedParticles> {
    let LoadedTable {
        table,
        fields: mut others,
        mut unkept,
    } = table_from_bytes(path, bytes, format)?;
    let columns = columns(&table).map_err(|fault| Error::content(path, fault))?;
    if let Some(names) = &table.names {
        let taken = |k: &usize| columns.center.contains(k) || columns.radius == *k;
        let free: Vec<usize> = (0..table.columns).filter(|k| !taken(k)).collect();
        let text = (format == TableFormat::Csv).then_some(bytes);
        others.extend(free_columns(&table, &free, text));
        unkept.extend(free.iter().map(|&k| names[k].clone()));
    }
    let particles = match columns.center[..] {
        [x, y] => spheres(&table, [x, y], &columns).map(Particles::Discs),
        [x, y, z] => spheres(&table, [x, y, z], &columns).map(Particles::Spheres),
        // An empty text has no rows and no columns.
        _ => Ok(Particles::Spheres(Spheres::default())),
    };
    let particles = particles.map_err(|source| match source {
        // In a text the line is easier to find than the number of the particle.
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } if format == TableFormat::Csv => {
            let line = line_of_row(bytes, index, table.names.is_some());
            let found = format!("the {what} {found}");
            Error::content(path, Fault::new(Place::Line(line), found, expected))
        }
        source => Error::shape(path, source),
    })?;
    Ok(LoadedParticles {
        particles,
        format,
        others,
        unkept,
    })
}

/// Returns columns of a table with names as fields. In a text, columns whose numbers are all integers
/// are read once more, as integers of 64 bits: as floats they would be rounded beyond 2^53.
fn free_columns(table: &Table, columns: &[usize], text: Option<&[u8]>) -> Vec<Field> {
    let names = table.names.as_deref().unwrap_or_default();
    let is_whole = |&k: &usize| table.rows().all(|row| row[k].fract() == 0.0);
    let mut whole: Vec<usize> = columns.iter().copied().filter(is_whole).collect();
    let mut integers: Vec<(usize, FieldValues)> = Vec::new();
    if let Some(text) = text.filter(|_| !table.is_empty()) {
        let signed = integer_columns::<i64>(text, &whole);
        let found = whole.iter().zip(signed);
        integers.extend(found.filter_map(|(&k, values)| Some((k, values?.into()))));
        whole.retain(|k| integers.iter().all(|(found, _)| found != k));
        let unsigned = integer_columns::<u64>(text, &whole);
        let found = whole.iter().zip(unsigned);
        integers.extend(found.filter_map(|(&k, values)| Some((k, values?.into()))));
    }
    let field = |&k: &usize| match integers.iter().position(|(found, _)| *found == k) {
        Some(i) => Field::scalar(&names[k], integers.swap_remove(i).1),
        None => {
            let values: Vec<f64> = table.rows().map(|row| row[k]).collect();
            Field::scalar(&names[k], values)
        }
    };
    columns.iter().map(field).collect()
}

/// The indices of the columns of a table that contain the centres and the radii of particles. The
/// centre has 2 or 3 columns, or none in an empty table.
struct Columns {
    center: Vec<usize>,
    radius: usize,
    /// Whether the column of index `radius` contains diameters of the particles, which are halved.
    halved: bool,
}

fn columns(table: &Table) -> std::result::Result<Columns, Fault> {
    let Some(names) = &table.names else {
        return match table.columns {
            n @ (0 | 3 | 4) => Ok(Columns {
                center: (0..n.saturating_sub(1)).collect(),
                radius: n.saturating_sub(1),
                halved: false,
            }),
            n => Err(Fault::new(
                Place::Part("columns"),
                n,
                "3 (x, y, radius) or 4 (x, y, z, radius)",
            )),
        };
    };
    let size = table.size_column()?;
    let [x, y, z] = ["x", "y", "z"].map(|name| table.column_named(name));
    match (x, y, size) {
        (Some(x), Some(y), Some((radius, halved))) => Ok(Columns {
            center: [Some(x), Some(y), z].into_iter().flatten().collect(),
            radius,
            halved,
        }),
        _ => Err(Fault::new(
            Place::Part("columns"),
            listed_names(names),
            "x, y, z (missing for discs) and radius (or r, or diameter)",
        )),
    }
}

fn spheres<const D: usize>(
    table: &Table,
    center: [usize; D],
    columns: &Columns,
) -> tangere::Result<Spheres<D>> {
    let centers = table.rows().map(|row| center.map(|k| row[k])).collect();
    let unit = if columns.halved { 0.5 } else { 1.0 };
    let radii = table.rows().map(|row| unit * row[columns.radius]);
    Spheres::new(centers, radii.collect())
}

/// Writes particles as a table, as [`write_table`] does. In `.vtp` and `.vtu` files discs lie in
/// the plane z = 0, and the file is marked as planar, so that they read back as discs.
pub fn write_particles<const D: usize>(
    path: impl AsRef<Path>,
    particles: &Spheres<D>,
) -> Result<()> {
    write_table(path, &particle_table(particles))
}

/// Returns particles as a table with named columns: a row of centre and radius for each.
pub fn particle_table<const D: usize>(particles: &Spheres<D>) -> Table {
    let rows = particles.centers().iter().zip(particles.radii());
    let names = NAMES[..3].iter().take(D).chain(&NAMES[3..]);
    Table {
        columns: D + 1,
        values: rows
            .flat_map(|(center, &radius)| center.iter().copied().chain([radius]))
            .collect(),
        names: Some(names.map(|&name| name.to_owned()).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn discs() -> Spheres<2> {
        Spheres::new(vec![[1.0, 2.0], [0.1, -4.0]], vec![0.5, 1.0 / 3.0]).unwrap()
    }

    fn read_text(text: &str) -> std::result::Result<Particles, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("particles.csv");
        fs::write(&path, text).unwrap();
        read_particles(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let spheres = Spheres::new(vec![[1.0, 2.0, 0.1]], vec![1.0 / 3.0]).unwrap();
        for extension in ["csv", "tsv", "txt", "dat", "npy", "vtp", "vtu"] {
            let path = folder.path().join(format!("spheres.{extension}"));
            write_particles(&path, &spheres).unwrap();
            let read = read_particles(&path).unwrap();
            assert_eq!(read, Particles::Spheres(spheres.clone()), "{extension}");
        }
        for extension in ["csv", "npy", "vtp", "vtu"] {
            let path = folder.path().join(format!("discs.{extension}"));
            write_particles(&path, &discs()).unwrap();
            assert_eq!(read_particles(&path).unwrap(), Particles::Discs(discs()));
        }
    }

    #[test]
    fn names_choose_columns() {
        let read = read_text("id,radius,Y,X\n7,0.5,2,1\n9,0.25,-4,3\n").unwrap();
        let expected = Spheres::new(vec![[1.0, 2.0], [3.0, -4.0]], vec![0.5, 0.25]).unwrap();
        assert_eq!(read, Particles::Discs(expected.clone()));
        for names in ["X,Y,R", "x,y,Radius"] {
            let read = read_text(&format!("{names}\n1,2,0.5\n3,-4,0.25\n")).unwrap();
            assert_eq!(read, Particles::Discs(expected.clone()));
        }
        let read = read_text("x,y,diameter\n1,2,1\n3,-4,0.5\n").unwrap();
        assert_eq!(read, Particles::Discs(expected));
    }

    #[test]
    fn wrong_columns_and_values_are_named() {
        for (text, part) in [
            ("1 2\n", "columns: found 2, expected 3"),
            ("1 2 3 4 5\n", "columns: found 5, expected 3"),
            (
                "diameter,x,y,r\n9,1,2,0.5\n",
                "columns: found r and diameter, expected one column of sizes",
            ),
            (
                "x,y,mass\n1,2,3\n",
                "columns: found x, y, mass, expected x, y",
            ),
            ("1 2 3 4\n1 2 3 -4\n", "line 2: found the radius -4"),
            (
                "x,y,r\n\n# a comment\n1,2,3\n\n1,2,-4\n",
                "line 6: found the radius -4",
            ),
            ("x,y,diameter\n1,2,-4\n", "line 2: found the radius -2"),
            (
                "1 2 3 4\n1 1e99 3 4\n",
                "line 2: found the centre [1.0, 1e99, 3.0]",
            ),
        ] {
            let message = read_text(text).unwrap_err();
            assert!(message.contains(part), "{text:?}: {message}");
        }
        let error = read_particles("particles.xyz").unwrap_err().to_string();
        assert!(error.contains("unknown format"), "{error}");
    }
}
