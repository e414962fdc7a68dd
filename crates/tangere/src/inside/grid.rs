//! Points in rows and columns.
//!
//! Coordinates are computed once an axis, so the points of a row share theirs
//! bit for bit, and whoever goes by columns answers for the same points as
//! whoever goes point by point.

use crate::error::{Error, Result};
use crate::geometry::{Aabb, flushed, is_valid_coordinate};
use rayon::prelude::*;

/// All points `[x[i], y[j], z[k]]`; `i` runs fastest, then `j`, then `k`.
///
/// ```
/// use tangere::{generate, inside::Grid};
///
/// let grid = Grid::around(&generate::sphere(0)?.bounds(), 4)?;
/// assert_eq!(grid.axes()[0], [-0.75, -0.25, 0.25, 0.75]);
/// assert_eq!((grid.len(), grid.point(1)), (64, [-0.25, -0.75, -0.75]));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    axes: [Vec<f64>; 3],
}

impl Grid {
    /// The most coordinates of an axis: with three such axes points still can be
    /// numbered.
    pub const AXIS_MAX: usize = 1 << 20;

    /// The grid of three lists of coordinates.
    ///
    /// # Errors
    /// When a list has more than [`Grid::AXIS_MAX`] coordinates, one is not valid
    /// ([`is_valid_coordinate`]) or below the one before.
    pub fn new(axes: [Vec<f64>; 3]) -> Result<Self> {
        for (axis, what) in axes.iter().zip(["grid x", "grid y", "grid z"]) {
            if axis.len() > Self::AXIS_MAX {
                let expected = format!("at most {}", Self::AXIS_MAX);
                return Err(Error::argument(
                    what,
                    format!("{} values", axis.len()),
                    expected,
                ));
            }
            let invalid = axis.iter().position(|&x| !is_valid_coordinate(x));
            let falling = axis.windows(2).position(|pair| pair[0] > pair[1]);
            if let Some(i) = invalid.or(falling.map(|i| i + 1)) {
                return Err(Error::item(
                    what,
                    i,
                    crate::error::number(axis[i]),
                    "valid coordinates that do not fall",
                ));
            }
        }
        Ok(Self { axes })
    }

    /// The centres of the `n * n * n` equal cells of a cube that has the centre
    /// of the box and its longest side: along an axis
    /// `center + edge * ((2 i + 1 - n) / (2 n))`, computed in this order.
    ///
    /// # Errors
    /// When `n` is 0 or more than [`Grid::AXIS_MAX`].
    pub fn around(bounds: &Aabb<3>, n: usize) -> Result<Self> {
        if n == 0 || n > Self::AXIS_MAX {
            let expected = format!("1 to {} cells along an edge", Self::AXIS_MAX);
            return Err(Error::argument("grid", n, expected));
        }
        let edge = bounds.extent().into_iter().fold(0.0, f64::max);
        let center = bounds.center();
        let place = |i: usize| (2.0 * i as f64 + 1.0 - n as f64) / (2.0 * n as f64);
        Self::new(center.map(|c| {
            let centers = (0..n).map(|i| flushed([c + edge * place(i)])[0]);
            centers.collect()
        }))
    }

    /// The coordinates along x, y and z.
    pub fn axes(&self) -> &[Vec<f64>; 3] {
        &self.axes
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.axes.iter().map(Vec::len).product()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Point number `index`. Panics where there is none, as an index does.
    #[inline]
    pub fn point(&self, index: usize) -> [f64; 3] {
        let [x, y, z] = &self.axes;
        let row = index / x.len();
        [x[index % x.len()], y[row % y.len()], z[row / y.len()]]
    }

    /// The grid in parts, one after the other in the order of its points: as many
    /// layers along z each as have at most so many points, one at least.
    pub fn slabs(&self, most: usize) -> impl Iterator<Item = Grid> {
        let [x, y, z] = &self.axes;
        let layers = (most / (x.len() * y.len()).max(1)).max(1);
        z.chunks(layers).map(|z| Grid {
            axes: [x.clone(), y.clone(), z.to_vec()],
        })
    }

    /// All points.
    pub fn points(&self) -> Vec<[f64; 3]> {
        let mut points = vec![[0.0; 3]; self.len()];
        let [x, y, z] = &self.axes;
        points
            .par_chunks_mut(x.len().max(1))
            .enumerate()
            .for_each(|(row, points)| {
                for (point, &x) in points.iter_mut().zip(x) {
                    *point = [x, y[row % y.len()], z[row / y.len()]];
                }
            });
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_numbered_x_fastest() {
        let grid = Grid::new([vec![0.0, 1.0, 2.0], vec![5.0, 6.0], vec![-1.0, -1.0]]).unwrap();
        let points = grid.points();
        assert_eq!(points.len(), grid.len());
        assert_eq!(
            points[..4],
            [
                [0.0, 5.0, -1.0],
                [1.0, 5.0, -1.0],
                [2.0, 5.0, -1.0],
                [0.0, 6.0, -1.0]
            ]
        );
        assert!((0..12).all(|i| grid.point(i) == points[i]));
        assert!(
            Grid::new([vec![], vec![1.0], vec![2.0]])
                .unwrap()
                .points()
                .is_empty()
        );
    }

    #[test]
    fn slabs_are_the_grid_in_parts() {
        let axis = |n: u8| (0..n).map(f64::from).collect::<Vec<f64>>();
        let grid = Grid::new([axis(3), axis(2), axis(5)]).unwrap();
        for (most, sizes) in [
            (0, &[6, 6, 6, 6, 6][..]),
            (11, &[6, 6, 6, 6, 6]),
            (12, &[12, 12, 6]),
            (99, &[30]),
        ] {
            let slabs: Vec<Grid> = grid.slabs(most).collect();
            let found: Vec<usize> = slabs.iter().map(Grid::len).collect();
            assert_eq!(found, sizes);
            let points: Vec<[f64; 3]> = slabs.iter().flat_map(Grid::points).collect();
            assert_eq!(points, grid.points());
        }
    }

    #[test]
    fn the_cube_has_the_centre_and_the_longest_side() {
        let bounds = Aabb {
            min: [0.0, 10.0, -1.0],
            max: [6.0, 12.0, 1.0],
        };
        let grid = Grid::around(&bounds, 3).unwrap();
        assert_eq!(
            grid.axes(),
            &[
                vec![1.0, 3.0, 5.0],
                vec![9.0, 11.0, 13.0],
                vec![-2.0, 0.0, 2.0]
            ]
        );
    }

    #[test]
    fn bad_grids_are_refused() {
        let bounds = Aabb {
            min: [0.0; 3],
            max: [1.0; 3],
        };
        assert!(
            Grid::around(&bounds, 0)
                .unwrap_err()
                .to_string()
                .contains("found 0")
        );
        assert!(Grid::around(&bounds, Grid::AXIS_MAX + 1).is_err());
        let error = Grid::new([vec![0.0], vec![1.0, f64::NAN], vec![]]).unwrap_err();
        assert!(
            error.to_string().starts_with("grid y 1: found NaN"),
            "{error}"
        );
        assert!(Grid::new([vec![0.0, -1.0], vec![], vec![]]).is_err());
    }
}
