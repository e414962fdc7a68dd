//! Hierarchical grid of a packing: one uniform grid (cell list) for each class of radii, coarse to
//! fine.
//!
//! Radii double from class to class; each class is a [`level`] with its own grid of cells, which
//! hold the centres of its spheres. Each pair of levels of two packings is searched once: the
//! spheres of one level (the query spheres) visit the cells of the other level that they reach, and
//! are tested against eight spheres at a time. The level with the lower estimated cost queries.
//! Mostly that is the level of the larger spheres: they are few, overlap most spheres that they
//! reach, and read them from contiguous memory. In weller2014 small spheres query larger ones. The
//! cost of that choice is an upper bound of the cost here: `O(n)` cells for each level, since a
//! sphere reaches at most a constant number of cells of a level that is not finer.
//!
//! The test in f32, relative to the middle of the packing and with a margin for rounding, only
//! rejects pairs. The narrow phase decides the others in f64, in the frame of `b`, and sums eight
//! pairs at a time.
//!
//! A query executes a [`plan`]: stages from coarse to fine, cut into tasks of similar cost. Threads
//! take tasks in order, and the sums of tasks are added in order: deterministic for any number of
//! threads. After each stage the sums are those of the two packings without their finer spheres.
//!
//! Follows weller2014, section 4. *Deviates:*
//! - a class of few spheres joins the next coarser level;
//! - a sphere is stored in one cell, that of its centre, and queries reach farther by the largest
//!   radius of the level: each pair is found once, and cells hold fewer spheres;
//! - larger spheres may query smaller ones;
//! - cells are arrays; only levels that would be almost empty are hashed, into buckets that do not
//!   overflow.

mod build;
mod level;
mod narrow_phase;
mod parallel_query;
mod plan;
mod search;

pub(super) use narrow_phase::{CandidateBuffer, SumSink};
pub(crate) use parallel_query::SelfOverlaps;
pub(super) use parallel_query::{PartialSums, SHORT, Scratch, on_threads};

use crate::overlap::pair_sums::Placed;
use crate::simd::LANES;
use build::Building;
use level::Level;
use std::f64::consts::PI;

/// The record of one sphere: its centre relative to the middle of its packing's box, its radius and
/// its weight, in one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Record([f64; LANES]);

impl Record {
    /// Returns the record of a sphere in a packing's hierarchical grid. Its centre is given
    /// relative to the middle of the packing's box.
    pub(in crate::overlap) fn new([x, y, z]: [f64; 3], radius: f64, weight: f64) -> Self {
        Record([x, y, z, radius, weight, 0.0, 0.0, 0.0])
    }

    /// Returns the sphere of a record of a packing's hierarchical grid, in the frame of the
    /// packing, with its centre relative to the middle of the packing's box.
    pub(in crate::overlap) fn placed(&self) -> Placed {
        let [x, y, z, radius, weight, ..] = self.0;
        Placed {
            center: [x, y, z],
            radius,
            weight,
        }
    }
}

/// A block of eight spheres of the grid: rows of their x, y and z coordinates and of their radii,
/// in the scaled f32 frame of the grid.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Block([[f32; LANES]; 4]);

impl Block {
    /// Returns the centre of the sphere in lane `lane` of a block of a packing's grid, in the
    /// scaled f32 frame.
    #[inline(always)]
    fn center(&self, lane: usize) -> [f32; 3] {
        [self.0[0][lane], self.0[1][lane], self.0[2][lane]]
    }
}

/// The scaled f32 frame of a grid: coordinates are relative to the middle of the packing's box and
/// scaled to the range from -1 to 1.
#[derive(Clone, Copy, Debug, Default)]
struct Scaled {
    middle: [f64; 3],
    /// The factor from lengths to scaled lengths in the f32 frame of the grid, a power of two.
    scale: f64,
}

impl Scaled {
    /// Returns a centre relative to the middle of the packing's box, as the records of its
    /// hierarchical grid store it.
    #[inline(always)]
    fn relative(&self, center: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = center;
        let [a, b, c] = self.middle;
        [x - a, y - b, z - c]
    }

    /// Returns a centre and a radius in the scaled f32 frame of a packing's hierarchical grid.
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

/// A hierarchical grid of the spheres of a packing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    frame: Scaled,
    /// The levels of the grid, those of large spheres first.
    levels: Vec<Level>,
    /// For each cell or bucket of all levels, the index of its first sphere in the order of the
    /// grid (sorted by level, then by cell); at last the number of spheres.
    starts: Vec<u32>,
    records: Vec<Record>,
    /// For each sphere in the order of the grid (sorted by level, then by cell), its index in the
    /// packing.
    order: Vec<u32>,
    /// All spheres in the order of the grid (sorted by level, then by cell), in blocks of eight and
    /// in the scaled f32 frame.
    blocks: Vec<Block>,
    building: Building,
}

impl Grid {
    /// Returns the number of spheres in the `levels` coarsest levels (those of the largest spheres)
    /// of a packing's hierarchical grid.
    pub(in crate::overlap) fn spheres(&self, levels: usize) -> usize {
        self.levels[..levels.min(self.levels.len())]
            .last()
            .map_or(0, |level| level.end as usize)
    }

    /// Iterates over the levels of a packing's hierarchical grid, those of large spheres first. An
    /// item is the list of the indices, in the packing, of the level's spheres.
    pub(in crate::overlap) fn level_numbers(&self) -> impl Iterator<Item = &[u32]> {
        let numbers = |level: &Level| &self.order[level.first as usize..level.end as usize];
        self.levels.iter().map(numbers)
    }

    /// Returns the sum of the volumes of the spheres in a packing's hierarchical grid, without
    /// those of the `levels` coarsest levels (those of the largest spheres).
    pub(crate) fn finer_volume(&self, levels: usize) -> f64 {
        let finer = self.levels.iter().skip(levels);
        4.0 / 3.0 * PI * finer.map(|level| level.class.cubes).sum::<f64>()
    }
}
