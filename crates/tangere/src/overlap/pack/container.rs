//! Containers for sphere packing: bodies given by the distance to their surface.

use crate::error::Result;
use crate::geometry::Aabb;
use crate::shape::TriMesh;

/// The part of a container's surface that is nearest to a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wall {
    /// A lower bound of the distance to the surface; negative outside.
    pub clearance: f64,
    /// A point of the surface that is approximately the nearest: spheres move away from it.
    pub point: [f64; 3],
}

/// A container: a body that can be packed with spheres.
///
/// A clearance is the lower bound that the container returns for the distance from a point to its
/// surface. Spheres stay within the body if no clearance exceeds that distance. They are the
/// largest that fit if clearances are 1-Lipschitz, as distances are. Results must be deterministic;
/// they replace the contents of `found`.
pub trait Container {
    /// Returns an AABB of the container for sphere packing.
    fn bounds(&self) -> Aabb<3>;

    /// Returns the volume of the container for sphere packing.
    fn volume(&self) -> f64;

    /// Returns the surface of the container as a triangle mesh, if there is one: bounds of overlaps
    /// are then tighter.
    fn surface(&self) -> Option<&TriMesh> {
        None
    }

    /// Finds a lower bound of the distance from each point to the surface of the container;
    /// negative outside.
    ///
    /// # Errors
    /// When a distance is not known, or the work was stopped.
    fn clearances(&mut self, points: &[[f64; 3]], found: &mut Vec<f64>) -> Result<()>;

    /// Finds, for each point, a lower bound of the distance to the surface of the container and the
    /// nearest point of it.
    ///
    /// # Errors
    /// As [`Container::clearances`].
    fn walls(&mut self, points: &[[f64; 3]], found: &mut Vec<Wall>) -> Result<()>;
}
