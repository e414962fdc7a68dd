//! Levels of the hierarchical grid: decides which sizes of items share cells. Plans
//! [`super::hierarchical_grid`] and predicts its cost for [`super::auto`].
//!
//! Items are counted in size classes, each up to twice as large as the one before; neighbouring
//! classes are merged as long as the merged level is predicted to be cheaper. O(n) for the
//! histogram, and some microseconds for the plan.

use super::f32_packing::Packing;
use super::item_bounds::ItemBounds;
use super::scene::Scene;
use crate::geometry::Aabb;
use rayon::prelude::*;

/// Maximum number of size classes from which grid levels are made. The first class also holds all
/// smaller items, the last all larger ones.
const CLASSES: usize = 24;
/// The number of items that one task counts for the histogram of sizes.
const CHUNK: usize = 8192;

/// Cost model of the hierarchical grid: nanoseconds of each step of a search in cells.
mod cost {
    /// Nanoseconds to sort an item into its cell.
    pub(super) const SORT: f64 = 24.0;
    /// Nanoseconds to list the ranges of items that an item of the same grid level is tested
    /// against.
    pub(super) const LIST: f64 = 6.0;
    /// Nanoseconds to start the tests of an item against a row of cells of its own grid level.
    pub(super) const ROW: f64 = 3.5;
    /// Nanoseconds to test an item against eight items of a row of cells at once.
    pub(super) const EIGHT: f64 = 2.2;
    /// Nanoseconds to decide in f64 whether a pair touches that is too close to decide in f32.
    pub(super) const DOUBT: f64 = 16.0;
    /// Nanoseconds to start the query of a grid level of smaller items with one item.
    pub(super) const QUERY: f64 = 25.0;
    /// Nanoseconds to start the tests of a query item against a row of cells of another grid level.
    pub(super) const QUERY_ROW: f64 = 8.0;
    /// Nanoseconds to prepare a grid level, however many items it has.
    pub(super) const LEVEL: f64 = 3000.0;
}

/// A size class: items of similar size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Class<const D: usize> {
    /// The number of items in the class.
    pub(super) count: usize,
    /// The largest extent along each axis of an item in the size class: the radius of a sphere, the
    /// edge length of a box.
    pub(super) largest: [f64; D],
    /// The largest size of an item in the size class: the diameter of a sphere, the longest edge of
    /// a box ([`Packing::size`]). Larger items are in later classes.
    size: f64,
}

impl<const D: usize> Class<D> {
    const NONE: Self = Class {
        count: 0,
        largest: [0.0; D],
        size: 0.0,
    };

    /// The size class of the items of both classes together, for a grid level that they share.
    fn union(&self, other: &Self) -> Self {
        Class {
            count: self.count + other.count,
            largest: std::array::from_fn(|k| self.largest[k].max(other.largest[k])),
            size: self.size.max(other.size),
        }
    }
}

/// The levels of a hierarchical grid, ordered by size: the level of the smallest items is first.
#[derive(Clone, Debug)]
pub(super) struct Levels<const D: usize> {
    all: Vec<Class<D>>,
    /// The box around the positions of most items of the hierarchical grid. Items outside are
    /// outliers.
    core: Aabb<D>,
    /// The bounds of the outliers, the items whose positions are outside of `core`, if there are
    /// any. They form the last grid level.
    lost: Option<ItemBounds<D>>,
    /// Predicted nanoseconds for a search in the hierarchical grid with these levels.
    cost: f64,
    single: f64,
    /// The expected number of touching pairs of the hierarchical grid if its items are spread
    /// evenly over `core`.
    pairs: f64,
}

impl<const D: usize> Default for Levels<D> {
    fn default() -> Self {
        Levels {
            all: Vec::new(),
            core: Aabb::EMPTY,
            lost: None,
            cost: 0.0,
            single: 0.0,
            pairs: 0.0,
        }
    }
}

/// Size histogram of the items, without outliers, and the bounds of the outliers, from one pass
/// over all items.
#[derive(Clone, Copy)]
struct Census<const D: usize> {
    classes: [Class<D>; CLASSES],
    lost: ItemBounds<D>,
}

impl<const D: usize> Census<D> {
    const NONE: Self = Census {
        classes: [Class::NONE; CLASSES],
        lost: ItemBounds::NONE,
    };

    /// Merges two censuses for the grid levels: adds up their size histograms and unites the bounds
    /// of their outliers.
    fn union(self, other: Self) -> Self {
        Census {
            classes: std::array::from_fn(|c| self.classes[c].union(&other.classes[c])),
            lost: self.lost.union(&other.lost),
        }
    }
}

impl<const D: usize> Levels<D> {
    /// Plans the grid levels for the items of a scene.
    pub(super) fn update<const N: usize, P: Packing<D, N>>(&mut self, items: P, scene: &Scene<D>) {
        self.all.clear();
        self.lost = None;
        let item_bounds = scene.item_bounds();
        if item_bounds.count == 0 {
            (self.cost, self.single, self.pairs) = (0.0, 0.0, 0.0);
            return;
        }
        self.core = scene.core();
        let nowhere_else = self.core.contains(item_bounds.bounds.min)
            && self.core.contains(item_bounds.bounds.max);
        let volume = Volume::new(scene, &self.core, P::REACH);
        // Sizes that are small compared to the mean spacing make no difference.
        let core = ItemBounds {
            bounds: self.core,
            ..*item_bounds
        };
        let base = 1.6 * core.spacing();
        let inverse_base = if base > 0.0 { 1.0 / base } else { f64::MAX };
        let size = P::size(item_bounds.largest);
        if nowhere_else && size <= base {
            self.all.push(Class {
                count: item_bounds.count,
                largest: item_bounds.largest,
                size,
            });
        } else {
            let census = (0..scene.len().div_ceil(CHUNK))
                .into_par_iter()
                .map(|c| {
                    let mut census = Census::NONE;
                    for i in c * CHUNK..((c + 1) * CHUNK).min(scene.len()) {
                        let extent = items.extent(i);
                        if !nowhere_else && !self.core.contains(items.position(i)) {
                            census.lost.include(items.position(i), extent);
                            continue;
                        }
                        let size = P::size(extent);
                        let class = &mut census.classes[class(size, inverse_base)];
                        class.count += 1;
                        class.size = class.size.max(size);
                        for k in 0..D {
                            class.largest[k] = class.largest[k].max(extent[k]);
                        }
                    }
                    census
                })
                .reduce(|| Census::NONE, Census::union);
            let occupied = census.classes.iter().filter(|class| class.count > 0);
            self.all.extend(occupied);
            self.lost = (census.lost.count > 0).then_some(census.lost);
        }
        let whole = self.all.iter().fold(Class::NONE, |a, b| a.union(b));
        self.single = volume.cost(&[whole]);
        self.pairs = volume.pairs(&self.all);
        self.cost = volume.cost(&self.all);
        // Merges the two neighbouring levels that gain most, until none do.
        while self.all.len() > 1 {
            let joined = |l: usize| {
                let mut levels = [Class::NONE; CLASSES];
                let count = self.all.len() - 1;
                levels[..=l].copy_from_slice(&self.all[..=l]);
                levels[l..count].copy_from_slice(&self.all[l + 1..]);
                levels[l] = self.all[l].union(&self.all[l + 1]);
                volume.cost(&levels[..count])
            };
            let best = (0..self.all.len() - 1)
                .map(|l| (joined(l), l))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((cost, l)) = best.filter(|best| best.0 <= self.cost) else {
                break;
            };
            self.cost = cost;
            self.all[l] = self.all[l].union(&self.all[l + 1]);
            self.all.remove(l + 1);
        }
    }

    /// Merges all grid levels into one.
    pub(super) fn join(&mut self) {
        let whole = self.all.iter().fold(Class::NONE, |a, b| a.union(b));
        self.all.clear();
        self.all.push(whole);
        self.cost = self.single;
    }

    /// The box around the positions of most items on the grid levels. Items outside are outliers.
    pub(super) fn core(&self) -> &Aabb<D> {
        &self.core
    }

    /// The number of grid levels, including the level of outliers.
    pub(super) fn len(&self) -> usize {
        self.all.len() + usize::from(self.lost.is_some())
    }

    /// The bounds of positions and sizes of the items of a grid level.
    pub(super) fn item_bounds(&self, level: usize) -> ItemBounds<D> {
        match (self.all.get(level), self.lost) {
            (None, Some(lost)) => lost,
            (None, None) => ItemBounds::NONE,
            (Some(class), _) => ItemBounds {
                bounds: self.core,
                largest: class.largest,
                count: class.count,
            },
        }
    }

    /// The grid level of item `i`.
    #[inline]
    pub(super) fn level<const N: usize, P: Packing<D, N>>(&self, items: P, i: usize) -> usize {
        if self.lost.is_some() && !self.core.contains(items.position(i)) {
            return self.all.len();
        }
        let size = P::size(items.extent(i));
        let last = self.all.len().saturating_sub(1);
        (self.all[..last].iter()).fold(0, |level, class| level + usize::from(size > class.size))
    }

    /// Predicted nanoseconds of `tests` tests on the grid levels, eight at a time, of which
    /// `doubted` are repeated in f64.
    pub(super) fn tests_cost(tests: f64, doubted: f64) -> f64 {
        cost::EIGHT / 8.0 * tests + cost::DOUBT * doubted
    }

    /// The expected number of touching pairs on all grid levels if items are spread evenly.
    pub(super) fn pairs(&self) -> f64 {
        self.pairs
    }

    /// Predicted nanoseconds for a search with these grid levels.
    pub(super) fn cost(&self) -> f64 {
        self.cost
    }

    /// Predicted nanoseconds for a search with all items on one grid level.
    pub(super) fn single(&self) -> f64 {
        self.single
    }
}

/// The index of the size class of an item, from which grid levels are planned. It is 0 up to the
/// base size, whose inverse is `inverse_base`, and increases by 1 each time the size doubles.
#[inline]
fn class(size: f64, inverse_base: f64) -> usize {
    let ratio = size * inverse_base;
    // The exponent of a float is its binary logarithm, rounded down.
    match ratio <= 1.0 {
        true => 0,
        false => (1 + (ratio.to_bits() >> 52) as usize - 1023).min(CLASSES - 1),
    }
}

/// The box over which items are taken to be spread evenly when the cost of grid levels is
/// predicted.
struct Volume<const D: usize> {
    extent: [f64; D],
    margin: f64,
    /// The largest distance along an axis between the positions of two touching items, in multiples
    /// of the largest extent of an item ([`Packing::REACH`]).
    reach: f64,
}

impl<const D: usize> Volume<D> {
    /// The box from which the cost of grid levels is predicted: `core`, in which most items of the
    /// scene lie. The positions of two touching items are at most `reach` times the largest extent
    /// of an item, plus the margin of the scene, apart along an axis.
    fn new(scene: &Scene<D>, core: &Aabb<D>, reach: f64) -> Self {
        Volume {
            extent: core.extent(),
            margin: scene.margin,
            reach,
        }
    }

    /// Predicted nanoseconds for a search with the given grid levels.
    fn cost(&self, levels: &[Class<D>]) -> f64 {
        let mut cost = 0.0;
        for (l, large) in levels.iter().enumerate() {
            let (rows, columns) = self.met(large, large);
            // Half of the neighbouring rows, and half of the item's own.
            let rows = 0.5 * (rows + 1.0);
            let per_item = cost::LIST + rows * (cost::ROW + cost::EIGHT * columns / 8.0);
            cost += cost::LEVEL + large.count as f64 * (cost::SORT + per_item);
            for small in &levels[..l] {
                // A sphere fills about this part of the cells that it reaches.
                let (rows, columns) = self.met(large, small);
                let per_item = cost::QUERY
                    + 0.8 * rows * (cost::QUERY_ROW + cost::EIGHT * 0.8 * columns / 8.0);
                cost += large.count as f64 * per_item;
            }
        }
        cost
    }

    /// The expected number of touching pairs on all grid levels: for each pair of size classes, the
    /// share of space in which the centre of one item makes it touch the other, times the number of
    /// pairs.
    fn pairs(&self, classes: &[Class<D>]) -> f64 {
        /// The ratio of the true number of touching pairs to the number that the loop of this
        /// function estimates. The loop counts every item as a cube with the largest size of its
        /// class.
        const PART: f64 = 0.25;
        let mut pairs = 0.0;
        for (c, large) in classes.iter().enumerate() {
            for (s, small) in classes[..=c].iter().enumerate() {
                let share = (0..D).fold(1.0, |share, k| {
                    let reach = 0.5 * self.reach * (large.largest[k] + small.largest[k]);
                    let within = 2.0 * (reach + self.margin);
                    share
                        * if within < self.extent[k] {
                            within / self.extent[k]
                        } else {
                            1.0
                        }
                });
                let both = large.count as f64 * small.count as f64;
                pairs += share * if s == c { 0.5 * both } else { both };
            }
        }
        PART * pairs
    }

    /// Two numbers that are expected if items are spread evenly over the cells of a grid level: the
    /// number of rows of cells (along the first axis) within reach of an item of the class `item`,
    /// and the number of items in that part of one row that is within reach.
    fn met(&self, item: &Class<D>, level: &Class<D>) -> (f64, f64) {
        let bounds = Aabb {
            min: [0.0; D],
            max: self.extent,
        };
        let cell = ItemBounds {
            bounds,
            largest: level.largest,
            count: level.count,
        }
        .cell(self.reach, self.margin);
        let (mut rows, mut columns) = (1.0, level.count as f64);
        for k in 0..D {
            let reach = 0.5 * self.reach * (item.largest[k] + level.largest[k]) + self.margin;
            let all = (self.extent[k] / cell[k]).floor() + 1.0;
            let met = (2.0 * reach / cell[k] + 1.0).min(all);
            columns *= if k == 0 { met } else { 1.0 } / all;
            rows *= if k == 0 { 1.0 } else { met };
        }
        (rows, columns)
    }
}
