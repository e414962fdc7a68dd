//! Keyword arguments of functions that take `**options`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::run::threads_of;

/// Keyword arguments of a call with `**options`. None counts as missing, except in [`Options::or`].
#[derive(Clone, Copy)]
pub struct Options<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

/// Pickled arguments: positional and keyword arguments of the call that restores the object.
pub type Arguments<'py, T> = ((T,), Bound<'py, PyDict>);

impl<'a, 'py> Options<'a, 'py> {
    /// Returns a copy of all given arguments.
    pub fn kept(self, py: Python<'py>) -> PyResult<Py<PyDict>> {
        let kept = match self.0 {
            Some(given) => given.copy()?,
            None => PyDict::new(py),
        };
        Ok(kept.unbind())
    }

    /// Checks the keyword arguments of a function: those that are not among `names`, which blanks
    /// separate, are refused.
    pub fn new(
        function: &str,
        given: Option<&'a Bound<'py, PyDict>>,
        names: &str,
    ) -> PyResult<Self> {
        for key in given.into_iter().flat_map(|given| given.keys()) {
            let name: Bound<'_, PyString> = key.cast_into()?;
            if names.split(' ').all(|one| name != one) {
                // The message is that of Python itself.
                return Err(PyTypeError::new_err(format!(
                    "{function}() got an unexpected keyword argument '{name}'"
                )));
            }
        }
        Ok(Self(given))
    }

    /// Reads the argument of this name with `read`, if it is given.
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

    /// Reads the argument of this name with `read`; `default` if it is missing. None is refused
    /// like any other wrong type.
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

    /// Returns the number of threads of the argument `threads`; 0, which stands for one thread per
    /// core, if it is missing or None.
    pub fn threads(self) -> PyResult<usize> {
        threads_of(self.given("threads")?.as_ref())
    }

    /// Returns the argument of this name, if it is given.
    pub fn given(self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.0.map(|given| given.get_item(name)).transpose()?;
        Ok(value.flatten().filter(|value| !value.is_none()))
    }
}
