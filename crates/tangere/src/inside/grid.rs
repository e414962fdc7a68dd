//! Regular grid of points: the product of three lists of coordinates.
//!
//! Coordinates are computed once for each axis, so that the points of a row share coordinates bit
//! for bit. So a grid that is classified column by column has exactly the points that
//! [`Grid::points`] lists.

use super::min_max::larger;
use super::{InsideTest, Side};
use crate::error::{Argument, Error, Result};
use crate::geometry::{Aabb, flushed, is_valid_coordinate};
use crate::memory;
use rayon::prelude::*;

/// The maximum number of points in a slab, a part of a grid that is classified at a time to limit
/// scratch memory.
const SLAB: usize = 1 << 21;

/// A grid: all points `[x[i], y[j], z[k]]`; `i` runs fastest, then `j`, then `k`.
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
    /// The maximum number of coordinates of a grid along an axis. A grid with three such axes has
    /// 2^60 points, whose indices fit in 64 bits.
    pub const AXIS_MAX: usize = 1 << 20;

    /// The grid of points with three lists of coordinates.
    ///
    /// # Errors
    /// When a list has more than [`Grid::AXIS_MAX`] coordinates, one is not valid
    /// ([`is_valid_coordinate`]) or below the one before.
    pub fn new(axes: [Vec<f64>; 3]) -> Result<Self> {
        for (axis, what) in axes.iter().zip([0, 1, 2].map(Argument::GridAxis)) {
            if axis.len() > Self::AXIS_MAX {
                return Err(Error::too_many(what, axis.len(), Self::AXIS_MAX));
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

    /// The grid of points at the centres of the `n * n * n` equal cells of a cube. The cube has the
    /// centre of the box `bounds`, and the longest side of the box as its edge. Coordinate `i`
    /// along an axis is `center + edge * ((2 i + 1 - n) / (2 n))`, computed in this order.
    ///
    /// # Errors
    /// When `n` is 0 or more than [`Grid::AXIS_MAX`].
    pub fn around(bounds: &Aabb<3>, n: usize) -> Result<Self> {
        let edge = bounds.extent().into_iter().fold(0.0, f64::max);
        Self::centers(bounds.center(), [edge; 3], [n; 3])
    }

    /// The grid of points at the centres of the equal cells of a box, with `cells[k]` cells along
    /// axis `k`. Coordinate `i` along an axis with `n` cells is `center + edge * ((2 i + 1 - n) /
    /// (2 n))`, computed in this order.
    ///
    /// ```
    /// use tangere::{generate, inside::Grid};
    ///
    /// let grid = Grid::over(&generate::sphere(0)?.bounds(), [1, 2, 4])?;
    /// assert_eq!(grid.axes()[1], [-0.5, 0.5]);
    /// assert_eq!((grid.len(), grid.point(1)), (8, [0.0, 0.5, -0.75]));
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// When a number is 0 or more than [`Grid::AXIS_MAX`], or more than 1 along an edge of
    /// length 0.
    pub fn over(bounds: &Aabb<3>, cells: [usize; 3]) -> Result<Self> {
        let edges = bounds.extent();
        if let Some(k) = (0..3).find(|&k| edges[k] == 0.0 && cells[k] > 1) {
            return Err(Error::argument(
                Argument::Grid,
                format!("{} cells along {}", cells[k], ["x", "y", "z"][k]),
                "1, as the box is flat there",
            ));
        }
        Self::centers(bounds.center(), edges, cells)
    }

    /// The grid of points at the centres of equal cells of the box with the given centre and edges.
    fn centers(center: [f64; 3], edges: [f64; 3], cells: [usize; 3]) -> Result<Self> {
        if let Some(n) = cells
            .into_iter()
            .find(|n| !(1..=Self::AXIS_MAX).contains(n))
        {
            let expected = format!("1 to {} cells along an edge", Self::AXIS_MAX);
            return Err(Error::argument(Argument::Grid, n, expected));
        }
        Self::new(std::array::from_fn(|k| {
            let n = cells[k];
            let place = |i: usize| (2.0 * i as f64 + 1.0 - n as f64) / (2.0 * n as f64);
            let center = |i: usize| flushed([center[k] + edges[k] * place(i)])[0];
            (0..n).map(center).collect()
        }))
    }

    /// Clears `sides` and reserves memory for the sides of all points of the grid.
    ///
    /// # Errors
    /// When there is not enough memory for them and for the classification.
    pub fn reserve(&self, sides: &mut Vec<Side>) -> Result<()> {
        /// The bytes of memory that classification needs for each column of points: one index, the
        /// end of the column's events (crossings of the surface) in the list of all events.
        const COLUMN: usize = size_of::<usize>();
        /// The bytes of scratch memory that classification needs for each point of a slab.
        const POINT: usize = 150;
        sides.clear();
        let points = self.len();
        if sides.capacity() >= points {
            return Ok(());
        }
        let columns = self.axes[1].len() * self.axes[2].len();
        let work = (columns.saturating_mul(COLUMN)).max(points.min(SLAB) * POINT);
        let bytes = points.saturating_add(work);
        // The whole is reserved at once and released: parts of it may fit where the whole does not.
        memory::check(Argument::Points, points, bytes)?;
        memory::reserve_exact(sides, points, Argument::Points)
    }

    /// Classifies all points of the grid, slab by slab. `classify` writes the sides of the points
    /// of a slab and returns the bound on the error of their winding numbers and the confidence in
    /// their sides. Returns the largest error bound and the least confidence of all slabs.
    fn by_slabs(
        &self,
        sides: &mut Vec<Side>,
        mut classify: impl FnMut(&[[f64; 3]], &mut Vec<Side>) -> Result<[f64; 2]>,
    ) -> Result<[f64; 2]> {
        self.reserve(sides)?;
        let (mut part, mut surest) = (Vec::new(), [0.0, 1.0]);
        for slab in self.slabs(SLAB) {
            let result = classify(&slab.points(), &mut part).inspect_err(|_| sides.clear())?;
            surest = [larger(surest[0], result[0]), surest[1].min(result[1])];
            sides.extend_from_slice(&part);
        }
        Ok(surest)
    }

    /// Classifies all points of the grid with `test`, slab by slab, so that the method needs
    /// scratch memory for one slab only. Returns the largest bound on the error of winding numbers
    /// and the least confidence in a side.
    pub(super) fn classified_by(
        &self,
        test: &mut impl InsideTest,
        sides: &mut Vec<Side>,
    ) -> Result<[f64; 2]> {
        self.by_slabs(sides, |points, part| {
            test.classify(points, part)?;
            Ok([test.bound(), test.confidence()])
        })
    }

    /// The coordinates of the regular grid along x, y and z.
    pub fn axes(&self) -> &[Vec<f64>; 3] {
        &self.axes
    }

    /// The number of points of the regular grid.
    pub fn len(&self) -> usize {
        self.axes.iter().map(Vec::len).product()
    }

    /// Whether the regular grid has no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The point of the regular grid with the given index, where x runs fastest, then y, then z.
    /// Panics if the index is out of range.
    #[inline]
    pub fn point(&self, index: usize) -> [f64; 3] {
        let [x, y, z] = &self.axes;
        let row = index / x.len();
        [x[index % x.len()], y[row % y.len()], z[row / y.len()]]
    }

    /// The regular grid in consecutive slabs of at most `most` points: some layers along z or, if a
    /// layer has more points than that, some rows of a layer. A slab has at least one row.
    pub fn slabs(&self, most: usize) -> impl Iterator<Item = Grid> {
        let [x, y, z] = &self.axes;
        let rows = (most / x.len().max(1)).max(1);
        let layers = (rows / y.len().max(1)).max(1);
        z.chunks(layers).flat_map(move |z| {
            y.chunks(rows).map(move |y| Grid {
                axes: [x.clone(), y.to_vec(), z.to_vec()],
            })
        })
    }

    /// All points of the regular grid. If a grid has more points than memory can hold,
    /// [`Grid::slabs`] gives parts of it.
    pub fn points(&self) -> Vec<[f64; 3]> {
        self.listed(Vec::new())
    }

    /// All points of the regular grid, as a vector that reuses the memory of `points`.
    pub(super) fn listed(&self, mut points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
        points.clear();
        points.resize(self.len(), [0.0; 3]);
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
    use crate::error::Count;
    use crate::inside::{Inside, InsideSettings, Method};

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
            (0, &[3; 10][..]),
            (5, &[3; 10]),
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
    fn cells_of_a_box_may_differ_along_its_edges() {
        let bounds = Aabb {
            min: [0.0, 10.0, -1.0],
            max: [6.0, 12.0, -1.0],
        };
        let grid = Grid::over(&bounds, [3, 2, 1]).unwrap();
        let axes = [vec![1.0, 3.0, 5.0], vec![10.5, 11.5], vec![-1.0]];
        assert_eq!(grid.axes(), &axes);
        let error = Grid::over(&bounds, [3, 2, 2]).unwrap_err().to_string();
        assert!(error.contains("2 cells along z, expected 1"), "{error}");
        assert!(Grid::over(&bounds, [3, 0, 1]).is_err());
        // For a cube it equals `around`.
        let cube = Aabb {
            min: [0.1; 3],
            max: [0.7; 3],
        };
        assert_eq!(Grid::over(&cube, [7; 3]), Grid::around(&cube, 7));
    }

    #[test]
    fn sides_of_slabs_are_joined() {
        let axis: Vec<f64> = (0..130).map(f64::from).collect();
        let grid = Grid::new([axis.clone(), axis.clone(), axis]).unwrap();
        let mut sides = vec![Side::Inside];
        let mut slabs = 0;
        let surest = grid.by_slabs(&mut sides, |points, part| {
            slabs += 1;
            part.clear();
            part.extend(points.iter().map(|p| match p[2] < 100.0 {
                true => Side::Inside,
                false => Side::Outside,
            }));
            Ok([f64::from(slabs), 1.0 / f64::from(slabs)])
        });
        assert_eq!((surest, slabs), (Ok([2.0, 0.5]), 2));
        let inside = sides.iter().position(|&side| side == Side::Outside);
        assert_eq!((inside, sides.len()), (Some(100 * 130 * 130), grid.len()));
        let failed = grid.by_slabs(&mut sides, |_, _| Err(Error::Stopped));
        assert!(failed.is_err() && sides.is_empty());
    }

    /// A grid too large for any memory is rejected before anything is computed.
    #[test]
    fn sides_without_memory_are_refused() {
        let axis: Vec<f64> = (0..Grid::AXIS_MAX).map(|i| i as f64).collect();
        let grid = Grid::new([axis.clone(), axis.clone(), axis]).unwrap();
        let error = grid.reserve(&mut Vec::new()).unwrap_err();
        let count = Count::Exactly(1 << 60);
        assert!(
            matches!(error, Error::Memory { count: found, .. } if found == count),
            "{error}"
        );
        let mesh = crate::generate::sphere(1).unwrap();
        for method in Method::ALL {
            let mut test = Inside::new(InsideSettings::default().with_method(method)).unwrap();
            test.update(&mesh).unwrap();
            let mut sides = vec![Side::Inside];
            assert_eq!(
                test.classify_grid(&grid, &mut sides).unwrap_err(),
                error,
                "{method}"
            );
            assert!(sides.is_empty());
        }
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
