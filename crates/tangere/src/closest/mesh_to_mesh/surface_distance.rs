//! Surface distance: distance and closest points of two triangle meshes, and for closed meshes
//! whether one lies inside the other.
//!
//! Branch and bound over both trees, the nearest boxes first. The lower bounds are distances of
//! boxes in f32. They are rounded down by more than the rounding error of triangle distances. So
//! all pairs of triangles at the least distance are visited, and the result does not depend on the
//! order, nor on the pair of triangles that the search starts from. Triangles whose boxes overlap
//! are tested for intersection, exactly; once a pair intersects, the search ends, and all
//! intersecting pairs are found instead.

use super::common_point::common_point;
use super::containment::Containment;
use super::nearest_pairs::nearest_pairs;
use super::resolved_pose::check_all_resolved;
use super::triangle_distance::{TriangleDistance, distance_apart};
use super::{Intersection, TriangleTree};
use crate::error::{Argument, Result};
use crate::geometry::vector::{dot, largest, minus};
use crate::geometry::{IntersectionKind, Pose, triangle_triangle};
use crate::memory;
use crate::names::names;
use crate::stop::Current;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Upper bound of the relative rounding error of the distance of two triangles: 2^-40. It is far
/// above the true error.
const ROUNDING: f64 = f64::from_bits((1023 - 40) << 52);

/// The minimum number of successive poses in a parallel task. A task tracks its poses one after the
/// other, and only the first search of a task starts from nowhere.
const CHUNK: usize = 8;

/// The number of tasks of each thread, to balance their load.
const TASKS: usize = 4;

/// The relative position of two surfaces: separated, touching, intersecting, or one inside the
/// other. Only closed, consistently oriented meshes can contain another mesh: other meshes enclose
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SurfaceStatus {
    /// The surfaces have no common point, and no part of either lies inside the other.
    Separated,
    /// The surfaces have common points, but no two triangles cross, no connected part of a mesh and
    /// no corner of a touching triangle lies inside the other mesh, and where faces lie on each other
    /// the solids are on opposite sides.
    Touching,
    /// The surfaces cross, or closed meshes overlap although no triangles cross: a corner of a
    /// touching triangle lies inside the other mesh, faces lie on each other with both solids on the
    /// same side, or some connected parts of a mesh lie inside the other mesh, but neither mesh does
    /// so as a whole.
    Intersecting,
    /// The first mesh lies inside the second; the surfaces have no common point.
    AInsideB,
    /// The second mesh lies inside the first; the surfaces have no common point.
    BInsideA,
}

names! {
    SurfaceStatus, Status {
        Separated = "separated",
        Touching = "touching",
        Intersecting = "intersecting",
        AInsideB = "a_inside_b",
        BInsideA = "b_inside_a",
    }
}

/// The distance and the closest points of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// The signed distance. It is 0 if the surfaces have a common point. It is minus
    /// [`distance`](Self::distance) if they have none, and one closed mesh, or a connected part of
    /// it, lies inside the other closed mesh. Otherwise it is [`distance`](Self::distance).
    pub gap: f64,
    /// The distance of the surfaces; exactly 0 if and only if they have a common point.
    pub distance: f64,
    /// The closest point of the first surface.
    pub point_a: [f64; 3],
    /// The closest point of the second surface, after its pose; it is `point_a` if the surfaces
    /// have a common point.
    pub point_b: [f64; 3],
    /// The index of the face of the first surface on which `point_a` lies. Several pairs of faces
    /// may have the least computed distance. Of these pairs the one with the least `face_a` is
    /// taken, and of equal ones the one with the least `face_b`.
    pub face_a: u32,
    /// The index of the face of the second surface on which `point_b` lies.
    pub face_b: u32,
    /// Whether there is a collision: the surfaces have a common point, or a closed mesh, or a
    /// connected part of it, lies inside the other closed mesh. Decided exactly.
    pub intersecting: bool,
    /// The relative position of the two surfaces, such as separated or touching.
    pub status: SurfaceStatus,
    /// The number of pairs of triangles with a common point.
    pub pairs: u64,
    /// Whether both meshes are closed and consistently oriented, so that one can lie inside the
    /// other.
    pub solids: bool,
}

impl SurfaceDistance {
    /// A placeholder for a surface distance that is not computed yet.
    const UNKNOWN: Self = SurfaceDistance {
        gap: f64::NAN,
        distance: f64::NAN,
        point_a: [f64::NAN; 3],
        point_b: [f64::NAN; 3],
        face_a: 0,
        face_b: 0,
        intersecting: false,
        status: SurfaceStatus::Separated,
        pairs: 0,
        solids: false,
    };
}

/// Surface distance from pose to pose: each search starts from the closest triangles at the last
/// pose, which makes it faster. The result does not depend on this start.
///
/// ```
/// use tangere::closest::{SurfaceTracker, TriangleTree};
/// use tangere::generate;
/// use tangere::geometry::Pose;
///
/// let ball = TriangleTree::new(&generate::sphere(3)?);
/// let mut tracker = SurfaceTracker::default();
/// for x in [3.0, 2.75, 2.5] {
///     let pose = Pose::from_translation([x, 0.0, 0.0])?;
///     assert_eq!(tracker.distance(&ball, &ball, &pose).gap, x - 2.0);
/// }
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SurfaceTracker {
    /// The closest triangles of the last pose, by their indices in tree order.
    last: Option<[u32; 2]>,
    /// Whether the two surfaces had a common point at the last pose. Then the next query tests
    /// first whether they still have one.
    met: bool,
}

impl SurfaceTracker {
    /// The surface distance of the meshes `a` and `b`, of which `b` is moved by `pose_b`; the same
    /// as that of [`TriangleTree::distance`].
    pub fn distance(
        &mut self,
        a: &TriangleTree,
        b: &TriangleTree,
        pose_b: &Pose,
    ) -> SurfaceDistance {
        // Another pair of meshes may have fewer triangles.
        let is_valid =
            |last: &[u32; 2]| (last[0] as usize) < a.len() && (last[1] as usize) < b.len();
        let start = self.last.filter(is_valid).unwrap_or([0, 0]);
        let mut nearest = match self.met {
            true => None,
            false => closest_triangles(a, b, pose_b, start),
        };
        if nearest.is_none() {
            if let Some(met) = common_points(a, b, pose_b) {
                self.met = true;
                return met;
            }
            nearest = closest_triangles(a, b, pose_b, start);
        }
        self.met = false;
        let (closest, items) = nearest.unwrap_or_else(|| {
            let (_, closest) = distance_apart(a.triangle(0), moved(b, pose_b, 0));
            (closest, [0, 0])
        });
        self.last = Some(items);
        apart(a, b, pose_b, &closest, items)
    }
}

impl TriangleTree {
    /// The surface distance of this mesh and `other`, of which `other` is moved by `pose`, with the
    /// closest points; and whether one closed mesh lies inside the other.
    ///
    /// ```
    /// use tangere::closest::{SurfaceStatus, TriangleTree};
    /// use tangere::generate;
    /// use tangere::geometry::{Pose, Similarity};
    ///
    /// let large = generate::sphere(3)?;
    /// let small = large.transformed(&Similarity::new(0.25, Pose::identity())?)?;
    /// let [large, small] = [&large, &small].map(TriangleTree::new);
    /// let found = large.distance(&small, &Pose::identity());
    /// assert_eq!(found.status, SurfaceStatus::BInsideA);
    /// assert!(found.intersecting && found.gap == -found.distance && found.gap < -0.7);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn distance(&self, other: &Self, pose: &Pose) -> SurfaceDistance {
        SurfaceTracker::default().distance(self, other, pose)
    }

    /// The relative position of this mesh and `other`, of which `other` is moved by `pose`; the
    /// same as the status of [`distance`](Self::distance), but faster.
    pub fn status(&self, other: &Self, pose: &Pose) -> SurfaceStatus {
        let mut touches = false;
        let crosses = self.meetings(other, pose, |pair, _| {
            touches = true;
            match pair.kind {
                IntersectionKind::Crossing => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        if crosses.is_break() {
            return SurfaceStatus::Intersecting;
        }
        let solids = self.solid().zip(other.solid());
        let may_contain = solids.is_some_and(|(a, b)| a.may_contain(b, pose));
        match touches || may_contain {
            true => self.distance(other, pose).status,
            false => SurfaceStatus::Separated,
        }
    }
}

/// The relative position of the meshes `a` and `b` at each of the poses of `b`, on all threads of
/// the current pool; `found` is replaced by one result for each pose.
///
/// # Errors
/// When a pose rounds `b` flat ([`check_resolved`](super::check_resolved)), memory for the results is
/// short, or the work was stopped.
pub fn surface_statuses(
    a: &TriangleTree,
    b: &TriangleTree,
    poses_b: &[Pose],
    found: &mut Vec<SurfaceStatus>,
) -> Result<()> {
    found.clear();
    check_all_resolved(&b.bounds, poses_b)?;
    at_poses(poses_b, found, SurfaceStatus::Separated, || {
        |pose: &Pose| a.status(b, pose)
    })
}

/// The surface distance of the meshes `a` and `b` at each of the poses of `b`, on all threads of
/// the current pool; `found` is replaced by one result for each pose. It is faster if successive
/// poses are near each other, as in a motion.
///
/// # Errors
/// When a pose rounds `b` flat ([`check_resolved`](super::check_resolved)), memory for the results is
/// short, or the work was stopped.
pub fn surface_distances(
    a: &TriangleTree,
    b: &TriangleTree,
    poses_b: &[Pose],
    found: &mut Vec<SurfaceDistance>,
) -> Result<()> {
    found.clear();
    check_all_resolved(&b.bounds, poses_b)?;
    at_poses(poses_b, found, SurfaceDistance::UNKNOWN, || {
        let mut tracker = SurfaceTracker::default();
        move |pose: &Pose| tracker.distance(a, b, pose)
    })
}

/// Answers a query at each pose, chunk by chunk, on all threads of the current pool. `query()`
/// returns, for each chunk, a function from a pose to its answer; the function may keep data from
/// pose to pose. `unknown` stands for answers that are not computed yet.
fn at_poses<T: Copy + Send, Q: FnMut(&Pose) -> T>(
    poses: &[Pose],
    found: &mut Vec<T>,
    unknown: T,
    query: impl Fn() -> Q + Sync,
) -> Result<()> {
    found.clear();
    memory::reserve(found, poses.len(), Argument::Poses)?;
    found.resize(poses.len(), unknown);
    let stop = Current::new();
    let work = |(found, poses): (&mut [T], &[Pose])| {
        let mut query = query();
        for (found, pose) in found.iter_mut().zip(poses) {
            if stop.is_requested() {
                return;
            }
            *found = query(pose);
        }
    };
    // Answers do not depend on where a search starts, so tasks may be cut by the number of threads.
    let chunk = match rayon::current_num_threads() {
        1 => poses.len().max(1),
        threads => poses.len().div_ceil(TASKS * threads).max(CHUNK),
    };
    found
        .par_chunks_mut(chunk)
        .zip(poses.par_chunks(chunk))
        .for_each(work);
    stop.checked().inspect_err(|_| found.clear())
}

/// A triangle of the mesh `b` after its pose, by its index in tree order.
#[inline(always)]
fn moved(b: &TriangleTree, pose: &Pose, item: u32) -> [[f64; 3]; 3] {
    // `map` of arrays is not inlined here.
    let [p, q, r] = b.triangle(item);
    [pose.apply(p), pose.apply(q), pose.apply(r)]
}

/// The distance of the closest triangles of two surfaces, and the indices of these triangles in
/// tree order. Of several pairs at the least distance it is the one with the least face indices in
/// the meshes, first that of `a`, then that of `b`. `None` if a pair of triangles has a common
/// point. The search starts from the pair `start`, in tree order.
fn closest_triangles(
    a: &TriangleTree,
    b: &TriangleTree,
    pose: &Pose,
    start: [u32; 2],
) -> Option<(TriangleDistance, [u32; 2])> {
    let named = |[i, j]: [u32; 2]| (a.face(i), b.face(j));
    let first = (a.triangle(start[0]), moved(b, pose, start[1]));
    if meet(&first.0, &first.1) {
        return None;
    }
    let (square, mut nearest) = distance_apart(first.0, first.1);
    let (mut items, mut way, mut is_met) = (start, nearest.way(), false);
    // Equal distances may have different squares.
    let reach = |square: f64| square * (1.0 + 8.0 * f64::EPSILON);
    nearest_pairs(a.obbs(), b.obbs(), pose, reach(square), |i, j, bound| {
        let (of_a, of_b) = (a.triangle(i), moved(b, pose, j));
        if is_met || are_farther(&of_a, &of_b, &nearest, way) {
            return;
        }
        if meet(&of_a, &of_b) {
            // No pair is within this bound, so the search ends.
            (is_met, *bound) = (true, -1.0);
            return;
        }
        let (found, points) = distance_apart(of_a, of_b);
        let is_first = || points.distance == nearest.distance && named([i, j]) < named(items);
        if points.distance < nearest.distance || is_first() {
            (nearest, items) = (points, [i, j]);
            way = nearest.way();
            *bound = reach(found);
        }
    });
    (!is_met).then_some((nearest, items))
}

/// Whether two triangles have a common point; exact.
#[inline(always)]
fn meet(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> bool {
    let is_apart = |k: usize| {
        let low = |t: &[[f64; 3]; 3]| t[0][k].min(t[1][k]).min(t[2][k]);
        let high = |t: &[[f64; 3]; 3]| t[0][k].max(t[1][k]).max(t[2][k]);
        low(a) > high(b) || low(b) > high(a)
    };
    !(0..3).any(is_apart) && triangle_triangle(*a, *b).is_some()
}

/// The surface distance of meshes without a common point, from the distance `closest` of their
/// closest triangles, whose indices in tree order are `items`.
fn apart(
    a: &TriangleTree,
    b: &TriangleTree,
    pose: &Pose,
    closest: &TriangleDistance,
    items: [u32; 2],
) -> SurfaceDistance {
    let solids = a.solid().zip(b.solid());
    let containment = match solids {
        Some((of_a, of_b)) => a.containment([of_a, of_b], b, pose, closest.distance),
        None => Containment::Neither,
    };
    let status = match containment {
        Containment::Neither => SurfaceStatus::Separated,
        Containment::AInsideB => SurfaceStatus::AInsideB,
        Containment::BInsideA => SurfaceStatus::BInsideA,
        Containment::Partly => SurfaceStatus::Intersecting,
    };
    let intersecting = status != SurfaceStatus::Separated;
    SurfaceDistance {
        gap: if intersecting {
            -closest.distance
        } else {
            closest.distance
        },
        distance: closest.distance,
        point_a: closest.point_a,
        point_b: closest.point_b,
        face_a: a.face(items[0]),
        face_b: b.face(items[1]),
        intersecting,
        status,
        pairs: 0,
        solids: solids.is_some(),
    }
}

/// The surface distance of meshes with a common point, which is 0. The reported point and faces are
/// those of the intersecting pair of triangles with the least face indices. `None` if no triangles
/// intersect.
fn common_points(a: &TriangleTree, b: &TriangleTree, pose: &Pose) -> Option<SurfaceDistance> {
    let (mut met, mut pairs, mut crosses): (Option<Met>, u64, bool) = (None, 0, false);
    let mut touching = Vec::new();
    let _ = a.meetings(b, pose, |pair, corners| {
        if met.is_none_or(|least| pair < least.0) {
            met = Some((pair, corners));
        }
        pairs += 1;
        crosses |= pair.kind == IntersectionKind::Crossing;
        if !crosses {
            touching.push((pair.kind, corners));
        }
        ControlFlow::Continue(())
    });
    let (pair, [of_a, of_b]) = met?;
    let solids = a.solid().zip(b.solid());
    let overlap =
        || solids.is_some_and(|(of_a, of_b)| a.share_inside([of_a, of_b], b, pose, &touching));
    let point = common_point(of_a, of_b);
    Some(SurfaceDistance {
        gap: 0.0,
        distance: 0.0,
        point_a: point,
        point_b: point,
        face_a: pair.a,
        face_b: pair.b,
        intersecting: true,
        status: match crosses || overlap() {
            true => SurfaceStatus::Intersecting,
            false => SurfaceStatus::Touching,
        },
        pairs,
        solids: solids.is_some(),
    })
}

/// An intersecting pair of faces, with the three corners of the triangle of each mesh after the
/// pose.
type Met = (Intersection, [[[f64; 3]; 3]; 2]);

/// Whether two triangles cannot give the surface distance, since they are farther apart than the
/// closest pair so far, by more than rounding. The test compares their extents along two directions:
/// `way`, that between the closest points so far, and that between the middles of the triangles.
#[inline(always)]
fn are_farther(
    a: &[[f64; 3]; 3],
    b: &[[f64; 3]; 3],
    nearest: &TriangleDistance,
    way: [f64; 3],
) -> bool {
    let origin = nearest.point_a;
    let a = [
        minus(a[0], origin),
        minus(a[1], origin),
        minus(a[2], origin),
    ];
    let b = [
        minus(b[0], origin),
        minus(b[1], origin),
        minus(b[2], origin),
    ];
    let gap = |along: [f64; 3]| {
        let [last, first] =
            [&a, &b].map(|t| [dot(along, t[0]), dot(along, t[1]), dot(along, t[2])]);
        first[0].min(first[1]).min(first[2]) - last[0].max(last[1]).max(last[2])
    };
    let sizes = (0..3).map(|k| largest(a[k]) + largest(b[k])).sum::<f64>();
    let limit = nearest.distance + (nearest.distance + sizes) * ROUNDING;
    if gap(way) > limit {
        return true;
    }
    let middles: [f64; 3] =
        std::array::from_fn(|k| (b[0][k] + b[1][k] + b[2][k]) - (a[0][k] + a[1][k] + a[2][k]));
    // Squares may underflow or overflow: then nothing is proven.
    let length = dot(middles, middles).sqrt();
    gap(middles) > limit * length * (1.0 + ROUNDING) && length > f64::MIN_POSITIVE.sqrt()
}
