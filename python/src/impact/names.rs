//! Bodies of an engine by index or name.

use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};

use crate::arguments::{integer, type_error};
use crate::errors::refused;

/// Returns the index of the body that an argument gives by index or name.
pub fn number_of(names: &[String], value: &Bound<'_, PyAny>, argument: &str) -> PyResult<usize> {
    if let Ok(name) = value.cast::<PyString>() {
        let name = name.to_cow()?;
        return names.iter().position(|one| *one == name).ok_or_else(|| {
            let few: Vec<String> = names.iter().take(8).map(|n| format!("'{n}'")).collect();
            let more = if names.len() > few.len() { ", ..." } else { "" };
            let expected = format!("a name of a body: {}{more}", few.join(", "));
            refused(argument, format_args!("'{name}'"), expected)
        });
    }
    let Some(last) = names.len().checked_sub(1) else {
        let expected = "nothing: there are no bodies";
        return Err(refused(argument, value.repr()?, expected));
    };
    if value.is_instance_of::<PyFloat>() {
        let expected = "the number or the name of a body";
        return Err(type_error(value, argument, expected));
    }
    Ok(integer(value, argument, 0..=last as u64)? as usize)
}
