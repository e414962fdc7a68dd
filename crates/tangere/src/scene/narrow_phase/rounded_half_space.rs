//! Contact of a rounded solid and a half-space: the vertex of the core that is lowest over the plane.
//!
//! `gap = min n . (R v + t) - r` over the vertices `v` of the core, exact up to rounding, whether they
//! are apart or not. Of several lowest vertices the first one is reported.

use super::super::rounded::Rounded;
use super::{ROUNDING, status};
use crate::contact::{Contact, Feature};
use crate::geometry::Pose;
use crate::geometry::vector::{dot, minus};

/// The contact of a rounded solid, which is `a`, and a half-space with an outward unit normal, which
/// is `b`. The normal of the contact points into the half-space.
pub(in super::super) fn contact(
    (a, pose_a): (&Rounded, &Pose),
    (normal, pose_b): ([f64; 3], &Pose),
) -> Contact {
    let up = pose_b.rotate(normal);
    // In the axes of the solid, so that a vertex takes three products.
    let up_local = pose_a.rotate_back(up);
    let origin = dot(up, minus(pose_a.translation(), pose_b.translation()));
    let mut lowest = (f64::INFINITY, 0);
    let mut reach = 0.0f64;
    for (&v, i) in a.core().vertices().iter().zip(0u32..) {
        let height = dot(up_local, v);
        reach = reach.max(height.abs());
        if height < lowest.0 {
            lowest = (height, i);
        }
    }
    let height = origin + lowest.0;
    let gap = height - a.radius();
    let error = ROUNDING * (origin.abs() + reach + a.radius());
    let bounds = [gap - error, gap + error];
    let vertex = pose_a.apply(a.core().vertex(lowest.1));
    let point_a: [f64; 3] = std::array::from_fn(|k| vertex[k] - a.radius() * up[k]);
    Contact {
        gap,
        lower: bounds[0],
        upper: bounds[1],
        point_a,
        point_b: std::array::from_fn(|k| point_a[k] - gap * up[k]),
        normal: up.map(|x| 0.0 - x),
        feature_a: Feature::vertex(lowest.1),
        feature_b: Feature::face(0),
        status: status(bounds),
        steps: 0,
    }
}
