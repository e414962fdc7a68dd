//! Shapes of a scene: spheres or boxes that own their memory.

use super::Items;
use crate::error::Result;
use crate::geometry::Aabb;
use crate::pairs::item_bounds::ItemBounds;
use crate::shape::Spheres;

/// Shapes of a scene: spheres or boxes in memory of their own, whereas [`Items`] borrow it.
#[derive(Clone, Debug)]
pub enum Shapes<const D: usize> {
    /// Discs or spheres, with as many centres as radii.
    Spheres {
        /// The centres of the spheres of the scene.
        centers: Vec<[f64; D]>,
        /// The radii of the spheres of the scene.
        radii: Vec<f64>,
    },
    /// Boxes, with as many lower as upper corners.
    Boxes {
        /// The lower corners of the boxes of the scene.
        lower: Vec<[f64; D]>,
        /// The upper corners of the boxes of the scene.
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
    pub(in super::super) const NONE: Self = Shapes::Spheres {
        centers: Vec::new(),
        radii: Vec::new(),
    };

    /// Replaces the shapes of a scene by copies of `items` and returns the bounds of their
    /// positions and sizes. Memory is reused if the items are of the same kind as the old shapes.
    pub(in super::super) fn copy(&mut self, items: Items<'_, D>) -> Result<ItemBounds<D>> {
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

    /// The bounds of the positions and sizes of all shapes of a scene.
    pub(super) fn all_item_bounds(&self) -> ItemBounds<D> {
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

    /// The shapes as borrowed items, for a finder.
    pub fn items(&self) -> Items<'_, D> {
        match self {
            Shapes::Spheres { centers, radii } => Items::Spheres { centers, radii },
            Shapes::Boxes { lower, upper } => Items::Boxes { lower, upper },
        }
    }
}
