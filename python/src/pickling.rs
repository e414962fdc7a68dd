//! Pickling: functions of the native module that restore pickled objects.

use pyo3::prelude::*;

/// Returns a function of the native module, with which pickles restore an object.
pub fn native<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("tangere._tangere")?.getattr(name)
}
