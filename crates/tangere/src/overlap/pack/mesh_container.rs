//! Containers for sphere packing: bodies bounded by a closed triangle mesh or a convex polyhedron.

use super::container::{Container, Wall};
use crate::closest::{MeshSurface, SurfacePoint};
use crate::error::{Argument, Error, Result};
use crate::geometry::Aabb;
use crate::shape::{ConvexPolyhedron, Solid, TriMesh};
use rayon::prelude::*;

/// The number of points in a chunk of parallel work.
const CHUNK: usize = 4096;

/// A container for sphere packing: the inside of a closed triangle mesh.
///
/// Shells may be nested, with inward orientation where they bound a cavity. They must not intersect
/// or share a wall.
pub struct MeshContainer {
    mesh: TriMesh,
    surface: MeshSurface,
    bounds: Aabb<3>,
    volume: f64,
    answers: Vec<SurfacePoint>,
}

impl MeshContainer {
    /// Returns the container inside a triangle mesh.
    ///
    /// # Errors
    /// When the surface is not closed, or not oriented so that it bounds a volume: the error
    /// ([`Error::Surface`]) has the [report](crate::shape::MeshReport). When two of its shells
    /// intersect: the error names them.
    pub fn new(mesh: &TriMesh) -> Result<Self> {
        let solid = Solid::new(mesh)?;
        Ok(Self {
            mesh: mesh.clone(),
            surface: MeshSurface::new(mesh),
            bounds: solid.report().bounds,
            volume: solid.volume(),
            answers: Vec::new(),
        })
    }

    /// Returns the container inside the mesh of a convex polyhedron.
    ///
    /// # Errors
    /// When it is flat, or its coordinates are beyond the range of [`TriMesh`].
    pub fn of_convex(body: &ConvexPolyhedron) -> Result<Self> {
        if body.dimension() < 3 {
            let found = format!("one of {} dimensions", body.dimension());
            return Err(Error::argument(
                Argument::ConvexBody,
                found,
                "one with a volume",
            ));
        }
        Self::new(&body.to_mesh()?)
    }

    /// Computes, for each point, the closest point of the container's mesh and the signed distance
    /// from the mesh, and writes them to `answers`.
    fn query(&mut self, points: &[[f64; 3]]) -> Result<()> {
        self.surface.closest_all(points, &mut self.answers)
    }
}

impl Container for MeshContainer {
    fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    fn surface(&self) -> Option<&TriMesh> {
        Some(&self.mesh)
    }

    fn clearances(&mut self, points: &[[f64; 3]], found: &mut Vec<f64>) -> Result<()> {
        self.query(points)?;
        let answers = self.answers.par_iter().with_min_len(CHUNK);
        answers.map(|answer| -answer.gap).collect_into_vec(found);
        Ok(())
    }

    fn walls(&mut self, points: &[[f64; 3]], found: &mut Vec<Wall>) -> Result<()> {
        self.query(points)?;
        let wall = |answer: &SurfacePoint| Wall {
            clearance: -answer.gap,
            point: answer.point,
        };
        let answers = self.answers.par_iter().with_min_len(CHUNK);
        answers.map(wall).collect_into_vec(found);
        Ok(())
    }
}
