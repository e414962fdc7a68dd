//! Continuous collision detection: `ImpactEngine` as a Python object.

use std::sync::Arc;

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere_front::answers::impact::COUNTS;

use crate::arguments::{Argument, number, optional};
use crate::arrays::{from_points, points};
use crate::errors::{What, of_arrays, value_error};
use crate::impact::answers::{contact_rows, impact_record, of_nodes};
use crate::impact::engine_arguments::EngineArguments;
use crate::impact::motion::{GivenPose, MotionArguments, of_motion, record_of};
use crate::impact::names::number_of;
use crate::impact::nodes::Nodes;
use crate::impact::scene::Members;
use crate::impact::state::State;
use crate::pickling::unpicklable;
use crate::record::record;
use crate::report::counted;
use crate::run::run_on;
use crate::shared_state::SharedState;

/// Continuous collision detection: the time of impact of moving bodies, and their contacts.
///
/// Conservative: nothing is missed, and the reported time is a lower bound of the time of impact.
/// Bodies move as given until `set_motion` or `set_nodes` changes it. Candidate pairs wait in a
/// priority queue, keyed by a lower bound of their time of impact; queries up to an earlier time
/// cost nothing. The engine computes no response: after a contact the caller changes the motion
/// (`set_motion`).
///
/// Parameters
/// ----------
/// bodies : iterable of Body, dict or Mesh
///     The bodies at time 0. A dictionary has the keys of a body of a scene: ``name``, ``shape``,
///     ``position``, ``rotation`` (w, x, y, z), ``velocity``, ``spin``, ``acceleration``,
///     ``center``, ``fixed`` and ``vertex_velocities``; its shape may be any shape of `Body`. A
///     mesh, or another shape, is a body at rest. A dictionary with the keys of a whole scene may
///     replace the list.
/// separation : float, optional
///     Contact is when the distance is this or less; 0 for touching.
/// volume : {'box', 'ball'}, optional
///     The bounding volumes that are compared in the traversal of the hierarchies.
/// refinement : {'obb', '26-dop', '18-dop', '14-dop', 'aabb', 'none'}, optional
///     The bounding volumes of triangles that are compared before their exact distance.
/// self_contact : bool, optional
///     Whether self-contact of deforming bodies is detected.
/// work : int, optional
///     The most work of one call, of ``first_contacts`` from one contact to the next: 1 for a pair
///     of volumes, 8 for one of triangles. Beyond it the result is 'unresolved', and nothing
///     touches before its time. 20 million, some seconds, if None.
#[doc = include_str!("../threads.txt")]
/// Raises
/// ------
/// ValueError
///     If an argument is invalid; for an unknown key the message suggests the nearest one.
/// OSError
///     If the file of a shape cannot be read.
///
/// Notes
/// -----
/// ``len(engine)`` is the number of bodies. Methods take a body by its index or by its name, and
/// raise ValueError if there is none. Several threads may use the object; they wait for each
/// other. ``copy.copy`` makes an independent copy.
///
/// Examples
/// --------
/// Two meshed spheres are thrown at each other from a distance of 1500.
///
/// >>> import tangere
/// >>> thrown = {"shape": tangere.generate.sphere(4), "acceleration": [0, 0, -9.81]}
/// >>> engine = tangere.ImpactEngine([
/// ...     {"name": "left", "velocity": [50, 0, 50 * 3**0.5], **thrown},
/// ...     {"name": "right", "position": [1500, 0, 0], "velocity": [-50, 0, 50 * 3**0.5], **thrown},
/// ... ])
/// >>> impact = engine.next_contact(20)
/// >>> impact.early <= 14.98 <= impact.late, impact.late - impact.early < 1e-12
/// (True, True)
/// >>> engine.advance(impact.time)
/// >>> for body in engine.names:
/// ...     engine.set_motion(body, velocity=engine.motion(body).velocity * [-1, 1, 1])
/// >>> print(engine.next_contact(20))
/// None
/// >>> engine.time == impact.time, engine.next_time > 20, engine.counts.primitive > 0
/// (True, True, True)
/// >>> scene = {"until": 20, "body": [{"shape": {"ball": {"radius": 1}}}]}
/// >>> tangere.ImpactEngine(scene).until, tangere.ImpactEngine({"step": 0.1, **scene}).step
/// (20.0, 0.1)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct ImpactEngine {
    pub shared: Arc<SharedState<State>>,
    pub names: Vec<String>,
    pub until: Option<f64>,
    pub step: Option<f64>,
    pub threads: usize,
}

impl ImpactEngine {
    /// Calls `work` with the engine, without the GIL.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> T + Send,
    ) -> PyResult<T> {
        let mut taken = self.shared.taken(py)?;
        Ok(py.detach(|| work(taken.state())))
    }

    /// Returns the index of the body that an argument gives by index or name.
    fn number(&self, value: &Bound<'_, PyAny>, argument: &str) -> PyResult<usize> {
        number_of(&self.names, value, argument)
    }
}

#[pymethods]
impl ImpactEngine {
    #[new]
    #[pyo3(signature = (bodies, **options))]
    #[pyo3(
        text_signature = "(bodies, *, separation=0.0, volume='box', refinement='obb', self_contact=True, work=None, threads=None)"
    )]
    fn new(bodies: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let arguments = EngineArguments::new("ImpactEngine", options)?;
        let bodies = Members::of_argument(bodies, arguments.threads)?;
        arguments.engine(bodies)
    }

    /// Engine from a scene file in TOML.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     The file. Shape files are relative to its folder, and inside it.
    /// follow_links : bool, optional
    ///     Whether symbolic links may lead out of the folder of the scene.
    /// separation, volume, refinement, self_contact, work, threads : optional
    ///     As for `ImpactEngine`.
    ///
    /// Returns
    /// -------
    /// ImpactEngine
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If a file cannot be read; ``errno``, ``strerror`` and ``filename`` are set as by
    ///     `open`.
    /// ValueError
    ///     If the file is not a scene; the message names the line, what was found there and what
    ///     was expected.
    ///
    /// Examples
    /// --------
    /// >>> import os, tempfile, tangere
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     path = os.path.join(folder, "drop.toml")
    /// ...     with open(path, "w") as file:
    /// ...         _ = file.write('''
    /// ... until = 9
    /// ... gravity = [0, 0, -10]
    /// ... [[body]]
    /// ... shape = { box = { size = 1 } }
    /// ... fixed = true
    /// ... [[body]]
    /// ... name = "ball"
    /// ... shape = { ball = { radius = 0.5 } }
    /// ... position = [0, 0, 6]
    /// ... ''')
    /// ...     engine = tangere.ImpactEngine.from_scene(path)
    /// >>> engine.names, engine.until, round(engine.next_contact().time, 9)
    /// (['body 0', 'ball'], 9.0, 1.0)
    #[staticmethod]
    #[pyo3(signature = (path, *, follow_links=false, **options))]
    #[pyo3(
        text_signature = "(path, *, follow_links=False, separation=0.0, volume='box', refinement='obb', self_contact=True, work=None, threads=None)"
    )]
    fn from_scene(
        path: &Bound<'_, PyAny>,
        follow_links: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let arguments = EngineArguments::new("from_scene", options)?;
        let bodies = Members::of_file(path, follow_links, arguments.threads)?;
        arguments.engine(bodies)
    }

    /// The next contact: time of impact and all contacts at that time, up to rounding.
    ///
    /// Bodies that overlap now are in contact now, with the certificate 'overlap'; `ignore` leaves
    /// them out. Bodies that touch now but separate do not count.
    ///
    /// Parameters
    /// ----------
    /// horizon : float, optional
    ///     The search ends at this time. None: the end of the scene if it has one, at most the
    ///     time until which all motions are known.
    ///
    /// Returns
    /// -------
    /// Impact or None
    ///     None if there is no contact up to the horizon.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If it is NaN, before the current time, or after all known motion.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> balls = [tangere.Body.ball(1), tangere.Body.ball(1, [6, 0, 0], velocity=[-2, 0, 0])]
    /// >>> engine = tangere.ImpactEngine(balls)
    /// >>> print(engine.next_contact(1.5))
    /// None
    /// >>> impact = engine.next_contact()
    /// >>> round(impact.time, 9), impact.certificate
    /// (2.0, 'exact')
    #[pyo3(signature = (horizon=None))]
    fn next_contact<'py>(
        &self,
        py: Python<'py>,
        horizon: Argument<'_, 'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let horizon = optional(horizon, "horizon", number)?;
        let end = self.until;
        let mut taken = self.shared.taken(py)?;
        // A query without work needs no other thread.
        let found = if taken.state().is_idle(horizon) {
            taken.state().next_contact(horizon, end)
        } else {
            run_on(py, self.threads, move || {
                taken.state().next_contact(horizon, end)
            })?
        };
        let found = found.map_err(|e| of_nodes(e, &[]))?;
        found.map(|impact| impact_record(py, &impact)).transpose()
    }

    /// The first contact of each pair of bodies, in order of time.
    ///
    /// Bodies move on as if they did not collide. The engine is unchanged: bodies do not move, and
    /// no pair is ignored afterwards. Ignored pairs are left out.
    ///
    /// Parameters
    /// ----------
    /// until : float, optional
    ///     The search ends at this time. None: the end of the scene if it has one, at most the
    ///     time until which all motions are known.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray, structured
    ///     A row for each contact, with the fields of `ImpactContact`: ``early``, ``late``,
    ///     ``gap`` (float64), ``point_a``, ``point_b``, ``normal`` (float64, shape (3,)),
    ///     ``xi_a``, ``xi_b`` (float64, shape (2,)), ``a``, ``b``, ``face_a``, ``face_b``
    ///     (uint32), ``kind_a``, ``kind_b`` (uint8: 0 vertex, 1 edge, 2 face) and ``index_a``,
    ///     ``index_b`` (uint32) of the features, ``certificate`` (uint8: 0 exact, 1 bracket,
    ///     2 touching, 3 overlap). A pair that touches in several places at the same time has
    ///     several rows.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If it is NaN, before the current time, or after all known motion; if ``work`` is used
    ///     up before that time.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> balls = [tangere.Body.ball(1, [4 * i, 0, 0], velocity=[-i * i, 0, 0]) for i in range(3)]
    /// >>> engine = tangere.ImpactEngine(balls)
    /// >>> found = engine.first_contacts(5)
    /// >>> found[["a", "b"]].tolist(), found["early"].round(9).tolist()
    /// ([(1, 2), (0, 2), (0, 1)], [0.666666667, 1.5, 2.0])
    /// >>> engine.time
    /// 0.0
    #[pyo3(signature = (until=None))]
    fn first_contacts<'py>(
        &self,
        py: Python<'py>,
        until: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let until = optional(until, "until", number)?;
        let end = self.until;
        let search = move |state: &mut State| state.first_contacts(until, end);
        let found = self.shared.work(py, self.threads, search)?;
        let found = found.map_err(|e| of_nodes(e, &[(What::Horizon, "until")]))?;
        contact_rows(py, found)
    }

    /// Advances to a time. Bodies move along their motions, through any contact.
    ///
    /// Parameters
    /// ----------
    /// t : float
    ///     The time, not before the current one.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If it is before the current time or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> engine = tangere.ImpactEngine([tangere.Body.ball(1, velocity=[0, 0, 2])])
    /// >>> engine.advance(1.5)
    /// >>> engine.time, engine.motion(0).position.tolist()
    /// (1.5, [0.0, 0.0, 3.0])
    fn advance(&self, py: Python<'_>, t: &Bound<'_, PyAny>) -> PyResult<()> {
        let time = number(t, "t")?;
        let advanced = self.with(py, |state| state.advance(time))?;
        advanced.map_err(|e| of_nodes(e, &[(What::Time, "t")]))
    }

    /// The current time.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |state| state.engine.time())
    }

    /// A lower bound of the next time of impact: queries up to an earlier time find nothing and
    /// cost nothing.
    #[getter]
    fn next_time(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |state| state.engine.next_time())
    }

    /// The names of the bodies; bodies without a name are ``"body N"``.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The end time of the scene, or None.
    #[getter]
    fn until(&self) -> Option<f64> {
        self.until
    }

    /// The time step of the scene, or None.
    #[getter]
    fn step(&self) -> Option<f64> {
        self.step
    }

    /// Work counts so far, an `ImpactCounts`.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = self.with(py, |state| state.engine.counts())?;
        record(py, "ImpactCounts", COUNTS, &counts)
    }

    /// Returns the current motion of a rigid body; for a deforming body the common part of the
    /// motion of its nodes.
    ///
    /// Parameters
    /// ----------
    /// body : int or str
    ///     Its index or its name.
    ///
    /// Returns
    /// -------
    /// Motion
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> engine = tangere.ImpactEngine([tangere.Body.ball(1, acceleration=[0, 0, -10])])
    /// >>> engine.advance(2)
    /// >>> motion = engine.motion(0)
    /// >>> motion.position.tolist(), motion.velocity.tolist()
    /// ([0.0, 0.0, -20.0], [0.0, 0.0, -20.0])
    fn motion<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let body = self.number(body, "body")?;
        let motion = self.with(py, |state| state.engine.motion(body))?;
        record_of(py, &motion.map_err(value_error)?)
    }

    /// Changes the motion of a rigid body from now on.
    ///
    /// Arguments that are None leave their values unchanged.
    ///
    /// Parameters
    /// ----------
    /// body : int or str
    ///     Its index or its name.
    /// position, rotation, velocity, spin, acceleration, center : optional
    ///     As for `Body`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such body, it deforms, or a shape or a number is invalid.
    ///
    /// Examples
    /// --------
    /// A ball falls on another and bounces.
    ///
    /// >>> import tangere
    /// >>> ball = tangere.Body.ball(1, position=[0, 0, 7], acceleration=[0, 0, -10])
    /// >>> engine = tangere.ImpactEngine([tangere.Body.ball(1), ball])
    /// >>> for bounce in range(3):
    /// ...     impact = engine.next_contact(20)
    /// ...     engine.advance(impact.time)
    /// ...     engine.set_motion(1, velocity=-engine.motion(1).velocity)
    /// ...     print(round(impact.time, 9))
    /// 1.0
    /// 3.0
    /// 5.0
    #[pyo3(signature = (body, position=None, rotation=None, velocity=None, spin=None,
                        acceleration=None, center=None))]
    #[expect(clippy::too_many_arguments, reason = "the Python method has as many")]
    fn set_motion<'py>(
        &self,
        body: &Bound<'py, PyAny>,
        position: Argument<'_, 'py>,
        rotation: Argument<'_, 'py>,
        velocity: Argument<'_, 'py>,
        spin: Argument<'_, 'py>,
        acceleration: Argument<'_, 'py>,
        center: Argument<'_, 'py>,
    ) -> PyResult<()> {
        let py = body.py();
        let body = self.number(body, "body")?;
        let given = MotionArguments([position, rotation, velocity, spin, acceleration, center]);
        let change = given.change()?;
        let changed = self.with(py, |state| {
            let motion = change.after(&state.engine.motion(body)?)?;
            state.engine.set_motion(body, motion)
        })?;
        changed.map_err(of_motion)
    }

    /// The current positions of the vertices of a body.
    ///
    /// Parameters
    /// ----------
    /// body : int or str
    ///     Its index or its name.
    ///
    /// Returns
    /// -------
    /// ndarray, float64, shape (N, 3)
    ///     Of a ball its centre.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> body = tangere.Body(tangere.generate.sphere(0), spin=[0, 0, 1], velocity=[1, 0, 0])
    /// >>> engine = tangere.ImpactEngine([body])
    /// >>> engine.advance(2)
    /// >>> engine.nodes(0).mean(axis=0).round(9).tolist()
    /// [2.0, 0.0, 0.0]
    fn nodes<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let body = self.number(body, "body")?;
        let nodes = self.with(py, |state| {
            let mut nodes = Vec::new();
            state.engine.nodes(body, &mut nodes).map(|()| nodes)
        })?;
        from_points(py, nodes.map_err(value_error)?)
    }

    /// Sets the current positions of the nodes of a deforming body, and their linear motion.
    ///
    /// Parameters
    /// ----------
    /// body : int or str
    ///     Its index or its name.
    /// points : array_like, shape (N, 3)
    ///     The current position of each node.
    /// ends : array_like, shape (N, 3), optional
    ///     The position of each node at the end of the duration.
    /// velocities : array_like, shape (N, 3), optional
    ///     In place of ends, the velocity of each node.
    /// duration : float, optional
    ///     The duration of the motion; with velocities, None means without end.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such body, it is rigid, the number of rows is not that of its nodes, a
    ///     number is not finite, or the duration is not positive.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sphere = tangere.generate.sphere(2)
    /// >>> start, step = sphere.vertices, [0, 0, -0.5]
    /// >>> body = tangere.Body.deforming(sphere, ends=start + step, duration=1)
    /// >>> engine = tangere.ImpactEngine([body, tangere.Body.ball(1, [0, 0, -3.75])])
    /// >>> for k in range(1, 5):
    /// ...     impact = engine.next_contact(k)
    /// ...     if impact:
    /// ...         print(k, round(impact.time, 9))
    /// ...         break
    /// ...     engine.advance(k)
    /// ...     engine.set_nodes(0, engine.nodes(0), ends=engine.nodes(0) + step, duration=1)
    /// 4 3.5
    #[pyo3(signature = (body, points, ends=None, velocities=None, duration=None))]
    fn set_nodes<'py>(
        &self,
        body: &Bound<'py, PyAny>,
        points: &Bound<'py, PyAny>,
        ends: Argument<'_, 'py>,
        velocities: Argument<'_, 'py>,
        duration: Argument<'_, 'py>,
    ) -> PyResult<()> {
        let py = body.py();
        let body = self.number(body, "body")?;
        let points = self::points::<3>(points, "points")?;
        let nodes = Nodes::new(velocities, ends, duration)?;
        let names = nodes.names();
        self.with(py, |state| state.set_nodes(body, &points, nodes))?
            .map_err(|e| of_arrays(e, &names))
    }

    /// Reports an observed pose of a rigid body.
    ///
    /// If it deviates from the predicted pose by more than a tolerance, velocity, spin and
    /// acceleration are estimated from this and the last two observations, and the motion is
    /// predicted anew.
    ///
    /// Parameters
    /// ----------
    /// body : int or str
    ///     Its index or its name.
    /// position : array_like, shape (3,)
    ///     The observed position of the origin of its shape.
    /// rotation : array_like or str, optional
    ///     The observed rotation, as for `Body`; None: as predicted.
    /// tolerance : float
    ///     The largest deviation of any of its points from the prediction.
    ///
    /// Returns
    /// -------
    /// {'as predicted', 'changed'}
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such body, it deforms, or a shape or a number is invalid.
    ///
    /// Notes
    /// -----
    /// The time of impact is a lower bound only while the body moves as estimated; a ``separation``
    /// of the tolerance compensates for tolerated deviations.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> engine = tangere.ImpactEngine([tangere.Body.ball(1), tangere.Body.ball(1, [9, 0, 0])])
    /// >>> for k in range(4):
    /// ...     engine.advance(0.1 * k)
    /// ...     print(engine.observe(1, [9 - 0.2 * k, 0, 0], tolerance=1e-9))
    /// as predicted
    /// changed
    /// as predicted
    /// as predicted
    /// >>> round(engine.next_contact(9).time, 9)
    /// 3.5
    #[pyo3(signature = (body, position, rotation=None, *, tolerance))]
    fn observe<'py>(
        &self,
        body: &Bound<'py, PyAny>,
        position: &Bound<'py, PyAny>,
        rotation: Argument<'_, 'py>,
        tolerance: &Bound<'py, PyAny>,
    ) -> PyResult<&'static str> {
        let py = body.py();
        let body = self.number(body, "body")?;
        let tolerance = number(tolerance, "tolerance")?;
        let given = GivenPose::new(Some(position), rotation)?;
        let observed = self.with(py, |state| {
            let pose = given.after(&state.engine.motion(body)?.pose())?;
            state.engine.observe(body, pose, tolerance)
        })?;
        observed.map(|o| o.name()).map_err(value_error)
    }

    /// Excludes a pair of bodies, such as two that overlap or are joined.
    ///
    /// Parameters
    /// ----------
    /// a, b : int or str
    ///     Their indices or names; the same body twice means its self-contact.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> engine = tangere.ImpactEngine([tangere.Body.ball(1), tangere.Body.ball(1, [1, 0, 0])])
    /// >>> engine.next_contact(9).certificate
    /// 'overlap'
    /// >>> engine.ignore(0, 1)
    /// >>> print(engine.next_contact(9))
    /// None
    fn ignore(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let (a, b) = (self.number(a, "a")?, self.number(b, "b")?);
        self.with(py, |state| state.engine.ignore(a, b))?
            .map_err(value_error)
    }

    /// Includes an excluded pair again.
    ///
    /// Parameters
    /// ----------
    /// a, b : int or str
    ///     Their indices or names.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> engine = tangere.ImpactEngine([tangere.Body.ball(1), tangere.Body.ball(1, [1, 0, 0])])
    /// >>> engine.ignore(0, 1)
    /// >>> engine.watch(0, 1)
    /// >>> engine.next_contact(9).certificate
    /// 'overlap'
    fn watch(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let (a, b) = (self.number(a, "a")?, self.number(b, "b")?);
        self.with(py, |state| state.engine.watch(a, b))?
            .map_err(value_error)
    }

    /// Returns an independent copy.
    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let state = self.with(py, |state| state.clone())?;
        Ok(Self {
            shared: SharedState::new(state),
            names: self.names.clone(),
            ..*self
        })
    }

    /// Returns an independent copy.
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__(&self) -> PyResult<()> {
        unpicklable(
            "ImpactEngine",
            "its queue of events has no form outside memory; copy.deepcopy copies it, and \
             the Body objects that it was made of pickle",
        )
    }

    fn __len__(&self) -> usize {
        self.names.len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let bodies = counted(self.names.len(), "body", "bodies");
        let time = self.time(py)?;
        Ok(format!("<tangere.ImpactEngine of {bodies} at time {time}>"))
    }
}
