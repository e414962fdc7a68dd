//! Bodies and motions from files.

use crate::failure::Failure;
use crate::files::PointSource;
use std::path::Path;
use tangere::geometry::Pose;
use tangere::shape::{ConvexPolyhedron, TriMesh};
use tangere_io::{Error, Fault, Place, Shape, line_of_row, read_shape, read_table};

/// What a body is made of.
pub enum Given {
    Points(Vec<[f64; 3]>),
    Surface(TriMesh),
}

/// Reads points, or a surface if it is to be taken as it is.
pub fn read(path: &Path, faces: bool) -> Result<Given, Failure> {
    if !faces {
        let source = PointSource {
            path,
            format: None,
            is_planar: false,
        };
        return source.points().map(Given::Points);
    }
    match read_shape(path).map_err(Failure::reading)? {
        Shape::Surface(loaded) => Ok(Given::Surface(loaded.mesh)),
        Shape::Particles(_) => Err(Failure::Input(format!(
            "{}: found particles, expected a surface, as --faces is given",
            path.display()
        ))),
    }
}

impl Given {
    /// The convex body, or why there is none.
    pub fn body(&self, path: &Path) -> Result<ConvexPolyhedron, Failure> {
        let body = match self {
            Given::Points(points) => ConvexPolyhedron::hull(points),
            Given::Surface(mesh) => ConvexPolyhedron::from_mesh(mesh),
        };
        body.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))
    }
}

/// Reads the poses of a motion, one in each row.
pub fn read_poses(path: &Path) -> Result<Vec<Pose>, Failure> {
    let table = read_table(path).map_err(Failure::reading)?;
    let fault = |place, found: &dyn std::fmt::Display, expected: &str| {
        Failure::reading(Error::Content {
            path: path.to_owned(),
            fault: Fault::new(place, found, expected),
        })
    };
    if table.is_empty() {
        return Err(fault(Place::Part("rows"), &0, "a pose at least"));
    }
    if !matches!(table.columns, 3 | 7) {
        return Err(fault(
            Place::Part("columns"),
            &table.columns,
            "3 (tx, ty, tz) or 7 (tx, ty, tz, qw, qx, qy, qz)",
        ));
    }
    let mut poses = Vec::with_capacity(table.len());
    for (i, row) in table.rows().enumerate() {
        let pose = Pose::from_numbers(row).map_err(|error| {
            let is_text = !path
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("npy"));
            // A text that has changed meanwhile is named by its row.
            let line = is_text.then(|| line_of_row(path, &table, i).ok()).flatten();
            let place = match line {
                Some(line) => format!("line {line}"),
                None => format!("row {i}"),
            };
            Failure::Input(format!("{}: {place}: {error}", path.display()))
        })?;
        poses.push(pose);
    }
    Ok(poses)
}
