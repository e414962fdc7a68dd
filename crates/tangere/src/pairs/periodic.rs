//! Periodic boundary conditions: a cell that repeats along some of its edges.
//!
//! Items are wrapped into the cell. Ghosts, copies of items near the border, stand for the
//! neighbouring images, so that any search in open space finds the pairs across the border. Of
//! the two images of a pair, `b` beside `a` and `a` beside `b`, only the one in the positive
//! half of directions is made.
//!
//! Whether a pair touches is decided on the items as given, as
//! `(x_b - x_a) + shift`, with the shift `n1 a1 + n2 a2 + n3 a3` of the image
//! `n`; wrapped positions only find candidates.
//!
//! With `every_image`, an item may touch several images of another, and images of itself. Each
//! is a ghost of its own: the positive half of all images within reach.

use super::scene::Items;
use crate::error::{Argument, Error, Result, number};

/// A periodic image: the number of cells along each edge; all 0 is the cell itself.
pub type Image<const D: usize> = [i32; D];

/// A periodic cell: edges of given lengths, an edge of length 0 being open,
/// tilted as in molecular dynamics: the first edge lies along x, the second in
/// the plane of x and y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periodic<const D: usize> {
    origin: [f64; D],
    lengths: [f64; D],
    /// `edges[i]` is the i-th edge; lower triangular.
    edges: [[f64; D]; D],
}

impl<const D: usize> Periodic<D> {
    /// A cell with right angles from the origin.
    ///
    /// # Errors
    /// When a length is negative or not finite, or all are 0.
    pub fn new(lengths: [f64; D]) -> Result<Self> {
        Self::tilted(lengths, &[])
    }

    /// A cell whose edges are tilted by `xy`, then `xz` and `yz`: the second
    /// edge is `(xy, ly)` or `(xy, ly, 0)`, the third `(xz, yz, lz)`. An open
    /// edge cannot be tilted, and nothing can be tilted along it.
    ///
    /// # Errors
    /// When a length is negative or not finite, all are 0, or a tilt is not
    /// finite or along an open edge.
    pub fn tilted(lengths: [f64; D], tilts: &[f64]) -> Result<Self> {
        const { assert!(D == 2 || D == 3, "space has two or three dimensions") };
        let valid = |&l: &f64| l >= 0.0 && crate::geometry::is_valid_coordinate(l);
        if let Some(k) = lengths.iter().position(|l| !valid(l)) {
            let expected = "a finite length, 0 for an open edge";
            let found = number(lengths[k]);
            return Err(Error::item(Argument::PeriodicLength, k, found, expected));
        }
        if lengths == [0.0; D] {
            return Err(Error::argument(
                Argument::PeriodicLengths,
                format!("{lengths:?}"),
                "at least one above 0",
            ));
        }
        let count = D * (D - 1) / 2;
        if !tilts.is_empty() && tilts.len() != count {
            return Err(Error::argument(
                Argument::Tilts,
                format!("{} numbers", tilts.len()),
                format!("{count}"),
            ));
        }
        let mut edges = [[0.0; D]; D];
        for k in 0..D {
            edges[k][k] = lengths[k];
        }
        // In the order xy, xz, yz: edge 1 along 0, edge 2 along 0, edge 2 along 1.
        for (i, (&tilt, (edge, along))) in tilts.iter().zip([(1, 0), (2, 0), (2, 1)]).enumerate() {
            let open = lengths[edge] == 0.0 || lengths[along] == 0.0;
            if !crate::geometry::is_valid_coordinate(tilt) || (open && tilt != 0.0) {
                let expected = "a finite number, 0 where an edge is open";
                return Err(Error::item(Argument::Tilt, i, number(tilt), expected));
            }
            edges[edge][along] = tilt;
        }
        Ok(Periodic {
            origin: [0.0; D],
            lengths,
            edges,
        })
    }

    /// The same cell with its lower corner elsewhere.
    ///
    /// # Errors
    /// When a coordinate is not finite.
    pub fn at(mut self, origin: [f64; D]) -> Result<Self> {
        crate::geometry::check_points(Argument::Origin, &[origin])?;
        self.origin = origin;
        Ok(self)
    }

    /// The lengths of the edges, 0 where they are open.
    pub fn lengths(&self) -> [f64; D] {
        self.lengths
    }

    /// How the edges are tilted: `xy`, then `xz` and `yz`.
    pub fn tilts(&self) -> Vec<f64> {
        let below = (1..D).flat_map(|edge| (0..edge).map(move |along| (edge, along)));
        below.map(|(edge, along)| self.edges[edge][along]).collect()
    }

    /// The lower corner.
    pub fn origin(&self) -> [f64; D] {
        self.origin
    }

    /// Whether space repeats along an edge.
    pub fn repeats(&self, k: usize) -> bool {
        self.lengths[k] > 0.0
    }

    /// Rejects items so large that one may touch two images of another.
    pub(super) fn check_reach(&self, items: Items<'_, D>, margin: f64) -> Result<()> {
        // The two largest reach farthest.
        let half = |i: usize| match items {
            Items::Spheres { radii, .. } => radii[i],
            Items::Boxes { lower, upper } => {
                0.5 * (0..D).fold(0.0, |m: f64, k| m.max(upper[i][k] - lower[i][k]))
            }
        };
        let mut largest = [0.0; 2];
        for i in 0..items.len() {
            let half = half(i);
            if half > largest[0] {
                largest = [half, largest[0]];
            } else if half > largest[1] {
                largest[1] = half;
            }
        }
        self.check_width(largest[0] + largest[1] + margin)
    }

    /// Rejects a reach so large that one item may touch two images of another.
    pub(super) fn check_width(&self, reach: f64) -> Result<()> {
        let width = self.width();
        if reach <= 0.5 * width {
            return Ok(());
        }
        Err(Error::argument(
            Argument::PeriodicCell,
            format!("a width of {}", number(width)),
            format!(
                "at least {}, twice the reach of the two largest items, \
                 unless every image is requested",
                number(2.0 * reach)
            ),
        ))
    }

    /// The smallest width.
    pub(super) fn width(&self) -> f64 {
        self.widths().into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The shift of an image.
    #[inline]
    pub fn shift(&self, image: Image<D>) -> [f64; D] {
        std::array::from_fn(|k| {
            (k..D).fold(0.0, |sum, i| sum + f64::from(image[i]) * self.edges[i][k])
        })
    }

    /// The difference of each edge from that of another cell.
    pub(super) fn strain(&self, other: &Self) -> [[f64; D]; D] {
        std::array::from_fn(|i| {
            std::array::from_fn(|k| (self.edges[i][k] - other.edges[i][k]).abs())
        })
    }

    /// The length of the path along the edges to an image, along each axis, forth and back: the
    /// rounding of its shift is relative to this.
    pub(super) fn path(&self, image: Image<D>) -> [f64; D] {
        std::array::from_fn(|k| {
            let step = |i: usize| (f64::from(image[i]) * self.edges[i][k]).abs();
            (k..D).map(step).sum()
        })
    }

    /// The distance between opposite sides, for each edge; infinite where open.
    pub fn widths(&self) -> [f64; D] {
        // Rows of the inverse of a triangular matrix are normal to the sides:
        // the width is one over their length.
        let inverse = self.inverse();
        std::array::from_fn(|k| {
            if self.repeats(k) {
                1.0 / inverse[k].iter().map(|x| x * x).sum::<f64>().sqrt()
            } else {
                f64::INFINITY
            }
        })
    }

    /// `inverse[i]` maps a point, from the origin, to its coordinate along edge `i`
    /// in cells (in lengths where the edge is open).
    fn inverse(&self) -> [[f64; D]; D] {
        let diagonal = |k: usize| {
            if self.repeats(k) {
                self.lengths[k]
            } else {
                1.0
            }
        };
        let mut inverse = [[0.0; D]; D];
        for i in (0..D).rev() {
            inverse[i][i] = 1.0 / diagonal(i);
            for k in i + 1..D {
                // Row i of the inverse of the transposed edges, by back substitution.
                let sum: f64 = (i + 1..=k).map(|j| self.edges[j][i] * inverse[j][k]).sum();
                inverse[i][k] = -sum / diagonal(i);
            }
        }
        inverse
    }

    /// Coordinates along the edges.
    fn along(&self, inverse: &[[f64; D]; D], p: [f64; D]) -> [f64; D] {
        std::array::from_fn(|i| {
            (i..D)
                .map(|k| inverse[i][k] * (p[k] - self.origin[k]))
                .sum()
        })
    }
}

/// A copy of an item in another image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ghost<const D: usize> {
    pub(super) item: u32,
    pub(super) image: Image<D>,
}

/// Bound on the error of an item's coordinate along an edge, in cells: up to a million of them,
/// summed over the dimensions.
const ROUNDING: f64 = 1e-8;
/// Bound on the error of a number of cells, relative to it.
const RELATIVE_ROUNDING: f64 = 1e-12;

/// A periodic cell with its inverse, to find the images of many items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Images<'a, const D: usize> {
    cell: &'a Periodic<D>,
    inverse: [[f64; D]; D],
    widths: [f64; D],
}

impl<'a, const D: usize> Images<'a, D> {
    pub(super) fn new(cell: &'a Periodic<D>) -> Self {
        Images {
            cell,
            inverse: cell.inverse(),
            widths: cell.widths(),
        }
    }

    /// The image that wraps the centre of item `i` into the cell; errors call the centre `what`.
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

    /// The images, relative to `home`, from which an item reaches something in the cell: from
    /// the first to the last along each edge, 0 among them. `reach` is the largest distance from
    /// its centre to that of anything it touches.
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

    /// The displacement in cells, rounded to the nearest image.
    pub(super) fn nearest(&self, displacement: [f64; D]) -> [f64; D] {
        std::array::from_fn(|i| match self.cell.repeats(i) {
            false => 0.0,
            true => {
                let along = |k: usize| self.inverse[i][k] * displacement[k];
                (i..D).map(along).sum::<f64>().round()
            }
        })
    }

    /// The most cells between two points of the cell `before` that these bring within `reach` of
    /// each other.
    ///
    /// The points are less than an edge apart along each of `before`, and so along edge
    /// `k` of this cell less than `1 + sum_i |inverse_k . (before_i - edge_i)|`.
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

/// A range of images along each edge, of any size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<const D: usize> {
    from: [f64; D],
    to: [f64; D],
}

impl<const D: usize> Around<D> {
    /// The number of images.
    pub(super) fn count(&self) -> f64 {
        (0..D).map(|k| self.to[k] - self.from[k] + 1.0).product()
    }

    /// The number of images whose last nonzero number is positive.
    fn positive_half(&self) -> f64 {
        let (mut positive, mut all) = (0.0, 1.0);
        for k in 0..D {
            // Images with this number positive, any before, and 0 after.
            positive += self.to[k] * all;
            all *= self.to[k] - self.from[k] + 1.0;
        }
        positive
    }

    /// Visits all images; their number must have been checked.
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

/// Rejects more images than `most`.
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

/// Wraps items and makes ghosts: for each of `count` items the image that wraps it into the
/// cell, and the ghosts within reach of items in the cell. `item(i)` is its centre and the
/// largest distance from there to the centre of anything it touches; errors call the centre
/// `what`. More than `most` ghosts are an error.
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
                // The positive half: the last nonzero number is positive.
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
