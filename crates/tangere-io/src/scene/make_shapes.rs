//! Creates the shapes of a scene, generated or read from files, and reads vertex velocities.

use super::body::VelocitySource;
use super::shape::{SceneShape, ShapeSource};
use super::{SceneBody, SceneFile};
use crate::error::{Cause, Error, Fault, Place, Result};
use crate::faces::{read_faces, read_named_faces};
use crate::format::{TableFormat, unfit};
use crate::mesh::read_mesh;
use crate::points::read_points;
use crate::polygons::Polygons;
use crate::table::{Table, listed_names, read_table};
use std::path::{Path, PathBuf};
use tangere::geometry::{Pose, Similarity};
use tangere::shape::{ConvexPolyhedron, FaceMesh, TriMesh};
use tangere::{Argument, generate};

/// A shape of a scene after it was generated or read from its file.
#[derive(Clone, Debug, PartialEq)]
pub enum MadeShape {
    /// A surface of triangles.
    Mesh(TriMesh),
    /// A surface of finite element faces: a generated sphere for which the scene specifies the
    /// `kind` of its faces, or the surface of a file with quadratic faces.
    Faces(FaceMesh),
    /// A ball of this radius around the origin.
    Ball(f64),
}

impl MadeShape {
    /// Returns the number of vertices or nodes of the shape; 0 for a ball.
    pub fn vertex_count(&self) -> usize {
        match self {
            MadeShape::Mesh(mesh) => mesh.vertices().len(),
            MadeShape::Faces(mesh) => mesh.nodes().len(),
            MadeShape::Ball(_) => 0,
        }
    }

    fn scaled(self, scale: f64) -> tangere::Result<Self> {
        if scale == 1.0 {
            return Ok(self);
        }
        let motion = Similarity::new(scale, Pose::identity())?;
        Ok(match self {
            MadeShape::Mesh(mesh) => MadeShape::Mesh(mesh.transformed(&motion)?),
            MadeShape::Faces(mesh) => MadeShape::Faces(mesh.transformed(&motion)?),
            MadeShape::Ball(radius) => MadeShape::Ball(scale * radius),
        })
    }
}

impl SceneFile {
    /// Creates all shapes of the scene, each once, in the order of [`SceneFile::shapes`].
    ///
    /// # Errors
    /// As [`SceneFile::make_shape`], for the first shape that fails.
    pub fn make_shapes(&self) -> Result<Vec<MadeShape>> {
        self.shapes.iter().map(|shape| self.made(shape)).collect()
    }

    /// Creates the shape with this index in [`SceneFile::shapes`].
    ///
    /// # Errors
    /// When its file cannot be read, it is not a valid shape, or the calling program provides it.
    pub fn make_shape(&self, index: usize) -> Result<MadeShape> {
        match self.shapes.get(index) {
            Some(shape) => self.made(shape),
            None => {
                let expected = format!("a number below {}", self.shapes.len());
                let error = tangere::Error::argument(Argument::Shape, index, expected);
                Err(self.error_at(Place::Part("scene"), error))
            }
        }
    }

    pub(super) fn made(&self, shape: &SceneShape) -> Result<MadeShape> {
        let made = match &shape.source {
            ShapeSource::File { path, surface } => {
                let path = self.file(path, shape.place)?;
                let read = read_surface(&path, surface.as_deref());
                read.map_err(|error| self.error_at(shape.place, error))?
            }
            ShapeSource::Convex { path } => {
                let hull = self.hull(path, shape.place)?.to_mesh();
                let hull = hull.map_err(|error| self.error_at(shape.place, error))?;
                MadeShape::Mesh(hull)
            }
            source => generated(source).map_err(|error| self.error_at(shape.place, error))?,
        };
        let made = made.scaled(shape.scale);
        made.map_err(|error| self.error_at(shape.place, error))
    }

    /// Reads the vertices or points of a file that the scene names at `place`, and returns their
    /// convex hull.
    pub(super) fn hull(&self, path: &Path, place: Place) -> Result<ConvexPolyhedron> {
        let path = self.file(path, place)?;
        let points = read_points(&path).map_err(|error| self.error_at(place, error))?;
        let hull = ConvexPolyhedron::hull(&points);
        hull.map_err(|error| self.error_at(place, Error::shape(&path, error)))
    }

    /// Reads the vertex velocities of a deforming body with `count` vertices from the file that the
    /// scene names.
    ///
    /// # Errors
    /// When the file cannot be read, does not have `count` rows of three finite numbers, or
    /// the body has no velocity file.
    pub fn read_velocities(&self, body: &SceneBody, count: usize) -> Result<Vec<[f64; 3]>> {
        let Some(VelocitySource::File(path)) = &body.vertex_velocities else {
            let what = Argument::Other("vertex_velocities");
            let error = tangere::Error::argument(what, "no file", "velocities from a file");
            return Err(self.error_at(body.place, error));
        };
        read_velocities(&self.file(path, body.place)?, count)
            .map_err(|error| self.error_at(body.place, error))
    }

    /// Returns the path of a file that the scene names at `place`. It is an error if it is a pipe or
    /// a device, which may have no end, or if symbolic links lead out of the folder of a scene file,
    /// unless they are followed.
    pub(super) fn file(&self, path: &Path, place: Place) -> Result<PathBuf> {
        let whole = self.folder.join(path);
        // A folder or a file that does not exist is reported by its reader.
        if let Ok(file) = whole.metadata()
            && !file.is_file()
            && !file.is_dir()
        {
            let error = Error::Kind {
                path: whole,
                found: "a pipe, a socket or a device".into(),
                expected: "a regular file, as scenes are read from these alone".into(),
            };
            return Err(self.error_at(place, error));
        }
        // The paths of scenes that a program provides are its own. A file that does not exist is
        // reported by its reader.
        if self.path.is_some()
            && !self.follow_links
            && let Ok(real) = whole.canonicalize()
        {
            let folder = match self.folder.as_os_str().is_empty() {
                true => Path::new("."),
                false => &self.folder,
            };
            if folder
                .canonicalize()
                .map_or(true, |folder| !real.starts_with(folder))
            {
                let error = Error::Kind {
                    path: whole,
                    found: "a link out of the folder of the scene".into(),
                    expected: "a file within it, unless links are followed (follow-links)".into(),
                };
                return Err(self.error_at(place, error));
            }
        }
        Ok(whole)
    }

    /// Returns an error about a part of this scene, with the path of the scene file. `place` is the
    /// position of the part: [`SceneBody::place`] or [`SceneShape::place`].
    pub fn error_at(&self, place: Place, source: impl Into<Cause>) -> Error {
        Error::Scene {
            path: self.path.clone(),
            place,
            source: Box::new(source.into()),
        }
    }
}

fn generated(source: &ShapeSource) -> tangere::Result<MadeShape> {
    let mesh = match *source {
        ShapeSource::Ball { radius } => return Ok(MadeShape::Ball(radius)),
        ShapeSource::Sphere {
            level,
            radius,
            kind,
        } => {
            let sphere = match kind {
                Some(kind) => MadeShape::Faces(generate::face_sphere(kind, level)?),
                None => MadeShape::Mesh(generate::sphere(level)?),
            };
            return sphere.scaled(radius);
        }
        ShapeSource::Box { size, divisions } => generate::box_mesh(size, divisions)?,
        ShapeSource::Plate { size, divisions } => generate::plate(size, divisions)?,
        ShapeSource::Knot { triangles } => generate::knot(triangles)?,
        ShapeSource::Foam { triangles, seed } => generate::foam(triangles, seed)?,
        ShapeSource::Sponge { level } => generate::sponge(level)?,
        ShapeSource::Hull { faces, seed } => generate::hull(faces, seed)?,
        ShapeSource::Chazelle { size } => generate::chazelle(size)?,
        ShapeSource::Capsule { .. } | ShapeSource::HalfSpace { .. } | ShapeSource::Compound(_) => {
            let found = match source {
                ShapeSource::Capsule { .. } => "a capsule",
                ShapeSource::HalfSpace { .. } => "a half-space",
                _ => "a compound",
            };
            let expected = "a surface or a ball: only contacts take other shapes";
            return Err(tangere::Error::argument(Argument::Shape, found, expected));
        }
        ShapeSource::File { .. } | ShapeSource::Convex { .. } | ShapeSource::Given(_) => {
            let found = "a shape of the calling program";
            return Err(tangere::Error::argument(
                Argument::Shape,
                found,
                "a generator",
            ));
        }
    };
    Ok(MadeShape::Mesh(mesh))
}

/// Reads the surface of a file, or its named surface `name`. It becomes a triangle mesh, unless it
/// has quadratic faces.
fn read_surface(path: &Path, name: Option<&str>) -> Result<MadeShape> {
    let refusal = |source| Error::shape(path, source);
    let Some(name) = name else {
        let loaded = read_mesh(path)?;
        if loaded.curved == 0 {
            return Ok(MadeShape::Mesh(loaded.mesh));
        }
        return read_faces(path).map(|loaded| MadeShape::Faces(loaded.mesh));
    };
    let faces = read_named_faces(path, name)?;
    if faces.is_planar() {
        let (what, found) = (Argument::Surface, "segments in a plane");
        let error = tangere::Error::argument(what, found, "triangles or quadrilaterals");
        return Err(refusal(error));
    }
    if faces.is_quadratic() {
        return Ok(MadeShape::Faces(faces));
    }
    let ends = faces.starts()[1..].iter().map(|&end| end as usize);
    let polygons = Polygons {
        ends: ends.collect(),
        vertices: faces.nodes().to_vec(),
        indices: faces.indices().to_vec(),
        ..Polygons::default()
    };
    let (mesh, _) = polygons.into_mesh().map_err(refusal)?;
    Ok(MadeShape::Mesh(mesh))
}

fn read_velocities(path: &Path, count: usize) -> Result<Vec<[f64; 3]>> {
    if let Ok(TableFormat::Vtp | TableFormat::Vtu) = TableFormat::of_path(path) {
        let reason = "holds points, not velocities; expected csv or npy";
        return Err(unfit(path, reason));
    }
    let table = read_table(path)?;
    let fault = |place, found: String, expected: String| {
        Error::content(path, Fault::new(place, found, expected))
    };
    let columns = columns_of(&table).ok_or_else(|| {
        let found = match &table.names {
            Some(names) => listed_names(names),
            None => table.columns.to_string(),
        };
        fault(Place::Part("columns"), found, "3, or vx, vy, vz".to_owned())
    })?;
    if table.len() != count {
        let expected = format!("{count}, one for each vertex");
        return Err(fault(
            Place::Part("rows"),
            table.len().to_string(),
            expected,
        ));
    }
    let mut velocities = Vec::with_capacity(count);
    for (i, row) in table.rows().enumerate() {
        let velocity = columns.map(|column| row[column]);
        if !velocity.iter().all(|x| x.is_finite()) {
            let found = format!("{velocity:?}");
            return Err(fault(Place::Item("row", i), found, "finite numbers".into()));
        }
        velocities.push(velocity);
    }
    Ok(velocities)
}

/// Finds the columns `vx`, `vy` and `vz` of a table of velocities. If it lacks these names, it must
/// have three columns.
fn columns_of(table: &Table) -> Option<[usize; 3]> {
    let named = ["vx", "vy", "vz"].map(|name| table.column_named(name));
    match named {
        [Some(x), Some(y), Some(z)] => Some([x, y, z]),
        _ if table.columns == 3 => Some([0, 1, 2]),
        _ => None,
    }
}
