//! Contacts of convex bodies as Python records.

use pyo3::prelude::*;
use pyo3::types::PyList;
use tangere::closest::{self, PatchPoint};
use tangere::contact::{self, FeatureKind};
use tangere_front::answers::closest::{CONTACT, COUNTS, PATCH_POINT};

use crate::arguments::{integer, word};
use crate::errors::refused;
use crate::record::{record, record_with};

const KINDS: [FeatureKind; 3] = [FeatureKind::Vertex, FeatureKind::Edge, FeatureKind::Face];

/// Checks the kind ('vertex', 'edge' or 'face') and the index of a feature; returns both.
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

/// Returns a contact as a Python object of class `Contact`, with the corners of its patch.
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

/// Returns the work counts of queries as a Python object of class `Counts`.
pub fn counts(py: Python<'_>, counts: closest::Counts) -> PyResult<Bound<'_, PyAny>> {
    record(py, "Counts", COUNTS, &counts)
}
