//! Levels of cells, coarse to fine.
//!
//! Spheres are classed by their radii, each class twice as large as the one before; each is a [`level`] of cells
//! of its own that hold the centres. A pair of levels of two packings is searched once: the spheres of
//! one of them look into the cells of the other that they reach, eight spheres of these at a time. Who
//! looks is who promises to be cheaper, and as a rule those are the larger ones. They are few, most of
//! what they reach they meet, and it lies side by side. Small ones looking for larger ones, as in the paper, is
//! what bounds the cost from above: `O(n)` cells for each level, since a sphere reaches at most a constant
//! number of cells of a level that is not finer.
//!
//! Cells reject in f32, from coordinates relative to the middle of the packing with a margin for
//! rounding; what is left is decided in f64, in the frame of b, and added up, eight pairs at a time.
//!
//! A query goes through [`plan`]s: stages from coarse to fine, stages cut into tasks of like cost.
//! Threads take tasks in order, their sums are joined in order. After a stage the sums are those of the
//! packings of all spheres so far.
//!
//! Follows weller2014, section 4. *Deviates:*
//! - a few spheres that would be a level of their own share that of the next ones;
//! - a sphere is in one cell, that of its centre, and whoever looks reaches farther by the largest radius of the
//!   level: pairs are met once, cells hold fewer;
//! - the larger sphere may look for the smaller ones;
//! - cells are arrays; only those of levels that would be almost empty are hashed, into buckets that
//!   have room for all.

mod build;
mod level;
mod narrow_phase;
mod plan;
mod run;
mod search;

pub(super) use narrow_phase::{Measure, Waiting};
pub(crate) use run::Clashes;
pub(super) use run::{Reached, SHORT, Scratch, on_threads};

use crate::simd::LANES;
use build::Building;
use level::Level;

/// A sphere: its centre relative to the middle of its packing, radius and weight. One line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Record([f64; LANES]);

/// Centres and radii of eight spheres, scaled.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Block([[f32; LANES]; 4]);

impl Block {
    /// The centre of one.
    #[inline(always)]
    fn center(&self, lane: usize) -> [f32; 3] {
        [self.0[0][lane], self.0[1][lane], self.0[2][lane]]
    }
}

/// Where f32 coordinates are at their best: relative to a middle, from -1 to 1.
#[derive(Clone, Copy, Debug, Default)]
struct Scaled {
    middle: [f64; 3],
    /// A power of two.
    scale: f64,
}

impl Scaled {
    #[inline(always)]
    fn relative(&self, center: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = center;
        let [a, b, c] = self.middle;
        [x - a, y - b, z - c]
    }

    /// Centre and radius.
    #[inline(always)]
    fn scaled(&self, center: [f64; 3], radius: f64) -> [f32; 4] {
        let [x, y, z] = self.relative(center);
        let scale = self.scale;
        [
            (x * scale) as f32,
            (y * scale) as f32,
            (z * scale) as f32,
            (radius * scale) as f32,
        ]
    }
}

/// Spheres of a packing, in levels of cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    frame: Scaled,
    /// Coarse ones first.
    levels: Vec<Level>,
    /// Where the spheres of cells and buckets begin, and at last where the last ones end.
    starts: Vec<u32>,
    records: Vec<Record>,
    /// Their numbers in the packing.
    order: Vec<u32>,
    /// Eight at a time, scaled.
    blocks: Vec<Block>,
    building: Building,
}
