//! Arguments that are single numbers. Python knows which argument is wrong, but
//! not why; these errors say both.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::errors::refused;

/// An integer in a range. Everything with `__index__` is one, floats are not.
pub fn integer(value: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<u64>) -> PyResult<u64> {
    let py = value.py();
    let index = py
        .import("operator")?
        .call_method1("index", (value,))
        .map_err(|_| type_error(value, name, "an integer"))?;
    match index.extract::<u64>() {
        Ok(n) if range.contains(&n) => Ok(n),
        // Negative or wider than 64 bits.
        _ => Err(refused(
            name,
            index.repr()?,
            format_args!("an integer from {} to {}", range.start(), range.end()),
        )),
    }
}

/// A number as float64, finite or not.
pub fn number(value: &Bound<'_, PyAny>, name: &str) -> PyResult<f64> {
    value.extract().map_err(|e: PyErr| {
        if e.is_instance_of::<PyOverflowError>(value.py()) {
            refused(name, "an integer of more than 1023 bits", "a float64")
        } else {
            type_error(value, name, "a number")
        }
    })
}

/// A word.
pub fn word(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    value
        .extract()
        .map_err(|_| type_error(value, name, "a str"))
}

/// The path of a file, from a `str` or whatever has `__fspath__`.
pub fn path(value: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    value.extract().map_err(|e: PyErr| {
        if e.is_instance_of::<PyTypeError>(value.py()) {
            type_error(value, "path", "a str or os.PathLike")
        } else {
            e
        }
    })
}

/// A `TypeError` that names argument, type and what was expected.
pub fn type_error(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyErr {
    let found = value
        .get_type()
        .name()
        .map_or_else(|_| "an unknown type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name}: found {found}, expected {expected}"))
}
