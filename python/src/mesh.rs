//! Triangle meshes as Python objects: reports, repairs, transformations, nearest points.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use tangere::closest::{MeshSurface, TriangleTree};
use tangere::impact::BodyShape;
use tangere::overlap::pack::PackSettings;
use tangere::scene::Shape;
use tangere::shape::{
    DEFAULT_HOLE_EDGES, HolesFilled, MOST_HOLE_EDGES, MassProperties, Packing, Reoriented, TriMesh,
    Welded,
};
use tangere_front::answers::closest::SURFACE_POINT;
use tangere_front::answers::report::{REPAIR, Repair};

use crate::arguments::{Argument, Given, integer, number, type_error};
use crate::arrays::{Rows, any_points, borrowed, from_numbers, from_points, points, triangles};
use crate::errors::{What, named, of_arrays, refused, value_error};
use crate::grid_field::{GridArguments, QueryGrid};
use crate::pack::packed;
use crate::pickling::native;
use crate::point_to_surface::{Prepared, near, rows};
use crate::poses::similarity;
use crate::record::record;
use crate::report::{bounds_array, counted, mesh_report};
use crate::run::{run, run_on};

/// Triangle mesh: a surface of triangles.
///
/// The arrays are copied once, checked, and then kept exactly as given: nothing is welded, dropped
/// or reoriented. `report` lists all other defects of the surface. A mesh is immutable.
///
/// Parameters
/// ----------
/// vertices : array_like, shape (N, 3)
///     Real numbers of any dtype and layout.
/// faces : array_like, shape (M, 3)
///     Integers of any dtype and layout, each from 0 to below N. The corners of a triangle are
///     counter-clockwise seen from outside.
///
/// Raises
/// ------
/// ValueError
///     If a shape is wrong, a coordinate is not finite (or of a magnitude
///     outside of 4.9e-91 to 1.6e60), an index is out of range, or the surface
///     has no triangle or no extent.
///
/// Notes
/// -----
/// ``len(mesh)`` is the number of triangles. Meshes are equal if their vertices
/// and faces are. They can be pickled and copied.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> mesh = tangere.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
/// >>> mesh
/// <tangere.Mesh of 1 triangle on 3 vertices>
/// >>> mesh.report.area
/// 0.5
/// >>> mesh.vertices.dtype, mesh.faces.tolist(), mesh.bounds[1].tolist()
/// (dtype('float64'), [[0, 1, 2]], [1.0, 1.0, 0.0])
/// >>> tangere.generate.sphere(1).welded(0.8).repair
/// Repair(merged=12, collapsed=24, flipped=0, filled=0, added=0)
/// >>> print(mesh.source)
/// None
/// >>> tangere.generate.sponge(0).centroid.tolist(), mesh.centroid is None
/// ([0.5, 0.5, 0.5], True)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Mesh {
    mesh: Arc<TriMesh>,
    /// The file that the mesh was read from, a record of class `Source`; `None` if not from a file.
    source: Option<Py<PyAny>>,
    /// The changes by a repair, a record of class `Repair`; `None` if there was no repair.
    repair: Option<Py<PyAny>>,
    report: PyOnceLock<Py<PyAny>>,
    surface: Prepared<Arc<MeshSurface>>,
    tree: Prepared<Arc<TriangleTree>>,
    packing: Prepared<Arc<Packing>>,
    body: Prepared<BodyShape>,
    mass: Prepared<Option<MassProperties>>,
    solid: Prepared<Option<Shape>>,
    wall: Prepared<Shape>,
}

impl Mesh {
    /// Wraps a mesh of the library.
    pub fn from_parts(mesh: TriMesh, source: Option<Py<PyAny>>) -> Self {
        Self {
            mesh: Arc::new(mesh),
            source,
            repair: None,
            report: PyOnceLock::new(),
            surface: Prepared::default(),
            tree: Prepared::default(),
            packing: Prepared::default(),
            body: Prepared::default(),
            mass: Prepared::default(),
            solid: Prepared::default(),
            wall: Prepared::default(),
        }
    }

    /// Reads a mesh from an argument.
    pub fn argument(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Arc<TriMesh>> {
        match value.cast::<Self>() {
            Ok(mesh) => Ok(mesh.get().shared()),
            Err(_) => Err(type_error(value, name, "a Mesh")),
        }
    }

    /// Returns the mesh of the library.
    pub fn shared(&self) -> Arc<TriMesh> {
        self.mesh.clone()
    }

    /// Returns the mesh as a solid of a scene, prepared at first use; `None` if it is open. Errors
    /// call it `name`.
    pub fn solid(&self, py: Python<'_>, name: &str) -> PyResult<Option<Shape>> {
        self.solid.get_or(|| {
            let mesh = self.mesh.clone();
            match run(py, None, move || Shape::solid(&mesh))? {
                Ok(solid) => Ok(Some(solid)),
                Err(tangere::Error::Surface { report, .. }) if !report.closed => Ok(None),
                Err(error) => Err(named(error, |_, _| name.to_owned())),
            }
        })
    }

    /// Returns the mesh as a wall of a scene, prepared at first use.
    pub fn wall(&self, py: Python<'_>) -> PyResult<Shape> {
        self.wall.get(py, None, &self.mesh, Shape::wall)
    }

    /// Returns the sphere packing of the body that this mesh bounds, with the default number of
    /// spheres; made at first use.
    pub fn packing(
        &self,
        py: Python<'_>,
        name: &str,
        threads: Argument<'_, '_>,
    ) -> PyResult<Arc<Packing>> {
        let pack = || packed(py, self.shared(), PackSettings::default(), name, threads);
        self.packing.get_or(pack)
    }

    /// Returns the mesh with a BVH over its triangles, built at first use.
    pub fn triangle_tree(
        &self,
        py: Python<'_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Arc<TriangleTree>> {
        let make = |mesh: &TriMesh| Arc::new(TriangleTree::new(mesh));
        self.tree.get(py, threads, &self.mesh, make)
    }

    /// Returns the mesh as the shape of a body of `ImpactEngine`, with its bounding volume
    /// hierarchy, built at first use.
    pub fn body_shape(&self, py: Python<'_>, name: &str, threads: usize) -> PyResult<BodyShape> {
        self.body.get_or(|| {
            let mesh = self.shared();
            let shape = run_on(py, threads, move || BodyShape::of_mesh((*mesh).clone()))?;
            shape.map_err(|e| named(e, |_, _| name.to_owned()))
        })
    }

    /// Returns the search structure for queries of points, built at first use.
    fn surface(&self, py: Python<'_>, threads: Argument<'_, '_>) -> PyResult<Arc<MeshSurface>> {
        let make = |mesh: &TriMesh| Arc::new(MeshSurface::new(mesh));
        self.surface.get(py, threads, &self.mesh, make)
    }

    /// Returns the search structure for signed distances, and warns if they have no sign.
    fn signed_surface(
        &self,
        py: Python<'_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Arc<MeshSurface>> {
        let surface = self.surface(py, threads)?;
        if !surface.is_signed() {
            let warning = py.get_type::<PyUserWarning>();
            let message = c"mesh: not closed and oriented, so that its distances have no sign; Mesh.fill_holes \
closes small holes, Mesh.reoriented orients faces";
            PyErr::warn(py, &warning, message, 1)?;
        }
        Ok(surface)
    }

    /// Returns the mass properties at density 1, computed at first use.
    fn mass_properties(&self, py: Python<'_>) -> PyResult<Option<MassProperties>> {
        self.mass
            .get(py, None, &self.mesh, TriMesh::mass_properties)
    }

    /// Returns a mesh from arrays; errors call them by the given names.
    pub fn of_arrays(
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        [vertices_name, faces_name]: [&str; 2],
    ) -> PyResult<Self> {
        let py = vertices.py();
        let vertices = points::<3>(vertices, vertices_name)?;
        let faces = triangles(faces, faces_name, vertices.len())?;
        if faces.is_empty() {
            let expected = "at least one triangle";
            return Err(refused(faces_name, "no triangles", expected));
        }
        let mesh = run(py, None, move || TriMesh::new(vertices, faces))?.map_err(|e| {
            // The only other error about the mesh as a whole is its extent.
            of_arrays(
                e,
                &[(What::Vertex, vertices_name), (What::Mesh, vertices_name)],
            )
        })?;
        Ok(Self::from_parts(mesh, None))
    }

    /// Returns the mesh that `derive` makes from this one. If `derive` also returns a repair, then
    /// the mesh stores it as a record of class `Repair`.
    fn derived(
        &self,
        py: Python<'_>,
        threads: Argument<'_, '_>,
        derive: impl FnOnce(&TriMesh) -> tangere::Result<(TriMesh, Option<Repair>)> + Send + 'static,
    ) -> PyResult<Self> {
        let mesh = self.shared();
        let (derived, repair) = run(py, threads, move || derive(&mesh))?.map_err(|e| {
            named(e, |what, index| match (what, index) {
                // The vertex is that of the result, not of this mesh.
                (What::Vertex, Some(i)) => format!("vertices[{i}] of the result"),
                (What::Face, Some(i)) => format!("faces[{i}]"),
                (What::Mesh, _) => "the result".into(),
                (What::WeldTolerance, _) => "tolerance".into(),
                _ => what.name().into(),
            })
        })?;
        let repair = repair.map(|repair| record(py, "Repair", REPAIR, &repair));
        Ok(Self {
            repair: repair.transpose()?.map(Bound::unbind),
            ..Self::from_parts(derived, None)
        })
    }
}

/// Reads the argument `density`.
fn density_of(density: Given<'_>) -> PyResult<f64> {
    let density = density.or(1.0, "density", number)?;
    match density.is_finite() && density > 0.0 {
        true => Ok(density),
        false => Err(refused("density", density, "a finite number above 0")),
    }
}

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (vertices, faces))]
    fn new(vertices: &Bound<'_, PyAny>, faces: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of_arrays(vertices, faces, ["vertices", "faces"])
    }

    /// The vertices: a read-only view of the mesh's memory, float64 of shape
    /// (N, 3). It keeps the mesh alive.
    #[getter]
    fn vertices<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mesh = &slf.get().mesh;
        // SAFETY: the class is frozen and its mesh is never replaced or changed.
        unsafe { borrowed(mesh.vertices(), slf.clone().into_any()) }
    }

    /// The triangles, three vertex indices each: a read-only view of the
    /// mesh's memory, uint32 of shape (M, 3). It keeps the mesh alive.
    #[getter]
    fn faces<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let mesh = &slf.get().mesh;
        // SAFETY: the class is frozen and its mesh is never replaced or changed.
        unsafe { borrowed(mesh.faces(), slf.clone().into_any()) }
    }

    /// Report on the surface and its defects, a `MeshReport`; computed at first use, then stored.
    #[getter]
    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if let Some(report) = self.report.get(py) {
            return Ok(report.clone_ref(py));
        }
        // The report is not computed inside the lock, for the reason given at `Prepared`.
        let mesh = self.shared();
        let report = run(py, None, move || mesh.report())?;
        let report = mesh_report(py, &report)?.unbind();
        Ok(self.report.get_or_init(py, || report).clone_ref(py))
    }

    /// The `report` with self-intersections counted, which takes longer: pairs of triangles that
    /// intersect although they share no vertex.
    ///
    /// Parameters
    /// ----------
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// MeshReport
    ///     Its ``self_intersections`` is a number; `self_intersections` lists the pairs.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> mesh = tangere.generate.sphere(2)
    /// >>> print(mesh.report.self_intersections)
    /// None
    /// >>> mesh.report_with_self_intersections().self_intersections
    /// 0
    #[pyo3(signature = (*, threads=None))]
    fn report_with_self_intersections<'py>(
        &self,
        py: Python<'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mesh = self.shared();
        let report = run(py, threads, move || mesh.report_with_self_intersections())?;
        mesh_report(py, &report)
    }

    /// The axis-aligned bounding box of all vertices that triangles use: its lower and its upper
    /// corner as the rows of a new array of shape (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bounds = py.detach(|| self.mesh.bounds());
        bounds_array(py, &bounds)
    }

    /// The file that the mesh was read from, a `Source`; None unless the mesh comes directly from
    /// `load`.
    #[getter]
    fn source(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.source.as_ref().map(|source| source.clone_ref(py))
    }

    /// The changes of a repair, a `Repair`; None unless the mesh comes directly from `welded`, `fill_holes` or
    /// `reoriented`.
    #[getter]
    fn repair(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.repair.as_ref().map(|repair| repair.clone_ref(py))
    }

    /// The mesh scaled about the origin, then rotated about it, then translated.
    ///
    /// Parameters
    /// ----------
    /// scale : float, optional
    ///     The factor, not 0. A negative one mirrors, and reverses the triangles so that normals
    ///     still point outward.
    /// rotate : str or array_like, optional
    ///     An axis and degrees as of the command line, such as ``"x:90"`` or
    ///     ``"1,1,0:30"``; a unit quaternion (w, x, y, z); or a rotation matrix
    ///     of shape (3, 3). Right-handed: ``"z:90"`` takes x to y. Multiples of
    ///     90 degrees about x, y and z are exact.
    /// translate : array_like, shape (3,), optional
    ///     The translation.
    /// pose : array_like, optional
    ///     Rotation and translation in one, in place of the two: 3 numbers
    ///     (tx, ty, tz), 7 numbers (tx, ty, tz, qw, qx, qy, qz) or a matrix of
    ///     shape (4, 4) that acts on columns (x, y, z, 1).
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// Mesh
    ///     A new mesh.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sphere = tangere.generate.sphere(0)
    /// >>> sphere.transformed(scale=2, translate=(0, 0, 2)).bounds
    /// array([[-2., -2.,  0.],
    ///        [ 2.,  2.,  4.]])
    /// >>> sphere.transformed(translate=(2, 0, 0)).transformed(rotate="z:90").bounds
    /// array([[-1.,  1., -1.],
    ///        [ 1.,  3.,  1.]])
    #[pyo3(signature = (
        *, scale=Given(None), rotate=None, translate=None, pose=None, threads=None
    ))]
    #[pyo3(
        text_signature = "($self, *, scale=1.0, rotate=None, translate=None, pose=None, threads=None)"
    )]
    fn transformed(
        &self,
        py: Python<'_>,
        scale: Given<'_>,
        rotate: Argument<'_, '_>,
        translate: Argument<'_, '_>,
        pose: Argument<'_, '_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let similarity = similarity(scale, rotate, translate, pose)?;
        self.derived(py, threads, move |mesh| {
            Ok((mesh.transformed(&similarity)?, None))
        })
    }

    /// The mesh with close vertices welded.
    ///
    /// Every vertex is merged into the nearest earlier one that was kept, if that is within the
    /// tolerance; triangles that collapse are dropped.
    ///
    /// Parameters
    /// ----------
    /// tolerance : float
    ///     The largest distance. 0 merges equal vertices only.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// Mesh
    ///     A new mesh; its ``repair`` has the numbers of merged vertices and of dropped
    ///     triangles.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> mesh = tangere.Mesh(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 1e-9], [1, 1, 0], [0, 1, 0]],
    /// ...     [[0, 1, 2], [3, 4, 5]],
    /// ... )
    /// >>> welded = mesh.welded(1e-6)
    /// >>> welded
    /// <tangere.Mesh of 2 triangles on 4 vertices>
    /// >>> welded.repair.merged, welded.repair.collapsed
    /// (2, 0)
    #[pyo3(signature = (tolerance, *, threads=None))]
    fn welded(&self, tolerance: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Self> {
        let py = tolerance.py();
        let tolerance = number(tolerance, "tolerance")?;
        self.derived(py, threads, move |mesh| {
            let Welded {
                mesh,
                merged,
                collapsed,
            } = mesh.welded(tolerance)?;
            let repair = Repair {
                merged,
                collapsed,
                ..Repair::default()
            };
            Ok((mesh, Some(repair)))
        })
    }

    /// The mesh with a consistent orientation: neighbours agree, and normals point outward, or into
    /// the cavity where a shell lies inside another. Open parts keep the orientation of most of
    /// their triangles.
    ///
    /// Parameters
    /// ----------
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// Mesh
    ///     A new mesh with the same vertices and the triangles in the same
    ///     order; the rows of ``faces`` that differ are those reversed, and its ``repair`` has
    ///     their number.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the surface is not orientable, such as a Möbius strip.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sphere = tangere.generate.sphere(1)
    /// >>> inverted = tangere.Mesh(sphere.vertices, sphere.faces[:, ::-1])
    /// >>> inverted.report.volume < 0 < inverted.reoriented().report.volume
    /// True
    #[pyo3(signature = (*, threads=None))]
    fn reoriented(&self, py: Python<'_>, threads: Argument<'_, '_>) -> PyResult<Self> {
        self.derived(py, threads, |mesh| {
            let Reoriented { mesh, flipped } = mesh.reoriented()?;
            let repair = Repair {
                flipped,
                ..Repair::default()
            };
            Ok((mesh, Some(repair)))
        })
    }

    /// The mesh with small holes filled, each by the triangulation of least area.
    ///
    /// A hole is a loop of edges that belong to one triangle; the outer edge of an open sheet is
    /// one, too. New triangles are oriented like their neighbours; no vertex is added.
    ///
    /// Parameters
    /// ----------
    /// max_edges : int, default 200
    ///     The largest number of edges of a hole, from 3 to 1000. Larger holes stay open.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// Mesh
    ///     A new mesh; its ``repair`` has the numbers of holes filled and of triangles added, its
    ///     ``report`` the boundary edges that are left.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If ``max_edges`` is out of range.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sphere = tangere.generate.sphere(3)
    /// >>> scan = tangere.Mesh(sphere.vertices, sphere.faces[5:])
    /// >>> scan.report.closed, scan.report.boundary_edges
    /// (False, 7)
    /// >>> closed = scan.fill_holes()
    /// >>> closed.report.closed, closed.repair.filled, closed.repair.added
    /// (True, 1, 5)
    #[pyo3(signature = (max_edges=Given::default(), *, threads=None),
           text_signature = "($self, max_edges=200, *, threads=None)")]
    fn fill_holes(
        &self,
        py: Python<'_>,
        max_edges: Given<'_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let most = 3..=MOST_HOLE_EDGES as u64;
        let max_edges = max_edges.or(DEFAULT_HOLE_EDGES as u64, "max_edges", |value, name| {
            integer(value, name, most)
        })?;
        self.derived(py, threads, move |mesh| {
            let HolesFilled {
                mesh,
                filled,
                added,
                ..
            } = mesh.holes_filled(max_edges as usize)?;
            let repair = Repair {
                filled,
                added,
                ..Repair::default()
            };
            Ok((mesh, Some(repair)))
        })
    }

    /// Nearest points on the surface, and signed distances.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// structured ndarray, shape (N,)
    ///     For each point ``face`` (uint32; of several the lowest), ``point`` (three float64),
    ///     ``distance`` and ``gap``: the signed distance, negative where `inside` finds the point
    ///     inside, and NaN if the surface is not closed and oriented. `tangere.save` writes the
    ///     rows as a VTU file.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the shape is wrong or a coordinate is not finite.
    ///
    /// Notes
    /// -----
    /// The search structure is built at the first call and kept with the mesh.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> cube = tangere.generate.sponge(0)
    /// >>> found = cube.closest([[0.5, 0.5, 3], [0.5, 0.5, 0.75]])
    /// >>> found["point"].tolist(), found["gap"].tolist()
    /// ([[0.5, 0.5, 1.0], [0.5, 0.5, 1.0]], [2.0, -0.25])
    #[pyo3(signature = (points, *, threads=None))]
    fn closest<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, points) = (points.py(), any_points::<3>(points, "points")?);
        let surface = self.surface(py, threads)?;
        rows(py, threads, SURFACE_POINT, move |found| {
            surface.closest_all(&points, found)
        })
    }

    /// Signed distances of points: negative inside, positive outside, 0 on the surface.
    ///
    /// The distance is that of the nearest point of the surface, on any of its triangles: where
    /// shells cross, those inside the body count too. The sign is that of `inside`, whichever way
    /// shells cross, overlap, are nested or inverted.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// ndarray of float64, shape (N,)
    ///     The ``gap`` of `closest`. Without sign, 0 or more, if the surface is not closed and
    ///     oriented; there is then a `UserWarning`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the shape is wrong or a coordinate is not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> cube = tangere.generate.sponge(0)
    /// >>> cube.signed_distance([[0.5, 0.5, 3], [0.5, 0.5, 0.75], [1, 1, 0.5]]).tolist()
    /// [2.0, -0.25, 0.0]
    #[pyo3(signature = (points, *, threads=None))]
    fn signed_distance<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (py, points) = (points.py(), any_points::<3>(points, "points")?);
        let surface = self.signed_surface(py, threads)?;
        let found = run(py, threads, move || {
            let mut found = Vec::new();
            surface
                .signed_distances(&points, &mut found)
                .map(|()| found)
        })?;
        let found = found.map_err(|error| of_arrays(error, &[(What::Point, "points")]))?;
        Ok(from_numbers(py, found))
    }

    /// Signed distances of the points of a regular grid around the body.
    ///
    /// Parameters
    /// ----------
    /// n : int or sequence of three int, optional
    ///     The number of points along each axis: the centres of the n^3 equal cells of the cube
    ///     around the bounding box of the body (with the same centre and its longest edge), or of
    ///     three numbers of cells of the box itself. The points are those of
    ///     `Inside.classify_grid`.
    #[doc = include_str!("grid_options.txt")]
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// GridField of float64, shape (n^3,)
    ///     As by `signed_distance`, x fastest, then y, then z: an array with ``origin``,
    ///     ``spacing`` and ``cells``, which `tangere.save` writes as a VTI file.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If `n` is not from 1 to 1000, or one of three not from 1 to 2^20, or more than 1 along an
    ///     axis along which the body is flat; if both `n` and `spacing` are given, or neither; if
    ///     the spacing is not above 0, the bounds are not a box or the margin not from 0 to 1000.
    /// MemoryError
    ///     If there is not enough memory for the distances.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> field = tangere.generate.sphere(4).distance_grid(8)
    /// >>> field.shape, field.origin.tolist(), field.spacing.tolist()
    /// ((512,), [-1.0, -1.0, -1.0], [0.25, 0.25, 0.25])
    /// >>> bool((field == tangere.generate.sphere(4).signed_distance(field.points)).all())
    /// True
    /// >>> field = tangere.generate.sphere(4).distance_grid(8, margin=1)  # closed contours
    /// >>> field.cells, field.origin.tolist(), field.spacing.tolist()
    /// ((10, 10, 10), [-1.25, -1.25, -1.25], [0.25, 0.25, 0.25])
    #[pyo3(
        signature = (n=None, *, spacing=None, bounds=None, margin=Given(None), threads=None),
        text_signature = "($self, n=None, *, spacing=None, bounds=None, margin=0, threads=None)"
    )]
    fn distance_grid<'py>(
        &self,
        py: Python<'py>,
        n: Argument<'_, 'py>,
        spacing: Argument<'_, 'py>,
        bounds: Argument<'_, 'py>,
        margin: Given<'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = GridArguments {
            n,
            spacing,
            bounds,
            margin,
        };
        let query = QueryGrid::new(given, &self.mesh.bounds())?;
        let (place, surface) = (query.place(), self.signed_surface(py, threads)?);
        let found = run(py, threads, move || {
            let mut found = Vec::new();
            let done = surface.signed_distance_grid(query.grid(), &mut found);
            done.map(|()| found)
        })?;
        QueryGrid::field(py, "distance", found.map_err(value_error)?, &place)
    }

    /// The centroid of the enclosed volume: float64 of shape (3,). None unless the surface is closed
    /// and oriented and encloses a volume.
    #[getter]
    fn centroid<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let mass = self.mass_properties(py)?;
        Ok(mass.map(|mass| from_numbers(py, mass.centroid.to_vec())))
    }

    /// The mass of the enclosed volume.
    ///
    /// Where shells overlap or are nested, space counts as often as the surface winds around it: the
    /// common part of two shells twice, a cavity not at all.
    ///
    /// Parameters
    /// ----------
    /// density : float, default 1.0
    ///     The mass of a unit of volume, above 0.
    ///
    /// Returns
    /// -------
    /// float or None
    ///     The volume times the density, above 0 also if normals point inward. None unless the
    ///     surface is closed and oriented and encloses a volume.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the density is not finite and above 0.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> tangere.generate.box([1, 2, 3]).mass(density=2.0)
    /// 12.0
    #[pyo3(signature = (density=Given(None)), text_signature = "($self, density=1.0)")]
    fn mass(&self, py: Python<'_>, density: Given<'_>) -> PyResult<Option<f64>> {
        let density = density_of(density)?;
        let mass = self.mass_properties(py)?;
        Ok(mass.map(|mass| density * mass.volume))
    }

    /// The inertia tensor of the enclosed volume about its centroid.
    ///
    /// Parameters
    /// ----------
    /// density : float, default 1.0
    ///     The mass of a unit of volume, above 0.
    ///
    /// Returns
    /// -------
    /// ndarray of float64, shape (3, 3), or None
    ///     About the centroid, along the axes of the coordinates: the first diagonal entry is the
    ///     integral of y^2 + z^2 times the density, the entry beside it that of -x y. None unless
    ///     the surface is closed and oriented and encloses a volume.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the density is not finite and above 0.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> block = tangere.generate.box([1, 2, 3]).transformed(translate=(1e6, 0, 0))
    /// >>> block.inertia(density=2.0).round(9).tolist()
    /// [[13.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 5.0]]
    #[pyo3(signature = (density=Given(None)), text_signature = "($self, density=1.0)")]
    fn inertia<'py>(
        &self,
        py: Python<'py>,
        density: Given<'_>,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let density = density_of(density)?;
        let mass = self.mass_properties(py)?;
        let tensor = mass.map(|mass| mass.inertia.map(|row| row.map(|x| density * x)));
        tensor
            .map(|rows| from_points(py, rows.to_vec()))
            .transpose()
    }

    /// All triangles within a distance of each point.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    /// h : float
    ///     The distance, 0 or more.
    /// max_pairs : int, optional
    ///     More pairs of a point and a face than this raise an error before memory is used up: a
    ///     distance as large as the surface finds all faces for every point.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// offsets : ndarray of int64, shape (N + 1,)
    /// faces : ndarray of uint32
    ///     ``faces[offsets[i]:offsets[i + 1]]`` are those within ``h`` of point i, ascending.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the shape is wrong, a coordinate is not finite, the distance is negative
    ///     or not finite, or there are more than ``max_pairs``.
    /// MemoryError
    ///     If there is not enough memory for all of them.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> cube = tangere.generate.sponge(0)
    /// >>> offsets, faces = cube.within([[0.5, 0.5, 2], [9, 9, 9]], 1)
    /// >>> offsets.tolist(), len(faces)
    /// ([0, 2, 2], 2)
    #[pyo3(signature = (points, h, *, max_pairs=None, threads=None))]
    fn within<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        h: &Bound<'py, PyAny>,
        max_pairs: Argument<'_, 'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Rows<'py>> {
        let (py, points) = (points.py(), any_points::<3>(points, "points")?);
        let surface = self.surface(py, threads)?;
        near(py, threads, h, max_pairs, move |h, most, found| {
            surface.within_at_most(&points, h, most, found)
        })
    }

    fn __len__(&self) -> usize {
        self.mesh.faces().len()
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        let (a, b) = (&self.mesh, &other.mesh);
        py.detach(|| Arc::ptr_eq(a, b) || a == b)
    }

    fn __repr__(&self) -> String {
        let triangles = counted(self.mesh.faces().len(), "triangle", "triangles");
        let vertices = self.mesh.vertices().len();
        format!("<tangere.Mesh of {triangles} on {vertices} vertices>")
    }

    /// A mesh is immutable, so it is its own copy.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// A mesh is immutable, so it is its own copy.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyDict>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, mesh) = (slf.py(), slf.get());
        let (vertices, faces) = (Self::vertices(slf)?, Self::faces(slf)?);
        let parts = (vertices, faces, mesh.source(py), mesh.repair(py));
        (native(py, "_restored_mesh")?, parts).into_pyobject(py)
    }
}

/// Restores a pickled mesh.
#[pyfunction(name = "_restored_mesh")]
#[pyo3(signature = (vertices, faces, source, repair))]
pub fn restored_mesh(
    vertices: &Bound<'_, PyAny>,
    faces: &Bound<'_, PyAny>,
    source: Option<Py<PyAny>>,
    repair: Option<Py<PyAny>>,
) -> PyResult<Mesh> {
    Ok(Mesh {
        source,
        repair,
        ..Mesh::new(vertices, faces)?
    })
}
