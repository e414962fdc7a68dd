//! Point containment: points inside, on or outside of a surface, and winding numbers.

use std::sync::Arc;

use numpy::{Element, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tangere::geometry::{Aabb, check_points};
use tangere::inside::{
    Inside as Test, InsideRule, InsideSettings, InsideTest, Method, MultipoleSettings,
    PublishedDepth, Side,
};
use tangere_front::inputs::with_published_expansions;

use crate::arguments::{Argument, Given, by_name, flag, integer, number};
use crate::arrays::{any_points, from_numbers};
use crate::errors::{What, of_arrays};
use crate::grid_field::{GridArguments, QueryGrid};
use crate::mesh::Mesh;
use crate::options::{Arguments, Options};
use crate::pickling::reduced;
use crate::poses::pose as pose_of;
use crate::run::{run_on, threads_of};
use crate::shared_state::SharedState;

/// The names of the keyword arguments of all point containment tests.
pub const KEYWORDS: &str = "method rule accuracy insist degree separation depth threads";

/// Names for error messages: for each argument of the library that of Python.
const NAMES: [(What, &str); 4] = [
    (What::Point, "points"),
    (What::ExpansionDegree, "degree"),
    (What::ClusterSeparation, "separation"),
    (What::MultipoleDepth, "depth"),
];

/// Converts an error of the library; it names the argument of Python.
pub fn named(mut error: tangere::Error) -> PyErr {
    if let tangere::Error::Argument {
        what: What::OpenMesh,
        expected,
        ..
    } = &mut error
    {
        *expected += "; Mesh.fill_holes closes small holes";
    }
    of_arrays(error, &NAMES)
}

/// Point containment: which points are inside a body, and their winding numbers.
///
/// The search structure is built once from the surface; any number of queries follow.
///
/// Parameters
/// ----------
/// mesh : Mesh
///     The surface of the body.
/// method : {'auto', 'ray', 'layer', 'multipole', 'cells', 'ray-plain', 'panel-clustering'}, optional
///     'ray': exact ray parity; 'layer': solid angles (double layer potential); 'multipole':
///     the same by fast multipoles; 'cells': labelled cells of a uniform grid; 'auto' chooses. On
///     closed surfaces of consistent orientation all methods are exact and agree. 'ray-plain' is
///     the ray crossing of muth2006 as published, every triangle tested, and 'panel-clustering' is
///     'multipole' by Taylor expansions, to check the paper or to teach; 'auto' never picks them.
/// rule : {'nonzero', 'parity'}, optional
///     What counts as inside, by the winding number: all but 0, so that overlapping shells are
///     united, or odd numbers.
/// accuracy : float, optional
///     Error bound of winding numbers, between 0 and 1.
/// insist : bool, optional
///     Use exact methods even on a surface for which their result is not guaranteed; their
///     confidence is then 0.
/// degree, separation, depth : optional
///     Only for 'multipole', to check muth2006 or to teach: with any of them its trees and
///     expansions are those of the paper instead of adaptive ones; ``degree`` and ``separation`` are
///     for 'panel-clustering' too. ``degree`` is an int, by default log N for N triangles; ``separation`` a float above 1, by default 1.5, the d of eq. (16);
///     ``depth`` is 'pre-chosen' (from triangles alone, the default), 'well-chosen' (also from the
///     number of points, which only `tangere.inside` knows before), or a number of levels.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If the method, the rule, the accuracy or the number of threads is invalid, or if an exact
///     method ('ray', 'cells', 'ray-plain') is used without `insist` on a surface that is not
///     closed or not consistently oriented.
///
/// Notes
/// -----
/// Several threads may use the object; they wait for each other.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> test = tangere.Inside(tangere.generate.sphere(4))
/// >>> test.classify([[0, 0, 0], [0, 0, 1], [1, 1, 1]])
/// array([ 1,  0, -1], dtype=int8)
/// >>> test.winding([[0, 0, 0], [1, 1, 1]]).tolist()
/// [1.0, 0.0]
///
/// A surface with a hole, by its winding number:
///
/// >>> sphere = tangere.generate.sphere(4)
/// >>> open = tangere.Inside(tangere.Mesh(sphere.vertices, sphere.faces[1:]))
/// >>> open.classify([[0, 0, 0]]).tolist(), 0.5 < open.confidence < 1
/// ([1], True)
/// >>> test.bound < 1e-6, test.confidence, tangere.Inside(sphere, method="layer").method
/// (True, 1.0, 'layer')
/// >>> tangere.Inside(sphere, method="layer").reason
/// 'solid angles of all triangles'
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Inside {
    triangles: usize,
    bounds: Aabb<3>,
    threads: usize,
    shared: Arc<SharedState<Test>>,
    /// The arguments of the constructor, kept for pickling: `mesh`, and keywords in `options`.
    mesh: Py<PyAny>,
    options: Py<PyDict>,
}

/// Reads the depth of the trees of the published multipole method: a name or a number of levels.
fn depth(value: &Bound<'_, PyAny>, name: &str) -> PyResult<PublishedDepth> {
    if value.is_instance_of::<PyString>() {
        let names = [PublishedDepth::WellChosen, PublishedDepth::PreChosen];
        return by_name(value, name, &names);
    }
    let levels = integer(value, name, 0..=u64::from(u32::MAX))?;
    Ok(PublishedDepth::Levels(levels as u32))
}

/// Reads the settings of a test from keyword arguments.
pub fn test_settings(options: Options<'_, '_>) -> PyResult<InsideSettings> {
    let default = InsideSettings::default();
    let method = options.read("method", |value, name| by_name(value, name, &Method::ALL))?;
    let rule = options.read("rule", |value, name| by_name(value, name, &InsideRule::ALL))?;
    let method = method.unwrap_or_default();
    let degree = options.read("degree", |value, name| {
        integer(value, name, 1..=MultipoleSettings::DEGREE_MAX as u64)
    })?;
    let settings = InsideSettings {
        rule: rule.unwrap_or(default.rule),
        accuracy: options
            .read("accuracy", number)?
            .unwrap_or(default.accuracy),
        insist: options.read("insist", flag)?.unwrap_or(default.insist),
        method,
        ..default
    };
    let settings = with_published_expansions(
        settings,
        degree.map(|degree| degree as usize),
        options.read("separation", number)?,
        options.read("depth", depth)?,
    );
    settings.and_then(InsideSettings::checked).map_err(named)
}

/// Sets up a point containment test on a surface, with settings from keyword arguments. `count` is
/// the number of query points if it is known.
fn set_up(
    mesh: &Bound<'_, PyAny>,
    count: Option<usize>,
    options: Options<'_, '_>,
) -> PyResult<Test> {
    let py = mesh.py();
    let mesh = Mesh::argument(mesh, "mesh")?;
    let mut settings = test_settings(options)?;
    settings.points = count;
    let mut test = Test::new(settings).map_err(named)?;
    let threads = options.threads()?;
    let updated = run_on(py, threads, move || test.update(&mesh).map(|()| test))?;
    updated.map_err(named)
}

/// Reads the argument `points`, transformed to the frame of a body at a pose.
fn framed(points: &Bound<'_, PyAny>, pose: Argument<'_, '_>) -> PyResult<Vec<[f64; 3]>> {
    let mut points = any_points::<3>(points, "points")?;
    if let Some(pose) = pose {
        let to_frame = pose_of(pose, "pose")?.inverse();
        check_points(What::Point, &points).map_err(named)?;
        for point in &mut points {
            *point = to_frame.apply(*point);
        }
    }
    Ok(points)
}

fn sides(test: &mut Test, points: &[[f64; 3]], found: &mut Vec<i8>) -> tangere::Result<()> {
    let mut sides = Vec::new();
    test.classify(points, &mut sides)?;
    *found = numbered(sides);
    Ok(())
}

/// Converts sides to integers: 1 inside, 0 on the surface, -1 outside.
pub fn numbered(sides: Vec<Side>) -> Vec<i8> {
    sides.into_iter().map(|side| side as i8).collect()
}

impl Inside {
    /// Computes a value for each point by `query`, after the points are transformed to the frame of
    /// the body at `pose`.
    fn of_points<'py, T: Element + 'static>(
        &self,
        points: &Bound<'py, PyAny>,
        pose: Argument<'_, 'py>,
        query: impl FnOnce(&mut Test, &[[f64; 3]], &mut Vec<T>) -> tangere::Result<()> + Send + 'static,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let (py, points) = (points.py(), framed(points, pose)?);
        let found = self.shared.work(py, self.threads, move |test| {
            let mut found = Vec::new();
            query(test, &points, &mut found).map(|()| found)
        })?;
        Ok(from_numbers(py, found.map_err(named)?))
    }
}

#[pymethods]
impl Inside {
    #[new]
    #[pyo3(signature = (mesh, **options))]
    #[pyo3(
        text_signature = "(mesh, *, method='auto', rule='nonzero', accuracy=1e-06, insist=False, degree=None, separation=None, depth=None, threads=None)"
    )]
    fn new(mesh: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = Options::new("Inside", options, KEYWORDS)?;
        let test = set_up(mesh, None, options)?;
        let surface = Mesh::argument(mesh, "mesh")?;
        Ok(Self {
            triangles: surface.faces().len(),
            bounds: surface.bounds(),
            threads: options.threads()?,
            shared: SharedState::new(test),
            options: options.kept(mesh.py())?,
            mesh: mesh.clone().unbind(),
        })
    }

    /// Classifies points: 1 inside, 0 on the surface, -1 outside.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    /// pose : array_like, optional
    ///     The pose of the body: translation and quaternion (tx, ty, tz, qw, qx, qy, qz), the
    ///     translation alone, or a 4 x 4 matrix. It costs no set-up.
    ///
    /// Returns
    /// -------
    /// ndarray of int8, shape (N,)
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
    /// >>> tangere.Inside(cube).classify(cube.vertices).tolist()
    /// [0, 0, 0, 0, 0, 0, 0, 0]
    /// >>> tangere.Inside(cube).classify([[0.5, 0.5, 0.5]], pose=[3, 0, 0]).tolist()
    /// [-1]
    #[pyo3(signature = (points, pose=None))]
    fn classify<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        pose: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.of_points(points, pose, sides)
    }

    /// Classifies the points of a regular grid around the body.
    ///
    /// Parameters
    /// ----------
    /// n : int or sequence of three int, optional
    ///     The number of points along each axis: the centres of the n^3 equal cells of the cube
    ///     around the bounding box of the body (with the same centre and its longest edge), or of
    ///     three numbers of cells of the box itself.
    #[doc = include_str!("grid_options.txt")]
    /// threads : int, optional
    ///     The number of threads; if None, that of the constructor. Results do not depend on it.
    ///
    /// Returns
    /// -------
    /// GridField of int8, shape (n^3,)
    ///     As by `classify`, x fastest, then y, then z: an array with ``origin``, ``spacing`` and
    ///     ``cells``, which `tangere.save` writes as a VTI file.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If `n` is not from 1 to 1000, or one of three not from 1 to 2^20, or more than 1 along an
    ///     axis along which the body is flat; if both `n` and `spacing` are given, or neither; if
    ///     the spacing is not above 0, the bounds are not a box or the margin not from 0 to 1000.
    /// MemoryError
    ///     If there is not enough memory for the points.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sides = tangere.Inside(tangere.generate.sphere(4)).classify_grid(10)
    /// >>> sides.shape, int((sides == 1).sum())
    /// ((1000,), 552)
    /// >>> sides.origin.tolist(), sides.spacing.tolist()
    /// ([-1.0, -1.0, -1.0], [0.2, 0.2, 0.2])
    /// >>> slice = tangere.Inside(tangere.generate.sphere(4)).classify_grid((4, 4, 1))
    /// >>> slice.reshape(4, 4).tolist()
    /// [[-1, 1, 1, -1], [1, 1, 1, 1], [1, 1, 1, 1], [-1, 1, 1, -1]]
    #[pyo3(
        signature = (n=None, *, spacing=None, bounds=None, margin=Given(None), threads=None),
        text_signature = "($self, n=None, *, spacing=None, bounds=None, margin=0, threads=None)"
    )]
    fn classify_grid<'py>(
        &self,
        py: Python<'py>,
        n: Argument<'_, 'py>,
        spacing: Argument<'_, 'py>,
        bounds: Argument<'_, 'py>,
        margin: Given<'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let threads = match threads {
            Some(_) => threads_of(threads)?,
            None => self.threads,
        };
        let given = GridArguments {
            n,
            spacing,
            bounds,
            margin,
        };
        let query = QueryGrid::new(given, &self.bounds)?;
        let place = query.place();
        let mut sides = Vec::new();
        query.grid().reserve(&mut sides).map_err(named)?;
        let found = self.shared.work(py, threads, move |test| {
            let found = test.classify_grid(query.grid(), &mut sides);
            found.map(|()| numbered(sides))
        })?;
        QueryGrid::field(py, "side", found.map_err(named)?, &place)
    }

    /// Winding numbers: how often the surface encloses each point.
    ///
    /// On the surface it is the fraction of a small sphere that is inside: 1/2 on faces, less or
    /// more on edges and vertices.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    /// pose : array_like, optional
    ///     The pose of the body: translation and quaternion (tx, ty, tz, qw, qx, qy, qz), the
    ///     translation alone, or a 4 x 4 matrix. It costs no set-up.
    ///
    /// Returns
    /// -------
    /// ndarray of float64, shape (N,)
    ///     With an error of at most `bound`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the shape is wrong or a coordinate is not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> test = tangere.Inside(tangere.generate.sponge(0))
    /// >>> test.winding([[0.5, 0.5, 0.5], [0.5, 0.5, 0], [1, 1, 1]]).round(12).tolist()
    /// [1.0, 0.5, 0.125]
    #[pyo3(signature = (points, pose=None))]
    fn winding<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        pose: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of_points(points, pose, |test, points, found| {
            test.winding(points, found)
        })
    }

    /// Confidence in the classification of each point, from 0 to 1.
    ///
    /// It is 1 for a surface without holes and of consistent orientation. Else it is the lesser of
    /// two numbers: the distance of the winding number from 1/2, less its error, over 1/2; and the
    /// majority by which six rays agree with the classification.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    /// pose : array_like, optional
    ///     The pose of the body: translation and quaternion (tx, ty, tz, qw, qx, qy, qz), the
    ///     translation alone, or a 4 x 4 matrix. It costs no set-up.
    ///
    /// Returns
    /// -------
    /// ndarray of float64, shape (N,)
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sphere = tangere.generate.sphere(3)
    /// >>> open = tangere.Inside(tangere.Mesh(sphere.vertices, sphere.faces[:-9]))
    /// >>> hole = sphere.vertices[sphere.faces[-5]].mean(axis=0)
    /// >>> open.confidences([[0, 0, 0], hole]).round(1).tolist()
    /// [1.0, 0.0]
    #[pyo3(signature = (points, pose=None))]
    fn confidences<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        pose: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of_points(points, pose, |test, points, found| {
            test.confidences(points, found)
        })
    }

    /// Error bound of the winding numbers of the last call.
    #[getter]
    fn bound(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |test| test.bound())
    }

    /// The minimum confidence of the last call of `classify`.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |test| test.confidence())
    }

    /// The method in use; for 'auto', the chosen method.
    #[getter]
    fn method(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.shared.read(py, |test| test.method())
    }

    /// The reason for the choice of this method, and what it does.
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<String> {
        self.shared.read(py, |test| test.reason())
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    /// Pickles the arguments; unpickling repeats the set-up.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py, Py<PyAny>>> {
        let mesh = self.mesh.clone_ref(py);
        Ok(((mesh,), self.options.bind(py).copy()?))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let method = self.method(py)?;
        let triangles = self.triangles;
        Ok(format!(
            "<tangere.Inside of {triangles} triangles by '{method}'>"
        ))
    }
}

/// Point containment: 1 for points inside a body, 0 on its surface, -1 outside.
///
/// `Inside` sets up once for many queries of the same surface.
///
/// Parameters
/// ----------
/// mesh : Mesh
///     The surface of the body.
/// points : array_like, shape (N, 3)
///     The points, finite. N may be 0.
/// method : {'auto', 'ray', 'layer', 'multipole', 'cells', 'ray-plain', 'panel-clustering'}, optional
///     The method; 'auto' chooses. See `Inside`.
/// rule : {'nonzero', 'parity'}, optional
///     What counts as inside where shells are nested or overlap; see `Inside`.
/// accuracy : float, optional
///     Error bound of winding numbers, between 0 and 1.
/// insist : bool, optional
///     Use exact methods even on a surface for which their result is not guaranteed; their
///     confidence is then 0.
/// degree, separation, depth : optional
///     Only for 'multipole' and, but for ``depth``, 'panel-clustering'; see `Inside`.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// ndarray of int8, shape (N,)
///
/// Raises
/// ------
/// ValueError
///     If an argument is invalid, or the method cannot be used on the surface.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> tangere.inside(tangere.generate.sphere(4), [[0, 0, 0], [0, 0, 1], [1, 1, 1]])
/// array([ 1,  0, -1], dtype=int8)
#[pyfunction]
#[pyo3(signature = (mesh, points, **options))]
#[pyo3(
    text_signature = "(mesh, points, *, method='auto', rule='nonzero', accuracy=1e-06, insist=False, degree=None, separation=None, depth=None, threads=None)"
)]
pub fn inside<'py>(
    mesh: &Bound<'py, PyAny>,
    points: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let options = Options::new("inside", options, KEYWORDS)?;
    let points = any_points::<3>(points, "points")?;
    let mut test = set_up(mesh, Some(points.len()), options)?;
    let found = run_on(mesh.py(), options.threads()?, move || {
        let mut found = Vec::new();
        sides(&mut test, &points, &mut found).map(|()| found)
    })?;
    Ok(from_numbers(mesh.py(), found.map_err(named)?))
}
