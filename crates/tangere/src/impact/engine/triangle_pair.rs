//! Pair of moving triangles at one instant: positions and velocities of their corners, and bounds
//! of their gap along an axis.

use super::gap_bound::{GapBound, U};
use super::mover::Mover;
use super::relative_frame::{RelativeFrame, Side};
use crate::geometry::vector::{cross, direction, dot, minus};

/// A moving triangle, with positions and velocities relative to the centre of body `a` of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingTriangle {
    pub(super) corners: [[f64; 3]; 3],
    pub(super) velocities: [[f64; 3]; 3],
    /// Upper bound of the acceleration of a corner of the triangle relative to the centre of its
    /// body.
    pub(super) bend: f64,
}

impl MovingTriangle {
    /// One moving triangle of a pair: a face whose body is at `away` with `velocity`, both relative
    /// to the centre of body `a`.
    fn new(mover: &Mover, side: &Side, face: u32, away: [f64; 3], velocity: [f64; 3]) -> Self {
        let inner = &mover.body.shape.inner;
        let (mut corners, mut velocities) = ([away; 3], [velocity; 3]);
        let mut farthest: f64 = 0.0;
        let axes = &side.axes;
        for (i, v) in inner.faces[face as usize].into_iter().enumerate() {
            let mut arm = minus(inner.points[v as usize], side.center);
            if let Some(deformation) = &mover.body.deformation {
                let rate = deformation.rates[v as usize];
                for k in 0..3 {
                    arm[k] += rate[k] * side.elapsed;
                    velocities[i][k] += rate[k];
                }
            }
            let mut turned = [0.0; 3];
            for k in 0..3 {
                turned[k] = axes[0][k] * arm[0] + axes[1][k] * arm[1] + axes[2][k] * arm[2];
                corners[i][k] += turned[k];
            }
            if side.turning > 0.0 {
                let swirl = cross(side.spin, turned);
                for k in 0..3 {
                    velocities[i][k] += swirl[k];
                }
                farthest = farthest.max(dot(arm, arm));
            }
        }
        MovingTriangle {
            corners,
            velocities,
            bend: side.turning * side.turning * farthest.sqrt() * (1.0 + 16.0 * U),
        }
    }

    /// The edges of a moving triangle of a pair.
    #[inline(always)]
    pub(super) fn edges(&self) -> [[f64; 3]; 3] {
        [0, 1, 2].map(|i| minus(self.corners[(i + 1) % 3], self.corners[i]))
    }

    /// The length of the longest edge of a moving triangle of a pair.
    pub(super) fn size(&self) -> f64 {
        let squares = self.edges().map(|e| dot(e, e));
        squares[0].max(squares[1]).max(squares[2]).sqrt()
    }

    /// The centroid of a moving triangle of a pair.
    pub(super) fn middle(&self) -> [f64; 3] {
        let t = &self.corners;
        std::array::from_fn(|k| (t[0][k] + t[1][k] + t[2][k]) / 3.0)
    }
}

/// Two moving triangles at one instant, one of each body of a relative frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrianglePair<'a> {
    pub(super) frame: &'a RelativeFrame,
    pub(super) a: MovingTriangle,
    pub(super) b: MovingTriangle,
    /// For each of the two bodies, its radius if it is a ball, whose triangle is a point; 0 if it
    /// has a surface.
    pub(super) radii: [f64; 2],
}

impl<'a> TrianglePair<'a> {
    /// The pair of moving triangles of two faces, one of each body, at the time of a relative
    /// frame.
    pub(super) fn new(frame: &'a RelativeFrame, [a, b]: [&Mover; 2], faces: [u32; 2]) -> Self {
        let radii = [a.body.shape.inner.radius, b.body.shape.inner.radius];
        TrianglePair {
            frame,
            a: MovingTriangle::new(a, &frame.sides[0], faces[0], [0.0; 3], [0.0; 3]),
            b: MovingTriangle::new(b, &frame.sides[1], faces[1], frame.away, frame.velocity),
            radii,
        }
    }

    /// The distance of the triangles of a pair at which the bodies touch: the separation plus the
    /// radii of balls.
    pub(super) fn margin(&self) -> f64 {
        self.radii[0] + self.radii[1] + self.frame.separation
    }

    /// Gap bounds of the nine pairs of a corner of triangle `a` and a corner of triangle `b` along
    /// the unit axis `n`.
    #[inline]
    pub(super) fn gap_bounds(&self, n: [f64; 3]) -> [GapBound; 9] {
        let bend = dot(n, self.frame.acceleration) - self.a.bend - self.b.bend;
        let closed = self.margin() + self.frame.slack;
        let of = |t: &MovingTriangle| {
            let position = t.corners.map(|p| dot(n, p));
            (position, t.velocities.map(|v| dot(n, v)))
        };
        let ((place_a, rate_a), (place_b, rate_b)) = (of(&self.a), of(&self.b));
        std::array::from_fn(|k| {
            let (i, j) = (k / 3, k % 3);
            GapBound {
                gap: place_b[j] - place_a[i] - closed,
                rate: rate_b[j] - rate_a[i],
                bend,
            }
        })
    }

    /// How long the triangles of the pair certainly stay separated along an axis.
    #[inline]
    pub(super) fn separated_for(&self, n: [f64; 3]) -> f64 {
        if self.frame.is_translating {
            // All corners of a triangle have the same velocity.
            let position = |t: &MovingTriangle| t.corners.map(|p| dot(n, p));
            let [a, b] = [position(&self.a), position(&self.b)];
            let from = a[0].max(a[1]).max(a[2]);
            let to = b[0].min(b[1]).min(b[2]);
            let bound = GapBound {
                gap: (to - from) - (self.margin() + self.frame.slack),
                rate: dot(n, self.frame.velocity),
                bend: dot(n, self.frame.acceleration),
            };
            return bound.closing_time();
        }
        let earliest = |least: f64, bound: &GapBound| least.min(bound.closing_time());
        self.gap_bounds(n).iter().fold(f64::INFINITY, earliest)
    }

    /// Whether two triangles that have points in common only touch each other: along some axis
    /// their penetration depth is 0 up to rounding.
    pub(super) fn only_touches(&self) -> bool {
        self.directions().any(|n| self.is_separated_along(n))
    }

    /// Whether the triangles of the pair are separated along axis `n`, up to rounding: `a` lies
    /// behind, `b` in front.
    pub(super) fn is_separated_along(&self, n: [f64; 3]) -> bool {
        let closed = 4.0 * self.frame.slack;
        self.gap_bounds(n).iter().all(|o| o.gap >= -closed)
    }

    /// The normals of the edges of both triangles of the pair, each in the plane of its triangle, as
    /// unit vectors from `a` to `b`. They separate coplanar triangles.
    pub(super) fn edge_normals(&self) -> impl Iterator<Item = [f64; 3]> {
        let between = minus(self.b.middle(), self.a.middle());
        [self.a.edges(), self.b.edges()]
            .into_iter()
            .flat_map(|edges| {
                let plane = direction(cross(edges[0], edges[1]));
                edges.map(|edge| direction(cross(plane?, edge)))
            })
            .flatten()
            .map(move |n| match dot(n, between) < 0.0 {
                true => n.map(|x| -x),
                false => n,
            })
    }

    /// The candidate separating axes of a pair of triangles: both face normals and the cross
    /// products of edges, as unit vectors from `a` to `b`.
    pub(super) fn directions(&self) -> impl Iterator<Item = [f64; 3]> {
        let (of_a, of_b) = (self.a.edges(), self.b.edges());
        let between = minus(self.b.middle(), self.a.middle());
        let normals = [cross(of_a[0], of_a[1]), cross(of_b[0], of_b[1])];
        let products = (0..9).map(move |k| cross(of_a[k / 3], of_b[k % 3]));
        normals.into_iter().chain(products).filter_map(move |n| {
            let unit = direction(n)?;
            match dot(unit, between) < 0.0 {
                true => Some(unit.map(|x| -x)),
                false => Some(unit),
            }
        })
    }
}
