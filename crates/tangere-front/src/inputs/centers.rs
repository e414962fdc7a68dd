//! Reader of centres of particles that all have the same radius.

use super::{Frame, content, refused};
use std::path::Path;
use tangere::shape::Spheres;
use tangere_io::{Error, Fault, Particles, Place, Result, listed_names, read_table};

/// The end of errors about files of particles without radii.
pub const RADIUS_HINT: &str = "; --radius R gives all the same one";

/// Returns an error about the columns of a file with a hint at the option that gives a radius.
pub fn hinted(error: Error) -> Error {
    match error {
        Error::Content { path, mut fault } if fault.place == Place::Part("columns") => {
            fault.expected += RADIUS_HINT;
            Error::Content { path, fault }
        }
        other => other,
    }
}

/// Reads the centres of particles from a text, an NPY array of two axes or points of a VTK file.
/// Other named columns are ignored.
pub fn read(path: &Path, radius: f64) -> Result<Frame> {
    let table = read_table(path)?;
    let columns: Vec<usize> = match &table.names {
        None => (0..dimension(path, table.columns)?).collect(),
        Some(names) => match ["x", "y", "z"].map(|name| table.column_named(name)) {
            [Some(x), Some(y), z] => [Some(x), Some(y), z].into_iter().flatten().collect(),
            _ => {
                let expected = "x, y, z (missing for discs)";
                return Err(refused(path, "columns", listed_names(names), expected));
            }
        },
    };
    let rows = table.rows();
    let particles = match columns[..] {
        [x, y] => {
            let centers = rows.map(|row| [row[x], row[y]]).collect();
            spheres(centers, radius).map(Particles::Discs)
        }
        [x, y, z] => {
            let centers = rows.map(|row| [row[x], row[y], row[z]]).collect();
            spheres(centers, radius).map(Particles::Spheres)
        }
        _ => Ok(Particles::Spheres(Spheres::default())),
    };
    let particles = particles.map_err(|error| match error {
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => {
            let found = format!("the {what} {found}");
            content(path, Fault::new(Place::Item("row", index), found, expected))
        }
        source => Error::Shape {
            path: path.to_owned(),
            source,
        },
    });
    particles.map(Frame::from)
}

/// Returns the dimension of centres without names by their number of coordinates.
pub fn dimension(path: &Path, columns: usize) -> Result<usize> {
    match columns {
        2 | 3 => Ok(columns),
        _ => {
            let expected = "2 (x, y) or 3 (x, y, z), as --radius gives the radius";
            Err(refused(path, "columns", columns, expected))
        }
    }
}

fn spheres<const D: usize>(centers: Vec<[f64; D]>, radius: f64) -> tangere::Result<Spheres<D>> {
    let radii = vec![radius; centers.len()];
    Spheres::new(centers, radii)
}
