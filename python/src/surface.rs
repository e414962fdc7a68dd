//! Points and surfaces: nearest points, and faces within a distance.
//!
//! What a surface needs to answer is made when it is first asked and then kept with the mesh.

use std::sync::{Arc, OnceLock};

use numpy::PyArray1;
use pyo3::prelude::*;
use tangere::closest::{FaceSurface, MeshSurface, SurfacePoint};
use tangere::parallel::Rows;
use tangere_front::answer::Table;
use tangere_front::answers::closest::{PROJECTION, SURFACE_POINT};

use crate::arguments::{integer, number};
use crate::arrays::from_numbers;
use crate::errors::{What, of_limited};
use crate::record::structured;
use crate::run::run;

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;
/// Offsets and faces.
pub type Near<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>);

/// A surface that can be asked.
pub trait Surface: Send + Sync + Sized + 'static {
    /// What it is made of.
    type Shape: Send + Sync + 'static;
    fn of(shape: &Self::Shape) -> Self;
    fn closest(&self, points: &[[f64; 3]], found: &mut Vec<SurfacePoint>) -> tangere::Result<()>;
    /// Faces within a distance, at most so many in all.
    fn within(
        &self,
        points: &[[f64; 3]],
        reach: (f64, usize),
        found: &mut Rows<u32>,
    ) -> tangere::Result<()>;
}

impl Surface for MeshSurface {
    type Shape = tangere::shape::TriMesh;

    fn of(shape: &Self::Shape) -> Self {
        Self::new(shape)
    }

    fn closest(&self, points: &[[f64; 3]], found: &mut Vec<SurfacePoint>) -> tangere::Result<()> {
        self.closest_all(points, found)
    }

    fn within(
        &self,
        points: &[[f64; 3]],
        (h, most): (f64, usize),
        found: &mut Rows<u32>,
    ) -> tangere::Result<()> {
        self.within_at_most(points, h, most, found)
    }
}

impl Surface for FaceSurface {
    type Shape = tangere::shape::FaceMesh;

    fn of(shape: &Self::Shape) -> Self {
        Self::new(shape)
    }

    fn closest(&self, points: &[[f64; 3]], found: &mut Vec<SurfacePoint>) -> tangere::Result<()> {
        self.closest_all(points, found)
    }

    fn within(
        &self,
        points: &[[f64; 3]],
        (h, most): (f64, usize),
        found: &mut Rows<u32>,
    ) -> tangere::Result<()> {
        self.within_at_most(points, h, most, found)
    }
}

/// A surface, made when it is first needed.
pub struct Prepared<S>(OnceLock<Arc<S>>);

impl<S> Default for Prepared<S> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

fn named(error: tangere::Error) -> PyErr {
    of_limited(error, &[(What::Point, "points"), (What::Distance, "h")])
}

impl<S: Surface> Prepared<S> {
    /// The surface. Not made inside the lock: a thread of the pool that waits for parts of one
    /// may take up another of the same mesh.
    fn surface(
        &self,
        py: Python<'_>,
        shape: Arc<S::Shape>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Arc<S>> {
        if let Some(surface) = self.0.get() {
            return Ok(surface.clone());
        }
        let made = Arc::new(run(py, threads, move || S::of(&shape))?);
        Ok(self.0.get_or_init(|| made).clone())
    }

    /// Rows of the nearest points.
    pub fn closest<'py>(
        &self,
        py: Python<'py>,
        shape: Arc<S::Shape>,
        points: Vec<[f64; 3]>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let surface = self.surface(py, shape, threads)?;
        let rows = run(py, threads, move || {
            let mut found = Vec::new();
            surface.closest(&points, &mut found)?;
            Ok(Table::new(SURFACE_POINT, &found).packed())
        })?;
        structured(py, rows.map_err(named)?)
    }

    /// All faces within a distance of each point.
    pub fn within<'py>(
        &self,
        py: Python<'py>,
        shape: Arc<S::Shape>,
        points: Vec<[f64; 3]>,
        h: &Bound<'py, PyAny>,
        [max_pairs, threads]: [Argument<'_, 'py>; 2],
    ) -> PyResult<Near<'py>> {
        let h = number(h, "h")?;
        let most = max_pairs.map(|most| integer(most, "max_pairs", 0..=u64::MAX));
        let most = most.transpose()?.unwrap_or(u64::MAX);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let surface = self.surface(py, shape, threads)?;
        let near = run(py, threads, move || {
            let mut found = Rows::default();
            surface.within(&points, (h, most), &mut found)?;
            let (offsets, faces) = found.into_parts();
            let offsets: Vec<i64> = offsets.into_iter().map(|end| end as i64).collect();
            Ok((offsets, faces))
        })?;
        let (offsets, faces) = near.map_err(named)?;
        Ok((from_numbers(py, offsets), from_numbers(py, faces)))
    }
}

impl Prepared<FaceSurface> {
    /// Rows of all that is known of the nearest points.
    pub fn project<'py>(
        &self,
        py: Python<'py>,
        shape: Arc<tangere::shape::FaceMesh>,
        points: Vec<[f64; 3]>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let surface = self.surface(py, shape, threads)?;
        let rows = run(py, threads, move || {
            let mut found = Vec::new();
            surface.project_all(&points, &mut found)?;
            Ok(Table::new(PROJECTION, &found).packed())
        })?;
        structured(py, rows.map_err(named)?)
    }
}
