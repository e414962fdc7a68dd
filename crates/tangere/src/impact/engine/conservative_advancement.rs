//! Conservative advancement: time of impact of two moving triangles.
//!
//! At a time the triangles are separated along a unit axis `n`. Each corner moves along `n` at its
//! own rate, and its acceleration is known up to a bound from rotation, so the gap along `n` is at
//! least the least of nine parabolas. Time advances to the first root of these, before which
//! nothing can touch, and axes are chosen again. The bound is right to first order, so steps
//! converge quadratically, as Newton's do; without rotation and with the right axis one step is
//! exact. (`aragon2013`, 5.1, shortens time steps until contact; here no contact is passed over.)
//!
//! Axes are the face normals and the cross products of edges (`separating_axes`). Where these find
//! no gap, as for balls, separations and coplanar triangles, the axis is that between the nearest
//! points. Any axis bounds the gap, and the latest time counts: advancing never relies on a
//! computed distance.
//!
//! The search ends where the gap is 0 up to rounding (`contact_geometry`). A step depends on its
//! time only, so an interrupted search continues with the same results.

use super::contact_geometry::{Touch, contact_at, contact_of};
use super::gap_bound::{GapBound, U};
use super::relative_motion::{Mover, RelativeFrame, Side};
use super::separating_axes;
use crate::closest::distance_apart;
use crate::geometry::triangle_triangle;
use crate::geometry::vector::{cross, dot, largest, minus};

/// Steps after which a pair goes back to the queue.
const STEPS: u32 = 64;

/// A moving triangle in the frame of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingTriangle {
    pub(super) corners: [[f64; 3]; 3],
    pub(super) velocities: [[f64; 3]; 3],
    /// Upper bound of the acceleration of a corner relative to the centre.
    pub(super) bend: f64,
}

impl MovingTriangle {
    /// Corners and velocities relative to the centre of a.
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

    #[inline(always)]
    pub(super) fn edges(&self) -> [[f64; 3]; 3] {
        [0, 1, 2].map(|i| minus(self.corners[(i + 1) % 3], self.corners[i]))
    }

    /// The length of the longest edge.
    pub(super) fn size(&self) -> f64 {
        let squares = self.edges().map(|e| dot(e, e));
        squares[0].max(squares[1]).max(squares[2]).sqrt()
    }

    pub(super) fn middle(&self) -> [f64; 3] {
        let t = &self.corners;
        std::array::from_fn(|k| (t[0][k] + t[1][k] + t[2][k]) / 3.0)
    }
}

/// Two moving triangles in their common frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrianglePair<'a> {
    pub(super) frame: &'a RelativeFrame,
    pub(super) a: MovingTriangle,
    pub(super) b: MovingTriangle,
    /// Radii of balls, 0 for triangles.
    pub(super) radii: [f64; 2],
}

impl<'a> TrianglePair<'a> {
    pub(super) fn new(frame: &'a RelativeFrame, [a, b]: [&Mover; 2], faces: [u32; 2]) -> Self {
        let radii = [a.body.shape.inner.radius, b.body.shape.inner.radius];
        TrianglePair {
            frame,
            a: MovingTriangle::new(a, &frame.sides[0], faces[0], [0.0; 3], [0.0; 3]),
            b: MovingTriangle::new(b, &frame.sides[1], faces[1], frame.away, frame.velocity),
            radii,
        }
    }

    /// The distance of triangles at which the bodies count as touching.
    pub(super) fn margin(&self) -> f64 {
        self.radii[0] + self.radii[1] + self.frame.separation
    }

    /// Gap bounds of corner i of a and corner j of b along a unit axis.
    #[inline]
    pub(super) fn gap_bounds(&self, n: [f64; 3]) -> [GapBound; 9] {
        let bend = dot(n, self.frame.acceleration) - self.a.bend - self.b.bend;
        let closed = self.margin() + self.frame.slack;
        let of = |t: &MovingTriangle| {
            let place = t.corners.map(|p| dot(n, p));
            (place, t.velocities.map(|v| dot(n, v)))
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

    /// How long the triangles stay separated along an axis.
    #[inline]
    fn separated_for(&self, n: [f64; 3]) -> f64 {
        if self.frame.is_translating {
            // All corners of a triangle have the same velocity.
            let place = |t: &MovingTriangle| t.corners.map(|p| dot(n, p));
            let [a, b] = [place(&self.a), place(&self.b)];
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

    /// Whether triangles with common points only touch: along some axis their depth is within
    /// rounding.
    pub(super) fn only_touches(&self) -> bool {
        self.directions().any(|n| self.is_separated_along(n))
    }

    /// Whether they are separated along an axis, up to rounding.
    pub(super) fn is_separated_along(&self, n: [f64; 3]) -> bool {
        let closed = 4.0 * self.frame.slack;
        self.gap_bounds(n).iter().all(|o| o.gap >= -closed)
    }

    /// Separating axes: both face normals and the cross products of edges, each from a to b.
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

/// The unit vector; `None` if the length is 0 or not finite.
pub(super) fn direction(v: [f64; 3]) -> Option<[f64; 3]> {
    let size = largest(v);
    if !(size > 0.0 && size < f64::INFINITY) {
        return None;
    }
    let scaled = v.map(|x| x / size);
    let length = dot(scaled, scaled).sqrt();
    Some(scaled.map(|x| x / length))
}

/// Outcome of the narrow phase for two faces.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// Lower bound of the time of impact; may be infinite.
    Later(f64),
    Touch(Touch),
}

/// Advances two triangles from the time of a frame until they touch or the limit is passed. Only at
/// the start may they touch or overlap already; triangles that touch then and separate do not
/// count.
pub(super) fn advance(
    frame: &mut RelativeFrame,
    movers: [&Mover; 2],
    faces: [u32; 2],
    limit: f64,
    from_start: bool,
    count: &mut u64,
) -> Outcome {
    if from_start {
        let pair = TrianglePair::new(frame, movers, faces);
        let meets = triangle_triangle(pair.a.corners, pair.b.corners).is_some();
        let nearest = distance_apart(pair.a.corners, pair.b.corners).1;
        let gap = nearest.distance - pair.margin();
        let (slack, time) = (pair.frame.slack, pair.frame.time);
        // A gap hardly larger than rounding may vanish along all axes.
        if meets || gap <= 4.0 * slack {
            *count += 1;
            let next = separation_time(&pair).map_or(time, |s| time + s);
            if next > limit {
                return Outcome::Later(next);
            }
            if next <= time && (meets || gap <= slack) {
                let overlaps = gap < -4.0 * slack || (meets && !pair.only_touches());
                return Outcome::Touch(contact_of(movers, &pair, faces, overlaps));
            }
            frame.moved_to(movers, next);
        }
    }
    for _ in 0..STEPS {
        *count += 1;
        if frame.is_beyond() {
            return Outcome::Later(f64::INFINITY);
        }
        let pair = TrianglePair::new(frame, movers, faces);
        let next = match next_time(&pair) {
            Ok(next) => next,
            Err(points) => return Outcome::Touch(contact_at(movers, &pair, faces, false, points)),
        };
        if next > limit {
            return Outcome::Later(next);
        }
        frame.moved_to(movers, next);
    }
    Outcome::Later(frame.time)
}

/// A later time up to which two triangles certainly stay separated; their nearest points as the
/// error if the gap is 0 up to rounding.
fn next_time(pair: &TrianglePair) -> std::result::Result<f64, [[f64; 3]; 2]> {
    let time = pair.frame.time;
    let after = |s: f64| time + s * (1.0 - 2.0 * U);
    let next = after(separating_axes::separated_for(pair));
    if next > time {
        return Ok(next);
    }
    let nearest = distance_apart(pair.a.corners, pair.b.corners).1;
    let points = [nearest.point_a, nearest.point_b];
    if nearest.distance - pair.margin() <= pair.frame.slack {
        return Err(points);
    }
    let between = direction(minus(nearest.point_b, nearest.point_a));
    let next = after(between.map_or(0.0, |n| pair.separated_for(n)));
    if next > time { Ok(next) } else { Err(points) }
}

/// For touching triangles that separate along some axis: the time until they may touch again.
///
/// Pairs of corners at the contact plane separate until their parabolas turn; the others until
/// their gaps close.
fn separation_time(pair: &TrianglePair) -> Option<f64> {
    let closed = 4.0 * pair.frame.slack;
    let mut latest: Option<f64> = None;
    let nearest = distance_apart(pair.a.corners, pair.b.corners).1;
    let between = direction(minus(nearest.point_b, nearest.point_a));
    for n in pair.directions().chain(between) {
        let mut least = f64::INFINITY;
        for bound in pair.gap_bounds(n) {
            let s = match bound {
                _ if bound.gap > closed => bound.closing_time(),
                GapBound { gap, rate, .. } if gap < -closed || rate < 0.0 => 0.0,
                GapBound { rate, bend, .. } if rate == 0.0 && bend <= 0.0 => 0.0,
                GapBound { rate, bend, .. } if bend < 0.0 => {
                    // The gap at the turning point must exceed rounding.
                    let turn = rate / -bend;
                    match 0.5 * rate * turn > closed {
                        true => turn,
                        false => 0.0,
                    }
                }
                _ => f64::INFINITY,
            };
            least = least.min(s);
        }
        if least > 0.0 {
            latest = Some(latest.map_or(least, |s: f64| s.max(least)));
        }
    }
    latest
}
