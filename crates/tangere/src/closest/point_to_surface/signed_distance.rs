//! Signed distances of many points to a triangle mesh, and of the points of a grid.
//!
//! The distance is that of the nearest point of any triangle, those inside the solid included where
//! shells cross. It is negative where [`inside`](crate::inside) finds the point inside. Distances to
//! a mesh that is not closed and oriented have no sign.
//!
//! Cost: that of nearest points. Along a row of a grid each search starts where the last one ended.

use super::MeshSurface;
use super::surface_sign::SurfaceSign;
use crate::error::{Argument, Result};
use crate::inside::Grid;
use crate::memory;
use crate::simd::{Kernel, Vector, run_widest};
use crate::stop::Current;
use rayon::prelude::*;

/// The number of points whose nearest points are in memory at a time.
const PART: usize = 1 << 18;

/// The number of consecutive grid points in a parallel task.
const CHUNK: usize = 1024;

impl MeshSurface {
    /// The signed distances of many points, on all threads: negative inside, positive outside, 0 on
    /// the surface and nowhere else: where the distance of another point rounds to 0, it is 1.5e-154.
    /// They equal [`SurfacePoint::gap`](super::SurfacePoint::gap). Without a sign
    /// ([`MeshSurface::is_signed`]) they are distances, 0 or more.
    ///
    /// ```
    /// use tangere::closest::MeshSurface;
    /// use tangere::generate;
    ///
    /// let surface = MeshSurface::new(&generate::sponge(0)?);
    /// let mut distances = Vec::new();
    /// surface.signed_distances(&[[0.5, 0.5, 3.0], [0.5, 0.5, 0.75]], &mut distances)?;
    /// assert_eq!(distances, [2.0, -0.25]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`MeshSurface::closest_all`]. `distances` is then empty.
    pub fn signed_distances(&self, points: &[[f64; 3]], distances: &mut Vec<f64>) -> Result<()> {
        distances.clear();
        crate::geometry::check_points(Argument::Point, points)?;
        memory::reserve_exact(distances, points.len(), Argument::Points)?;
        let mut found = Vec::new();
        for part in points.chunks(PART) {
            self.closest_all(part, &mut found)
                .inspect_err(|_| distances.clear())?;
            let is_signed = self.is_signed();
            let distance = |p: &super::SurfacePoint| if is_signed { p.gap } else { p.distance };
            distances.extend(found.iter().map(distance));
        }
        Ok(())
    }

    /// The signed distances of the points of a grid, x fastest, on all threads. They equal those of
    /// [`MeshSurface::signed_distances`] for [`Grid::points`].
    ///
    /// ```
    /// use tangere::closest::MeshSurface;
    /// use tangere::{generate, inside::Grid};
    ///
    /// let cube = generate::sponge(0)?;
    /// let mut distances = Vec::new();
    /// let grid = Grid::around(&cube.bounds(), 2)?;
    /// MeshSurface::new(&cube).signed_distance_grid(&grid, &mut distances)?;
    /// assert_eq!(distances, [-0.25; 8]);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// When there is no memory for the distances, or the query is cancelled by a
    /// [`Stop`](crate::stop::Stop). `distances` is then empty.
    pub fn signed_distance_grid(&self, grid: &Grid, distances: &mut Vec<f64>) -> Result<()> {
        distances.clear();
        memory::reserve_exact(distances, grid.len(), Argument::Points)?;
        distances.resize(grid.len(), 0.0);
        let sign = self.sign();
        let stop = Current::new();
        distances
            .par_chunks_mut(CHUNK)
            .enumerate()
            .filter(|_| !stop.is_requested())
            .for_each(|(n, distances)| {
                run_widest(GridDistances {
                    surface: self,
                    sign,
                    grid,
                    start: n * CHUNK,
                    distances,
                });
            });
        stop.checked().inspect_err(|_| distances.clear())
    }
}

/// The kernel that computes the signed distances of consecutive points of a grid, from the one with
/// index `start`.
struct GridDistances<'a> {
    surface: &'a MeshSurface,
    sign: Option<&'a SurfaceSign>,
    grid: &'a Grid,
    start: usize,
    distances: &'a mut [f64],
}

impl Kernel for GridDistances<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let mut search = self.surface.search();
        let mut first = 0;
        for (i, distance) in self.distances.iter_mut().enumerate() {
            let point = self.grid.point(self.start + i);
            let Some(found) = search.find::<V>(point, first) else {
                continue;
            };
            first = found.packet;
            let answer = self.surface.answer(self.sign, point, &found);
            *distance = match self.sign {
                Some(_) => answer.gap,
                None => answer.distance,
            };
        }
    }
}
