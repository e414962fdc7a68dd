//! Periodic cell: periodic boundary conditions, by a cell that repeats along some of its edges.
//!
//! Items are wrapped into the cell. Ghosts, copies of items near the border, represent the
//! neighbouring images ([`super::periodic_images`]), so that any search in open space finds the
//! pairs across the border. A pair across the border appears twice: with an image of `b` beside
//! `a`, and with the opposite image of `a` beside `b`. Only the image of the positive half becomes
//! a ghost: the one whose last nonzero component is positive.
//!
//! Whether a pair touches is decided on the items as given, from the difference `(x_b - x_a) +
//! shift`, where image `n` has the shift `n1 a1 + n2 a2 + n3 a3` and `a1`, `a2`, `a3` are the edges
//! of the cell. Wrapped positions only serve to find candidates.
//!
//! With `every_image`, an item may touch several images of another item and of itself. Each image
//! within reach, of the positive half, is then a ghost.

use super::scene::Items;
use crate::error::{Argument, Error, Result, number};

/// A periodic image, as the number of cells along each edge by which it is shifted. All 0 is the
/// cell itself.
pub type Image<const D: usize> = [i32; D];

/// A periodic cell: space repeats along each of its edges, except along those of length 0, which
/// are open. Edges may be tilted as in molecular dynamics: the first edge lies along x, the second
/// in the plane of x and y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periodic<const D: usize> {
    origin: [f64; D],
    lengths: [f64; D],
    /// The edge vectors of the periodic cell. As the rows of a matrix they are lower triangular.
    pub(super) edges: [[f64; D]; D],
}

impl<const D: usize> Periodic<D> {
    /// A periodic cell with right angles and its lower corner at the origin.
    ///
    /// # Errors
    /// When a length is negative, not finite, or neither 0 nor from 4.9e-91 to 1.6e60, or all are 0.
    pub fn new(lengths: [f64; D]) -> Result<Self> {
        Self::tilted(lengths, &[])
    }

    /// A periodic cell whose edges are tilted by `xy`, then `xz` and `yz`: the second edge is
    /// `(xy, ly)` or `(xy, ly, 0)`, the third `(xz, yz, lz)`. An open edge cannot be tilted, and no
    /// edge can be tilted along an open one.
    ///
    /// # Errors
    /// When a length is negative, not finite, or neither 0 nor from 4.9e-91 to 1.6e60, all are 0, or
    /// a tilt is out of this range or along an open edge.
    pub fn tilted(lengths: [f64; D], tilts: &[f64]) -> Result<Self> {
        const { assert!(D == 2 || D == 3, "space has two or three dimensions") };
        let valid = |&l: &f64| l >= 0.0 && crate::geometry::is_valid_coordinate(l);
        if let Some(k) = lengths.iter().position(|l| !valid(l)) {
            let expected = "0 for an open edge, or a length from 4.9e-91 to 1.6e60";
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
                let expected = "0, or a magnitude from 4.9e-91 to 1.6e60; 0 where an edge is open";
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

    /// The periodic cell moved so that its lower corner is `origin`.
    ///
    /// # Errors
    /// When a coordinate is not finite.
    pub fn at(mut self, origin: [f64; D]) -> Result<Self> {
        crate::geometry::check_points(Argument::Origin, &[origin])?;
        self.origin = origin;
        Ok(self)
    }

    /// The lengths of the edges of the periodic cell, 0 where they are open.
    pub fn lengths(&self) -> [f64; D] {
        self.lengths
    }

    /// The tilts of the edges of the periodic cell: `xy`, then `xz` and `yz`.
    pub fn tilts(&self) -> Vec<f64> {
        let below = (1..D).flat_map(|edge| (0..edge).map(move |along| (edge, along)));
        below.map(|(edge, along)| self.edges[edge][along]).collect()
    }

    /// The lower corner of the periodic cell.
    pub fn origin(&self) -> [f64; D] {
        self.origin
    }

    /// Whether space repeats along edge `k` of the periodic cell.
    pub fn repeats(&self, k: usize) -> bool {
        self.lengths[k] > 0.0
    }

    /// Rejects items so large for the periodic cell that one may touch two images of another item.
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

    /// Rejects a reach, the largest distance between the centres of two touching items, if the
    /// periodic cell is so narrow that one item may touch two images of another.
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

    /// The smallest of the widths of the periodic cell, which are the distances between its
    /// opposite sides.
    pub(super) fn width(&self) -> f64 {
        self.widths().into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The translation from the periodic cell to an image of it.
    #[inline]
    pub fn shift(&self, image: Image<D>) -> [f64; D] {
        std::array::from_fn(|k| {
            (k..D).fold(0.0, |sum, i| sum + f64::from(image[i]) * self.edges[i][k])
        })
    }

    /// The image whose shift brings a difference of positions nearest to zero along every edge, in
    /// cells; the nearest one by distance is next to it, unless it is beyond 2^31 - 2 cells.
    pub(crate) fn nearest_image(&self, difference: [f64; D]) -> Image<D> {
        /// One less than the largest number, so that the images next to it are numbers, too.
        const FARTHEST: f64 = (i32::MAX - 1) as f64;
        let inverse = self.inverse();
        std::array::from_fn(|i| match self.repeats(i) {
            true => {
                let cells: f64 = (0..D).map(|k| inverse[i][k] * difference[k]).sum();
                (0.0 - cells.round()).clamp(0.0 - FARTHEST, FARTHEST) as i32
            }
            false => 0,
        })
    }

    /// The absolute difference of each edge vector of the periodic cell from the same edge vector
    /// of another cell, component by component.
    pub(super) fn strain(&self, other: &Self) -> [[f64; D]; D] {
        std::array::from_fn(|i| {
            std::array::from_fn(|k| (self.edges[i][k] - other.edges[i][k]).abs())
        })
    }

    /// For each axis, the sum of the absolute components of the steps along the edges of the
    /// periodic cell that lead to an image. The rounding error of the translation to that image is
    /// relative to this sum.
    pub(super) fn path(&self, image: Image<D>) -> [f64; D] {
        std::array::from_fn(|k| {
            let step = |i: usize| (f64::from(image[i]) * self.edges[i][k]).abs();
            (k..D).map(step).sum()
        })
    }

    /// The widths of the periodic cell: for each edge, the distance between the two sides that it
    /// joins. Infinite for open edges.
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

    /// The inverse of the matrix of edge vectors of the periodic cell. The dot product of row `i`
    /// and a point, relative to the lower corner, is the coordinate of the point along edge `i`, in
    /// cells (in units of length if the edge is open).
    pub(super) fn inverse(&self) -> [[f64; D]; D] {
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

    /// The coordinates of a point along the edges of the periodic cell, in cells. `inverse` is
    /// [`Periodic::inverse`].
    pub(super) fn along(&self, inverse: &[[f64; D]; D], p: [f64; D]) -> [f64; D] {
        std::array::from_fn(|i| {
            (i..D)
                .map(|k| inverse[i][k] * (p[k] - self.origin[k]))
                .sum()
        })
    }
}
