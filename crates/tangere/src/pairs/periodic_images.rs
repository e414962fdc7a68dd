//! Periodic images and ghosts: the image that wraps an item into the periodic cell, and the
//! images from which it reaches other items.

use super::periodic_cell::{Image, Periodic};
use crate::error::{Argument, Error, Result};

/// A ghost: a copy of an item in another periodic image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ghost<const D: usize> {
    pub(super) item: u32,
    pub(super) image: Image<D>,
}

/// Bound on the error of the coordinate of an item along an edge of the periodic cell, in units of
/// that edge. Items may be a million edges away, and errors are summed over the dimensions.
const ROUNDING: f64 = 1e-8;
/// Bound on the relative error of the quotient of a reach and the width of the periodic cell.
const RELATIVE_ROUNDING: f64 = 1e-12;

/// A periodic cell with the inverse matrix of its edges and its widths, to find the images of many
/// items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Images<'a, const D: usize> {
    cell: &'a Periodic<D>,
    inverse: [[f64; D]; D],
    widths: [f64; D],
}

impl<'a, const D: usize> Images<'a, D> {
    /// Prepares a periodic cell to find the periodic images of items.
    pub(super) fn new(cell: &'a Periodic<D>) -> Self {
        Images {
            cell,
            inverse: cell.inverse(),
            widths: cell.widths(),
        }
    }

    /// The periodic image that wraps the centre of item `i` into the cell. If the item is too far
    /// away, the error names the centre `what`.
    pub(super) fn home(&self, what: Argument, i: usize, middle: [f64; D]) -> Result<Image<D>> {
        let along = self.cell.along(&self.inverse, middle);
        let mut image = [0; D];
        for k in (0..D).filter(|&k| self.cell.repeats(k)) {
            let cells = along[k].floor();
            // NaN where the cell is too flat for floats.
            if cells.is_nan() || cells.abs() > 1e6 {
                return Err(Error::item(
                    what,
                    i,
                    format!("{middle:?}"),
                    "a place within a million cells of the periodic one",
                ));
            }
            image[k] = -cells as i32;
        }
        Ok(image)
    }

    /// The periodic images of an item, relative to `home`, from which the item reaches items in the
    /// cell: a range along each edge that contains 0. `reach` is the largest distance between the
    /// centre of the item and the centre of any item that touches it.
    pub(super) fn around(&self, middle: [f64; D], home: Image<D>, reach: f64) -> Around<D> {
        let along = self.cell.along(&self.inverse, middle);
        // The cell enlarged by the reach, and a little more for rounding.
        let (mut from, mut to) = ([0.0; D], [0.0; D]);
        for k in (0..D).filter(|&k| self.cell.repeats(k)) {
            let grown = (reach / self.widths[k]) * (1.0 + RELATIVE_ROUNDING) + ROUNDING;
            // The wrapped coordinate w is in the grown cell: -grown <= w + n <= 1 + grown.
            let wrapped = along[k] + f64::from(home[k]);
            from[k] = (-grown - wrapped).ceil();
            to[k] = (1.0 + grown - wrapped).floor();
        }
        Around { from, to }
    }

    /// The periodic image whose translation is nearest to a displacement: the coordinates of the
    /// displacement along the edges, in cells, rounded to integers.
    pub(super) fn nearest(&self, displacement: [f64; D]) -> [f64; D] {
        std::array::from_fn(|i| match self.cell.repeats(i) {
            false => 0.0,
            true => {
                let along = |k: usize| self.inverse[i][k] * displacement[k];
                (i..D).map(along).sum::<f64>().round()
            }
        })
    }

    /// For each edge, an upper bound of the absolute component of a periodic image. Two points lie
    /// in the earlier cell `before`, and the image, in the present cell, shifts one of them to
    /// within `reach` of the other.
    ///
    /// The points are less than one edge apart along each edge of `before`, and so along edge `k`
    /// of the present cell less than `1 + sum_i |inverse_k . (before_i - edge_i)|` cells, with the
    /// edges `before_i` and `edge_i` of both cells and row `k` of the inverse of the present one.
    pub(super) fn between(&self, before: &Periodic<D>, reach: f64) -> [f64; D] {
        std::array::from_fn(|k| {
            if !self.cell.repeats(k) {
                return 0.0;
            }
            let strain = |i: usize| {
                let part =
                    |j: usize| self.inverse[k][j] * (before.edges[i][j] - self.cell.edges[i][j]);
                (k..D).map(part).sum::<f64>().abs()
            };
            let strain: f64 = (0..D).map(strain).sum();
            (1.0 + strain + reach / self.widths[k] + 4.0 * ROUNDING).floor()
        })
    }
}

/// A range of periodic images: from `from` to `to` along each edge of the periodic cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<const D: usize> {
    from: [f64; D],
    to: [f64; D],
}

impl<const D: usize> Around<D> {
    /// The number of periodic images in the range.
    pub(super) fn count(&self) -> f64 {
        (0..D).map(|k| self.to[k] - self.from[k] + 1.0).product()
    }

    /// The number of periodic images in the range whose last nonzero component is positive.
    fn positive_half(&self) -> f64 {
        let (mut positive, mut all) = (0.0, 1.0);
        for k in 0..D {
            // Images with this component positive, any before it, and 0 after it.
            positive += self.to[k] * all;
            all *= self.to[k] - self.from[k] + 1.0;
        }
        positive
    }

    /// Calls `visit` with all periodic images in the range. The caller must have checked that there
    /// are not too many.
    pub(super) fn visit(&self, mut visit: impl FnMut(Image<D>)) {
        let (from, to) = (self.from.map(|x| x as i32), self.to.map(|x| x as i32));
        let mut n = from;
        'images: loop {
            visit(n);
            for k in 0..D {
                if n[k] < to[k] {
                    n[k] += 1;
                    continue 'images;
                }
                n[k] = from[k];
            }
            break;
        }
    }
}

/// Rejects the `total` periodic images of `count` items if there are more than `most`.
pub(super) fn check_images(total: f64, count: usize, most: usize) -> Result<()> {
    if total <= most as f64 {
        return Ok(());
    }
    let total = match total < 1e15 {
        true => total.to_string(),
        false => format!("{total:.1e}"),
    };
    Err(Error::argument(
        Argument::PeriodicImages,
        format!("{total} within reach of {count} items"),
        format!("at most {most}: a larger cell, or smaller items"),
    ))
}

/// Wraps `count` items into the periodic cell and makes their ghosts. `images` receives the
/// periodic image that wraps each item, and `ghosts` the ghosts within reach of items in the cell.
/// `item(i)` returns the centre of an item and the largest distance between this centre and that of
/// any item that touches it. Errors name the centre `what`. More than `most` ghosts are an error.
pub(super) fn wrap<const D: usize>(
    cell: &Periodic<D>,
    (what, count): (Argument, usize),
    item: impl Fn(usize) -> ([f64; D], f64),
    most: usize,
    images: &mut Vec<Image<D>>,
    ghosts: &mut Vec<Ghost<D>>,
) -> Result<()> {
    let space = Images::new(cell);
    images.clear();
    ghosts.clear();
    let mut total = 0.0;
    for i in 0..count {
        let (middle, reach) = item(i);
        let home = space.home(what, i, middle)?;
        images.push(home);
        let around = space.around(middle, home, reach);
        total += around.positive_half();
        if total <= most as f64 {
            around.visit(|image| {
                // The positive half: the last nonzero component is positive.
                let last = image.iter().rev().find(|&&x| x != 0);
                if last.is_some_and(|&x| x > 0) {
                    let item = i as u32;
                    ghosts.push(Ghost { item, image });
                }
            });
        }
    }
    check_images(total, count, most)
}
