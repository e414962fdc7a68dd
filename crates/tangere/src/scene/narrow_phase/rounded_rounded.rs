//! Contact of two rounded solids: that of their convex cores, moved out by the radii.
//!
//! The gap of the solids is that of the cores less both radii, whether the cores are apart or
//! penetrate: a translation separates the solids if it separates the cores by `r_a + r_b`, and the
//! shortest such translation is along the normal of the cores.

use super::super::rounded::Rounded;
use super::{ANY_NORMAL, ROUNDING, status};
use crate::closest::Tracker;
use crate::contact::{Contact, ContactStatus};
use crate::geometry::Pose;

pub(in super::super) fn contact(
    (a, pose_a): (&Rounded, &Pose),
    (b, pose_b): (&Rounded, &Pose),
    tracker: &mut Tracker,
) -> Contact {
    let cores = tracker.contact(a.core(), pose_a, b.core(), pose_b);
    moved_out(cores, [a.radius(), b.radius()])
}

/// The contact of two rounded solids from that of their cores.
pub(in super::super) fn moved_out(cores: Contact, [radius_a, radius_b]: [f64; 2]) -> Contact {
    let radii = radius_a + radius_b;
    if radii == 0.0 {
        return cores;
    }
    let normal = match cores.normal == [0.0; 3] {
        true => ANY_NORMAL,
        false => cores.normal,
    };
    let gap = cores.gap - radii;
    let error = ROUNDING * (cores.gap.abs() + radii);
    let bounds = [cores.lower - radii - error, cores.upper - radii + error];
    Contact {
        gap,
        lower: bounds[0],
        upper: bounds[1],
        point_a: std::array::from_fn(|k| cores.point_a[k] + radius_a * normal[k]),
        point_b: std::array::from_fn(|k| cores.point_b[k] - radius_b * normal[k]),
        normal,
        status: match cores.status {
            ContactStatus::Bracketed => ContactStatus::Bracketed,
            _ => status(bounds),
        },
        ..cores
    }
}
