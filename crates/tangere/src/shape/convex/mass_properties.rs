//! Mass properties of a convex polyhedron: volume, centroid and inertia tensor in closed form.
//!
//! Cost: two passes, linear in the number of half-edges.
//!
//! The body is cut into tetrahedra between the [center](ConvexPolyhedron::center) and triangles of
//! faces, and all measures are taken relative to the center. No term is then larger than the total,
//! so a body far from the origin has as many digits as one near it. For a tetrahedron with corners
//! `0, a, b, c` and `d = a . (b x c)`
//!
//! ```text
//! volume     d / 6
//! moment     d / 24 (a + b + c)
//! second     d / 120 (s s^T + a a^T + b b^T + c c^T),   s = a + b + c
//! ```
//!
//! and the inertia tensor is `trace(second) I - second`. Second moments are taken
//! in a second pass about the centroid, so that nothing is subtracted.

use super::ConvexPolyhedron;
use crate::geometry::vector::{cross, dot, minus};

/// Volume, centroid and inertia tensor of a body of density 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// The volume of the body, which is also its mass; 0 for a flat polygon, a segment or a point.
    pub volume: f64,
    /// The centroid of the body: that of its volume. If the body is a flat polygon, it is that of
    /// its area; if a segment, its midpoint; if a point, the point.
    pub centroid: [f64; 3],
    /// The inertia tensor of the body about its centroid; 0 for a flat polygon, a segment or a
    /// point. The first diagonal entry is the integral of `y^2 + z^2`, the entry beside it that of
    /// `-x y`.
    pub inertia: [[f64; 3]; 3],
}

impl ConvexPolyhedron {
    /// Computes the mass properties: volume, centroid and inertia tensor, anew in every call.
    ///
    /// Volumes and moments of inertia beyond the range of f64 are infinite or 0.
    ///
    /// ```
    /// use tangere::shape::ConvexPolyhedron;
    ///
    /// let corner = |i: u32| [0, 1, 2].map(|k| 1e9 + f64::from(i >> k & 1) * [1.0, 2.0, 3.0][k]);
    /// let block: Vec<[f64; 3]> = (0..8).map(corner).collect();
    /// let mass = ConvexPolyhedron::hull(&block)?.mass_properties();
    /// assert_eq!((mass.volume, mass.centroid), (6.0, [1e9 + 0.5, 1e9 + 1.0, 1e9 + 1.5]));
    /// assert!((mass.inertia[2][2] - 6.0 * (1.0 + 4.0) / 12.0).abs() < 1e-15);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn mass_properties(&self) -> MassProperties {
        // Lengths are in units of about the radius, so that powers neither overflow nor underflow.
        let exponent = match self.radius {
            0.0 => 0,
            radius => libm::ilogb(radius).clamp(-1000, 1000),
        };
        let unit = libm::scalbn(1.0, -exponent);
        let given = |x: f64, power: i32| libm::scalbn(x, power * exponent);
        let from_center = |v: u32| minus(self.vertex(v), self.center).map(|x| x * unit);
        let (volume, centroid) = match self.dimension {
            0 => (0.0, from_center(0)),
            1 => (0.0, segment_centroid([from_center(0), from_center(1)])),
            2 => (0.0, self.area_centroid(from_center)),
            _ => self.volume_centroid(from_center),
        };
        let mut inertia = [[0.0; 3]; 3];
        if volume > 0.0 {
            inertia = self.unit_inertia(|v| minus(from_center(v), centroid));
        }
        MassProperties {
            volume: given(volume, 3),
            centroid: [0, 1, 2].map(|k| self.center[k] + given(centroid[k], 1)),
            inertia: inertia.map(|row| row.map(|x| given(x, 5))),
        }
    }

    /// Returns the volume and the centroid of a convex body, in coordinates whose origin lies in
    /// the body: `place` returns these coordinates of a vertex, given its index.
    fn volume_centroid(&self, place: impl Fn(u32) -> [f64; 3]) -> (f64, [f64; 3]) {
        let (mut six, mut moment) = (0.0, [0.0; 3]);
        for triangle in self.triangles() {
            let [a, b, c] = triangle.map(&place);
            let d = dot(a, cross(b, c));
            six += d;
            for k in 0..3 {
                moment[k] += d * (a[k] + b[k] + c[k]);
            }
        }
        // If rounding hides the volume of a thin body, its center is taken as the centroid.
        if six.is_nan() || six <= 0.0 {
            return (0.0, [0.0; 3]);
        }
        (six / 6.0, moment.map(|m| m / (4.0 * six)))
    }

    /// Returns the inertia tensor of a convex body of density 1, about the origin of the
    /// coordinates that `place` returns for a vertex, given its index. The origin lies in the body.
    fn unit_inertia(&self, place: impl Fn(u32) -> [f64; 3]) -> [[f64; 3]; 3] {
        let mut second = [[0.0; 3]; 3];
        for triangle in self.triangles() {
            let [a, b, c] = triangle.map(&place);
            let d = dot(a, cross(b, c)) / 120.0;
            let s = [0, 1, 2].map(|k| a[k] + b[k] + c[k]);
            for i in 0..3 {
                for j in i..3 {
                    second[i][j] += d * (s[i] * s[j] + (a[i] * a[j] + b[i] * b[j] + c[i] * c[j]));
                }
            }
        }
        let [x, y, z] = [second[0][0], second[1][1], second[2][2]];
        let (xy, xz, yz) = (-second[0][1], -second[0][2], -second[1][2]);
        [[y + z, xy, xz], [xy, x + z, yz], [xz, yz, x + y]]
    }

    /// Returns the centroid of the area of a flat convex polygon. `place` returns the coordinates
    /// of a vertex, given its index.
    fn area_centroid(&self, place: impl Fn(u32) -> [f64; 3]) -> [f64; 3] {
        let (mut total, mut moment) = (0.0, [0.0; 3]);
        let corners = self.face_vertices(0).len();
        for triangle in self.triangles().take(corners - 2) {
            let [a, b, c] = triangle.map(&place);
            let area = dot(self.normal(0), cross(minus(b, a), minus(c, a)));
            total += area;
            for k in 0..3 {
                moment[k] += area * (a[k] + b[k] + c[k]) / 3.0;
            }
        }
        if total > 0.0 {
            moment.map(|m| m / total)
        } else {
            [0.0; 3]
        }
    }
}

/// Returns the centroid of a convex polyhedron that is a segment: the mean of its ends.
fn segment_centroid(ends: [[f64; 3]; 2]) -> [f64; 3] {
    [0, 1, 2].map(|k| (ends[0][k] + ends[1][k]) / 2.0)
}
