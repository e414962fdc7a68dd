//! Convex polyhedra as Python objects: convex hulls and their mass properties.

use std::sync::{Arc, OnceLock};

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyList;
use tangere::scene;
use tangere::shape::{self, MassProperties};

use crate::arguments::Argument;
use crate::arrays::{borrowed, from_numbers, from_points, points};
use crate::errors::{What, named, of_arrays};
use crate::mesh::Mesh;
use crate::pickling::reduced;
use crate::report::{bounds_array, counted};
use crate::run::run;

/// Convex hull of points, with its vertices, edges and faces.
///
/// It is exact: its vertices are exactly the corners among the points, and coplanar points share
/// one face. The hull of equal points is a point, that of collinear points a segment, that of
/// coplanar points a flat polygon. A polyhedron is immutable.
///
/// Parameters
/// ----------
/// points : array_like, shape (N, 3)
///     Real numbers of any dtype and layout, N at least 1.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If a shape is wrong, there is no point, or a coordinate is not finite, or nonzero and
///     smaller than the largest by a factor of more than 1e150.
///
/// Notes
/// -----
/// Vertices are in the order of the points. A face begins at its vertex of lowest index and runs
/// counter-clockwise seen from outside; faces are in the order of their first two vertices.
/// Polyhedra are equal if their vertices are. They can be pickled and copied; `sources` are not
/// kept then.
///
/// Examples
/// --------
/// >>> import itertools, tangere
/// >>> corners = list(itertools.product([0, 1], repeat=3))
/// >>> cube = tangere.ConvexPolyhedron([(0.5, 0.5, 0.5), *corners])
/// >>> cube
/// <tangere.ConvexPolyhedron of 8 vertices, 12 edges and 6 faces>
/// >>> cube.volume
/// 1.0
/// >>> tangere.ConvexPolyhedron([[1, 2, 3], [4, 5, 6], [2, 3, 4]]).dimension
/// 1
///
/// A flat polygon has two faces:
///
/// >>> flat = tangere.ConvexPolyhedron([[0, 0, 4], [2, 0, 4], [1, 0, 4], [0, 2, 4]])
/// >>> flat.dimension, flat.vertices.tolist(), flat.sources.tolist()
/// (2, [[0.0, 0.0, 4.0], [2.0, 0.0, 4.0], [0.0, 2.0, 4.0]], [0, 1, 3])
/// >>> flat.edges.tolist(), [face.tolist() for face in flat.faces]
/// ([[0, 1], [1, 2], [2, 0]], [[0, 1, 2], [0, 2, 1]])
/// >>> flat.normals.tolist(), flat.offsets.tolist()
/// ([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]], [4.0, -4.0])
///
/// Mass properties of a block:
///
/// >>> block = tangere.ConvexPolyhedron(list(itertools.product([0, 2], [0, 4], [0, 6])))
/// >>> block.volume, block.centroid.tolist(), block.bounds.tolist()
/// (48.0, [1.0, 2.0, 3.0], [[0.0, 0.0, 0.0], [2.0, 4.0, 6.0]])
/// >>> block.inertia.diagonal().round(12).tolist()
/// [208.0, 160.0, 80.0]
#[pyclass(frozen, weakref, module = "tangere")]
pub struct ConvexPolyhedron {
    shape: Arc<shape::ConvexPolyhedron>,
    mass: OnceLock<MassProperties>,
    scene_shape: OnceLock<scene::Shape>,
}

impl ConvexPolyhedron {
    /// Wraps a polyhedron of the library.
    fn from_shape(shape: shape::ConvexPolyhedron) -> Self {
        Self::of_shared(Arc::new(shape))
    }

    /// Wraps a polyhedron of the library that others use as well.
    pub fn of_shared(shape: Arc<shape::ConvexPolyhedron>) -> Self {
        Self {
            shape,
            mass: OnceLock::new(),
            scene_shape: OnceLock::new(),
        }
    }

    /// Returns the polyhedron of the library.
    pub fn shared(&self) -> Arc<shape::ConvexPolyhedron> {
        self.shape.clone()
    }

    /// Returns the polyhedron as the shape of bodies of a scene, which share it.
    pub fn scene_shape(&self) -> scene::Shape {
        let make = || scene::Shape::convex((*self.shape).clone());
        self.scene_shape.get_or_init(make).clone()
    }

    /// Reads a convex body from an argument: a polyhedron, or the hull of the vertices of a mesh or
    /// of points.
    pub fn argument(
        value: &Bound<'_, PyAny>,
        name: &str,
        threads: Argument<'_, '_>,
    ) -> PyResult<Arc<shape::ConvexPolyhedron>> {
        if let Ok(polyhedron) = value.cast::<Self>() {
            return Ok(polyhedron.get().shared());
        }
        let Ok(mesh) = value.cast::<Mesh>() else {
            return hull_of_points(value, name, threads).map(Arc::new);
        };
        let mesh = mesh.get().shared();
        let hull = move || shape::ConvexPolyhedron::hull(mesh.vertices());
        hulled(value.py(), threads, name, hull).map(Arc::new)
    }

    fn mass(&self, py: Python<'_>) -> MassProperties {
        py.detach(|| *self.mass.get_or_init(|| self.shape.mass_properties()))
    }
}

/// Computes a hull without the GIL; errors call its points `name`.
fn hulled(
    py: Python<'_>,
    threads: Argument<'_, '_>,
    name: &str,
    hull: impl FnOnce() -> tangere::Result<shape::ConvexPolyhedron> + Send + 'static,
) -> PyResult<shape::ConvexPolyhedron> {
    let names = [(What::Point, name), (What::HullPoints, name)];
    run(py, threads, hull)?.map_err(|e| of_arrays(e, &names))
}

fn hull_of_points(
    value: &Bound<'_, PyAny>,
    name: &str,
    threads: Argument<'_, '_>,
) -> PyResult<shape::ConvexPolyhedron> {
    let points = points::<3>(value, name)?;
    let hull = move || shape::ConvexPolyhedron::hull(&points);
    hulled(value.py(), threads, name, hull)
}

#[pymethods]
impl ConvexPolyhedron {
    #[new]
    #[pyo3(signature = (points, *, threads=None))]
    fn new(points: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Self> {
        hull_of_points(points, "points", threads).map(Self::from_shape)
    }

    /// Convex polyhedron from its surface mesh.
    ///
    /// The surface must be closed, connected, oriented and convex, which is decided exactly.
    /// Coplanar triangles become one face, and vertices inside faces or edges are dropped. The
    /// orientation may be outward or inward.
    ///
    /// Parameters
    /// ----------
    /// mesh : Mesh
    #[doc = include_str!("threads.txt")]
    /// Raises
    /// ------
    /// ValueError
    ///     If the surface violates one of these; the message has the vertices and coordinates of
    ///     an edge that is not convex, or not closed.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> tangere.ConvexPolyhedron.from_mesh(tangere.generate.sphere(2))
    /// <tangere.ConvexPolyhedron of 66 vertices, 192 edges and 128 faces>
    #[staticmethod]
    #[pyo3(signature = (mesh, *, threads=None))]
    fn from_mesh(mesh: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Self> {
        let py = mesh.py();
        let mesh = Mesh::argument(mesh, "mesh")?;
        let made = run(py, threads, move || {
            shape::ConvexPolyhedron::from_mesh(&mesh)
        })?;
        let name = |what: What, index: Option<usize>| match index {
            Some(i) => format!("{what} {i} of mesh"),
            None => format!("{what} of mesh"),
        };
        Ok(Self::from_shape(made.map_err(|e| named(e, name))?))
    }

    /// The dimension: 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid.
    #[getter]
    fn dimension(&self) -> u32 {
        self.shape.dimension()
    }

    /// The vertices: a read-only view of the polyhedron's memory, float64 of
    /// shape (V, 3). It keeps the polyhedron alive.
    #[getter]
    fn vertices<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let shape = &slf.get().shape;
        // SAFETY: the class is frozen and its shape is never replaced or changed.
        unsafe { borrowed(shape.vertices(), slf.clone().into_any()) }
    }

    /// The index of the point, or of the vertex of the mesh, that each vertex comes from; of equal
    /// points the first. uint32 of shape (V,).
    #[getter]
    fn sources<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        from_numbers(py, self.shape.sources().to_vec())
    }

    /// The edges, two vertices each: uint32 of shape (E, 2).
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let edges = 0..self.shape.edge_count() as u32;
        from_points(py, edges.map(|e| self.shape.edge_vertices(e)).collect())
    }

    /// The faces: a list with the vertices of each face, counter-clockwise as seen from outside, as
    /// an array of uint32. A flat polygon has two faces, a segment none.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let face = |f| from_numbers(py, self.shape.face_vertices(f).collect::<Vec<u32>>());
        let faces: Vec<_> = (0..self.shape.face_count() as u32).map(face).collect();
        PyList::new(py, faces)
    }

    /// The outward unit normals of the faces: float64 of shape (F, 3).
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let normals = self.shape.planes().iter().map(|plane| plane.normal);
        from_points(py, normals.collect())
    }

    /// The offsets of the faces: ``normal @ x <= offset`` for every ``x`` of the
    /// polyhedron. float64 of shape (F,).
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let offsets = self.shape.planes().iter().map(|plane| plane.offset);
        from_numbers(py, offsets.collect())
    }

    /// The volume; 0 unless the dimension is 3.
    #[getter]
    fn volume(&self, py: Python<'_>) -> f64 {
        self.mass(py).volume
    }

    /// The centroid of the volume of a solid, the area of a flat polygon or the length of a
    /// segment: float64 of shape (3,).
    #[getter]
    fn centroid<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        from_numbers(py, self.mass(py).centroid.to_vec())
    }

    /// The inertia tensor about the centroid, at density 1: float64 of shape (3, 3). 0 unless the
    /// dimension is 3.
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = self.mass(py).inertia.map(|row| row.map(|x| x + 0.0));
        from_points(py, rows.to_vec())
    }

    /// The axis-aligned bounding box: its lower and its upper corner as the rows of a new array of
    /// shape (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        bounds_array(py, &self.shape.bounds())
    }

    /// The surface as a `Mesh`: each face is a fan of triangles from its vertex
    /// of lowest index. Vertices keep their indices.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the polyhedron is a point or a segment.
    ///
    /// Examples
    /// --------
    /// >>> import itertools, tangere
    /// >>> tangere.ConvexPolyhedron(list(itertools.product([0, 1], repeat=3))).mesh()
    /// <tangere.Mesh of 12 triangles on 8 vertices>
    fn mesh(&self, py: Python<'_>) -> PyResult<Mesh> {
        let mesh = py.detach(|| self.shape.to_mesh());
        let names = [(What::Vertex, "vertices")];
        Ok(Mesh::from_parts(
            mesh.map_err(|e| of_arrays(e, &names))?,
            None,
        ))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        // The vertices in their order determine the hull and its numbering.
        let (a, b) = (&self.shape, &other.shape);
        py.detach(|| a.vertices() == b.vertices())
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyArray2<f64>>,)> {
        Ok((Self::vertices(slf)?,))
    }

    fn __repr__(&self) -> String {
        format!(
            "<tangere.ConvexPolyhedron of {}, {} and {}>",
            counted(self.shape.vertex_count(), "vertex", "vertices"),
            counted(self.shape.edge_count(), "edge", "edges"),
            counted(self.shape.face_count(), "face", "faces"),
        )
    }
}
