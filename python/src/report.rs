//! Reports on surfaces and their defects, as Python records.

use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use tangere::geometry::Aabb;
use tangere::shape::MeshReport;
use tangere_front::answer::Column;
use tangere_front::answers::report::MESH_REPORT;

use crate::arrays::from_points;
use crate::record::record_with;

/// Formats a count with its noun, singular or plural.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

/// Returns a report on a triangle mesh as a Python object of class `MeshReport`.
pub fn mesh_report<'py>(py: Python<'py>, report: &MeshReport) -> PyResult<Bound<'py, PyAny>> {
    bounded(py, "MeshReport", MESH_REPORT, report, &report.bounds)
}

/// Returns a report on a surface as a Python object of class `name`, with the attribute `bounds`:
/// the lower and the upper corner of the bounding box as the rows of an array.
pub fn bounded<'py, T>(
    py: Python<'py>,
    name: &str,
    columns: &[Column<T>],
    report: &T,
    bounds: &Aabb<3>,
) -> PyResult<Bound<'py, PyAny>> {
    let bounds = bounds_array(py, bounds)?;
    bounds.readwrite().make_nonwriteable();
    record_with(py, name, columns, report, &[("bounds", bounds.into_any())])
}

/// Returns the lower and the upper corner of a box as the rows of an array.
pub fn bounds_array<'py>(py: Python<'py>, bounds: &Aabb<3>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    from_points(py, vec![bounds.min, bounds.max])
}
