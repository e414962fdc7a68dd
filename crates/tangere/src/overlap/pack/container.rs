//! Containers: bodies that spheres can be packed into, given by the distance to their surface.

use crate::error::Result;
use crate::geometry::Aabb;
use crate::shape::TriMesh;

/// The nearest part of the surface to a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wall {
    /// A lower bound of the distance to the surface; negative outside.
    pub clearance: f64,
    /// The nearest point of the surface, approximately: spheres move away from it.
    pub point: [f64; 3],
}

/// A body that spheres are packed into.
///
/// Spheres stay within the body if no clearance exceeds the distance to the surface. They are the
/// largest that fit if clearances are 1-Lipschitz, as distances are. Results must be
/// deterministic; they replace the contents of `found`.
pub trait Container {
    /// An AABB of the body.
    fn bounds(&self) -> Aabb<3>;

    /// The volume of the body.
    fn volume(&self) -> f64;

    /// The surface as a triangle mesh, if there is one: bounds of overlaps are then tighter.
    fn surface(&self) -> Option<&TriMesh> {
        None
    }

    /// A lower bound of the distance from each point to the surface; negative outside.
    ///
    /// # Errors
    /// When a distance is not known, or the work was stopped.
    fn clearances(&mut self, points: &[[f64; 3]], found: &mut Vec<f64>) -> Result<()>;

    /// The same, with the nearest point of the surface.
    ///
    /// # Errors
    /// As [`Container::clearances`].
    fn walls(&mut self, points: &[[f64; 3]], found: &mut Vec<Wall>) -> Result<()>;
}
