//! Bounds of positions and sizes of the items, and their validation, in the one pass that copies
//! them.

use crate::geometry::{Aabb, COORDINATE_MAX, COORDINATE_MIN, is_valid_coordinate};
use crate::simd::{Doubles, Kernel, Vector, run_widest};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Numbers in a block: a multiple of points of two and of three dimensions and of vectors.
const BLOCK: usize = 12;
/// The least width of a row of cells in mean item spacings, by dimension: wide rows are fewer to
/// visit, narrow ones have fewer items to test.
const WIDTHS: [f64; 4] = [1.0, 1.0, 1.0, 1.4];
/// Numbers in a chunk, blocks of them.
const CHUNK: usize = 1024 * BLOCK;

/// Bounds of the positions of items (centres of spheres, lower corners of boxes) and of their
/// extents from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItemBounds<const D: usize> {
    /// The box of all positions.
    pub(super) bounds: Aabb<D>,
    /// The largest extent along each axis: radius, or edge lengths.
    pub(super) largest: [f64; D],
    /// The number of items.
    pub(super) count: usize,
}

impl<const D: usize> ItemBounds<D> {
    /// The bounds of no items.
    pub(super) const NONE: Self = ItemBounds {
        bounds: Aabb::EMPTY,
        largest: [0.0; D],
        count: 0,
    };

    /// The bounds of both.
    pub(super) fn union(&self, other: &Self) -> Self {
        ItemBounds {
            bounds: self.bounds.union(&other.bounds),
            largest: std::array::from_fn(|k| self.largest[k].max(other.largest[k])),
            count: self.count + other.count,
        }
    }

    /// The mean spacing: the edge of the cube that each item has for itself.
    pub(super) fn spacing(&self) -> f64 {
        let extent = self.bounds.extent();
        let longest = extent.into_iter().fold(0.0, f64::max);
        // Flat scenes have extent along their other axes only.
        let (mut volume, mut axes) = (1.0, 0);
        for &extent in extent.iter().filter(|&&x| x > 1e-3 * longest) {
            volume *= extent;
            axes += 1;
        }
        match axes {
            0 => 0.0,
            _ => (volume / self.count.max(1) as f64).powf(1.0 / f64::from(axes)),
        }
    }

    /// The edges of cells when a pair reaches `reach` times the largest extent plus the margin.
    /// Rows of cells are at least that wide; along a row, cells are as short as possible without
    /// outnumbering the items.
    pub(super) fn cell(&self, reach: f64, margin: f64) -> [f64; D] {
        let extent = self.bounds.extent();
        let width = WIDTHS[D] * self.spacing();
        let mut cell: [f64; D] = std::array::from_fn(|k| {
            let cell = (reach * self.largest[k] + margin).max(width);
            // Points need cells of some size, too.
            if cell > 0.0 { cell } else { 1.0 }
        });
        let along = |k: usize, cell: f64| (extent[k] / cell).floor() + 1.0;
        let most = self.count as f64 + 1.0;
        let rows = loop {
            let rows: f64 = (1..D).map(|k| along(k, cell[k])).product();
            if rows <= most {
                break rows;
            }
            let factor = (rows / most).powf(1.0 / (D - 1) as f64).max(1.001);
            cell[1..].iter_mut().for_each(|x| *x *= factor);
        };
        if extent[0] > 0.0 {
            cell[0] = extent[0] / (most / rows).floor().max(1.0);
        }
        cell
    }

    /// Includes one more item.
    pub(super) fn include(&mut self, position: [f64; D], extent: [f64; D]) {
        self.bounds.include(position);
        self.largest = std::array::from_fn(|k| self.largest[k].max(extent[k]));
        self.count += 1;
    }

    /// The bounds of spheres, which are copied; nothing if a sphere is invalid.
    pub(super) fn of_spheres(
        (centers, radii): (&[[f64; D]], &[f64]),
        (center_copies, radius_copies): (&mut Vec<[f64; D]>, &mut Vec<f64>),
    ) -> Option<Self> {
        let middle = copy(centers, center_copies)?;
        let size = copy(radii, radius_copies)?;
        (size.low.iter().all(|&r| r >= 0.0)).then(|| ItemBounds {
            bounds: middle.bounds(),
            largest: [size.high.into_iter().fold(0.0, f64::max); D],
            count: centers.len(),
        })
    }

    /// The bounds of boxes, which are copied; nothing if a box is invalid.
    pub(super) fn of_boxes(
        (lower, upper): (&[[f64; D]], &[[f64; D]]),
        (lower_copies, upper_copies): (&mut Vec<[f64; D]>, &mut Vec<[f64; D]>),
    ) -> Option<Self> {
        let below = copy(lower, lower_copies)?;
        copy(upper, upper_copies)?;
        let extent = extents(lower.as_flattened(), upper.as_flattened());
        (extent.low.iter().all(|&x| x >= 0.0)).then(|| ItemBounds {
            bounds: below.bounds(),
            largest: extent.bounds::<D>().max.map(|x| x.max(0.0)),
            count: lower.len(),
        })
    }
}

/// Minimum and maximum of numbers, separately for each position in a [`BLOCK`].
#[derive(Clone, Copy)]
struct Extremes {
    low: [f64; BLOCK],
    high: [f64; BLOCK],
    /// Whether every number is a valid coordinate.
    valid: bool,
}

impl Extremes {
    const NONE: Self = Extremes {
        low: [f64::INFINITY; BLOCK],
        high: [f64::NEG_INFINITY; BLOCK],
        valid: true,
    };

    fn union(self, other: Self) -> Self {
        let mut all = self;
        for k in 0..BLOCK {
            all.low[k] = all.low[k].min(other.low[k]);
            all.high[k] = all.high[k].max(other.high[k]);
        }
        all.valid &= other.valid;
        all
    }

    /// The box of points.
    fn bounds<const D: usize>(&self) -> Aabb<D> {
        let mut bounds = Aabb::EMPTY;
        for k in 0..BLOCK {
            bounds.min[k % D] = bounds.min[k % D].min(self.low[k]);
            bounds.max[k % D] = bounds.max[k % D].max(self.high[k]);
        }
        bounds
    }
}

/// Copies points; nothing if a coordinate is invalid.
fn copy<T: AsNumbers>(from: &[T], to: &mut Vec<T>) -> Option<Extremes> {
    to.clear();
    to.reserve(from.len());
    let extremes = (T::numbers(from).par_chunks(CHUNK))
        .zip(T::room(&mut to.spare_capacity_mut()[..from.len()]).par_chunks_mut(CHUNK))
        .map(|(from, to)| run_widest(Copy { from, to }))
        .reduce(|| Extremes::NONE, Extremes::union);
    // SAFETY: all chunks together are as long as `from`, and `Copy` has written all
    // of each.
    unsafe { to.set_len(from.len()) };
    extremes.valid.then_some(extremes)
}

/// Types that are numbers or arrays of them.
trait AsNumbers: Sized {
    fn numbers(points: &[Self]) -> &[f64];
    fn room(points: &mut [MaybeUninit<Self>]) -> &mut [MaybeUninit<f64>];
}

impl AsNumbers for f64 {
    fn numbers(points: &[Self]) -> &[f64] {
        points
    }
    fn room(points: &mut [MaybeUninit<Self>]) -> &mut [MaybeUninit<f64>] {
        points
    }
}

impl<const D: usize> AsNumbers for [f64; D] {
    fn numbers(points: &[Self]) -> &[f64] {
        points.as_flattened()
    }
    fn room(points: &mut [MaybeUninit<Self>]) -> &mut [MaybeUninit<f64>] {
        let count = points.len() * D;
        // SAFETY: an array has no padding, and memory for one is memory for its numbers.
        unsafe { std::slice::from_raw_parts_mut(points.as_mut_ptr().cast(), count) }
    }
}

/// The extremes of differences.
fn extents(lower: &[f64], upper: &[f64]) -> Extremes {
    (lower.par_chunks(CHUNK))
        .zip(upper.par_chunks(CHUNK))
        .map(|(lower, upper)| run_widest(Differences { lower, upper }))
        .reduce(|| Extremes::NONE, Extremes::union)
}

/// Three vectors.
#[derive(Clone, Copy)]
struct Block<V: Vector>([V::Doubles; 3]);

impl<V: Vector> Block<V> {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Block([V::Doubles::splat(x); 3])
    }

    #[inline(always)]
    fn load(values: &[f64; BLOCK]) -> Self {
        let (four, _) = values.as_chunks();
        Block(std::array::from_fn(|v| V::Doubles::load(&four[v])))
    }

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

/// Copies numbers and finds their extremes.
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

/// Finds the extremes of `upper - lower`.
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
