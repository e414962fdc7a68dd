//! Equal divisions of the edges of generated boxes and plates.
//!
//! The coordinates of the division points are symmetric about the middle, bit for bit, and the end
//! points are exact.

use super::TRIANGLES_MAX;
use crate::error::{Argument, Error, Result};

/// The smallest edge length of a generated box or plate. All coordinates of the division points are
/// then 0 or of a magnitude that meshes accept, whatever the number of divisions.
const SIZE_MIN: f64 = 1e-60;
/// The largest edge length of a generated box or plate. All coordinates of the division points are
/// then of a magnitude that meshes accept, whatever the number of divisions.
const SIZE_MAX: f64 = 1e60;

/// Returns the coordinate of division point `i` if an edge of length `size`, centred at 0, is
/// divided into `n` equal parts.
pub(super) fn along(size: f64, i: u32, n: u32) -> f64 {
    let steps = 2 * i64::from(i) - i64::from(n);
    match steps.unsigned_abs() {
        0 => 0.0,
        all if all == u64::from(n) => 0.5 * size * steps.signum() as f64,
        _ => 0.5 * size * steps as f64 / f64::from(n),
    }
}

/// Returns the two triangles into which a rectangle of a divided box or plate is split. The
/// arguments are the vertex indices of its corners, in order around it.
pub(super) fn halves([a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

/// Rejects edge lengths of a box or plate that are not from `SIZE_MIN` to `SIZE_MAX`.
pub(super) fn check_size(what: Argument, size: &[f64]) -> Result<()> {
    match size.iter().all(|x| (SIZE_MIN..=SIZE_MAX).contains(x)) {
        true => Ok(()),
        false => Err(Error::argument(
            what,
            format!("{size:?}"),
            format!("positive numbers from {SIZE_MIN:e} to {SIZE_MAX:e}"),
        )),
    }
}

/// Rejects numbers of divisions of a box or plate that are 0 or make too many faces.
pub(super) fn check_divisions(what: Argument, divisions: &[u32], faces: u128) -> Result<()> {
    match !divisions.contains(&0) && faces <= TRIANGLES_MAX as u128 {
        true => Ok(()),
        false => Err(Error::argument(
            what,
            format!("{divisions:?}"),
            format!("numbers from 1 that make at most {TRIANGLES_MAX} triangles"),
        )),
    }
}
