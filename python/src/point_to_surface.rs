//! Nearest points on surfaces, and faces within a distance of points.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use tangere::parallel;
use tangere_front::answer::{Column, Table};

use crate::arguments::{self, Argument, number, optional};
use crate::arrays::{Rows, from_rows};
use crate::errors::{What, of_limited};
use crate::record::structured;
use crate::run::run;

/// Search structure that is built at first use, and then stored.
pub struct Prepared<S>(OnceLock<S>);

impl<S> Default for Prepared<S> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<S: Clone + Send + 'static> Prepared<S> {
    /// Returns the structure. At first use `make` builds it, outside of the lock that initialises
    /// the `OnceLock`. Inside that lock a deadlock would be possible: a pool thread that waits for
    /// a part of its build may start the build of another call for the same structure, and then
    /// wait for the lock that it holds itself.
    pub fn get<T: Send + Sync + 'static>(
        &self,
        py: Python<'_>,
        threads: Argument<'_, '_>,
        shape: &Arc<T>,
        make: impl FnOnce(&T) -> S + Send + 'static,
    ) -> PyResult<S> {
        self.get_or(|| {
            let shape = shape.clone();
            run(py, threads, move || make(&shape))
        })
    }

    /// Returns the structure as [`Prepared::get`] does, built by a function that may fail.
    pub fn get_or(&self, make: impl FnOnce() -> PyResult<S>) -> PyResult<S> {
        if let Some(made) = self.0.get() {
            return Ok(made.clone());
        }
        let made = make()?;
        Ok(self.0.get_or_init(|| made).clone())
    }
}

fn named(error: tangere::Error) -> PyErr {
    of_limited(error, &[(What::Point, "points"), (What::Distance, "h")])
}

/// Returns a structured array of the rows that `find` computes, one for each query: a point, or a
/// pose of a surface.
pub fn rows<'py, T: Send + Sync + 'static>(
    py: Python<'py>,
    threads: Argument<'_, 'py>,
    columns: &'static [Column<T>],
    find: impl FnOnce(&mut Vec<T>) -> tangere::Result<()> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = run(py, threads, move || {
        let mut found = Vec::new();
        find(&mut found)?;
        Table::new(columns, &found).packed()
    })?;
    structured(py, rows.map_err(named)?)
}

/// Finds the faces within the distance `h` of each point. More than `max_pairs` pairs of a point
/// and a face are an error.
pub fn near<'py>(
    py: Python<'py>,
    threads: Argument<'_, 'py>,
    h: &Bound<'py, PyAny>,
    max_pairs: Argument<'_, 'py>,
    find: impl FnOnce(f64, usize, &mut parallel::Rows<u32>) -> tangere::Result<()> + Send + 'static,
) -> PyResult<Rows<'py>> {
    let h = number(h, "h")?;
    let most = optional(max_pairs, "max_pairs", arguments::most)?.unwrap_or(usize::MAX);
    let near = run(py, threads, move || {
        let mut found = parallel::Rows::default();
        find(h, most, &mut found).map(|()| found.into_parts())
    })?;
    Ok(from_rows(py, near.map_err(named)?))
}
