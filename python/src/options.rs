//! Keyword arguments that several functions share.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

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

    /// Those of a function, which takes no others than it names.
    pub fn new(
        function: &str,
        given: Option<&'a Bound<'py, PyDict>>,
        names: &[&str],
    ) -> PyResult<Self> {
        for key in given.into_iter().flat_map(|given| given.keys()) {
            let name: Bound<'_, PyString> = key.cast_into()?;
            if !names.contains(&name.to_str()?) {
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

    /// The argument of this name, if there is one.
    pub fn given(self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.0.map(|given| given.get_item(name)).transpose()?;
        Ok(value.flatten().filter(|value| !value.is_none()))
    }
}
