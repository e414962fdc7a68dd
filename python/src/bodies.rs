//! Point containment among moving bodies: nodes of one body inside another.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tangere::geometry::Pose;
use tangere::inside::{self, Intrusion};

use crate::arguments::type_error;
use crate::arrays::{from_numbers, from_points};
use crate::errors::{What, value_error};
use crate::inside::{KEYWORDS, named, numbered, test_settings};
use crate::mesh::Mesh;
use crate::options::{Arguments, Options};
use crate::pickling::reduced;
use crate::poses::pose;
use crate::report::counted;
use crate::run::run_on;
use crate::shared_state::SharedState;

/// Rows of (entered body, entering body, node), and the side of each node: 1 inside, 0 on the
/// surface.
type Intrusions<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<i8>>);

/// Point containment among moving bodies: finds the nodes of each body that are inside another.
///
/// Bodies are given once, each in its own frame; `intrusions` takes their poses, with no further
/// set-up. A broad phase finds bodies whose bounding boxes touch; then all vertices of one are
/// tested against the other.
///
/// Parameters
/// ----------
/// meshes : iterable of Mesh
///     The surfaces of the bodies.
/// method : {'auto', 'ray', 'layer', 'multipole', 'cells', 'ray-plain', 'panel-clustering'}, optional
///     The point containment test of each body; see `Inside`.
/// rule : {'nonzero', 'parity'}, optional
///     What counts as inside where shells are nested or overlap; see `Inside`.
/// accuracy : float, optional
///     Error bound of winding numbers, between 0 and 1.
/// insist : bool, optional
///     Use exact methods even on surfaces for which their result is not guaranteed.
/// degree, separation, depth : optional
///     Only for 'multipole' and, but for ``depth``, 'panel-clustering'; see `Inside`.
#[doc = include_str!("threads.txt")]
/// Raises
/// ------
/// ValueError
///     If an argument is invalid, or the method cannot be used on a surface.
///
/// Notes
/// -----
/// Bodies may intersect at edges only, with no node of either inside the other.
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
    /// The arguments of the constructor, kept for pickling: `meshes`, and keywords in `options`.
    meshes: Py<PyTuple>,
    options: Py<PyDict>,
}

#[pymethods]
impl Bodies {
    #[new]
    #[pyo3(signature = (meshes, **options))]
    #[pyo3(
        text_signature = "(meshes, *, method='auto', rule='nonzero', accuracy=1e-06, insist=False, degree=None, separation=None, depth=None, threads=None)"
    )]
    fn new(meshes: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = Options::new("Bodies", options, KEYWORDS)?;
        let settings = test_settings(options)?;
        let threads = options.threads()?;
        let mut bodies = inside::Bodies::new(settings).map_err(named)?;
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
                What::Mesh | What::OpenMesh => format!("meshes[{i}]"),
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

    /// Finds all nodes that are inside another body or on its surface.
    ///
    /// Parameters
    /// ----------
    /// poses : array_like or sequence
    ///     The pose of each body: translation and quaternion (tx, ty, tz, qw, qx, qy, qz), the
    ///     translation alone, or a 4 x 4 matrix.
    ///
    /// Returns
    /// -------
    /// nodes : ndarray of uint32, shape (K, 3)
    ///     Indices of the entered body, of the entering body, and of the vertex of the latter;
    ///     sorted.
    /// sides : ndarray of int8, shape (K,)
    ///     1 inside, 0 on the surface.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the number of poses is not that of the bodies, a pose is invalid, or it moves a body
    ///     out of the range of coordinates.
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

    /// Confidence of the last call of `intrusions`: the minimum over all tested nodes; 1 for closed
    /// surfaces.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |bodies| bodies.confidence())
    }

    /// The method of each body, and the reason for its choice.
    #[getter]
    fn reasons(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut taken = self.shared.taken(py)?;
        let bodies = taken.state();
        let tests = (0..self.count as u32).filter_map(|body| bodies.test(body));
        let reasons = tests.map(|test| format!("{}: {}", test.method(), test.reason()));
        Ok(reasons.collect())
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    /// Pickles the arguments; unpickling repeats the set-up.
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
