//! Surface distance: distance and closest points of two triangle meshes.
//!
//! Branch and bound over both trees, the nearest boxes first. The lower bounds are distances of
//! boxes in f32. They are rounded down by more than the rounding error of triangle distances. So
//! all pairs at the least distance are visited, and the result does not depend on the order.

use super::common_point::common_point;
use super::triangle_distance::{TriangleDistance, distance_apart};
use super::{Intersection, TriangleTree};
use crate::geometry::Pose;
use crate::geometry::vector::{dot, largest, minus};
use std::ops::ControlFlow;

/// Bound of the relative rounding error of the distance of two triangles, far above the true error:
/// 2^-40.
const ROUNDING: f64 = f64::from_bits((1023 - 40) << 52);

/// The distance and the closest points of two triangle meshes, the second moved by a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// The distance of the two surfaces; exactly 0 if and only if they intersect.
    pub distance: f64,
    /// The closest point of the first surface.
    pub point_a: [f64; 3],
    /// The closest point of the second surface, moved by its pose. It is `point_a` if the surfaces
    /// intersect.
    pub point_b: [f64; 3],
    /// The index of the face of the first surface on which `point_a` lies. Several pairs of faces
    /// may have the least computed distance. Of these pairs the one with the least `face_a` is
    /// taken, and of equal ones the one with the least `face_b`.
    pub face_a: u32,
    /// The index of the face of the second surface on which `point_b` lies.
    pub face_b: u32,
    /// Whether the surfaces have a common point, decided exactly.
    pub intersecting: bool,
}

impl TriangleTree {
    /// The surface distance of this mesh and `other`, with the closest points. The pose moves
    /// `other`.
    ///
    /// The distance is that of surfaces, not of solids: a surface nested inside another has a
    /// positive distance from it.
    pub fn distance(&self, other: &Self, pose: &Pose) -> SurfaceDistance {
        let mut met: Option<Met> = None;
        let _ = self.meetings(other, pose, |pair, points| {
            if met.is_none_or(|least| pair < least.0) {
                met = Some((pair, points));
            }
            ControlFlow::Continue(())
        });
        if let Some((pair, [a, b])) = met {
            let point = common_point(a, b);
            return SurfaceDistance {
                distance: 0.0,
                point_a: point,
                point_b: point,
                face_a: pair.a,
                face_b: pair.b,
                intersecting: true,
            };
        }
        let moved = |item: u32| other.triangle(item).map(|p| pose.apply(p));
        let named = |a: u32, b: u32| (self.face(a), other.face(b));
        // Any pair gives a first upper bound.
        let (mut square, mut nearest) = distance_apart(self.triangle(0), moved(0));
        let mut faces = named(0, 0);
        let mut way = nearest.way();
        // Equal distances may have different squares.
        let reach = |square: f64| square * (1.0 + 8.0 * f64::EPSILON);
        self.tree
            .approaching_pairs(&other.tree, pose, reach(square), |i, j, bound| {
                let (a, b) = (self.triangle(i), moved(j));
                if are_farther(&a, &b, &nearest, way) {
                    return;
                }
                let (found, points) = distance_apart(a, b);
                let (least, found_distance) = (nearest.distance, points.distance);
                if found_distance < least || found_distance == least && named(i, j) < faces {
                    (square, nearest, faces) = (found, points, named(i, j));
                    way = nearest.way();
                    *bound = reach(square);
                }
            });
        let TriangleDistance {
            distance,
            point_a,
            point_b,
        } = nearest;
        SurfaceDistance {
            distance,
            point_a,
            point_b,
            face_a: faces.0,
            face_b: faces.1,
            intersecting: false,
        }
    }
}

/// An intersecting pair of faces, with the corners of both triangles.
type Met = (Intersection, [[[f64; 3]; 3]; 2]);

/// Whether two triangles cannot give the surface distance, since they are farther apart than the
/// closest pair so far, by more than rounding. The test compares their extents along `way`, the
/// direction between the closest points so far.
#[inline(always)]
fn are_farther(
    a: &[[f64; 3]; 3],
    b: &[[f64; 3]; 3],
    nearest: &TriangleDistance,
    way: [f64; 3],
) -> bool {
    let (mut last, mut first) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut size = nearest.distance;
    for k in 0..3 {
        let (p, q) = (minus(a[k], nearest.point_a), minus(b[k], nearest.point_a));
        last = last.max(dot(way, p));
        first = first.min(dot(way, q));
        size += largest(p) + largest(q);
    }
    first - last > nearest.distance + size * ROUNDING
}
