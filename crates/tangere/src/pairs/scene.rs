//! The scene of a search: validated items, with the ghosts of periodic space.

mod contact_rule;
mod items;
mod query_items;
mod shapes;

pub(super) use contact_rule::{boxes_touch, spheres_touch};
pub use items::Items;
pub use shapes::Shapes;

use super::PairSettings;
use super::item_bounds::ItemBounds;
use super::pair_contact::PairContact;
use super::pair_limit::raw_pair_limit;
use super::periodic_cell::{Image, Periodic};
use super::periodic_images::{Ghost, wrap};
use crate::error::Result;
use crate::geometry::Aabb;

/// Bound on the relative rounding error of a coordinate in the scene after two operations: a
/// translation to a periodic image and the addition of a radius or margin.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Maximum number of items that are sampled to find the box in which most items of the scene lie.
const SAMPLE: usize = 256;

/// Maximum number of items and ghosts of a scene. Some searches store `2 i` and `2 i + 1` for an
/// index `i`, in 32 bits.
const MOST_INDICES: usize = 1 << 31;

/// Maximum number of ghosts of a scene with `every_image`. A ghost takes some hundred bytes. Scenes
/// with many items may have more ([`GHOSTS_PER_ITEM`]).
const MOST_GHOSTS: usize = 1 << 23;
const GHOSTS_PER_ITEM: usize = 2;

/// If there are more ghosts per item of the scene than this, the ghost search replaces the method.
/// Otherwise most pairs that the method finds would be pairs of two ghosts.
const CROWD: usize = 4;

/// The items of a search and their ghosts, kept from `update` to `pairs`.
///
/// Items come first, then ghosts: copies of items in neighbouring images of a periodic space.
/// Searches treat both alike and report all pairs for which [`Scene::touch`] holds.
#[derive(Clone, Debug)]
pub struct Scene<const D: usize> {
    /// The items of the scene, wrapped into the periodic cell if there is one, then their ghosts.
    pub(super) shapes: Shapes<D>,
    /// The largest gap at which items of the scene still form a pair, with the skin of a Verlet
    /// list if there is one.
    pub(super) margin: f64,
    cell: Option<Periodic<D>>,
    /// Whether an item of the scene may touch several periodic images of another item, and images
    /// of itself.
    every_image: bool,
    /// The number of items in the scene, without ghosts.
    items: usize,
    ghosts: Vec<Ghost<D>>,
    /// For each item, then each ghost, the periodic image to which the item as given was shifted.
    /// Empty in open space.
    images: Vec<Image<D>>,
    /// The items of the scene as the caller gave them, before they were wrapped into the periodic
    /// cell. Unused in open space.
    given: Shapes<D>,
    /// The largest extent of an item of the scene along each axis: the radius of a sphere, the edge
    /// length of a box.
    extent: [f64; D],
    /// The indices in the scene of the query items, while a query runs.
    query_items: Vec<u32>,
    /// The state of the scene to restore when the query items are removed.
    before: query_items::BeforeQuery<D>,
    /// The margin of the scene without the skin of a Verlet list. The periodic cell must be wide
    /// enough for items with this margin, not for the skin.
    narrow: f64,
    /// Maximum number of pairs of overlapping boxes that sweep and prune stores for the scene.
    most_overlaps: usize,
    /// Bound on the error of a coordinate of an item or ghost of the scene; 0 in open space.
    rounding: f64,
    item_bounds: ItemBounds<D>,
    /// Bound on the error along each axis that translations to periodic images of the scene cause
    /// for one item of a pair: the error of its own position, plus half of the error of the shift
    /// between both items.
    ///
    /// Let `S` be the longest path to an image ([`Periodic::path`]) and `u` half an epsilon, the
    /// relative error of one rounding. Shifting an item has an error of `4 u S`, besides what
    /// [`ROUNDING`] covers. The shift of a pair is up to `2 S` long and has an error of `6 u S`;
    /// the difference of positions as far apart has an error of `2 u S`. Each item of the pair
    /// takes half of these `8 u S`. With its own `4 u S` that is `8 u S`, or 4 epsilon times `S`.
    /// The bound is twice as large, to be safe.
    shift_error: [f64; D],
}

impl<const D: usize> Scene<D> {
    /// A scene without items.
    pub(super) fn new(settings: &PairSettings<D>) -> Self {
        Scene {
            shapes: Shapes::NONE,
            margin: settings.margin,
            cell: settings.periodic,
            every_image: settings.every_image,
            items: 0,
            ghosts: Vec::new(),
            images: Vec::new(),
            given: Shapes::NONE,
            extent: [0.0; D],
            query_items: Vec::new(),
            before: query_items::BeforeQuery::default(),
            narrow: settings.margin,
            most_overlaps: raw_pair_limit(settings.most),
            rounding: 0.0,
            item_bounds: ItemBounds::NONE,
            shift_error: [0.0; D],
        }
    }

    /// Sets the periodic cell and the margin of the scene, from the next items on. Pairs are then
    /// searched up to `margin + skin`, but the cell need only be wide enough for `margin`.
    pub(super) fn set(&mut self, margin: f64, skin: f64, cell: Option<Periodic<D>>) {
        self.narrow = margin;
        self.margin = margin + skin;
        self.cell = cell;
        self.rounding = 0.0;
    }

    /// The periodic cell of the scene, if any.
    pub(super) fn cell(&self) -> Option<&Periodic<D>> {
        self.cell.as_ref()
    }

    /// The largest distance between the centres of two touching items of the scene.
    pub(super) fn reach(&self) -> f64 {
        let diagonal = |x: [f64; D]| crate::geometry::Vector::from(x).norm();
        match &self.shapes {
            Shapes::Spheres { .. } => 2.0 * self.extent[0] + self.margin,
            Shapes::Boxes { .. } => diagonal(self.extent) + diagonal([self.margin; D]),
        }
    }

    /// The items of the scene as they were given, before wrapping.
    pub(super) fn given(&self) -> &Shapes<D> {
        match self.is_open() {
            true => &self.shapes,
            false => &self.given,
        }
    }

    /// For each item of the scene, then each ghost, the periodic image to which the item as given
    /// was shifted. Empty in open space.
    pub(super) fn images(&self) -> &[Image<D>] {
        &self.images
    }

    /// Bound on the error along each axis of the translations of items of the scene to periodic
    /// images, for one item of a pair. 0 in open space.
    pub(super) fn shift_error(&self) -> [f64; D] {
        self.shift_error
    }

    /// The number of items and ghosts in the scene.
    pub(super) fn len(&self) -> usize {
        self.items + self.ghosts.len()
    }

    /// The number of items in the scene, without ghosts.
    pub(super) fn items(&self) -> usize {
        self.items
    }

    /// Whether the space of the scene is open: items are as given and there are no ghosts.
    pub(super) fn is_open(&self) -> bool {
        self.cell.is_none()
    }

    /// Returns whether the scene has so many ghosts per item, with `every_image`, that the ghost
    /// search replaces the method.
    pub(super) fn is_crowded(&self) -> bool {
        self.every_image && self.ghosts.len() > CROWD * self.items
    }

    /// Maximum number of ghosts that the scene may have.
    fn most_ghosts(&self) -> usize {
        let most = match self.every_image {
            true => MOST_GHOSTS.max(GHOSTS_PER_ITEM * self.items),
            false => MOST_INDICES,
        };
        most.min(MOST_INDICES - self.items)
    }

    /// Maximum number of pairs of overlapping boxes that sweep and prune stores for the scene.
    pub(super) fn most_overlaps(&self) -> usize {
        self.most_overlaps
    }

    /// Bound on the error of a coordinate of an item or ghost of the scene; 0 in open space.
    pub(super) fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The bounds of positions and sizes of the scene's items and ghosts, without the margin.
    pub(super) fn item_bounds(&self) -> &ItemBounds<D> {
        &self.item_bounds
    }

    /// The position of item or ghost `i` of the scene: its centre, or its lower corner.
    #[inline]
    pub(super) fn position(&self, i: usize) -> [f64; D] {
        match &self.shapes {
            Shapes::Spheres { centers, .. } => centers[i],
            Shapes::Boxes { lower, .. } => lower[i],
        }
    }

    /// The box in which most items of the scene have their positions. It contains all positions,
    /// unless a few are outliers.
    pub(super) fn core(&self) -> Aabb<D> {
        let mut core = self.item_bounds.bounds;
        let count = self.len();
        let mut sample = [0.0; SAMPLE];
        let sample = &mut sample[..SAMPLE.min(count)];
        if sample.is_empty() {
            return core;
        }
        for k in 0..D {
            for (s, x) in sample.iter_mut().enumerate() {
                *x = self.position(s * count / SAMPLE.min(count))[k];
            }
            let (low, high) = (sample.len() / 20, sample.len() * 19 / 20);
            let low = *sample.select_nth_unstable_by(low, f64::total_cmp).1;
            let high = *sample.select_nth_unstable_by(high, f64::total_cmp).1;
            let width = high - low;
            if width > 0.0 {
                core.min[k] = core.min[k].max(low - 2.0 * width);
                core.max[k] = core.max[k].min(high + 2.0 * width);
            }
        }
        core
    }

    /// The bounding box of item or ghost `i` of the scene, enlarged by half of the margin and a
    /// bound of rounding errors: if two items touch, their boxes overlap.
    #[inline]
    pub(super) fn bounds(&self, i: usize) -> Aabb<D> {
        // The contact rule is evaluated in floats, and shifted images are rounded: a few rounding
        // units more than the exact sizes.
        const MORE: f64 = 1.0 + 16.0 * f64::EPSILON;
        let half = 0.5 * self.margin;
        let (bounds, grown) = match &self.shapes {
            Shapes::Spheres { centers, radii } => {
                let p = centers[i];
                (Aabb { min: p, max: p }, (radii[i] + half) * MORE)
            }
            Shapes::Boxes { lower, upper } => {
                let (min, max) = (lower[i], upper[i]);
                (Aabb { min, max }, half * MORE)
            }
        };
        if self.is_open() && grown == 0.0 {
            return bounds;
        }
        Aabb {
            min: std::array::from_fn(|k| {
                let x = bounds.min[k] - grown - self.shift_error[k];
                x - x.abs() * ROUNDING
            }),
            max: std::array::from_fn(|k| {
                let x = bounds.max[k] + grown + self.shift_error[k];
                x + x.abs() * ROUNDING
            }),
        }
    }

    /// Returns whether items or ghosts `i` and `j` of the scene touch. This is decided on the items
    /// as the caller gave them, before they were wrapped.
    #[inline]
    pub(super) fn touch(&self, i: usize, j: usize) -> bool {
        let Some(cell) = &self.cell else {
            return self.shapes.touch(i, j, [0.0; D], self.margin);
        };
        let shift = cell.shift(self.image_between(i, j));
        self.given
            .touch(self.item(i), self.item(j), shift, self.margin)
    }

    /// The index of the item of which `i` is a ghost in the scene, or `i` itself if it is an item.
    #[inline]
    pub(super) fn item(&self, i: usize) -> usize {
        match i.checked_sub(self.items) {
            None => i,
            Some(ghost) => self.ghosts[ghost].item as usize,
        }
    }

    /// The periodic image of item or ghost `j` of the scene relative to `i`.
    #[inline]
    pub(super) fn image_between(&self, i: usize, j: usize) -> Image<D> {
        match self.is_open() {
            true => [0; D],
            false => std::array::from_fn(|k| self.images[j][k] - self.images[i][k]),
        }
    }

    /// Replaces the items of the scene and makes their ghosts.
    pub(super) fn update(&mut self, items: Items<'_, D>) -> Result<()> {
        self.items = items.len();
        self.ghosts.clear();
        self.images.clear();
        self.shift_error = [0.0; D];
        self.item_bounds = self.shapes.copy(items)?;
        self.extent = self.item_bounds.largest;
        let Some(cell) = self.cell else {
            return Ok(());
        };
        if !self.every_image {
            cell.check_reach(items, self.narrow)?;
        }
        self.given.copy(items)?;
        let bounds = |i: usize| match items {
            Items::Spheres { centers, .. } => Aabb {
                min: centers[i],
                max: centers[i],
            },
            Items::Boxes { lower, upper } => Aabb {
                min: lower[i],
                max: upper[i],
            },
        };
        let diagonal = |x: [f64; D]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let half = |i: usize| match items {
            Items::Spheres { radii, .. } => radii[i],
            Items::Boxes { .. } => 0.5 * diagonal(bounds(i).extent()),
        };
        // The margin of boxes applies along every axis: at corners it reaches farther.
        let margin = match items {
            Items::Spheres { .. } => self.margin,
            Items::Boxes { .. } => diagonal([self.margin; D]),
        };
        let largest = (0..items.len()).map(half).fold(0.0, f64::max);
        let item = |i: usize| (bounds(i).center(), half(i) + largest + margin);
        let most = self.most_ghosts();
        let (images, ghosts) = (&mut self.images, &mut self.ghosts);
        let named = (items.middle_name(), items.len());
        wrap(&cell, named, item, most, images, ghosts)?;
        for ghost in &self.ghosts {
            let own = self.images[ghost.item as usize];
            self.images
                .push(std::array::from_fn(|k| own[k] + ghost.image[k]));
        }
        for &image in &self.images {
            let farthest = cell.path(image);
            for k in 0..D {
                self.shift_error[k] = self.shift_error[k].max(8.0 * f64::EPSILON * farthest[k]);
            }
        }
        let (ghosts, images) = (&self.ghosts, &self.images);
        let mut largest = 0.0f64;
        let mut place = |points: &mut Vec<[f64; D]>| {
            reserve(points, ghosts.len());
            for ghost in ghosts {
                points.push(points[ghost.item as usize]);
            }
            for (p, &image) in points.iter_mut().zip(images) {
                let (shift, path) = (cell.shift(image), cell.path(image));
                for k in 0..D {
                    p[k] += shift[k];
                    largest = largest.max(p[k].abs()).max(path[k]);
                }
            }
        };
        match &mut self.shapes {
            Shapes::Spheres { centers, radii } => {
                place(centers);
                reserve(radii, ghosts.len());
                for ghost in ghosts {
                    radii.push(radii[ghost.item as usize]);
                }
            }
            Shapes::Boxes { lower, upper } => {
                place(lower);
                place(upper);
            }
        }
        // Positions and shifts together do not exceed this.
        self.rounding = 4.0 * ROUNDING * largest;
        self.item_bounds = self.shapes.all_item_bounds();
        Ok(())
    }

    /// The contact of two touching items or ghosts of the scene.
    pub(super) fn contact(&self, i: u32, j: u32) -> PairContact<D> {
        let (mut i, mut j) = (i as usize, j as usize);
        // For an item and its own ghost, the item comes first.
        if (self.item(i), i) > (self.item(j), j) {
            std::mem::swap(&mut i, &mut j);
        }
        let image = self.image_between(i, j);
        let shift = self.cell.map_or([0.0; D], |cell| cell.shift(image));
        let (a, b) = (self.item(i), self.item(j));
        let (gap, normal) = self.given().separation(a, b, shift);
        PairContact {
            pair: [a as u32, b as u32],
            image,
            gap,
            normal,
        }
    }
}

/// Makes room for ghosts: they are few beside the items, whose memory must not be doubled for them.
fn reserve<T>(items: &mut Vec<T>, ghosts: usize) {
    if items.capacity() - items.len() < ghosts {
        items.reserve_exact(ghosts + ghosts / 4);
    }
}
