//! Continuous collision detection of vertices, edges and faces whose corners move at constant
//! velocity.

use pyo3::prelude::*;
use tangere::impact::primitive::{
    FirstContact, PrimitiveSettings, edge_edges, edge_vertices, vertex_faces, vertex_vertices,
};
use tangere_front::answer::Table;
use tangere_front::answers::impact::FIRST_CONTACT;

use crate::arguments::{Argument, Given, number};
use crate::arrays::{reserved, rows_of};
use crate::errors::{refused, value_error};
use crate::record::structured;
use crate::run::run;

type Pairs<const K: usize> = Vec<[[f64; 3]; K]>;
type Answer<const K: usize> = fn(
    &[[[f64; 3]; K]],
    &[[[f64; 3]; K]],
    &PrimitiveSettings,
    &mut Vec<FirstContact>,
) -> tangere::Result<()>;

/// Reads pairs of features from an array of shape (N, K, 3): `K` corners for the two features of a
/// pair together.
fn pairs<const K: usize>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Pairs<K>> {
    let (numbers, _) = rows_of(value, name, &[&[K, 3]])?;
    let mut pairs = reserved(numbers.len() / (3 * K))?;
    let (points, _) = numbers.as_chunks::<3>();
    pairs.extend_from_slice(points.as_chunks::<K>().0);
    Ok(pairs)
}

/// Reads the arguments of one of the four queries, such as `vertex_face`, and calls `answer`, which
/// runs that query.
fn run_query<'py, const K: usize>(
    [start, end]: [&Bound<'py, PyAny>; 2],
    separation: Given<'py>,
    threads: Argument<'_, 'py>,
    answer: Answer<K>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = start.py();
    let (start, end) = (pairs::<K>(start, "start")?, pairs::<K>(end, "end")?);
    if start.len() != end.len() {
        let expected = format!("{}, as many as start has", start.len());
        return Err(refused("end", format!("{} pairs", end.len()), expected));
    }
    let separation = separation.or(0.0, "separation", number)?;
    let settings = PrimitiveSettings::new(separation).map_err(value_error)?;
    let rows = run(py, threads, move || {
        let mut found = Vec::new();
        answer(&start, &end, &settings, &mut found)?;
        Table::new(FIRST_CONTACT, &found).packed()
    })?;
    structured(py, rows.map_err(value_error)?)
}

/// Time of impact of vertices and faces whose corners move linearly in a step from 0 to 1.
///
/// Parameters
/// ----------
/// start : array_like, shape (N, 4, 3)
///     Positions at the start of the step: of each pair a vertex, then the corners of a face.
/// end : array_like, shape (N, 4, 3)
///     Positions at the end of the step.
/// separation : float, optional
///     Contact is when the distance is this or less; 0 for touching.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// structured ndarray, shape (N,)
///     `time`: lower bound of the time of impact, infinite if there is none; `late`: upper bound;
///     `status`: a `Status`. Without a separation the result is exact for the given numbers, and
///     the bounds differ by at most 1e-12, relatively. NaN where a coordinate is not finite.
///
/// Raises
/// ------
/// ValueError
///     If shapes do not fit, or the separation is negative or not finite.
///
/// Examples
/// --------
/// >>> from tangere import ccd
/// >>> face = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
/// >>> found = ccd.vertex_face([[[1, 1, 3], *face]], [[[1, 1, -1], *face]])
/// >>> bool(found["time"][0] <= 0.75 <= found["late"][0]), ccd.Status(found["status"][0]).name
/// (True, 'CONTACT')
#[pyfunction]
#[pyo3(signature = (start, end, *, separation=Given(None), threads=None), text_signature = "(start, end, *, separation=0.0, threads=None)")]
pub fn vertex_face<'py>(
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    separation: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    run_query::<4>([start, end], separation, threads, vertex_faces)
}

/// Time of impact of pairs of edges whose ends move linearly in a step from 0 to 1.
///
/// Parameters
/// ----------
/// start : array_like, shape (N, 4, 3)
///     Positions at the start of the step: of each pair the ends of one edge, then of the other.
/// end : array_like, shape (N, 4, 3)
///     Positions at the end of the step.
/// separation : float, optional
///     Contact is when the distance is this or less; 0 for touching.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// structured ndarray, shape (N,)
///     As for `vertex_face`.
///
/// Raises
/// ------
/// ValueError
///     If shapes do not fit, or the separation is negative or not finite.
///
/// Examples
/// --------
/// >>> from tangere import ccd
/// >>> start = [[-1, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1]]
/// >>> end = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0]]
/// >>> ccd.edge_edge([start, start], [end, start])["time"].tolist()
/// [1.0, inf]
/// >>> ccd.edge_edge([start], [end], separation=0.25)["time"].round(9).tolist()
/// [0.75]
#[pyfunction]
#[pyo3(signature = (start, end, *, separation=Given(None), threads=None), text_signature = "(start, end, *, separation=0.0, threads=None)")]
pub fn edge_edge<'py>(
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    separation: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    run_query::<4>([start, end], separation, threads, edge_edges)
}

/// Time of impact of edges and vertices that move linearly in a step from 0 to 1.
///
/// Parameters
/// ----------
/// start : array_like, shape (N, 3, 3)
///     Positions at the start of the step: of each pair the ends of an edge, then a vertex.
/// end : array_like, shape (N, 3, 3)
///     Positions at the end of the step.
/// separation : float, optional
///     Contact is when the distance is this or less; 0 for touching.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// structured ndarray, shape (N,)
///     As for `vertex_face`.
///
/// Raises
/// ------
/// ValueError
///     If shapes do not fit, or the separation is negative or not finite.
///
/// Examples
/// --------
/// >>> from tangere import ccd
/// >>> start = [[0, 1, 0], [2, 1, 0], [1, 0, 0]]
/// >>> end = [[0, -1, 0], [2, -1, 0], [1, 0, 0]]
/// >>> ccd.edge_vertex([start], [end])["time"].tolist()
/// [0.5]
#[pyfunction]
#[pyo3(signature = (start, end, *, separation=Given(None), threads=None), text_signature = "(start, end, *, separation=0.0, threads=None)")]
pub fn edge_vertex<'py>(
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    separation: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    run_query::<3>([start, end], separation, threads, edge_vertices)
}

/// Time of impact of pairs of vertices that move linearly in a step from 0 to 1.
///
/// Parameters
/// ----------
/// start : array_like, shape (N, 2, 3)
///     Positions at the start of the step: the two vertices of each pair.
/// end : array_like, shape (N, 2, 3)
///     Positions at the end of the step.
/// separation : float, optional
///     Contact is when the distance is this or less; 0 for touching.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// structured ndarray, shape (N,)
///     As for `vertex_face`.
///
/// Raises
/// ------
/// ValueError
///     If shapes do not fit, or the separation is negative or not finite.
///
/// Examples
/// --------
/// >>> from tangere import ccd
/// >>> ccd.vertex_vertex([[[0, 0, 0], [1, 0, 0]]], [[[0, 0, 0], [-1, 0, 0]]])["time"].tolist()
/// [0.5]
#[pyfunction]
#[pyo3(signature = (start, end, *, separation=Given(None), threads=None), text_signature = "(start, end, *, separation=0.0, threads=None)")]
pub fn vertex_vertex<'py>(
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    separation: Given<'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    run_query::<2>([start, end], separation, threads, vertex_vertices)
}
