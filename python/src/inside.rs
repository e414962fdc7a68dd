//! Points inside, on and outside of a surface.

use std::sync::Arc;

use numpy::{Element, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::geometry::{Aabb, check_points};
use tangere::inside::{Grid, InsideRule, InsideSettings, InsideTest, Method, Side, inside_test};

use crate::arguments::{Argument, by_name, flag, integer, number};
use crate::arrays::{any_points, from_numbers};
use crate::errors::{What, of_arrays, refused};
use crate::mesh::Mesh;
use crate::options::{Arguments, Options};
use crate::poses::pose as pose_of;
use crate::run::run_on;
use crate::shared_state::SharedState;

type Test = Box<dyn InsideTest>;

/// The keywords of everything that asks what is inside.
pub const KEYWORDS: &str = "method rule accuracy insist threads";

/// An error of the library with the names that arguments have here.
fn named(error: tangere::Error) -> PyErr {
    of_arrays(error, &[(What::Point, "points")])
}

/// Tells for points whether they are inside a body.
///
/// What a method needs is made once from the surface; points may then be asked
/// for as often as wanted.
///
/// Parameters
/// ----------
/// mesh : Mesh
///     The surface of the body.
/// method : {'auto', 'ray', 'layer', 'multipole', 'cells'}, optional
///     How it is found out; 'auto' chooses. Of a closed surface whose triangles are
///     turned consistently the sides are exact and the same for all.
/// rule : {'nonzero', 'parity'}, optional
///     What counts as inside, by how often the surface goes round a point: all but
///     0 times, so that shells that overlap are united, or an odd number of times.
/// accuracy : float, optional
///     The error that winding numbers may have, between 0 and 1.
/// insist : bool, optional
///     Let exact methods go on with a surface for which they cannot promise anything;
///     their confidence is 0 then.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If the method, the rule, the accuracy or the number of threads is wrong, or
///     if an exact method ('ray', 'cells') is asked for a surface that is not
///     closed or not turned consistently, without `insist`.
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
/// A surface with a hole is judged by its winding number:
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
    /// What it was made from, for pickling.
    mesh: Py<PyAny>,
    options: Py<PyDict>,
}

/// The method and its settings, from keyword arguments.
pub fn test_settings(options: Options<'_, '_>) -> PyResult<(Method, InsideSettings)> {
    let default = InsideSettings::default();
    let method = options.read("method", |value, name| by_name(value, name, &Method::ALL))?;
    let rule = options.read("rule", |value, name| by_name(value, name, &InsideRule::ALL))?;
    let settings = InsideSettings {
        rule: rule.unwrap_or(default.rule),
        accuracy: options
            .read("accuracy", number)?
            .unwrap_or(default.accuracy),
        insist: options.read("insist", flag)?.unwrap_or(default.insist),
        ..default
    };
    let settings = settings.checked().map_err(named)?;
    Ok((method.unwrap_or_default(), settings))
}

/// A method with its surface, for so many points if that is known.
fn set_up(
    mesh: &Bound<'_, PyAny>,
    count: Option<usize>,
    options: Options<'_, '_>,
) -> PyResult<Test> {
    let py = mesh.py();
    let mesh = Mesh::argument(mesh, "mesh")?;
    let (method, mut settings) = test_settings(options)?;
    settings.points = count;
    let mut test = inside_test(method, settings).map_err(named)?;
    let threads = options.threads()?;
    let updated = run_on(py, threads, move || test.update(&mesh).map(|()| test))?;
    updated.map_err(named)
}

/// Points from the argument of that name, in the frame of a body at a pose.
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

/// Sides as their numbers.
pub fn numbered(sides: Vec<Side>) -> Vec<i8> {
    sides.into_iter().map(|side| side as i8).collect()
}

impl Inside {
    /// A number for each point, in the frame of a body at a pose.
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

    /// The centres of so many cells, or of three numbers of them.
    fn grid(&self, n: &Bound<'_, PyAny>) -> PyResult<Grid> {
        let Ok(items) = n.try_iter() else {
            let n = integer(n, "n", 1..=1000)?;
            return Grid::around(&self.bounds, n as usize).map_err(named);
        };
        let mut cells = Vec::new();
        for (k, item) in items.enumerate() {
            let most = Grid::AXIS_MAX as u64;
            cells.push(integer(&item?, &format!("n[{k}]"), 1..=most)? as usize);
        }
        match cells.try_into() {
            Ok(cells) => {
                let grid = Grid::over(&self.bounds, cells);
                grid.map_err(|error| of_arrays(error, &[(What::Grid, "n")]))
            }
            Err(cells) => {
                let found = format!("{} numbers", cells.len());
                Err(refused("n", found, "one integer or three"))
            }
        }
    }
}

#[pymethods]
impl Inside {
    #[new]
    #[pyo3(signature = (mesh, **options))]
    #[pyo3(
        text_signature = "(mesh, *, method='auto', rule='nonzero', accuracy=1e-06, insist=False, threads=None)"
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

    /// Where points are: 1 inside, 0 on the surface, -1 outside.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    /// pose : array_like, optional
    ///     Where the body is: translation and quaternion (tx, ty, tz, qw, qx, qy, qz), the
    ///     translation alone, or a 4 x 4 matrix. Nothing is set up again.
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

    /// Where the points of a regular grid around the body are.
    ///
    /// Parameters
    /// ----------
    /// n : int or sequence of three int
    ///     How many points there are along each axis: they are the centres of the n^3
    ///     equal cells of the cube around the body's box (of the same centre, its edge is
    ///     the longest side), or of as many cells of the box itself as three numbers say.
    ///
    /// Returns
    /// -------
    /// ndarray of int8, shape (n^3,)
    ///     As `classify` has them, x fastest, then y, then z.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If it is not from 1 to 1000, or one of three not from 1 to 2^20, or more than 1
    ///     along an axis along which the body is flat.
    /// MemoryError
    ///     If there is no memory for so many points.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sides = tangere.Inside(tangere.generate.sphere(4)).classify_grid(10)
    /// >>> sides.shape, int((sides == 1).sum())
    /// ((1000,), 552)
    /// >>> slice = tangere.Inside(tangere.generate.sphere(4)).classify_grid((4, 4, 1))
    /// >>> slice.reshape(4, 4).tolist()
    /// [[-1, 1, 1, -1], [1, 1, 1, 1], [1, 1, 1, 1], [-1, 1, 1, -1]]
    fn classify_grid<'py>(
        &self,
        py: Python<'py>,
        n: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let grid = self.grid(n)?;
        let mut sides = Vec::new();
        grid.reserve(&mut sides).map_err(named)?;
        let found = self.shared.work(py, self.threads, move |test| {
            let found = test.classify_grid(&grid, &mut sides);
            found.map(|()| numbered(sides))
        })?;
        Ok(from_numbers(py, found.map_err(named)?))
    }

    /// How often the surface goes round points: the winding number.
    ///
    /// On the surface it is the part of a small sphere that is inside: 1/2 on
    /// faces, less or more on edges and vertices.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    /// pose : array_like, optional
    ///     Where the body is: translation and quaternion (tx, ty, tz, qw, qx, qy, qz), the
    ///     translation alone, or a 4 x 4 matrix. Nothing is set up again.
    ///
    /// Returns
    /// -------
    /// ndarray of float64, shape (N,)
    ///     Off by at most `bound`.
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

    /// How sure the side of each point is, from 0 to 1.
    ///
    /// Of a surface without holes and with consistent triangles it is 1. Else it is
    /// the distance of the winding number from 1/2, less its error, over 1/2, or the
    /// majority among six rays if that is less.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    /// pose : array_like, optional
    ///     Where the body is: translation and quaternion (tx, ty, tz, qw, qx, qy, qz), the
    ///     translation alone, or a 4 x 4 matrix. Nothing is set up again.
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

    /// By how much winding numbers of the last call may be off.
    #[getter]
    fn bound(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |test| test.bound())
    }

    /// The least confidence of the last call of `classify`.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |test| test.confidence())
    }

    /// The method at work; of 'auto', the one that it chose.
    #[getter]
    fn method(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.shared.read(py, |test| test.method())
    }

    /// Why this method, and what it does.
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<String> {
        self.shared.read(py, |test| test.reason())
    }

    /// Pickled is what it was made from; it is set up again.
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

/// Where points are: 1 inside, 0 on the surface, -1 outside.
///
/// For more points of the same surface later, `Inside` sets up only once.
///
/// Parameters
/// ----------
/// mesh : Mesh
///     The surface of the body.
/// points : array_like, shape (N, 3)
///     The points, finite. N may be 0.
/// method : {'auto', 'ray', 'layer', 'multipole', 'cells'}, optional
///     How it is found out; 'auto' chooses.
/// rule : {'nonzero', 'parity'}, optional
///     What counts as inside where shells are nested or overlap; see `Inside`.
/// accuracy : float, optional
///     The error that winding numbers may have, between 0 and 1.
/// insist : bool, optional
///     Let exact methods go on with a surface for which they cannot promise anything;
///     their confidence is 0 then.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// ndarray of int8, shape (N,)
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong, or the surface is not one for the method.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> tangere.inside(tangere.generate.sphere(4), [[0, 0, 0], [0, 0, 1], [1, 1, 1]])
/// array([ 1,  0, -1], dtype=int8)
#[pyfunction]
#[pyo3(signature = (mesh, points, **options))]
#[pyo3(
    text_signature = "(mesh, points, *, method='auto', rule='nonzero', accuracy=1e-06, insist=False, threads=None)"
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
