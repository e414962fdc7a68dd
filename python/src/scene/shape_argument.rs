//! Shapes of bodies from arguments.

use pyo3::prelude::*;
use tangere::scene::Shape;

use super::shapes::{BoxShape, Capsule, Compound, HalfSpace, Sphere, Wall};
use crate::arguments::type_error;
use crate::convex::ConvexPolyhedron;
use crate::errors::refused;
use crate::mesh::Mesh;

/// What error messages name as expected if an argument is not a shape.
const EXPECTED: &str = "a Sphere, a Box, a Capsule, a HalfSpace, a ConvexPolyhedron, a Mesh, a Wall \
or a Compound";

/// What an open mesh becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OpenMesh {
    /// A wall, as the body is fixed.
    Wall,
    /// An error, as the body moves.
    Refused,
    /// An error, as the mesh is a part of a compound.
    RefusedPart,
}

/// Reads the shape of a body from an argument.
pub fn shape_argument(value: &Bound<'_, PyAny>, name: &str, open: OpenMesh) -> PyResult<Shape> {
    let py = value.py();
    if let Ok(sphere) = value.cast::<Sphere>() {
        return Ok(sphere.get().shape.clone());
    }
    if let Ok(cuboid) = value.cast::<BoxShape>() {
        return Ok(cuboid.get().shape.clone());
    }
    if let Ok(capsule) = value.cast::<Capsule>() {
        return Ok(capsule.get().shape.clone());
    }
    if let Ok(half_space) = value.cast::<HalfSpace>() {
        return Ok(half_space.get().shape.clone());
    }
    if let Ok(compound) = value.cast::<Compound>() {
        return Ok(compound.get().shape.clone());
    }
    if let Ok(wall) = value.cast::<Wall>() {
        return Ok(wall.get().shape.clone());
    }
    if let Ok(polyhedron) = value.cast::<ConvexPolyhedron>() {
        return Ok(polyhedron.get().scene_shape());
    }
    let Ok(mesh) = value.cast::<Mesh>() else {
        return Err(type_error(value, name, EXPECTED));
    };
    if let Some(solid) = mesh.get().solid(py, name)? {
        return Ok(solid);
    }
    let expected = match open {
        OpenMesh::Wall => return mesh.get().wall(py),
        OpenMesh::Refused => "a closed mesh, fixed=True for a wall, or a Wall",
        OpenMesh::RefusedPart => "a closed mesh, or a Wall",
    };
    Err(refused(name, "an open mesh", expected))
}
