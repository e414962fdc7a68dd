//! Two meshes at poses: intersecting triangles, and the distance of the surfaces.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use tangere::closest::{
    Intersection, SurfaceStatus, TriangleTree, check_resolved, intersections_at_poses,
    surface_distances, surface_statuses,
};
use tangere::geometry::{Pose, Similarity};
use tangere::shape::TriMesh;
use tangere_front::answers::closest::SURFACE_DISTANCE;

use crate::arguments::{Argument, Given, flag, type_error};
use crate::arrays::{from_numbers, from_points};
use crate::errors::{What, of_arrays, value_error};
use crate::mesh::Mesh;
use crate::point_to_surface::rows;
use crate::poses::{Poses, pose, poses};
use crate::record::record;
use crate::run::run;

/// Two surfaces with their search structures. The vertices of `a` are already transformed by its
/// pose; `poses_b` has one or many poses of `b`.
struct Pair {
    a: Arc<TriangleTree>,
    b: Arc<TriangleTree>,
    poses_b: Poses,
}

impl Pair {
    fn new(
        py: Python<'_>,
        [a, b]: [&Bound<'_, PyAny>; 2],
        [pose_a, pose_b]: [Argument<'_, '_>; 2],
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let mesh = |value: &Bound<'_, PyAny>, name: &str| match value.cast::<Mesh>() {
            Ok(mesh) => Ok(mesh.clone().unbind()),
            Err(_) => Err(type_error(value, name, "a Mesh")),
        };
        let [a, b] = [mesh(a, "a")?, mesh(b, "b")?];
        let poses_b = pose_b.map_or(Ok(Poses::One(Pose::identity())), |p| poses(p, "pose_b"))?;
        let a = match pose_a {
            None => a.get().triangle_tree(py, threads)?,
            Some(p) => moved(py, a.get().shared(), pose(p, "pose_a")?, threads)?,
        };
        let b = b.get().triangle_tree(py, threads)?;
        if let Poses::One(pose) = &poses_b {
            check_resolved(&b.bounds(), pose).map_err(|e| named_pose(e, "pose_b"))?;
        }
        Ok(Self { a, b, poses_b })
    }
}

/// Returns the search structure of a surface transformed by a pose. Exact predicates then apply to
/// the transformed coordinates as rounded to float64.
fn moved(
    py: Python<'_>,
    mesh: Arc<TriMesh>,
    pose: Pose,
    threads: Argument<'_, '_>,
) -> PyResult<Arc<TriangleTree>> {
    let work = move || {
        check_resolved(&mesh.bounds(), &pose)?;
        let moved = mesh.transformed(&Similarity::from(pose))?;
        Ok(Arc::new(TriangleTree::new(&moved)))
    };
    let names = [(What::Vertex, "moved a"), (What::Pose, "pose_a")];
    run(py, threads, work)?.map_err(|e: tangere::Error| of_arrays(e, &names))
}

/// Returns the error of a pose, or of one of many, under the name of its argument.
fn named_pose(error: tangere::Error, name: &str) -> PyErr {
    of_arrays(error, &[(What::Pose, name)])
}

/// Returns the intersecting pairs of triangles as an array; if `kinds`, also the kind of each
/// intersection.
fn pair_arrays<'py>(
    py: Python<'py>,
    found: &[Intersection],
    kinds: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let pairs = from_points(py, found.iter().map(|pair| [pair.a, pair.b]).collect())?;
    with_kinds(py, pairs.into_any(), found.iter(), kinds)
}

/// Returns the array `pairs`; if `kinds`, a tuple of this array and an array of the kinds of the
/// intersections `found`.
fn with_kinds<'py, 'a>(
    py: Python<'py>,
    pairs: Bound<'py, PyAny>,
    found: impl Iterator<Item = &'a Intersection>,
    kinds: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if !kinds {
        return Ok(pairs);
    }
    let kinds = from_numbers(py, found.map(|pair| pair.kind as u8).collect());
    (pairs, kinds).into_bound_py_any(py)
}

/// Intersecting triangles: all pairs of triangles of two surfaces with a common point.
///
/// Parameters
/// ----------
/// a, b : Mesh
///     The surfaces. Their search structures are kept with the mesh, so that the next query is
///     fast.
/// pose_b : array_like, optional
///     The pose of b: a translation (3 numbers), a translation and a unit quaternion
///     ``tx, ty, tz, qw, qx, qy, qz``, or a matrix of shape (4, 4). Many poses, with one more axis,
///     are a motion of b.
/// pose_a : array_like, optional
///     The pose of a. Moving b is faster: it needs no new search structure.
/// return_kinds : bool, default False
///     Whether the kinds of intersection are returned as well.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// pairs : ndarray of uint32, shape (M, 2)
///     A face of a and one of b in each row, sorted. Decided exactly for the coordinates after
///     the pose. Of many poses shape (M, 3), with the index of the pose first.
/// kinds : ndarray of uint8, shape (M,)
///     With ``return_kinds``: 0 where the triangles cross, 1 where they only touch (no common
///     point is in the interior of both), 2 where they overlap in one plane (coplanar).
///
/// Raises
/// ------
/// ValueError
///     If a pose is invalid, or so far away that float64 rounds the mesh flat (2.8e14 times its
///     size).
///
/// Examples
/// --------
/// >>> import tangere
/// >>> sphere = tangere.generate.sphere(3)
/// >>> pairs = tangere.intersections(sphere, sphere, [0.5, 0.01, 0.02])
/// >>> pairs.shape[1], pairs.dtype
/// (2, dtype('uint32'))
/// >>> pairs, kinds = tangere.intersections(sphere, sphere, [2, 0, 0], return_kinds=True)
/// >>> set(kinds.tolist())
/// {1}
/// >>> len(tangere.intersections(sphere, sphere, [3, 0, 0]))
/// 0
#[pyfunction]
#[pyo3(signature = (a, b, pose_b=None, *, pose_a=None, return_kinds=Given::default(), threads=None),
       text_signature = "(a, b, pose_b=None, *, pose_a=None, return_kinds=False, threads=None)")]
pub fn intersections<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_b: Argument<'_, 'py>,
    pose_a: Argument<'_, 'py>,
    return_kinds: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let kinds = return_kinds.or(false, "return_kinds", flag)?;
    let pair = Pair::new(py, [a, b], [pose_a, pose_b], threads)?;
    let found = run(py, threads, move || match &pair.poses_b {
        Poses::One(pose) => {
            let mut found = Vec::new();
            pair.a.intersections(&pair.b, pose, &mut found)?;
            Ok((None, found))
        }
        Poses::Many(poses) => {
            let mut found = Vec::new();
            intersections_at_poses(&pair.a, &pair.b, poses, &mut found)?;
            let (steps, found): (Vec<u32>, Vec<Intersection>) =
                found.into_iter().map(|p| (p.pose, p.pair)).unzip();
            Ok((Some(steps), found))
        }
    })?;
    let (steps, found) = found.map_err(|e| named_pose(e, "pose_b"))?;
    let Some(steps) = steps else {
        return pair_arrays(py, &found, kinds);
    };
    let row = |(step, pair): (u32, &Intersection)| [step, pair.a, pair.b];
    let pairs = from_points(py, steps.into_iter().zip(&found).map(row).collect())?;
    with_kinds(py, pairs.into_any(), found.iter(), kinds)
}

/// Intersection test: whether two surfaces have a common point, or one closed mesh lies inside the
/// other.
///
/// Parameters
/// ----------
/// a, b : Mesh
///     The surfaces.
/// pose_b, pose_a : array_like, optional
///     Poses; see `intersections`.
/// return_status : bool, default False
///     Whether the status is returned instead.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// bool, or ndarray of bool of shape (N,) for N poses
///     Decided exactly for the coordinates after the pose, much faster than all pairs. An open mesh,
///     or one that is not consistently oriented, encloses nothing.
/// str, or ndarray of str of shape (N,)
///     With ``return_status``: ``'separated'``, ``'touching'``, ``'intersecting'``,
///     ``'a_inside_b'`` or ``'b_inside_a'``.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> sphere = tangere.generate.sphere(3)
/// >>> tangere.intersects(sphere, sphere, [2, 0, 0])
/// True
/// >>> tangere.intersects(sphere, sphere, [2.0000001, 0, 0])
/// False
/// >>> tangere.intersects(sphere, sphere.transformed(scale=0.5), return_status=True)
/// 'b_inside_a'
/// >>> tangere.intersects(sphere, sphere, [[1, 0, 0], [3, 0, 0]]).tolist()
/// [True, False]
#[pyfunction]
#[pyo3(signature = (a, b, pose_b=None, *, pose_a=None, return_status=Given::default(), threads=None),
       text_signature = "(a, b, pose_b=None, *, pose_a=None, return_status=False, threads=None)")]
pub fn intersects<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_b: Argument<'_, 'py>,
    pose_a: Argument<'_, 'py>,
    return_status: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let by_name = return_status.or(false, "return_status", flag)?;
    let pair = Pair::new(py, [a, b], [pose_a, pose_b], threads)?;
    let is_one = matches!(pair.poses_b, Poses::One(_));
    let found = run(py, threads, move || {
        let mut found = Vec::new();
        surface_statuses(&pair.a, &pair.b, pair.poses_b.as_slice(), &mut found)?;
        Ok(found)
    })?;
    let found: Vec<SurfaceStatus> = found.map_err(|e| named_pose(e, "pose_b"))?;
    let meet = |status: &SurfaceStatus| *status != SurfaceStatus::Separated;
    let names = || found.iter().map(|status| status.name());
    match (is_one, by_name) {
        (true, true) => names().next().into_bound_py_any(py),
        (true, false) => found.iter().any(meet).into_bound_py_any(py),
        (false, true) => {
            let names: Vec<&str> = names().collect();
            let array = py.import("numpy")?.getattr("array")?;
            array.call1((names, "<U12"))
        }
        (false, false) => {
            let found = found.iter().map(meet).collect::<Vec<bool>>();
            from_numbers(py, found).into_bound_py_any(py)
        }
    }
}

/// Self-intersections of a surface: all pairs of triangles with a common point that share no
/// vertex.
///
/// Parameters
/// ----------
/// mesh : Mesh
///     The surface. Weld it first if it repeats vertices, else all neighbours touch.
/// return_kinds : bool, default False
///     Whether kinds are returned as well; see `intersections`.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// pairs : ndarray of uint32, shape (M, 2)
///     Two faces in each row, the lower index first; sorted.
/// kinds : ndarray of uint8, shape (M,)
///     With ``return_kinds``.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> len(tangere.self_intersections(tangere.generate.knot(2000)))
/// 0
#[pyfunction]
#[pyo3(signature = (mesh, *, return_kinds=Given::default(), threads=None),
       text_signature = "(mesh, *, return_kinds=False, threads=None)")]
pub fn self_intersections<'py>(
    py: Python<'py>,
    mesh: &Bound<'py, PyAny>,
    return_kinds: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let kinds = return_kinds.or(false, "return_kinds", flag)?;
    let tree = match mesh.cast::<Mesh>() {
        Ok(mesh) => mesh.get().triangle_tree(py, threads)?,
        Err(_) => return Err(type_error(mesh, "mesh", "a Mesh")),
    };
    let found = run(py, threads, move || {
        let mut found = Vec::new();
        tree.self_intersections(&mut found).map(|()| found)
    })?;
    let found = found.map_err(value_error)?;
    pair_arrays(py, &found, kinds)
}

/// Returns the distance of two surfaces, or an array with a row for each pose.
pub fn surface_distance<'py>(
    py: Python<'py>,
    surfaces: [&Bound<'py, PyAny>; 2],
    poses: [Argument<'_, 'py>; 2],
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair::new(py, surfaces, poses, threads)?;
    if let Poses::One(pose) = pair.poses_b {
        let found = run(py, threads, move || pair.a.distance(&pair.b, &pose))?;
        return record(py, "SurfaceDistance", SURFACE_DISTANCE, &found);
    }
    rows(py, threads, SURFACE_DISTANCE, move |found| {
        surface_distances(&pair.a, &pair.b, pair.poses_b.as_slice(), found)
    })
}
