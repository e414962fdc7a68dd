//! Pairs collected item by item, with scratch memory for one item per thread. The fallback of
//! all methods when raw pairs do not fit in memory: many excluded pairs, or many images of one
//! pair.
//!
//! Every item queries the hierarchical grid ([`super::hierarchical_grid`]) twice: once to count its
//! pairs and, if there are not too many, once to list them. O(n + tests), with twice the tests of a
//! search.

use super::hierarchical_grid::GridSearch;
use super::pair_limit::{is_default, most_in_memory, no_memory, reserve_within, too_many};
use super::pair_lists::{Limits, PairLists, Storage};
use super::scene::Scene;
use crate::error::{Count, Error, Result};
use crate::parallel::parts;
use rayon::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of owners of pairs (items or query items whose pairs are collected) in a chunk that
/// one task handles.
const CHUNK: usize = 256;

/// The items or query items whose pairs are collected one by one. They own these pairs and query
/// the grid for their partners.
pub(super) struct PairsByItem<'a, const D: usize> {
    grid: &'a GridSearch<D>,
    scene: &'a Scene<D>,
    /// The indices in the scene of the items or query items that own pairs, and of their ghosts,
    /// grouped by owner.
    indices: Vec<u32>,
    /// For each owner of pairs, the start of its indices in `indices`, then the end of those of the
    /// last owner.
    starts: Vec<usize>,
}

/// Scratch memory of a thread for the pairs that one item or query item owns.
#[derive(Default)]
struct Memory {
    found: PairLists,
    /// One bit for each item of the scene, set if it was already found as a partner of the item
    /// whose pairs are collected.
    seen: Vec<u64>,
}

impl<'a, const D: usize> PairsByItem<'a, D> {
    /// Groups `indices` of the scene by the item or query item to which they belong, to collect
    /// pairs item by item. `grid` holds the items and ghosts that are searched.
    pub(super) fn new(
        grid: &'a GridSearch<D>,
        scene: &'a Scene<D>,
        indices: impl Iterator<Item = u32>,
    ) -> Self {
        let owner = |index: u32| scene.item(index as usize);
        let mut indices: Vec<u32> = indices.collect();
        indices.sort_by_key(|&index| owner(index));
        let mut starts = vec![0];
        for same in indices.chunk_by(|&a, &b| owner(a) == owner(b)) {
            starts.push(starts[starts.len() - 1] + same.len());
        }
        PairsByItem {
            grid,
            scene,
            indices,
            starts,
        }
    }

    /// Counts pairs item by item: returns the number of pairs of each chunk of owners (items or
    /// query items). More than `most` are an error, and so is running out of memory. `partner(index, found)` is called with the index
    /// in the scene of an owner or its ghost, and with that of an item or ghost that touches it. It
    /// returns the item that forms a pair with the owner, or `None` if there is no pair. If `once`
    /// is set, each partner is counted once for each owner.
    fn counts(
        &self,
        once: bool,
        most: usize,
        partner: impl Fn(u32, u32) -> Option<u32> + Sync,
    ) -> Result<Vec<usize>> {
        let chunks = (self.starts.len() - 1).div_ceil(CHUNK);
        let total = AtomicUsize::new(0);
        (0..chunks)
            .into_par_iter()
            .map_init(Memory::default, |memory, chunk| {
                let (count, mut counted) = (Cell::new(0), 0);
                let found = |_, _| count.set(count.get() + 1);
                let all = self.visit(memory, chunk, once, &partner, found, || {
                    let more = count.get() - counted;
                    counted += more;
                    total.fetch_add(more, Ordering::Relaxed) + more <= most
                });
                match all {
                    true if total.load(Ordering::Relaxed) <= most => Ok(count.get()),
                    true => Err(too_many(most)),
                    false => {
                        let found = total.load(Ordering::Relaxed);
                        Err(no_memory(Count::AtLeast(found as u64)))
                    }
                }
            })
            .collect()
    }

    /// Lists pairs item by item: writes the counted pairs to `out`, sorted by owner, then by
    /// partner. Each entry has the index in the scene of the owner or its ghost, then that of the
    /// found item or ghost. Returns whether memory sufficed.
    fn fill(
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
                        true
                    },
                );
                if !all {
                    starved.store(true, Ordering::Relaxed);
                }
            },
        );
        !starved.into_inner()
    }

    /// Finds pairs item by item, for the owners (items or query items) in a chunk: calls
    /// `visit(partner, [index, found])` with each pair, and `end` after each owner, which returns
    /// whether to go on. `index` is the
    /// index in the scene of the owner or its ghost, and `found` that of an item or ghost that
    /// touches it. `once` and `partner` are those of [`PairsByItem::counts`]. Returns whether
    /// memory sufficed.
    fn visit(
        &self,
        memory: &mut Memory,
        chunk: usize,
        once: bool,
        partner: &impl Fn(u32, u32) -> Option<u32>,
        mut visit: impl FnMut(u32, [u32; 2]),
        mut end: impl FnMut() -> bool,
    ) -> bool {
        let Memory { found, seen } = memory;
        seen.resize(self.scene.items().div_ceil(64), 0);
        let limits = Limits {
            items: self.scene.items() as u32,
            most: usize::MAX,
            apart: true,
            storage: Storage::default(),
        };
        let from = chunk * CHUNK;
        let to = (from + CHUNK).min(self.starts.len() - 1);
        for owner in self.starts[from..=to].windows(2) {
            found.clear(limits);
            let indices = &self.indices[owner[0]..owner[1]];
            self.grid.pairs_with(indices, self.scene, found);
            if !found.has_all() {
                return false;
            }
            let mut count = 0;
            for [index, other] in found.pairs() {
                let Some(partner) = partner(index, other) else {
                    continue;
                };
                let bit = 1 << (partner % 64);
                let word = &mut seen[partner as usize / 64];
                if !once || *word & bit == 0 {
                    *word |= bit;
                    count += 1;
                    visit(partner, [index, other]);
                }
            }
            if count > seen.len() {
                seen.fill(0);
            } else {
                let partners = found.pairs().filter_map(|[i, j]| partner(i, j));
                partners.for_each(|partner| seen[partner as usize / 64] = 0);
            }
            if !end() {
                break;
            }
        }
        true
    }
}

/// Collects pairs item by item: writes the pairs of all owners (items or query items) to `out`;
/// more than `most` are an error. `once` and `partner` are those of [`PairsByItem::counts`].
pub(super) fn collect<const D: usize>(
    by_item: &PairsByItem<'_, D>,
    once: bool,
    most: usize,
    partner: impl Fn(u32, u32) -> Option<u32> + Sync,
    out: &mut Vec<[u32; 2]>,
) -> Result<()> {
    out.clear();
    // Without a limit of the caller, as many as there is free memory for.
    let room = match is_default(most) {
        true => most_in_memory(size_of::<[u32; 2]>()),
        false => most,
    };
    let counts = by_item.counts(once, room, &partner);
    let counts = counts.map_err(|error| match error {
        Error::TooMany { found, .. } if is_default(most) => no_memory(found),
        other => other,
    })?;
    let count = counts.iter().sum();
    reserve_within(out, count, most)?;
    out.resize(count, [0; 2]);
    match by_item.fill(&counts, once, &partner, out) {
        true => Ok(()),
        false => Err(no_memory(Count::Exactly(count as u64))),
    }
}
