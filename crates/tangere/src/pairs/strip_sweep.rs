//! Sweep in strips: boxes are assigned to strips along one axis and swept along another axis within
//! each strip. For `n` boxes of similar sizes about `n` tests in the plane and n^(4/3) in space,
//! eight at once. Used by the sorting methods.
//!
//! Coordinates are f32 without an allowance for rounding: they are computed from f64 by monotonic
//! steps (a shift, a positive factor, a clamp, rounding) that never turn `a <= b` into `a > b`, so
//! that overlapping closed intervals still overlap. Strip indices are computed by monotonic steps
//! as well, so that overlapping boxes share a strip; a pair is reported in the first strip that
//! both boxes share.

use super::scene::Scene;
use crate::geometry::Aabb;
use crate::memory::refill;
use crate::simd::{F32x8, Lanes, widest};
use std::cell::Cell;

/// The width of a strip as a multiple of the mean length of a box across the strips. At this width
/// about half of the boxes reach into a second strip.
const WIDTH: f64 = 2.0;
/// Maximum number of swaps per box with which the last order of the boxes in strips is repaired.
/// Beyond it, sorting anew is cheaper.
const BUDGET: usize = 8;
/// Maximum number of boxes that are sampled to find the region in which most boxes of the strips
/// lie.
const SAMPLE: usize = 512;

/// Frame of the strips: maps the region in which most boxes lie to coordinates from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct StripFrame<const D: usize> {
    pub(super) origin: [f64; D],
    /// The edge lengths of the region in which most boxes of the strips lie. 1 along an axis on
    /// which this region has length 0.
    pub(super) size: [f64; D],
    /// For each axis, whether all boxes of the strips have length 0 along it and lie at the same
    /// coordinate.
    pub(super) flat: [bool; D],
    /// The mean length of the boxes of the strips along each axis.
    pub(super) mean: [f64; D],
}

impl<const D: usize> StripFrame<D> {
    /// The frame of the strips for the boxes of a scene. A few outliers are ignored: they would
    /// make the resolution coarse for all others.
    pub(super) fn new(scene: &Scene<D>) -> Self {
        let count = scene.len();
        let step = count.div_ceil(SAMPLE).max(1);
        let mut origin = [0.0; D];
        let mut size = [1.0; D];
        let mut flat = [true; D];
        let mut sample = [0.0; SAMPLE];
        let mut whole = Aabb::EMPTY;
        let mut mean = [0.0; D];
        for i in 0..count {
            let bounds = scene.bounds(i);
            whole = whole.union(&bounds);
            let extent = bounds.extent();
            for k in 0..D {
                mean[k] += extent[k] / count as f64;
            }
        }
        for k in 0..D {
            let mut taken = 0;
            for (i, low) in (0..count).step_by(step).zip(&mut sample) {
                *low = scene.bounds(i).min[k];
                taken += 1;
            }
            let sample = &mut sample[..taken];
            sample.sort_unstable_by(f64::total_cmp);
            let (mut low, mut high) = (whole.min[k], whole.max[k]);
            if let (Some(a), Some(b)) = (
                sample.get(sample.len() / 20),
                sample.get(sample.len() * 19 / 20),
            ) && b > a
            {
                let width = b - a;
                low = low.max(a - 2.0 * width);
                high = high.min(b + 2.0 * width);
            }
            if high - low > 0.0 {
                (origin[k], size[k]) = (low, high - low);
                flat[k] = false;
            }
        }
        StripFrame {
            origin,
            size,
            flat,
            mean,
        }
    }

    /// The coordinate `x` along axis `k` in the frame of the strips, clamped to the range from 0 to
    /// 1.
    #[inline]
    pub(super) fn unit(&self, x: f64, k: usize) -> f64 {
        ((x - self.origin[k]) / self.size[k]).clamp(0.0, 1.0)
    }
}

/// Boxes assigned to strips, and sorted along the sweep axis within each strip.
#[derive(Clone, Debug, Default)]
pub struct Strips<const D: usize> {
    /// The boxes in the order of their lower ends along the sweep axis of the strips, at the last
    /// update. The upper 32 bits of an entry are the bits of the lower end as a float, and the
    /// lower 32 bits are the index of the box.
    order: Vec<u64>,
    spare: Vec<u64>,
    /// The indices of the first and last strip that each box reaches.
    spans: Vec<[u32; 2]>,
    /// For each strip, the start of its boxes in `index` and `sides`, then the end of the last
    /// strip.
    starts: Vec<u32>,
    index: Vec<u32>,
    /// The coordinates of the boxes, strip by strip: `D` arrays with the lower ends along each
    /// axis, then `D` arrays with the upper ends. The sweep axis is the first of the axes.
    sides: [Vec<f32>; 6],
}

impl<const D: usize> Strips<D> {
    /// Sorts the boxes of a scene into strips.
    pub(super) fn update(&mut self, scene: &Scene<D>) {
        let count = scene.len();
        let frame = StripFrame::new(scene);
        // Sweep along the least crowded axis, strips along the next.
        let crowding = |k: usize| match frame.flat[k] {
            true => f64::INFINITY,
            false => frame.mean[k] / frame.size[k],
        };
        let mut axes: [usize; D] = std::array::from_fn(|k| k);
        axes.sort_by(|&a, &b| crowding(a).total_cmp(&crowding(b)));
        let strips = (1.0 / (WIDTH * crowding(axes[1])))
            .min(count as f64)
            .max(1.0);
        let strip = |x: f64| (frame.unit(x, axes[1]) * strips).min(strips - 1.0) as u32;

        // The bits of nonnegative floats sort as the floats do; -0 becomes 0.
        self.sort(count, |i| {
            (frame.unit(scene.bounds(i).min[axes[0]], axes[0]) as f32 + 0.0).to_bits()
        });
        self.spans.clear();
        refill(&mut self.starts, strips as usize + 1, 0);
        for i in 0..count {
            let bounds = scene.bounds(i);
            let span = [strip(bounds.min[axes[1]]), strip(bounds.max[axes[1]])];
            for s in span[0]..=span[1] {
                self.starts[s as usize] += 1;
            }
            self.spans.push(span);
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        let total = sum as usize;
        refill(&mut self.index, total, 0);
        for sides in &mut self.sides[..2 * D] {
            // Padding lanes overlap nothing.
            refill(sides, total + 8, f32::NAN);
        }
        // Backward from the ends, so that ends become starts and order stays.
        for &key in self.order.iter().rev() {
            let i = key as u32;
            let bounds = scene.bounds(i as usize);
            for s in self.spans[i as usize][0]..=self.spans[i as usize][1] {
                let start = &mut self.starts[s as usize];
                *start -= 1;
                let slot = *start as usize;
                self.index[slot] = i;
                for (side, &k) in axes.iter().enumerate() {
                    self.sides[side][slot] = frame.unit(bounds.min[k], k) as f32;
                    self.sides[D + side][slot] = frame.unit(bounds.max[k], k) as f32;
                }
            }
        }
    }

    /// Sorts boxes by `key`, their lower end along the sweep axis of the strips. It starts from the
    /// order of the last update.
    fn sort(&mut self, count: usize, key: impl Fn(usize) -> u32) {
        let entry = |i: usize| u64::from(key(i)) << 32 | i as u64;
        let order = &mut self.order;
        if order.len() == count {
            order
                .iter_mut()
                .for_each(|e| *e = entry(*e as u32 as usize));
            let mut budget = BUDGET * count;
            let mut sorted = 1;
            while sorted < count {
                let moved = order[sorted];
                let mut at = sorted;
                while at > 0 && order[at - 1] > moved && budget > 0 {
                    order[at] = order[at - 1];
                    at -= 1;
                    budget -= 1;
                }
                order[at] = moved;
                if budget == 0 {
                    break;
                }
                sorted += 1;
            }
            if sorted >= count {
                return;
            }
        } else {
            order.clear();
            order.extend((0..count).map(entry));
        }
        // Radix sort, eleven bits at a time; items of equal keys may come in any order.
        self.spare.resize(count, 0);
        for shift in [32, 43, 54] {
            let digit = |e: u64| (e >> shift & 0x7ff) as usize;
            let mut starts = [0u32; 0x800];
            order.iter().for_each(|&e| starts[digit(e)] += 1);
            let mut sum = 0;
            for start in &mut starts {
                sum += std::mem::replace(start, sum);
            }
            for &e in order.iter() {
                let start = &mut starts[digit(e)];
                self.spare[*start as usize] = e;
                *start += 1;
            }
            std::mem::swap(order, &mut self.spare);
        }
    }

    /// Sweeps all strips: calls `visit` with every pair of overlapping boxes, each once, and with
    /// some pairs that nearly overlap. If `visit` sets `more` to false, the sweep ends after the
    /// current box. Returns the number of tests.
    pub(super) fn overlaps(&self, mut visit: impl FnMut(u32, u32), more: &Cell<bool>) -> usize {
        let mut tests = 0;
        widest(
            #[inline(always)]
            || {
                for s in 0..self.starts.len().saturating_sub(1) {
                    let strip = self.starts[s] as usize..self.starts[s + 1] as usize;
                    for a in strip.clone() {
                        if !more.get() {
                            return;
                        }
                        tests += self.meet(s as u32, a, strip.end, &mut visit);
                    }
                }
            },
        );
        tests
    }

    /// One step of the sweep in a strip: tests the box at position `a` against the later boxes of
    /// the strip, which ends at position `end`. Returns the number of tests.
    #[inline(always)]
    fn meet(&self, strip: u32, a: usize, end: usize, visit: &mut impl FnMut(u32, u32)) -> usize {
        let i = self.index[a];
        let side = |k: usize| self.sides[k][a];
        let begins = &self.sides[0];
        let mut j = a + 1;
        // The next eight are sorted: the first of them decides whether to go on.
        while j < end && begins[j] <= side(D) {
            let lanes = |k: usize| match self.sides[k][j..].first_chunk::<8>() {
                Some(chunk) => F32x8(*chunk),
                None => F32x8::splat(f32::NAN),
            };
            let mut near = lanes(0).at_most(F32x8::splat(side(D))).bits();
            for k in 1..D {
                near &= lanes(k).at_most(F32x8::splat(side(D + k))).bits();
                near &= F32x8::splat(side(k)).at_most(lanes(D + k)).bits();
            }
            if end - j < 8 {
                near &= (1 << (end - j)) - 1;
            }
            for lane in Lanes(near) {
                let b = self.index[j + lane];
                let first = self.spans[i as usize][0].max(self.spans[b as usize][0]);
                if first == strip {
                    visit(i, b);
                }
            }
            j += 8;
        }
        j - a - 1
    }
}
