//! Hierarchical grid: items are stored at the level of their size, and each is tested against
//! smaller items in the cells that it covers. O(n + pairs) for any distribution of sizes.
//!
//! Sizes double from one size class to the next; neighbouring classes share a level if that is
//! predicted to be cheaper. A level is a cell list ([`CellList`]) with cells as large as its
//! largest item. Pairs are searched within each level, and every item of a level of larger items
//! queries the cells that it covers.
//!
//! Deviates from the usual hierarchical grid: the larger item queries the cells of the smaller
//! ones, not the other way round. A sphere that reaches across `m` small cells covers about `m^D`
//! of them, in contiguous rows of items, most of which it touches; a small item would query `3^D`
//! cells of every larger level, mostly in vain. Cells are arrays, not hash tables, and never
//! outnumber the items.

use super::bucket_sort::{Buckets, counting_sort};
use super::cell_list::CellList;
use super::f32_packing::{Packed, Packing};
use super::grid_levels::Levels;
use super::pair_lists::PairLists;
use super::pair_search::PairSearch;
use super::scene::Scene;

/// The number of items in a chunk that one task sorts by level of the hierarchical grid.
const CHUNK: usize = 4096;

/// The search of the hierarchical grid.
#[derive(Clone, Debug, Default)]
pub struct GridSearch<const D: usize> {
    levels: Levels<D>,
    balls: Vec<CellList<D, 4>>,
    boxes: Vec<CellList<D, 6>>,
    buckets: Buckets<u32>,
    /// The indices of the items in the scene, sorted by level of the hierarchical grid. Empty if
    /// there is a single level.
    members: Vec<u32>,
}

impl<const D: usize> GridSearch<D> {
    /// Plans the levels of the hierarchical grid for a scene.
    pub(super) fn plan(&mut self, scene: &Scene<D>) -> &Levels<D> {
        match Packed::new(scene) {
            Packed::Balls(items) => self.levels.update(items, scene),
            Packed::Boxes(items) => self.levels.update(items, scene),
        }
        &self.levels
    }

    /// Replaces the planned levels of the hierarchical grid by a single level for all sizes.
    pub(super) fn join_levels(&mut self) {
        self.levels.join();
    }

    /// Two estimates from a sample of the items in the cells of the hierarchical grid: the
    /// predicted nanoseconds of the tests of a search, and the number of touching pairs.
    pub(super) fn sample_density(&self, scene: &Scene<D>) -> (f64, f64) {
        let levels = 0..self.levels.len();
        let add = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|k| a[k] + b[k]);
        let [tests, pairs, doubted] = match Packed::new(scene) {
            Packed::Balls(items) => levels
                .map(|l| self.balls[l].sample_density(items, scene))
                .fold([0.0; 3], add),
            Packed::Boxes(items) => levels
                .map(|l| self.boxes[l].sample_density(items, scene))
                .fold([0.0; 3], add),
        };
        (Levels::<D>::tests_cost(tests, doubted), pairs)
    }

    /// Appends the touching pairs of an item or ghost in the hierarchical grid with one of the
    /// query items `others` of the scene. An item that is both in the grid and in `others` is
    /// paired with itself.
    pub(super) fn pairs_with(&self, others: &[u32], scene: &Scene<D>, found: &mut PairLists) {
        let levels = self.levels.len();
        match Packed::new(scene) {
            Packed::Balls(items) => (self.balls[..levels].iter())
                .for_each(|cell_list| cell_list.pairs_with(items, others, scene, found)),
            Packed::Boxes(items) => (self.boxes[..levels].iter())
                .for_each(|cell_list| cell_list.pairs_with(items, others, scene, found)),
        }
    }

    /// Sorts the items of a scene into the cells of the hierarchical grid, on the levels that were
    /// planned for it.
    pub(super) fn follow_plan(&mut self, scene: &Scene<D>) {
        let Self {
            levels,
            buckets,
            members,
            ..
        } = self;
        match Packed::new(scene) {
            Packed::Balls(items) => {
                by_level(items, scene.len(), levels, buckets, members);
                sort(items, scene, levels, members, &mut self.balls);
            }
            Packed::Boxes(items) => {
                by_level(items, scene.len(), levels, buckets, members);
                sort(items, scene, levels, members, &mut self.boxes);
            }
        }
    }
}

/// Writes the items, sorted by level of the hierarchical grid, to `members`; nothing if there is a
/// single level.
fn by_level<const D: usize, const N: usize, P: Packing<D, N>>(
    items: P,
    count: usize,
    levels: &Levels<D>,
    buckets: &mut Buckets<u32>,
    members: &mut Vec<u32>,
) {
    members.clear();
    if levels.len() < 2 {
        return;
    }
    let lengths = (0..count.div_ceil(CHUNK)).map(|c| (count - c * CHUNK).min(CHUNK));
    buckets.distribute(lengths, levels.len(), |c, buckets, out| {
        let mut keys = [0; CHUNK];
        let keys = &mut keys[..out.len()];
        for (i, key) in keys.iter_mut().enumerate() {
            *key = levels.level(items, c * CHUNK + i) as u32;
        }
        counting_sort(
            keys,
            |&key| key,
            |i, _| (c * CHUNK + i) as u32,
            buckets,
            out,
        );
    });
    for level in 0..levels.len() {
        for segment in buckets.segments(level) {
            members.extend_from_slice(segment);
        }
    }
}

/// Builds the cell list of each level of the hierarchical grid; `members` are the items, sorted by
/// level, or empty if there is a single level.
fn sort<const D: usize, const N: usize, P: Packing<D, N>>(
    items: P,
    scene: &Scene<D>,
    levels: &Levels<D>,
    members: &[u32],
    cell_lists: &mut Vec<CellList<D, N>>,
) {
    if cell_lists.len() < levels.len() {
        cell_lists.resize_with(levels.len(), CellList::default);
    }
    let mut from = 0;
    for (l, cell_list) in cell_lists[..levels.len()].iter_mut().enumerate() {
        let item_bounds = levels.item_bounds(l);
        if members.is_empty() {
            cell_list.update(items, scene, &item_bounds, |i| i);
        } else {
            let members = &members[from..from + item_bounds.count];
            cell_list.update(items, scene, &item_bounds, |i| members[i] as usize);
        }
        from += item_bounds.count;
    }
}

/// Searches the hierarchical grid: finds the touching pairs within each level and between any two
/// levels.
fn search<const D: usize, const N: usize, P: Packing<D, N>>(
    items: P,
    scene: &Scene<D>,
    cell_lists: &[CellList<D, N>],
    found: &mut PairLists,
) {
    for (l, cell_list) in cell_lists.iter().enumerate() {
        cell_list.pairs(items, scene, found);
        for smaller in &cell_lists[..l] {
            smaller.pairs_with(items, cell_list.index(), scene, found);
        }
    }
}

impl<const D: usize> PairSearch<D> for GridSearch<D> {
    const ANSWERS_QUERIES: bool = true;

    fn update(&mut self, scene: &Scene<D>) {
        self.plan(scene);
        self.follow_plan(scene);
    }

    fn method(&self) -> &'static str {
        "grid"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        let levels = self.levels.len();
        match Packed::new(scene) {
            Packed::Balls(items) => search(items, scene, &self.balls[..levels], found),
            Packed::Boxes(items) => search(items, scene, &self.boxes[..levels], found),
        }
    }

    fn query(&mut self, scene: &Scene<D>, found: &mut PairLists) {
        self.pairs_with(scene.query_items(), scene, found);
    }
}
