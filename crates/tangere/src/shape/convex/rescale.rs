//! The same body, larger or smaller by a power of two.
//!
//! Nothing is rounded but what becomes subnormal, so features, normals and their numbers stay
//! as they are. Cost: linear.

use super::ConvexPolyhedron;
use super::support::Slopes;
use crate::geometry::Aabb;

impl ConvexPolyhedron {
    /// All lengths times `2^exponent`, after which the radius is of ordinary size.
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
        shape.slopes = Slopes::of(&shape);
        // The whole of both bodies is; what is smaller by far does no harm.
        shape.slopes.is_ordinary = true;
        shape
    }
}
