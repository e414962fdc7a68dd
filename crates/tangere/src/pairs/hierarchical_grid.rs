//! Cells of several sizes: every item is among those of its like, and meets
//! smaller ones where it reaches. O(n + pairs) for sizes of any distribution.
//!
//! Size classes double from one to the next. Neighbouring classes share a level
//! where that promises to be cheaper. A level is a [`Lattice`] of its own, with
//! cells as large as the largest of its items; it is searched for pairs by itself,
//! and every item of a larger level looks into the cells that it covers.
//!
//! Deviates from hierarchical grids as they are usual: the larger item looks for
//! the smaller ones, not the other way round. A sphere that reaches `m` small
//! cells covers about `m^D` of them, in rows of items that lie side by side, and
//! most of what it finds it touches; a small one would look at `3^D` cells of every
//! larger level, most of them for nothing. Cells are arrays, not hash tables, and
//! never outnumber the items.

use super::Search;
use super::bucket_sort::{Deal, count_out};
use super::cell_list::Lattice;
use super::f32_packing::{Packed, Packing};
use super::grid_levels::Levels;
use super::pair_lists::Found;
use super::scene::Scene;

/// Items classified at once.
const CHUNK: usize = 4096;

/// The search through cells of several sizes.
#[derive(Clone, Debug, Default)]
pub struct GridSearch<const D: usize> {
    levels: Levels<D>,
    balls: Vec<Lattice<D, 4>>,
    boxes: Vec<Lattice<D, 6>>,
    deal: Deal<u32>,
    /// Items by level.
    members: Vec<u32>,
}

impl<const D: usize> GridSearch<D> {
    /// Plans the levels of a scene.
    pub(super) fn plan(&mut self, scene: &Scene<D>) -> &Levels<D> {
        match Packed::new(scene) {
            Packed::Balls(items) => self.levels.update(items, scene),
            Packed::Boxes(items) => self.levels.update(items, scene),
        }
        &self.levels
    }

    /// Plans a single level for all sizes, after a plan.
    pub(super) fn join_levels(&mut self) {
        self.levels.join();
    }

    /// Nanoseconds that it takes to test what is near each other, and how many pairs
    /// touch, now that items are in their cells.
    pub(super) fn crowds(&self, scene: &Scene<D>) -> (f64, f64) {
        let levels = 0..self.levels.len();
        let add = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|k| a[k] + b[k]);
        let [tests, pairs, doubted] = match Packed::new(scene) {
            Packed::Balls(items) => levels
                .map(|l| self.balls[l].crowds(items, scene))
                .fold([0.0; 3], add),
            Packed::Boxes(items) => levels
                .map(|l| self.boxes[l].crowds(items, scene))
                .fold([0.0; 3], add),
        };
        (Levels::<D>::tests_cost(tests, doubted), pairs)
    }

    /// Appends every two of an item or ghost that was prepared for and one of some
    /// others of the scene that touch; an item that is among both touches itself.
    pub(super) fn pairs_with(&self, others: &[u32], scene: &Scene<D>, found: &mut Found) {
        let levels = self.levels.len();
        match Packed::new(scene) {
            Packed::Balls(items) => (self.balls[..levels].iter())
                .for_each(|lattice| lattice.pairs_with(items, others, scene, found)),
            Packed::Boxes(items) => (self.boxes[..levels].iter())
                .for_each(|lattice| lattice.pairs_with(items, others, scene, found)),
        }
    }

    /// Prepares for the scene for which levels were planned last.
    pub(super) fn follow_plan(&mut self, scene: &Scene<D>) {
        let Self {
            levels,
            deal,
            members,
            ..
        } = self;
        match Packed::new(scene) {
            Packed::Balls(items) => {
                by_level(items, scene.len(), levels, deal, members);
                sort(items, scene, levels, members, &mut self.balls);
            }
            Packed::Boxes(items) => {
                by_level(items, scene.len(), levels, deal, members);
                sort(items, scene, levels, members, &mut self.boxes);
            }
        }
    }
}

/// Lists items by level, unless there is one level only.
fn by_level<const D: usize, const N: usize, P: Packing<D, N>>(
    items: P,
    count: usize,
    levels: &Levels<D>,
    deal: &mut Deal<u32>,
    members: &mut Vec<u32>,
) {
    members.clear();
    if levels.len() < 2 {
        return;
    }
    let lengths = (0..count.div_ceil(CHUNK)).map(|c| (count - c * CHUNK).min(CHUNK));
    deal.deal(lengths, levels.len(), |c, buckets, out| {
        let mut keys = [0; CHUNK];
        let keys = &mut keys[..out.len()];
        for (i, key) in keys.iter_mut().enumerate() {
            *key = levels.level(items, c * CHUNK + i) as u32;
        }
        count_out(
            keys,
            |&key| key,
            |i, _| (c * CHUNK + i) as u32,
            buckets,
            out,
        );
    });
    for level in 0..levels.len() {
        for segment in deal.segments(level) {
            members.extend_from_slice(segment);
        }
    }
}

/// Sorts the items of each level into its cells; `members` are the items by level,
/// or none where there is one level only.
fn sort<const D: usize, const N: usize, P: Packing<D, N>>(
    items: P,
    scene: &Scene<D>,
    levels: &Levels<D>,
    members: &[u32],
    lattices: &mut Vec<Lattice<D, N>>,
) {
    if lattices.len() < levels.len() {
        lattices.resize_with(levels.len(), Lattice::default);
    }
    let mut from = 0;
    for (l, lattice) in lattices[..levels.len()].iter_mut().enumerate() {
        let measures = levels.measures(l);
        if members.is_empty() {
            lattice.update(items, scene, &measures, |i| i);
        } else {
            let members = &members[from..from + measures.count];
            lattice.update(items, scene, &measures, |i| members[i] as usize);
        }
        from += measures.count;
    }
}

/// Finds the pairs within each level and between any two.
fn search<const D: usize, const N: usize, P: Packing<D, N>>(
    items: P,
    scene: &Scene<D>,
    lattices: &[Lattice<D, N>],
    found: &mut Found,
) {
    for (l, lattice) in lattices.iter().enumerate() {
        lattice.pairs(items, scene, found);
        for smaller in &lattices[..l] {
            smaller.pairs_with(items, lattice.index(), scene, found);
        }
    }
}

impl<const D: usize> Search<D> for GridSearch<D> {
    const BETWEEN: bool = true;

    fn update(&mut self, scene: &Scene<D>) {
        self.plan(scene);
        self.follow_plan(scene);
    }

    fn method(&self) -> &'static str {
        "grid"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut Found) {
        let levels = self.levels.len();
        match Packed::new(scene) {
            Packed::Balls(items) => search(items, scene, &self.balls[..levels], found),
            Packed::Boxes(items) => search(items, scene, &self.boxes[..levels], found),
        }
    }

    fn between(&mut self, scene: &Scene<D>, found: &mut Found) {
        self.pairs_with(scene.others(), scene, found);
    }
}
