//! Narrow phase of the hierarchical grid: decides in f64 which candidate pairs of spheres overlap,
//! and sums their contributions, eight pairs at a time.

use super::search::select;
use super::{Grid, Record};
use crate::overlap::pair_sums::{Placed, SUMS, Sums, terms};
use crate::overlap::relative_pose::RelativePose;
use crate::simd::{LANES, RealKernel, Reals, prefetch, run_reals, splat_all};

/// The number of candidate pairs at which the buffer is full and its pairs are decided.
const KEPT: usize = 256;

/// Receives candidate pairs. A pair is given by the indices of a query sphere and of a found
/// sphere, each in the order of its grid (sorted by level, then by cell).
pub(super) trait Sink {
    /// Takes candidate pairs of spheres to the narrow phase: the query sphere `querying` with each
    /// found sphere `from + lane` for which bit `lane` of `bits` is set.
    fn take<V: crate::simd::Vector>(&mut self, querying: u32, bits: u32, from: u32);
}

/// A buffer of candidate pairs that wait for the narrow phase: scratch memory of a thread.
#[derive(Clone, Debug)]
pub(in crate::overlap) struct CandidateBuffer {
    /// The index of the query sphere of each pair; `found` has the index of the found sphere.
    querying: [u32; KEPT + 3 * LANES],
    found: [u32; KEPT + 3 * LANES],
    len: usize,
}

impl CandidateBuffer {
    /// Returns an empty buffer of candidate pairs of spheres for the narrow phase.
    pub(in crate::overlap) const fn new() -> Self {
        Self {
            querying: [0; KEPT + 3 * LANES],
            found: [0; KEPT + 3 * LANES],
            len: 0,
        }
    }

    /// Adds candidate pairs to the buffer of the narrow phase: the query sphere `querying` with
    /// each sphere `from + lane` for which bit `lane` of `bits` is set. Returns whether the buffer
    /// is full.
    #[inline(always)]
    fn push<V: crate::simd::Vector>(&mut self, querying: u32, bits: u32, from: u32) -> bool {
        let at = self.len.min(KEPT);
        if let Some(out) = self.found[at..].first_chunk_mut() {
            select::<V>(bits, from, out);
        }
        if let Some(out) = self.querying[at..].first_chunk_mut::<LANES>() {
            *out = [querying; LANES];
        }
        self.len = at + bits.count_ones() as usize;
        self.len >= KEPT
    }
}

/// Two packings, given by their grids, and their relative pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackingPair<'a> {
    pub(super) grids: [&'a Grid; 2],
    pub(super) relative_pose: &'a RelativePose,
}

/// Receives candidate pairs and sums the contributions of those that overlap: volume, moment, force
/// and torque.
#[derive(Debug)]
pub(in crate::overlap) struct SumSink<'a> {
    records: [&'a [Record]; 2],
    relative_pose: &'a RelativePose,
    /// The packing of the query spheres: 0 for `a`, 1 for `b`.
    side: usize,
    waiting: &'a mut CandidateBuffer,
    sums: [[f64; LANES]; SUMS],
    pairs: usize,
}

impl<'a> SumSink<'a> {
    /// Returns a narrow phase for candidate pairs of spheres of two grids, which sums over those
    /// pairs that overlap. The query spheres are those of packing `side`, 0 for `a` and 1 for `b`.
    pub(super) fn new(
        both: PackingPair<'a>,
        side: usize,
        waiting: &'a mut CandidateBuffer,
    ) -> Self {
        let records = both.grids.map(|grid| &grid.records[..]);
        Self::of_records(records, both.relative_pose, side, waiting)
    }

    /// Returns a narrow phase for candidate pairs of spheres, which sums over those pairs that
    /// overlap, given the records of the spheres of `a` and of `b` and their relative pose. The
    /// query spheres are those of packing `side`, 0 for `a` and 1 for `b`.
    pub(in crate::overlap) fn of_records(
        records: [&'a [Record]; 2],
        relative_pose: &'a RelativePose,
        side: usize,
        waiting: &'a mut CandidateBuffer,
    ) -> Self {
        waiting.len = 0;
        Self {
            records,
            relative_pose,
            side,
            waiting,
            sums: [[0.0; LANES]; SUMS],
            pairs: 0,
        }
    }

    /// Adds the candidate pair of a query sphere and a found sphere to the narrow phase.
    #[inline(always)]
    pub(in crate::overlap) fn push(&mut self, querying: u32, found: u32) {
        let at = self.waiting.len.min(KEPT);
        self.waiting.querying[at] = querying;
        self.waiting.found[at] = found;
        self.waiting.len = at + 1;
        if self.waiting.len >= KEPT {
            self.decide(KEPT);
        }
    }

    /// Returns the sums (volume, moment, force and torque) over all added candidate pairs of
    /// spheres that the narrow phase finds to overlap.
    pub(in crate::overlap) fn sums(mut self) -> Sums {
        self.decide(self.waiting.len);
        Sums::of_lanes(&self.sums, self.pairs)
    }

    /// Decides the first `count` candidate pairs of spheres in the buffer: adds the contributions
    /// of those that overlap to the sums, and removes all of them from the buffer.
    #[inline(never)]
    fn decide(&mut self, count: usize) {
        let waiting = &*self.waiting;
        let (querying, found) = (&waiting.querying, &waiting.found);
        let (of_a, of_b) = if self.side == 0 {
            (querying, found)
        } else {
            (found, querying)
        };
        self.pairs += run_reals(Eights {
            indices: [of_a, of_b],
            found: 1 - self.side,
            count,
            records: self.records,
            relative_pose: self.relative_pose,
            sums: &mut self.sums,
        });
        let rest = count..self.waiting.len;
        self.waiting.len = rest.len();
        self.waiting.querying.copy_within(rest.clone(), 0);
        self.waiting.found.copy_within(rest, 0);
    }
}

impl Sink for SumSink<'_> {
    #[inline(always)]
    fn take<V: crate::simd::Vector>(&mut self, querying: u32, bits: u32, from: u32) {
        if self.waiting.push::<V>(querying, bits, from) {
            self.decide(KEPT);
        }
    }
}

/// The kernel that decides which candidate pairs overlap and sums their contributions, in batches
/// of eight.
struct Eights<'a> {
    indices: [&'a [u32; KEPT + 3 * LANES]; 2],
    /// The packing of the found spheres: 0 for `a`, 1 for `b`.
    found: usize,
    count: usize,
    records: [&'a [Record]; 2],
    relative_pose: &'a RelativePose,
    sums: &'a mut [[f64; LANES]; SUMS],
}

impl RealKernel for Eights<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Reals>(self) -> usize {
        const LANE: [f64; LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let [of_a, of_b] = self.records;
        let (Some(none_a), Some(none_b)) = (of_a.first(), of_b.first()) else {
            return 0;
        };
        let [m0, m1, m2] = self.relative_pose.matrix;
        let matrix = [
            splat_all::<V, 3>(m0),
            splat_all::<V, 3>(m1),
            splat_all::<V, 3>(m2),
        ];
        let offset = splat_all::<V, 3>(self.relative_pose.offset);
        let mut sums = [V::splat(0.0); SUMS];
        for i in 0..SUMS {
            sums[i] = V::load(&self.sums[i]);
        }
        let mut pairs = 0;
        for at in (0..self.count).step_by(LANES) {
            let (Some(i), Some(j)) = (
                self.indices[0][at..].first_chunk::<LANES>(),
                self.indices[1][at..].first_chunk::<LANES>(),
            ) else {
                break;
            };
            // Found spheres are scattered in memory; query spheres are near each other.
            if let Some(next) = self.indices[self.found][at + 2 * LANES..].first_chunk::<LANES>() {
                for &place in next {
                    prefetch(self.records[self.found], place as usize);
                }
            }
            // Indices after the last candidate are those of earlier candidates, or 0.
            let mut a = [&none_a.0; LANES];
            let mut b = [&none_b.0; LANES];
            for lane in 0..LANES {
                a[lane] = &of_a.get(i[lane] as usize).unwrap_or(none_a).0;
                b[lane] = &of_b.get(j[lane] as usize).unwrap_or(none_b).0;
            }
            let [x, y, z, r, v, ..] = V::transposed(a);
            let [bx, by, bz, s, w, ..] = V::transposed(b);
            // The steps of `RelativePose::of_relative`.
            let ax = matrix[0][0] * x + matrix[0][1] * y + matrix[0][2] * z + offset[0];
            let ay = matrix[1][0] * x + matrix[1][1] * y + matrix[1][2] * z + offset[1];
            let az = matrix[2][0] * x + matrix[2][1] * y + matrix[2][2] * z + offset[2];
            let (squared, values) = terms([ax, ay, az, r, v], [bx, by, bz, s, w]);
            let reach = r + s;
            let left = V::splat((self.count - at) as f64);
            let overlap = V::and(squared.below(reach * reach), V::load(&LANE).below(left));
            pairs += V::bits(overlap).count_ones() as usize;
            for k in 0..SUMS {
                sums[k] = sums[k] + values[k].only(overlap);
            }
        }
        for i in 0..SUMS {
            sums[i].store(&mut self.sums[i]);
        }
        pairs
    }
}

/// Receives candidate pairs of spheres and lists those that overlap, by the indices of the spheres
/// in their packings.
#[derive(Debug)]
pub(super) struct PairList<'a> {
    pub(super) both: PackingPair<'a>,
    pub(super) side: usize,
    pub(super) pairs: &'a mut Vec<[u32; 2]>,
}

impl Sink for PairList<'_> {
    #[inline(always)]
    fn take<V: crate::simd::Vector>(&mut self, querying: u32, bits: u32, from: u32) {
        for lane in crate::simd::Lanes(bits) {
            self.decide(querying, from + lane as u32);
        }
    }
}

impl PairList<'_> {
    /// Narrow phase of a candidate pair of spheres: adds it to the list if they overlap.
    fn decide(&mut self, querying: u32, found: u32) {
        let indices = if self.side == 0 {
            [querying, found]
        } else {
            [found, querying]
        };
        let [a, b] = self.both.grids;
        let [i, j] = indices.map(|place| place as usize);
        let [of_a, of_b] = [&a.records[i], &b.records[j]].map(Record::placed);
        let moved = Placed {
            center: self.both.relative_pose.of_relative(of_a.center),
            ..of_a
        };
        if moved.overlaps(&of_b) {
            self.pairs.push([a.order[i], b.order[j]]);
        }
    }
}

/// Receives candidate pairs of spheres within one packing and keeps that overlapping pair which is
/// first in ascending order of indices.
#[derive(Debug)]
pub(super) struct SelfOverlapSink<'a, F> {
    pub(super) order: &'a [u32],
    pub(super) overlaps: &'a F,
    /// The first overlapping pair found so far, as indices in the packing, the lower first.
    pub(super) first: Option<[usize; 2]>,
}

impl<F: Fn([usize; 2]) -> bool> Sink for SelfOverlapSink<'_, F> {
    #[inline(always)]
    fn take<V: crate::simd::Vector>(&mut self, querying: u32, bits: u32, from: u32) {
        for lane in crate::simd::Lanes(bits) {
            self.decide(querying as usize, from as usize + lane);
        }
    }
}

impl<F: Fn([usize; 2]) -> bool> SelfOverlapSink<'_, F> {
    /// Narrow phase of a candidate pair of spheres within one packing: replaces `first` if this
    /// pair overlaps and comes before it in ascending order of indices.
    fn decide(&mut self, querying: usize, found: usize) {
        let (i, j) = (self.order[querying] as usize, self.order[found] as usize);
        let pair = [i.min(j), i.max(j)];
        let is_first = self.first.is_none_or(|first| pair < first);
        if i != j && is_first && (self.overlaps)(pair) {
            self.first = Some(pair);
        }
    }
}
