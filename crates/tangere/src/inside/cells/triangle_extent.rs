//! Extent of the part of a triangle within a cell, along a direction.
//!
//! Let `u` be the unit normal of a triangle and `c` a corner. For all points `x` of the triangle
//! and any direction `n` and number `a`, `n.x = a u.c + (n - a u).x`. In a cell around 0 with edge
//! 1 the last term is at most `|n - a u|_1 / 2`. With `a = n.u` that is small if the plane is
//! nearly perpendicular to `n`. In the same manner, the inward normals of edges within the plane
//! give either a lower or an upper bound each. Finally, the triangle reaches no further than its
//! corners.
//!
//! Bounds are enlarged by [`SLACK`], which covers rounding; normals spoilt by rounding are dropped.
//! Costs some hundred operations for a triangle, and some dozens for each direction.

use super::super::grid_columns::Triangle;
use super::super::min_max::{greater, lesser};

/// The amount by which lower and upper bounds of an extent are widened to cover rounding, in units
/// of the cell edge. In these units, positions have errors of 2^-40 and reference points of slices
/// errors of 2^-20.
const SLACK: f64 = 1.0 / 4096.0;

/// Half the edge of a cell that is enlarged by [`SLACK`] on all sides, in units of the edge of the
/// cell itself.
const HALF: f64 = 0.5 + SLACK;

/// Normals and edges of a triangle are dropped if they are too short, as measured by this fraction.
/// Let no corner coordinate or edge be longer than `L` cells, with `L` at least 1. The normal, a
/// cross product of two edges, has an error of 2^-49 L^2, which causes an error of 2^-47 L^3 over
/// the normal's length in the bounds. An edge causes one of 2^-47 L^2 over its length. Both are
/// below [`SLACK`] if normals are longer than this fraction of L^3, and edges longer than this
/// fraction of L^2.
const SPOILT: f64 = 1.0 / (1u64 << 33) as f64;

/// The data from which the extent of a triangle along any direction follows: four unit normals and,
/// for each, its dot product with a corner of the triangle. Lane 0 has the normal of the plane;
/// lanes 1 to 3 have the normals of the edges within the plane, which point inward.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TriangleExtent {
    normals: [[f64; 4]; 3],
    constants: [f64; 4],
    corners: Triangle,
    /// The lane, 1 to 3, of the normal of the triangle's longest edge; 0 if the triangle is
    /// degenerate.
    pub(super) longest: usize,
}

impl TriangleExtent {
    /// The data for the extents of a triangle along directions. The coordinates of its corners are
    /// in units of the cell edge.
    #[inline(always)]
    pub(super) fn new(corners: Triangle) -> Self {
        let mut reach = TriangleExtent {
            corners,
            ..TriangleExtent::default()
        };
        let [a, b, c] = corners;
        let edges = [minus(b, a), minus(c, b), minus(a, c)];
        let mut size = 1.0;
        for v in corners.iter().chain(&edges) {
            for x in v {
                size = greater(size, x.abs());
            }
        }
        let normal = cross(edges[0], edges[1]);
        let length = dot(normal, normal).sqrt();
        if length <= SPOILT * size * size * size {
            return reach;
        }
        let normal = normal.map(|x| x / length);
        reach.set(0, normal, a);
        let mut longest = 0.0;
        for (i, edge) in edges.into_iter().enumerate() {
            let length = dot(edge, edge).sqrt();
            if length > longest {
                (longest, reach.longest) = (length, i + 1);
            }
            if length > SPOILT * size * size {
                let inward = cross(normal, edge.map(|x| x / length));
                reach.set(i + 1, inward, corners[i]);
            }
        }
        reach
    }

    /// Stores a unit normal of the triangle in a lane of the triangle extent, and its dot product
    /// with `at`, a corner on the plane or edge with this normal.
    #[inline(always)]
    fn set(&mut self, lane: usize, normal: [f64; 3], at: [f64; 3]) {
        for k in 0..3 {
            self.normals[k][lane] = normal[k];
        }
        self.constants[lane] = dot(normal, at);
    }

    /// The triangle extent with all positions relative to `center`, the centre of a cell.
    #[inline(always)]
    pub(super) fn relative_to(&self, center: [f64; 3]) -> Self {
        let mut moved = *self;
        for corner in &mut moved.corners {
            *corner = minus(*corner, center);
        }
        for lane in 0..4 {
            let [x, y, z] = [0, 1, 2].map(|k| self.normals[k][lane] * center[k]);
            moved.constants[lane] -= x + y + z;
        }
        moved
    }

    /// The unit normal in a lane of the triangle extent (lane 0: of the plane, 1 to 3: of an edge);
    /// 0 if it was dropped because of rounding.
    pub(super) fn normal(&self, lane: usize) -> [f64; 3] {
        self.normals.map(|of_k| of_k[lane])
    }

    /// Extent of a triangle within a cell along the direction `n`, with `|n|_1 = 1`: a lower and an
    /// upper bound of `n.x` over those points `x` of the triangle that are in the cell. If there
    /// are no such points, then the lower bound may exceed the upper.
    #[inline(always)]
    pub(super) fn bounds(&self, n: [f64; 3]) -> [f64; 2] {
        let of_corner = |i: usize| dot(n, self.corners[i]);
        let (a, b, c) = (of_corner(0), of_corner(1), of_corner(2));
        let mut low = greater(-HALF, lesser(lesser(a, b), c));
        let mut high = lesser(HALF, greater(greater(a, b), c));
        for lane in 0..4 {
            let u = [0, 1, 2].map(|k| self.normals[k][lane]);
            let along = dot(n, u);
            let rest = [0, 1, 2].map(|k| (n[k] - along * u[k]).abs());
            let reach = HALF * (rest[0] + rest[1] + rest[2]);
            let value = along * self.constants[lane];
            if lane == 0 || along > 0.0 {
                low = greater(low, value - reach);
            }
            if lane == 0 || along < 0.0 {
                high = lesser(high, value + reach);
            }
        }
        [low - SLACK, high + SLACK]
    }
}

// As in `geometry::vector`, but always inlined: code compiled for wide vectors must not call
// code compiled for narrow ones.

/// The difference `a - b` of two vectors of a triangle extent, always inlined.
#[inline(always)]
fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The dot product of two vectors of a triangle extent, always inlined.
#[inline(always)]
pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product of two vectors of a triangle extent, always inlined.
#[inline(always)]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::Random;

    /// The points of a triangle that are in the cell lie within the bounds of its extent, also for
    /// needles and for triangles without area.
    #[test]
    fn no_point_is_beyond() {
        let mut random = Random::new(1);
        let (mut met, mut flat) = (0, 0);
        for n in 0..4000 {
            let size = [0.3, 2.0, 50.0, 2000.0][n % 4];
            let inside = random.vector(0.4);
            let first = random.vector(size);
            // Thin triangles through the cell: two corners close to a line.
            let thin = [1.0, 1e-3, 1e-9, 0.0][n / 4 % 4];
            let side = random.vector(size * thin);
            let far = 1.0 + random.signed().abs();
            let corners = [
                std::array::from_fn(|k| inside[k] + first[k]),
                std::array::from_fn(|k| inside[k] - far * first[k] + side[k]),
                std::array::from_fn(|k| inside[k] - far * first[k] - side[k]),
            ];
            let center = [900.0, 20.0, 3.0];
            let shifted: Triangle = corners.map(|v: [f64; 3]| [0, 1, 2].map(|k| v[k] + center[k]));
            let reach = TriangleExtent::new(shifted).relative_to(center);
            let lane = n / 16 % 4;
            let direction = match reach.normal(lane) {
                [0.0, 0.0, 0.0] => random.vector(1.0),
                normal if n % 3 == 0 => normal,
                _ => random.vector(1.0),
            };
            let width = direction.iter().map(|x| x.abs()).sum::<f64>();
            let direction = direction.map(|x| x / width);
            let [low, high] = reach.bounds(direction);
            // Across its plane a triangle has next to no extent.
            if n % 3 == 0 && lane == 0 && reach.normal(0) != [0.0; 3] {
                flat += 1;
                assert!(high - low < 0.01, "{corners:?}: {low} to {high}");
            }
            for _ in 0..50 {
                let (u, v) = (0.5 + 0.5 * random.signed(), 0.5 + 0.5 * random.signed());
                // Half of the points near the cell, where the triangle passes it.
                let u = if n % 2 == 0 {
                    u
                } else {
                    far / (1.0 + far) + u / size
                };
                let (a, b) = ((1.0 - u) * v, (1.0 - u) * (1.0 - v));
                let [p, q, r] = corners;
                let x: [f64; 3] = [0, 1, 2].map(|k| u * p[k] + a * q[k] + b * r[k]);
                if !(0.0..=1.0).contains(&u) || x.iter().any(|x| x.abs() > 0.5) {
                    continue;
                }
                met += 1;
                let value = dot(direction, x);
                assert!(low <= value && value <= high, "{corners:?} {direction:?}");
            }
        }
        assert!(met > 4000 && flat > 100, "{met} {flat}");
    }
}
