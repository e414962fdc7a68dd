//! Pairs collected item by item, with scratch memory for one item per thread. The fallback of
//! all methods when raw pairs do not fit in memory: many excluded pairs, or many images of one
//! pair.
//!
//! Every item is looked up in the hierarchical grid ([`super::hierarchical_grid`]) twice: once
//! to count its pairs and, if there are not too many, once to list them. O(n + tests); twice the
//! tests of a search.

use super::hierarchical_grid::GridSearch;
use super::pair_lists::{Limits, PairLists};
use super::scene::Scene;
use crate::parallel::parts;
use rayon::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Owners (items or query items) in a chunk.
const CHUNK: usize = 256;

/// Owners (items or query items) with their places in the scene, and the grid to look them up
/// in.
pub(super) struct PairsByItem<'a, const D: usize> {
    grid: &'a GridSearch<D>,
    scene: &'a Scene<D>,
    /// Indices into the scene, those of the same owner side by side.
    places: Vec<u32>,
    /// Where each owner's places begin, and where the last ones end.
    starts: Vec<usize>,
}

/// Scratch memory of a thread.
#[derive(Default)]
struct Memory {
    found: PairLists,
    /// Partners found so far, one bit each.
    seen: Vec<u64>,
}

impl<'a, const D: usize> PairsByItem<'a, D> {
    /// Groups `places` by their owner; `grid` holds the items and ghosts.
    pub(super) fn new(
        grid: &'a GridSearch<D>,
        scene: &'a Scene<D>,
        places: impl Iterator<Item = u32>,
    ) -> Self {
        let owner = |place: u32| scene.item(place as usize);
        let mut places: Vec<u32> = places.collect();
        places.sort_by_key(|&place| owner(place));
        let mut starts = vec![0];
        for same in places.chunk_by(|&a, &b| owner(a) == owner(b)) {
            starts.push(starts[starts.len() - 1] + same.len());
        }
        PairsByItem {
            grid,
            scene,
            places,
            starts,
        }
    }

    /// The number of pairs in each chunk of owners. `partner(place, found)` is the number of the
    /// partner, below that of the items, or nothing if the pair does not count; with `once`,
    /// each partner counts once per owner. Nothing when out of memory.
    pub(super) fn counts(
        &self,
        once: bool,
        partner: impl Fn(u32, u32) -> Option<u32> + Sync,
    ) -> Option<Vec<usize>> {
        let chunks = (self.starts.len() - 1).div_ceil(CHUNK);
        (0..chunks)
            .into_par_iter()
            .map_init(Memory::default, |memory, chunk| {
                let mut count = 0;
                let all = self.visit(memory, chunk, once, &partner, |_, _| count += 1, || {});
                all.then_some(count)
            })
            .collect()
    }

    /// Writes the counted pairs to `out`, as place and found item, by owner, then by partner;
    /// returns whether memory sufficed.
    pub(super) fn fill(
        &self,
        counts: &[usize],
        once: bool,
        partner: impl Fn(u32, u32) -> Option<u32> + Sync,
        out: &mut [[u32; 2]],
    ) -> bool {
        let starved = AtomicBool::new(false);
        let mut end = 0;
        let ends: Vec<usize> = (counts.iter())
            .map(|count| {
                end += count;
                end
            })
            .collect();
        parts(
            counts.len(),
            (out, &|c| ends[c]),
            (&mut [][..], &|_| 0),
            &|chunk, out: &mut [[u32; 2]], _: &mut [()]| {
                let (row, mut at) = (RefCell::new(Vec::new()), 0);
                let all = self.visit(
                    &mut Memory::default(),
                    chunk,
                    once,
                    &partner,
                    |partner, pair| row.borrow_mut().push((partner, pair)),
                    || {
                        let mut row = row.borrow_mut();
                        row.sort_unstable();
                        for (_, pair) in row.drain(..) {
                            out[at] = pair;
                            at += 1;
                        }
                    },
                );
                if !all {
                    starved.store(true, Ordering::Relaxed);
                }
            },
        );
        !starved.into_inner()
    }

    /// Visits the pairs of the owners of a chunk and calls `end` after each owner; returns
    /// whether memory sufficed.
    fn visit(
        &self,
        memory: &mut Memory,
        chunk: usize,
        once: bool,
        partner: &impl Fn(u32, u32) -> Option<u32>,
        mut visit: impl FnMut(u32, [u32; 2]),
        mut end: impl FnMut(),
    ) -> bool {
        let Memory { found, seen } = memory;
        seen.resize(self.scene.items().div_ceil(64), 0);
        let limits = Limits {
            items: self.scene.items() as u32,
            most: usize::MAX,
            apart: true,
        };
        let from = chunk * CHUNK;
        let to = (from + CHUNK).min(self.starts.len() - 1);
        for owner in self.starts[from..=to].windows(2) {
            found.clear(limits);
            let places = &self.places[owner[0]..owner[1]];
            self.grid.pairs_with(places, self.scene, found);
            if !found.has_all() {
                return false;
            }
            let mut count = 0;
            for [place, other] in found.pairs() {
                let Some(partner) = partner(place, other) else {
                    continue;
                };
                let bit = 1 << (partner % 64);
                let word = &mut seen[partner as usize / 64];
                if !once || *word & bit == 0 {
                    *word |= bit;
                    count += 1;
                    visit(partner, [place, other]);
                }
            }
            if count > seen.len() {
                seen.fill(0);
            } else {
                let partners = found.pairs().filter_map(|[i, j]| partner(i, j));
                partners.for_each(|partner| seen[partner as usize / 64] = 0);
            }
            end();
        }
        true
    }
}
