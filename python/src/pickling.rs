//! Pickling: functions of the native module that restore pickled objects, and objects that cannot
//! be pickled.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Returns a function of the native module, with which pickles restore an object.
pub fn native<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("tangere._tangere")?.getattr(name)
}

/// Returns the `TypeError` of a class that cannot be pickled, with the reason and what to do.
pub fn unpicklable<T>(class: &str, reason: &str) -> PyResult<T> {
    let message = format!("cannot pickle 'tangere.{class}' object: {reason}");
    Err(PyTypeError::new_err(message))
}

/// Returns how protocol 2 pickles an object by the arguments of its class, for older protocols too,
/// which do not know them.
pub fn reduced<'py>(object: &Bound<'py, PyAny>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
    let base = object.py().get_type::<PyAny>();
    base.call_method1("__reduce_ex__", (object, protocol.max(2)))
}
