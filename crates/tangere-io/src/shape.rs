//! Reader of a surface or particles: the file extension selects which, except in `.vtp` and `.vtu`,
//! where the content does.

use crate::error::{Error, Result};
use crate::format::{MeshFormat, TableFormat, extension};
use crate::mesh::{LoadedMesh, file_bytes, mesh_from_bytes, mesh_from_polygons, parse_mesh};
use crate::particles::{Particles, particles_from_bytes};
use crate::vtk::{Field, PointCloud, xml};
use std::path::Path;
use tangere::Argument;
use tangere::geometry::check_points;
use tangere::shape::Spheres;

/// A surface or particles read from a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A surface.
    Surface(LoadedMesh),
    /// Discs or spheres.
    Particles(LoadedParticles),
    /// Points without radii, of a `.vtp` or `.vtu` file without polygons.
    Points(LoadedPoints),
}

/// Points without radii read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedPoints {
    /// The points and their fields.
    pub cloud: PointCloud,
    /// The format of the file.
    pub format: TableFormat,
}

impl LoadedPoints {
    /// Returns the points as discs or spheres that all have the same radius.
    ///
    /// # Errors
    /// When the radius is not valid.
    pub fn with_radius(self, radius: f64) -> tangere::Result<LoadedParticles> {
        let PointCloud {
            points,
            fields,
            planar,
        } = self.cloud;
        let radii = vec![radius; points.len()];
        let particles = match planar {
            true => {
                let centers = points.iter().map(|&[x, y, _]| [x, y]).collect();
                Particles::Discs(Spheres::new(centers, radii)?)
            }
            false => Particles::Spheres(Spheres::new(points, radii)?),
        };
        Ok(LoadedParticles {
            particles,
            format: self.format,
            unkept: fields.iter().map(|field| field.name.clone()).collect(),
            others: fields,
        })
    }
}

/// Particles read from a file, and the names of ignored content.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedParticles {
    /// The particles.
    pub particles: Particles,
    /// The format of the file.
    pub format: TableFormat,
    /// The columns or fields of the file besides centres and radii.
    pub others: Vec<Field>,
    /// The names of what is in the file besides centres and radii, those of `others` included.
    pub unkept: Vec<String>,
}

/// The format of a file that holds a surface or particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeFormat {
    /// A mesh format, for surfaces; a `vtp` or `vtu` file may hold particles instead.
    Mesh(MeshFormat),
    /// A table format, for particles.
    Table(TableFormat),
}

impl ShapeFormat {
    /// Returns the format of a file by its extension, case-insensitive.
    pub fn of_path(path: impl AsRef<Path>) -> Result<ShapeFormat> {
        let path = path.as_ref();
        let extension = extension(path);
        ShapeFormat::named(&extension).ok_or_else(|| Error::Format {
            path: path.to_owned(),
            found: extension,
            expected:
                "stl, obj, ply, off, vtk, vtp, vtu, msh, mesh, inp, npy, csv, tsv, txt or dat"
                    .into(),
        })
    }

    /// Returns the format with this name, a file extension in lower case; `None` if there is none.
    pub fn named(name: &str) -> Option<ShapeFormat> {
        let mesh = MeshFormat::named(name).map(ShapeFormat::Mesh);
        mesh.or_else(|| TableFormat::named(name).map(ShapeFormat::Table))
    }
}

/// Reads a surface as [`read_mesh`](crate::read_mesh) does, or particles as
/// [`read_particles`](crate::read_particles) does.
///
/// The file extension selects which. In `.vtp` and `.vtu` points with the
/// field `radius` and without polygons are particles, and those without the field points.
pub fn read_shape(path: impl AsRef<Path>) -> Result<Shape> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, ShapeFormat::of_path)?;
    shape_from_bytes(path, bytes, format)
}

/// Parses the content of a file as a surface or particles, as [`read_shape`] does. Errors call the
/// file `name`.
pub fn shape_from_bytes(
    name: impl AsRef<Path>,
    bytes: Vec<u8>,
    format: ShapeFormat,
) -> Result<Shape> {
    let name = name.as_ref();
    let (mesh, table) = match format {
        ShapeFormat::Table(format) => {
            return particles_from_bytes(name, &bytes, format).map(Shape::Particles);
        }
        ShapeFormat::Mesh(format @ MeshFormat::Vtp) => (format, TableFormat::Vtp),
        ShapeFormat::Mesh(format @ MeshFormat::Vtu) => (format, TableFormat::Vtu),
        ShapeFormat::Mesh(format) => {
            return mesh_from_bytes(name, bytes, format).map(Shape::Surface);
        }
    };
    let fault = |fault| Error::content(name, fault);
    let polygons = parse_mesh(&bytes, mesh).map_err(fault)?;
    if polygons.is_empty() {
        let cloud = xml::points(&bytes).map_err(fault)?;
        if cloud.field("radius").is_some() {
            return particles_from_bytes(name, &bytes, table).map(Shape::Particles);
        }
        if !cloud.points.is_empty() {
            let checked = check_points(Argument::Point, &cloud.points);
            checked.map_err(|source| Error::shape(name, source))?;
            let format = table;
            return Ok(Shape::Points(LoadedPoints { cloud, format }));
        }
    }
    drop(bytes);
    mesh_from_polygons(name, polygons, mesh).map(Shape::Surface)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{write_mesh, write_particles};
    use tangere::shape::TriMesh;

    #[test]
    fn content_decides_where_the_extension_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mesh = TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap();
        let discs = Spheres::new(vec![[1.0, 2.0], [0.5, -3.0]], vec![0.1, 0.2]).unwrap();
        for extension in ["vtp", "vtu"] {
            let path = folder.path().join(format!("a.{extension}"));
            write_mesh(&path, &mesh).unwrap();
            let Shape::Surface(read) = read_shape(&path).unwrap() else {
                panic!("{extension} is a surface")
            };
            assert_eq!(read.mesh, mesh);
            write_particles(&path, &discs).unwrap();
            let Shape::Particles(read) = read_shape(&path).unwrap() else {
                panic!("{extension} are particles")
            };
            assert_eq!(read.particles, Particles::Discs(discs.clone()));
            assert_eq!(read.format.name(), extension);
            // Points without radii and without polygons.
            let cloud = PointCloud {
                points: vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
                fields: vec![Field::scalar("id", vec![7_i64, i64::MAX])],
                planar: false,
            };
            crate::write_cloud(&path, &cloud).unwrap();
            let Shape::Points(read) = read_shape(&path).unwrap() else {
                panic!("{extension} are points")
            };
            assert_eq!(read.cloud, cloud);
            let particles = read.with_radius(0.5).unwrap();
            assert_eq!(
                (particles.others, particles.unkept),
                (cloud.fields, vec!["id".into()])
            );
        }
    }

    #[test]
    fn folders_and_unknown_extensions_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = read_shape(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with(": is a folder"), "{error}");
        let error = read_shape("a.xyz").unwrap_err().to_string();
        assert!(error.contains("unknown format \"xyz\""), "{error}");
        let error = crate::read_mesh("a.npy").unwrap_err().to_string();
        assert_eq!(error, "a.npy: npy holds particles, not a surface");
        let error = crate::read_particles("a.stl").unwrap_err().to_string();
        assert!(error.starts_with("a.stl: stl holds a surface, not particles"));
    }
}
