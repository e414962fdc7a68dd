//! Shapes of bodies: triangle meshes, finite element faces and balls, with their bounding volumes.

use std::sync::Arc;

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PyTuple};
use tangere::impact::{self, hierarchy::HierarchySettings};
use tangere::shape::{FaceMesh as Faces, TriMesh};
use tangere_front::inputs::bodies::HIERARCHY;

use crate::arguments::{Argument, Given, number, type_error};
use crate::arrays::borrowed;
use crate::convex::ConvexPolyhedron;
use crate::errors::{named, of_arrays, refused};
use crate::faces::FaceMesh;
use crate::impact::bounding_volumes::{Hierarchy, settings};
use crate::impact::scene;
use crate::mesh::Mesh;
use crate::pickling::native;
use crate::report::counted;
use crate::run::{run_on, threads_of};

/// The shape that an argument gives.
pub enum Shape {
    /// A shape with its hierarchy.
    Prepared(impact::BodyShape),
    /// A surface without a hierarchy.
    Surface(Surface),
}

/// A surface over which a hierarchy can be built.
#[derive(Clone)]
pub enum Surface {
    /// A surface of triangles.
    Mesh(Arc<TriMesh>),
    /// A surface of finite element faces.
    Faces(Arc<Faces>),
}

impl From<TriMesh> for Surface {
    fn from(mesh: TriMesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

impl From<Faces> for Surface {
    fn from(mesh: Faces) -> Self {
        Self::Faces(Arc::new(mesh))
    }
}

/// Returns the mesh itself if it is not shared, else a copy.
fn own<T: Clone>(mesh: Arc<T>) -> T {
    Arc::try_unwrap(mesh).unwrap_or_else(|mesh| (*mesh).clone())
}

impl Surface {
    /// Returns the surface with a hierarchy built with `settings`.
    pub fn prepared(self, settings: &HierarchySettings) -> tangere::Result<impact::BodyShape> {
        match self {
            Self::Mesh(mesh) => impact::BodyShape::with_hierarchy(own(mesh), settings),
            Self::Faces(mesh) => impact::BodyShape::of_faces_with_hierarchy(own(mesh), settings),
        }
    }

    /// Builds the bounding volume hierarchy of the surface.
    pub fn hierarchy(
        self,
        settings: &HierarchySettings,
    ) -> tangere::Result<impact::hierarchy::Hierarchy> {
        match self {
            Self::Mesh(mesh) => impact::hierarchy::Hierarchy::of_mesh(&mesh, settings),
            faces => Ok(faces.prepared(settings)?.hierarchy().clone()),
        }
    }
}

/// What error messages name as expected if an argument is not a shape.
const EXPECTED: &str = "a Mesh, a FaceMesh, a BodyShape, a ConvexPolyhedron, a pair (vertices, \
faces) or a dict such as {'sphere': {'level': 4}}";

/// Reads a shape from an argument.
fn given(value: &Bound<'_, PyAny>, name: &str, threads: usize) -> PyResult<Shape> {
    if let Ok(shape) = value.cast::<BodyShape>() {
        return Ok(Shape::Prepared(shape.get().shape.clone()));
    }
    if let Ok(mesh) = value.cast::<Mesh>() {
        return Ok(Shape::Surface(Surface::Mesh(mesh.get().shared())));
    }
    if let Ok(mesh) = value.cast::<FaceMesh>() {
        return Ok(Shape::Surface(Surface::Faces(mesh.get().shared())));
    }
    if let Ok(body) = value.cast::<ConvexPolyhedron>() {
        let mesh = body.get().shared().to_mesh();
        let mesh = mesh.map_err(|e| named(e, |_, _| name.to_owned()))?;
        return Ok(Shape::Surface(mesh.into()));
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        return Ok(Shape::Surface(scene::surface_of(mapping, name, threads)?));
    }
    match pair(value)? {
        Some([vertices, faces]) => {
            let names = [format!("{name}[0]"), format!("{name}[1]")];
            let mesh = Mesh::of_arrays(&vertices, &faces, [&names[0], &names[1]])?;
            Ok(Shape::Surface(Surface::Mesh(mesh.shared())))
        }
        None => Err(type_error(value, name, EXPECTED)),
    }
}

/// Returns the two items of a list or tuple; `None` if the object is not a list or tuple of two.
fn pair<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<[Bound<'py, PyAny>; 2]>> {
    let is_pair = value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>();
    if !is_pair || value.len()? != 2 {
        return Ok(None);
    }
    Ok(Some([value.get_item(0)?, value.get_item(1)?]))
}

/// Reads a shape from an argument and adds a hierarchy; a `Mesh` keeps its hierarchy for the next
/// call.
pub fn shape_argument(
    value: &Bound<'_, PyAny>,
    name: &str,
    threads: usize,
) -> PyResult<impact::BodyShape> {
    if let Ok(mesh) = value.cast::<Mesh>() {
        return mesh.get().body_shape(value.py(), name, threads);
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        return scene::shape_of(mapping, name, threads);
    }
    match given(value, name, threads)? {
        Shape::Prepared(shape) => Ok(shape),
        Shape::Surface(surface) => prepared(value.py(), surface, HIERARCHY, name, threads),
    }
}

/// Reads a surface from an argument.
pub fn surface_argument(value: &Bound<'_, PyAny>, name: &str, threads: usize) -> PyResult<Surface> {
    match given(value, name, threads)? {
        Shape::Surface(surface) => Ok(surface),
        Shape::Prepared(shape) if shape.radius() > 0.0 => {
            let expected = "a surface: a ball has no triangles";
            Err(refused(name, "a ball", expected))
        }
        Shape::Prepared(shape) => match shape.face_mesh() {
            Some(mesh) => Ok(mesh.into()),
            None => {
                let mesh = TriMesh::new(shape.points().to_vec(), shape.faces().to_vec());
                Ok(mesh.map_err(|e| named(e, |_, _| name.to_owned()))?.into())
            }
        },
    }
}

/// Returns a surface with a hierarchy built with `settings`, without the GIL.
fn prepared(
    py: Python<'_>,
    surface: Surface,
    settings: HierarchySettings,
    name: &str,
    threads: usize,
) -> PyResult<impact::BodyShape> {
    let made = run_on(py, threads, move || surface.prepared(&settings))?;
    made.map_err(|e| named(e, |_, _| name.to_owned()))
}

/// Returns a ball about the origin.
pub fn ball(radius: &Bound<'_, PyAny>) -> PyResult<impact::BodyShape> {
    let radius = number(radius, "radius")?;
    impact::BodyShape::ball(radius).map_err(|e| of_arrays(e, &[]))
}

/// Shape of bodies of `ImpactEngine` with its bounding volume hierarchy, made once for many bodies.
///
/// A `Mesh` builds and keeps a default hierarchy when it is first needed, top-down; this class is
/// for other settings.
///
/// Parameters
/// ----------
/// shape : Mesh, FaceMesh, ConvexPolyhedron, BodyShape, (vertices, faces) or dict
///     A surface, closed or not, of triangles or of finite element faces, which stay curved. A
///     dictionary is the shape of a scene, such as ``{"sphere": {"level": 4}}`` or
///     ``{"file": "part.stl", "scale": 0.001}``.
/// construction : {'top-down', 'bottom-up', 'online'}, optional
///     How the hierarchy is built; see `hierarchy`.
/// volume : {'box', 'ball'}, optional
///     The bounding volume that the construction minimises.
/// branching : int, optional
///     The largest number of children of a node, from 2 to 16.
#[doc = include_str!("../threads.txt")]
/// Raises
/// ------
/// ValueError
///     If an argument is out of its range, or the shape is a ball or of segments.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> shape = tangere.BodyShape(tangere.generate.sphere(3), construction="bottom-up")
/// >>> shape
/// <tangere.BodyShape of 512 triangles on 258 vertices>
/// >>> bodies = [tangere.Body(shape, position=[3 * i, 0, 0]) for i in range(100)]
/// >>> shape.vertices.shape, shape.faces.shape, shape.radius, shape.hierarchy.branching
/// ((258, 3), (512, 3), 0.0, 8)
/// >>> nodes = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]
/// >>> tangere.BodyShape(tangere.FaceMesh(nodes, [[0, 1, 2, 3]], "quad4")).face_mesh
/// <tangere.FaceMesh of 1 face on 4 nodes>
#[pyclass(frozen, weakref, module = "tangere")]
pub struct BodyShape {
    pub shape: impact::BodyShape,
}

#[pymethods]
impl BodyShape {
    #[new]
    #[pyo3(signature = (shape, *, construction=Given(None), volume=Given(None),
                        branching=Given(None), threads=None))]
    #[pyo3(
        text_signature = "(shape, *, construction='top-down', volume='box', branching=8, threads=None)"
    )]
    fn new(
        shape: &Bound<'_, PyAny>,
        construction: Given<'_>,
        volume: Given<'_>,
        branching: Given<'_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let default = HierarchySettings::default();
        let settings = settings(construction, volume, branching, default)?;
        let threads = threads_of(threads)?;
        let surface = surface_argument(shape, "shape", threads)?;
        let shape = prepared(shape.py(), surface, settings, "shape", threads)?;
        Ok(Self { shape })
    }

    /// A ball about the origin: an exact sphere, not triangles.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     More than 0.
    ///
    /// Returns
    /// -------
    /// BodyShape
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If it is not positive, or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> tangere.BodyShape.ball(0.5)
    /// <tangere.BodyShape, a ball of radius 0.5>
    #[staticmethod]
    #[pyo3(name = "ball")]
    fn of_ball(radius: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            shape: ball(radius)?,
        })
    }

    /// The vertices of a mesh, the nodes of finite element faces, or the centre of a ball: a
    /// read-only view of the shape's memory, float64 of shape (N, 3). It keeps the shape alive.
    #[getter]
    fn vertices<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let shape = &slf.get().shape;
        // SAFETY: the class is frozen, and points of a shared shape are copied before they are
        // moved.
        unsafe { borrowed(shape.points(), slf.clone().into_any()) }
    }

    /// The triangles, of which a ball has none: a read-only view of the shape's memory, uint32 of
    /// shape (M, 3). It keeps the shape alive. For finite element faces these are the first three
    /// corners; `face_mesh` has all their nodes.
    #[getter]
    fn faces<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let shape = &slf.get().shape;
        let faces = match shape.radius() > 0.0 {
            true => &[],
            false => shape.faces(),
        };
        // SAFETY: the class is frozen, and the faces of a shape never change.
        unsafe { borrowed(faces, slf.clone().into_any()) }
    }

    /// The finite element faces, a `FaceMesh`; None for triangles and balls.
    #[getter]
    fn face_mesh(&self, py: Python<'_>) -> Option<FaceMesh> {
        let mesh = py.detach(|| self.shape.face_mesh());
        mesh.map(FaceMesh::from_mesh)
    }

    /// The radius of a ball; 0 for a surface.
    #[getter]
    fn radius(&self) -> f64 {
        self.shape.radius()
    }

    /// The bounding volume hierarchy over the faces, a `Hierarchy`.
    #[getter]
    fn hierarchy(&self, py: Python<'_>) -> Hierarchy {
        Hierarchy {
            hierarchy: py.detach(|| self.shape.hierarchy().clone()),
        }
    }

    /// Pickles the arguments; unpickling builds the hierarchy again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let restore = native(py, "_restored_body_shape")?;
        let shape = &slf.get().shape;
        if shape.radius() > 0.0 {
            return (restore, (shape.radius(),)).into_pyobject(py);
        }
        let surface = match slf.get().face_mesh(py) {
            Some(mesh) => Bound::new(py, mesh)?.into_any(),
            None => (Self::vertices(slf)?, Self::faces(slf)?)
                .into_pyobject(py)?
                .into_any(),
        };
        let settings = shape.hierarchy().settings();
        let (construction, volume) = (settings.construction.name(), settings.volume.name());
        (restore, (surface, construction, volume, settings.branching)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        if self.shape.radius() > 0.0 {
            let radius = self.shape.radius();
            return format!("<tangere.BodyShape, a ball of radius {radius}>");
        }
        let vertices = self.shape.kinds().map_or("vertices", |_| "nodes");
        let (faces, count) = (faces_of(&self.shape), self.shape.points().len());
        format!("<tangere.BodyShape of {faces} on {count} {vertices}>")
    }
}

/// Returns the number of faces of a shape with its noun, such as "12 triangles".
pub fn faces_of(shape: &impact::BodyShape) -> String {
    let (one, many) = match shape.kinds() {
        Some(_) => ("face", "faces"),
        None => ("triangle", "triangles"),
    };
    counted(shape.faces().len(), one, many)
}

/// Restores a pickled shape: the radius of a ball, or a surface and the settings of its
/// hierarchy.
#[pyfunction(name = "_restored_body_shape")]
#[pyo3(signature = (shape, *settings))]
pub fn restored_body_shape(
    shape: &Bound<'_, PyAny>,
    settings: &Bound<'_, PyTuple>,
) -> PyResult<BodyShape> {
    let given = |i| settings.get_item(i).map(|value| Given(Some(value)));
    match settings.is_empty() {
        true => BodyShape::of_ball(shape),
        false => BodyShape::new(shape, given(0)?, given(1)?, given(2)?, None),
    }
}
