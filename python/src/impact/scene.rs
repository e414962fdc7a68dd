//! Bodies from scenes: TOML files or dictionaries.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};
use tangere::impact;
use tangere_front::inputs::bodies::{self, HIERARCHY};
use tangere_io::scene::{
    MadeShape, SceneBody, SceneFile, ShapeSource, Table, Value, VelocitySource,
};
use tangere_io::{Fault, read_scene};

use crate::arguments::{self, type_error};
use crate::errors::{What, file_error, refused, value_error};
use crate::impact::body::Body;
use crate::impact::nodes::Nodes;
use crate::impact::scene_values::{Object, Objects, table_of};
use crate::impact::shape::Surface;
use crate::impact::state::Member;
use crate::run::run_on;

/// The bodies of a scene, its end time and its time step.
pub struct Members {
    pub members: Vec<Member>,
    pub until: Option<f64>,
    pub step: Option<f64>,
}

const EXPECTED: &str = "an iterable of Body, dict or Mesh; ImpactEngine.from_scene reads files";

impl Members {
    /// Reads the bodies from the argument of an engine.
    pub fn of_argument(value: &Bound<'_, PyAny>, threads: usize) -> PyResult<Self> {
        let mut objects = Objects::new(threads);
        let table = if let Ok(scene) = value.cast::<PyMapping>() {
            objects.scene(scene)?
        } else {
            let items = value.try_iter();
            let items = items.map_err(|_| type_error(value, "bodies", EXPECTED))?;
            if value.is_instance_of::<PyString>() {
                return Err(type_error(value, "bodies", EXPECTED));
            }
            let bodies = objects.bodies(items, "bodies")?;
            // An empty list is not a scene, but a valid engine.
            if matches!(&bodies, Value::List(list) if list.is_empty()) {
                return Ok(Self {
                    members: Vec::new(),
                    until: None,
                    step: None,
                });
            }
            let mut table = Table::new();
            table.insert("body", bodies);
            table
        };
        let scene = SceneFile::from_table(&table, PathBuf::new());
        let scene = scene.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
        Self::of_scene(value.py(), scene, objects)
    }

    /// Reads the bodies from a scene file.
    pub fn of_file(path: &Bound<'_, PyAny>, follow_links: bool, threads: usize) -> PyResult<Self> {
        let py = path.py();
        let path = arguments::path(path)?;
        let scene = run_on(py, threads, move || read_scene(path))?;
        let mut scene = scene.map_err(|e| file_error(py, e))?;
        scene.follow_links = follow_links;
        Self::of_scene(py, scene, Objects::new(threads))
    }

    fn of_scene(py: Python<'_>, scene: SceneFile, objects: Objects) -> PyResult<Self> {
        let threads = objects.threads;
        let scene = Arc::new(scene);
        let work = scene.clone();
        // Shapes given as Python objects are used beside those that the library makes.
        let own = scene.shapes.iter().map(|shape| match shape.source {
            ShapeSource::Given(number) => match objects.all.get(number) {
                Some(Object::Shape(shape)) => Some(shape.clone()),
                _ => None,
            },
            _ => None,
        });
        let own: Vec<Option<impact::BodyShape>> = own.collect();
        let made = run_on(py, threads, move || made(&work, own))?;
        let made = made.map_err(|e| file_error(py, e))?;
        let mut members = Vec::with_capacity(scene.bodies.len());
        for (body, velocities) in scene.bodies.iter().zip(made.velocities) {
            if let ShapeSource::Given(number) = scene.shapes[body.shape].source
                && let Some(Object::Body(own)) = objects.all.get(number)
            {
                members.push(member(own.get(), &body.name));
                continue;
            }
            let Some(shape) = made.shapes[body.shape].clone() else {
                return Err(unknown(body));
            };
            let velocities = match &body.vertex_velocities {
                Some(VelocitySource::Given(number)) => match objects.all.get(*number) {
                    Some(Object::Rows(rows)) => Some(rows.clone()),
                    _ => return Err(unknown(body)),
                },
                _ => velocities,
            };
            members.push(match velocities {
                Some(rows) => deforming(py, body, shape, rows, threads)?,
                None => rigid(body, shape)?,
            });
        }
        Ok(Self {
            members,
            until: scene.until,
            step: scene.step,
        })
    }
}

/// Shapes and velocities that the library has made for a scene.
struct Made {
    /// The shapes of the scene; `None` where a Python object of class `Body` brings its own.
    shapes: Vec<Option<impact::BodyShape>>,
    /// The vertex velocities of each body; None unless a file contains them.
    velocities: Vec<Option<Vec<[f64; 3]>>>,
}

fn made(scene: &SceneFile, mut shapes: Vec<Option<impact::BodyShape>>) -> tangere_io::Result<Made> {
    for (i, shape) in scene.shapes.iter().enumerate() {
        if !matches!(shape.source, ShapeSource::Given(_)) {
            let made = scene.make_shape(i)?;
            shapes[i] = Some(bodies::scene_shape(scene, i, made, &HIERARCHY)?);
        }
    }
    let velocities = |body: &SceneBody| match &shapes[body.shape] {
        Some(shape) => bodies::velocities(scene, body, shape),
        None => Ok(None),
    };
    let velocities: tangere_io::Result<_> = scene.bodies.iter().map(velocities).collect();
    Ok(Made {
        velocities: velocities?,
        shapes,
    })
}

/// Returns the surface of a shape; a ball is an error.
fn surface(made: MadeShape) -> tangere::Result<Surface> {
    match made {
        MadeShape::Mesh(mesh) => Ok(mesh.into()),
        MadeShape::Faces(mesh) => Ok(mesh.into()),
        MadeShape::Ball(_) => {
            let expected = "a surface: a ball has no triangles";
            Err(tangere::Error::argument(What::Shape, "a ball", expected))
        }
    }
}

/// Returns a body of the engine from a Python object of class `Body`, under its name in the scene.
fn member(body: &Body, name: &str) -> Member {
    Member {
        body: body.body.clone(),
        name: name.to_owned(),
        nodes: body.nodes.clone(),
    }
}

fn rigid(body: &SceneBody, shape: impact::BodyShape) -> PyResult<Member> {
    let place = |error| PyValueError::new_err(format!("{}: {error}", body.place));
    Ok(Member {
        body: bodies::rigid(body, shape).map_err(place)?,
        name: body.name.clone(),
        nodes: None,
    })
}

fn deforming(
    py: Python<'_>,
    body: &SceneBody,
    shape: impact::BodyShape,
    rows: Vec<[f64; 3]>,
    threads: usize,
) -> PyResult<Member> {
    let name = format!("{}: vertex_velocities", body.place);
    let nodes = Nodes::velocities(rows, None, &name)?;
    let made = Body::of_nodes(py, shape, body.pose, nodes, None, threads);
    let made = made.map_err(|e| match e.is_instance_of::<PyValueError>(py) {
        true => {
            // Velocities have a different name in scenes.
            let text = e.value(py).to_string();
            let text = text.replacen("velocities", "vertex_velocities", 1);
            PyValueError::new_err(format!("{}: {text}", body.place))
        }
        false => e,
    })?;
    Ok(member(&made, &body.name))
}

/// Returns the error of a body whose shape or velocities refer to a Python object of the wrong
/// kind, which cannot occur.
fn unknown(body: &SceneBody) -> PyErr {
    refused(&body.place.to_string(), "an object", "a shape or an array")
}

/// Returns the shape that a dictionary describes.
pub fn shape_of(
    value: &Bound<'_, PyMapping>,
    name: &str,
    threads: usize,
) -> PyResult<impact::BodyShape> {
    made_of(value, name, threads, |made| bodies::shape(made, &HIERARCHY))
}

/// Returns the surface that a dictionary describes.
pub fn surface_of(value: &Bound<'_, PyMapping>, name: &str, threads: usize) -> PyResult<Surface> {
    made_of(value, name, threads, surface)
}

fn made_of<T: Send + 'static>(
    value: &Bound<'_, PyMapping>,
    name: &str,
    threads: usize,
    make: fn(MadeShape) -> tangere::Result<T>,
) -> PyResult<T> {
    let py = value.py();
    let mut body = Table::new();
    body.insert("shape", table_of(value, 0)?);
    let mut table = Table::new();
    table.insert("body", vec![Value::Table(body)]);
    let scene = SceneFile::from_table(&table, PathBuf::new());
    let scene = scene.map_err(|fault: Fault| refused(name, fault.found, fault.expected))?;
    let made = run_on(py, threads, move || scene.make_shape(0).map(make))?;
    made.map_err(|e| file_error(py, e))?.map_err(value_error)
}
