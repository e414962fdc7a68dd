//! Search of two packings with a published table of cells (weller2014, algorithms 1 and 2).
//! The cost is `O(n)` for each level.
//!
//! Every sphere of `a` searches for spheres of `b` that are not smaller, from its own level upward;
//! every sphere of `b` searches for spheres of `a` that are larger.

use super::super::pair_sums::{Adder, Placed, Sums};
use super::super::relative_pose::RelativePose;
use super::cells::{Cells, Key, between};
use super::report::TableReport;
use crate::shape::Packing;
use crate::stop::Current;
use rayon::prelude::*;

/// The number of spheres in a chunk of parallel work.
const CHUNK: usize = 256;
/// Bound on the rounding error of a sphere's centre, relative to a sum of lengths: half the extents
/// of the AABBs of both packings along each axis, and the components of the vector between the
/// middles of the AABBs.
const SLACK: f64 = 64.0 * f64::EPSILON;

/// A published table of the cells of a packing.
pub(crate) trait CellTable: Sync {
    /// Returns the table of a packing, which is built at first use.
    fn of(packing: &Packing) -> &Self;

    /// Returns the cells that the table stores.
    fn cells(&self) -> &Cells;

    /// Calls `visit` with every sphere stored in a cell, and possibly with spheres of other cells.
    fn visit(&self, key: Key, visit: impl FnMut(u32));

    /// Returns occupancy and memory of the table, which is that of `packing`.
    fn report(&self, packing: &Packing) -> TableReport;

    /// Searches the cells: calls `found` once with the index of every sphere whose box may overlap
    /// the box of a sphere with the given centre and radius, widened by `slack`, and whose level is
    /// the same or coarser.
    #[inline(always)]
    fn search(&self, center: [f64; 3], radius: f64, slack: f64, mut found: impl FnMut(usize)) {
        let cells = self.cells();
        let reach = radius + slack;
        let outside = (0..3).any(|k| center[k].abs() > cells.half[k] + reach);
        if outside {
            return;
        }
        for level in cells.level(radius)..cells.levels {
            let ends = cells.range(center, reach, level);
            for cell in between(ends) {
                self.visit((level, cell), |sphere| {
                    let (own, corner) = cells.homes[sphere as usize];
                    let shared = |k: usize| cell[k] == ends[0][k].max(corner[k]);
                    if own == level && shared(0) && shared(1) && shared(2) {
                        found(sphere as usize);
                    }
                });
            }
        }
    }
}

/// Two packings, whose published tables are searched, and their relative pose.
#[derive(Clone, Copy)]
struct PackingPair<'a, T> {
    packings: [&'a Packing; 2],
    tables: [&'a T; 2],
    relative_pose: &'a RelativePose,
    /// The margin by which boxes of spheres are widened, to cover the rounding of their centres.
    slack: f64,
}

impl<'a, T: CellTable> PackingPair<'a, T> {
    /// Returns the pair of two packings at a relative pose, for searches of their published tables.
    fn new(packings: [&'a Packing; 2], relative_pose: &'a RelativePose) -> Self {
        let tables = packings.map(T::of);
        let [a, b] = tables.map(|table| &table.cells().half);
        let far = relative_pose.offset.iter().chain(a).chain(b);
        Self {
            packings,
            tables,
            relative_pose,
            slack: SLACK * far.fold(0.0, |far: f64, x| far + x.abs()),
        }
    }

    /// Returns sphere `i` of packing `side` (0 for `a`, 1 for `b`), in the frame of `b`.
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

    /// Searches the published table of the other packing for sphere `i` of packing `side`, 0 for
    /// `a` and 1 for `b`. Calls `found` for every overlapping sphere that is not smaller or, for a
    /// sphere of `b`, that is larger, so that each pair is found once. The arguments of `found` are
    /// the index of the overlapping sphere, sphere `i` itself and the overlapping sphere.
    fn search(&self, side: usize, i: usize, mut found: impl FnMut(usize, &Placed, &Placed)) {
        let mine = self.placed(side, i);
        let at = if side == 0 {
            mine.center
        } else {
            self.relative_pose.back(mine.center)
        };
        let others = self.tables[1 - side];
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
/// by a published table, or over some of them if the query is stopped. `parts` is scratch memory.
pub(in crate::overlap) fn sums<T: CellTable>(
    packings: [&Packing; 2],
    relative_pose: &RelativePose,
    stop: &Current,
    parts: &mut Vec<Sums>,
) -> Sums {
    let both = PackingPair::<T>::new(packings, relative_pose);
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

/// Appends all overlapping pairs of spheres, found by a published table, to `found` and sorts it;
/// only some pairs if the query is stopped.
pub(in crate::overlap) fn pairs<T: CellTable>(
    packings: [&Packing; 2],
    relative_pose: &RelativePose,
    stop: &Current,
    found: &mut Vec<[u32; 2]>,
) {
    let both = PackingPair::<T>::new(packings, relative_pose);
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
