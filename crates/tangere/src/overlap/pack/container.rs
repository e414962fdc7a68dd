//! Containers for sphere packing: bodies given by the distance to their surface.

use crate::error::Result;
use crate::geometry::Aabb;
use crate::shape::TriMesh;

/// The place on a container's surface that is nearest to a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wall {
    /// A lower bound of the distance from the point to the surface; negative if the point is
    /// outside.
    pub clearance: f64,
    /// A point of the surface that is approximately the nearest to the given point. Spheres move
    /// away from it.
    pub point: [f64; 3],
}

/// A container: a body that can be packed with spheres.
///
/// A clearance is the lower bound that the container returns for the distance from a point to its
/// surface. Spheres stay within the body if no clearance exceeds that distance. If clearances are
/// 1-Lipschitz, as distances are, then the spheres found are the largest that fit. Results must be
/// deterministic; they replace the contents of `found`.
pub trait Container {
    /// Returns an AABB of the container for sphere packing.
    fn bounds(&self) -> Aabb<3>;

    /// Returns the volume of the container for sphere packing.
    fn volume(&self) -> f64;

    /// Returns the surface of the container as a triangle mesh, if there is one. The bounds of
    /// penetration volumes are then tighter.
    fn surface(&self) -> Option<&TriMesh> {
        None
    }

    /// Finds, for each point, a lower bound of its distance to the surface of the container;
    /// negative if the point is outside.
    ///
    /// # Errors
    /// When a distance is not known, or the work was stopped.
    fn clearances(&mut self, points: &[[f64; 3]], found: &mut Vec<f64>) -> Result<()>;

    /// Finds, for each point, a lower bound of its distance to the surface of the container, and
    /// approximately the nearest point of the surface.
    ///
    /// # Errors
    /// As [`Container::clearances`].
    fn walls(&mut self, points: &[[f64; 3]], found: &mut Vec<Wall>) -> Result<()>;
}
