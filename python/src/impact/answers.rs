//! Contacts of the engine as Python records and arrays.

use pyo3::prelude::*;
use tangere::impact::{FirstContacts, Impact};
use tangere_front::answer::Table;
use tangere_front::answers::impact::{CONTACT, Event, IMPACT};

use crate::errors::{What, of_arrays, refused, value_error};
use crate::record::{record, record_with, structured};

/// Converts an error of a query of the engine. The query may extend the motion of nodes whose
/// constant velocities have no given duration. Errors about the extended nodes name `velocities`,
/// all others follow `names`.
pub fn of_nodes(error: tangere::Error, names: &[(What, &str)]) -> PyErr {
    let nodes = [(What::End, "velocities"), (What::Point, "velocities")];
    of_arrays(error, &[names, &nodes].concat())
}

/// Returns an impact as a Python object of class `Impact`, with its contacts as objects of class
/// `ImpactContact`.
pub fn impact_record<'py>(py: Python<'py>, impact: &Impact) -> PyResult<Bound<'py, PyAny>> {
    let contacts = impact.contacts.iter();
    let contacts = contacts.map(|&contact| record(py, "ImpactContact", CONTACT, &contact.into()));
    let contacts = contacts.collect::<PyResult<Vec<_>>>()?.into_pyobject(py)?;
    record_with(py, "Impact", IMPACT, impact, &[("contacts", contacts)])
}

/// Returns a structured array with a row for the first contact of each pair of bodies. It is an
/// error if the search used up its budget `work` before it was complete, or rounding hides a contact.
pub fn contact_rows(py: Python<'_>, found: FirstContacts) -> PyResult<Bound<'_, PyAny>> {
    if !found.is_complete {
        let time = found.searched;
        let used =
            format!("all of it used up at the time {time:?}, or rounding hides a contact then");
        return Err(refused(
            "work",
            used,
            "more, or an earlier end (until), before bodies have turned by 1e8 radians",
        ));
    }
    let rows: Vec<Event> = found.contacts.into_iter().map(Event::from).collect();
    let rows = Table::new(CONTACT, &rows).packed();
    structured(py, rows.map_err(value_error)?)
}
