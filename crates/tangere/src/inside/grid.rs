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
    spacing: [f64; 3],
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
        let spacing = axes.each_ref().map(|axis| match axis[..] {
            [first, .., last] => (last - first) / (axis.len() - 1) as f64,
            _ => 0.0,
        });
        Ok(Self {
            axes,
            spacing: thick(spacing),
        })
    }

    /// The grid of points at the centres of the `n * n * n` equal cells of a cube. The cube has the
    /// centre of the box `bounds`, and the longest side of the box as its edge. Coordinate `i`
    /// along an axis is `center + edge * ((2 i + 1 - n) / (2 n))`, computed in this order.
    ///
    /// # Errors
    /// When `n` is 0 or more than [`Grid::AXIS_MAX`].
    pub fn around(bounds: &Aabb<3>, n: usize) -> Result<Self> {
        let edge = bounds.extent().into_iter().fold(0.0, f64::max);
        let spacing = [edge / n as f64; 3];
        Self::centers(bounds.center(), [edge; 3], [n; 3], spacing)
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
        let spacing = std::array::from_fn(|k| edges[k] / cells[k] as f64);
        Self::centers(bounds.center(), edges, cells, spacing)
    }

    /// The grid of points at the centres of cubic cells with edges of length `spacing`: the fewest
    /// that cover a box and have its centre, along a flat axis one.
    ///
    /// ```
    /// use tangere::{generate, inside::Grid};
    ///
    /// let grid = Grid::spaced(&generate::sphere(0)?.bounds(), 0.75)?;
    /// assert_eq!(grid.axes()[0], [-0.75, 0.0, 0.75]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the spacing is not from 4.9e-91 to 1.6e60, or so short that there are more than
    /// [`Grid::AXIS_MAX`] cells along an axis.
    pub fn spaced(bounds: &Aabb<3>, spacing: f64) -> Result<Self> {
        if !(is_valid_coordinate(spacing) && spacing > 0.0) {
            let found = crate::error::number(spacing);
            let expected = "a length from 4.9e-91 to 1.6e60";
            return Err(Error::argument(Argument::Spacing, found, expected));
        }
        let counts = bounds.extent().map(|extent| (extent / spacing).ceil());
        if let Some(count) = counts.into_iter().find(|&n| n > Self::AXIS_MAX as f64) {
            let found = format!("{spacing:e}, which is {count:e} cells along an edge");
            let longest = bounds.extent().into_iter().fold(0.0, f64::max);
            let least = crate::error::number(longest / Self::AXIS_MAX as f64);
            let expected = format!("at least {least}, for at most {} cells", Self::AXIS_MAX);
            return Err(Error::argument(Argument::Spacing, found, expected));
        }
        let cells = counts.map(|count| (count as usize).max(1));
        let edges = cells.map(|n| n as f64 * spacing);
        Self::centers(bounds.center(), edges, cells, [spacing; 3])
    }

    /// The grid with `margin` more cells on every side, of the size of the others
    /// ([`Grid::spacing`]). The other points stay where they are, bit for bit.
    ///
    /// ```
    /// use tangere::{generate, inside::Grid};
    ///
    /// let grid = Grid::around(&generate::sphere(0)?.bounds(), 2)?.with_margin(1)?;
    /// assert_eq!(grid.axes()[2], [-1.5, -0.5, 0.5, 1.5]);
    /// assert_eq!((grid.origin(), grid.spacing()), ([-2.0; 3], [1.0; 3]));
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Grid::new`], for the coordinates with the margin.
    pub fn with_margin(&self, margin: usize) -> Result<Self> {
        self.extended(margin, self.spacing)
    }

    /// The grid with `margin` more points at both ends of each axis, `spacing[k]` apart along axis
    /// `k`. The other points stay where they are, bit for bit.
    ///
    /// ```
    /// use tangere::{generate, inside::Grid};
    ///
    /// let grid = Grid::around(&generate::sphere(0)?.bounds(), 2)?.extended(1, [1.0; 3])?;
    /// assert_eq!(grid.axes()[2], [-1.5, -0.5, 0.5, 1.5]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Grid::new`], for the coordinates with the margin.
    pub fn extended(&self, margin: usize, spacing: [f64; 3]) -> Result<Self> {
        let longest = self.axes.iter().map(Vec::len).max().unwrap_or(0);
        let count = margin.saturating_mul(2).saturating_add(longest);
        if count > Self::AXIS_MAX {
            return Err(Error::too_many(Argument::Margin, count, Self::AXIS_MAX));
        }
        let extended = Self::new(std::array::from_fn(|k| {
            let axis = &self.axes[k];
            let (Some(&first), Some(&last)) = (axis.first(), axis.last()) else {
                return Vec::new();
            };
            let beyond =
                |end: f64, i: usize, sign: f64| flushed([end + sign * spacing[k] * i as f64])[0];
            let before = (1..=margin).rev().map(|i| beyond(first, i, -1.0));
            let after = (1..=margin).map(|i| beyond(last, i, 1.0));
            before.chain(axis.iter().copied()).chain(after).collect()
        }))?;
        Ok(Self {
            spacing: thick(spacing),
            ..extended
        })
    }

    /// The grid of points at the centres of equal cells of the box with the given centre and edges.
    fn centers(
        center: [f64; 3],
        edges: [f64; 3],
        cells: [usize; 3],
        spacing: [f64; 3],
    ) -> Result<Self> {
        if let Some(n) = cells
            .into_iter()
            .find(|n| !(1..=Self::AXIS_MAX).contains(n))
        {
            let expected = format!("1 to {} cells along an edge", Self::AXIS_MAX);
            return Err(Error::argument(Argument::Grid, n, expected));
        }
        let grid = Self::new(std::array::from_fn(|k| {
            let n = cells[k];
            let place = |i: usize| (2.0 * i as f64 + 1.0 - n as f64) / (2.0 * n as f64);
            let center = |i: usize| flushed([center[k] + edges[k] * place(i)])[0];
            (0..n).map(center).collect()
        }))?;
        Ok(Self {
            spacing: thick(spacing),
            ..grid
        })
    }

    /// The edge lengths of a cell; the points are the centres of the cells. Along an axis with
    /// cells of length 0, as that of a flat box, it is the longest other edge of the cell. A grid
    /// from lists of coordinates has their mean distances.
    pub fn spacing(&self) -> [f64; 3] {
        self.spacing
    }

    /// The lower corner of the first cell, half a [`Grid::spacing`] below the first point; that
    /// of an empty grid is not a number.
    pub fn origin(&self) -> [f64; 3] {
        let first = |k: usize| self.axes[k].first().copied().unwrap_or(f64::NAN);
        std::array::from_fn(|k| first(k) - 0.5 * self.spacing[k])
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
                spacing: self.spacing,
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

/// The edges of a cell with those of length 0 replaced by the longest.
fn thick(edges: [f64; 3]) -> [f64; 3] {
    let longest = edges.into_iter().fold(0.0, f64::max);
    edges.map(|edge| if edge > 0.0 { edge } else { longest })
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
    fn grids_know_their_cells() {
        let bounds = Aabb {
            min: [0.0, 0.0, 1.0],
            max: [6.0, 2.0, 1.0],
        };
        let cube = Grid::around(&bounds, 3).unwrap();
        assert_eq!(
            (cube.origin(), cube.spacing()),
            ([0.0, -2.0, -2.0], [2.0; 3])
        );
        // Cells of a flat box are as thick as their longest edge.
        let flat = Grid::over(&bounds, [3, 4, 1]).unwrap();
        assert_eq!(flat.spacing(), [2.0, 0.5, 2.0]);
        assert_eq!(flat.origin(), [0.0; 3]);
        let wide = flat.with_margin(2).unwrap();
        assert_eq!(wide.spacing(), flat.spacing());
        assert_eq!(wide.origin(), [-4.0, -1.0, -4.0]);
        assert_eq!(wide.slabs(1).next().unwrap().spacing(), flat.spacing());
        for (inner, outer) in flat.axes().iter().zip(wide.axes()) {
            assert_eq!(inner[..], outer[2..outer.len() - 2]);
        }
        let spaced = Grid::spaced(&bounds, 0.7).unwrap();
        assert_eq!(spaced.spacing(), [0.7; 3]);
        let axes = [vec![0.0, 1.0, 4.0], vec![5.0], vec![]];
        let listed = Grid::new(axes).unwrap();
        assert_eq!(listed.spacing(), [2.0; 3]);
        assert!(listed.origin()[2].is_nan());
        for (spacing, words) in [
            (
                1e-300,
                "found 1e-300, expected a length from 4.9e-91 to 1.6e60",
            ),
            (1e300, "expected a length from 4.9e-91 to 1.6e60"),
            (f64::NAN, "found NaN, expected a length from"),
            (
                1e-9,
                "expected at least 5.7220458984375e-6, for at most 1048576",
            ),
        ] {
            let error = Grid::spaced(&bounds, spacing).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
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
    fn cubic_cells_cover_the_box() {
        let bounds = Aabb {
            min: [0.0, 10.0, 1.0],
            max: [6.0, 11.0, 1.0],
        };
        let grid = Grid::spaced(&bounds, 2.0).unwrap();
        assert_eq!(grid.axes(), &[vec![1.0, 3.0, 5.0], vec![10.5], vec![1.0]]);
        let wide = grid.extended(1, [2.0; 3]).unwrap();
        let [x, y, z] = wide.axes();
        assert_eq!(x, &[-1.0, 1.0, 3.0, 5.0, 7.0]);
        assert_eq!((y, z), (&vec![8.5, 10.5, 12.5], &vec![-1.0, 1.0, 3.0]));
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-90] {
            let error = Grid::spaced(&bounds, bad).unwrap_err().to_string();
            assert!(error.starts_with("spacing: found "), "{error}");
        }
        assert!(grid.extended(Grid::AXIS_MAX / 2, [1.0; 3]).is_err());
        assert!(grid.extended(usize::MAX, [1.0; 3]).is_err());
        assert!(grid.extended(4, [1e60; 3]).is_err());
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
