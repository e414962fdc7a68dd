//! Conversion of Python objects to values of scenes.
//!
//! Objects that a scene file can contain (numbers, strings, lists, dictionaries) become scene
//! values, which the scene parser checks. Shapes and arrays are stored here, and values refer to
//! them by index.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use tangere::impact;
use tangere_io::scene::{Table, Value};

use crate::arguments::type_error;
use crate::arrays::{points, shape_of};
use crate::convex::ConvexPolyhedron;
use crate::faces::FaceMesh;
use crate::impact::body::Body;
use crate::impact::shape::{BodyShape, shape_argument};
use crate::mesh::Mesh;
use crate::poses::rotation;

/// Maximum depth of nested lists and dictionaries in a scene; scenes need less.
const DEEPEST: usize = 8;

/// A Python object that a scene file cannot contain. Scene values refer to it by index.
pub enum Object {
    Body(Py<Body>),
    Shape(impact::BodyShape),
    Rows(Vec<[f64; 3]>),
}

/// Python objects that scene values refer to by their index in `all`.
pub struct Objects {
    pub all: Vec<Object>,
    /// The number of threads that build shapes.
    pub threads: usize,
}

impl Objects {
    /// Returns an empty list of objects.
    pub fn new(threads: usize) -> Self {
        let all = Vec::new();
        Self { all, threads }
    }

    fn put(&mut self, object: Object) -> Value {
        self.all.push(object);
        Value::Given(self.all.len() - 1)
    }

    fn put_shape(&mut self, shape: &Bound<'_, PyAny>, name: &str) -> PyResult<Value> {
        let shape = shape_argument(shape, name, self.threads)?;
        Ok(self.put(Object::Shape(shape)))
    }

    /// Converts a scene to a table.
    pub fn scene(&mut self, scene: &Bound<'_, PyMapping>) -> PyResult<Table> {
        let mut table = Table::new();
        for (key, value) in items(scene)? {
            let value = match (key.as_str(), value.try_iter()) {
                ("body", Ok(bodies)) if !value.is_instance_of::<PyString>() => {
                    self.bodies(bodies, "body")?
                }
                _ => value_of(&value, 0)?,
            };
            table.insert(key, value);
        }
        Ok(table)
    }

    /// Converts the list of bodies; errors call it `name`.
    pub fn bodies<'py>(
        &mut self,
        bodies: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
        name: &str,
    ) -> PyResult<Value> {
        let body = |(i, body): (usize, PyResult<_>)| self.body(&body?, &format!("{name}[{i}]"));
        let list: PyResult<Vec<Value>> = bodies.enumerate().map(body).collect();
        list.map(Value::List)
    }

    fn body(&mut self, item: &Bound<'_, PyAny>, name: &str) -> PyResult<Value> {
        let mut table = Table::new();
        if let Ok(body) = item.cast::<Body>() {
            if let Some(own) = &body.get().name {
                table.insert("name", own.as_str());
            }
            let object = Object::Body(body.clone().unbind());
            table.insert("shape", self.put(object));
        } else if let Ok(mapping) = item.cast::<PyMapping>() {
            for (key, value) in items(mapping)? {
                let inner = format!("{name}['{key}']");
                let value = match key.as_str() {
                    "shape" if !is_scene_value(&value) => self.put_shape(&value, &inner)?,
                    "vertex_velocities" if !is_scene_value(&value) => {
                        self.put(Object::Rows(points::<3>(&value, &inner)?))
                    }
                    "rotation" if is_matrix(&value) => {
                        let [_, _, _, w, x, y, z] = rotation(&value, &inner)?.to_numbers();
                        [w, x, y, z].into()
                    }
                    _ => value_of(&value, 0)?,
                };
                table.insert(key, value);
            }
        } else if is_shape(item) {
            table.insert("shape", self.put_shape(item, name)?);
        } else {
            return Err(type_error(item, name, "a Body, a dict or a Mesh"));
        }
        Ok(table.into())
    }
}

/// Whether the object describes a shape or velocities as a scene file does: by a dictionary, a
/// string or a path.
fn is_scene_value(value: &Bound<'_, PyAny>) -> bool {
    value.cast::<PyMapping>().is_ok() || text_of(value).is_some()
}

fn is_shape(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<Mesh>()
        || value.is_instance_of::<FaceMesh>()
        || value.is_instance_of::<BodyShape>()
        || value.is_instance_of::<ConvexPolyhedron>()
}

/// Whether the object is a rotation matrix, of shape (3, 3); all other forms of a rotation are
/// scene values.
fn is_matrix(value: &Bound<'_, PyAny>) -> bool {
    text_of(value).is_none() && shape_of(value, "").is_ok_and(|shape| shape == [3, 3])
}

/// Returns a string, or the path of an `os.PathLike`; `None` for other objects.
fn text_of(value: &Bound<'_, PyAny>) -> Option<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return text.extract().ok();
    }
    let path = value.call_method0("__fspath__").ok()?;
    path.extract().ok()
}

/// Returns the keys and values of a dictionary, without values that are None.
fn items<'py>(mapping: &Bound<'py, PyMapping>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let mut all = Vec::new();
    for item in mapping.items()? {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let key: String = match key.cast::<PyString>() {
            Ok(key) => key.extract()?,
            // The key is not one of a scene; its string is for the error.
            Err(_) => key.str()?.extract()?,
        };
        if !value.is_none() {
            all.push((key, value));
        }
    }
    Ok(all)
}

/// Converts an object to a scene value; `Value::Other` if no key accepts it.
pub fn value_of(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Ok(Value::Other("lists in lists in lists".to_owned()));
    }
    if value.is_instance_of::<PyBool>() {
        return value.extract().map(Value::Flag);
    }
    if value.is_instance_of::<PyInt>() {
        // No key accepts integers of more bits.
        return Ok(value
            .extract()
            .map_or_else(|_| other("a huge integer"), Value::Integer));
    }
    if value.is_instance_of::<PyFloat>() {
        return value.extract().map(Value::Number);
    }
    if let Some(text) = text_of(value) {
        return Ok(Value::Text(text));
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        return table_of(mapping, depth).map(Value::Table);
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let list = value.try_iter()?.map(|item| value_of(&item?, depth + 1));
        return list.collect::<PyResult<_>>().map(Value::List);
    }
    // NumPy arrays and scalars, and other objects with `tolist`, are converted through it.
    match value.call_method0("tolist") {
        Ok(plain) => value_of(&plain, depth + 1),
        Err(_) => Ok(other(&value.get_type().name()?.to_string())),
    }
}

fn other(name: &str) -> Value {
    Value::Other(name.to_owned())
}

/// Converts a dictionary to a table.
pub fn table_of(mapping: &Bound<'_, PyMapping>, depth: usize) -> PyResult<Table> {
    let mut table = Table::new();
    for (key, value) in items(mapping)? {
        table.insert(key, value_of(&value, depth + 1)?);
    }
    Ok(table)
}
