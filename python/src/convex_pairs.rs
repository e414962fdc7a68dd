//! Narrow phase of many pairs of convex bodies, tracked from step to step.

use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::closest;
use tangere::shape;
use tangere_front::answer::Table;
use tangere_front::answers::closest::CONTACT;

use crate::arguments::{Argument, Given, flag, type_error};
use crate::arrays::pairs as pairs_of;
use crate::contact::counts;
use crate::convex::ConvexPolyhedron;
use crate::errors::{What, of_arrays};
use crate::options::Arguments;
use crate::pickling::reduced;
use crate::poses::pose_rows;
use crate::record::structured;
use crate::report::counted;
use crate::run::threads_of;
use crate::shared_state::SharedState;

/// Narrow phase: distance or penetration depth of many pairs of convex bodies, tracked in time.
///
/// The closest features of each pair are cached, wherever the pair stands in the list: the next
/// call, with bodies slightly moved, takes a step or two a pair.
///
/// Parameters
/// ----------
/// shapes : iterable of ConvexPolyhedron, Mesh or array_like of shape (N, 3)
///     One for each body. Bodies may share a `ConvexPolyhedron`; of a mesh or of points
///     the convex hull is taken.
/// threads : int, optional
///     The number of threads; all cores if None. Results do not depend on it.
///
/// Raises
/// ------
/// ValueError
///     If a shape has no points or a coordinate is not finite.
///
/// Notes
/// -----
/// Several threads may use the object; they wait for each other.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> cube = tangere.ConvexPolyhedron(tangere.generate.sponge(0).vertices)
/// >>> bodies = tangere.ConvexPairs([cube] * 3)
/// >>> poses = [[0, 0, 0, 1, 0, 0, 0], [1.5, 0, 0, 1, 0, 0, 0], [2, 0.5, 0, 1, 0, 0, 0]]
/// >>> contacts = bodies.contacts(poses, [[0, 1], [1, 2]])
/// >>> contacts["gap"].tolist(), contacts["normal"][0].tolist()
/// ([0.5, -0.5], [1.0, 0.0, 0.0])
/// >>> bodies.counts.queries
/// 2
#[pyclass(frozen, weakref, module = "tangere")]
pub struct ConvexPairs {
    /// The shape of each body, for pickles.
    shapes: Vec<Arc<shape::ConvexPolyhedron>>,
    threads: usize,
    shared: Arc<SharedState<closest::ConvexPairs>>,
}

#[pymethods]
impl ConvexPairs {
    #[new]
    #[pyo3(signature = (shapes, *, threads=None))]
    fn new(shapes: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Self> {
        let threads = threads_of(threads)?;
        let expected = "an iterable of shapes";
        let mut taken: Vec<Arc<shape::ConvexPolyhedron>> = Vec::new();
        let items = shapes.try_iter();
        for (i, shape) in items
            .map_err(|_| type_error(shapes, "shapes", expected))?
            .enumerate()
        {
            let shape = shape?;
            let name = format!("shapes[{i}]");
            taken.push(ConvexPolyhedron::argument(&shape, &name, None)?);
        }
        Ok(Self {
            shapes: taken.clone(),
            threads,
            shared: SharedState::new(closest::ConvexPairs::new(taken)),
        })
    }

    /// Distance or penetration depth of each pair.
    ///
    /// Parameters
    /// ----------
    /// poses : array_like, shape (N, 3), (N, 7) or (N, 4, 4)
    ///     The pose of each body: a translation, a translation and a unit quaternion
    ///     ``tx, ty, tz, qw, qx, qy, qz``, or a matrix.
    /// pairs : array_like of int, shape (M, 2)
    ///     Indices of two different bodies each. The list may change from call to call.
    /// verify : bool, default False
    ///     Whether all results are verified before they are returned, as by `closest`.
    ///
    /// Returns
    /// -------
    /// structured ndarray, shape (M,)
    ///     A row for each pair, from its first body to its second: ``gap``, ``lower``,
    ///     ``upper``, ``point_a``, ``point_b``, ``normal`` (float64), ``kind_a``,
    ///     ``kind_b`` (0 vertex, 1 edge, 2 face), ``index_a``, ``index_b``, ``status`` (0
    ///     separated, 1 touching, 2 penetrating, 3 bracketed) and ``steps``, with the meanings of
    ///     `Contact`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a shape is wrong, the number of poses is not that of the bodies, a pose is invalid,
    ///     or a pair has an index out of range, or the same body twice.
    /// RuntimeError
    ///     If the verification fails.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> bodies = tangere.ConvexPairs([[[0, 0, 0]], [[0, 0, 0], [0, 4, 0]]])
    /// >>> contact = bodies.contacts([[0, 0, 0], [3, -1, 0]], [[0, 1]])[0]
    /// >>> contact["gap"].item(), contact["point_b"].tolist(), contact["kind_b"].item()
    /// (3.0, [3.0, 0.0, 0.0], 1)
    #[pyo3(signature = (poses, pairs, *, verify=Given::default()),
           text_signature = "($self, poses, pairs, *, verify=False)")]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        poses: &Bound<'py, PyAny>,
        pairs: &Bound<'py, PyAny>,
        verify: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let poses = pose_rows(poses, "poses")?;
        let pairs = pairs_of(pairs, "pairs")?;
        let verify = verify.or(false, "verify", flag)?;
        let answer = self.shared.work(py, self.threads, move |bodies| {
            let mut contacts = Vec::new();
            bodies.contacts(&poses, &pairs, &mut contacts)?;
            let proven = match verify {
                true => bodies.certificates(&poses, &pairs, &contacts),
                false => Ok(()),
            };
            Ok((Table::new(CONTACT, &contacts).packed()?, proven))
        })?;
        let (rows, proven) = answer.map_err(|e| of_arrays(e, &[(What::Pair, "pairs")]))?;
        proven.map_err(|(pair, violation)| {
            PyRuntimeError::new_err(format!(
                "internal error, please report it: the answer for pairs[{pair}] {violation}"
            ))
        })?;
        structured(py, rows)
    }

    /// Counts of the work of all pairs together, a `Counts`.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        counts(py, self.shared.read(py, |bodies| bodies.counts())?)
    }

    /// Sets all counts to 0.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> bodies = tangere.ConvexPairs([[[0, 0, 0]], [[1, 0, 0]]])
    /// >>> contacts = bodies.contacts([[0, 0, 0], [0, 0, 0]], [[0, 1]])
    /// >>> bodies.reset_counts()
    /// >>> bodies.counts.queries
    /// 0
    fn reset_counts(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.read(py, closest::ConvexPairs::reset_counts)
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    /// Results do not depend on earlier calls: a copy tracks its pairs anew.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py, Vec<Py<PyAny>>>> {
        let shape = |shape: &Arc<shape::ConvexPolyhedron>| {
            let shape = ConvexPolyhedron::of_shared(shape.clone());
            Ok(Py::new(py, shape)?.into_any())
        };
        let shapes = self.shapes.iter().map(shape).collect::<PyResult<_>>()?;
        let keywords = PyDict::new(py);
        keywords.set_item("threads", (self.threads > 0).then_some(self.threads))?;
        Ok(((shapes,), keywords))
    }

    fn __len__(&self) -> usize {
        self.shapes.len()
    }

    fn __repr__(&self) -> String {
        let bodies = counted(self.shapes.len(), "body", "bodies");
        format!("<tangere.ConvexPairs of {bodies}>")
    }
}
