//! Contacts of convex bodies as records of Python.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyList;
use tangere::closest::{self, PatchPoint};
use tangere::contact::{self, FeatureKind};
use tangere_front::answers::closest::{CONTACT, COUNTS, PATCH_POINT};

use crate::arguments::{integer, word};
use crate::arrays::from_numbers;
use crate::errors::refused;
use crate::record::{self, record, record_with};

const KINDS: [FeatureKind; 3] = [FeatureKind::Vertex, FeatureKind::Edge, FeatureKind::Face];

/// A vertex, an edge or a face: the record `Feature` in Python.
#[derive(Clone, Copy, PartialEq)]
pub struct Feature(pub contact::Feature);

impl<'py> IntoPyObject<'py> for Feature {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record::feature(py, self.0)
    }
}

impl<'py> FromPyObject<'_, 'py> for Feature {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (kind, index) = (value.getattr("kind")?, value.getattr("index")?);
        let (name, index) = checked_feature(&kind, &index)?;
        let kind = KINDS.into_iter().find(|kind| kind.name() == name);
        let kind = kind.unwrap_or(FeatureKind::Vertex);
        Ok(Self(contact::Feature { kind, index }))
    }
}

/// Kind and index of a feature, checked.
#[pyfunction(name = "_checked_feature")]
pub fn checked_feature(
    kind: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
) -> PyResult<(&'static str, u32)> {
    let name = word(kind, "kind")?;
    let names = KINDS.into_iter().map(FeatureKind::name);
    let Some(kind) = names.into_iter().find(|kind| *kind == name) else {
        let expected = "'vertex', 'edge' or 'face'";
        return Err(refused("kind", format_args!("'{name}'"), expected));
    };
    let index = integer(index, "index", 0..=u64::from(u32::MAX))? as u32;
    Ok((kind, index))
}

/// A function of the native part, by which pickling makes an object again.
pub fn native<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("tangere._tangere")?.getattr(name)
}

/// A point or a vector as an array of its own.
pub fn point(py: Python<'_>, p: [f64; 3]) -> Bound<'_, PyArray1<f64>> {
    from_numbers(py, p.to_vec())
}

/// A contact with the corners of its patch.
pub fn contact<'py>(
    py: Python<'py>,
    contact: &contact::Contact,
    patch: &[PatchPoint],
) -> PyResult<Bound<'py, PyAny>> {
    let corners = patch.iter();
    let corners: PyResult<Vec<_>> = corners
        .map(|corner| record(py, "PatchPoint", PATCH_POINT, corner))
        .collect();
    let patch = PyList::new(py, corners?)?.into_any();
    record_with(py, "Contact", CONTACT, contact, &[("patch", patch)])
}

/// The counts of queries.
pub fn counts(py: Python<'_>, counts: closest::Counts) -> PyResult<Bound<'_, PyAny>> {
    record(py, "Counts", COUNTS, &counts)
}
