//! Points inside, on and outside of a surface.

use std::sync::Arc;

use numpy::PyArray1;
use pyo3::prelude::*;
use tangere::inside::{InsideRule, InsideSettings, InsideTest, Method, Side, inside_test};

use crate::arguments::{integer, number, word};
use crate::arrays::{from_numbers, points as points_of};
use crate::errors::{of_arrays, refused};
use crate::mesh::Mesh;
use crate::run::run;
use crate::slot::Slot;

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;
type Test = Box<dyn InsideTest>;

/// An error of the library with the names that arguments have here.
fn named(error: tangere::Error) -> PyErr {
    of_arrays(error, &[("point", "points")])
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
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
/// Raises
/// ------
/// TypeError
///     If an argument is of the wrong type.
/// ValueError
///     If the method, the rule, the accuracy or the number of threads is wrong, or
///     if an exact method ('ray', 'cells') is asked for a surface that is not
///     closed or not turned consistently.
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
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Inside {
    triangles: usize,
    threads: Option<u64>,
    slot: Arc<Slot<Test>>,
}

/// A method with its surface.
fn set_up(
    py: Python<'_>,
    mesh: &Bound<'_, PyAny>,
    method: Argument<'_, '_>,
    rule: Argument<'_, '_>,
    accuracy: Argument<'_, '_>,
    count: Option<usize>,
    threads: Argument<'_, '_>,
) -> PyResult<Test> {
    let mesh = Mesh::argument(mesh, "mesh")?;
    let method = method.map_or(Ok(Method::Auto), |method| {
        let name = word(method, "method")?;
        name.parse().map_err(|_| {
            let names = Method::ALL.map(|method| format!("'{method}'"));
            refused("method", format_args!("'{name}'"), names.join(", "))
        })
    })?;
    let rule = rule.map_or(Ok(InsideRule::Nonzero), |rule| {
        let name = word(rule, "rule")?;
        name.parse().map_err(|_| {
            let names = InsideRule::ALL.map(|rule| format!("'{rule}'"));
            refused("rule", format_args!("'{name}'"), names.join(", "))
        })
    })?;
    let mut settings = InsideSettings {
        rule,
        points: count,
        ..InsideSettings::default()
    };
    if let Some(accuracy) = accuracy {
        settings.accuracy = number(accuracy, "accuracy")?;
    }
    let mut test = inside_test(method, settings).map_err(named)?;
    let updated = run(py, threads, move || test.update(&mesh).map(|()| test))?;
    updated.map_err(named)
}

fn sides(test: &mut Test, points: &[[f64; 3]]) -> tangere::Result<Vec<i8>> {
    let mut sides = Vec::new();
    test.classify(points, &mut sides)?;
    Ok(sides.into_iter().map(|side: Side| side as i8).collect())
}

impl Inside {
    /// What `work` returns for the method, without the GIL.
    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Test) -> T + Send + 'static,
    ) -> PyResult<T> {
        let threads = match self.threads {
            None => None,
            Some(threads) => Some(threads.into_pyobject(py)?.into_any()),
        };
        let mut taken = self.slot.taken(py)?;
        run(py, threads.as_ref(), move || work(taken.state()))
    }

    /// What the method tells about itself.
    fn told<T>(&self, py: Python<'_>, tell: impl FnOnce(&Test) -> T) -> PyResult<T> {
        Ok(tell(self.slot.taken(py)?.state()))
    }
}

#[pymethods]
impl Inside {
    #[new]
    #[pyo3(signature = (mesh, *, method=None, rule=None, accuracy=None, threads=None))]
    #[pyo3(
        text_signature = "(mesh, *, method='auto', rule='nonzero', accuracy=1e-06, threads=None)"
    )]
    fn new(
        mesh: &Bound<'_, PyAny>,
        method: Argument<'_, '_>,
        rule: Argument<'_, '_>,
        accuracy: Argument<'_, '_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let count = threads.map(|threads| integer(threads, "threads", 1..=1024));
        let py = mesh.py();
        let test = set_up(py, mesh, method, rule, accuracy, None, threads)?;
        Ok(Self {
            triangles: Mesh::argument(mesh, "mesh")?.faces().len(),
            threads: count.transpose()?,
            slot: Slot::new(test),
        })
    }

    /// Where points are: 1 inside, 0 on the surface, -1 outside.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     The points, finite. N may be 0.
    ///
    /// Returns
    /// -------
    /// ndarray of int8, shape (N,)
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     If there are no real numbers.
    /// ValueError
    ///     If the shape is wrong or a coordinate is not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> cube = tangere.generate.sponge(0)
    /// >>> tangere.Inside(cube).classify(cube.vertices).tolist()
    /// [0, 0, 0, 0, 0, 0, 0, 0]
    fn classify<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let points = points_of::<3>(points, "points")?;
        let sides = self.work(py, move |test| sides(test, &points))?;
        Ok(from_numbers(py, sides.map_err(named)?))
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
    ///
    /// Returns
    /// -------
    /// ndarray of float64, shape (N,)
    ///     Off by at most `bound`.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     If there are no real numbers.
    /// ValueError
    ///     If the shape is wrong or a coordinate is not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> test = tangere.Inside(tangere.generate.sponge(0))
    /// >>> test.winding([[0.5, 0.5, 0.5], [0.5, 0.5, 0], [1, 1, 1]]).round(12).tolist()
    /// [1.0, 0.5, 0.125]
    fn winding<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let points = points_of::<3>(points, "points")?;
        let found = self.work(py, move |test| {
            let mut windings = Vec::new();
            test.winding(&points, &mut windings).map(|()| windings)
        })?;
        Ok(from_numbers(py, found.map_err(named)?))
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
    fn confidences<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let points = points_of::<3>(points, "points")?;
        let found = self.work(py, move |test| {
            let mut sure = Vec::new();
            test.confidences(&points, &mut sure).map(|()| sure)
        })?;
        Ok(from_numbers(py, found.map_err(named)?))
    }

    /// By how much winding numbers of the last call may be off.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> test = tangere.Inside(tangere.generate.sphere(4), method="layer")
    /// >>> abs(test.winding([[0.1, 0.2, 0.3]])[0] - 1) <= test.bound < 1e-9
    /// True
    #[getter]
    fn bound(&self, py: Python<'_>) -> PyResult<f64> {
        self.told(py, |test| test.bound())
    }

    /// The least confidence of the last call of `classify`.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> test = tangere.Inside(tangere.generate.sphere(4))
    /// >>> sides = test.classify([[0, 0, 0]])
    /// >>> test.confidence
    /// 1.0
    #[getter]
    fn confidence(&self, py: Python<'_>) -> PyResult<f64> {
        self.told(py, |test| test.confidence())
    }

    /// The method at work; of 'auto', the one that it chose.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> tangere.Inside(tangere.generate.sphere(0), method="ray").method
    /// 'ray'
    #[getter]
    fn method(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.told(py, |test| test.method())
    }

    /// Why this method, and what it does.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> tangere.Inside(tangere.generate.sphere(0), method="layer").reason
    /// 'solid angles of all triangles'
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<String> {
        self.told(py, |test| test.reason())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let method = self.method(py)?;
        Ok(format!(
            "<tangere.Inside of {} triangles by '{method}'>",
            self.triangles
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
/// threads : int, optional
///     How many threads work; as many as there are cores if None.
///
/// Returns
/// -------
/// ndarray of int8, shape (N,)
///
/// Raises
/// ------
/// TypeError
///     If an argument is of the wrong type.
/// ValueError
///     If an argument is wrong, or the surface is not one for the method.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> tangere.inside(tangere.generate.sphere(4), [[0, 0, 0], [0, 0, 1], [1, 1, 1]])
/// array([ 1,  0, -1], dtype=int8)
#[pyfunction]
#[pyo3(signature = (mesh, points, *, method=None, rule=None, accuracy=None, threads=None))]
#[pyo3(
    text_signature = "(mesh, points, *, method='auto', rule='nonzero', accuracy=1e-06, threads=None)"
)]
pub fn inside<'py>(
    mesh: &Bound<'py, PyAny>,
    points: &Bound<'py, PyAny>,
    method: Argument<'_, 'py>,
    rule: Argument<'_, 'py>,
    accuracy: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let py = mesh.py();
    let points = points_of::<3>(points, "points")?;
    let count = Some(points.len());
    let mut test = set_up(py, mesh, method, rule, accuracy, count, threads)?;
    let sides = run(py, threads, move || sides(&mut test, &points))?;
    Ok(from_numbers(py, sides.map_err(named)?))
}
