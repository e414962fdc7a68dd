//! Keyword arguments that several functions share.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::run::threads_of;

/// Keyword arguments of a call, of which `None` is as good as missing.
#[derive(Clone, Copy)]
pub struct Options<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

/// What pickling keeps: positional arguments and keywords of the call that makes the
/// object again.
pub type Arguments<'py, T> = ((T,), Bound<'py, PyDict>);

impl<'a, 'py> Options<'a, 'py> {
    /// All that were given, to be kept.
    pub fn kept(self, py: Python<'py>) -> PyResult<Py<PyDict>> {
        let kept = match self.0 {
            Some(given) => given.copy()?,
            None => PyDict::new(py),
        };
        Ok(kept.unbind())
    }

    /// Those of a function, which takes no others than it names, with blanks between them.
    pub fn new(
        function: &str,
        given: Option<&'a Bound<'py, PyDict>>,
        names: &str,
    ) -> PyResult<Self> {
        for key in given.into_iter().flat_map(|given| given.keys()) {
            let name: Bound<'_, PyString> = key.cast_into()?;
            if names.split(' ').all(|one| name != one) {
                // In the words of Python.
                return Err(PyTypeError::new_err(format!(
                    "{function}() got an unexpected keyword argument '{name}'"
                )));
            }
        }
        Ok(Self(given))
    }

    /// What `read` makes of the argument of this name, if there is one.
    pub fn read<T>(
        self,
        name: &'static str,
        read: impl FnOnce(&Bound<'py, PyAny>, &'static str) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        match self.given(name)? {
            None => Ok(None),
            Some(value) => read(&value, name).map(Some),
        }
    }

    /// As [`Options::read`], of an argument with a default other than None, which is thus refused
    /// as any other wrong type is.
    pub fn or<T>(
        self,
        default: T,
        name: &'static str,
        read: impl FnOnce(&Bound<'py, PyAny>, &'static str) -> PyResult<T>,
    ) -> PyResult<T> {
        let value = self.0.map(|given| given.get_item(name)).transpose()?;
        value
            .flatten()
            .map_or(Ok(default), |value| read(&value, name))
    }

    /// The number of threads; 0 for as many as there are cores.
    pub fn threads(self) -> PyResult<usize> {
        threads_of(self.given("threads")?.as_ref())
    }

    /// The argument of this name, if there is one.
    pub fn given(self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.0.map(|given| given.get_item(name)).transpose()?;
        Ok(value.flatten().filter(|value| !value.is_none()))
    }
}
