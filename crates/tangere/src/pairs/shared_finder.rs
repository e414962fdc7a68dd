//! Shared finder: what all broad-phase methods share, which is checks, ghosts of periodic space,
//! exclusions, limits and the order of pairs. A method is a [`Finder`] around its own [`Search`].

use super::exclusions::Exclusions;
use super::ghost_search::GhostSearch;
use super::hierarchical_grid::GridSearch;
use super::pair_finder::visit_chunks;
use super::pair_limit::{is_default, no_memory, raw_pair_limit, reserve, reserve_within, too_many};
use super::pair_lists::{Guard, Limits, PairLists, Storage};
use super::pair_order::{PairOrder, keep_one_of_each};
use super::pair_search::PairSearch;
use super::pair_settings::check_margin;
use super::pairs_by_item::{PairsByItem, collect};
use super::scene::Scene;
use super::spilled_pairs::sort_in_place;
use super::verlet_list::Source;
use super::{Items, Mask, PairContact, PairFinder, PairSettings, Periodic, Search};
use crate::error::{Argument, Count, Result};
use rayon::prelude::*;

/// A broad-phase method: the search `S` of the method, and the shared finder around it, which is
/// the same for all methods.
#[derive(Clone, Debug)]
pub struct Finder<const D: usize, S> {
    settings: PairSettings<D>,
    /// The distance beyond the margin up to which pairs are searched, for a Verlet list.
    skin: f64,
    scene: Scene<D>,
    pub(super) search: S,
    /// The ghost search, which replaces the search of the method if ghosts far outnumber items.
    images: GhostSearch<D>,
    /// The pairs found by one part of the ghost search.
    part_pairs: Vec<[u32; 2]>,
    exclusions: Exclusions,
    /// The exclusions that apply from the next update on, if they were set again.
    next_exclusions: Exclusions,
    renewed: bool,
    found: PairLists,
    order: PairOrder,
    /// The hierarchical grid. It answers queries if the search of the method cannot, and replaces a
    /// search that finds too many pairs to store. `gridded` is set if it holds the present items.
    grid: GridSearch<D>,
    gridded: bool,
    /// Whether `order` holds the found pairs distributed into buckets, so that they can be sorted
    /// chunk by chunk.
    distributed: bool,
    chunk: Vec<[u32; 2]>,
}

impl<const D: usize, S: Search<D>> Finder<D, S> {
    /// A finder without items: the shared part of any broad-phase method around a new search.
    ///
    /// # Errors
    /// When the margin is negative or not finite, or if the settings have a skin, name another
    /// method or have a setting of another method. For these there is
    /// [`BroadPhase`](super::BroadPhase).
    pub fn new(settings: PairSettings<D>) -> Result<Self> {
        const { assert!(D == 2 || D == 3, "space has two or three dimensions") };
        check_margin(Argument::Margin, settings.margin)?;
        let mut search = S::default();
        settings.check_method(search.method())?;
        search.configure(&settings)?;
        Ok(Finder {
            settings,
            skin: 0.0,
            scene: Scene::new(&settings),
            search,
            images: GhostSearch::default(),
            part_pairs: Vec::new(),
            exclusions: Exclusions::default(),
            next_exclusions: Exclusions::default(),
            renewed: false,
            found: PairLists::default(),
            order: PairOrder::default(),
            grid: GridSearch::default(),
            gridded: false,
            distributed: false,
            chunk: Vec::new(),
        })
    }
}

impl<const D: usize, S: Search<D>> PairFinder<D> for Finder<D, S> {
    fn leave_out(&mut self, groups: &[u32], masks: &[Mask]) {
        self.next_exclusions.copy(groups, masks);
        self.renewed = true;
    }

    fn update(&mut self, items: Items<'_, D>) -> Result<()> {
        if std::mem::take(&mut self.renewed) {
            std::mem::swap(&mut self.exclusions, &mut self.next_exclusions);
        }
        let PairSettings {
            margin, periodic, ..
        } = self.settings;
        self.scene.set(margin, self.skin, periodic);
        let taken = (self.exclusions.check(items.len())).and_then(|()| self.scene.update(items));
        if taken.is_err() {
            self.scene = Scene::new(&self.settings);
        }
        (self.gridded, self.distributed) = (false, false);
        match self.is_crowded() {
            true => self.images.update(&self.scene),
            false => self.search.update(&self.scene),
        }
        taken
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        // Cleared on failure only: existing entries are overwritten and need no zeroing.
        self.sorted_pairs(out).inspect_err(|_| out.clear())?;
        self.limited(out)
    }

    fn for_each_chunk(&mut self, visit: &mut dyn FnMut(&[[u32; 2]])) -> Result<()> {
        visit_chunks(self, |finder| &mut finder.chunk, visit)
    }

    fn chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>> {
        out.clear();
        if self.is_crowded() {
            // These are merged part by part and returned as a single chunk.
            return self.one_chunk(first, out);
        }
        if !self.distributed && !self.distribute(out)? {
            return self.one_chunk(first, out);
        }
        let next = self.order.chunk(first, out);
        if !self.scene.is_open() {
            // All images of a pair are in the same chunk.
            keep_one_of_each(out);
        }
        Ok(next)
    }

    fn contacts(&mut self, out: &mut Vec<PairContact<D>>) -> Result<()> {
        out.clear();
        let every_image = self.settings.every_image;
        let mut by_item = Vec::new();
        let stored = self.stored(size_of::<PairContact<D>>());
        if self.find(self.scene.is_open() || every_image, stored)? {
            let scene = &self.scene;
            let item = |i: u32| scene.item(i as usize);
            let counts = |&[i, j]: &[u32; 2]| every_image || item(i) != item(j);
            let count = self.found.count();
            reserve_within(out, count, self.settings.most)?;
            let pairs = self.found.pairs().filter(counts);
            out.extend(pairs.map(|[i, j]| scene.contact(i, j)));
        } else {
            self.by_item(!every_image, self.settings.most, &mut by_item)?;
            if !every_image {
                // The number of pairs is within the limit; now list all their images.
                self.by_item(false, usize::MAX, &mut by_item)?;
            }
            reserve_within(out, by_item.len(), self.settings.most)?;
            out.extend(by_item.iter().map(|&[i, j]| self.scene.contact(i, j)));
        }
        let key = |c: &PairContact<D>| (c.pair, c.image);
        if every_image {
            out.sort_unstable_by_key(key);
        } else {
            // Of several touching images, the deepest; ties by image number.
            out.sort_unstable_by(|x, y| {
                let gaps = || x.gap.total_cmp(&y.gap);
                (x.pair.cmp(&y.pair))
                    .then_with(gaps)
                    .then(key(x).cmp(&key(y)))
            });
            out.dedup_by_key(|contact| contact.pair);
        }
        self.limited(out)
    }

    fn method(&self) -> &'static str {
        match self.is_crowded() {
            true => "cells",
            false => self.search.method(),
        }
    }

    fn reason(&self) -> String {
        if !self.is_crowded() {
            return self.search.reason();
        }
        let (items, all) = (self.scene.items(), self.scene.len());
        let images = all - items;
        format!(
            "{images} images are within reach of {items} items: each is looked up in their cells"
        )
    }

    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()> {
        out.clear();
        let answered = self.query_pairs(others, out);
        self.scene.remove_query_items();
        if answered.is_err() {
            self.found.spilled().free();
            out.clear();
        }
        answered?;
        self.limited(out)
    }

    fn set_cell(&mut self, cell: Option<Periodic<D>>) {
        self.settings.periodic = cell;
    }
}

impl<const D: usize, S: Search<D>> Source<D> for Finder<D, S> {
    fn prepare(&mut self, items: Items<'_, D>, skin: f64) -> Result<()> {
        self.skin = skin;
        self.update(items)
    }

    fn search(&mut self) -> Result<Option<(&Scene<D>, &PairLists, &mut PairOrder)>> {
        let all = self.find(false, self.stored(size_of::<[u32; 8]>()))?;
        Ok(all.then_some((&self.scene, &self.found, &mut self.order)))
    }

    fn scene(&self) -> &Scene<D> {
        &self.scene
    }
}

impl<const D: usize, S: Search<D>> Finder<D, S> {
    /// Returns whether the shared finder uses the ghost search: ghosts far outnumber items, and the
    /// search of the method does not skip pairs of two ghosts.
    fn is_crowded(&self) -> bool {
        self.scene.is_crowded() && !self.search.skips_ghosts()
    }

    /// Runs the search of the shared finder and removes excluded pairs. If `limited` is set, more
    /// pairs than `most` are an error. Returns whether the pair lists hold all pairs. If they do
    /// not, there are too many raw pairs to store (excluded pairs and all images of a pair
    /// included), and the caller must use [`Finder::by_item`].
    fn find(&mut self, limited: bool, storage: Storage) -> Result<bool> {
        let most = self.settings.most;
        let is_answer = limited
            && self.exclusions.excludes_nothing()
            && (self.scene.is_open() || self.is_crowded());
        self.search_limited(is_answer, storage, Self::search_all);
        if self.found.is_stopped() && is_answer && !self.found.is_exceeded() {
            // The method gave up for a reason of its own.
            self.prepare_grid();
            self.search_limited(is_answer, storage, |this| {
                this.grid.search(&this.scene, &mut this.found)
            });
        }
        if !self.has_all(is_answer)? {
            return Ok(false);
        }
        self.apply_exclusions();
        match self.found.count() {
            found if limited && found > most => Err(too_many(most)),
            _ => Ok(true),
        }
    }

    /// Searches all pairs of the shared finder's scene: with the ghost search if ghosts far
    /// outnumber items, otherwise with the search of the method.
    fn search_all(&mut self) {
        if self.is_crowded() {
            for part in 0..self.images.parts() {
                self.images.search(part, &self.scene, &mut self.found);
            }
        } else {
            self.search.search(&self.scene, &mut self.found);
        }
    }

    /// Runs `search` with a limit on the number of pairs that the lists of the shared finder store.
    /// If `is_answer` is set, the raw pairs are the answer: none is excluded and none is listed in
    /// several images. The limit is then `most`, otherwise [`raw_pair_limit`].
    fn search_limited(&mut self, is_answer: bool, storage: Storage, search: impl Fn(&mut Self)) {
        let most = self.settings.most;
        let most = if is_answer {
            most
        } else {
            raw_pair_limit(most)
        };
        let guarded = |guard| match storage.guard {
            Guard::Off => storage,
            _ => Storage { guard, ..storage },
        };
        let first = match is_answer {
            true => guarded(Guard::Count),
            false => storage,
        };
        self.begin(most, false, first);
        search(self);
        let found = &self.found;
        if is_answer && !found.is_exceeded() && !found.has_all() && found.count() <= most {
            // Lists with near ties were rewound and had more pairs for a while, or pairs were
            // counted before they take much of the free memory.
            self.begin(most, true, guarded(Guard::Store));
            search(self);
        }
    }

    /// Returns whether the lists of the shared finder hold every pair of the search. It is false if
    /// the search stopped early, or if `is_answer` is not set and pairs were counted but not
    /// stored. If `is_answer` is set, the raw pairs are the answer, and pairs that were not stored
    /// are an error: there are more than `most`, or memory ran out.
    fn has_all(&self, is_answer: bool) -> Result<bool> {
        let (found, most) = (&self.found, self.settings.most);
        if found.has_all() && !found.is_stopped() {
            return Ok(true);
        }
        if !is_answer {
            return Ok(false);
        }
        if found.ran_out_of_memory() {
            return Err(no_memory(Count::AtLeast(found.count() as u64)));
        }
        match found.is_exceeded() || found.count() > most {
            true if is_default(most) => Err(no_memory(Count::AtLeast(found.count() as u64))),
            true => Err(too_many(most)),
            false => Ok(false),
        }
    }

    /// Writes all pairs of the shared finder to `out`, sorted. There may be more than `most`:
    /// callers check with [`Finder::limited`].
    fn sorted_pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        let all = match self.is_crowded() {
            true => self.crowded_pairs(out)?,
            false => {
                self.lend(out);
                let found = self.find(self.scene.is_open(), self.spilled());
                self.take_back(out);
                found.inspect_err(|_| self.found.spilled().free())?
            }
        };
        if all && !self.is_crowded() && self.sort_spilled(out)? {
            if !self.scene.is_open() {
                keep_one_of_each(out);
            }
        } else if !all {
            self.found.spilled().free();
            self.by_item(true, self.settings.most, out)?;
            let item = |i: u32| self.scene.item(i as usize) as u32;
            out.iter_mut().for_each(|pair| *pair = pair.map(item));
        } else if self.scene.is_open() {
            let items = self.scene.items();
            self.order.sort(&self.found, |i| i, items, out)?;
        } else if !self.is_crowded() {
            let scene = &self.scene;
            let item = |i: u32| scene.item(i as usize) as u32;
            self.order.sort(&self.found, item, scene.items(), out)?;
            // Drop further images of the same pair, and pairs of an item with itself.
            keep_one_of_each(out);
        }
        Ok(())
    }

    /// Writes those pairs of the shared finder whose lower item is `first` or later to `out`,
    /// sorted, as a single chunk. Returns `None`, since no chunk follows.
    fn one_chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>> {
        self.sorted_pairs(out).inspect_err(|_| out.clear())?;
        self.limited(out)?;
        out.retain(|pair| pair[0] >= first);
        Ok(None)
    }

    /// Searches the pairs of the shared finder and distributes them into buckets, to be sorted
    /// chunk by chunk. Returns false, with nothing distributed, if the raw pairs are too many to
    /// store. `chunk` is scratch memory.
    fn distribute(&mut self, chunk: &mut Vec<[u32; 2]>) -> Result<bool> {
        if !self.find(self.scene.is_open(), self.stored(size_of::<[u32; 2]>()))? {
            return Ok(false);
        }
        let (scene, most) = (&self.scene, self.settings.most);
        let item = |i: u32| scene.item(i as usize) as u32;
        self.order.distribute(&self.found, item, scene.items())?;
        if self.found.count() > most {
            // Some pairs may be listed twice.
            let (mut count, mut next) = (0, Some(0));
            while let Some(first) = next {
                next = self.order.chunk(first, chunk);
                keep_one_of_each(chunk);
                count += chunk.len();
            }
            chunk.clear();
            if count > most {
                return Err(too_many(most));
            }
        }
        self.distributed = true;
        Ok(true)
    }

    /// Fallback of the shared finder, item by item: writes the touching pairs of items and ghosts
    /// to `out`, by the lower item, then by the other. If `once` is set, there is one entry for
    /// each pair of items. Otherwise there is one for each image in which a pair touches. With
    /// `every_image`, there is then also one for each of its own images that an item touches. More
    /// than `most` entries are an error.
    fn by_item(&mut self, once: bool, most: usize, out: &mut Vec<[u32; 2]>) -> Result<()> {
        self.prepare_grid();
        let (scene, exclusions) = (&self.scene, &self.exclusions);
        let own = !once && self.settings.every_image;
        let partner = |i: u32, j: u32| {
            let (a, b) = (scene.item(i as usize), scene.item(j as usize));
            // For an item and its own ghost, the item is the owner.
            let counts = a < b || own && a == b && (i as usize) < scene.items() && i < j;
            (counts && exclusions.keeps(a, b)).then_some(b as u32)
        };
        let indices = 0..scene.len() as u32;
        collect(
            &PairsByItem::new(&self.grid, scene, indices),
            once,
            most,
            partner,
            out,
        )
    }

    /// Builds the grid of the shared finder, which answers queries or replaces the search.
    fn prepare_grid(&mut self) {
        if !self.gridded {
            self.grid.update(&self.scene);
            self.gridded = true;
        }
    }

    /// Writes the touching pairs of an item of the shared finder and a query item to `out`, sorted.
    /// The caller must remove the query items from the scene afterwards.
    fn query_pairs(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()> {
        let prepared = S::ANSWERS_QUERIES && !self.is_crowded();
        if !prepared {
            self.prepare_grid();
        }
        self.scene.add_query_items(others)?;
        if self.scene.query_items().is_empty() {
            return Ok(());
        }
        let is_answer = self.exclusions.excludes_nothing() && self.scene.is_open();
        self.lend(out);
        let storage = self.spilled();
        self.search_limited(is_answer, storage, |this| match prepared {
            true => this.search.query(&this.scene, &mut this.found),
            false => this.grid.query(&this.scene, &mut this.found),
        });
        if prepared && !self.has_all(is_answer)? {
            // The grid counts them all, but must first be built without the query items.
            self.scene.remove_query_items();
            self.prepare_grid();
            self.scene.add_query_items(others)?;
            self.search_limited(is_answer, storage, |this| {
                this.grid.query(&this.scene, &mut this.found)
            });
        }
        let all = self.has_all(is_answer)?;
        self.take_back(out);
        let sorted = all && self.sort_spilled(out)?;
        let (scene, exclusions) = (&self.scene, &self.exclusions);
        let items = scene.items() as u32;
        if all {
            if !sorted {
                let item = |i: u32| scene.item(i as usize) as u32;
                self.order.sort(&self.found, item, scene.items(), out)?;
            }
            if !scene.is_open() {
                out.dedup();
            }
            if !exclusions.excludes_nothing() {
                out.retain(|&[item, _]| exclusions.keeps_query_pair(item as usize));
            }
            out.iter_mut().for_each(|pair| pair[1] -= items);
            return Ok(());
        }
        self.found.spilled().free();
        let partner =
            |_, j: u32| (j < items && exclusions.keeps_query_pair(j as usize)).then_some(j);
        let by_other = PairsByItem::new(&self.grid, scene, scene.query_items().iter().copied());
        collect(&by_other, true, self.settings.most, partner, out)?;
        for pair in out.iter_mut() {
            let [index, item] = *pair;
            *pair = [item, scene.item(index as usize) as u32 - items];
        }
        out.par_sort_unstable();
        Ok(())
    }

    /// Clears the pair lists of the shared finder and limits the number of pairs that they store to
    /// `most`: in all lists together or, if `apart` is set, in each list.
    fn begin(&mut self, most: usize, apart: bool, storage: Storage) {
        self.distributed = false;
        let items = self.scene.items() as u32;
        self.found.clear(Limits {
            items,
            most,
            apart,
            storage,
        });
    }

    /// How the shared finder stores pairs in lists, for an answer that takes `bytes` more bytes for
    /// each pair.
    fn stored(&self, bytes: usize) -> Storage {
        Storage {
            spills: false,
            guard: match is_default(self.settings.most) {
                true => Guard::End,
                false => Guard::Off,
            },
            bytes,
        }
    }

    /// How the shared finder stores pairs whose array, if they are many, becomes the answer.
    fn spilled(&self) -> Storage {
        Storage {
            spills: true,
            ..self.stored(0)
        }
    }

    /// Lends the memory of a large answer to the array of many pairs of the shared finder, so that
    /// it is used again.
    fn lend(&mut self, out: &mut Vec<[u32; 2]>) {
        /// The number of pairs from which on an answer is probably large again.
        const LARGE: usize = 1 << 21;
        if out.capacity() >= LARGE {
            self.found.spilled().clear();
            std::mem::swap(self.found.spilled().pairs(), out);
        }
    }

    /// Takes lent memory back from the array of many pairs of the shared finder, if there are few.
    fn take_back(&mut self, out: &mut Vec<[u32; 2]>) {
        let pairs = self.found.spilled().pairs();
        if pairs.is_empty() && pairs.capacity() > out.capacity() {
            std::mem::swap(pairs, out);
        }
    }

    /// Writes all pairs of the shared finder to `out`, sorted, if they are so many that lists have
    /// moved them to one array. Otherwise returns false.
    fn sort_spilled(&mut self, out: &mut Vec<[u32; 2]>) -> Result<bool> {
        let count = self.found.count();
        let joined = self.found.join_spilled();
        if !joined.map_err(|_| no_memory(Count::Exactly(count as u64)))? {
            return Ok(false);
        }
        *out = std::mem::take(self.found.spilled().pairs());
        let scene = &self.scene;
        sort_in_place(out, |i| scene.item(i as usize) as u32, scene.items());
        Ok(true)
    }

    /// Removes excluded pairs from the pair lists of the shared finder.
    fn apply_exclusions(&mut self) {
        if !self.exclusions.excludes_nothing() {
            let (scene, exclusions) = (&self.scene, &self.exclusions);
            let item = |i: u32| scene.item(i as usize);
            self.found.retain(|i, j| exclusions.keeps(item(i), item(j)));
        }
    }

    /// Writes all pairs of the shared finder to `out`, sorted, if ghosts far outnumber items. Each
    /// pair is then found in many images. So the search runs part by part, and duplicates are
    /// dropped within each part and from time to time in `out`: memory stays near that of the
    /// answer. Returns false if `out` still has more than `most` pairs after duplicates were
    /// dropped and another part is to be searched, or if one part finds too many raw pairs to
    /// store. After the last part the caller checks `most`.
    fn crowded_pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<bool> {
        /// Duplicates are dropped from `out` when it has more pairs than this number plus twice the
        /// number of pairs that were left the last time.
        const TWICE: usize = 1 << 20;
        out.clear();
        let mut part_pairs = std::mem::take(&mut self.part_pairs);
        let mut once = 0;
        for part in 0..self.images.parts() {
            let most = raw_pair_limit(self.settings.most);
            self.begin(most, false, self.stored(size_of::<[u32; 2]>()));
            self.images.search(part, &self.scene, &mut self.found);
            if !self.found.has_all() || once > self.settings.most {
                self.part_pairs = part_pairs;
                return Ok(false);
            }
            self.apply_exclusions();
            let item = |i: u32| self.scene.item(i as usize) as u32;
            let items = self.scene.items();
            self.order.sort(&self.found, item, items, &mut part_pairs)?;
            keep_one_of_each(&mut part_pairs);
            let (more, pairs) = (part_pairs.len(), out.len() + part_pairs.len());
            reserve(out, more, pairs)?;
            out.extend_from_slice(&part_pairs);
            if out.len() > 2 * once + TWICE {
                out.sort_unstable();
                out.dedup();
                once = out.len();
            }
        }
        out.sort_unstable();
        out.dedup();
        self.part_pairs = part_pairs;
        Ok(true)
    }

    /// Checks that an answer of the shared finder has at most `most` entries. If it has more, it is
    /// cleared and an error is returned.
    fn limited<T>(&self, out: &mut Vec<T>) -> Result<()> {
        let (found, most) = (out.len(), self.settings.most);
        if found <= most {
            return Ok(());
        }
        out.clear();
        Err(too_many(most))
    }
}
