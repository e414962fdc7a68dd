//! Errors of the library as Python exceptions: an invalid value is a `ValueError`, running out of
//! memory a `MemoryError`, an error of the operating system an `OSError` of the fitting subclass.
//!
//! The library names `vertex 3` or a `weld tolerance`, which the Python caller knows as
//! `vertices[3]` and `tolerance`. Each call passes the translation of these names.

use std::io::ErrorKind;
use std::path::PathBuf;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use tangere_io::Cause;

/// The argument or item of the library that an error is about. It is renamed because `Argument` is
/// an argument of Python in this crate.
pub use tangere::Argument as What;

/// Converts an error of the library to a `ValueError`, or to a `MemoryError` if memory ran out.
/// `name` maps an argument of the library, or an item by its index, to its name in Python.
pub fn named(error: tangere::Error, name: impl FnOnce(What, Option<usize>) -> String) -> PyErr {
    match error {
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => refused(&name(what, Some(index)), found, expected),
        tangere::Error::Argument {
            what,
            found,
            expected,
        } => refused(&name(what, None), found, expected),
        tangere::Error::TooMany { what, found, most } => {
            refused(&name(what, None), found, format_args!("at most {most}"))
        }
        tangere::Error::Surface {
            what,
            found,
            expected,
            report,
        } => {
            let hint = match report.boundary_edges {
                0 => String::new(),
                n => format!("; it has {n} boundary edges, and Mesh.fill_holes closes small holes"),
            };
            refused(&name(what, None), found, format_args!("{expected}{hint}"))
        }
        tangere::Error::Memory {
            what: What::Pairs, ..
        } => PyMemoryError::new_err(format!("{error}; set the limit with max_pairs")),
        tangere::Error::Memory {
            what: What::ExpansionCoefficients,
            ..
        } => PyMemoryError::new_err(format!("{error}; lower degree or depth")),
        tangere::Error::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// Converts an error of the library as [`named`] does. `arrays` maps items and arguments of the
/// library to names in Python, such as `(What::Vertex, "vertices")`; all others keep their names.
pub fn of_arrays(error: tangere::Error, arrays: &[(What, &str)]) -> PyErr {
    named(error, |what, index| {
        let array = arrays.iter().find(|(item, _)| *item == what);
        match (array, index) {
            (Some((_, array)), Some(index)) => format!("{array}[{index}]"),
            (Some((_, array)), None) => (*array).to_owned(),
            (None, Some(index)) => format!("{what} {index}"),
            (None, None) => what.name().to_owned(),
        }
    })
}

/// Converts an error of the library as [`named`] does; arguments keep their names.
pub fn value_error(error: tangere::Error) -> PyErr {
    of_arrays(error, &[])
}

/// Converts an error as [`of_arrays`] does. If memory ran out, then the message suggests the
/// argument `max_pairs`.
pub fn of_limited(error: tangere::Error, arrays: &[(What, &str)]) -> PyErr {
    match error {
        tangere::Error::Memory { .. } => {
            PyMemoryError::new_err(format!("{error}; limit with max_pairs"))
        }
        other => of_arrays(other, arrays),
    }
}

/// Returns a `ValueError` in the library's form: name, found, expected.
pub fn refused(
    name: &str,
    found: impl std::fmt::Display,
    expected: impl std::fmt::Display,
) -> PyErr {
    PyValueError::new_err(format!("{name}: found {found}, expected {expected}"))
}

/// Returns an `OSError` if the operating system failed, a `MemoryError` if memory ran out,
/// otherwise a `ValueError`.
pub fn file_error(py: Python<'_>, error: tangere_io::Error) -> PyErr {
    let text = error.to_string();
    match error {
        tangere_io::Error::File { path, source } => {
            system_error(py, path, &source).unwrap_or_else(|e| e)
        }
        tangere_io::Error::Folder { path, .. } => {
            system_error(py, path, &ErrorKind::NotFound.into()).unwrap_or_else(|e| e)
        }
        error if error.is_out_of_memory() => PyMemoryError::new_err(text),
        tangere_io::Error::Scene { source, .. } => match *source {
            Cause::File(error) if is_of_system(&error) => file_error(py, error),
            _ => PyValueError::new_err(text),
        },
        _ => PyValueError::new_err(text),
    }
}

/// Whether an error comes from the operating system.
fn is_of_system(error: &tangere_io::Error) -> bool {
    use tangere_io::Error::{File, Folder};
    matches!(error, File { .. } | Folder { .. })
}

/// Returns the exception that Python itself raises for a path: `errno`, `strerror` and `filename`
/// are set, and `errno` selects the subclass, FileNotFoundError and so on.
fn system_error(py: Python<'_>, path: PathBuf, source: &std::io::Error) -> PyResult<PyErr> {
    let path_name = path.clone().into_os_string();
    if let Some(number) = source.raw_os_error() {
        let text = source.to_string();
        let suffix = format!(" (os error {number})");
        let text = text.strip_suffix(&suffix).unwrap_or(&text).to_owned();
        return Ok(if cfg!(windows) {
            // Windows error codes are not those of errno; Python translates them.
            PyOSError::new_err((0, text, path_name, number))
        } else {
            PyOSError::new_err((number, text, path_name))
        });
    }
    // Errors without an OS code are the library's, or concern the temporary file beside the target,
    // whose name does not matter to users: their kind suffices.
    let name = match source.kind() {
        ErrorKind::InvalidInput | ErrorKind::InvalidData => {
            let message = format!("{}: {source}", path.display());
            return Ok(PyValueError::new_err(message));
        }
        ErrorKind::OutOfMemory => return Ok(PyMemoryError::new_err(())),
        ErrorKind::NotFound => "ENOENT",
        ErrorKind::PermissionDenied => "EACCES",
        ErrorKind::AlreadyExists => "EEXIST",
        ErrorKind::NotADirectory => "ENOTDIR",
        ErrorKind::IsADirectory => "EISDIR",
        ErrorKind::ReadOnlyFilesystem => "EROFS",
        ErrorKind::StorageFull => "ENOSPC",
        ErrorKind::QuotaExceeded => "EDQUOT",
        ErrorKind::FileTooLarge => "EFBIG",
        ErrorKind::InvalidFilename => "ENAMETOOLONG",
        ErrorKind::BrokenPipe => "EPIPE",
        ErrorKind::Interrupted => "EINTR",
        ErrorKind::TimedOut => "ETIMEDOUT",
        _ => "EIO",
    };
    let number = py.import("errno")?.getattr(name)?;
    let text = py.import("os")?.call_method1("strerror", (&number,))?;
    Ok(PyOSError::new_err((
        number.unbind(),
        text.unbind(),
        path_name,
    )))
}
