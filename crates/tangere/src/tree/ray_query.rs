//! Ray query of the AABB tree: items whose boxes a ray intersects.

use super::node::{Child, Node, push_sorted};
use super::{STACK, Tree};
use crate::simd::{F32x8, widest};

/// A ray or segment: the points `origin + t * direction` with `0 <= t <= t_max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<const D: usize> {
    /// The start of the ray.
    pub origin: [f64; D],
    /// The direction of the ray, of any length.
    pub direction: [f64; D],
    /// The parameter `t` at the end of the ray, in lengths of `direction`. Infinite for a ray, 1
    /// for a segment that ends at `origin + direction`.
    pub t_max: f64,
}

/// Bound on the relative error of the parameter `t` of the ray query in f32. It covers a
/// difference, a rounded inverse and a product: at most four roundings of 2^-24 each.
const SLACK: f32 = 1.0 / (1 << 21) as f32;

/// A ray in the packed coordinates of a tree.
struct PackedRay<const D: usize> {
    /// The origin of the ray along each axis in packed coordinates, rounded so that the ray enters
    /// boxes too early rather than too late.
    enter: [f32; D],
    /// The origin of the ray along each axis in packed coordinates, rounded so that the ray leaves
    /// boxes too late rather than too early.
    leave: [f32; D],
    inverse: [f32; D],
}

impl<const D: usize> PackedRay<D> {
    /// The slab test of the ray query: a lower bound of the `t` at which the ray enters the box in
    /// each lane of a tree node, and an upper bound of the `t` at which it leaves.
    #[inline(always)]
    fn interval(&self, node: &Node<D>, t_max: f32) -> (F32x8, F32x8) {
        let mut entry = F32x8::splat(0.0);
        let mut exit = F32x8::splat(t_max);
        for k in 0..D {
            let forward = self.inverse[k] >= 0.0;
            let (near, far) = if forward {
                (node.lo[k], node.hi[k])
            } else {
                (node.hi[k], node.lo[k])
            };
            let inverse = F32x8::splat(self.inverse[k]);
            // 0 * inf is NaN, for a ray that runs along a face: the axis then has no effect, as
            // min and max keep their second operand.
            entry = ((near - F32x8::splat(self.enter[k])) * inverse).max(entry);
            exit = ((far - F32x8::splat(self.leave[k])) * inverse).min(exit);
        }
        // An entry is at least 0, and an exit below 0 has the right sign.
        (
            entry * F32x8::splat(1.0 - SLACK),
            exit * F32x8::splat(1.0 + SLACK),
        )
    }
}

impl<const D: usize> Tree<D> {
    /// Ray query of the AABB tree: calls `visit(item, t_max)` with every item whose box the ray
    /// intersects, and with few false positives. Nearer boxes tend to come first, and `visit` may
    /// lower `t_max` to end the ray at a hit. The order is fixed. An axis with a NaN in the origin
    /// or direction excludes no box; a NaN in `t_max` means infinite.
    #[inline]
    pub fn along_ray(&self, ray: &Ray<D>, mut visit: impl FnMut(u32, &mut f64)) {
        widest(
            #[inline(always)]
            || {
                let frame = &self.frame;
                // Directions are scaled to a length of about 1, or inverses would leave the
                // range of f32; `stretch` is the factor for t.
                let (direction, stretch) = normalised(ray.direction, frame.scale);
                let inverse = direction.map(|d| (1.0 / d) as f32);
                let forward = |k: usize| inverse[k] >= 0.0;
                let (lower, upper) = (
                    |k: usize| frame.lower(ray.origin[k], k),
                    |k: usize| frame.upper(ray.origin[k], k),
                );
                let packed = PackedRay::<D> {
                    enter: std::array::from_fn(|k| if forward(k) { upper(k) } else { lower(k) }),
                    leave: std::array::from_fn(|k| if forward(k) { lower(k) } else { upper(k) }),
                    inverse,
                };
                // A NaN end counts as infinite.
                let stretched = |t: f64| {
                    let end = t * stretch;
                    if end.is_nan() { f64::INFINITY } else { end }
                };
                let mut t_max = ray.t_max;
                let mut stack = [(0.0f32, Child::node(0)); STACK];
                let mut top = usize::from(!self.is_empty());
                while top > 0 {
                    top -= 1;
                    let (entry, child) = stack[top];
                    let end = stretched(t_max);
                    if f64::from(entry) > end {
                        continue;
                    }
                    if child.is_item() {
                        if child != Child::NONE {
                            visit(child.index(), &mut t_max);
                        }
                        continue;
                    }
                    let node = &self.nodes[child.index() as usize];
                    let (entries, exits) = packed.interval(node, end as f32);
                    let hits = entries.at_most(exits).bits();
                    push_sorted(&mut stack, &mut top, hits, &entries.0, &node.children);
                }
            },
        )
    }
}

/// The direction of the ray of a query, scaled to about unit length, and the factor that converts
/// `t` to the parameter along this direction in packed coordinates. `scale` is that of the packed
/// frame. The factors of the direction and of `t` are powers of two, so nothing is rounded.
#[inline(always)]
fn normalised<const D: usize>(direction: [f64; D], scale: f64) -> ([f64; D], f64) {
    let largest = direction.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if !(largest > 0.0 && largest <= f64::MAX) {
        // A zero, infinite or NaN direction: nothing may be hidden.
        return (direction, f64::INFINITY);
    }
    let exponent = |x: f64| ((x.to_bits() >> 52) as i32 - 1023).max(-1022);
    let power = |e: i32| f64::from_bits(((e.clamp(-1022, 1023) + 1023) as u64) << 52);
    let length = exponent(largest);
    let shorter = power(-length);
    (
        direction.map(|d| d * shorter),
        power(length + exponent(scale)),
    )
}
