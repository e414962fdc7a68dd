//! Where items are and how large, and whether they are valid, all in the one
//! pass that copies them.

use crate::geometry::{Aabb, COORDINATE_MAX, COORDINATE_MIN};
use crate::simd::widest;
use rayon::prelude::*;

/// Numbers handled at once: so many that whole points fit, of two and of three
/// dimensions, and whole vectors.
const BLOCK: usize = 12;
/// Numbers in a chunk, blocks of them.
const CHUNK: usize = 1024 * BLOCK;

/// Where the positions of items are (centres of spheres, lower corners of boxes)
/// and how far items extend from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measures<const D: usize> {
    /// The box of all positions.
    pub(super) bounds: Aabb<D>,
    /// The most that an item extends along each axis: radius, or lengths of edges.
    pub(super) largest: [f64; D],
    /// The number of items.
    pub(super) count: usize,
}

impl<const D: usize> Measures<D> {
    /// Those of no items.
    pub(super) const NONE: Self = Measures {
        bounds: Aabb::EMPTY,
        largest: [0.0; D],
        count: 0,
    };

    /// Those of as many centres as radii, which are copied; nothing where a sphere
    /// is not valid.
    pub(super) fn of_spheres(
        (centers, radii): (&[[f64; D]], &[f64]),
        (center_copies, radius_copies): (&mut Vec<[f64; D]>, &mut Vec<f64>),
    ) -> Option<Self> {
        let middle = copy(centers.as_flattened(), points(center_copies, centers.len()))?;
        radius_copies.resize(radii.len(), 0.0);
        let size = copy(radii, radius_copies)?;
        (size.low.iter().all(|&r| r >= 0.0)).then(|| Measures {
            bounds: middle.bounds(),
            largest: [size.high.into_iter().fold(0.0, f64::max); D],
            count: centers.len(),
        })
    }

    /// Those of as many lower as upper corners, which are copied; nothing where a
    /// box is not valid.
    pub(super) fn of_boxes(
        (lower, upper): (&[[f64; D]], &[[f64; D]]),
        (lower_copies, upper_copies): (&mut Vec<[f64; D]>, &mut Vec<[f64; D]>),
    ) -> Option<Self> {
        let below = copy(lower.as_flattened(), points(lower_copies, lower.len()))?;
        copy(upper.as_flattened(), points(upper_copies, upper.len()))?;
        let extent = extents(lower.as_flattened(), upper.as_flattened());
        (extent.low.iter().all(|&x| x >= 0.0)).then(|| Measures {
            bounds: below.bounds(),
            largest: extent.bounds::<D>().max.map(|x| x.max(0.0)),
            count: lower.len(),
        })
    }
}

fn points<const D: usize>(out: &mut Vec<[f64; D]>, count: usize) -> &mut [f64] {
    out.resize(count, [0.0; D]);
    out.as_flattened_mut()
}

/// Extremes of numbers, those `k` apart from a multiple of [`BLOCK`] together.
#[derive(Clone, Copy)]
struct Extremes {
    low: [f64; BLOCK],
    high: [f64; BLOCK],
    /// The least magnitude other than 0.
    least: [f64; BLOCK],
    /// 0, or NaN after a number that is not finite.
    zero: [f64; BLOCK],
}

impl Extremes {
    const NONE: Self = Extremes {
        low: [f64::INFINITY; BLOCK],
        high: [f64::NEG_INFINITY; BLOCK],
        least: [f64::INFINITY; BLOCK],
        zero: [0.0; BLOCK],
    };

    #[inline(always)]
    fn include(&mut self, k: usize, x: f64) {
        let size = if x == 0.0 { f64::INFINITY } else { x.abs() };
        self.low[k] = if x < self.low[k] { x } else { self.low[k] };
        self.high[k] = if x > self.high[k] { x } else { self.high[k] };
        self.least[k] = if size < self.least[k] {
            size
        } else {
            self.least[k]
        };
        self.zero[k] += x * 0.0;
    }

    fn union(self, other: Self) -> Self {
        let mut all = self;
        for k in 0..BLOCK {
            all.low[k] = all.low[k].min(other.low[k]);
            all.high[k] = all.high[k].max(other.high[k]);
            all.least[k] = all.least[k].min(other.least[k]);
            all.zero[k] += other.zero[k];
        }
        all
    }

    /// Whether every number is a valid coordinate.
    fn are_valid(&self) -> bool {
        (0..BLOCK).all(|k| {
            self.zero[k] == 0.0
                && self.low[k] >= -COORDINATE_MAX
                && self.high[k] <= COORDINATE_MAX
                && self.least[k] >= COORDINATE_MIN
        })
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

/// Copies numbers; nothing where one is no valid coordinate.
fn copy(from: &[f64], to: &mut [f64]) -> Option<Extremes> {
    let extremes = (from.par_chunks(CHUNK))
        .zip(to.par_chunks_mut(CHUNK))
        .map(|(from, to)| {
            widest(
                #[inline(always)]
                || {
                    let mut all = Extremes::NONE;
                    let mut blocks = from.chunks_exact(BLOCK);
                    let mut copies = to.chunks_exact_mut(BLOCK);
                    for (block, copy) in (&mut blocks).zip(&mut copies) {
                        for k in 0..BLOCK {
                            copy[k] = block[k];
                            all.include(k, block[k]);
                        }
                    }
                    for (k, &x) in blocks.remainder().iter().enumerate() {
                        all.include(k, x);
                    }
                    let rest = copies.into_remainder();
                    rest.copy_from_slice(&from[from.len() - rest.len()..]);
                    all
                },
            )
        })
        .reduce(|| Extremes::NONE, Extremes::union);
    extremes.are_valid().then_some(extremes)
}

/// The extremes of differences.
fn extents(lower: &[f64], upper: &[f64]) -> Extremes {
    (lower.par_chunks(CHUNK))
        .zip(upper.par_chunks(CHUNK))
        .map(|(lower, upper)| {
            widest(
                #[inline(always)]
                || {
                    let mut all = Extremes::NONE;
                    for (lower, upper) in lower.chunks(BLOCK).zip(upper.chunks(BLOCK)) {
                        for (k, (&a, &b)) in lower.iter().zip(upper).enumerate() {
                            all.include(k, b - a);
                        }
                    }
                    all
                },
            )
        })
        .reduce(|| Extremes::NONE, Extremes::union)
}
