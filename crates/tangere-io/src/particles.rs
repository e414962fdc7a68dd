//! Particles from files and to files: a centre and a radius each.

use crate::error::{Error, Fault, Place, Result};
use crate::table::{Table, read_table, write_table};
use std::path::Path;
use tangere::shape::Spheres;

/// Discs or spheres.
#[derive(Clone, Debug, PartialEq)]
pub enum Particles {
    /// In the plane.
    Discs(Spheres<2>),
    /// In space.
    Spheres(Spheres<3>),
}

const NAMES: [&str; 4] = ["x", "y", "z", "radius"];

/// Reads particles from a table, as [`read_table`] does.
///
/// A row is a particle: its centre, then its radius; 3 columns are discs, 4 are
/// spheres. Where columns have names, `x`, `y`, `z` (missing for discs) and
/// `radius` (or `r`) are taken in whatever order they stand, and others are
/// passed over. The points of `.vtp` and `.vtu` need the field `radius`, and are
/// spheres.
pub fn read_particles(path: impl AsRef<Path>) -> Result<Particles> {
    let path = path.as_ref();
    let table = read_table(path)?;
    let columns = columns(&table).map_err(|fault| Error::content(path, fault))?;
    match columns[..] {
        [x, y, r] => spheres(&table, [x, y], r).map(Particles::Discs),
        [x, y, z, r] => spheres(&table, [x, y, z], r).map(Particles::Spheres),
        // No rows and no columns, such as an empty text.
        _ => Ok(Particles::Spheres(Spheres::default())),
    }
    .map_err(|source| Error::shape(path, source))
}

/// Which columns are the centre and the radius: 3 or 4, or none of an empty table.
fn columns(table: &Table) -> std::result::Result<Vec<usize>, Fault> {
    let Some(names) = &table.names else {
        return match table.columns {
            3 | 4 => Ok((0..table.columns).collect()),
            0 => Ok(Vec::new()),
            n => Err(Fault::new(
                Place::Part("columns"),
                n,
                "3 (x, y, radius) or 4 (x, y, z, radius)",
            )),
        };
    };
    let radius = table
        .column_named("radius")
        .or_else(|| table.column_named("r"));
    let [x, y, z] = ["x", "y", "z"].map(|name| table.column_named(name));
    match (x, y, radius) {
        (Some(x), Some(y), Some(r)) => Ok([Some(x), Some(y), z, Some(r)]
            .into_iter()
            .flatten()
            .collect()),
        _ => Err(Fault::new(
            Place::Part("columns"),
            names.join(", "),
            "x, y, z (missing for discs) and radius",
        )),
    }
}

fn spheres<const D: usize>(
    table: &Table,
    center: [usize; D],
    radius: usize,
) -> tangere::Result<Spheres<D>> {
    let centers = table.rows().map(|row| center.map(|k| row[k])).collect();
    Spheres::new(centers, table.rows().map(|row| row[radius]).collect())
}

/// Writes particles as a table, as [`write_table`] does; in `.vtp` and `.vtu`
/// discs lie in the plane z = 0.
pub fn write_particles<const D: usize>(
    path: impl AsRef<Path>,
    particles: &Spheres<D>,
) -> Result<()> {
    write_table(path, &particle_table(particles))
}

/// A row of centre and radius for each particle, and the names of the columns.
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
        for ending in ["csv", "tsv", "txt", "dat", "npy", "vtp", "vtu"] {
            let path = folder.path().join(format!("spheres.{ending}"));
            write_particles(&path, &spheres).unwrap();
            let read = read_particles(&path).unwrap();
            assert_eq!(read, Particles::Spheres(spheres.clone()), "{ending}");
        }
        for ending in ["csv", "npy"] {
            let path = folder.path().join(format!("discs.{ending}"));
            write_particles(&path, &discs()).unwrap();
            assert_eq!(read_particles(&path).unwrap(), Particles::Discs(discs()));
        }
    }

    #[test]
    fn names_choose_columns() {
        let read = read_text("id,radius,Y,X\n7,0.5,2,1\n9,0.25,-4,3\n").unwrap();
        let expected = Spheres::new(vec![[1.0, 2.0], [3.0, -4.0]], vec![0.5, 0.25]).unwrap();
        assert_eq!(read, Particles::Discs(expected));
    }

    #[test]
    fn wrong_columns_and_values_are_named() {
        for (text, part) in [
            ("1 2\n", "columns: found 2, expected 3"),
            ("1 2 3 4 5\n", "columns: found 5, expected 3"),
            (
                "x,y,mass\n1,2,3\n",
                "columns: found x, y, mass, expected x, y",
            ),
            ("1 2 3 4\n1 2 3 -4\n", "radius 1: found -4"),
            ("1 2 3 4\n1 1e99 3 4\n", "centre 1: found [1.0, 1e99, 3.0]"),
        ] {
            let message = read_text(text).unwrap_err();
            assert!(message.contains(part), "{text:?}: {message}");
        }
        let error = read_particles("particles.xyz").unwrap_err().to_string();
        assert!(error.contains("unknown format"), "{error}");
    }
}
