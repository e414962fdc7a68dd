//! Item bounds: bounds of the positions and sizes of items, and the cell size that follows from
//! them.

use super::validated_copy::{copy, extents};
use crate::geometry::Aabb;

/// The least width of a row of cells, in mean spacings of items. The index is the number of
/// dimensions. Wide rows are fewer to visit, narrow ones have fewer items to test.
const WIDTHS: [f64; 4] = [1.0, 1.0, 1.0, 1.4];

/// Item bounds: the box around the positions of items (centres of spheres, lower corners of boxes),
/// and the largest extent of an item from its position (radius of a sphere, edge lengths of a box).
#[derive(Clone, Copy, Debug)]
pub(super) struct ItemBounds<const D: usize> {
    /// The bounding box of all item positions.
    pub(super) bounds: Aabb<D>,
    /// The largest extent of an item along each axis: the radius of spheres, the edge length of
    /// boxes.
    pub(super) largest: [f64; D],
    /// The number of items that the bounds contain.
    pub(super) count: usize,
}

impl<const D: usize> ItemBounds<D> {
    /// The item bounds of an empty set of items.
    pub(super) const NONE: Self = ItemBounds {
        bounds: Aabb::EMPTY,
        largest: [0.0; D],
        count: 0,
    };

    /// The item bounds of the items of `self` and the items of `other` together.
    pub(super) fn union(&self, other: &Self) -> Self {
        ItemBounds {
            bounds: self.bounds.union(&other.bounds),
            largest: std::array::from_fn(|k| self.largest[k].max(other.largest[k])),
            count: self.count + other.count,
        }
    }

    /// The mean spacing of the items in their bounds: the edge length of a cube whose volume is
    /// that of the bounds divided by the number of items. Axes along which the bounds are flat are
    /// left out.
    pub(super) fn spacing(&self) -> f64 {
        let extent = self.bounds.extent();
        let longest = extent.into_iter().fold(0.0, f64::max);
        // Axes along which the scene is flat are left out.
        let (mut volume, mut axes) = (1.0, 0);
        for &extent in extent.iter().filter(|&&x| x > 1e-3 * longest) {
            volume *= extent;
            axes += 1;
        }
        match axes {
            0 => 0.0,
            _ => (volume / self.count.max(1) as f64).powf(1.0 / f64::from(axes)),
        }
    }

    /// The edge lengths of a cell for the items in these bounds. The positions of two touching
    /// items are at most `reach` times the largest extent plus the margin apart along an axis. Rows
    /// of cells are at least that wide. Along a row, cells are as short as possible without
    /// outnumbering the items.
    pub(super) fn cell(&self, reach: f64, margin: f64) -> [f64; D] {
        let extent = self.bounds.extent();
        let width = WIDTHS[D] * self.spacing();
        let mut cell: [f64; D] = std::array::from_fn(|k| {
            let cell = (reach * self.largest[k] + margin).max(width);
            // Points need cells of some size, too.
            if cell > 0.0 { cell } else { 1.0 }
        });
        let along = |k: usize, cell: f64| (extent[k] / cell).floor() + 1.0;
        let most = self.count as f64 + 1.0;
        let rows = loop {
            let rows: f64 = (1..D).map(|k| along(k, cell[k])).product();
            if rows <= most {
                break rows;
            }
            let factor = (rows / most).powf(1.0 / (D - 1) as f64).max(1.001);
            cell[1..].iter_mut().for_each(|x| *x *= factor);
        };
        if extent[0] > 0.0 {
            cell[0] = extent[0] / (most / rows).floor().max(1.0);
        }
        cell
    }

    /// Extends the item bounds by one more item.
    pub(super) fn include(&mut self, position: [f64; D], extent: [f64; D]) {
        self.bounds.include(position);
        self.largest = std::array::from_fn(|k| self.largest[k].max(extent[k]));
        self.count += 1;
    }

    /// Returns the item bounds of spheres, which are copied in the same pass; `None` if a sphere is
    /// invalid.
    pub(super) fn of_spheres(
        (centers, radii): (&[[f64; D]], &[f64]),
        (center_copies, radius_copies): (&mut Vec<[f64; D]>, &mut Vec<f64>),
    ) -> Option<Self> {
        let middle = copy(centers, center_copies)?;
        let size = copy(radii, radius_copies)?;
        (size.low.iter().all(|&r| r >= 0.0)).then(|| ItemBounds {
            bounds: middle.bounds(),
            largest: [size.high.into_iter().fold(0.0, f64::max); D],
            count: centers.len(),
        })
    }

    /// Returns the item bounds of boxes, which are copied in the same pass; `None` if a box is
    /// invalid.
    pub(super) fn of_boxes(
        (lower, upper): (&[[f64; D]], &[[f64; D]]),
        (lower_copies, upper_copies): (&mut Vec<[f64; D]>, &mut Vec<[f64; D]>),
    ) -> Option<Self> {
        let below = copy(lower, lower_copies)?;
        copy(upper, upper_copies)?;
        let extent = extents(lower.as_flattened(), upper.as_flattened());
        (extent.low.iter().all(|&x| x >= 0.0)).then(|| ItemBounds {
            bounds: below.bounds(),
            largest: extent.bounds::<D>().max.map(|x| x.max(0.0)),
            count: lower.len(),
        })
    }
}
