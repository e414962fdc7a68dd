//! Distance or penetration depth of two convex bodies (GJK, EPA), and distance of two meshes.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tangere::closest::{LinContact, LinWalk, Method, Tracker, certificate, patch};
use tangere::geometry::Pose;
use tangere::shape;
use tangere::stop::is_requested;
use tangere_front::answer::Table;
use tangere_front::answers::closest::{CONTACT, LIN_CONTACT};

use crate::arguments::{Argument, Given, by_name, flag, optional, type_error};
use crate::arrays::reserved;
use crate::contact::{contact, counts, lin_contact};
use crate::convex::ConvexPolyhedron;
use crate::errors::{refused, value_error};
use crate::mesh::Mesh;
use crate::mesh_to_mesh::surface_distance;
use crate::pickling::reduced;
use crate::poses::{Poses, pose, poses};
use crate::record::structured;
use crate::run::{run, threads_of};

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

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: i32) -> PyResult<Bound<'py, PyAny>> {
        reduced(slf.as_any(), protocol)
    }

    /// Results do not depend on the cache: a copy is a new one.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        PyTuple::empty(py)
    }
}

/// Distance or penetration depth of two convex bodies, or distance of two surfaces.
///
/// The algorithms are GJK for the distance and EPA for the penetration depth.
///
/// Parameters
/// ----------
/// a, b : ConvexPolyhedron, Mesh or array_like of shape (N, 3)
///     The bodies. Two meshes are compared as surfaces, all others as convex bodies: of points the
///     convex hull is taken; make a `ConvexPolyhedron` for more than one query.
/// pose_a, pose_b : array_like, optional
///     Poses: a translation (3 numbers), a translation and a unit quaternion
///     ``tx, ty, tz, qw, qx, qy, qz``, or a matrix of shape (4, 4). The identity if None. ``pose_b``
///     may have many, with one more axis: a motion of b.
/// cache : ConvexCache, optional
///     Warm start from the last query of the pair, which makes this one fast. The result does
///     not depend on it. Only for convex bodies.
/// convex : bool, optional
///     Whether convex hulls are compared, of meshes too, or surfaces as they are. If None, surfaces
///     of two meshes, unless there is a cache or a proof is requested, and convex bodies otherwise.
/// verify : bool, default False
///     Whether the result is verified before it is returned, by a checker that shares no code
///     with the search: separating planes, closest points, Voronoi regions of the features, and
///     in penetration a ball inside the Minkowski difference. Its cost is linear in the number
///     of features of both bodies. By 'lin' the gap is compared with all pairs of features.
/// method : {'auto', 'lin'}, optional
///     How convex bodies are compared: 'auto' by tracked features, GJK and EPA; 'lin' by Lin's walk
///     as schinner1995 publishes it, to check the paper or to teach. It finds the same gaps and
///     counts its iterations, from pose to pose of ``pose_b``; 'auto' never uses it.
/// threads : int, optional
///     The number of threads for hulls and surfaces; all cores if None.
///
/// Returns
/// -------
/// LinContact
///     By 'lin': a contact with ``iterations`` and ``trapped``; of many poses both are fields.
/// Contact
///     Gap with bounds, closest points, normal, features, contact patch. The gap is the distance,
///     or minus the penetration depth: the shortest translation that separates the bodies.
///     Exchanging a and b mirrors the contact, bit for bit.
/// SurfaceDistance
///     Of surfaces: ``distance``, the closest points and their faces; 0 with a common point and the
///     number of ``pairs`` if the surfaces intersect, decided exactly. ``status`` is
///     ``'separated'``, ``'touching'``, ``'intersecting'``, ``'a_inside_b'`` or ``'b_inside_a'``;
///     ``gap`` is the distance, negative where one closed mesh lies inside the other. Open meshes
///     enclose nothing (``solids`` is False).
/// structured ndarray, shape (N,)
///     Of N poses: a row for each with the fields of the contact (without the patch) or of the
///     surface distance, ``status`` as a number in the order above.
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
/// >>> near = tangere.closest(sponge, sponge, pose_b=[4, 0, 0])
/// >>> near.distance, near.point_a.tolist()[0], near.status
/// (1.0, 3.0, 'separated')
/// >>> tangere.closest(sponge, sponge, pose_b=[[4, 0, 0], [5, 0, 0]])["gap"].tolist()
/// [1.0, 2.0]
/// >>> tangere.closest(cube, cube, pose_b=[[2, 0, 0], [3, 0, 0]], method="lin")["iterations"][1]
/// np.uint32(1)
#[pyfunction]
#[pyo3(signature = (a, b, pose_a=None, pose_b=None, cache=None, *, convex=None,
                    verify=Given::default(), method=Given::default(), threads=None),
       text_signature = "(a, b, pose_a=None, pose_b=None, cache=None, *, convex=None, verify=False, \
                         method='auto', threads=None)")]
#[expect(clippy::too_many_arguments, reason = "the Python function has as many")]
pub fn closest<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Argument<'_, 'py>,
    pose_b: Argument<'_, 'py>,
    cache: Argument<'_, 'py>,
    convex: Argument<'_, 'py>,
    verify: Given<'py>,
    method: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let convex = optional(convex, "convex", flag)?;
    let verify = verify.or(false, "verify", flag)?;
    let method = method.or(Method::Auto, "method", |value, name| {
        by_name(value, name, &Method::CONVEX)
    })?;
    let is_lin = method == Method::Lin;
    if is_lin && cache.is_some() {
        let expected = "none with method 'lin', which starts anew with each call";
        return Err(refused("cache", "a ConvexCache", expected));
    }
    let is_mesh = [a, b].map(|body| body.cast::<Mesh>().is_ok());
    let is_array = [a, b].map(|body| body.cast::<ConvexPolyhedron>().is_err());
    if convex.is_none() && is_mesh[0] != is_mesh[1] && is_array == [true, true] {
        let found = "a Mesh and points";
        let expected = "convex=True for their hulls, or mesh.closest(points) for nearest points";
        return Err(refused("a, b", found, expected));
    }
    let of_surfaces = is_mesh == [true, true] && cache.is_none() && !verify && !is_lin;
    if !convex.unwrap_or(!of_surfaces) {
        if is_lin {
            return Err(refused("convex", "False with method 'lin'", "True with it"));
        }
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
    match is_lin {
        true => lin_contacts(py, bodies, [pose_a, pose_b], verify),
        false => convex_contact(py, bodies, [pose_a, pose_b], cache, verify),
    }
}

/// Finds the contacts of two convex bodies by Lin's walk, from pose to pose of the second: a Python
/// object of class `LinContact`, or a structured array for many poses.
fn lin_contacts<'py>(
    py: Python<'py>,
    [a, b]: [Arc<shape::ConvexPolyhedron>; 2],
    [pose_a, pose_b]: [Argument<'_, 'py>; 2],
    verify: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let pose_a = pose_a.map_or(Ok(Pose::identity()), |p| pose(p, "pose_a"))?;
    let given = pose_b.map_or(Ok(Poses::One(Pose::identity())), |p| poses(p, "pose_b"))?;
    let (rows, is_one) = match given {
        Poses::One(pose) => (vec![pose], true),
        Poses::Many(poses) => (poses, false),
    };
    let (own_a, own_b, own_rows) = (a.clone(), b.clone(), rows.clone());
    let mut contacts: Vec<LinContact> = reserved(rows.len())?;
    let query = move || {
        let (a, b, rows) = (own_a, own_b, own_rows);
        let mut walk = LinWalk::new();
        let found = |(i, pose_b): (usize, &Pose)| {
            let found = walk.contact(&a, &pose_a, &b, pose_b);
            match verify {
                true => found
                    .compare(&a, &pose_a, &b, pose_b)
                    .map(|()| found)
                    .map_err(|difference| format!("the answer of pose {i} {difference}")),
                false => Ok(found),
            }
        };
        // Work that is no longer wanted ends.
        let wanted = rows.iter().enumerate().take_while(|_| !is_requested());
        for contact in wanted.map(found) {
            contacts.push(contact?);
        }
        Ok::<_, String>(contacts)
    };
    let found = run(py, None, query)?.map_err(|violation| {
        PyRuntimeError::new_err(format!("internal error, please report it: {violation}"))
    })?;
    match (is_one, found.first()) {
        (true, Some(one)) => {
            let mut corners = Vec::new();
            patch(&a, &pose_a, &b, &rows[0], &one.contact, &mut corners);
            lin_contact(py, one, &corners)
        }
        _ => {
            let rows = Table::new(LIN_CONTACT, &found).packed();
            structured(py, rows.map_err(value_error)?)
        }
    }
}

/// Returns the contact of two convex bodies, with its contact patch, as a Python object of class
/// `Contact`. For many poses of the second body it returns a structured array, with a row for each
/// pose and without patches.
fn convex_contact<'py>(
    py: Python<'py>,
    [a, b]: [Arc<shape::ConvexPolyhedron>; 2],
    [pose_a, pose_b]: [Argument<'_, 'py>; 2],
    cache: Argument<'_, 'py>,
    verify: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let pose_a = pose_a.map_or(Ok(Pose::identity()), |p| pose(p, "pose_a"))?;
    let pose_b = match pose_b.map_or(Ok(Poses::One(Pose::identity())), |p| poses(p, "pose_b"))? {
        Poses::One(pose) => pose,
        Poses::Many(poses) => {
            return convex_contacts(py, [a, b], pose_a, poses, cache, verify);
        }
    };
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

/// Finds the contacts of two convex bodies at many poses of the second: a structured array with a
/// row for each pose. Each query starts from the closest features that the query before found.
fn convex_contacts<'py>(
    py: Python<'py>,
    [a, b]: [Arc<shape::ConvexPolyhedron>; 2],
    pose_a: Pose,
    poses_b: Vec<Pose>,
    cache: Argument<'_, 'py>,
    verify: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let mut contacts = reserved(poses_b.len())?;
    let mut query = move |tracker: &mut Tracker| {
        let contact = |(i, pose_b): (usize, &Pose)| {
            let contact = tracker.contact(&a, &pose_a, &b, pose_b);
            match verify {
                true => certificate(&a, &pose_a, &b, pose_b, &contact)
                    .map(|()| contact)
                    .map_err(|violation| format!("the answer of pose {i} {violation}")),
                false => Ok(contact),
            }
        };
        // Work that is no longer wanted ends.
        let wanted = poses_b.iter().enumerate().take_while(|_| !is_requested());
        for contact in wanted.map(contact) {
            contacts.push(contact?);
        }
        Ok::<_, String>(Table::new(CONTACT, &contacts).packed())
    };
    let found = match cache {
        None => run(py, None, move || query(&mut Tracker::new()))?,
        Some(cache) => match cache.cast::<ConvexCache>() {
            Ok(cache) => cache.get().with(py, query),
            Err(_) => return Err(type_error(cache, "cache", "a ConvexCache")),
        },
    };
    let found = found.map_err(|violation| {
        PyRuntimeError::new_err(format!("internal error, please report it: {violation}"))
    })?;
    structured(py, found.map_err(value_error)?)
}
