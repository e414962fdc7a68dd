//! Results as Python objects: a record for one row, a structured array for many.
//!
//! Both have the columns that `tangere_front::answers` lists; the classes of `tangere/_records.py`
//! are made from the same lists.

use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use tangere::contact::Feature;
use tangere_front::answer::{Column, Data, Get, Outputs, Packed};
use tangere_front::answers;

use crate::arrays::from_numbers;

/// The module `tangere._records`. It is looked up only once, because a single contact creates about
/// a dozen records.
static RECORDS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Returns a class of `tangere._records`.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let records =
        RECORDS.get_or_try_init(py, || py.import("tangere._records").map(Bound::unbind))?;
    records.bind(py).getattr(name)
}

/// Returns for each attribute of a class of records: name, type, number of values, documentation,
/// and whether `==` compares it.
#[pyfunction(name = "_columns")]
pub fn columns(name: &str) -> Vec<(&'static str, &'static str, usize, &'static str, bool)> {
    let answers = answers::all().into_iter();
    let of_answer = answers.filter(|answer| answer.name == name);
    let attributes = of_answer.flat_map(|answer| answer.attributes);
    attributes
        .map(|a| (a.name, a.kind, a.width, a.doc, a.compared))
        .collect()
}

/// Returns the words of the numbers 0, 1, 2, ... in columns of rows, by the name of their enum.
#[pyfunction(name = "_words")]
pub fn words() -> Vec<(&'static str, Vec<&'static str>)> {
    use tangere::closest::{ProjectionStatus, SurfaceStatus};
    use tangere::contact::{ContactStatus, FeatureKind};
    use tangere::impact::{Certificate, primitive};
    use tangere::scene;
    vec![
        (
            "Certificate",
            Certificate::ALL.map(Certificate::name).to_vec(),
        ),
        (
            "ContactEvent",
            scene::Event::ALL.map(scene::Event::name).to_vec(),
        ),
        (
            "ContactStatus",
            ContactStatus::ALL.map(ContactStatus::name).to_vec(),
        ),
        (
            "FeatureKind",
            FeatureKind::ALL.map(FeatureKind::name).to_vec(),
        ),
        (
            "ProjectionStatus",
            ProjectionStatus::ALL.map(ProjectionStatus::name).to_vec(),
        ),
        (
            "Status",
            primitive::ContactStatus::ALL
                .map(primitive::ContactStatus::name)
                .to_vec(),
        ),
        (
            "SurfaceStatus",
            SurfaceStatus::ALL.map(SurfaceStatus::name).to_vec(),
        ),
    ]
}

/// Returns a record of class `name`, whose attributes are the values of `columns` for `row`.
pub fn record<'py, T>(
    py: Python<'py>,
    name: &str,
    columns: &[Column<T>],
    row: &T,
) -> PyResult<Bound<'py, PyAny>> {
    record_with(py, name, columns, row, &[])
}

/// Returns a record of class `name`, whose attributes are the values of `columns` for `row`, and
/// the attributes `others`, each a name and a value.
pub fn record_with<'py, T>(
    py: Python<'py>,
    name: &str,
    columns: &[Column<T>],
    row: &T,
    others: &[(&str, Bound<'py, PyAny>)],
) -> PyResult<Bound<'py, PyAny>> {
    let values = PyDict::new(py);
    for column in columns {
        if column.outputs.has(Outputs::PYTHON) {
            values.set_item(column.name, value(py, column, row)?)?;
        }
    }
    for (name, value) in others {
        values.set_item(name, value)?;
    }
    class(py, name)?.call((), Some(&values))
}

/// Returns a vertex, an edge or a face as a Python object of class `Feature`.
pub fn feature(py: Python<'_>, feature: Feature) -> PyResult<Bound<'_, PyAny>> {
    class(py, "Feature")?.call1((feature.kind.name(), feature.index))
}

fn value<'py, T>(py: Python<'py>, column: &Column<T>, row: &T) -> PyResult<Bound<'py, PyAny>> {
    match column.get {
        Get::Float(get) => get(row).into_bound_py_any(py),
        Get::Vector(width, get) => {
            let numbers = (0..width).map(|k| get(row, k)).collect();
            let array: Bound<'py, PyArray1<f64>> = from_numbers(py, numbers);
            // Records are immutable, and so are their arrays.
            array.readwrite().make_nonwriteable();
            Ok(array.into_any())
        }
        Get::Count(get) => get(row).into_bound_py_any(py),
        Get::Counts(width, get) => tuple(py, (0..width).map(|k| get(row, k))),
        Get::Index(get) => get(row).into_bound_py_any(py),
        Get::Indices(width, get) => tuple(py, (0..width).map(|k| get(row, k))),
        Get::Integers(width, get) => tuple(py, (0..width).map(|k| get(row, k))),
        Get::Side(get) => get(row).into_bound_py_any(py),
        Get::Code(_, word) => word(row).into_bound_py_any(py),
        Get::Flag(get) => get(row).into_bound_py_any(py),
        Get::Feature(get) => feature(py, get(row)),
        Get::Text(get) => get(row).into_bound_py_any(py),
        Get::Value(_, get) => py
            .import("json")?
            .call_method1("loads", (get(row).to_string(),)),
    }
}

fn tuple<'py, V: IntoPyObject<'py>>(
    py: Python<'py>,
    values: impl Iterator<Item = V>,
) -> PyResult<Bound<'py, PyAny>> {
    let values: Vec<V> = values.collect();
    Ok(PyTuple::new(py, values)?.into_any())
}

/// Returns rows as a structured array; nothing is copied.
pub fn structured(py: Python<'_>, rows: Packed) -> PyResult<Bound<'_, PyAny>> {
    let parts = PyDict::new(py);
    let names: Vec<&str> = rows.fields.iter().map(|field| field.name).collect();
    let formats: Vec<&str> = rows.fields.iter().map(|field| &field.format[..]).collect();
    let fields: Vec<(&str, &str)> = names.into_iter().zip(formats).collect();
    parts.set_item("align", true)?;
    let dtype = py
        .import("numpy")?
        .call_method("dtype", (fields,), Some(&parts))?;
    let bytes = from_numbers(py, rows.words).call_method1("view", ("u1",))?;
    let end = rows.size * rows.count;
    let slice = pyo3::types::PySlice::new(py, 0, end as isize, 1);
    bytes.get_item(slice)?.call_method1("view", (dtype,))
}

/// Returns each column as an array; nothing is copied.
pub fn arrays<'py>(
    py: Python<'py>,
    columns: Vec<(&'static str, usize, Data)>,
) -> PyResult<Bound<'py, PyTuple>> {
    fn array<T: Element>(
        py: Python<'_>,
        width: usize,
        values: Vec<T>,
    ) -> PyResult<Bound<'_, PyAny>> {
        let rows = values.len() / width.max(1);
        let array = from_numbers(py, values);
        match width {
            1 => Ok(array.into_any()),
            _ => Ok(array.reshape([rows, width])?.into_any()),
        }
    }
    let columns = columns.into_iter().map(|(_, width, data)| match data {
        Data::F64(values) => array(py, width, values),
        Data::U64(values) => array(py, width, values),
        Data::U32(values) => array(py, width, values),
        Data::I32(values) => array(py, width, values),
        Data::I8(values) => array(py, width, values),
        Data::U8(values) => array(py, width, values),
    });
    PyTuple::new(py, columns.collect::<PyResult<Vec<_>>>()?)
}
