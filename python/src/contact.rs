//! Contacts of convex bodies as Python records.

use pyo3::prelude::*;
use pyo3::types::PyList;
use tangere::closest::{self, PatchPoint};
use tangere::contact::{self, FeatureKind};
use tangere_front::answers::closest::{CONTACT, COUNTS, LIN_CONTACT, PATCH_POINT};

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
    let patch = corners(py, patch)?;
    record_with(py, "Contact", CONTACT, contact, &[("patch", patch)])
}

/// Returns a contact by Lin's walk as a Python object of class `LinContact`, with the corners of its
/// patch.
pub fn lin_contact<'py>(
    py: Python<'py>,
    contact: &closest::LinContact,
    patch: &[PatchPoint],
) -> PyResult<Bound<'py, PyAny>> {
    let patch = corners(py, patch)?;
    record_with(py, "LinContact", LIN_CONTACT, contact, &[("patch", patch)])
}

/// Returns the corners of a contact patch as a list of Python objects of class `PatchPoint`.
fn corners<'py>(py: Python<'py>, patch: &[PatchPoint]) -> PyResult<Bound<'py, PyAny>> {
    let corner = |corner| record(py, "PatchPoint", PATCH_POINT, corner);
    let corners: PyResult<Vec<_>> = patch.iter().map(corner).collect();
    Ok(PyList::new(py, corners?)?.into_any())
}

/// Returns the work counts of queries as a Python object of class `Counts`.
pub fn counts(py: Python<'_>, counts: closest::Counts) -> PyResult<Bound<'_, PyAny>> {
    record(py, "Counts", COUNTS, &counts)
}
