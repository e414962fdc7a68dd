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
//! | [`GridPairs`] | n log n | sizes that differ much |
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
mod cells;
mod contact;
mod deal;
mod found;
mod grid;
mod lattice;
mod levels;
mod linked;
mod measures;
mod method;
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

pub use contact::PairContact;
pub use method::{Method, finder};
pub use neighbors::neighbors;
pub use periodic::{Image, Periodic};
pub use scene::Items;

use crate::error::{Error, Result};
use found::{Found, Rule};
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
    /// More pairs than this are an error that says how many there are.
    pub most: usize,
}

impl<const D: usize> Default for PairSettings<D> {
    fn default() -> Self {
        PairSettings {
            margin: 0.0,
            periodic: None,
            most: usize::MAX,
        }
    }
}

/// A method that finds pairs. `update` takes over items, `pairs` and `query`
/// answer for the items of the last update; memory is kept from call to call.
pub trait PairFinder<const D: usize>: Send {
    /// Takes over items.
    ///
    /// # Errors
    /// When an item is none (it is named), or too large for the periodic cell.
    /// The finder then has no items.
    fn update(&mut self, items: Items<'_, D>) -> Result<()>;

    /// All pairs, sorted, the lower item first, each once. `out` is cleared first.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`].
    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()>;

    /// The same pairs, each with the image in which they touch, their gap and
    /// the normal from the first to the second. `out` is cleared first.
    ///
    /// # Errors
    /// When there are more than [`PairSettings::most`].
    fn contacts(&mut self, out: &mut Vec<PairContact<D>>) -> Result<()>;

    /// All pairs of an item of the last update and one of `others`, which must be
    /// of the same kind: sorted, the item first. `out` is cleared first.
    ///
    /// # Errors
    /// As [`PairFinder::update`] and [`PairFinder::pairs`].
    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()>;

    /// The method that answers.
    fn method(&self) -> &'static str;

    /// In one sentence, why this method answers.
    fn reason(&self) -> String;
}

/// A search prepared for a scene, which reports pairs in any order. Only this
/// module has searches.
pub trait Search<const D: usize>: Default + Send {
    /// Prepares for a scene.
    fn update(&mut self, scene: &Scene<D>);

    /// Appends every two of items and ghosts that touch, each once, either first.
    fn search(&mut self, scene: &Scene<D>, found: &mut Found);

    /// The name of the method.
    fn method(&self) -> &'static str;

    /// In one sentence, why it answers.
    fn reason(&self) -> String {
        format!("{} was asked for", self.method())
    }
}

/// The part that all methods share: checks, periodic space, order.
#[derive(Clone, Debug)]
pub struct Finder<const D: usize, S> {
    settings: PairSettings<D>,
    scene: Scene<D>,
    search: S,
    found: Found,
    order: Order,
}

impl<const D: usize, S: Search<D>> Finder<D, S> {
    /// A finder without items.
    ///
    /// # Errors
    /// When the margin is negative or not finite.
    pub fn new(settings: PairSettings<D>) -> Result<Self> {
        const { assert!(D == 2 || D == 3, "space has two or three dimensions") };
        let margin = settings.margin;
        if !(margin >= 0.0 && crate::geometry::is_valid_coordinate(margin)) {
            let expected = "a finite number that is not negative";
            return Err(Error::argument("margin", margin, expected));
        }
        Ok(Finder {
            settings,
            scene: Scene::new(margin, settings.periodic),
            search: S::default(),
            found: Found::default(),
            order: Order::default(),
        })
    }
}

impl<const D: usize, S: Search<D>> PairFinder<D> for Finder<D, S> {
    fn update(&mut self, items: Items<'_, D>) -> Result<()> {
        let taken = self.scene.update(items);
        if taken.is_err() {
            self.scene = Scene::new(self.settings.margin, self.settings.periodic);
        }
        self.search.update(&self.scene);
        taken
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        out.clear();
        self.find()?;
        let scene = &self.scene;
        if scene.is_open() {
            self.order.sort(&self.found, |i| i, scene.items(), out);
        } else {
            let item = |i: u32| scene.item(i as usize) as u32;
            self.order.sort(&self.found, item, scene.items(), out);
            // Exactly half a cell apart, two images of a pair touch.
            out.dedup();
        }
        self.limited(out)
    }

    fn contacts(&mut self, out: &mut Vec<PairContact<D>>) -> Result<()> {
        out.clear();
        self.find()?;
        let scene = &self.scene;
        out.extend(self.found.pairs().map(|[i, j]| scene.contact(i, j)));
        // Of two images that touch, the nearer, then the lower.
        let key = |c: &PairContact<D>| (c.pair, c.image);
        out.sort_unstable_by(|x, y| {
            let gaps = || x.gap.total_cmp(&y.gap);
            (x.pair.cmp(&y.pair))
                .then_with(gaps)
                .then(key(x).cmp(&key(y)))
        });
        out.dedup_by_key(|contact| contact.pair);
        self.limited(out)
    }

    fn method(&self) -> &'static str {
        self.search.method()
    }

    fn reason(&self) -> String {
        self.search.reason()
    }

    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()> {
        out.clear();
        others.check()?;
        let joined = self.scene.joined(others)?;
        let items = self.scene.items() as u32;
        let mut finder = Self::new(self.settings)?;
        finder.settings.most = usize::MAX;
        finder.update(joined.items())?;
        finder.pairs(out)?;
        out.retain(|&[a, b]| a < items && b >= items);
        out.iter_mut().for_each(|pair| pair[1] -= items);
        self.limited(out)
    }
}

impl<const D: usize, S: Search<D>> Finder<D, S> {
    /// Fills in what is found.
    fn find(&mut self) -> Result<()> {
        let most = self.settings.most;
        // In a periodic space a pair may be found twice: all must be kept to tell.
        let kept = if self.scene.is_open() {
            most
        } else {
            usize::MAX
        };
        self.found.clear(Rule {
            items: self.scene.items() as u32,
            most: kept,
        });
        self.search.search(&self.scene, &mut self.found);
        match self.found.count() {
            found if self.scene.is_open() && found > most => Err(too_many(found, most)),
            _ => Ok(()),
        }
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

fn too_many(found: usize, most: usize) -> Error {
    Error::argument("pairs", found, format!("at most {most}"))
}
