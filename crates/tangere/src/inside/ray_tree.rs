//! Ray test with a BVH: winding number and parity from the crossings of an axis-parallel ray.
//!
//! A point costs O(log N + crossings) after the BVH is built, for N triangles. Follows `muth2006`,
//! section 2.2, whose own form is [`super::published::ray_plain`].
//!
//! *Deviates:*
//! - a BVH traversal, instead of a loop over all faces, finds the faces whose boxes the ray meets;
//! - the ray is parallel to the axis along which it leaves the body's box soonest: the ray's box is
//!   flat, so the box test of the BVH is exact for the ray, signs of volumes become signs of areas,
//!   and degeneracies need no other ray (see [`super::exact`]).

use super::crossing_test::{Corners, Crossings};
use super::exact::{Column, Crossing, column_crossing};
use crate::error::Result;
use crate::geometry::Aabb;
use crate::tree::Tree;

/// Counting of ray crossings with a BVH, which finds the triangles whose boxes an axis-parallel ray
/// meets.
#[derive(Clone, Debug)]
pub struct TreeCrossings {
    bounds: Aabb<3>,
    tree: Tree<3>,
}

impl Crossings for TreeCrossings {
    fn new(triangles: &[Corners]) -> Result<Self> {
        Ok(TreeCrossings {
            bounds: Aabb::of_points(triangles.iter().flatten().copied()),
            tree: Tree::new(triangles.len(), |f| Aabb::of_points(triangles[f]))?,
        })
    }

    fn winding(&self, triangles: &[Corners], p: [f64; 3]) -> Option<i64> {
        ray_winding(&self.tree, &self.bounds, triangles, p)
    }

    fn reason() -> &'static str {
        "crossings of an axis-parallel ray, found with the tree"
    }
}

impl TreeCrossings {
    /// The memory of the ray test's BVH in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// The sum of the signed crossings of the surface by the axis-parallel ray from `p` in the
    /// direction `column`, found with the BVH. `None` if `p` lies on the surface.
    pub(super) fn along(&self, triangles: &[Corners], p: [f64; 3], column: Column) -> Option<i64> {
        along(&self.tree, &self.bounds, triangles, p, column)
    }
}

/// The winding number of a point from the crossings of an axis-parallel ray with the triangles of a
/// BVH, whose box is `bounds`; `None` if the point lies on the surface.
pub(crate) fn ray_winding(
    tree: &Tree<3>,
    bounds: &Aabb<3>,
    triangles: &[Corners],
    p: [f64; 3],
) -> Option<i64> {
    if !bounds.contains(p) {
        return Some(0);
    }
    along(tree, bounds, triangles, p, shortest_column(bounds, p))
}

/// The sum of the signed crossings of the axis-parallel ray (column) from `p` with the triangles of
/// a BVH, whose box is `bounds`; `None` if `p` lies on the surface.
fn along(
    tree: &Tree<3>,
    bounds: &Aabb<3>,
    triangles: &[Corners],
    p: [f64; 3],
    column: Column,
) -> Option<i64> {
    let mut ray = Aabb { min: p, max: p };
    match column.upward {
        true => ray.max[column.axis] = bounds.max[column.axis].max(p[column.axis]),
        false => ray.min[column.axis] = bounds.min[column.axis].min(p[column.axis]),
    }
    let (mut winding, mut on_surface) = (0, false);
    tree.overlapping(&ray, |f| {
        match column_crossing(p, triangles[f as usize], column) {
            Crossing::Misses | Crossing::Degenerate => {}
            Crossing::Through(sign) => winding += i64::from(sign),
            Crossing::StartsOn(_) => on_surface = true,
        }
    });
    (!on_surface).then_some(winding)
}

/// The axis-parallel ray from `p` that leaves the box of the body soonest.
fn shortest_column(bounds: &Aabb<3>, p: [f64; 3]) -> Column {
    let mut shortest = (f64::INFINITY, Column::up(2));
    for axis in 0..3 {
        let up = bounds.max[axis] - p[axis];
        let down = p[axis] - bounds.min[axis];
        for (length, column) in [(up, Column::up(axis)), (down, Column::down(axis))] {
            if length < shortest.0 {
                shortest = (length, column);
            }
        }
    }
    shortest.1
}
