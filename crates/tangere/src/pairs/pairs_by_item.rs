//! Pairs by the item that they are of, in memory for those of one item on each
//! thread. For whatever cannot be told before all is known, where there is no room
//! to keep it: pairs that are left out, and the many images of one pair. A part of
//! all methods.
//!
//! Every item looks into cells ([`super::hierarchical_grid`]) twice, once to count and, if there
//! are not too many, once to list. O(n + tests); twice the tests of a search.

use super::hierarchical_grid::GridSearch;
use super::pair_lists::{Limits, PairLists};
use super::scene::Scene;
use crate::parallel::parts;
use rayon::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Owners whose pairs are found one after the other.
const CHUNK: usize = 256;

/// Items or others, with what looks into the cells for them.
pub(super) struct PairsByItem<'a, const D: usize> {
    grid: &'a GridSearch<D>,
    scene: &'a Scene<D>,
    /// Places of the scene, those of the same owner side by side.
    places: Vec<u32>,
    /// Where owners begin, and where the last one ends.
    starts: Vec<usize>,
}

/// Memory of a thread.
#[derive(Default)]
struct Memory {
    found: PairLists,
    /// A bit for each partner.
    seen: Vec<u64>,
}

impl<'a, const D: usize> PairsByItem<'a, D> {
    /// Those that have these places own them; `grid` knows the items and ghosts.
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

    /// How many there are, by chunks of owners, where `partner(place, found)` is the
    /// number, below that of the items, of whom to list with the owner of the place, if
    /// anybody; if `once`, each once for an owner. Nothing where there is no memory.
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

    /// Writes to `out` what was counted, as place and what it has found, by owner,
    /// then by partner; whether there was memory.
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

    /// Visits what the owners of a chunk find, and tells where each ends; whether there
    /// was memory.
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
