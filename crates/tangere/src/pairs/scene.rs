//! Items to search, as given and validated, with the ghosts of periodic space.

mod items;
mod query_items;

pub use items::Items;

use super::contact::PairContact;
use super::item_bounds::ItemBounds;
use super::periodic::{Ghost, Image, Periodic, wrap};
use super::{PairSettings, raw_pair_limit};
use crate::error::Result;
use crate::geometry::Aabb;
use crate::shape::Spheres;

/// Bound on the error of a coordinate after a shift and a sum.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Items sampled to find the box of most items.
const SAMPLE: usize = 256;

/// The most items and ghosts: searches use twice their numbers.
const MOST_PLACES: usize = 1 << 31;

/// With `every_image`: the most ghosts, some hundred bytes each, or the most for each item if
/// that is more.
const MOST_GHOSTS: usize = 1 << 23;
const GHOSTS_PER_ITEM: usize = 2;

/// Ghosts per item from which most pairs would be of two ghosts.
const CROWD: usize = 4;

/// [`Items`] that own their memory.
#[derive(Clone, Debug)]
pub enum Shapes<const D: usize> {
    /// Discs or spheres.
    Spheres {
        /// The centres.
        centers: Vec<[f64; D]>,
        /// The radii.
        radii: Vec<f64>,
    },
    /// Boxes.
    Boxes {
        /// The lower corners.
        lower: Vec<[f64; D]>,
        /// The upper corners.
        upper: Vec<[f64; D]>,
    },
}

impl<const D: usize> From<Spheres<D>> for Shapes<D> {
    fn from(spheres: Spheres<D>) -> Self {
        let (centers, radii) = spheres.into_parts();
        Shapes::Spheres { centers, radii }
    }
}

impl<const D: usize> Shapes<D> {
    pub(super) const NONE: Self = Shapes::Spheres {
        centers: Vec::new(),
        radii: Vec::new(),
    };

    /// Copies items, reusing memory if they are of the same kind; returns their bounds.
    pub(super) fn copy(&mut self, items: Items<'_, D>) -> Result<ItemBounds<D>> {
        items.check_lengths()?;
        let item_bounds = match items {
            Items::Spheres { centers, radii } => {
                if !matches!(self, Shapes::Spheres { .. }) {
                    *self = Shapes::NONE;
                }
                let Shapes::Spheres {
                    centers: center_copies,
                    radii: radius_copies,
                } = self
                else {
                    unreachable!("they have just been made spheres")
                };
                ItemBounds::of_spheres((centers, radii), (center_copies, radius_copies))
            }
            Items::Boxes { lower, upper } => {
                if !matches!(self, Shapes::Boxes { .. }) {
                    let (lower, upper) = (Vec::new(), Vec::new());
                    *self = Shapes::Boxes { lower, upper };
                }
                let Shapes::Boxes {
                    lower: lower_copies,
                    upper: upper_copies,
                } = self
                else {
                    unreachable!("they have just been made boxes")
                };
                ItemBounds::of_boxes((lower, upper), (lower_copies, upper_copies))
            }
        };
        // The invalid item is only looked for when there is one.
        match item_bounds {
            Some(item_bounds) => Ok(item_bounds),
            None => {
                items.check()?;
                Ok(ItemBounds::NONE)
            }
        }
    }

    /// The bounds of all items.
    fn all_item_bounds(&self) -> ItemBounds<D> {
        let mut item_bounds = ItemBounds::NONE;
        match self {
            Shapes::Spheres { centers, radii } => {
                item_bounds.bounds = Aabb::of_points(centers.iter().copied());
                item_bounds.largest = [radii.iter().fold(0.0, |m: f64, &r| m.max(r)); D];
                item_bounds.count = centers.len();
            }
            Shapes::Boxes { lower, upper } => {
                item_bounds.bounds = Aabb::of_points(lower.iter().copied());
                for (min, max) in lower.iter().zip(upper) {
                    for k in 0..D {
                        item_bounds.largest[k] = item_bounds.largest[k].max(max[k] - min[k]);
                    }
                }
                item_bounds.count = lower.len();
            }
        }
        item_bounds
    }

    /// For a finder.
    pub fn items(&self) -> Items<'_, D> {
        match self {
            Shapes::Spheres { centers, radii } => Items::Spheres { centers, radii },
            Shapes::Boxes { lower, upper } => Items::Boxes { lower, upper },
        }
    }

    /// The gap between `a` and `b` shifted by `shift`, negative where they overlap, and the unit
    /// normal from `a` to `b`. For boxes, along the axis of the largest gap or the smallest
    /// overlap; along the first axis where centres coincide.
    pub(super) fn separation(&self, a: usize, b: usize, shift: [f64; D]) -> (f64, [f64; D]) {
        let mut axis = [0.0; D];
        axis[0] = 1.0;
        match self {
            Shapes::Spheres { centers, radii } => {
                let offset: [f64; D] =
                    std::array::from_fn(|k| (centers[b][k] - centers[a][k]) + shift[k]);
                let distance = crate::geometry::Vector::from(offset).norm();
                let normal = match distance > 0.0 {
                    true => offset.map(|x| x / distance),
                    false => axis,
                };
                (distance - (radii[a] + radii[b]), normal)
            }
            Shapes::Boxes { lower, upper } => {
                let mut widest = (f64::NEG_INFINITY, axis);
                for k in 0..D {
                    let after = (lower[b][k] - upper[a][k]) + shift[k];
                    let before = (lower[a][k] - upper[b][k]) - shift[k];
                    for (gap, side) in [(after, 1.0), (before, -1.0)] {
                        if gap > widest.0 {
                            let mut normal = [0.0; D];
                            normal[k] = side;
                            widest = (gap, normal);
                        }
                    }
                }
                widest
            }
        }
    }

    /// Whether `b`, moved by `shift`, touches `a`.
    #[inline]
    pub(super) fn touch(&self, a: usize, b: usize, shift: [f64; D], margin: f64) -> bool {
        match self {
            Shapes::Spheres { centers, radii } => {
                let offset: [f64; D] =
                    std::array::from_fn(|k| (centers[b][k] - centers[a][k]) + shift[k]);
                spheres_touch(offset, radii[a] + radii[b] + margin)
            }
            Shapes::Boxes { lower, upper } => boxes_touch(
                (&lower[a], &upper[a]),
                (&lower[b], &upper[b]),
                shift,
                margin,
            ),
        }
    }
}

/// Whether spheres with centres `offset` apart and the sum of radii `reach` touch: the contact
/// rule of this library, in this order and without fused multiply-add, so that ties are decided
/// alike everywhere.
#[inline(always)]
pub(super) fn spheres_touch<const D: usize>(offset: [f64; D], reach: f64) -> bool {
    let mut square = offset[0] * offset[0];
    for k in 1..D {
        square += offset[k] * offset[k];
    }
    square <= reach * reach
}

/// Whether box `b` shifted by `shift` is within `margin` of box `a` along every axis;
/// branch-free, for candidate lists.
#[inline(always)]
pub(super) fn boxes_touch<const D: usize>(
    a: (&[f64; D], &[f64; D]),
    b: (&[f64; D], &[f64; D]),
    shift: [f64; D],
    margin: f64,
) -> bool {
    (0..D).fold(true, |touch, k| {
        let after = (b.0[k] - a.1[k]) + shift[k];
        let before = (a.0[k] - b.1[k]) - shift[k];
        touch & (after <= margin) & (before <= margin)
    })
}

/// Items and their ghosts, kept from `update` to `pairs`.
///
/// Items come first, then ghosts: copies of items in neighbouring images of a periodic space.
/// Searches treat both alike and report all pairs that [`Scene::touch`].
#[derive(Clone, Debug)]
pub struct Scene<const D: usize> {
    /// Positions and sizes, wrapped into the periodic cell.
    pub(super) shapes: Shapes<D>,
    /// The largest gap at which items still form a pair.
    pub(super) margin: f64,
    cell: Option<Periodic<D>>,
    /// Whether items may touch several images of others and of themselves.
    every_image: bool,
    /// The number of items, without ghosts.
    items: usize,
    ghosts: Vec<Ghost<D>>,
    /// The images of items and ghosts; empty in open space.
    images: Vec<Image<D>>,
    /// Items before wrapping; unused in open space.
    given: Shapes<D>,
    /// The largest extent along each axis.
    extent: [f64; D],
    /// Query items: see [`Scene::query_items`].
    query_items: Vec<u32>,
    /// The state to restore when they are removed.
    before: query_items::BeforeQuery<D>,
    /// The part of the margin that the periodic cell must be wide enough for.
    narrow: f64,
    /// See [`Scene::most_overlaps`].
    most_overlaps: usize,
    /// See [`Scene::rounding`].
    rounding: f64,
    item_bounds: ItemBounds<D>,
    /// Bound on the error of shifts along each axis, for one item of a pair.
    ///
    /// With `S` the longest path to an image and half a unit `u`: the shift of an item and the
    /// sum with it have errors of `4 u S` and what [`ROUNDING`] covers, the shift of a pair, of
    /// up to `2 S`, one of `6 u S`, and the difference of positions as far apart one of `2 u S`:
    /// `8 u S` or 4 epsilon for each, and as much again to be safe.
    room: [f64; D],
}

impl<const D: usize> Scene<D> {
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
            room: [0.0; D],
        }
    }

    /// Sets the margin, of which `skin` may reach beyond half of the periodic cell, and the
    /// cell, for the next items.
    pub(super) fn set(&mut self, margin: f64, skin: f64, cell: Option<Periodic<D>>) {
        self.narrow = margin;
        self.margin = margin + skin;
        self.cell = cell;
        self.rounding = 0.0;
    }

    /// The periodic cell, if any.
    pub(super) fn cell(&self) -> Option<&Periodic<D>> {
        self.cell.as_ref()
    }

    /// The largest distance between the centres of two touching items.
    pub(super) fn reach(&self) -> f64 {
        let diagonal = |x: [f64; D]| crate::geometry::Vector::from(x).norm();
        match &self.shapes {
            Shapes::Spheres { .. } => 2.0 * self.extent[0] + self.margin,
            Shapes::Boxes { .. } => diagonal(self.extent) + diagonal([self.margin; D]),
        }
    }

    /// The items as they were given.
    pub(super) fn given(&self) -> &Shapes<D> {
        match self.is_open() {
            true => &self.shapes,
            false => &self.given,
        }
    }

    /// The images of items, then ghosts; empty in open space.
    pub(super) fn images(&self) -> &[Image<D>] {
        &self.images
    }

    /// Bound on the error of positions along each axis, for one item of a pair; 0 in open space.
    pub(super) fn room(&self) -> [f64; D] {
        self.room
    }

    /// The number of items and ghosts.
    pub(super) fn len(&self) -> usize {
        self.items + self.ghosts.len()
    }

    /// The number of items.
    pub(super) fn items(&self) -> usize {
        self.items
    }

    /// Whether space is open: items are as given and there are no ghosts.
    pub(super) fn is_open(&self) -> bool {
        self.cell.is_none()
    }

    /// Whether ghosts far outnumber items, with `every_image`.
    pub(super) fn is_crowded(&self) -> bool {
        self.every_image && self.ghosts.len() > CROWD * self.items
    }

    /// The most ghosts allowed.
    fn most_ghosts(&self) -> usize {
        let most = match self.every_image {
            true => MOST_GHOSTS.max(GHOSTS_PER_ITEM * self.items),
            false => MOST_PLACES,
        };
        most.min(MOST_PLACES - self.items)
    }

    /// The most overlapping boxes worth keeping in a table.
    pub(super) fn most_overlaps(&self) -> usize {
        self.most_overlaps
    }

    /// Bound on the error of the position of an item or ghost.
    pub(super) fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Bounds of the positions and sizes of items and ghosts, without the margin.
    pub(super) fn item_bounds(&self) -> &ItemBounds<D> {
        &self.item_bounds
    }

    /// The position of item or ghost `i`: its centre, or its lower corner.
    #[inline]
    pub(super) fn position(&self, i: usize) -> [f64; D] {
        match &self.shapes {
            Shapes::Spheres { centers, .. } => centers[i],
            Shapes::Boxes { lower, .. } => lower[i],
        }
    }

    /// The box of most positions: of all, unless a few are outliers.
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

    /// The bounding box of item or ghost `i` with half of the margin: the boxes of touching
    /// items overlap.
    #[inline]
    pub(super) fn bounds(&self, i: usize) -> Aabb<D> {
        // The contact rule is evaluated in floats, and shifted images are rounded: a few units
        // more than the exact sizes.
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
                let x = bounds.min[k] - grown - self.room[k];
                x - x.abs() * ROUNDING
            }),
            max: std::array::from_fn(|k| {
                let x = bounds.max[k] + grown + self.room[k];
                x + x.abs() * ROUNDING
            }),
        }
    }

    /// Whether two items or ghosts touch, decided on the items as given.
    #[inline]
    pub(super) fn touch(&self, i: usize, j: usize) -> bool {
        let Some(cell) = &self.cell else {
            return self.shapes.touch(i, j, [0.0; D], self.margin);
        };
        let shift = cell.shift(self.image_between(i, j));
        self.given
            .touch(self.item(i), self.item(j), shift, self.margin)
    }

    /// The item of item or ghost `i`.
    #[inline]
    pub(super) fn item(&self, i: usize) -> usize {
        match i.checked_sub(self.items) {
            None => i,
            Some(ghost) => self.ghosts[ghost].item as usize,
        }
    }

    /// The image of `j` relative to `i`.
    #[inline]
    pub(super) fn image_between(&self, i: usize, j: usize) -> Image<D> {
        match self.is_open() {
            true => [0; D],
            false => std::array::from_fn(|k| self.images[j][k] - self.images[i][k]),
        }
    }

    /// Takes items.
    pub(super) fn update(&mut self, items: Items<'_, D>) -> Result<()> {
        self.items = items.len();
        self.ghosts.clear();
        self.images.clear();
        self.room = [0.0; D];
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
                self.room[k] = self.room[k].max(8.0 * f64::EPSILON * farthest[k]);
            }
        }
        let (ghosts, images) = (&self.ghosts, &self.images);
        let mut largest = 0.0f64;
        let mut place = |points: &mut Vec<[f64; D]>| {
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

    /// The contact of two touching items or ghosts.
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
