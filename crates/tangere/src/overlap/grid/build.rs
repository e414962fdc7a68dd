//! Parallel build of the hierarchical grid of a packing: spheres are counted by class of radii,
//! distributed to bands (ranges of consecutive cells), then sorted by cell within each band, with a
//! counting sort. `O(n)`; a rebuild reuses the memory.

use super::level::{Class, FEW, Level};
use super::{Block, Grid, Record, Scaled};
use crate::geometry::Aabb;
use crate::pairs::bucket_sort::{Buckets, counting_sort};
use crate::parallel::parts;
use crate::simd::{LANES, prefetch, widest};
use rayon::prelude::*;

/// The number of spheres that are distributed at once: their keys fit on the stack.
const CHUNK: usize = 2048;
/// The largest number of classes of radii: radii are from 2^-300 to 2^200, and double from class to
/// class.
const CLASSES: usize = 512;
/// The largest number of bands of cells that spheres are distributed to.
const BANDS: usize = 128;

/// The prefetch distance, in spheres.
const AHEAD: usize = 12;

/// Scratch memory of a build of the grid.
#[derive(Clone, Debug, Default)]
pub(super) struct Building {
    classes: Vec<Class>,
    deal: Buckets<Dealt>,
}

/// A sphere while the build sorts it.
#[derive(Clone, Copy, Debug, Default)]
struct Dealt {
    cell: u32,
    index: u32,
}

/// Returns the class of a radius, for the build of a packing's grid: the binary exponent of its
/// ratio to the smallest radius of the packing; `inverse` is one over the smallest radius.
#[inline(always)]
fn class_of(radius: f64, inverse: f64) -> usize {
    // The smallest radius times its inverse may round to slightly less than 1.
    (((radius * inverse).to_bits() >> 52) as usize)
        .saturating_sub(1023)
        .min(CLASSES - 1)
}

/// Returns whether the build of a packing's grid adds the class of radii with index `own` to a
/// level that already has the coarser classes down to `finest`: if both together have few spheres,
/// or if it is the next finer class and has less than half as many spheres as the level.
fn joins(level: &Class, finest: usize, class: &Class, own: usize) -> bool {
    let (count, more) = (level.count as usize, class.count as usize);
    count + more <= FEW || (own + 1 == finest && 2 * more < count)
}

/// Returns 2 to the power of an exponent in or near the range of radii, for the build of a
/// packing's grid.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023).clamp(1, 2046) as u64) << 52)
}

impl Grid {
    /// Rebuilds a packing's hierarchical grid: sorts the spheres of a packing with a known AABB
    /// into levels and cells. Weights are 1 where none are given.
    pub(crate) fn rebuild(
        &mut self,
        centers: &[[f64; 3]],
        radii: &[f64],
        weights: &[f64],
        bounds: &Aabb<3>,
    ) {
        let middle = bounds.center();
        let half = (0..3).fold(0.0_f64, |half, k| {
            half.max(bounds.max[k] - middle[k])
                .max(middle[k] - bounds.min[k])
        });
        // The least power of two above `half`.
        let exponent = (half.to_bits() >> 52) as i32 - 1023 + 1;
        let frame = Scaled {
            middle,
            scale: power(-exponent),
        };
        self.frame = frame;
        let least = radii
            .par_iter()
            .with_min_len(CHUNK)
            .copied()
            .reduce(|| f64::INFINITY, f64::min);
        let inverse = 1.0 / least;
        let chunks = radii.len().div_ceil(CHUNK);
        let range = |c: usize| c * CHUNK..((c + 1) * CHUNK).min(radii.len());
        let classes = &mut self.building.classes;
        classes.clear();
        classes.resize(chunks.max(1) * CLASSES, Class::NONE);
        classes
            .par_chunks_mut(CLASSES)
            .take(chunks)
            .enumerate()
            .for_each(|(c, classes)| {
                widest(|| {
                    for (center, &radius) in centers[range(c)].iter().zip(&radii[range(c)]) {
                        classes[class_of(radius, inverse)]
                            .add(frame.scaled(*center, radius), radius);
                    }
                });
            });
        let (all, rest) = classes.split_at_mut(CLASSES);
        for chunk in rest.chunks_exact(CLASSES) {
            for (class, other) in all.iter_mut().zip(chunk) {
                if other.count > 0 {
                    class.join(other);
                }
            }
        }
        self.levels.clear();
        let mut level_of = [0_u16; CLASSES];
        let (mut first, mut cells) = (0, 0);
        let mut push = |class: Class, finest: usize, levels: &mut Vec<Level>| {
            let level = Level::new(
                least * power(finest as i32),
                class,
                frame.scale,
                first,
                cells,
            );
            (first, cells) = (level.end, cells + level.slots);
            levels.push(level);
        };
        let mut open: Option<(Class, usize)> = None;
        // Coarse classes come first.
        for i in (0..CLASSES).rev().filter(|&i| all[i].count > 0) {
            open = Some(match open {
                Some((mut joined, finest)) if joins(&joined, finest, &all[i], i) => {
                    joined.join(&all[i]);
                    // A level of few spheres joins any other; few finer spheres join their next
                    // coarser level.
                    let few = joined.count as usize <= FEW;
                    (joined, if few { i } else { finest })
                }
                other => {
                    if let Some((class, finest)) = other {
                        push(class, finest, &mut self.levels);
                    }
                    (all[i], i)
                }
            });
            level_of[i] = self.levels.len() as u16;
        }
        if let Some((class, finest)) = open {
            push(class, finest, &mut self.levels);
        }
        let shift = (0..).find(|s| cells.div_ceil(1 << s) <= BANDS).unwrap_or(0);
        let bands = cells.div_ceil(1 << shift);
        let levels = &self.levels;
        let deal = &mut self.building.deal;
        deal.distribute(
            (0..chunks).map(|c| range(c).len()),
            bands,
            |c, buckets, out| {
                let mut keys = [0_u32; CHUNK];
                let keys = &mut keys[..range(c).len()];
                widest(|| {
                    let spheres = centers[range(c)].iter().zip(&radii[range(c)]);
                    for (key, (center, &radius)) in keys.iter_mut().zip(spheres) {
                        let [x, y, z, _] = frame.scaled(*center, radius);
                        let level = &levels[level_of[class_of(radius, inverse)] as usize];
                        *key = level.home([x, y, z]) as u32;
                    }
                });
                let index = |i: usize, &cell: &u32| Dealt {
                    cell,
                    index: (c * CHUNK + i) as u32,
                };
                counting_sort(keys, |cell| cell >> shift, index, buckets, out);
            },
        );
        let count = radii.len();
        self.records.resize(count, Record::default());
        self.order.resize(count, 0);
        self.starts.resize(cells + 1, 0);
        self.starts[cells] = count as u32;
        parts(
            bands,
            ((&mut self.records[..], &mut self.order[..]), &|b| {
                deal.joined()[b + 1]
            }),
            (&mut self.starts[..cells], &|b| {
                ((b + 1) << shift).min(cells)
            }),
            &|band, (records, order): (&mut [Record], &mut [u32]), starts| {
                let base = deal.joined()[band] as u32;
                let cell = |dealt: &Dealt| dealt.cell as usize - (band << shift);
                deal.count_out(band, starts, cell);
                for segment in deal.segments(band) {
                    for (k, dealt) in segment.iter().enumerate() {
                        // The spheres of a band are scattered in memory.
                        if let Some(next) = segment.get(k + AHEAD) {
                            prefetch(centers, next.index as usize);
                            prefetch(radii, next.index as usize);
                        }
                        let start = &mut starts[cell(dealt)];
                        let (at, i) = (*start as usize, dealt.index as usize);
                        *start += 1;
                        order[at] = dealt.index;
                        let weight = weights.get(i).copied().unwrap_or(1.0);
                        records[at] = Record::new(frame.relative(centers[i]), radii[i], weight);
                    }
                }
                // Each start has become the start of the next cell.
                starts.rotate_right(1);
                starts[0] = 0;
                for start in starts.iter_mut() {
                    *start += base;
                }
            },
        );
        self.blocks.resize(count.div_ceil(LANES), Block::default());
        let blocks = self.blocks.par_iter_mut().with_min_len(CHUNK / LANES);
        blocks
            .zip(self.records.par_chunks(LANES))
            .for_each(|(block, records)| {
                for (lane, Record([x, y, z, r, ..])) in records.iter().enumerate() {
                    for (row, value) in [x, y, z, r].into_iter().enumerate() {
                        block.0[row][lane] = (value * frame.scale) as f32;
                    }
                }
            });
    }
}
