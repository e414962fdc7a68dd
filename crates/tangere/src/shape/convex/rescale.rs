//! Rescaling of a convex polyhedron by a power of two.
//!
//! Features, their indices and normals are unchanged. Lengths are exact, except those that become
//! subnormal. Cost: linear.

use super::ConvexPolyhedron;
use super::support::SupportData;
use crate::geometry::Aabb;

impl ConvexPolyhedron {
    /// Rescales the convex polyhedron: returns it with all lengths times `2^exponent`. The caller
    /// chooses the exponent so that the radius comes into the range in which products of lengths
    /// neither overflow nor underflow.
    pub(crate) fn times_power_of_two(&self, exponent: i32) -> Self {
        let mut shape = self.clone();
        let longer = |x: f64| libm::scalbn(x, exponent);
        let moved = |p: [f64; 3]| p.map(longer);
        for v in &mut shape.vertices {
            *v = moved(*v);
        }
        for plane in &mut shape.planes {
            plane.offset = longer(plane.offset);
        }
        shape.bounds = Aabb::of_points(shape.vertices.iter().copied());
        shape.center = moved(shape.center);
        shape.radius = longer(shape.radius);
        shape.size = longer(shape.size);
        shape.support_data = SupportData::of(&shape);
        // Both bodies of a query are in the ordinary range after this; a much smaller one does no
        // harm.
        shape.support_data.is_ordinary = true;
        shape.support_data.is_trackable = !shape.support_data.is_needle;
        shape
    }
}
