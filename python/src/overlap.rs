//! Penetration volume of two bodies filled with spheres, with force and torque.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use tangere::geometry::Pose;
use tangere::overlap::{Budget, Method, Overlap, OverlapQuery, OverlapSettings, exact_volume};
use tangere::shape::{self, Solid};
use tangere::stop;
use tangere_front::answer::Table;
use tangere_front::answers::overlap::OVERLAP;
use tangere_front::inputs::overlap as inputs;

use crate::arguments::{Argument, Given, flag, integer, number, optional, word};
use crate::arrays::{from_numbers, from_points, small};
use crate::errors::{What, of_arrays, refused, value_error};
use crate::mesh::Mesh;
use crate::packing::Packing;
use crate::poses::{Poses, poses};
use crate::record::{record, structured};
use crate::run::run;

/// The arguments of a call of `overlap`, without the poses.
struct OverlapCall {
    a: Arc<shape::Packing>,
    b: Arc<shape::Packing>,
    settings: OverlapSettings,
    /// The budget of work or time for each pair of poses; `None` for no limit.
    budget: Option<Budget>,
}

impl OverlapCall {
    /// Returns one result for each pair of poses; an error if the work is cancelled.
    fn answers(&self, rows: &[[Pose; 2]]) -> tangere::Result<Vec<Overlap>> {
        let mut query = OverlapQuery::new(self.settings)?;
        let (a, b) = (&self.a, &self.b);
        let answer = |[pose_a, pose_b]: &[Pose; 2]| match self.budget {
            _ if stop::is_requested() => Err(tangere::Error::Stopped),
            None => Ok(query.overlap(a, pose_a, b, pose_b)),
            Some(budget) => Ok(query.overlap_within(a, pose_a, b, pose_b, budget)),
        };
        rows.iter().map(answer).collect()
    }

    fn pairs(&self, [pose_a, pose_b]: &[Pose; 2]) -> tangere::Result<Vec<[u32; 2]>> {
        let mut pairs = Vec::new();
        OverlapQuery::new(self.settings)?.pairs(&self.a, pose_a, &self.b, pose_b, &mut pairs);
        Ok(pairs)
    }
}

/// Penetration volume of two bodies, with force and torque that separate them.
///
/// Parameters
/// ----------
/// a, b : Packing or Mesh
///     The bodies, as sphere packings. A mesh is packed with 4000 spheres at first use, and keeps
///     them; `pack` gives control of the packing.
/// pose_a, pose_b : array_like, optional
///     Poses: a translation (3 numbers), a translation and a unit quaternion
///     ``tx, ty, tz, qw, qx, qy, qz``, or a matrix of shape (4, 4). Many poses are arrays of shape
///     (N, 3), (N, 7) or (N, 4, 4), with one result for each; if both have many, row by row.
/// method : {'auto', 'grid', 'tree', 'djb2', 'perfect-hash', 'morton', 'brute'}, optional
///     The search for overlapping pairs of spheres; pairs are the same, and sums differ in
///     rounding only. 'brute' tests all pairs; 'djb2' is the spatial hash of weller2014 as
///     published, to check the paper or to teach, and 'auto' never picks it.
/// about : array_like, shape (3,), optional
///     The reference point of torques, in world coordinates; the origin of b's frame if None.
/// budget_us : float, optional
///     A time limit for each pose, in microseconds. Large spheres come first, and `lower` and
///     `upper` are valid bounds whenever the search ends.
/// budget_work : int, optional
///     A limit of work in place of time, with reproducible results.
/// return_pairs : bool, default False
///     Whether the overlapping pairs of spheres are returned as well; only for one pose each and
///     without a budget.
/// threads : int, optional
///     The number of threads; all cores if None. Results do not depend on it, bit for bit.
///
/// Returns
/// -------
/// overlap : Overlap, or structured ndarray of shape (N,)
///     For many poses a row for each, with the fields of `Overlap`: ``volume``, ``lower``,
///     ``upper``, ``force``, ``torque``, ``centroid``, ``normal`` (float64), ``pairs``, ``work``
///     (uint64) and ``complete`` (uint8).
/// pairs : ndarray of uint32, shape (M, 2)
///     With ``return_pairs``: a sphere of a and one of b in each row, sorted.
///
/// Raises
/// ------
/// ValueError
///     If a pose is invalid (of many the message names the row), the method is unknown, or a
///     budget is not more than 0 or given to a method that cannot end early (only 'auto' and
///     'grid' can).
///
/// Notes
/// -----
/// The force acts on b; the opposite force acts on a. Volumes are those of the bodies: `lower` is
/// the common volume of the spheres, `volume` adds an estimate for the unfilled space.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> a = tangere.Packing([[0, 0, 0], [2, 0, 0]], [1, 1])
/// >>> b = tangere.Packing([[0, 0, 0]], [1])
/// >>> found, pairs = tangere.overlap(a, b, pose_b=[1, 1, 0], return_pairs=True)
/// >>> pairs.tolist(), found.normal.round(12).tolist()
/// ([[0, 0], [1, 0]], [0.0, 1.0, 0.0])
/// >>> way = [[3 + 0.25 * k, 0, 0] for k in range(5)]
/// >>> tangere.overlap(a, b, pose_b=way)["volume"].round(3)
/// array([1.309, 0.773, 0.36 , 0.094, 0.   ])
/// >>> ended = tangere.overlap(a, b, pose_b=[1, 1, 0], budget_work=1)
/// >>> ended.lower <= found.lower <= ended.upper
/// True
#[pyfunction]
#[pyo3(signature = (a, b, pose_a=None, pose_b=None, *, method=Given::default(), about=None,
                    budget_us=None, budget_work=None, return_pairs=Given::default(), threads=None),
       text_signature = "(a, b, pose_a=None, pose_b=None, *, method='auto', about=None, \
                         budget_us=None, budget_work=None, return_pairs=False, threads=None)")]
#[expect(clippy::too_many_arguments, reason = "the Python function has as many")]
pub fn overlap<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Argument<'_, 'py>,
    pose_b: Argument<'_, 'py>,
    method: Given<'py>,
    about: Argument<'_, 'py>,
    budget_us: Argument<'_, 'py>,
    budget_work: Argument<'_, 'py>,
    return_pairs: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let a = Packing::argument(a, "a", threads)?;
    let b = Packing::argument(b, "b", threads)?;
    let (rows, is_one) = rows(pose_a, pose_b)?;
    let method = method.or(Method::Auto, "method", |value, name| {
        word(value, name)?.parse().map_err(value_error)
    })?;
    let about = about.map(point).transpose()?;
    let with_pairs = return_pairs.or(false, "return_pairs", flag)?;
    if with_pairs && !is_one {
        let expected = "True with one pose each";
        return Err(refused("return_pairs", "True with many poses", expected));
    }
    let budget_us = optional(budget_us, "budget_us", number)?;
    let work = |work: &Bound<'_, PyAny>, name: &str| integer(work, name, 1..=u64::MAX);
    let budget_work = optional(budget_work, "budget_work", work)?;
    let names = [
        (What::BudgetUs, "budget_us"),
        (What::BudgetWork, "budget_work"),
    ];
    let budget =
        inputs::budget(budget_us, budget_work, method).map_err(|error| of_arrays(error, &names))?;
    if with_pairs && budget.is_some() {
        let expected = "all of the time it takes: no budget";
        return Err(refused("return_pairs", "True with a budget", expected));
    }
    let call = OverlapCall {
        a,
        b,
        settings: OverlapSettings { method, about },
        budget,
    };
    let (answers, pairs) = run(py, threads, move || {
        let answers = call.answers(&rows)?;
        let pairs = match with_pairs {
            true => Some(call.pairs(&rows[0])?),
            false => None,
        };
        Ok((answers, pairs))
    })?
    .map_err(value_error)?;
    match (is_one.then(|| answers.first()).flatten(), pairs) {
        (Some(answer), None) => record(py, "Overlap", OVERLAP, answer),
        (Some(answer), Some(pairs)) => {
            let answer = record(py, "Overlap", OVERLAP, answer)?;
            (answer, from_points(py, pairs)?).into_bound_py_any(py)
        }
        (None, _) => {
            let rows = Table::new(OVERLAP, &answers).packed();
            structured(py, rows.map_err(value_error)?)
        }
    }
}

/// Volume of the intersection of two closed meshes, exact up to rounding.
///
/// Parameters
/// ----------
/// a, b : Mesh
///     The bodies: closed meshes that are oriented outward.
/// pose_a, pose_b : array_like, optional
///     Poses, as for `overlap`: one or many.
/// threads : int, optional
///     The number of threads; all cores if None. Results do not depend on it, bit for bit.
///
/// Returns
/// -------
/// volume : float, or ndarray of float64, shape (N,)
///     For many poses a volume for each.
///
/// Raises
/// ------
/// ValueError
///     If a mesh bounds no solid, or a pose is invalid.
///
/// Notes
/// -----
/// Unlike `overlap` it needs no packing and has no force: it integrates the volume that the
/// triangles of both meshes enclose. What a mesh that crosses itself covers twice counts twice.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> cube = tangere.generate.sponge(0)
/// >>> tangere.exact_overlap(cube, cube, pose_b=[0.5, 0, 0])
/// 0.5
/// >>> tangere.exact_overlap(cube, cube, pose_b=[[0.5, 0, 0], [0.75, 0.5, 0]])
/// array([0.5  , 0.125])
#[pyfunction]
#[pyo3(signature = (a, b, pose_a=None, pose_b=None, *, threads=None))]
pub fn exact_overlap<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Argument<'_, 'py>,
    pose_b: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let meshes = [Mesh::argument(a, "a")?, Mesh::argument(b, "b")?];
    let (rows, is_one) = rows(pose_a, pose_b)?;
    let volumes = run(py, threads, move || {
        let [mesh_a, mesh_b] = &meshes;
        let solid = |mesh, name| Solid::new(mesh).map_err(|error| (name, error));
        let (a, b) = (solid(mesh_a, "a")?, solid(mesh_b, "b")?);
        let volume = |[pose_a, pose_b]: &[Pose; 2]| exact_volume(&a, pose_a, &b, pose_b);
        let volumes: tangere::Result<Vec<f64>> = rows.iter().map(volume).collect();
        volumes.map_err(|error| ("a", error))
    })?
    .map_err(|(name, error)| of_arrays(error, &[(What::Mesh, name)]))?;
    match is_one {
        true => volumes[0].into_bound_py_any(py),
        false => Ok(from_numbers(py, volumes).into_any()),
    }
}

/// Reads the argument `about`, a finite point.
fn point(value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    let numbers = small(value, "about", &[&[3]])?;
    // The numbers are checked as the translation of a pose.
    let pose = Pose::from_numbers(&numbers).map_err(|e| {
        crate::errors::named(e, |what, _| match what {
            What::PoseNumber(i) => format!("about[{i}]"),
            _ => "about".into(),
        })
    })?;
    Ok(pose.translation())
}

/// Reads the poses of both bodies. Returns a pair of poses for each query, where a single pose is
/// repeated. Also returns whether both arguments are single poses.
fn rows(pose_a: Argument<'_, '_>, pose_b: Argument<'_, '_>) -> PyResult<(Vec<[Pose; 2]>, bool)> {
    let one = || Ok(Poses::One(Pose::identity()));
    let a = pose_a.map_or_else(one, |p| poses(p, "pose_a"))?;
    let b = pose_b.map_or_else(one, |p| poses(p, "pose_b"))?;
    Ok(match (a, b) {
        (Poses::One(a), Poses::One(b)) => (vec![[a, b]], true),
        (Poses::One(a), Poses::Many(b)) => (b.into_iter().map(|b| [a, b]).collect(), false),
        (Poses::Many(a), Poses::One(b)) => (a.into_iter().map(|a| [a, b]).collect(), false),
        (Poses::Many(a), Poses::Many(b)) if a.len() == b.len() => {
            (a.into_iter().zip(b).map(|(a, b)| [a, b]).collect(), false)
        }
        (Poses::Many(a), Poses::Many(b)) => {
            return Err(refused(
                "pose_b",
                format_args!("{} poses", b.len()),
                format_args!("one, or {} as pose_a has", a.len()),
            ));
        }
    })
}
