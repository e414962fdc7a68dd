//! Bodies of `ImpactEngine`: a shape and its motion, rigid or deforming.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tangere::geometry::Pose;
use tangere::impact;
use tangere_front::inputs::bodies::placed;

use crate::arguments::{Argument, optional, word};
use crate::arrays::from_points;
use crate::errors::of_arrays;
use crate::impact::motion::{MotionArguments, of_parts, parts, pose, record_of};
use crate::impact::nodes::Nodes;
use crate::impact::shape::{BodyShape, ball, faces_of, shape_argument};
use crate::pickling::native;
use crate::run::{run_on, threads_of};

/// A body of `ImpactEngine`: a shape and its motion.
///
/// This one is rigid: the point `center` moves with constant acceleration, and the body rotates
/// about it with constant angular velocity (spin). `Body.ball` makes a ball, `Body.deforming` a
/// body whose nodes move independently.
///
/// Parameters
/// ----------
/// shape : Mesh, FaceMesh, BodyShape, ConvexPolyhedron, (vertices, faces) or dict
///     The shape; finite element faces stay curved. A dictionary is the shape of a scene, such as
///     ``{"sphere": {"level": 4}}``, ``{"ball": {"radius": 1.0}}`` or
///     ``{"file": "part.stl", "scale": 0.001}``.
/// position : array_like, shape (3,), optional
///     The position of the origin of the shape at time 0.
/// rotation : array_like or str, optional
///     The rotation of the shape about its origin: a unit quaternion (w, x, y, z), a matrix of
///     shape (3, 3), or an axis and degrees such as ``"x:90"``.
/// velocity : array_like, shape (3,), optional
///     The velocity of the center at time 0.
/// spin : array_like, shape (3,), optional
///     The angular velocity vector, in radians per unit of time.
/// acceleration : array_like, shape (3,), optional
///     The acceleration of the center, such as gravity.
/// center : array_like, shape (3,), optional
///     The centre of rotation, in coordinates of the shape.
/// name : str, optional
///     The name in errors and in `ImpactEngine.names`.
#[doc = include_str!("../threads.txt")]
/// Raises
/// ------
/// ValueError
///     If a shape is wrong or a number is not finite.
///
/// Notes
/// -----
/// A body is immutable; the engine has a copy. It can be pickled.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> sphere = tangere.generate.sphere(4)
/// >>> tangere.Body(sphere, position=[1500, 0, 0], velocity=[-50, 0, 86.6], name="right")
/// <tangere.Body 'right', rigid, of 2048 triangles>
/// >>> ball = tangere.Body.ball(1, velocity=[1, 2, 3], name="left")
/// >>> ball.name, ball.shape, ball.motion.velocity.tolist(), ball.deforms, ball.duration
/// ('left', <tangere.BodyShape, a ball of radius 1>, [1.0, 2.0, 3.0], False, inf)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Body {
    pub body: impact::Body,
    pub name: Option<String>,
    /// The motion of the nodes of a deforming body.
    pub nodes: Option<Arc<Nodes>>,
}

impl Body {
    fn rigid(
        shape: impact::BodyShape,
        given: [Argument<'_, '_>; 6],
        name: Argument<'_, '_>,
    ) -> PyResult<Self> {
        Ok(Self {
            body: impact::Body::new(shape, MotionArguments(given).motion()?),
            name: optional(name, "name", word)?,
            nodes: None,
        })
    }

    /// Returns a body whose nodes move independently. Their initial positions are those of the
    /// nodes of the shape, transformed by `pose`.
    pub fn of_nodes(
        py: Python<'_>,
        shape: impact::BodyShape,
        pose: Pose,
        nodes: Nodes,
        name: Option<String>,
        threads: usize,
    ) -> PyResult<Self> {
        let (made, nodes) = run_on(py, threads, move || {
            let placed = placed(shape, &pose);
            (placed.and_then(|shape| nodes.body(shape)), nodes)
        })?;
        Ok(Self {
            body: made.map_err(|e| of_arrays(e, &nodes.names()))?,
            name,
            nodes: Some(Arc::new(nodes)),
        })
    }
}

#[pymethods]
impl Body {
    #[new]
    #[pyo3(signature = (shape, position=None, rotation=None, velocity=None, spin=None,
                        acceleration=None, center=None, name=None, *, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "the Python class has as many")]
    fn new<'py>(
        shape: &Bound<'py, PyAny>,
        position: Argument<'_, 'py>,
        rotation: Argument<'_, 'py>,
        velocity: Argument<'_, 'py>,
        spin: Argument<'_, 'py>,
        acceleration: Argument<'_, 'py>,
        center: Argument<'_, 'py>,
        name: Argument<'_, 'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Self> {
        let shape = shape_argument(shape, "shape", threads_of(threads)?)?;
        let given = [position, rotation, velocity, spin, acceleration, center];
        Self::rigid(shape, given, name)
    }

    /// A ball: an exact sphere, not triangles.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     More than 0.
    /// position, rotation, velocity, spin, acceleration, center, name : optional
    ///     As for `Body`.
    ///
    /// Returns
    /// -------
    /// Body
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the radius is not positive, or a number is not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> balls = [tangere.Body.ball(1, [4 * i, 0, 0], velocity=[-i, 0, 0]) for i in range(2)]
    /// >>> round(tangere.ImpactEngine(balls).next_contact(9).time, 9)
    /// 2.0
    #[staticmethod]
    #[pyo3(name = "ball")]
    #[pyo3(signature = (radius, position=None, rotation=None, velocity=None, spin=None,
                        acceleration=None, center=None, name=None))]
    #[expect(clippy::too_many_arguments, reason = "the Python function has as many")]
    fn of_ball<'py>(
        radius: &Bound<'py, PyAny>,
        position: Argument<'_, 'py>,
        rotation: Argument<'_, 'py>,
        velocity: Argument<'_, 'py>,
        spin: Argument<'_, 'py>,
        acceleration: Argument<'_, 'py>,
        center: Argument<'_, 'py>,
        name: Argument<'_, 'py>,
    ) -> PyResult<Self> {
        let shape = ball(radius)?;
        let given = [position, rotation, velocity, spin, acceleration, center];
        Self::rigid(shape, given, name)
    }

    /// A deforming body: each node moves at constant velocity.
    ///
    /// Nodes are the vertices of the shape, or the nodes of its finite element faces. They move for
    /// a duration, as in a step of a finite element simulation, after which
    /// `ImpactEngine.set_nodes` continues the motion; or at constant velocities without end.
    ///
    /// Parameters
    /// ----------
    /// shape : Mesh, FaceMesh, BodyShape, ConvexPolyhedron, (vertices, faces) or dict
    ///     The surface, as of `Body`, but no ball.
    /// velocities : array_like, shape (N, 3), optional
    ///     The velocity of each node.
    /// ends : array_like, shape (N, 3), optional
    ///     In place of velocities, the position of each node at the end of the duration.
    /// duration : float, optional
    ///     The duration of the motion; with velocities, None means without end.
    /// position, rotation, name, threads : optional
    ///     As for `Body`. Velocities and ends are in world coordinates.
    ///
    /// Returns
    /// -------
    /// Body
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is not one row a node, a number is not finite, the duration is not
    ///     positive, or the shape is a ball.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sphere = tangere.generate.sphere(3)
    /// >>> growing = tangere.Body.deforming(sphere, velocities=sphere.vertices)
    /// >>> wall = tangere.Body(tangere.generate.sponge(0), position=[3, -0.5, -0.5])
    /// >>> round(tangere.ImpactEngine([growing, wall]).next_contact(9).time, 9)
    /// 2.0
    #[staticmethod]
    #[pyo3(signature = (shape, velocities=None, ends=None, duration=None, position=None,
                        rotation=None, name=None, *, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "the Python function has as many")]
    fn deforming<'py>(
        shape: &Bound<'py, PyAny>,
        velocities: Argument<'_, 'py>,
        ends: Argument<'_, 'py>,
        duration: Argument<'_, 'py>,
        position: Argument<'_, 'py>,
        rotation: Argument<'_, 'py>,
        name: Argument<'_, 'py>,
        threads: Argument<'_, 'py>,
    ) -> PyResult<Self> {
        let py = shape.py();
        let threads = threads_of(threads)?;
        let shape = shape_argument(shape, "shape", threads)?;
        let nodes = Nodes::new(velocities, ends, duration)?;
        let pose = pose(position, rotation)?;
        let name = optional(name, "name", word)?;
        Self::of_nodes(py, shape, pose, nodes, name, threads)
    }

    /// The name of the body, or None.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The shape, a `BodyShape`; for a deforming body the initial one.
    #[getter]
    fn shape(&self) -> BodyShape {
        BodyShape {
            shape: self.body.shape().clone(),
        }
    }

    /// The rigid motion, a `Motion`; for a deforming body the common part of the motion of its
    /// nodes.
    #[getter]
    fn motion<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record_of(py, self.body.motion())
    }

    /// Whether the body deforms.
    #[getter]
    fn deforms(&self) -> bool {
        self.nodes.is_some()
    }

    /// The duration of the known motion; infinite unless the body deforms for a limited duration.
    #[getter]
    fn duration(&self) -> f64 {
        let duration = self.nodes.as_ref().and_then(|nodes| nodes.duration);
        duration.unwrap_or(f64::INFINITY)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = native(py, "_restored_body")?;
        let (name, (pose, vectors)) = (self.name(), parts(self.body.motion()));
        let nodes = match &self.nodes {
            None => None,
            Some(nodes) => {
                let rows = from_points(py, nodes.rows.clone())?;
                Some((rows, nodes.are_velocities, nodes.duration))
            }
        };
        (restore, (self.shape(), name, pose, vectors, nodes)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let name = self
            .name
            .as_ref()
            .map_or(String::new(), |name| format!("'{name}', "));
        let shape = self.body.shape();
        let what = match shape.radius() > 0.0 {
            true => format!("a ball of radius {}", shape.radius()),
            false => format!("of {}", faces_of(shape)),
        };
        let kind = if self.deforms() { "deforming" } else { "rigid" };
        format!("<tangere.Body {name}{kind}, {what}>")
    }
}

/// Pickled motion of nodes: rows, whether they are velocities, and the duration.
type NodeParts<'py> = (Bound<'py, PyAny>, bool, Option<f64>);

/// Restores a pickled body.
#[pyfunction(name = "_restored_body")]
#[pyo3(signature = (shape, name, pose, vectors, nodes))]
pub fn restored_body(
    shape: &Bound<'_, BodyShape>,
    name: Option<String>,
    pose: [f64; 7],
    vectors: [[f64; 3]; 4],
    nodes: Option<NodeParts<'_>>,
) -> PyResult<Body> {
    let py = shape.py();
    let shape = shape.get().shape.clone();
    let Some((rows, are_velocities, duration)) = nodes else {
        return Ok(Body {
            body: impact::Body::new(shape, of_parts(pose, vectors)?),
            name,
            nodes: None,
        });
    };
    let rows = crate::arrays::points::<3>(&rows, "nodes")?;
    let nodes = Nodes {
        rows,
        are_velocities,
        duration,
    };
    Body::of_nodes(py, shape, Pose::identity(), nodes, name, 0)
}
