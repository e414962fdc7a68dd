//! Plate: a flat rectangle of triangles, for walls and floors.
//!
//! Cost: linear in the number of triangles.
//!
//! It is the only open surface of the generators. Corners are exact, and vertices are symmetric
//! about the middle, bit for bit.

use super::{TRIANGLES_MAX, reserved};
use crate::error::{Argument, Error, Result};
use crate::shape::TriMesh;

/// The smallest size for which coordinates of any subdivision are valid.
pub(super) const SIZE_MIN: f64 = 1e-60;
/// The largest size for which coordinates of any subdivision are valid.
pub(super) const SIZE_MAX: f64 = 1e60;

/// Returns a rectangle around the origin in the plane `z = 0`, its normal along `z`: `size` along
/// `x` and `y`, cut into `divisions` along each axis, with two triangles for each part.
///
/// Corners are at half the size exactly.
///
/// # Errors
/// If a size is not from 1e-60 to 1e60, a number of divisions is 0, or there
/// would be more than 134217728 triangles.
///
/// ```
/// let wall = tangere::generate::plate([12.0, 6.0], [12, 6])?;
/// assert_eq!(wall.faces().len(), 144);
/// assert_eq!(wall.bounds().max, [6.0, 3.0, 0.0]);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn plate(size: [f64; 2], divisions: [u32; 2]) -> Result<TriMesh> {
    check_size(Argument::PlateSize, &size)?;
    let pieces: u128 = divisions.iter().map(|&n| u128::from(n)).product();
    check_divisions(Argument::PlateDivisions, &divisions, 2 * pieces)?;
    let [nx, ny] = divisions.map(|n| n as usize);
    let mut vertices = reserved((nx + 1) * (ny + 1))?;
    for j in 0..=divisions[1] {
        let y = along(size[1], j, divisions[1]);
        vertices.extend((0..=divisions[0]).map(|i| [along(size[0], i, divisions[0]), y, 0.0]));
    }
    let mut faces = reserved(2 * nx * ny)?;
    for j in 0..ny {
        for i in 0..nx {
            let at = |di: usize, dj: usize| ((j + dj) * (nx + 1) + i + di) as u32;
            faces.extend(halves([at(0, 0), at(1, 0), at(1, 1), at(0, 1)]));
        }
    }
    TriMesh::new(vertices, faces)
}

/// Returns the coordinate of line `i` of `n` equal divisions of a length centred at 0.
pub(super) fn along(size: f64, i: u32, n: u32) -> f64 {
    let steps = 2 * i64::from(i) - i64::from(n);
    match steps.unsigned_abs() {
        0 => 0.0,
        all if all == u64::from(n) => 0.5 * size * steps.signum() as f64,
        _ => 0.5 * size * steps as f64 / f64::from(n),
    }
}

/// Returns the two triangles of a rectangle.
pub(super) fn halves([a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

/// Rejects sizes for which coordinates would not be valid.
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

/// Rejects divisions that are 0 or make too many faces.
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
