//! What all methods share: checks, periodic space, limits, order. A method is this
//! around a [`Search`].

use super::ask::visit_chunks;
use super::candidates::Source;
use super::found::{Found, Rule};
use super::grid::GridSearch;
use super::images::ImageSearch;
use super::left_out::LeftOut;
use super::order::Order;
use super::scene::Scene;
use super::{
    Items, Mask, PairContact, PairFinder, PairSettings, Periodic, Search, check_margin, too_many,
};
use crate::error::Result;

/// The part that all methods share: checks, periodic space, order.
#[derive(Clone, Debug)]
pub struct Finder<const D: usize, S> {
    settings: PairSettings<D>,
    /// How much farther than the margin pairs are searched.
    skin: f64,
    scene: Scene<D>,
    pub(super) search: S,
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

impl<const D: usize, S: Search<D>> Source<D> for Finder<D, S> {
    fn prepare(&mut self, items: Items<'_, D>, skin: f64) -> Result<()> {
        self.skin = skin;
        self.update(items)
    }

    fn search(&mut self) -> Result<(&Scene<D>, &Found, &mut Order)> {
        self.find(false)?;
        Ok((&self.scene, &self.found, &mut self.order))
    }

    fn scene(&self) -> &Scene<D> {
        &self.scene
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
