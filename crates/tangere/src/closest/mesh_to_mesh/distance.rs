//! The least distance of two surfaces, with the points where it is.
//!
//! Branch and bound over both trees, the nearest boxes first. Bounds are those of boxes in f32,
//! which allow for more than what rounding may cost the distances of triangles, so that all pairs
//! at the least distance are looked at and the answer does not depend on the order.

use super::common_point::common_point;
use super::triangle_distance::{TriangleDistance, distance_apart};
use super::{Intersection, TriangleTree};
use crate::geometry::Pose;
use crate::geometry::vector::{dot, largest, minus};
use std::ops::ControlFlow;

/// Far above the relative error of distances of triangles: 2^-40.
const ROUNDING: f64 = f64::from_bits((1023 - 40) << 52);

/// How far apart two surfaces are, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// The least distance; 0 exactly if the surfaces have a common point.
    pub distance: f64,
    /// The nearest point of the first surface.
    pub point_a: [f64; 3],
    /// The nearest point of the second, where its pose puts it; the same if they meet.
    pub point_b: [f64; 3],
    /// The face of the first on which the point is. Of all pairs of faces at the least distance,
    /// as computed, this is the one with the least `face_a`, and of these with the least `face_b`.
    pub face_a: u32,
    /// The face of the second.
    pub face_b: u32,
    /// Whether the surfaces have a common point, decided exactly.
    pub intersecting: bool,
}

impl TriangleTree {
    /// How far `other`, moved by `pose`, is from this surface.
    ///
    /// Surfaces are what is measured, not what they enclose: one that is inside another has a
    /// distance from it.
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
        // The first pair bounds the search, whatever it is.
        let (mut square, mut nearest) = distance_apart(self.triangle(0), moved(0));
        let mut faces = named(0, 0);
        let mut way = nearest.way();
        // Distances that are equal may have squares that are not.
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

/// A pair that meets, with its triangles.
type Met = (Intersection, [[[f64; 3]; 3]; 2]);

/// Whether triangles are farther apart than those that are nearest so far, by more than what
/// rounding may take off a distance: along the way between these, across which surfaces are nearly
/// flat where they are nearest.
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
