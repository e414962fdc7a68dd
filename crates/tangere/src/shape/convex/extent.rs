//! Extent of a convex polyhedron: centre and radius of a ball around its vertices, and an upper
//! bound of their distances from each other.

use crate::geometry::Aabb;
use crate::geometry::vector::{largest, minus};

/// The extent of a convex polyhedron. `center` is the mean of its vertices, `radius` the distance
/// from there to the farthest vertex, and `size` an upper bound of the distance of any two of its
/// points.
pub(super) struct Extent {
    pub center: [f64; 3],
    pub radius: f64,
    pub size: f64,
}

impl Extent {
    /// Returns the extent of a convex polyhedron from its vertices.
    pub(super) fn new(vertices: &[[f64; 3]]) -> Self {
        let first = vertices[0];
        let count = vertices.len() as f64;
        let mut sum = [0.0; 3];
        for v in vertices {
            for k in 0..3 {
                sum[k] += v[k] - first[k];
            }
        }
        let bounds = Aabb::of_points(vertices.iter().copied());
        let center =
            [0, 1, 2].map(|k| (first[k] + sum[k] / count).clamp(bounds.min[k], bounds.max[k]));
        let farthest = |m: f64, &v: &[f64; 3]| m.max(distance(v, center));
        let radius = vertices.iter().fold(0.0, farthest);
        let diagonal = distance(bounds.max, bounds.min);
        let twice = 2.0 * radius;
        Self {
            center,
            radius,
            size: diagonal.min(twice),
        }
    }
}

/// Returns the distance of two points of a convex polyhedron, rounded up.
pub(super) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let d = minus(a, b);
    let largest = largest(d);
    if largest == 0.0 {
        return 0.0;
    }
    let [x, y, z] = d.map(|x| x / largest);
    (x * x + y * y + z * z).sqrt() * largest * (1.0 + 4.0 * f64::EPSILON)
}
