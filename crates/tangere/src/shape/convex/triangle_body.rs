//! Triangle as a convex body whose memory is reused for the next triangle.
//!
//! All triangles have the same features, so that only what depends on coordinates is computed anew:
//! a query of many triangles of a mesh neither allocates nor keeps a body for each of them.

use super::ConvexPolyhedron;
use super::extent::Extent;
use super::face_planes::{cross, plane};
use crate::error::Result;
use crate::geometry::{Aabb, is_valid_coordinate};

impl ConvexPolyhedron {
    /// Sets `body` to the hull of three points, and returns it. It is the same as [`hull`](Self::hull)
    /// makes of them, bit for bit.
    ///
    /// # Errors
    /// As `hull`.
    pub(crate) fn reuse_for_triangle(
        body: &mut Option<Self>,
        corners: [[f64; 3]; 3],
    ) -> Result<&Self> {
        let is_triangle = corners.iter().flatten().all(|&x| is_valid_coordinate(x))
            && cross(corners[0], corners[1], corners[2]) != [0.0; 3];
        let made = match body.take() {
            Some(mut made) if is_triangle && made.dimension == 2 && made.vertices.len() == 3 => {
                made.set_corners(corners);
                made
            }
            _ => Self::hull(&corners)?,
        };
        Ok(body.insert(made))
    }

    /// Moves the corners of a triangle. They are not on a line.
    fn set_corners(&mut self, corners: [[f64; 3]; 3]) {
        self.vertices.copy_from_slice(&corners);
        let extent = Extent::new(&corners);
        let [p, q, r] = corners;
        // Both faces begin at the first corner.
        self.planes[0] = plane([p, q, r], extent.size);
        self.planes[1] = plane([p, r, q], extent.size);
        self.bounds = Aabb::of_points(corners);
        self.center = extent.center;
        self.radius = extent.radius;
        self.size = extent.size;
        let mut data = std::mem::take(&mut self.support_data);
        data.fill(self);
        self.support_data = data;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    /// Reused bodies are those that a hull makes, also after a sliver and a triangle without area.
    #[test]
    fn reused_triangles_are_hulls() {
        let mut random = Random::new(3);
        let mut body = None;
        for i in 0..2000 {
            let mut point = || [0; 3].map(|_| (2.0 * random.unit() - 1.0) * 10f64.powi(i % 7 - 3));
            let [p, q, mut r] = [point(), point(), point()];
            match i % 10 {
                0 => r = [0, 1, 2].map(|k| p[k] + 0.5 * (q[k] - p[k])),
                1 => r = p,
                2 => r[2] = p[2],
                3 => r = [p[0], q[1], p[2]],
                _ => {}
            }
            let expected = ConvexPolyhedron::hull(&[p, q, r]).unwrap();
            let found = ConvexPolyhedron::reuse_for_triangle(&mut body, [p, q, r]).unwrap();
            assert_eq!(*found, expected, "{i}");
        }
    }
}
