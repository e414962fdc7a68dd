//! Errors of the library as exceptions of Python: what is wrong with a value is
//! a `ValueError`, what the system refuses an `OSError` of the fitting subclass.

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// A `ValueError` with the library's own message.
pub fn value_error(error: tangere::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A `ValueError` that names the argument before the library's message.
pub fn argument_error(name: &str, error: tangere::Error) -> PyErr {
    PyValueError::new_err(format!("{name}: {error}"))
}

/// A `ValueError` in the library's form.
pub fn refused(
    name: &str,
    found: impl std::fmt::Display,
    expected: impl std::fmt::Display,
) -> PyErr {
    PyValueError::new_err(format!("{name}: found {found}, expected {expected}"))
}

/// An `OSError` where the system refused a file, otherwise a `ValueError`.
pub fn file_error(error: tangere_io::Error) -> PyErr {
    match &error {
        tangere_io::Error::File { path, source } => match source.raw_os_error() {
            // From a number Python chooses the subclass: FileNotFoundError and so on.
            Some(number) => {
                PyOSError::new_err((number, source.to_string(), path.display().to_string()))
            }
            None if source.kind() == std::io::ErrorKind::InvalidInput => {
                PyValueError::new_err(error.to_string())
            }
            None => std::io::Error::new(source.kind(), error.to_string()).into(),
        },
        tangere_io::Error::Folder { .. } => {
            std::io::Error::new(std::io::ErrorKind::NotFound, error.to_string()).into()
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}
