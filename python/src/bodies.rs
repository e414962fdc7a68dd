//! Nodes of moving bodies inside others.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tangere::geometry::Pose;
use tangere::inside::{self, Intrusion};

use crate::arguments::type_error;
use crate::arrays::{from_numbers, from_points};
use crate::errors::{What, value_error};
use crate::inside::{KEYWORDS, numbered, test_settings};
use crate::mesh::Mesh;
use crate::options::{Arguments, Options};
use crate::poses::pose;
use crate::report::counted;
use crate::run::run_on;
use crate::shared_state::SharedState;

/// Rows of body, other and node, and the sides of these nodes.
type Intrusions<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<i8>>);

/// Tells which nodes of moving bodies are inside other bodies.
///
/// Bodies are given once, each in its own frame; poses then put them somewhere, as
/// often as wanted, and nothing is set up again. Bodies whose boxes meet are found
/// first, then all vertices of one are tested against the other.
///
/// Parameters
/// ----------
/// meshes : iterable of Mesh
///     The surfaces of the bodies.
/// method : {'auto', 'ray', 'layer', 'multipole', 'cells'}, optional
///     How each is asked; see `Inside`.
/// rule : {'nonzero', 'parity'}, optional
///     What counts as inside where shells are nested or overlap.
/// accuracy : float, optional
///     The error that winding numbers may have, between 0 and 1.
/// insist : bool, optional
///     Let exact methods go on with surfaces for which they cannot promise anything.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If an argument is wrong, or a surface is not one for the method.
///
/// Notes
/// -----
/// Bodies may touch with their edges alone, without a node of either inside the other.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> sphere = tangere.generate.sphere(2)
/// >>> bodies = tangere.Bodies([sphere, sphere])
/// >>> len(bodies)
/// 2
/// >>> nodes, sides = bodies.intrusions([[0, 0, 0], [1.75, 0, 0]])
/// >>> sorted(set(nodes[:, 0].tolist())), set(sides.tolist()) <= {0, 1}
/// ([0, 1], True)
/// >>> nodes, sides = bodies.intrusions([[0, 0, 0], [2.25, 0, 0]])
/// >>> len(nodes)
/// 0
/// >>> bodies.confidence, tangere.Bodies([sphere], method="layer").reasons
/// (1.0, ['layer: solid angles of all triangles'])
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Bodies {
    count: usize,
    threads: usize,
    shared: Arc<SharedState<inside::Bodies>>,
    /// What they were made from, for pickling.
    meshes: Py<PyTuple>,
    options: Py<PyDict>,
}

#[pymethods]
impl Bodies {
    #[new]
    #[pyo3(signature = (meshes, **options))]
    #[pyo3(
        text_signature = "(meshes, *, method='auto', rule='nonzero', accuracy=1e-06, insist=False, threads=None)"
    )]
    fn new(meshes: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = Options::new("Bodies", options, KEYWORDS)?;
        let (method, settings) = test_settings(options)?;
        let threads = options.threads()?;
        let mut bodies = inside::Bodies::new(method, settings).map_err(value_error)?;
        let items = meshes.try_iter();
        let items = items.map_err(|_| type_error(meshes, "meshes", "an iterable of Mesh"))?;
        let (mut kept, mut all) = (Vec::new(), Vec::new());
        for (i, mesh) in items.enumerate() {
            let mesh = mesh?;
            all.push(Mesh::argument(&mesh, &format!("meshes[{i}]"))?);
            kept.push(mesh);
        }
        let count = all.len();
        let added = run_on(meshes.py(), threads, move || {
            for (i, mesh) in all.iter().enumerate() {
                bodies.add(mesh).map_err(|error| (i, error))?;
            }
            Ok(bodies)
        })?;
        let bodies = added.map_err(|(i, error)| {
            crate::errors::named(error, |what, _| match what {
                What::Mesh => format!("meshes[{i}]"),
                _ => what.name().to_owned(),
            })
        })?;
        Ok(Self {
            count,
            threads,
            shared: SharedState::new(bodies),
            meshes: PyTuple::new(meshes.py(), kept)?.unbind(),
            options: options.kept(meshes.py())?,
        })
    }

    /// All nodes that are inside other bodies or on their surface.
    ///
    /// Parameters
    /// ----------
    /// poses : array_like or sequence
    ///     Where each body is: translation and quaternion (tx, ty, tz, qw, qx, qy, qz), the
    ///     translation alone, or a 4 x 4 matrix.
    ///
    /// Returns
    /// -------
    /// nodes : ndarray of uint32, shape (K, 3)
    ///     The number of the body that is entered, of the one that enters it, and of the
    ///     vertex of the latter; sorted.
    /// sides : ndarray of int8, shape (K,)
    ///     1 inside, 0 on the surface.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there are not as many poses as bodies, one is none, or it takes a body out
    ///     of the range of coordinates.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> cube, sphere = tangere.generate.sponge(0), tangere.generate.sphere(0)
    /// >>> nodes, sides = tangere.Bodies([cube, sphere]).intrusions([[0, 0, 0], [0.5, 0.5, 1.5]])
    /// >>> nodes.tolist(), sides.tolist()
    /// ([[0, 1, 5]], [1])
    fn intrusions<'py>(
        &self,
        py: Python<'py>,
        poses: &Bound<'py, PyAny>,
    ) -> PyResult<Intrusions<'py>> {
        let items = poses.try_iter();
        let items = items.map_err(|_| type_error(poses, "poses", "a sequence of poses"))?;
        let mut all: Vec<Pose> = Vec::new();
        for (i, item) in items.enumerate() {
            all.push(pose(&item?, &format!("poses[{i}]"))?);
        }
        let found = self.shared.work(py, self.threads, move |bodies| {
            let mut found: Vec<Intrusion> = Vec::new();
            bodies.intrusions(&all, &mut found).map(|()| found)
        })?;
        let found = found.map_err(value_error)?;
        let row = |hit: &Intrusion| [hit.body, hit.other, hit.node];
        let nodes = from_points(py, found.iter().map(row).collect())?;
        let sides = numbered(found.iter().map(|hit| hit.side).collect());
        Ok((nodes, from_numbers(py, sides)))
    }

    /// How sure the last call of `intrusions` was: the least over all nodes that were asked
    /// about, 1 for closed surfaces.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |bodies| bodies.confidence())
    }

    /// By which method each body is asked, and why.
    #[getter]
    fn reasons(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut taken = self.shared.taken(py)?;
        let bodies = taken.state();
        let tests = (0..self.count as u32).filter_map(|body| bodies.test(body));
        let reasons = tests.map(|test| format!("{}: {}", test.method(), test.reason()));
        Ok(reasons.collect())
    }

    /// Pickled is what they were made from; they are set up again.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py, Py<PyTuple>>> {
        let meshes = self.meshes.clone_ref(py);
        Ok(((meshes,), self.options.bind(py).copy()?))
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!(
            "<tangere.Bodies of {}>",
            counted(self.count, "body", "bodies")
        )
    }
}
