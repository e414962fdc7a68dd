//! Conservative advancement: time of impact of two moving triangles.
//!
//! At a time the triangles are separated along a unit axis `n`. The velocity of each corner along
//! `n` is known, and its acceleration from rotation is bounded. So the gap of a corner of one and a
//! corner of the other is at least a parabola in time, and the gap of the triangles along `n` is at
//! least the least of these nine parabolas. Time advances to their first root, before which nothing
//! can touch, and axes are chosen again. The bound is right to first order, so steps converge
//! quadratically, as Newton's do; without rotation and with the right axis one step is exact.
//! (`aragon2013`, 5.1, shortens time steps until contact; here no contact is passed over.)
//!
//! Axes are the face normals and the cross products of edges (`separating_axes`). They may find no
//! gap for coplanar triangles, for a ball, whose triangle is a point, or if the distance at which
//! bodies count as touching is above 0. Then the axis is that between the nearest points, or the
//! normal of an edge in the plane of its triangle. Any axis bounds the gap, and the axis with the latest time is used: a step never relies on a computed
//! distance.
//!
//! The advancement ends where the gap is 0 up to rounding (`contact_geometry`). A step depends only
//! on its time, so an interrupted search continues with the same results.

use super::contact_geometry::{Touch, contact_at, contact_of};
use super::gap_bound::{GapBound, U};
use super::mover::Mover;
use super::relative_frame::RelativeFrame;
use super::separating_axes;
use super::third_order;
use super::triangle_pair::TrianglePair;
use crate::closest::distance_apart;
use crate::geometry::triangle_triangle;
use crate::geometry::vector::{direction, minus};

/// Maximum number of steps of conservative advancement of two faces. After these the pair goes back
/// to the priority queue.
const STEPS: u32 = 64;

/// Outcome of the narrow phase for two faces: a time before which they do not touch, or a contact.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// The two faces do not touch before this time; infinite if they never touch.
    Later(f64),
    Touch(Touch),
}

/// Conservative advancement of two triangles from the time of a frame until they touch or the limit
/// is passed. If `from_start` is true they may touch or overlap already; such a contact is ignored
/// if they separate. After the steps for which `is_creeping` is true, the bound of third order is
/// used besides.
pub(super) fn advance(
    frame: &mut RelativeFrame,
    movers: [&Mover; 2],
    faces: [u32; 2],
    limit: f64,
    from_start: bool,
    is_creeping: impl Fn(u32) -> bool,
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
    for step in 0..STEPS {
        *count += 1;
        if frame.is_beyond() {
            return Outcome::Later(f64::INFINITY);
        }
        let pair = TrianglePair::new(frame, movers, faces);
        let next = match next_time(&pair, is_creeping(step)) {
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

/// One step of conservative advancement: returns a time after that of the frame, up to which two
/// triangles certainly stay separated. If their gap is 0 up to rounding, the result is `Err` with
/// their nearest points.
fn next_time(pair: &TrianglePair, is_creeping: bool) -> std::result::Result<f64, [[f64; 3]; 2]> {
    let time = pair.frame.time;
    let after = |s: f64| time + s * (1.0 - 2.0 * U);
    let mut s = separating_axes::separated_for(pair);
    if is_creeping && !pair.frame.is_translating {
        s = s.max(third_order::separated_for(pair));
    }
    let next = after(s);
    if next > time {
        return Ok(next);
    }
    let nearest = distance_apart(pair.a.corners, pair.b.corners).1;
    let points = [nearest.point_a, nearest.point_b];
    if nearest.distance - pair.margin() <= pair.frame.slack {
        return Err(points);
    }
    let between = direction(minus(nearest.point_b, nearest.point_a));
    // The nearest points of coplanar triangles that almost touch are too close to each other for a
    // direction: then an edge has it.
    let axes = between.into_iter().chain(pair.edge_normals());
    let next = after(axes.map(|n| pair.separated_for(n)).fold(0.0, f64::max));
    if next > time { Ok(next) } else { Err(points) }
}

/// How long two touching triangles certainly do not touch again, if they separate along some axis.
/// Conservative advancement skips this time. `None` if they separate along no axis.
///
/// The gap of two corners along an axis is at least a parabola in time. If the corners touch, the
/// parabola must rise at first, and the corners do not touch again before it turns. If they do not
/// touch, the gap is open until the first root of the parabola.
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
