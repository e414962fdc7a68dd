//! Candidate list: the candidate pairs of a Verlet list ([`super::verlet_list`]), and the exact
//! test which of them touch now.
//!
//! Each candidate is tested by the same contact rule as in all methods, in parallel by chunks. One
//! bit per candidate marks the touching ones, so that they stay in the order of the candidates.

use super::PairSettings;
use super::pair_contact::PairContact;
use super::pair_limit::{reserve, too_many};
use super::periodic_cell::{Image, Periodic};
use super::scene::{Shapes, boxes_touch, spheres_touch};
use crate::error::Result;
use crate::memory::refill;
use crate::parallel::parts;
use crate::simd::Lanes;
use rayon::prelude::*;

/// The number of candidate pairs whose touch bits share a `u32`.
const WORD: usize = 32;
/// The number of `u32` words of touch bits in a chunk of candidate pairs, which one task tests.
const WORDS: usize = 128;

/// The candidates of a Verlet list, and the items at their present positions.
#[derive(Clone, Debug)]
pub(super) struct CandidateList<const D: usize> {
    /// The candidate pairs of the Verlet list, sorted. Each pair is the indices of two items, the
    /// lower index first.
    pub(super) candidates: Vec<[u32; 2]>,
    /// For each candidate pair, the periodic image of the second item relative to the first when
    /// the Verlet list was built. Empty in open space.
    pub(super) images: Vec<Image<D>>,
    /// Whether some candidate pair is listed in several periodic images, or some item is listed
    /// with its own image.
    pub(super) repeated: bool,
    /// The items at their present positions.
    pub(super) now: Shapes<D>,
    /// The present periodic cell, if any.
    pub(super) cell: Option<Periodic<D>>,
    /// For each item, the number of periods along each edge of the periodic cell by which the
    /// caller has shifted it since the Verlet list was built, usually to wrap it into the cell.
    /// Empty in open space or right after a build.
    pub(super) jumps: Vec<Image<D>>,
    /// One bit for each candidate pair, set if the pair touches at the present positions.
    bits: Vec<u32>,
    /// For each chunk of candidate pairs, the number of touching pairs in this chunk and all
    /// earlier ones.
    ends: Vec<usize>,
}

impl<const D: usize> Default for CandidateList<D> {
    fn default() -> Self {
        CandidateList {
            candidates: Vec::new(),
            images: Vec::new(),
            repeated: false,
            now: Shapes::NONE,
            cell: None,
            jumps: Vec::new(),
            bits: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<const D: usize> CandidateList<D> {
    /// Removes all candidates of the candidate list; its memory is kept.
    pub(super) fn clear(&mut self) {
        self.candidates.clear();
        self.images.clear();
        self.jumps.clear();
        self.repeated = false;
    }

    /// The present periodic image of the second item of pair `c` of the candidate list, relative to
    /// the first item.
    #[inline]
    fn image(&self, c: usize) -> Image<D> {
        let Some(&image) = self.images.get(c) else {
            return [0; D];
        };
        if self.jumps.is_empty() {
            return image;
        }
        let [a, b] = self.candidates[c].map(|i| self.jumps[i as usize]);
        std::array::from_fn(|k| image[k] + a[k] - b[k])
    }

    /// The translation from the second item of pair `c` of the candidate list to its present
    /// periodic image. 0 in open space.
    #[inline]
    fn shift(&self, c: usize) -> [f64; D] {
        match &self.cell {
            None => [0.0; D],
            Some(cell) => cell.shift(self.image(c)),
        }
    }

    /// Marks the touching pairs of the candidate list, each image of a pair by itself.
    pub(super) fn mark(&mut self, margin: f64) {
        let mut bits = std::mem::take(&mut self.bits);
        refill(&mut bits, self.candidates.len().div_ceil(WORD), 0);
        let this = &*self;
        let pair = |c: usize| this.candidates[c].map(|i| i as usize);
        match (&this.now, &this.cell) {
            (now, Some(_)) => fill(&mut bits, this.candidates.len(), |c| {
                let [a, b] = pair(c);
                now.touch(a, b, this.shift(c), margin)
            }),
            (Shapes::Spheres { centers, radii }, None) => {
                fill(&mut bits, this.candidates.len(), |c| {
                    let [a, b] = pair(c);
                    let (p, q) = (&centers[a], &centers[b]);
                    let offset = std::array::from_fn(|k| q[k] - p[k]);
                    spheres_touch::<D>(offset, radii[a] + radii[b] + margin)
                });
            }
            (Shapes::Boxes { lower, upper }, None) => {
                fill(&mut bits, this.candidates.len(), |c| {
                    let [a, b] = pair(c);
                    let (a, b) = ((&lower[a], &upper[a]), (&lower[b], &upper[b]));
                    boxes_touch(a, b, [0.0; D], margin)
                });
            }
        }
        self.bits = bits;
    }

    /// Marks the touching pairs of the candidate list, each pair in one image only and no item with
    /// itself, and counts them by chunk. If there are more than `settings.most`, it is an error.
    pub(super) fn mark_pairs(&mut self, settings: &PairSettings<D>) -> Result<()> {
        self.mark(settings.margin);
        if self.repeated {
            let mut last = None;
            for (c, pair) in self.candidates.iter().enumerate() {
                let bit = 1 << (c % WORD);
                if self.bits[c / WORD] & bit == 0 {
                    continue;
                }
                if last == Some(pair) || pair[0] == pair[1] {
                    self.bits[c / WORD] &= !bit;
                }
                last = Some(pair);
            }
        }
        let mut end = 0;
        self.ends.clear();
        self.ends.extend(self.bits.chunks(WORDS).map(|words| {
            end += words.iter().map(|w| w.count_ones() as usize).sum::<usize>();
            end
        }));
        match end <= settings.most {
            true => Ok(()),
            false => Err(too_many(settings.most)),
        }
    }

    /// Writes the marked pairs of the candidate list to `out`.
    pub(super) fn write(&self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        let count = self.ends.last().map_or(0, |&end| end);
        reserve(out, count.saturating_sub(out.len()), count)?;
        out.resize(count, [0; 2]);
        parts(
            self.ends.len(),
            (&mut out[..], &|c| self.ends[c]),
            (&mut [][..], &|_| 0),
            &|c, out: &mut [[u32; 2]], _: &mut [()]| {
                for (slot, c) in out.iter_mut().zip(self.marked(c)) {
                    *slot = self.candidates[c];
                }
            },
        );
        Ok(())
    }

    /// Writes marked pairs of the candidate list to `out`, from the lower item `first` on, until
    /// there are `enough` pairs. All pairs with the same lower item are written in one call.
    /// Returns the `first` of the next call, or `None` after the last pair.
    pub(super) fn chunk(&self, first: u32, enough: usize, out: &mut Vec<[u32; 2]>) -> Option<u32> {
        let from = self.candidates.partition_point(|pair| pair[0] < first);
        for chunk in from / (WORD * WORDS)..self.ends.len() {
            for c in self.marked(chunk).skip_while(|&c| c < from) {
                let pair = self.candidates[c];
                if out.len() >= enough && out.last().is_some_and(|last| last[0] != pair[0]) {
                    return Some(pair[0]);
                }
                out.push(pair);
            }
        }
        None
    }

    /// The indices of the marked candidates in a chunk of the candidate list.
    fn marked(&self, chunk: usize) -> impl Iterator<Item = usize> {
        let from = chunk * WORDS;
        let to = (from + WORDS).min(self.bits.len());
        (from..to).flat_map(|w| Lanes(self.bits[w]).map(move |bit| w * WORD + bit))
    }

    /// Writes the contacts of the marked pairs of the candidate list to `out`, in the order of
    /// candidates.
    pub(super) fn contacts(&self, out: &mut Vec<PairContact<D>>) -> Result<()> {
        let count = self.bits.iter().map(|word| word.count_ones() as usize);
        let count = count.sum();
        reserve(out, count, count)?;
        let contact = |c: usize| {
            let pair = self.candidates[c];
            let [a, b] = pair.map(|i| i as usize);
            let (gap, normal) = self.now.separation(a, b, self.shift(c));
            PairContact {
                pair,
                image: self.image(c),
                gap,
                normal,
            }
        };
        for chunk in 0..self.bits.len().div_ceil(WORDS) {
            out.extend(self.marked(chunk).map(contact));
        }
        Ok(())
    }
}

/// Sets the bits of the pairs `c` in `0..count` of the candidate list for which `touch(c)` holds.
fn fill(bits: &mut [u32], count: usize, touch: impl Fn(usize) -> bool + Sync) {
    (bits.par_chunks_mut(WORDS).enumerate()).for_each(|(c, words)| {
        for (w, word) in (c * WORDS..).zip(words) {
            let range = w * WORD..((w + 1) * WORD).min(count);
            let touching = range.map(&touch).enumerate();
            *word = touching.fold(0, |word, (bit, touch)| word | u32::from(touch) << bit);
        }
    });
}
