//! Finite element faces as Python objects: projection, nearest points, faces within a distance.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyList;
use tangere::closest::{BfgsSqp, FaceSurface, Method};
use tangere::shape::{FaceKind, FaceMesh as Faces};
use tangere_front::answers::closest::{PROJECTION, SURFACE_POINT};
use tangere_front::answers::report::FACE_REPORT;
use tangere_io::{read_faces, read_named_faces};

use crate::arguments::{self, Argument, Given, by_name, optional, word};
use crate::arrays::{Points, Rows, any_points, borrowed, face_rows, from_numbers, points_2_or_3};
use crate::errors::{What, file_error, of_arrays, refused};
use crate::pickling::reduced;
use crate::point_to_surface::{Prepared, near, rows};
use crate::report::{bounded, bounds_array, counted};
use crate::run::run;

/// Surface mesh of finite element faces, straight or curved, or a curve of segments.
///
/// The arrays are copied once, checked, and then kept exactly as given. A mesh is immutable.
///
/// Parameters
/// ----------
/// nodes : array_like, shape (N, 3) or (N, 2)
///     Real numbers of any dtype and layout. Segments may have two coordinates;
///     those that have three lie in a plane of constant z.
/// faces : array_like, shape (M, K)
///     The node indices of each face, integers from 0 to below N, in the order of VTK: corners
///     counter-clockwise seen from outside, then the nodes between them, then the centre. If
///     ``kind`` is a list, a list of as many rows of integers, of different lengths.
/// kind : str or list of str
///     The element type: ``"seg2"``, ``"seg3"`` (segments), ``"tri3"``, ``"tri6"``
///     (triangles), ``"quad4"``, ``"quad8"`` or ``"quad9"`` (quadrilaterals), by the number of
///     their nodes K; or the type of each face.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If a shape is wrong, a coordinate is not finite, a node index is out of range or
///     repeated in a face, segments and other faces are mixed, or there is no face.
///
/// Notes
/// -----
/// ``len(mesh)`` is the number of faces. Meshes are equal if their nodes, kinds
/// and faces are. They can be pickled and copied. `tangere.save` writes them as
/// ``.vtu``, `tangere.load_faces` reads them.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> nodes = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, -0.1, 0], [0.6, 0.6, 0], [-0.1, 0.5, 0]]
/// >>> mesh = tangere.FaceMesh(nodes, [[0, 1, 2, 3, 4, 5]], "tri6")
/// >>> mesh
/// <tangere.FaceMesh of 1 face on 6 nodes>
/// >>> mesh.report.area > 0.5
/// True
/// >>> mesh.nodes.shape, mesh.faces.tolist(), mesh.kinds, float(mesh.bounds[1, 0]) >= 1
/// ((6, 3), [[0, 1, 2, 3, 4, 5]], ['tri6'], True)
/// >>> corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
/// >>> tangere.FaceMesh(corners, [[0, 1, 2, 3], [0, 2, 1, 3]], "quad4").folded
/// array([1], dtype=uint32)
/// >>> square = tangere.FaceMesh([x[:2] for x in corners], [[0, 1], [1, 2], [2, 3], [3, 0]], "seg2")
/// >>> square.report.closed, round(square.report.volume, 12), round(square.report.area, 12)
/// (True, 1.0, 4.0)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct FaceMesh {
    mesh: Arc<Faces>,
    surface: Prepared<Arc<FaceSurface>>,
}

impl FaceMesh {
    /// Wraps a mesh of the library.
    pub fn from_mesh(mesh: Faces) -> Self {
        Self {
            mesh: Arc::new(mesh),
            surface: Prepared::default(),
        }
    }

    /// Returns the mesh of the library.
    pub fn shared(&self) -> Arc<Faces> {
        self.mesh.clone()
    }

    /// Returns the kind of all faces; `None` if they differ in kind.
    fn common_kind(&self) -> Option<FaceKind> {
        let first = self.mesh.kind(0);
        let same = self.mesh.kinds().iter().all(|&kind| kind == first);
        same.then_some(first)
    }

    /// Returns the search structure for queries of points, built at first use.
    fn surface(&self, py: Python<'_>, threads: Argument<'_, '_>) -> PyResult<Arc<FaceSurface>> {
        let make = |mesh: &Faces| Arc::new(FaceSurface::new(mesh));
        self.surface.get(py, threads, &self.mesh, make)
    }

    /// Reads query points; for a planar mesh they may have two coordinates, in its plane.
    fn points(&self, value: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 3]>> {
        let in_space = any_points::<3>(value, "points");
        if in_space.is_ok() || !self.mesh.is_planar() {
            return in_space;
        }
        let plane = self.mesh.nodes()[self.mesh.indices()[0] as usize][2];
        match points_2_or_3(value, "points")? {
            Points::Space(points) => Ok(points),
            Points::Plane(points) => Ok(points.into_iter().map(|[x, y]| [x, y, plane]).collect()),
        }
    }
}

fn kind_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<FaceKind> {
    let text = word(value, name)?;
    text.parse()
        .map_err(|e| of_arrays(e, &[(What::Kind, name)]))
}

#[pymethods]
impl FaceMesh {
    #[new]
    #[pyo3(signature = (nodes, faces, kind, *, threads=None))]
    fn new(
        nodes: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        kind: &Bound<'_, PyAny>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let py = nodes.py();
        let nodes = points_2_or_3(nodes, "nodes")?;
        let (mut kinds, mut indices) = (Vec::new(), Vec::new());
        if let Ok(list) = kind.cast::<PyList>() {
            let count = faces.len()?;
            if count != list.len() {
                return Err(refused(
                    "kind",
                    format_args!("{} kinds", list.len()),
                    format_args!("{count}, one for each face"),
                ));
            }
            for (i, kind) in list.iter().enumerate() {
                let kind = kind_of(&kind, &format!("kind[{i}]"))?;
                let face = PyList::new(py, [faces.get_item(i)?])?;
                indices.append(&mut face_rows(&face, &format!("faces[{i}]"), kind.nodes())?);
                kinds.push(kind);
            }
        } else {
            let kind = kind_of(kind, "kind")?;
            indices = face_rows(faces, "faces", kind.nodes())?;
            kinds.resize(indices.len() / kind.nodes(), kind);
        }
        let nodes = match nodes {
            Points::Space(nodes) => nodes,
            Points::Plane(nodes) => {
                if let Some(kind) = kinds.iter().find(|kind| kind.dimension() == 2) {
                    return Err(refused(
                        "nodes",
                        format_args!("2 coordinates for {kind}"),
                        "shape (N, 3)",
                    ));
                }
                nodes.into_iter().map(|[x, y]| [x, y, 0.0]).collect()
            }
        };
        let mesh = run(py, threads, move || Faces::new(nodes, kinds, indices))?;
        let names = [
            (What::Node, "nodes"),
            (What::Face, "faces"),
            (What::Mesh, "faces"),
        ];
        Ok(Self::from_mesh(mesh.map_err(|e| of_arrays(e, &names))?))
    }

    /// The nodes: a read-only view of the mesh's memory, float64 of shape (N, 3). It
    /// keeps the mesh alive.
    #[getter]
    fn nodes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mesh = &slf.get().mesh;
        // SAFETY: the class is frozen and its mesh is never replaced or changed.
        unsafe { borrowed(mesh.nodes(), slf.clone().into_any()) }
    }

    /// The node indices of the faces: uint32 of shape (M, K); for faces of different kinds a list
    /// of arrays.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mesh = &self.mesh;
        if let Some(kind) = self.common_kind() {
            let all = from_numbers(py, mesh.indices().to_vec());
            return Ok(all.reshape([mesh.len(), kind.nodes()])?.into_any());
        }
        let rows = (0..mesh.len()).map(|f| from_numbers(py, mesh.nodes_of(f).to_vec()));
        Ok(PyList::new(py, rows.collect::<Vec<_>>())?.into_any())
    }

    /// The kind of each face, a list of str.
    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        self.mesh.kinds().iter().map(|kind| kind.name()).collect()
    }

    /// An axis-aligned box that contains all faces, including curved ones: its lower and its upper
    /// corner as the rows of a new array of shape (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bounds = py.detach(|| self.mesh.bounds());
        bounds_array(py, &bounds)
    }

    /// The indices of folded faces: those whose Jacobian, projected along their mean normal, is
    /// negative or 0 somewhere. uint32.
    #[getter]
    fn folded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let mesh = self.shared();
        Ok(from_numbers(py, run(py, None, move || mesh.folded())?))
    }

    /// Report on the mesh and its defects, a `FaceReport`.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mesh = self.shared();
        let report = run(py, None, move || mesh.report())?;
        bounded(py, "FaceReport", FACE_REPORT, &report, &report.bounds)
    }

    /// Closest point projection on the surface, with all that contact needs.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0. For segments they may have two coordinates.
    /// method : {'auto', 'bfgs-sqp'}, optional
    ///     'bfgs-sqp' is sequential quadratic programming with BFGS updates as published in
    ///     `aragon2013`, to check the paper or to teach: the nearest local minimum of all faces, with
    ///     nothing proven, so that statuses are 1 or 2.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// structured ndarray, shape (N,)
    ///     A row for each point:
    ///
    ///     - ``face`` (uint32), the face of the nearest point; of several the one whose interior
    ///       contains it, then the one of lowest index;
    ///     - ``xi`` (two float64), its coordinates in the reference domain of the face: from -1
    ///       to 1 for quadrilaterals and segments (whose second number is 0), 0 or more with a
    ///       sum of at most 1 for triangles;
    ///     - ``point`` (three float64), ``distance``;
    ///     - ``gap``, the distance, negative behind the normal; NaN where there is none;
    ///     - ``normal`` (three float64), that of the face in its interior, on edges and at corners
    ///       the angle-weighted normal of all faces there; 0 where there is none;
    ///     - ``residual``, the tangential part of the distance, 0 straight above the point;
    ///     - ``status`` (uint8): 0 proven, no point of the surface is nearer; 1 bracketed, the
    ///       search ended before that was proven; 2 folded, the Jacobian of the face is not
    ///       positive everywhere, so its normal may be wrong.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the shape is wrong, a coordinate is not finite or the method is unknown.
    ///
    /// Notes
    /// -----
    /// Gaps are signed by the normal, so also for open surfaces; those of `closest` are signed by
    /// inside and outside. The search structure is built at the first call and kept with the mesh.
    /// Points in spatial order are faster.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> nodes = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]
    /// >>> plate = tangere.FaceMesh(nodes, [[0, 1, 2, 3]], "quad4")
    /// >>> found = plate.project([[1, 0.5, 3], [1, 5, -4]])
    /// >>> found["gap"].tolist(), found["xi"].tolist()
    /// ([3.0, -5.0], [[0.0, -0.5], [0.0, 1.0]])
    /// >>> found["normal"][0].tolist(), found["status"].tolist()
    /// ([0.0, 0.0, 1.0], [0, 0])
    /// >>> plate.project([[1, 0.5, 3]], method="bfgs-sqp")["gap"].round(9).tolist()
    /// [3.0]
    #[pyo3(signature = (points, *, method=Given::default(), threads=None),
           text_signature = "($self, points, *, method='auto', threads=None)")]
    fn project<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        method: Given<'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, points) = (points.py(), self.points(points)?);
        let method = method.or(Method::Auto, "method", |value, name| {
            by_name(value, name, &Method::FACES)
        })?;
        let surface = self.surface(py, threads)?;
        rows(py, threads, PROJECTION, move |found| match method {
            Method::BfgsSqp => surface.project_published(&points, &BfgsSqp::default(), found),
            _ => surface.project_all(&points, found),
        })
    }

    /// Nearest points on the surface, and signed distances.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     As for `project`.
    #[doc = include_str!("threads.txt")]
    /// Returns
    /// -------
    /// structured ndarray, shape (N,)
    ///     As by `Mesh.closest`: ``face``, ``point``, ``distance`` and ``gap``, which is negative
    ///     inside, and NaN if the surface is not closed and oriented.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    /// >>> mesh = tangere.FaceMesh(square, [[0, 1], [1, 2], [2, 3], [3, 0]], "seg2")
    /// >>> mesh.closest([[0.5, 0.75], [0.5, 3]])["gap"].tolist()
    /// [-0.25, 2.0]
    #[pyo3(signature = (points, *, threads=None))]
    fn closest<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, points) = (points.py(), self.points(points)?);
        let surface = self.surface(py, threads)?;
        rows(py, threads, SURFACE_POINT, move |found| {
            surface.closest_all(&points, found)
        })
    }

    /// All faces within a distance of each point.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     As for `project`.
    /// h, max_pairs, threads
    ///     As for `Mesh.within`.
    ///
    /// Returns
    /// -------
    /// offsets : ndarray of int64, shape (N + 1,)
    /// faces : ndarray of uint32
    ///     ``faces[offsets[i]:offsets[i + 1]]`` are those within ``h`` of point i, ascending.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> line = tangere.FaceMesh([[0, 0], [1, 0], [2, 0]], [[0, 1], [1, 2]], "seg2")
    /// >>> offsets, faces = line.within([[0.5, 0.25], [1, 0.25]], 0.25)
    /// >>> offsets.tolist(), faces.tolist()
    /// ([0, 1, 3], [0, 0, 1])
    #[pyo3(signature = (points, h, *, max_pairs=None, threads=None))]
    fn within<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        h: &Bound<'py, PyAny>,
        max_pairs: Argument<'_, 'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Rows<'py>> {
        let (py, points) = (points.py(), self.points(points)?);
        let surface = self.surface(py, threads)?;
        near(py, threads, h, max_pairs, move |h, most, found| {
            surface.within_at_most(&points, h, most, found)
        })
    }

    fn __len__(&self) -> usize {
        self.mesh.len()
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        let (a, b) = (&self.mesh, &other.mesh);
        py.detach(|| Arc::ptr_eq(a, b) || a == b)
    }

    fn __repr__(&self) -> String {
        let faces = counted(self.mesh.len(), "face", "faces");
        let nodes = self.mesh.nodes().len();
        format!("<tangere.FaceMesh of {faces} on {nodes} nodes>")
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    fn __getnewargs__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        let py = slf.py();
        let own = slf.get();
        let kind = match own.common_kind() {
            Some(kind) => kind.name().into_pyobject(py)?.into_any(),
            None => own.kinds().into_pyobject(py)?.into_any(),
        };
        (Self::nodes(slf)?, own.faces(py)?, kind).into_pyobject(py)
    }
}

/// Reads the surface of a file as finite element faces.
///
/// Of volume elements this is the boundary, else all triangles and quadrilaterals, else all
/// segments. Quadratic faces stay quadratic. Nodes that no face uses are left out.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
///     The file. Its extension selects the format: stl, obj, ply, off,
///     vtk, vtp, vtu, msh (Gmsh), mesh (MEDIT) or inp (Abaqus).
/// surface : str, optional
///     The name of a surface in an Abaqus file, in place of the whole boundary.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// FaceMesh
///
/// Raises
/// ------
/// OSError
///     If the file cannot be read, such as FileNotFoundError; ``errno``,
///     ``strerror`` and ``filename`` are set as by `open`.
/// ValueError
///     If its content is not a mesh; the message names the line or byte, what was
///     found there and what was expected.
///
/// Examples
/// --------
/// >>> import os, tempfile, tangere
/// >>> circle = tangere.FaceMesh([[1, 0], [-1, 0], [0, 1], [0, -1]], [[0, 1, 2], [1, 0, 3]], "seg3")
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = os.path.join(folder, "circle.vtu")
/// ...     tangere.save(circle, path)
/// ...     tangere.load_faces(path) == circle
/// True
#[pyfunction]
#[pyo3(signature = (path, *, surface=None, threads=None))]
pub fn load_faces(
    path: &Bound<'_, PyAny>,
    surface: Argument<'_, '_>,
    threads: Argument<'_, '_>,
) -> PyResult<FaceMesh> {
    let py = path.py();
    let path = arguments::path(path)?;
    let surface = optional(surface, "surface", word)?;
    let mesh = run(py, threads, move || match surface {
        Some(name) => read_named_faces(path, &name),
        None => read_faces(path).map(|loaded| loaded.mesh),
    })?;
    Ok(FaceMesh::from_mesh(mesh.map_err(|e| file_error(py, e))?))
}
