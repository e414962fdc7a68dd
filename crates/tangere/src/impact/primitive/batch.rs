//! First contacts of a batch of pairs of primitives, on all threads of the current pool.
//!
//! Results are in the order of pairs, and each depends only on its own pair. Nothing is allocated
//! but the results.

use super::{FirstContact, PrimitiveSettings, edge_edge, edge_vertex, vertex_face, vertex_vertex};
use crate::error::{Argument, Error, Result};
use crate::memory;
use crate::stop::Current;
use rayon::prelude::*;

/// Number of pairs of primitives in a chunk of parallel work.
const CHUNK: usize = 256;

/// Computes the first contacts of a batch of pairs of primitives in parallel; `found` is replaced
/// by one result for each pair.
fn in_parallel<const K: usize>(
    start: &[[[f64; 3]; K]],
    end: &[[[f64; 3]; K]],
    found: &mut Vec<FirstContact>,
    answer: impl Fn(&[[f64; 3]; K], &[[f64; 3]; K]) -> FirstContact + Sync,
) -> Result<()> {
    found.clear();
    if start.len() != end.len() {
        let expected = format!("as many as at the start, {}", start.len());
        return Err(Error::argument(Argument::PairsAtEnd, end.len(), expected));
    }
    let stop = Current::new();
    memory::reserve(found, start.len(), Argument::Pairs)?;
    found.resize(start.len(), FirstContact::FREE);
    let work = |((found, start), end): ((&mut [FirstContact], &[_]), &[_])| {
        if !stop.is_requested() {
            for (i, found) in found.iter_mut().enumerate() {
                *found = answer(&start[i], &end[i]);
            }
        }
    };
    found
        .par_chunks_mut(CHUNK)
        .zip(start.par_chunks(CHUNK))
        .zip(end.par_chunks(CHUNK))
        .for_each(work);
    stop.checked().inspect_err(|_| found.clear())
}

/// Computes [`vertex_face`] for each pair of a batch; `found` is replaced by one result for each
/// pair.
///
/// ```
/// use tangere::impact::primitive::{PrimitiveSettings, vertex_faces};
///
/// let pair = |z| [[1.0, 1.0, z], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let mut found = Vec::new();
/// let settings = PrimitiveSettings::default();
/// vertex_faces(&[pair(1.0), pair(1.0)], &[pair(-1.0), pair(0.5)], &settings, &mut found)?;
/// assert!(found[0].is_contact() && !found[1].is_contact());
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn vertex_faces(
    start: &[[[f64; 3]; 4]],
    end: &[[[f64; 3]; 4]],
    settings: &PrimitiveSettings,
    found: &mut Vec<FirstContact>,
) -> Result<()> {
    in_parallel(start, end, found, |a, b| vertex_face(a, b, settings))
}

/// Computes [`edge_edge`] for each pair of a batch; `found` is replaced by one result for each
/// pair.
pub fn edge_edges(
    start: &[[[f64; 3]; 4]],
    end: &[[[f64; 3]; 4]],
    settings: &PrimitiveSettings,
    found: &mut Vec<FirstContact>,
) -> Result<()> {
    in_parallel(start, end, found, |a, b| edge_edge(a, b, settings))
}

/// Computes [`edge_vertex`] for each pair of a batch; `found` is replaced by one result for each
/// pair.
pub fn edge_vertices(
    start: &[[[f64; 3]; 3]],
    end: &[[[f64; 3]; 3]],
    settings: &PrimitiveSettings,
    found: &mut Vec<FirstContact>,
) -> Result<()> {
    in_parallel(start, end, found, |a, b| edge_vertex(a, b, settings))
}

/// Computes [`vertex_vertex`] for each pair of a batch; `found` is replaced by one result for each
/// pair.
pub fn vertex_vertices(
    start: &[[[f64; 3]; 2]],
    end: &[[[f64; 3]; 2]],
    settings: &PrimitiveSettings,
    found: &mut Vec<FirstContact>,
) -> Result<()> {
    in_parallel(start, end, found, |a, b| vertex_vertex(a, b, settings))
}
