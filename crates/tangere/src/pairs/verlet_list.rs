//! Verlet list: candidate pairs within a skin, reused from step to step, as in molecular
//! dynamics.
//!
//! Candidate pairs are searched up to `margin + skin` apart. Until two items may have approached
//! each other by more than the skin ([`super::skin_check`]), every touching pair is among the
//! candidates. An update is then one pass over the items, and an answer one pass over the
//! candidates ([`super::candidate_list`]), each tested by the same contact rule as in all methods.
//! So the pairs are those of a new search, in the same order.
//!
//! A wider skin lasts longer and has more candidates. Each step is O(n + candidates); a rebuild
//! adds the cost of the search.

use super::broad_phase::sealed::Methods;
use super::broad_phase::{Dimension, Space};
use super::candidate_list::CandidateList;
use super::pair_contact::PairContact;
use super::pair_finder::visit_chunks;
use super::pair_limit::{reserve, too_many};
use super::pair_lists::PairLists;
use super::pair_order::PairOrder;
use super::pair_settings::check_margin;
use super::periodic_cell::{Image, Periodic};
use super::scene::{Items, Scene, Shapes};
use super::skin_check::{Limits, approach};
use super::{Mask, PairFinder, PairSettings, Uses};
use crate::error::{Argument, Result, number};
use rayon::prelude::*;

/// Maximum number of pairs that the Verlet list writes in a chunk, unless a single item has more.
const CHUNK: usize = 1 << 16;

/// A pair finder that can search the candidates of a Verlet list.
pub trait Source<const D: usize>: PairFinder<D> {
    /// Replaces the items and prepares a search of the candidates of a Verlet list: pairs that are
    /// up to the margin plus `skin` apart.
    fn prepare(&mut self, items: Items<'_, D>, skin: f64) -> Result<()>;

    /// Searches the candidates of a Verlet list. Returns the scene, the candidates (pairs of items
    /// and ghosts in any order), and scratch memory to sort them. `None` if there are far too many
    /// candidates or memory ran out.
    fn search(&mut self) -> Result<Option<(&Scene<D>, &PairLists, &mut PairOrder)>>;

    /// The scene at the build of the Verlet list, from the last `prepare`.
    fn scene(&self) -> &Scene<D>;
}

/// Verlet list: finds pairs among candidates, which are kept until two items may have approached
/// each other by more than the skin. For items that move little from one update to the next.
///
/// The number of items, their sizes and the periodic cell may change at any update. Items may be
/// wrapped into the cell or not.
///
/// ```
/// use tangere::pairs::{Candidates, PairFinder, PairSettings};
///
/// let mut finder = Candidates::<2>::new(PairSettings::default().with_skin(0.4))?;
/// let mut pairs = Vec::new();
/// for step in 0..10 {
///     let x = 2.0 - 0.15 * f64::from(step);
///     finder.update((&[[0.0, 0.0], [x, 0.0]][..], &[0.5, 0.5][..]).into())?;
///     finder.pairs(&mut pairs)?;
///     assert_eq!(pairs.len(), usize::from(x <= 1.0));
/// }
/// assert!(finder.builds() < 10 && finder.builds() + finder.reuses() == 10);
/// # Ok::<(), tangere::Error>(())
/// ```
pub struct Candidates<const D: usize> {
    settings: PairSettings<D>,
    skin: f64,
    /// The finder that searches the candidates of the Verlet list. It keeps the items at the
    /// positions of the last build.
    source: Box<dyn Source<D>>,
    built: Option<Built<D>>,
    list: CandidateList<D>,
    /// Whether the touching pairs of the present items are marked in the candidate list of the
    /// Verlet list, each pair once.
    marked: bool,
    uses: Uses,
    /// Whether there are too many candidates for a Verlet list. All calls are then passed to
    /// `fallback`.
    plain: bool,
    /// The finder without Verlet list that answers queries and all calls that bypass the candidate
    /// list. `ready` is set if it holds the present items.
    fallback: Box<dyn Source<D>>,
    ready: bool,
    /// The group of each item of the Verlet list; pairs within a group are excluded. `renewed` is
    /// set if groups or masks have changed since the last update.
    groups: Vec<u32>,
    masks: Vec<Mask>,
    renewed: bool,
    memory: Vec<([u32; 2], Image<D>)>,
    chunk: Vec<[u32; 2]>,
}

/// The skin with which the candidates of the Verlet list were built, and how many cells away the
/// farthest image of an item was.
#[derive(Clone, Copy)]
struct Built<const D: usize> {
    /// The distance by which two items may approach each other before the Verlet list is rebuilt.
    skin: f64,
    /// The largest absolute number of cells along each edge by which an item or ghost was shifted
    /// when the Verlet list was built.
    images: Image<D>,
}

impl<const D: usize> Candidates<D>
where
    Space: Dimension<D>,
{
    /// A Verlet list with the skin and the method of the settings; the skin is 0 if they have none.
    ///
    /// # Errors
    /// When the margin or the skin is negative or not finite.
    pub fn new(settings: PairSettings<D>) -> Result<Self> {
        let skin = settings.skin.unwrap_or(0.0);
        check_margin(Argument::Skin, skin)?;
        check_margin(Argument::MarginAndSkin, settings.margin + skin)?;
        let source = || Space::source(settings);
        Ok(Candidates {
            settings,
            skin,
            source: source()?,
            built: None,
            list: CandidateList::default(),
            marked: false,
            uses: Uses::default(),
            plain: false,
            fallback: source()?,
            ready: false,
            groups: Vec::new(),
            masks: Vec::new(),
            renewed: false,
            memory: Vec::new(),
            chunk: Vec::new(),
        })
    }
}

impl<const D: usize> Candidates<D> {
    /// Replaces the items and the periodic cell of the Verlet list.
    ///
    /// # Errors
    /// As [`PairFinder::update`].
    pub fn update_in(&mut self, items: Items<'_, D>, cell: Periodic<D>) -> Result<()> {
        self.set_cell(Some(cell));
        self.update(items)
    }

    /// The candidate pairs of the Verlet list, sorted, the lower index of each pair first. In
    /// periodic space a pair may be listed once for each image; with `every_image`, an item may
    /// also be listed as a pair with its own images.
    pub fn candidates(&self) -> &[[u32; 2]] {
        &self.list.candidates
    }

    /// The number of updates that rebuilt the Verlet list.
    pub fn builds(&self) -> usize {
        self.uses.builds
    }

    /// The number of updates that reused the Verlet list.
    pub fn reuses(&self) -> usize {
        self.uses.reuses
    }

    /// Replaces the items of the Verlet list, and rebuilds the list unless it is still valid.
    fn take(&mut self, items: Items<'_, D>) -> Result<()> {
        self.list.now.copy(items)?;
        self.list.cell = self.settings.periodic;
        if let (Some(cell), false) = (&self.list.cell, self.settings.every_image) {
            cell.check_reach(items, self.settings.margin)?;
        }
        if items.is_empty() {
            self.drop_items();
            return Ok(());
        }
        if !std::mem::take(&mut self.renewed) && self.is_list_valid(items) {
            self.uses.reuses += 1;
            return Ok(());
        }
        self.build(items)
    }

    /// Whether every touching pair is still among the candidates, so that the Verlet list can be
    /// reused.
    fn is_list_valid(&mut self, items: Items<'_, D>) -> bool {
        let (Some(built), scene) = (self.built, self.source.scene()) else {
            return false;
        };
        let alike = matches!(
            (scene.given(), items),
            (Shapes::Spheres { .. }, Items::Spheres { .. })
                | (Shapes::Boxes { .. }, Items::Boxes { .. })
        );
        if !alike || scene.items() != items.len() {
            return false;
        }
        let nearer = approach(
            scene,
            &self.list.now,
            self.list.cell.as_ref(),
            Limits {
                little: built.skin,
                images: built.images,
                own: self.settings.every_image,
            },
            &mut self.list.jumps,
        );
        nearer.is_some_and(|nearer| nearer <= built.skin)
    }

    /// Rebuilds the candidates of the Verlet list.
    fn build(&mut self, items: Items<'_, D>) -> Result<()> {
        self.built = None;
        self.list.clear();
        // A skin beyond half a cell would multiply the number of images.
        let widest = self
            .list
            .cell
            .map_or(f64::INFINITY, |cell| 0.5 * cell.width());
        let mut skin = self.skin.min(widest);
        self.source.set_cell(self.list.cell);
        let prepared = self.source.prepare(items, skin);
        if prepared.is_err() && skin > 0.0 && self.settings.every_image {
            // There may be too many images with a skin, but not without.
            skin = 0.0;
            self.source.prepare(items, skin)?;
        } else {
            prepared?;
        }
        self.uses.builds += 1;
        let every_image = self.settings.every_image;
        let Some((scene, found, order)) = self.source.search()? else {
            self.plain = true;
            return Ok(());
        };
        let mut farthest = [0; D];
        if scene.is_open() {
            order.sort(found, |i| i, scene.items(), &mut self.list.candidates)?;
        } else {
            let list = &mut self.memory;
            list.clear();
            reserve(list, found.count(), found.count())?;
            list.extend(found.pairs().filter_map(|[i, j]| {
                let (i, j) = (i as usize, j as usize);
                let (a, b) = (scene.item(i) as u32, scene.item(j) as u32);
                // For an item and its own ghost, the item comes first.
                match (a, i) < (b, j) {
                    _ if a == b && !every_image => None,
                    true => Some(([a, b], scene.image_between(i, j))),
                    false => Some(([b, a], scene.image_between(j, i))),
                }
            }));
            list.par_sort_unstable();
            self.list
                .candidates
                .extend(list.iter().map(|(pair, _)| pair));
            self.list.images.extend(list.iter().map(|(_, image)| image));
            let candidates = &self.list.candidates;
            self.list.repeated = candidates.windows(2).any(|two| two[0] == two[1])
                || candidates.iter().any(|[a, b]| a == b);
            for image in scene.images() {
                farthest = std::array::from_fn(|k| image[k].abs().max(farthest[k]));
            }
        }
        self.built = Some(Built {
            skin,
            images: farthest,
        });
        Ok(())
    }

    /// The fallback finder of the Verlet list with the present items, for calls that the candidates
    /// cannot answer.
    fn fallback_with_items(&mut self) -> Result<&mut dyn Source<D>> {
        if !self.ready {
            self.fallback.set_cell(self.list.cell);
            self.fallback.update(self.list.now.items())?;
            self.ready = true;
        }
        Ok(self.fallback.as_mut())
    }

    /// Removes all items and candidates of the Verlet list; memory is kept.
    fn drop_items(&mut self) {
        self.built = None;
        self.list.clear();
    }
}

impl<const D: usize> PairFinder<D> for Candidates<D> {
    fn leave_out(&mut self, groups: &[u32], masks: &[Mask]) {
        // Unchanged exclusions do not cause a rebuild.
        if self.groups != groups || self.masks != masks {
            self.groups.clear();
            self.groups.extend_from_slice(groups);
            self.masks.clear();
            self.masks.extend_from_slice(masks);
            self.source.leave_out(groups, masks);
            self.fallback.leave_out(groups, masks);
            self.renewed = true;
        }
    }

    fn update(&mut self, items: Items<'_, D>) -> Result<()> {
        (self.ready, self.marked, self.plain) = (false, false, false);
        let taken = self.take(items);
        if taken.is_err() {
            self.list.now = Shapes::NONE;
            self.drop_items();
        }
        taken
    }

    fn pairs(&mut self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        out.clear();
        if self.plain {
            return self.fallback_with_items()?.pairs(out);
        }
        self.list.mark_pairs(&self.settings)?;
        self.marked = true;
        self.list.write(out)
    }

    fn for_each_chunk(&mut self, visit: &mut dyn FnMut(&[[u32; 2]])) -> Result<()> {
        visit_chunks(self, |finder| &mut finder.chunk, visit)
    }

    fn chunk(&mut self, first: u32, out: &mut Vec<[u32; 2]>) -> Result<Option<u32>> {
        out.clear();
        if self.plain {
            return self.fallback_with_items()?.chunk(first, out);
        }
        if !self.marked {
            self.list.mark_pairs(&self.settings)?;
            self.marked = true;
        }
        Ok(self.list.chunk(first, CHUNK, out))
    }

    fn contacts(&mut self, out: &mut Vec<PairContact<D>>) -> Result<()> {
        out.clear();
        if self.plain {
            return self.fallback_with_items()?.contacts(out);
        }
        self.marked = false;
        self.list.mark(self.settings.margin);
        self.list.contacts(out)?;
        if !self.settings.every_image {
            // Of several touching images, the deepest; ties by image number.
            out.dedup_by(|next, kept| {
                let same = next.pair == kept.pair;
                let order = next.gap.total_cmp(&kept.gap);
                if same && order.then(next.image.cmp(&kept.image)).is_lt() {
                    *kept = *next;
                }
                same
            });
        }
        let (found, most) = (out.len(), self.settings.most);
        if found <= most {
            return Ok(());
        }
        out.clear();
        Err(too_many(most))
    }

    fn query(&mut self, others: Items<'_, D>, out: &mut Vec<[u32; 2]>) -> Result<()> {
        out.clear();
        self.fallback_with_items()?.query(others, out)
    }

    fn set_cell(&mut self, cell: Option<Periodic<D>>) {
        self.settings.periodic = cell;
    }

    fn uses(&self) -> Option<Uses> {
        Some(self.uses)
    }

    fn method(&self) -> &'static str {
        self.source.method()
    }

    fn reason(&self) -> String {
        format!(
            "{}; Verlet list with a skin of {}, rebuilt when items have moved too far",
            self.source.reason(),
            number(self.skin)
        )
    }
}
