//! How far apart two bodies are, or how deep in each other.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tangere::closest::{Tracker, certificate, patch};
use tangere::geometry::Pose;
use tangere::shape;

use crate::arguments::{Argument, Given, flag, type_error};
use crate::contact::{contact, counts};
use crate::convex::ConvexPolyhedron;
use crate::errors::refused;
use crate::mesh_to_mesh::surface_distance;
use crate::poses::pose;

/// What is known of a pair of bodies, so that the next query, slightly moved, is
/// answered in a step or two; for the argument `cache` of `closest`.
///
/// Use one for each pair. It may be used for others: answers never depend on it, only
/// the time does.
///
/// Notes
/// -----
/// Several threads may use the object; they wait for each other.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> grain, cache = tangere.generate.hull(faces=200), tangere.ConvexCache()
/// >>> grain = tangere.ConvexPolyhedron(grain.vertices)
/// >>> for k in range(1000):
/// ...     contact = tangere.closest(grain, grain, pose_b=[3 - 0.001 * k, 0, 0], cache=cache)
/// >>> cache.counts.queries, cache.counts.steps[0] > 950
/// (1000, True)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct ConvexCache(Mutex<Tracker>);

impl ConvexCache {
    /// What `work` returns for the tracker, without the GIL.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Tracker) -> T + Send) -> T {
        py.detach(|| work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[pymethods]
impl ConvexCache {
    #[new]
    fn new() -> Self {
        Self(Mutex::new(Tracker::new()))
    }

    /// What was done for all queries with it.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        counts(py, self.with(py, |tracker| tracker.counts()))
    }

    /// Counts from 0 again.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> cache = tangere.ConvexCache()
    /// >>> contact = tangere.closest([[0, 0, 0]], [[1, 0, 0]], cache=cache)
    /// >>> cache.reset_counts()
    /// >>> cache.counts.queries
    /// 0
    fn reset_counts(&self, py: Python<'_>) {
        self.with(py, Tracker::reset_counts);
    }
}

/// How far apart two convex bodies are, or how deep in each other; or how far apart two surfaces.
///
/// Parameters
/// ----------
/// a, b : ConvexPolyhedron, Mesh or array_like of shape (N, 3)
///     The bodies. Of a mesh or of points the convex hull is taken; make a
///     `ConvexPolyhedron` to ask more than once.
/// pose_a, pose_b : array_like, optional
///     Where they are: a translation (3 numbers), a translation and a unit
///     quaternion ``tx, ty, tz, qw, qx, qy, qz``, or a matrix of shape (4, 4).
/// cache : ConvexCache, optional
///     What is known of the pair from the last query, which makes the next one
///     fast. The answer does not depend on it.
/// convex : bool, default True
///     Whether convex hulls are compared. If False, a and b are meshes and their surfaces are
///     compared as they are.
/// verify : bool, default False
///     Whether the answer is proven before it is returned, by a checker that shares
///     nothing with the search: planes across the normal, the points, the Voronoi regions
///     of the features, and in penetration a ball within the bodies' difference. It
///     takes as long as all features of both bodies do.
/// threads : int, optional
///     How many threads work on hulls and surfaces; as many as there are cores if None.
///
/// Returns
/// -------
/// Contact
///     Gap with bounds, points, normal, features, patch. The gap is the distance, or
///     minus the penetration depth: the shortest translation that separates the bodies. For b
///     and a it is the same contact mirrored, bit for bit.
/// SurfaceDistance
///     With ``convex=False``: the least distance of the surfaces, the points, and the faces
///     they are on; 0 with a common point if the surfaces meet, decided exactly. What they
///     enclose does not count: a surface within another has a distance from it. Neither
///     ``cache`` nor ``verify`` is for surfaces.
///
/// Raises
/// ------
/// ValueError
///     If a body has no points, a coordinate is not finite, or a pose is not one: a
///     quaternion's length may differ from 1 by 1e-6.
/// RuntimeError
///     If an answer that was to be proven does not hold; the message has what, and by
///     how much. Please report it.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> cube = tangere.ConvexPolyhedron(tangere.generate.sponge(0).vertices)
/// >>> contact = tangere.closest(cube, cube, pose_b=[1.5, 0, 0])
/// >>> contact.gap, contact.normal.tolist()
/// (0.5, [1.0, 0.0, 0.0])
/// >>> tangere.closest(cube, cube, pose_b=[0.75, 0.1, 0, 1, 0, 0, 0]).gap
/// -0.25
/// >>> tangere.closest(cube, cube, pose_b=[0.75, 0.1, 0.2], verify=True).gap
/// -0.25
/// >>> sponge = tangere.generate.sponge(1)
/// >>> near = tangere.closest(sponge, sponge, pose_b=[4, 0, 0], convex=False)
/// >>> near.distance, near.point_a.tolist()[0], near.intersecting
/// (1.0, 3.0, False)
#[pyfunction]
#[pyo3(signature = (a, b, pose_a=None, pose_b=None, cache=None, *, convex=Given::default(),
                    verify=Given::default(), threads=None),
       text_signature = "(a, b, pose_a=None, pose_b=None, cache=None, *, convex=True, verify=False, \
                         threads=None)")]
#[expect(clippy::too_many_arguments, reason = "those of the function of Python")]
pub fn closest<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Argument<'_, 'py>,
    pose_b: Argument<'_, 'py>,
    cache: Argument<'_, 'py>,
    convex: Given<'py>,
    verify: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let convex = convex.or(true, "convex", flag)?;
    let verify = verify.or(false, "verify", flag)?;
    if !convex {
        if cache.is_some() || verify {
            let found = if verify { "verify=True" } else { "a cache" };
            let found = format_args!("False with {found}");
            return Err(refused("convex", found, "True with it"));
        }
        return surface_distance(py, [a, b], [pose_a, pose_b], threads);
    }
    let bodies = [
        ConvexPolyhedron::argument(a, "a", threads)?,
        ConvexPolyhedron::argument(b, "b", threads)?,
    ];
    convex_contact(py, bodies, [pose_a, pose_b], cache, verify)
}

/// The contact of two convex bodies.
fn convex_contact<'py>(
    py: Python<'py>,
    [a, b]: [Arc<shape::ConvexPolyhedron>; 2],
    [pose_a, pose_b]: [Argument<'_, 'py>; 2],
    cache: Argument<'_, 'py>,
    verify: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let pose_a = pose_a.map_or(Ok(Pose::identity()), |p| pose(p, "pose_a"))?;
    let pose_b = pose_b.map_or(Ok(Pose::identity()), |p| pose(p, "pose_b"))?;
    let query = |tracker: &mut Tracker| {
        let contact = tracker.contact(&a, &pose_a, &b, &pose_b);
        let mut corners = Vec::new();
        patch(&a, &pose_a, &b, &pose_b, &contact, &mut corners);
        let proven = match verify {
            true => certificate(&a, &pose_a, &b, &pose_b, &contact),
            false => Ok(()),
        };
        proven.map(|()| (contact, corners))
    };
    let found = match cache {
        None => py.detach(|| query(&mut Tracker::new())),
        Some(cache) => match cache.cast::<ConvexCache>() {
            Ok(cache) => cache.get().with(py, query),
            Err(_) => return Err(type_error(cache, "cache", "a ConvexCache")),
        },
    };
    let (found, corners) = found.map_err(|violation| {
        PyRuntimeError::new_err(format!(
            "internal error, please report it: an answer {violation}"
        ))
    })?;
    contact(py, &found, &corners)
}
