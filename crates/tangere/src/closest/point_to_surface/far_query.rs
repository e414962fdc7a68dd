//! Far queries: searches from points so far away that f32 does not resolve their distances to the
//! surface.
//!
//! All points are relative to the origin of the OBB tree of the surface. Let `p` be the query point
//! and `v` the unit vector along `p`. No point `x` of the surface is nearer than
//! `v.(p - x) = |p| - v.x`. The largest `v.x` over a box does not need the coordinates of `p`, so
//! f32 is as accurate for it as for the surface itself. From `BEYOND` of the OBB tree on, the component
//! orthogonal to `v`, which this bound neglects, adds less than a thousandth of the size of the
//! surface.

use crate::closest::obb_tree::NOTHING;
use crate::closest::obb_tree::{ObbTree, PACKET};
use crate::geometry::vector::{dot, minus};
use crate::simd::Vector;

/// Bound of the relative rounding error of the distance of a far point in f64.
const ROUNDED: f64 = 64.0 * f64::EPSILON;

/// Far query: calls `visit(packet, limit)` with the index of every packet, a leaf of an OBB tree,
/// that may be within `limit` of a far point. `visit` may lower the limit.
#[inline(always)]
pub(super) fn approach<V: Vector>(
    tree: &ObbTree,
    point: [f64; 3],
    mut limit: f64,
    mut visit: impl FnMut(u32, &mut f64),
) {
    let way = minus(point, tree.origin);
    let distance = dot(way, way).sqrt();
    let direction = way.map(|x| V::splat((x / distance) as f32));
    // The least `v.x` of a box that may be within the limit, rounded down; it is at most about 1.
    let least = |limit: f64| {
        let from = (distance - limit - ROUNDED * (distance + limit)) * tree.scale;
        let from = from as f32;
        from - from.abs() * f32::EPSILON - f32::MIN_POSITIVE
    };
    let mut from = least(limit);
    let mut stack = NOTHING;
    let mut top = 0;
    if let Some(root) = tree.root {
        stack[0] = (f32::NEG_INFINITY, root);
        top = 1;
    }
    while top > 0 {
        top -= 1;
        let (behind, child) = stack[top];
        if -behind < from {
            continue;
        }
        if child & PACKET != 0 {
            visit(child & !PACKET, &mut limit);
            from = least(limit);
            continue;
        }
        let node = &tree.nodes[child as usize];
        let ahead = node.ahead(direction);
        // A lane without a box is NaN, for which the comparison is false.
        let hits = V::splat(from.max(f32::MIN)).at_most(ahead);
        node.push(hits, V::splat(0.0).sub(ahead), &mut stack, &mut top);
    }
}
