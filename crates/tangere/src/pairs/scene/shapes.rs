//! Spheres or boxes that own their memory, and the contact rule: whether two of them touch.

use super::Items;
use crate::error::Result;
use crate::geometry::Aabb;
use crate::pairs::item_bounds::ItemBounds;
use crate::shape::Spheres;

/// Spheres or boxes that own their memory; [`Items`] borrow it.
#[derive(Clone, Debug)]
pub enum Shapes<const D: usize> {
    /// Discs or spheres, with as many centres as radii.
    Spheres {
        /// The centres.
        centers: Vec<[f64; D]>,
        /// The radii.
        radii: Vec<f64>,
    },
    /// Boxes, with as many lower as upper corners.
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
    pub(in super::super) const NONE: Self = Shapes::Spheres {
        centers: Vec::new(),
        radii: Vec::new(),
    };

    /// Copies items, reusing memory if they are of the same kind; returns their bounds.
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

    /// The bounds of the positions and sizes of all items.
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

    /// The gap between item `a` and item `b` shifted by `shift`, negative if they overlap, and the
    /// unit normal from `a` to `b`. Boxes have their normal along the axis of the largest gap or
    /// the smallest overlap. If centres coincide, the normal lies along the first axis.
    pub(in super::super) fn separation(
        &self,
        a: usize,
        b: usize,
        shift: [f64; D],
    ) -> (f64, [f64; D]) {
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

    /// Whether item `b`, shifted by `shift`, touches item `a`, up to the margin.
    #[inline]
    pub(in super::super) fn touch(&self, a: usize, b: usize, shift: [f64; D], margin: f64) -> bool {
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

/// Whether spheres touch whose centres differ by `offset` and whose radii have the sum `reach`. The
/// contact rule of this library, evaluated in this order and without fused multiply-add, so that
/// ties are decided alike everywhere.
#[inline(always)]
pub(in super::super) fn spheres_touch<const D: usize>(offset: [f64; D], reach: f64) -> bool {
    let mut square = offset[0] * offset[0];
    for k in 1..D {
        square += offset[k] * offset[k];
    }
    square <= reach * reach
}

/// Whether box `b`, shifted by `shift`, is within `margin` of box `a` along every axis.
/// Branch-free, for candidate lists.
#[inline(always)]
pub(in super::super) fn boxes_touch<const D: usize>(
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
