//! Hierarchical spatial hash as published in weller2014, section 4 (method `djb2`).
//! The cost is `O(n)` for each level.
//!
//! Cells of the finest level are as wide as the smallest sphere, and their width doubles from level
//! to level. A sphere is stored in all cells of its level that its AABB meets, at most eight. Cells
//! are hashed by DJB2 (algorithm 3) into a table of 16 MiB, with buckets for 24 spheres. Every
//! sphere of `a` searches for spheres of `b` that are not smaller, from its own level upward; every
//! sphere of `b` searches for spheres of `a` that are larger (algorithms 1 and 2).
//!
//! A pair whose boxes meet in several cells is reported once: in the cell that holds the lower
//! corner of the intersection of the boxes. Along each axis that is the greater of the two cells of
//! their lower corners. Cells are integers, so the comparison is exact, also in a bucket that two
//! cells share.
//!
//! *Deviates:*
//! - cells are at least as wide as the spheres that they hold (see the head of [`overlap`](crate::overlap));
//! - spheres that find their bucket full go to an overflow list sorted by bucket;
//! - cells are no narrower than 2^-40 of the packing, so that their indices fit integers;
//! - the table is filled by one thread.

use super::super::pair_sums::{Adder, Placed, Sums};
use super::super::relative_pose::RelativePose;
use crate::shape::Packing;
use crate::stop::Current;
use rayon::prelude::*;

/// The number of spheres that fit into a bucket of the hash table; more overflow.
const BUCKET: usize = 24;
/// The number of buckets of the hash table, which has 16 MiB.
const BUCKETS: usize = (16 << 20) / (4 * BUCKET);
/// The number of spheres in a chunk of parallel work.
const CHUNK: usize = 256;
/// The least width of cells of the hash grid, in units of half the longest side of the packing's
/// AABB.
const NARROWEST: f64 = 1.0 / (1_u64 << 40) as f64;
/// Bound on the rounding error of a sphere's centre, relative to a sum of lengths: half the extents
/// of the AABBs of both packings along each axis, and the components of the vector between the
/// middles of the AABBs.
const SLACK: f64 = 64.0 * f64::EPSILON;

/// The integer coordinates of a cell on a level of the hash grid.
type Cell = [i64; 3];

/// The spatial hash, as published in weller2014, of the spheres of a packing.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Half the extent of the packing's AABB along each axis.
    half: [f64; 3],
    /// The width of the cells of the finest level.
    narrowest: f64,
    levels: u32,
    /// For each bucket, the number of spheres assigned to it. `buckets` has the first of them, up
    /// to its capacity, and `rest` those that overflow.
    counts: Vec<u32>,
    buckets: Vec<[u32; BUCKET]>,
    /// The spheres that overflow their bucket: the index of the bucket and that of the sphere,
    /// sorted.
    rest: Vec<(u32, u32)>,
    /// For each sphere, its level and the cell that contains the lower corner of its box.
    homes: Vec<(u32, Cell)>,
}

/// Returns the index of the bucket of a cell in the published hash grid, by the DJB2 hash
/// (weller2014, algorithm 3).
#[inline(always)]
fn djb2([x, y, z]: Cell, level: u32) -> usize {
    let hash = [x as u32, y as u32, z as u32, level]
        .into_iter()
        .fold(5381_u32, |hash, term| {
            hash.wrapping_mul(33).wrapping_add(term)
        });
    hash as usize % BUCKETS
}

/// Iterates over all cells of the published hash grid between the corner cells `low` and `high`,
/// both included.
fn cells(low: Cell, high: Cell) -> impl Iterator<Item = Cell> {
    (low[2]..=high[2]).flat_map(move |z| {
        (low[1]..=high[1]).flat_map(move |y| (low[0]..=high[0]).map(move |x| [x, y, z]))
    })
}

impl Table {
    /// Builds the published hash grid of a packing.
    pub(crate) fn new(packing: &Packing) -> Self {
        let bounds = packing.bounds();
        let middle = bounds.center();
        let half: [f64; 3] = std::array::from_fn(|k| bounds.max[k] - middle[k]);
        let radii = packing.radii().iter();
        let [least, most] = radii.fold([f64::INFINITY, 0.0], |[least, most], &r| {
            [f64::min(least, r), f64::max(most, r)]
        });
        let extent = half.iter().fold(0.0, |extent: f64, &x| extent.max(x));
        let mut table = Self {
            half,
            narrowest: (2.0 * least).max(extent * NARROWEST),
            levels: 0,
            counts: vec![0; BUCKETS],
            buckets: vec![[0; BUCKET]; BUCKETS],
            rest: Vec::new(),
            homes: Vec::with_capacity(packing.len()),
        };
        table.levels = table.level(most) + 1;
        for (i, (center, &radius)) in (0..).zip(packing.centers().iter().zip(packing.radii())) {
            let at = std::array::from_fn(|k| center[k] - middle[k]);
            let level = table.level(radius);
            let [low, high] = table.range(at, radius, level);
            table.homes.push((level, low));
            for cell in cells(low, high) {
                let bucket = djb2(cell, level);
                let count = &mut table.counts[bucket];
                match table.buckets[bucket].get_mut(*count as usize) {
                    Some(room) => *room = i,
                    None => table.rest.push((bucket as u32, i)),
                }
                *count += 1;
            }
        }
        table.rest.sort_unstable();
        table
    }

    /// Returns the finest level of the published hash grid whose cells are at least as wide as the
    /// diameter of a sphere of this radius.
    fn level(&self, radius: f64) -> u32 {
        let ratio = 2.0 * radius / self.narrowest;
        if ratio <= 1.0 {
            return 0;
        }
        // The exponent is rounded up; it is exact for powers of two.
        let bits = ratio.to_bits();
        let exponent = (bits >> 52) as u32 - 1023;
        exponent + u32::from(bits << 12 != 0)
    }

    /// Returns the first and the last cell, on a level of the published hash grid, that the box of
    /// a sphere overlaps.
    #[inline(always)]
    fn range(&self, center: [f64; 3], radius: f64, level: u32) -> [Cell; 2] {
        let width = self.narrowest * f64::from_bits(u64::from(level + 1023) << 52);
        // Coordinates are clamped to the packing. Every step is monotone, so cells keep the order
        // of coordinates.
        let cell = |k: usize, x: f64| {
            let inside = x.clamp(-self.half[k], self.half[k]);
            (inside / width).floor() as i64
        };
        [
            std::array::from_fn(|k| cell(k, center[k] - radius)),
            std::array::from_fn(|k| cell(k, center[k] + radius)),
        ]
    }

    /// Searches the published hash grid: calls `found` once with the index of every sphere whose
    /// box may overlap the box of the given sphere, widened by `slack`, and whose level is the same
    /// or coarser.
    fn search(&self, center: [f64; 3], radius: f64, slack: f64, mut found: impl FnMut(usize)) {
        let reach = radius + slack;
        let outside = (0..3).any(|k| center[k].abs() > self.half[k] + reach);
        if outside {
            return;
        }
        for level in self.level(radius)..self.levels {
            let [low, high] = self.range(center, reach, level);
            for cell in cells(low, high) {
                let bucket = djb2(cell, level);
                let count = self.counts[bucket] as usize;
                let mut visit = |sphere: u32| {
                    let (own, corner) = self.homes[sphere as usize];
                    let shared = |k: usize| cell[k] == low[k].max(corner[k]);
                    if own == level && shared(0) && shared(1) && shared(2) {
                        found(sphere as usize);
                    }
                };
                for &sphere in &self.buckets[bucket][..count.min(BUCKET)] {
                    visit(sphere);
                }
                if count > BUCKET {
                    let from = self.rest.partition_point(|rest| rest.0 < bucket as u32);
                    let rest = self.rest[from..].iter();
                    for &(_, sphere) in rest.take_while(|rest| rest.0 == bucket as u32) {
                        visit(sphere);
                    }
                }
            }
        }
    }

    /// Returns the number of spheres that overflow their bucket of the published hash grid.
    #[cfg(test)]
    fn overflows(&self) -> usize {
        self.rest.len()
    }
}

/// Two packings, whose published hash grids are searched, and their relative pose.
#[derive(Clone, Copy)]
struct PackingPair<'a> {
    packings: [&'a Packing; 2],
    relative_pose: &'a RelativePose,
    /// The margin by which boxes of spheres are widened, to cover the rounding of their centres.
    slack: f64,
}

impl<'a> PackingPair<'a> {
    /// Returns the pair of two packings at a relative pose, for searches of their published hash
    /// grids.
    fn new(packings: [&'a Packing; 2], relative_pose: &'a RelativePose) -> Self {
        let [a, b] = packings.map(Packing::hashed);
        let far = relative_pose.offset.iter().chain(&a.half).chain(&b.half);
        Self {
            packings,
            relative_pose,
            slack: SLACK * far.fold(0.0, |far: f64, x| far + x.abs()),
        }
    }

    /// Returns sphere `i` of packing `side` (0 for `a`, 1 for `b`) for the published hash grid, in
    /// the frame of `b`.
    fn placed(&self, side: usize, i: usize) -> Placed {
        let packing = self.packings[side];
        let center = packing.centers()[i];
        Placed {
            center: if side == 0 {
                self.relative_pose.of_a(center)
            } else {
                self.relative_pose.of_b(center)
            },
            radius: packing.radii()[i],
            weight: packing.weight(i),
        }
    }

    /// Searches the published hash grid of the other packing for sphere `i` of packing `side`, 0
    /// for `a` and 1 for `b`. Calls `found` for every overlapping sphere that is not smaller or,
    /// for a sphere of `b`, that is larger, so that each pair is found once. The arguments of
    /// `found` are the index of the overlapping sphere, sphere `i` itself and the overlapping
    /// sphere.
    fn search(&self, side: usize, i: usize, mut found: impl FnMut(usize, &Placed, &Placed)) {
        let mine = self.placed(side, i);
        let at = if side == 0 {
            mine.center
        } else {
            self.relative_pose.back(mine.center)
        };
        let others = self.packings[1 - side].hashed();
        others.search(at, mine.radius, self.slack, |j| {
            let other = self.placed(1 - side, j);
            let is_mine = match side {
                0 => other.radius >= mine.radius,
                _ => other.radius > mine.radius,
            };
            if is_mine && mine.overlaps(&other) {
                found(j, &mine, &other);
            }
        });
    }
}

/// Returns the sums (volume, moment, force and torque) over all overlapping pairs of spheres, found
/// by the published hash grid, or over some of them if the query is stopped. `parts` is scratch
/// memory.
pub(in crate::overlap) fn sums(
    packings: [&Packing; 2],
    relative_pose: &RelativePose,
    stop: &Current,
    parts: &mut Vec<Sums>,
) -> Sums {
    let both = PackingPair::new(packings, relative_pose);
    let chunks = packings.map(|packing| packing.len().div_ceil(CHUNK));
    parts.clear();
    parts.resize(chunks[0] + chunks[1], Sums::default());
    parts.par_iter_mut().enumerate().for_each(|(c, part)| {
        let (side, c) = match c.checked_sub(chunks[0]) {
            None => (0, c),
            Some(c) => (1, c),
        };
        let mut adder = Adder::new();
        for i in c * CHUNK..((c + 1) * CHUNK).min(packings[side].len()) {
            if stop.is_requested() {
                break;
            }
            both.search(side, i, |_, mine, other| match side {
                0 => adder.push(mine, other),
                _ => adder.push(other, mine),
            });
        }
        *part = adder.sums();
    });
    let mut all = Sums::default();
    for part in parts {
        all.add(part);
    }
    all
}

/// Appends all overlapping pairs of spheres, found by the published hash grid, to `found` and sorts
/// it; only some pairs if the query is stopped.
pub(in crate::overlap) fn pairs(
    packings: [&Packing; 2],
    relative_pose: &RelativePose,
    stop: &Current,
    found: &mut Vec<[u32; 2]>,
) {
    let both = PackingPair::new(packings, relative_pose);
    for side in [0, 1] {
        for i in 0..packings[side].len() {
            if stop.is_requested() {
                break;
            }
            both.search(side, i, |j, _, _| {
                found.push(match side {
                    0 => [i as u32, j as u32],
                    _ => [j as u32, i as u32],
                });
            });
        }
    }
    found.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_as_wide_as_spheres_and_no_bucket_overflows_silently() {
        // There are eight spheres in a cell. Cells that are 33 apart along one axis and one along
        // another share a bucket.
        let side = 48;
        let centers = (0..side * side * side)
            .map(|i| [i % side, i / side % side, i / side / side].map(|x| x as f64))
            .collect();
        let radii = vec![0.5; side * side * side];
        let table = Table::new(&Packing::new(centers, radii).unwrap());
        let given: usize = table.counts.iter().map(|&count| count as usize).sum();
        assert_eq!(given, 8 * side * side * side);
        let full: usize = table
            .counts
            .iter()
            .map(|&count| (count as usize).saturating_sub(BUCKET))
            .sum();
        assert_eq!(table.overflows(), full);
        assert!(full > 0);
        // Every sphere finds itself, once.
        let middle = 0.5 * (side - 1) as f64;
        for i in (0..side * side * side).step_by(97) {
            let at = [i % side, i / side % side, i / side / side].map(|x| x as f64);
            let at = at.map(|x| x - middle);
            let mut times = 0;
            table.search(at, 0.1, 0.0, |j| times += usize::from(i == j));
            assert_eq!(times, 1, "{i}");
        }
    }

    #[test]
    fn levels_hold_what_fits_into_their_cells() {
        let packing = Packing::new(
            vec![[0.0; 3], [10.0, 0.0, 0.0], [30.0, 0.0, 0.0]],
            vec![1.0, 2.0, 5.0],
        );
        let table = Table::new(&packing.unwrap());
        let levels = [0.5, 1.0, 1.01, 2.0, 2.01, 4.0, 5.0].map(|r| table.level(r));
        assert_eq!(levels, [0, 0, 1, 1, 2, 2, 3]);
        assert_eq!(table.levels, 4);
    }
}
