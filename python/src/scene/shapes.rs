//! Shapes of the bodies of a scene: sphere, box, capsule, half-space, wall, compound.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tangere::geometry::Pose;
use tangere::scene::{Element, Shape};

use super::shape_argument::{OpenMesh, shape_argument};
use crate::arguments::{number, type_error};
use crate::arrays::{from_numbers, numbers_for, vector};
use crate::errors::{refused, value_error};
use crate::mesh::Mesh;
use crate::pickling::reduced;
use crate::poses::pose;

/// Exact sphere around the origin: a shape of bodies of a `Scene`.
///
/// Parameters
/// ----------
/// radius : float
///     The radius, above 0.
///
/// Raises
/// ------
/// ValueError
///     If the radius is not positive and finite.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> ball = tangere.Sphere(0.5)
/// >>> ball, ball.radius
/// (tangere.Sphere(0.5), 0.5)
#[pyclass(frozen, eq, weakref, module = "tangere")]
pub struct Sphere {
    pub(super) shape: Shape,
    radius: f64,
}

impl PartialEq for Sphere {
    fn eq(&self, other: &Self) -> bool {
        self.radius == other.radius
    }
}

#[pymethods]
impl Sphere {
    #[new]
    fn new(radius: &Bound<'_, PyAny>) -> PyResult<Self> {
        let radius = number(radius, "radius")?;
        let shape = Shape::sphere(radius).map_err(value_error)?;
        Ok(Self { shape, radius })
    }

    /// The radius.
    #[getter]
    fn radius(&self) -> f64 {
        self.radius
    }

    fn __repr__(&self) -> String {
        format!("tangere.Sphere({:?})", self.radius)
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__(&self) -> (f64,) {
        (self.radius,)
    }
}

/// Exact box (cuboid) around the origin: a shape of bodies of a `Scene`.
///
/// Parameters
/// ----------
/// size : array_like, shape (3,), or float
///     The lengths of its edges, above 0; one number for a cube.
///
/// Raises
/// ------
/// ValueError
///     If a length is not positive and finite.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> block = tangere.Box([4, 2, 1])
/// >>> block, block.size.tolist()
/// (tangere.Box([4.0, 2.0, 1.0]), [4.0, 2.0, 1.0])
#[pyclass(frozen, eq, weakref, module = "tangere", name = "Box")]
pub struct BoxShape {
    pub(super) shape: Shape,
    size: [f64; 3],
}

impl PartialEq for BoxShape {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
    }
}

#[pymethods]
impl BoxShape {
    #[new]
    fn new(size: &Bound<'_, PyAny>) -> PyResult<Self> {
        let numbers = numbers_for(size, "size", 3)?;
        let found = format!("{} numbers", numbers.len());
        let size = numbers.try_into();
        let size = size.map_err(|_| refused("size", found, "3, or one"))?;
        let shape = Shape::cuboid(size).map_err(value_error)?;
        Ok(Self { shape, size })
    }

    /// The lengths of the edges: float64 of shape (3,).
    #[getter]
    fn size<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        from_numbers(py, self.size.to_vec())
    }

    fn __repr__(&self) -> String {
        format!("tangere.Box({:?})", self.size)
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__(&self) -> ([f64; 3],) {
        (self.size,)
    }
}

/// Exact capsule around the origin, along z: a shape of bodies of a `Scene`.
///
/// It is the set of all points within ``radius`` of a segment of this ``length``.
///
/// Parameters
/// ----------
/// radius : float
///     The radius, above 0.
/// length : float
///     The length of the segment, above 0; from end to end the capsule measures
///     ``length + 2 * radius``.
///
/// Raises
/// ------
/// ValueError
///     If a number is not positive and finite.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> pill = tangere.Capsule(0.5, 2)
/// >>> pill, pill.radius, pill.length
/// (tangere.Capsule(0.5, 2.0), 0.5, 2.0)
#[pyclass(frozen, eq, weakref, module = "tangere")]
pub struct Capsule {
    pub(super) shape: Shape,
    radius: f64,
    length: f64,
}

impl PartialEq for Capsule {
    fn eq(&self, other: &Self) -> bool {
        (self.radius, self.length) == (other.radius, other.length)
    }
}

#[pymethods]
impl Capsule {
    #[new]
    fn new(radius: &Bound<'_, PyAny>, length: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (radius, length) = (number(radius, "radius")?, number(length, "length")?);
        let shape = Shape::capsule(radius, length).map_err(value_error)?;
        Ok(Self {
            shape,
            radius,
            length,
        })
    }

    /// The radius.
    #[getter]
    fn radius(&self) -> f64 {
        self.radius
    }

    /// The length of the segment along z.
    #[getter]
    fn length(&self) -> f64 {
        self.length
    }

    fn __repr__(&self) -> String {
        format!("tangere.Capsule({:?}, {:?})", self.radius, self.length)
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__(&self) -> (f64, f64) {
        (self.radius, self.length)
    }
}

/// Half-space: a plane through the origin and all that lies behind it, a shape of bodies of a
/// `Scene`, such as a floor.
///
/// Parameters
/// ----------
/// normal : array_like, shape (3,)
///     The outward normal, of any length.
///
/// Raises
/// ------
/// ValueError
///     If the normal is 0 or not finite.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> floor = tangere.HalfSpace([0, 0, 2])
/// >>> floor, floor.normal.tolist()
/// (tangere.HalfSpace([0.0, 0.0, 2.0]), [0.0, 0.0, 1.0])
#[pyclass(frozen, eq, weakref, module = "tangere")]
pub struct HalfSpace {
    pub(super) shape: Shape,
    /// The normal as it was given.
    given: [f64; 3],
}

impl PartialEq for HalfSpace {
    fn eq(&self, other: &Self) -> bool {
        self.unit() == other.unit()
    }
}

impl HalfSpace {
    fn unit(&self) -> [f64; 3] {
        match self.shape.parts() {
            [part] => match part.element {
                Element::HalfSpace(normal) => normal,
                _ => self.given,
            },
            _ => self.given,
        }
    }
}

#[pymethods]
impl HalfSpace {
    #[new]
    fn new(normal: &Bound<'_, PyAny>) -> PyResult<Self> {
        let given = vector(normal, "normal")?;
        let shape = Shape::half_space(given).map_err(value_error)?;
        Ok(Self { shape, given })
    }

    /// The outward unit normal: float64 of shape (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        from_numbers(py, self.unit().to_vec())
    }

    fn __repr__(&self) -> String {
        format!("tangere.HalfSpace({:?})", self.given)
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__(&self) -> ([f64; 3],) {
        (self.given,)
    }
}

/// Triangle mesh, open or closed, as a wall: a surface without thickness that is touched from both
/// sides, a shape of bodies of a `Scene`.
///
/// A closed `Mesh` itself is a solid there.
///
/// Parameters
/// ----------
/// mesh : Mesh
///
/// Examples
/// --------
/// >>> import tangere
/// >>> wall = tangere.Wall(tangere.generate.plate([4, 4]))
/// >>> wall, wall.mesh
/// (<tangere.Wall of 2 triangles>, <tangere.Mesh of 2 triangles on 4 vertices>)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Wall {
    pub(super) shape: Shape,
    mesh: Py<Mesh>,
}

#[pymethods]
impl Wall {
    #[new]
    fn new(mesh: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(own) = mesh.cast::<Mesh>() else {
            return Err(type_error(mesh, "mesh", "a Mesh"));
        };
        Ok(Self {
            shape: own.get().wall(mesh.py())?,
            mesh: own.clone().unbind(),
        })
    }

    /// The mesh.
    #[getter]
    fn mesh(&self, py: Python<'_>) -> Py<Mesh> {
        self.mesh.clone_ref(py)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.mesh.get().shared() == other.mesh.get().shared()
    }

    fn __repr__(&self) -> String {
        let faces = self.mesh.get().shared().faces().len();
        let triangles = crate::report::counted(faces, "triangle", "triangles");
        format!("<tangere.Wall of {triangles}>")
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (Py<Mesh>,) {
        (self.mesh(py),)
    }
}

/// Several shapes as one body of a `Scene`.
///
/// Parts of one body do not touch each other. They may overlap.
///
/// Parameters
/// ----------
/// parts : iterable of (shape, pose)
///     A `Sphere`, `Box`, `Capsule`, `HalfSpace`, `ConvexPolyhedron`, closed `Mesh`, `Wall` or
///     `Compound` each, and its pose in the frame of the body; None for the identity.
///
/// Raises
/// ------
/// ValueError
///     If there are no parts, or a mesh is open.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> ball = tangere.Sphere(0.5)
/// >>> dumbbell = tangere.Compound([(ball, None), (ball, [1.5, 0, 0])])
/// >>> dumbbell, dumbbell.parts[1][1].tolist()
/// (<tangere.Compound of 2 parts>, [1.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Compound {
    pub(super) shape: Shape,
    parts: Vec<(Py<PyAny>, Pose)>,
}

#[pymethods]
impl Compound {
    #[new]
    fn new(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        const EXPECTED: &str = "an iterable of pairs (shape, pose)";
        let items = parts.try_iter();
        let items = items.map_err(|_| type_error(parts, "parts", EXPECTED))?;
        let (mut shapes, mut kept) = (Vec::new(), Vec::new());
        for (i, item) in items.enumerate() {
            let item = item?;
            let name = format!("parts[{i}]");
            let is_pair = item.is_instance_of::<PyTuple>() || item.is_instance_of::<PyList>();
            if !is_pair || item.len()? != 2 {
                return Err(type_error(&item, &name, "a pair (shape, pose)"));
            }
            let (given, place) = (item.get_item(0)?, item.get_item(1)?);
            let shape = shape_argument(&given, &format!("{name}[0]"), OpenMesh::RefusedPart)?;
            let place = match place.is_none() {
                true => Pose::identity(),
                false => pose(&place, &format!("{name}[1]"))?,
            };
            shapes.push((shape, place));
            kept.push((given.unbind(), place));
        }
        let shape = Shape::compound(&shapes).map_err(|_| refused("parts", "none", "at least 1"))?;
        Ok(Self { shape, parts: kept })
    }

    /// The shapes and their poses: a list of pairs (shape, float64 of shape (7,)).
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let parts = self.parts.iter().map(|(shape, pose)| {
            let numbers = from_numbers(py, pose.to_numbers().to_vec());
            (shape.clone_ref(py), numbers)
        });
        PyList::new(py, parts.collect::<Vec<_>>())
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        if self.parts.len() != other.parts.len() {
            return Ok(false);
        }
        for ((a, pose_a), (b, pose_b)) in self.parts.iter().zip(&other.parts) {
            if pose_a != pose_b || !a.bind(py).eq(b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn __repr__(&self) -> String {
        let parts = crate::report::counted(self.parts.len(), "part", "parts");
        format!("<tangere.Compound of {parts}>")
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>,)> {
        Ok((self.parts(py)?,))
    }
}
