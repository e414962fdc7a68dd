//! What spheres are packed into: anything that knows how far its surface is.

use crate::error::Result;
use crate::geometry::Aabb;
use crate::shape::TriMesh;

/// The surface as seen from a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wall {
    /// How far the surface is, or less; negative outside.
    pub clearance: f64,
    /// Its nearest point, or about that: spheres move away from there.
    pub point: [f64; 3],
}

/// A body that spheres are packed into.
///
/// Spheres stay within the body if no clearance is more than the distance to the surface. They are
/// the largest that fit if clearances of two points differ by no more than the points are apart, as
/// distances do. Answers must be the same every time; they are written over what is in `found`.
pub trait Container {
    /// A box around the body.
    fn bounds(&self) -> Aabb<3>;

    /// The volume of the body.
    fn volume(&self) -> f64;

    /// The surface, if it is one of triangles: what overlaps with the packing is then known more closely.
    fn surface(&self) -> Option<&TriMesh> {
        None
    }

    /// How far the surface is from each point, or less; negative outside.
    ///
    /// # Errors
    /// When a distance is not known, or the work was asked to end.
    fn clearances(&mut self, points: &[[f64; 3]], found: &mut Vec<f64>) -> Result<()>;

    /// The same, with the nearest point of the surface.
    ///
    /// # Errors
    /// As [`Container::clearances`].
    fn walls(&mut self, points: &[[f64; 3]], found: &mut Vec<Wall>) -> Result<()>;
}
