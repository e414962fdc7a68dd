//! Who might touch? All pairs among many particles or boxes.
//!
//! A method is a [`Finder`] with a search of its own; all give the same
//! answer, pair for pair, as [`Brute`], which tests everything with everything:
//!
//! | method | cost | good for |
//! |---|---|---|
//! | [`Brute`] | n^2 | few items; the oracle |
//! | [`Shells`] | n^(1 + 1/D) | up to some ten thousand items |
//! | [`Cells`] | n | sizes alike |
//! | [`Sweep`] | n + changes of order | items that hardly move between updates |
//! | [`GridPairs`] | n | sizes that differ much |
//! | [`TreePairs`] | n log n | any sizes and shapes |
//!
//! Spheres touch when `dx*dx + dy*dy + dz*dz <= (ri + rj)*(ri + rj)`, in this
//! order and without fused multiply-add; boxes when their closed intervals
//! overlap on every axis. With a margin, spheres count up to `ri + rj + margin`
//! apart, boxes up to `margin` along each axis. In a [`Periodic`] space the
//! differences are `(x_b - x_a) + shift`.
//!
//! Pairs come sorted, the lower item first, each once; they do not depend on
//! the method, the number of threads or the machine.
//!
//! Items that move little need no search at every step: [`Candidates`] keep what
//! any method has found, and answer as it would.
//!
//! ```
//! use tangere::pairs::{Cells, PairFinder, PairSettings};
//!
//! let centers = [[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [3.5, 1.0]];
//! let radii = [0.5, 0.5, 1.0, 0.2];
//! let mut finder = Cells::new(PairSettings::default())?;
//! let mut pairs = Vec::new();
//! finder.update((&centers[..], &radii[..]).into())?;
//! finder.pairs(&mut pairs)?;
//! assert_eq!(pairs, [[0, 1], [2, 3]]);
//! # Ok::<(), tangere::Error>(())
//! ```

mod among;
mod auto;
mod between;
mod brute;
mod candidates;
mod cells;
mod contact;
mod deal;
mod found;
mod grid;
mod images;
mod lattice;
mod left_out;
mod levels;
mod linked;
mod listed;
mod measures;
mod method;
mod motion;
mod near;
mod neighbors;
mod order;
mod packing;
mod periodic;
mod scene;
mod shells;
mod strips;
mod sweep;
mod tree;

pub use candidates::Candidates;
pub use contact::PairContact;
pub use left_out::Mask;
pub use method::{Method, finder};
pub use neighbors::neighbors;
pub use periodic::{Image, Periodic};
pub use scene::Items;

use crate::error::{Error, Result};
use found::{Found, Rule};
use grid::GridSearch;
use images::ImageSearch;
use left_out::LeftOut;
use order::Order;
use scene::Scene;

/// Picks the method that promises to be fastest.
pub type Auto<const D: usize> = Finder<D, auto::AutoSearch<D>>;
/// Tests every pair.
pub type Brute<const D: usize> = Finder<D, brute::BruteSearch>;
/// Items sorted by their distance from far points.
pub type Shells<const D: usize> = Finder<D, shells::ShellSearch<D>>;
/// Linked cells: items are sorted into cells as large as the largest of them.
pub type Cells<const D: usize> = Finder<D, cells::CellSearch<D>>;
/// Linked cells with a header and a list, kept to compare with: [`Cells`] is faster.
pub type LinkedCells<const D: usize> = Finder<D, linked::LinkedSearch<D>>;
/// Ends of intervals kept sorted along every axis.
pub type Sweep<const D: usize> = Finder<D, sweep::SweepSearch<D>>;
/// Cells by size: every item among those of its like.
pub type GridPairs<const D: usize> = Finder<D, grid::GridSearch<D>>;
/// The bounding-volume tree against itself.
pub type TreePairs<const D: usize> = Finder<D, tree::TreeSearch<D>>;

/// What all methods are asked for.
#[derive(Clone, Copy, Debug)]
pub struct PairSettings<const D: usize> {
    /// How far apart items may be and still count; not negative.
    pub margin: f64,
    /// The periodic cell, if any.
    pub periodic: Option<Periodic<D>>,
    /// Whether all images of a periodic space count. Items may then be of any size:
    /// a pair may touch in several images, an item its own ([`PairFinder::contacts`]).
    /// Else two items that might do so are an error.
    pub every_image: bool,
    /// More pairs than this are an error that says how many there are.
    pub most: usize,
}

impl<const D: usize> Default for PairSettings<D> {
    fn default() -> Self {
        PairSettings {
            margin: 0.0,
            periodic: None,
            every_image: false,
            most: usize::MAX,
        }
    }
}

/// Refuses what is no margin.
fn check_margin(what: &'static str, margin: f64) -> Result<()> {
    match margin >= 0.0 && crate::geometry::is_valid_coordinate(margin) {
        true => Ok(()),
        false => {
            let expected = "a finite number that is not negative";
            Err(Error::argument(what, margin, expected))
        }
    }
}

/// A method that finds pairs. `leave_out` says which do not count, `update` takes over items, `pairs` and `query`
/// answer for the items of the last update; memory is kept from call to call.
pub trait PairFinder<const D: usize>: Send {
    /// Leaves out pairs of items of the same group (of a clump, a body, a molecule)
    /// and pairs whose masks do not allow each other ([`Mask::allows`]), in whatever
    /// image they touch, from the next update on. Each of the two is empty, and then
    /// no rule, or has one for each item of the updates to come, in their order.
    ///
    /// ```
    /// use tangere::pairs::{Auto, Mask, PairFinder, PairSettings};
    ///
    /// let (centers, radii) = ([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]], [0.5; 4]);
    /// let mut finder = Auto::new(PairSettings::default())?;
    /// let mut pairs = Vec::new();
    ///
    /// // Two clumps of two.
    /// finder.leave_out(&[7, 7, 9, 9], &[]);
    /// finder.update((&centers[..], &radii[..]).into())?;
    /// finder.pairs(&mut pairs)?;
    /// assert_eq!(pairs, [[1, 2]]);
    ///
    /// // Grains, which meet everything, and walls, which meet grains.
    /// let grain = Mask { member: 0b01, meets: 0b11 };
    /// let wall = Mask { member: 0b10, meets: 0b01 };
    /// finder.leave_out(&[], &[grain, wall, wall, grain]);
    /// finder.update((&centers[..], &radii[..]).into())?;
    /// finder.pairs(&mut pairs)?;
    /// assert_eq!(pairs, [[0, 1], [2, 3]]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    fn leave_out(&mut self, groups: &[u32], masks: &[Mask]);

    /// Takes over items.
    ///
    /// # Errors
    /// When an item is none (it is named), or too large for the periodic cell, when
    /// there are not as many groups or masks, or too many images are within reach.
    /// The finder then has no items.
    fn update(&mut self, items: Items<'_, D>) -> Result<()>;

    /// All pairs, sorted, the lower item first, each once, in however many images
    /// they touch. `out` is cleared first.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`].
    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()>;

    /// Calls `visit` with the same pairs in the same order, some at a time: no array
    /// holds them all in their order. Nothing is visited where there are too many.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`].
    ///
    /// ```
    /// use tangere::pairs::{Auto, PairFinder, PairSettings};
    ///
    /// let centers: Vec<[f64; 2]> = (0..1000).map(|i| [f64::from(i), 0.0]).collect();
    /// let mut finder = Auto::new(PairSettings::default())?;
    /// finder.update((&centers[..], &[0.5; 1000][..]).into())?;
    /// let mut count = 0;
    /// finder.for_each_chunk(&mut |pairs| count += pairs.len())?;
    /// assert_eq!(count, 999);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    fn for_each_chunk(&mut self, visit: &mut dyn FnMut(&[[u32; 2]])) -> Result<()>;

    /// Some of the pairs whose lower item is `first` or a later one, the first of them
    /// in order, and the item with which to go on; no item where these were the last.
    /// A question of its own in between costs a search. `out` is cleared first.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`] in all.
    fn chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>>;

    /// The same pairs, each with the image in which they touch, their gap and
    /// the normal from the first to the second. `out` is cleared first.
    ///
    /// Where a pair touches in several images, the one in which it overlaps most. With
    /// [`PairSettings::every_image`] all of them, sorted by pair, then by image, and
    /// as pairs of an item with itself the images of its own that it touches: of each
    /// two opposite ones that whose last number other than 0 is positive.
    ///
    /// ```
    /// use tangere::pairs::{Auto, PairFinder, PairSettings, Periodic};
    ///
    /// // As large as the cell: it touches itself, across each border.
    /// let (centers, radii) = ([[0.2, 0.7]], [0.5]);
    /// let mut finder = Auto::new(PairSettings {
    ///     periodic: Some(Periodic::new([1.0, 1.0])?),
    ///     every_image: true,
    ///     ..PairSettings::default()
    /// })?;
    /// let mut contacts = Vec::new();
    /// finder.update((&centers[..], &radii[..]).into())?;
    /// finder.contacts(&mut contacts)?;
    /// let images: Vec<_> = contacts.iter().map(|c| (c.pair, c.image)).collect();
    /// assert_eq!(images, [([0, 0], [0, 1]), ([0, 0], [1, 0])]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`].
    fn contacts(&mut self, out: &mut Vec<PairContact<D>>) -> Result<()>;

    /// All pairs of an item of the last update and one of `others`, which must be
    /// of the same kind: sorted, the item first. `out` is cleared first. Others look
    /// into what the update has prepared. [`PairFinder::leave_out`] is about items
    /// alone: others have no group, are of every kind and meet every kind.
    ///
    /// # Errors
    /// As [`PairFinder::update`] and [`PairFinder::pairs`].
    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()>;

    /// Replaces the periodic cell, for the next update.
    fn set_cell(&mut self, cell: Option<Periodic<D>>);

    /// How often this has searched, and how often it could do without: only
    /// [`Candidates`] count.
    fn uses(&self) -> Option<Uses> {
        None
    }

    /// The method that answers.
    fn method(&self) -> &'static str;

    /// In one sentence, why this method answers.
    fn reason(&self) -> String;
}

/// How often candidates were used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Updates that searched.
    pub builds: usize,
    /// Updates that needed no search.
    pub reuses: usize,
}

/// A search prepared for a scene, which reports pairs in any order. Only this
/// module has searches.
pub trait Search<const D: usize>: Default + Send {
    /// Whether others can look into what is prepared; else cells are made for them.
    const BETWEEN: bool = false;

    /// Prepares for a scene.
    fn update(&mut self, scene: &Scene<D>);

    /// Appends every two of items and ghosts that touch, each once, either first.
    fn search(&mut self, scene: &Scene<D>, found: &mut Found);

    /// Appends every two of an item and one of the others in the scene that touch, each
    /// once, either first; pairs with ghosts of items are left out. The search was
    /// prepared before they came. Asked only if [`Search::BETWEEN`].
    fn between(&mut self, _scene: &Scene<D>, _found: &mut Found) {}

    /// The name of the method.
    fn method(&self) -> &'static str;

    /// In one sentence, why it answers.
    fn reason(&self) -> String {
        format!("{} was asked for", self.method())
    }

    /// Whether it searches for no pairs of ghosts.
    fn skips_ghosts(&self) -> bool {
        false
    }
}

/// The part that all methods share: checks, periodic space, order.
#[derive(Clone, Debug)]
pub struct Finder<const D: usize, S> {
    settings: PairSettings<D>,
    /// How much farther than the margin pairs are searched.
    skin: f64,
    scene: Scene<D>,
    search: S,
    /// In place of the search where there are many ghosts.
    images: ImageSearch<D>,
    /// Pairs of a part of its work.
    part_pairs: Vec<[u32; 2]>,
    left_out: LeftOut,
    /// What is left out from the next update on, if that was renewed.
    next_left_out: LeftOut,
    renewed: bool,
    found: Found,
    order: Order,
    /// For others to look into, where the search has nothing for them; whether it
    /// knows the items.
    grid: GridSearch<D>,
    gridded: bool,
    /// Whether pairs wait in `order` to be sorted by chunks.
    dealt: bool,
    chunk: Vec<[u32; 2]>,
}

impl<const D: usize, S: Search<D>> Finder<D, S> {
    /// A finder without items.
    ///
    /// # Errors
    /// When the margin is negative or not finite.
    pub fn new(settings: PairSettings<D>) -> Result<Self> {
        const { assert!(D == 2 || D == 3, "space has two or three dimensions") };
        let margin = settings.margin;
        check_margin("margin", margin)?;
        Ok(Finder {
            settings,
            skin: 0.0,
            scene: Scene::new(&settings),
            search: S::default(),
            images: ImageSearch::default(),
            part_pairs: Vec::new(),
            left_out: LeftOut::default(),
            next_left_out: LeftOut::default(),
            renewed: false,
            found: Found::default(),
            order: Order::default(),
            grid: GridSearch::default(),
            gridded: false,
            dealt: false,
            chunk: Vec::new(),
        })
    }
}

impl<const D: usize, S: Search<D>> PairFinder<D> for Finder<D, S> {
    fn leave_out(&mut self, groups: &[u32], masks: &[Mask]) {
        self.next_left_out.copy(groups, masks);
        self.renewed = true;
    }

    fn update(&mut self, items: Items<'_, D>) -> Result<()> {
        if std::mem::take(&mut self.renewed) {
            std::mem::swap(&mut self.left_out, &mut self.next_left_out);
        }
        let PairSettings {
            margin, periodic, ..
        } = self.settings;
        self.scene.set(margin, self.skin, periodic);
        let taken = (self.left_out.check(items.len())).and_then(|()| self.scene.update(items));
        if taken.is_err() {
            self.scene = Scene::new(&self.settings);
        }
        (self.gridded, self.dealt) = (false, false);
        match self.is_crowded() {
            true => self.images.update(&self.scene),
            false => self.search.update(&self.scene),
        }
        taken
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        if self.is_crowded() {
            out.clear();
            self.crowded_pairs(out);
            return self.limited(out);
        }
        // Cleared where it fails only: what is written over needs no zeros first.
        self.find(self.scene.is_open())
            .inspect_err(|_| out.clear())?;
        let scene = &self.scene;
        if scene.is_open() {
            self.order.sort(&self.found, |i| i, scene.items(), out);
        } else {
            let item = |i: u32| scene.item(i as usize) as u32;
            self.order.sort(&self.found, item, scene.items(), out);
            // Several images of a pair may touch, and those of one item.
            keep_one_of_each(out);
        }
        self.limited(out)
    }

    fn for_each_chunk(&mut self, visit: &mut dyn FnMut(&[[u32; 2]])) -> Result<()> {
        let mut chunk = std::mem::take(&mut self.chunk);
        let visited = visit_chunks(self, &mut chunk, visit);
        self.chunk = chunk;
        visited
    }

    fn chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>> {
        out.clear();
        if self.is_crowded() {
            // They are put together piece by piece, and are no more than one chunk.
            self.crowded_pairs(out);
            self.limited(out)?;
            out.retain(|pair| pair[0] >= first);
            return Ok(None);
        }
        if !self.dealt {
            self.deal(out)?;
        }
        let next = self.order.chunk(first, out);
        if !self.scene.is_open() {
            // A pair is in one chunk, with all its images.
            keep_one_of_each(out);
        }
        Ok(next)
    }

    fn contacts(&mut self, out: &mut Vec<PairContact<D>>) -> Result<()> {
        out.clear();
        let every_image = self.settings.every_image;
        self.find(self.scene.is_open() || every_image)?;
        let scene = &self.scene;
        let item = |i: u32| scene.item(i as usize);
        let counts = |&[i, j]: &[u32; 2]| every_image || item(i) != item(j);
        let pairs = self.found.pairs().filter(counts);
        out.extend(pairs.map(|[i, j]| scene.contact(i, j)));
        let key = |c: &PairContact<D>| (c.pair, c.image);
        if every_image {
            out.sort_unstable_by_key(key);
        } else {
            // Of two images that touch, the nearer, then the lower.
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
        format!("{images} images are within reach of {items} items: each looks into their cells")
    }

    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()> {
        out.clear();
        let answered = self.between(others, out);
        self.scene.dismiss();
        answered?;
        self.limited(out)
    }

    fn set_cell(&mut self, cell: Option<Periodic<D>>) {
        self.settings.periodic = cell;
    }
}

impl<const D: usize, S: Search<D>> Finder<D, S> {
    /// Whether there are many ghosts, and the search is not made for them.
    fn is_crowded(&self) -> bool {
        self.scene.is_crowded() && !self.search.skips_ghosts()
    }

    /// Fills in what is found; `limited` if each counts towards the most there may be.
    fn find(&mut self, limited: bool) -> Result<()> {
        let most = self.settings.most;
        // All must be kept to tell how many are left out, found twice, or of ghosts.
        let told = self.left_out.is_nothing() && (self.scene.is_open() || self.is_crowded());
        self.begin(if limited && told { most } else { usize::MAX });
        if self.is_crowded() {
            for part in 0..self.images.parts() {
                self.images.search(part, &self.scene, &mut self.found);
            }
        } else {
            self.search.search(&self.scene, &mut self.found);
        }
        self.leave_out_found();
        match self.found.count() {
            found if limited && found > most => Err(too_many(found, most)),
            _ => Ok(()),
        }
    }

    /// Finds and deals pairs, to be sorted chunk by chunk.
    fn deal(&mut self, chunk: &mut Vec<[u32; 2]>) -> Result<()> {
        self.find(self.scene.is_open())?;
        let (scene, most) = (&self.scene, self.settings.most);
        let item = |i: u32| scene.item(i as usize) as u32;
        self.order.deal(&self.found, item, scene.items());
        if self.found.count() > most {
            // Some may be there twice.
            let (mut count, mut next) = (0, Some(0));
            while let Some(first) = next {
                next = self.order.chunk(first, chunk);
                keep_one_of_each(chunk);
                count += chunk.len();
            }
            chunk.clear();
            if count > most {
                return Err(too_many(count, most));
            }
        }
        self.dealt = true;
        Ok(())
    }

    /// The pairs with others, which stay in the scene.
    fn between(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()> {
        let prepared = S::BETWEEN && !self.is_crowded();
        if !prepared && !self.gridded {
            self.grid.update(&self.scene);
            self.gridded = true;
        }
        self.scene.admit(others)?;
        if self.scene.others().is_empty() {
            return Ok(());
        }
        let most = self.settings.most;
        let told = self.left_out.is_nothing() && self.scene.is_open();
        self.begin(if told { most } else { usize::MAX });
        let Finder { scene, found, .. } = self;
        match prepared {
            true => self.search.between(scene, found),
            false => self.grid.between(scene, found),
        }
        let count = found.count();
        if told && count > most {
            return Err(too_many(count, most));
        }
        let item = |i: u32| scene.item(i as usize) as u32;
        self.order.sort(found, item, scene.items(), out);
        if !scene.is_open() {
            out.dedup();
        }
        if !self.left_out.is_nothing() {
            out.retain(|&[item, _]| self.left_out.keeps_any(item as usize));
        }
        let items = scene.items() as u32;
        out.iter_mut().for_each(|pair| pair[1] -= items);
        Ok(())
    }

    /// Forgets what was found.
    fn begin(&mut self, most: usize) {
        self.dealt = false;
        let items = self.scene.items() as u32;
        self.found.clear(Rule { items, most });
    }

    fn leave_out_found(&mut self) {
        if !self.left_out.is_nothing() {
            let (scene, left_out) = (&self.scene, &self.left_out);
            let item = |i: u32| scene.item(i as usize);
            self.found.retain(|i, j| left_out.keeps(item(i), item(j)));
        }
    }

    /// Fills in all pairs. They are found in many images each, part by part of the
    /// work, so that memory is that of what is kept.
    fn crowded_pairs(&mut self, out: &mut Vec<[u32; 2]>) {
        /// Pairs that may come twice before they are told.
        const TWICE: usize = 1 << 20;
        let mut part_pairs = std::mem::take(&mut self.part_pairs);
        let mut once = 0;
        for part in 0..self.images.parts() {
            self.begin(usize::MAX);
            self.images.search(part, &self.scene, &mut self.found);
            self.leave_out_found();
            let item = |i: u32| self.scene.item(i as usize) as u32;
            let items = self.scene.items();
            self.order.sort(&self.found, item, items, &mut part_pairs);
            keep_one_of_each(&mut part_pairs);
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
    }

    fn limited<T>(&self, out: &mut Vec<T>) -> Result<()> {
        let (found, most) = (out.len(), self.settings.most);
        if found <= most {
            return Ok(());
        }
        out.clear();
        Err(too_many(found, most))
    }
}

/// Leaves one of equal pairs, which are side by side, and none of an item with itself.
fn keep_one_of_each(pairs: &mut Vec<[u32; 2]>) {
    let mut last = [0; 2];
    pairs.retain(|&pair| pair[0] != pair[1] && std::mem::replace(&mut last, pair) != pair);
}

/// Visits all chunks of a finder.
fn visit_chunks<const D: usize>(
    finder: &mut impl PairFinder<D>,
    chunk: &mut Vec<[u32; 2]>,
    visit: &mut dyn FnMut(&[[u32; 2]]),
) -> Result<()> {
    let mut next = Some(0);
    while let Some(first) = next {
        next = finder.chunk(first, chunk)?;
        if !chunk.is_empty() {
            visit(chunk);
        }
    }
    Ok(())
}

fn too_many(found: usize, most: usize) -> Error {
    Error::argument("pairs", found, format!("at most {most}"))
}
