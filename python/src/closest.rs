//! Distance or penetration depth of two convex bodies (GJK, EPA), and distance of two meshes.

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
use crate::run::threads_of;

/// Cache of a pair of convex bodies: warm start for the argument `cache` of `closest`.
///
/// It stores the closest features of the last query, so that the next query, slightly moved, takes
/// a step or two. Use one cache for each pair. Results never depend on the cache, only the time
/// does.
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
    /// Calls `work` with the tracker of this cache, without the GIL.
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

    /// Counts of the work of all queries with this cache, a `Counts`.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        counts(py, self.with(py, |tracker| tracker.counts()))
    }

    /// Sets all counts to 0.
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

/// Distance or penetration depth of two convex bodies, or distance of two surfaces.
///
/// The algorithms are GJK for the distance and EPA for the penetration depth.
///
/// Parameters
/// ----------
/// a, b : ConvexPolyhedron, Mesh or array_like of shape (N, 3)
///     The bodies. Of a mesh or of points the convex hull is taken; make a `ConvexPolyhedron`
///     for more than one query.
/// pose_a, pose_b : array_like, optional
///     Poses: a translation (3 numbers), a translation and a unit quaternion
///     ``tx, ty, tz, qw, qx, qy, qz``, or a matrix of shape (4, 4). The identity if None.
/// cache : ConvexCache, optional
///     Warm start from the last query of the pair, which makes this one fast. The result does
///     not depend on it.
/// convex : bool, default True
///     Whether convex hulls are compared. If False, a and b are meshes, and their surfaces are
///     compared as they are.
/// verify : bool, default False
///     Whether the result is verified before it is returned, by a checker that shares no code
///     with the search: separating planes, closest points, Voronoi regions of the features, and
///     in penetration a ball inside the Minkowski difference. Its cost is linear in the number
///     of features of both bodies.
/// threads : int, optional
///     The number of threads for hulls and surfaces; all cores if None.
///
/// Returns
/// -------
/// Contact
///     Gap with bounds, closest points, normal, features, contact patch. The gap is the distance,
///     or minus the penetration depth: the shortest translation that separates the bodies.
///     Exchanging a and b mirrors the contact, bit for bit.
/// SurfaceDistance
///     With ``convex=False``: the distance of the surfaces, the closest points and their faces;
///     0 with a common point if the surfaces intersect, decided exactly. The enclosed volume does
///     not count: a surface inside another has a distance from it. ``cache`` and ``verify`` are
///     not supported.
///
/// Raises
/// ------
/// ValueError
///     If a body has no points, a coordinate is not finite, or a pose is invalid: the length of
///     a quaternion may differ from 1 by 1e-6.
/// RuntimeError
///     If the verification fails; the message states which condition is violated, and by how
///     much. Please report it.
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
#[expect(clippy::too_many_arguments, reason = "the Python function has as many")]
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
    // Hulls that are given need no threads; a wrong number is an error all the same.
    threads_of(threads)?;
    let bodies = [
        ConvexPolyhedron::argument(a, "a", threads)?,
        ConvexPolyhedron::argument(b, "b", threads)?,
    ];
    convex_contact(py, bodies, [pose_a, pose_b], cache, verify)
}

/// Returns the record of the contact of two convex bodies, with its contact patch.
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
