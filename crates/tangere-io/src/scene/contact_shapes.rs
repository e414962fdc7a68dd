//! Creates the shapes of a scene for contacts: exact solids, meshes as solids or walls, compounds.
//!
//! | description | shape |
//! |---|---|
//! | `ball`, `sphere` without `level`, `box`, `capsule`, `half_space` | exact |
//! | `convex`, `hull` | convex polyhedron |
//! | other generators and files | mesh: a solid if it is closed, or a wall |
//! | `compound` | all of them |

use super::SceneFile;
use super::make_shapes::MadeShape;
use super::shape::{SceneShape, ShapeSource};
use crate::error::Result;
use crate::mesh::read_mesh;
use tangere::geometry::{Pose, Similarity};
use tangere::scene::Shape;
use tangere::shape::{ConvexPolyhedron, TriMesh};
use tangere::{Argument, generate};

impl SceneFile {
    /// Creates all shapes of the scene for contacts, each once, in the order of
    /// [`SceneFile::shapes`].
    ///
    /// # Errors
    /// When a file cannot be read, a shape is not valid, a surface is open and no wall, or the
    /// calling program provides the shape.
    pub fn make_contact_shapes(&self) -> Result<Vec<Shape>> {
        let shapes = self.shapes.iter();
        shapes.map(|shape| self.contact_shape(shape, 1.0)).collect()
    }

    /// Creates a shape that a compound scales by `scale`.
    fn contact_shape(&self, shape: &SceneShape, scale: f64) -> Result<Shape> {
        let scale = scale * shape.scale;
        let fault = |error: tangere::Error| self.error_at(shape.place, error);
        match &shape.source {
            ShapeSource::Ball { radius } => Shape::sphere(scale * radius).map_err(fault),
            ShapeSource::Box { size, .. } => Shape::cuboid(size.map(|x| scale * x)).map_err(fault),
            ShapeSource::Capsule { radius, length } => {
                Shape::capsule(scale * radius, scale * length).map_err(fault)
            }
            ShapeSource::HalfSpace { normal } => Shape::half_space(*normal).map_err(fault),
            ShapeSource::Convex { path } => {
                let hull = self.hull(path, shape.place)?;
                convex(hull.vertices(), scale).map_err(fault)
            }
            ShapeSource::Hull { faces, seed } => {
                let mesh = generate::hull(*faces, *seed).map_err(fault)?;
                convex(mesh.vertices(), scale).map_err(fault)
            }
            ShapeSource::Compound(parts) => {
                let mut shapes = Vec::with_capacity(parts.len());
                for part in parts {
                    let mut numbers = part.pose.to_numbers();
                    numbers[..3].iter_mut().for_each(|x| *x *= scale);
                    let pose = match scale == 1.0 {
                        true => part.pose,
                        false => Pose::from_numbers(&numbers).map_err(fault)?,
                    };
                    shapes.push((self.contact_shape(&part.shape, scale)?, pose));
                }
                Shape::compound(&shapes).map_err(fault)
            }
            _ => {
                let mesh = self.contact_mesh(shape)?;
                let mesh = scaled(mesh, scale).map_err(fault)?;
                match shape.wall {
                    true => Ok(Shape::wall(&mesh)),
                    false => Shape::solid(&mesh).map_err(|error| fault(open_or(error))),
                }
            }
        }
    }

    /// Creates the triangle mesh of a shape, without its scale. Curved faces of a file are cut at
    /// their nodes.
    fn contact_mesh(&self, shape: &SceneShape) -> Result<TriMesh> {
        let plain = SceneShape {
            scale: 1.0,
            ..shape.clone()
        };
        if let ShapeSource::File {
            path,
            surface: None,
        } = &plain.source
        {
            let path = self.file(path, plain.place)?;
            let read = read_mesh(&path).map_err(|error| self.error_at(plain.place, error))?;
            return Ok(read.mesh);
        }
        match self.made(&plain)? {
            MadeShape::Mesh(mesh) => Ok(mesh),
            MadeShape::Faces(_) | MadeShape::Ball(_) => {
                let found = "finite element faces";
                let expected = "triangles: a sphere without `kind`, or a file without `surface`";
                let error = tangere::Error::argument(Argument::Shape, found, expected);
                Err(self.error_at(shape.place, error))
            }
        }
    }
}

/// Adds how an open surface becomes a wall to its error.
fn open_or(error: tangere::Error) -> tangere::Error {
    match error {
        tangere::Error::Surface { report, .. } if !report.closed => tangere::Error::argument(
            Argument::Surface,
            format!("an open one, of {} boundary edges", report.boundary_edges),
            "a closed one, or `wall = true` in the shape",
        ),
        other => other,
    }
}

fn convex(points: &[[f64; 3]], scale: f64) -> tangere::Result<Shape> {
    let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| scale * x)).collect();
    ConvexPolyhedron::hull(&points).map(Shape::convex)
}

fn scaled(mesh: TriMesh, scale: f64) -> tangere::Result<TriMesh> {
    match scale == 1.0 {
        true => Ok(mesh),
        false => mesh.transformed(&Similarity::new(scale, Pose::identity())?),
    }
}
