//! Ray test without set-up: winding number from the crossings of an axis-parallel ray, tested
//! against every triangle.
//!
//! O(N) a point for N triangles. The automatic choice uses it for few points. After `muth2006`,
//! section 2.2, whose own form is [`super::published::ray_plain`].
//!
//! *Deviates:* the ray is parallel to an axis: a triangle whose box the ray misses is skipped by
//! comparisons alone, and degeneracies need no other ray (see [`super::exact`]).

use super::crossing_test::{Corners, Crossings};
use super::exact::winding;
use crate::error::Result;
use crate::geometry::Aabb;

/// Counting of the crossings of an axis-parallel ray by a test of every triangle.
#[derive(Clone, Debug)]
pub(super) struct ColumnCrossings {
    bounds: Aabb<3>,
}

impl Crossings for ColumnCrossings {
    fn new(triangles: &[Corners]) -> Result<Self> {
        let bounds = Aabb::of_points(triangles.iter().flatten().copied());
        Ok(ColumnCrossings { bounds })
    }

    fn winding(&self, triangles: &[Corners], p: [f64; 3]) -> Option<i64> {
        match self.bounds.contains(p) {
            true => winding(p, triangles.iter().copied()),
            false => Some(0),
        }
    }

    fn reason() -> &'static str {
        "crossings of a ray, every triangle tested"
    }
}
