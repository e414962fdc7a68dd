//! Plate: a flat rectangle of triangles, for walls and floors.
//!
//! Cost: linear in the number of triangles.
//!
//! It is the only open surface of the generators. Corners are exact, and vertices are symmetric
//! about the middle, bit for bit.

use super::divisions::{along, check_divisions, check_size, halves};
use super::reserved;
use crate::error::{Argument, Result};
use crate::shape::TriMesh;

/// Returns a plate: a rectangle around the origin in the plane `z = 0`, its normal along `z`:
/// `size` along `x` and `y`, cut into `divisions` along each axis, with two triangles for each
/// part.
///
/// The coordinates of the corners of the plate are exactly half of `size`, or minus that.
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
