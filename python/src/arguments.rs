//! Readers of scalar arguments: integers, floats, flags, names, paths. Errors name the argument and
//! what is wrong with it.

use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::errors::refused;

/// An argument that may be missing or None.
pub type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Reads an argument with `read`, unless it is missing or None.
pub fn optional<'py, T>(
    value: Argument<'_, 'py>,
    name: &str,
    read: impl FnOnce(&Bound<'py, PyAny>, &str) -> PyResult<T>,
) -> PyResult<Option<T>> {
    value.map(|value| read(value, name)).transpose()
}

/// An argument with a default other than None, so that None is refused like any other wrong type.
/// It is empty if the argument is missing.
#[derive(Default)]
pub struct Given<'py>(pub Option<Bound<'py, PyAny>>);

impl<'py> Given<'py> {
    /// Reads the argument with `read`; `default` if it is missing.
    pub fn or<T>(
        self,
        default: T,
        name: &str,
        read: impl FnOnce(&Bound<'py, PyAny>, &str) -> PyResult<T>,
    ) -> PyResult<T> {
        Ok(optional(self.0.as_ref(), name, read)?.unwrap_or(default))
    }
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = Infallible;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(value.to_owned())))
    }
}

/// Reads an integer of any size: everything with `__index__`, so no floats.
fn index<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    expected: &str,
) -> PyResult<Bound<'py, PyAny>> {
    value
        .py()
        .import("operator")?
        .call_method1("index", (value,))
        .map_err(|_| type_error(value, name, expected))
}

/// Reads an integer in a range.
pub fn integer(value: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<u64>) -> PyResult<u64> {
    let index = index(value, name, "an integer")?;
    match index.extract::<u64>() {
        Ok(n) if range.contains(&n) => Ok(n),
        // The integer is negative or wider than 64 bits.
        _ => Err(refused(
            name,
            index.repr()?,
            format_args!("an integer from {} to {}", range.start(), range.end()),
        )),
    }
}

/// An integer argument, such as a size, whose range the library checks.
pub struct SizeArgument<T> {
    /// The integer; the largest value of the type if it does not fit. That exceeds every limit, so
    /// the library's error states the range.
    pub value: T,
    /// The name of the argument.
    pub name: &'static str,
    /// The `repr` of the argument, for errors.
    pub found: String,
}

impl<T> SizeArgument<T> {
    /// Reads an integer argument; `value` becomes `largest` if the integer does not fit `T`.
    pub fn new<'py>(value: &Bound<'py, PyAny>, name: &'static str, largest: T) -> PyResult<Self>
    where
        T: FromPyObjectOwned<'py>,
    {
        let index = index(value, name, "an integer")?;
        Ok(Self {
            value: index.extract().unwrap_or(largest),
            name,
            found: index.repr()?.to_string(),
        })
    }
}

/// Reads the maximum length of a result; a number that does not fit `usize` means no limit.
pub fn most(value: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    let most = integer(value, name, 0..=u64::MAX)?;
    Ok(usize::try_from(most).unwrap_or(usize::MAX))
}

/// Reads a seed of random numbers.
pub fn seed(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    integer(value, name, 0..=u64::MAX)
}

/// Reads a number of dimensions, 2 or 3.
pub fn dimension(value: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    Ok(integer(value, name, 2..=3)? as usize)
}

/// Reads the argument `threads`. Returns the number of threads, from 1 to `most`; 0, which stands
/// for one thread per core, if the argument is missing or None.
pub fn threads(value: Argument<'_, '_>, most: usize) -> PyResult<usize> {
    let Some(value) = value else {
        return Ok(0);
    };
    let index = index(value, "threads", "None for all cores, or an integer")?;
    match index.extract::<usize>() {
        Ok(n) if (1..=most).contains(&n) => Ok(n),
        _ => Err(refused(
            "threads",
            index.repr()?,
            format_args!("None for all cores, or an integer from 1 to {most}"),
        )),
    }
}

/// Reads a number as float64, finite or not.
pub fn number(value: &Bound<'_, PyAny>, name: &str) -> PyResult<f64> {
    value.extract().map_err(|e: PyErr| {
        if e.is_instance_of::<PyOverflowError>(value.py()) {
            refused(name, "an integer of more than 1023 bits", "a float64")
        } else {
            type_error(value, name, "a number")
        }
    })
}

/// Reads a bool.
pub fn flag(value: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    value
        .extract()
        .map_err(|_| type_error(value, name, "a bool"))
}

/// Reads a string.
pub fn word(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    value
        .extract()
        .map_err(|_| type_error(value, name, "a str"))
}

/// Returns the item of `all` whose name is the string `value`; errors call the argument `argument`.
pub fn chosen<T: Copy>(
    value: &Bound<'_, PyAny>,
    argument: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> PyResult<T> {
    let wanted = word(value, argument)?;
    let found = all.iter().copied().find(|&one| name(one) == wanted);
    found.ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|&one| format!("'{}'", name(one))).collect();
        let expected = format!("one of {}", names.join(", "));
        refused(argument, format_args!("'{wanted}'"), expected)
    })
}

/// Parses an enum value from its name; errors list the names `all`.
pub fn by_name<T: std::str::FromStr>(
    value: &Bound<'_, PyAny>,
    name: &str,
    all: &[impl std::fmt::Display],
) -> PyResult<T> {
    let word = word(value, name)?;
    let is_one = all.iter().any(|one| one.to_string() == word);
    let read = word.parse().ok().filter(|_| is_one);
    read.ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|one| format!("'{one}'")).collect();
        refused(name, format_args!("'{word}'"), names.join(", "))
    })
}

/// Reads the path of a file, from a `str` or an object with `__fspath__`.
pub fn path(value: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    value.extract().map_err(|e: PyErr| {
        if e.is_instance_of::<PyTypeError>(value.py()) {
            type_error(value, "path", "a str or os.PathLike")
        } else {
            e
        }
    })
}

/// Returns a `TypeError` that names the argument, its type and what was expected.
pub fn type_error(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyErr {
    let found = value
        .get_type()
        .name()
        .map_or_else(|_| "an unknown type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name}: found {found}, expected {expected}"))
}
