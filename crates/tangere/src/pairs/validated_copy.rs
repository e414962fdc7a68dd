//! Validated copies of coordinates and radii: one parallel pass copies numbers, rejects invalid
//! ones and finds their minimum and maximum.

use crate::geometry::{Aabb, COORDINATE_MAX, COORDINATE_MIN, is_valid_coordinate};
use crate::simd::{Doubles, Kernel, Vector, run_widest};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// The number of values in a block of a validated copy. It is a multiple of 2 and 3, for points of
/// two and three dimensions, and of 4, for the lanes of a vector.
const BLOCK: usize = 12;
/// The number of values in a chunk of a validated copy, which one task handles. A chunk consists of
/// whole blocks, except the last.
const CHUNK: usize = 1024 * BLOCK;

/// The minimum and maximum of the numbers of a validated copy, separately for each position in a
/// block of [`BLOCK`] numbers.
#[derive(Clone, Copy)]
pub(super) struct Extremes {
    pub(super) low: [f64; BLOCK],
    pub(super) high: [f64; BLOCK],
    /// Whether every number of the validated copy is a valid coordinate.
    valid: bool,
}

impl Extremes {
    const NONE: Self = Extremes {
        low: [f64::INFINITY; BLOCK],
        high: [f64::NEG_INFINITY; BLOCK],
        valid: true,
    };

    /// The extremes of the numbers of two validated copies together.
    fn union(self, other: Self) -> Self {
        let mut all = self;
        for k in 0..BLOCK {
            all.low[k] = all.low[k].min(other.low[k]);
            all.high[k] = all.high[k].max(other.high[k]);
        }
        all.valid &= other.valid;
        all
    }

    /// The bounding box of the points of a validated copy: `D` coordinates form a point.
    pub(super) fn bounds<const D: usize>(&self) -> Aabb<D> {
        let mut bounds = Aabb::EMPTY;
        for k in 0..BLOCK {
            bounds.min[k % D] = bounds.min[k % D].min(self.low[k]);
            bounds.max[k % D] = bounds.max[k % D].max(self.high[k]);
        }
        bounds
    }
}

/// Validated copy: replaces `to` by a copy of the numbers or points `from` and returns their
/// minimum and maximum. `None` if a coordinate is invalid.
pub(super) fn copy<T: AsNumbers>(from: &[T], to: &mut Vec<T>) -> Option<Extremes> {
    to.clear();
    to.reserve(from.len());
    let extremes = (T::numbers(from).par_chunks(CHUNK))
        .zip(T::uninit_numbers(&mut to.spare_capacity_mut()[..from.len()]).par_chunks_mut(CHUNK))
        .map(|(from, to)| run_widest(Copy { from, to }))
        .reduce(|| Extremes::NONE, Extremes::union);
    // SAFETY: all chunks together are as long as `from`, and `Copy` has written all
    // of each.
    unsafe { to.set_len(from.len()) };
    extremes.valid.then_some(extremes)
}

/// Types that consist of f64 numbers: a number or an array of them.
pub(super) trait AsNumbers: Sized {
    /// The numbers of which a list of points or numbers consists, for a validated copy.
    fn numbers(points: &[Self]) -> &[f64];
    /// Views uninitialised memory for a list of points as memory for the numbers of which they
    /// consist, for a validated copy.
    fn uninit_numbers(points: &mut [MaybeUninit<Self>]) -> &mut [MaybeUninit<f64>];
}

impl AsNumbers for f64 {
    fn numbers(points: &[Self]) -> &[f64] {
        points
    }
    fn uninit_numbers(points: &mut [MaybeUninit<Self>]) -> &mut [MaybeUninit<f64>] {
        points
    }
}

impl<const D: usize> AsNumbers for [f64; D] {
    fn numbers(points: &[Self]) -> &[f64] {
        points.as_flattened()
    }
    fn uninit_numbers(points: &mut [MaybeUninit<Self>]) -> &mut [MaybeUninit<f64>] {
        let count = points.len() * D;
        // SAFETY: an array has no padding, and memory for one is memory for its numbers.
        unsafe { std::slice::from_raw_parts_mut(points.as_mut_ptr().cast(), count) }
    }
}

/// The minimum and maximum of the differences `upper - lower`, which are the extents of boxes, for
/// a validated copy.
pub(super) fn extents(lower: &[f64], upper: &[f64]) -> Extremes {
    (lower.par_chunks(CHUNK))
        .zip(upper.par_chunks(CHUNK))
        .map(|(lower, upper)| run_widest(Differences { lower, upper }))
        .reduce(|| Extremes::NONE, Extremes::union)
}

/// A block of twelve numbers of a validated copy, in three vectors of four lanes.
#[derive(Clone, Copy)]
struct Block<V: Vector>([V::Doubles; 3]);

impl<V: Vector> Block<V> {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Block([V::Doubles::splat(x); 3])
    }

    /// Loads a block of numbers of a validated copy into three vectors.
    #[inline(always)]
    fn load(values: &[f64; BLOCK]) -> Self {
        let (four, _) = values.as_chunks();
        Block(std::array::from_fn(|v| V::Doubles::load(&four[v])))
    }

    /// Stores a block of numbers of a validated copy.
    #[inline(always)]
    fn store(self, out: &mut [f64; BLOCK]) {
        let (four, _) = out.as_chunks_mut();
        for v in 0..3 {
            self.0[v].store(&mut four[v]);
        }
    }

    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(V::Doubles, V::Doubles) -> V::Doubles) -> Self {
        Block(std::array::from_fn(|v| f(self.0[v], other.0[v])))
    }
}

/// Kernel of a validated copy: copies numbers and finds their minimum and maximum.
struct Copy<'a> {
    from: &'a [f64],
    to: &'a mut [MaybeUninit<f64>],
}

impl Kernel for Copy<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn run<V: Vector>(self) -> Extremes {
        let mut low = Block::<V>::splat(f64::INFINITY);
        let mut high = Block::<V>::splat(f64::NEG_INFINITY);
        let (least, most) = (
            V::Doubles::splat(COORDINATE_MIN),
            V::Doubles::splat(COORDINATE_MAX),
        );
        // All lanes start as valid: 0 is within any bounds.
        let mut valid = V::Doubles::splat(0.0).within(least, most);
        let (blocks, rest) = self.from.as_chunks::<BLOCK>();
        let (copies, rest_copy) = self.to.as_chunks_mut::<BLOCK>();
        let mut include = |block: Block<V>| {
            low = block.map2(low, V::Doubles::min);
            high = block.map2(high, V::Doubles::max);
            for four in block.0 {
                valid = valid.and(four.abs().within(least, most));
            }
        };
        for (block, copy) in blocks.iter().zip(copies) {
            *copy = block.map(MaybeUninit::new);
            include(Block::<V>::load(block));
        }
        for (place, &x) in rest_copy.iter_mut().zip(rest) {
            place.write(x);
        }
        let mut all = extremes(low, high, valid.all());
        for (k, &x) in rest.iter().enumerate() {
            all.low[k] = all.low[k].min(x);
            all.high[k] = all.high[k].max(x);
            all.valid &= is_valid_coordinate(x);
        }
        all
    }
}

/// The minimum and maximum of the numbers of a validated copy, from the lanes of the blocks `low`
/// and `high`.
#[inline(always)]
fn extremes<V: Vector>(low: Block<V>, high: Block<V>, valid: bool) -> Extremes {
    let mut all = Extremes {
        valid,
        ..Extremes::NONE
    };
    low.store(&mut all.low);
    high.store(&mut all.high);
    all
}

/// Kernel of a validated copy that finds the minimum and maximum of `upper - lower`.
struct Differences<'a> {
    lower: &'a [f64],
    upper: &'a [f64],
}

impl Kernel for Differences<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn run<V: Vector>(self) -> Extremes {
        let mut low = Block::<V>::splat(f64::INFINITY);
        let mut high = Block::<V>::splat(f64::NEG_INFINITY);
        let (lower, lower_rest) = self.lower.as_chunks::<BLOCK>();
        let (upper, upper_rest) = self.upper.as_chunks::<BLOCK>();
        for (lower, upper) in lower.iter().zip(upper) {
            let (lower, upper) = (Block::<V>::load(lower), Block::<V>::load(upper));
            let extent = upper.map2(lower, V::Doubles::sub);
            low = extent.map2(low, V::Doubles::min);
            high = extent.map2(high, V::Doubles::max);
        }
        let mut all = extremes(low, high, true);
        for (k, (a, b)) in lower_rest.iter().zip(upper_rest).enumerate() {
            all.low[k] = all.low[k].min(b - a);
            all.high[k] = all.high[k].max(b - a);
        }
        all
    }
}
