//! Fields of VTK files from dictionaries of arrays, and from structured arrays.

use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};
use tangere_io::MeshFields;
use tangere_io::vtk::{Field, FieldValues, PolyData, UnstructuredGrid};

use crate::arguments::{Argument, type_error};
use crate::arrays::{any_points, refuse_masked, reserved, wrong_shape};
use crate::errors::refused;

/// The arguments `point_data` and `cell_data`.
pub struct Fields<'a, 'py> {
    pub point_data: Argument<'a, 'py>,
    pub cell_data: Argument<'a, 'py>,
}

impl Fields<'_, '_> {
    /// Reads both arguments: mappings of names to arrays.
    pub fn read(&self) -> PyResult<MeshFields> {
        Ok(MeshFields {
            point_data: all(self.point_data, "point_data")?,
            cell_data: all(self.cell_data, "cell_data")?,
        })
    }

    /// Reads both arguments, and checks that each field has a row for each of the points or cells.
    pub fn fitting(&self, points: usize, cells: usize) -> PyResult<MeshFields> {
        let fields = self.read()?;
        fit(&fields.point_data, "point_data", points, "points")?;
        fit(&fields.cell_data, "cell_data", cells, "cells")?;
        Ok(fields)
    }
}

/// Reads a mapping of names to arrays, each with a row for each item.
pub fn fitting(
    value: Argument<'_, '_>,
    argument: &str,
    items: usize,
    noun: &str,
) -> PyResult<Vec<Field>> {
    let fields = all(value, argument)?;
    fit(&fields, argument, items, noun)?;
    Ok(fields)
}

/// Refuses fields that do not have a row for each item.
fn fit(fields: &[Field], argument: &str, items: usize, noun: &str) -> PyResult<()> {
    for field in fields {
        let rows = field.values.len() / field.components;
        if rows != items {
            let name = format!("{argument}[{:?}]", field.name);
            let expected = format!("{items}, one for each of the {noun}");
            return Err(refused(&name, format!("{rows} rows"), expected));
        }
    }
    Ok(())
}

fn all(value: Argument<'_, '_>, argument: &str) -> PyResult<Vec<Field>> {
    let Some(value) = value else {
        return Ok(Vec::new());
    };
    let expected = "a dict of names and arrays";
    let Ok(mapping) = value.cast::<PyMapping>() else {
        return Err(type_error(value, argument, expected));
    };
    let mut fields = Vec::new();
    for item in mapping.items()?.iter() {
        let (key, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let Ok(name) = key.cast::<PyString>() else {
            return Err(type_error(&key, argument, "names that are str"));
        };
        let name = name.to_string();
        let called = format!("{argument}[{name:?}]");
        if name.is_empty() || name.chars().any(char::is_control) {
            let expected = "a name of at least one character, without control characters";
            return Err(refused(&called, format!("the name {name:?}"), expected));
        }
        fields.push(field(&array, &name, &called)?);
    }
    Ok(fields)
}

/// Reads a field from an array of numbers of any dtype: a scalar for each row, as many components as
/// a row has, or a tensor of 3 x 3. Errors call it `called`.
pub fn field(value: &Bound<'_, PyAny>, name: &str, called: &str) -> PyResult<Field> {
    let py = value.py();
    refuse_masked(value, called)?;
    let array = py.import("numpy")?.call_method1("asarray", (value,))?;
    let array = array.cast_into::<PyUntypedArray>()?;
    let components = match *array.shape() {
        [_] => 1,
        [_, components] if components > 0 => components,
        // A tensor, as VTK names nine components.
        [_, 3, 3] => 9,
        ref shape => {
            let expected = "(N,), (N, K) for K components, or (N, 3, 3) for tensors";
            return Err(wrong_shape(called, shape, expected));
        }
    };
    let dtype = array.dtype();
    let native = match (dtype.kind(), dtype.itemsize()) {
        (b'b', _) => "uint8",
        (b'f', 2 | 4) => "float32",
        (b'f', _) => "float64",
        (b'i', 1) => "int8",
        (b'i', 2) => "int16",
        (b'i', 4) => "int32",
        (b'i', 8) => "int64",
        (b'u', 1) => "uint8",
        (b'u', 2) => "uint16",
        (b'u', 4) => "uint32",
        (b'u', 8) => "uint64",
        _ => {
            let message = format!("{called}: found dtype {dtype}, expected real numbers");
            return Err(PyTypeError::new_err(message));
        }
    };
    let keywords = pyo3::types::PyDict::new(py);
    keywords.set_item("order", "C")?;
    keywords.set_item("copy", true)?;
    let array = array.call_method("astype", (native,), Some(&keywords))?;
    let values = match native {
        "float64" => numbers::<f64>(&array)?,
        "float32" => numbers::<f32>(&array)?,
        "int64" => numbers::<i64>(&array)?,
        "int32" => numbers::<i32>(&array)?,
        "int16" => numbers::<i16>(&array)?,
        "int8" => numbers::<i8>(&array)?,
        "uint64" => numbers::<u64>(&array)?,
        "uint32" => numbers::<u32>(&array)?,
        "uint16" => numbers::<u16>(&array)?,
        _ => numbers::<u8>(&array)?,
    };
    Ok(Field {
        name: name.to_owned(),
        components,
        values,
    })
}

fn numbers<T: Element + Copy>(array: &Bound<'_, PyAny>) -> PyResult<FieldValues>
where
    Vec<T>: Into<FieldValues>,
{
    let array = array.cast::<PyArrayDyn<T>>()?.try_readonly()?;
    let view = array.as_array();
    let mut numbers = reserved(view.len())?;
    numbers.extend(view.iter().copied());
    Ok(numbers.into())
}

/// Whether an object is a structured array, as rows of answers are.
pub fn is_rows(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    match value.cast::<PyUntypedArray>() {
        Ok(array) => Ok(!array.dtype().getattr("names")?.is_none()),
        Err(_) => Ok(false),
    }
}

/// Reads the rows of a structured array as columns of a text, after the coordinates of `points`, if
/// there are any.
pub fn columns(
    rows: &Bound<'_, PyAny>,
    points: Argument<'_, '_>,
    fields: &Fields<'_, '_>,
) -> PyResult<Vec<Field>> {
    let array = rows.cast::<PyUntypedArray>()?;
    let [count] = *array.shape() else {
        return Err(wrong_shape("rows", array.shape(), "(N,)"));
    };
    if fields.cell_data.is_some() {
        return Err(refused("cell_data", "data", "None, as rows have no cells"));
    }
    let mut columns = Vec::new();
    if let Some(points) = points {
        let points = any_points::<3>(points, "points")?;
        if points.len() != count {
            let found = format!("{} points", points.len());
            return Err(refused(
                "points",
                found,
                format!("{count}, one for each row"),
            ));
        }
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let coordinates: Vec<f64> = points.iter().map(|p| p[k]).collect();
            columns.push(Field::scalar(axis, coordinates));
        }
    }
    let names: Vec<String> = array.dtype().getattr("names")?.extract()?;
    for name in &names {
        columns.push(field(
            &array.get_item(name)?,
            name,
            &format!("rows[{name:?}]"),
        )?);
    }
    columns.extend(fields.fitting(count, 0)?.point_data);
    Ok(columns)
}

/// Rows of an answer as a cloud of points with every column as a field.
pub struct Cloud {
    points: Vec<[f64; 3]>,
    fields: MeshFields,
}

impl Cloud {
    /// Reads a structured array, with the points at which its rows are: `points`, or its field
    /// `point`. `None` if `value` is another object.
    pub fn of(
        value: &Bound<'_, PyAny>,
        points: Argument<'_, '_>,
        fields: &Fields<'_, '_>,
    ) -> PyResult<Option<Self>> {
        let Ok(array) = value.cast::<PyUntypedArray>() else {
            return Ok(None);
        };
        let names: Option<Vec<String>> = array.dtype().getattr("names")?.extract()?;
        let Some(names) = names else {
            return Ok(None);
        };
        let [count] = *array.shape() else {
            let found = format!("shape {:?}", array.shape());
            return Err(refused("rows", found, "rows of a structured array, (N,)"));
        };
        let points = match points {
            Some(points) => any_points::<3>(points, "points")?,
            None if names.iter().any(|name| name == "point") => {
                any_points::<3>(&array.get_item("point")?, "rows['point']")?
            }
            None => {
                let found = format!("the fields {names:?}");
                let expected = "points=, or rows with the field 'point'; csv files need neither";
                return Err(refused("rows", found, expected));
            }
        };
        if points.len() != count {
            let expected = format!("{count}, one for each row");
            return Err(refused(
                "points",
                format!("{} points", points.len()),
                expected,
            ));
        }
        let mut columns = Vec::new();
        for name in &names {
            let column = field(&array.get_item(name)?, name, &format!("rows[{name:?}]"))?;
            columns.push(in_space(column));
        }
        let more = fields.fitting(count, count)?;
        for extra in &more.point_data {
            if names.contains(&extra.name) {
                let called = format!("point_data[{:?}]", extra.name);
                return Err(refused(&called, "a name that a column has", "another name"));
            }
        }
        columns.extend(more.point_data);
        Ok(Some(Self {
            points,
            fields: MeshFields {
                point_data: columns,
                cell_data: more.cell_data,
            },
        }))
    }

    /// Returns the cloud as the content of a VTU file.
    pub fn grid(self) -> UnstructuredGrid {
        UnstructuredGrid {
            point_data: self.fields.point_data,
            cell_data: self.fields.cell_data,
            ..UnstructuredGrid::from_points(self.points)
        }
    }

    /// Returns the cloud as the content of a VTP file.
    pub fn poly(self) -> PolyData {
        PolyData {
            point_data: self.fields.point_data,
            cell_data: self.fields.cell_data,
            ..PolyData::from_points(self.points)
        }
    }
}

/// Returns a field of two floats for each point with a third component 0, as viewers expect vectors
/// of three.
fn in_space(field: Field) -> Field {
    match (&field.values, field.components) {
        (FieldValues::F64(values), 2) => {
            let rows = values.chunks_exact(2);
            let values: Vec<f64> = rows.flat_map(|row| [row[0], row[1], 0.0]).collect();
            Field {
                components: 3,
                values: values.into(),
                ..field
            }
        }
        _ => field,
    }
}
