//! Box of triangles, subdivided along each axis.
//!
//! Cost: linear in the number of triangles, without search. Vertices are the points of a lattice on
//! the surface of the box, and their indices have a closed form.

use super::divisions::{along, check_divisions, check_size, halves};
use super::reserved;
use crate::error::{Argument, Result};
use crate::shape::TriMesh;

/// Returns a box of triangles around the origin: `size` along each axis, cut into `divisions` along
/// each axis, with two triangles for each rectangle of its surface. With one division there are 12
/// triangles, with `a`, `b` and `c` divisions `4 (a b + b c + c a)`.
///
/// The coordinates of the corners of the box are exactly half of `size`, or minus that.
///
/// # Errors
/// If a size is not from 1e-60 to 1e60, a number of divisions is 0, or there
/// would be more than 134217728 triangles.
///
/// ```
/// let brick = tangere::generate::box_mesh([4.0, 2.0, 1.0], [1, 1, 1])?;
/// assert_eq!((brick.faces().len(), brick.vertices().len()), (12, 8));
/// assert_eq!(brick.report().volume, Some(8.0));
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn box_mesh(size: [f64; 3], divisions: [u32; 3]) -> Result<TriMesh> {
    check_size(Argument::BoxSize, &size)?;
    let [a, b, c] = divisions.map(u128::from);
    let pieces = a * b + b * c + c * a;
    check_divisions(Argument::BoxDivisions, &divisions, 4 * pieces)?;
    let surface = Surface {
        n: divisions.map(|n| n as usize),
    };
    // By Euler's formula there are two vertices more than half the triangles.
    let mut vertices = reserved(2 * pieces as usize + 2)?;
    for k in 0..=divisions[2] {
        for j in 0..=divisions[1] {
            let is_rim = k == 0 || k == divisions[2] || j == 0 || j == divisions[1];
            // Within a layer only the ends of a row are on the surface.
            let step = if is_rim { 1 } else { divisions[0] as usize };
            vertices.extend((0..=divisions[0]).step_by(step).map(|i| {
                let place = [i, j, k];
                [0, 1, 2].map(|axis| along(size[axis], place[axis], divisions[axis]))
            }));
        }
    }
    let mut faces = reserved(4 * pieces as usize)?;
    for axis in 0..3 {
        for upper in [false, true] {
            surface.append_side(axis, upper, &mut faces);
        }
    }
    TriMesh::new(vertices, faces)
}

/// The vertices of a box mesh: those points of a lattice with `n[k]` divisions along axis `k` that
/// lie on the surface of the box. They are sorted by `z`, then by `y`, then by `x`.
struct Surface {
    n: [usize; 3],
}

impl Surface {
    /// Returns the index of a lattice point among the vertices of the box mesh.
    fn index(&self, [i, j, k]: [usize; 3]) -> u32 {
        let [a, b, c] = self.n;
        let (layer, ring) = ((a + 1) * (b + 1), 2 * (a + b));
        let index = match k {
            0 => j * (a + 1) + i,
            _ if k == c => layer + (c - 1) * ring + j * (a + 1) + i,
            _ => {
                let row = match j {
                    0 => i,
                    _ if j == b => a + 1 + 2 * (b - 1) + i,
                    _ => a + 1 + 2 * (j - 1) + usize::from(i > 0),
                };
                layer + (k - 1) * ring + row
            }
        };
        index as u32
    }

    /// Appends the triangles of one of the two sides of the box mesh that are normal to `axis`: the
    /// upper or the lower side.
    fn append_side(&self, axis: usize, upper: bool, faces: &mut Vec<[u32; 3]>) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for q in 0..self.n[v] {
            for p in 0..self.n[u] {
                // Corners are counterclockwise as seen from the positive side of the axis.
                let mut corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(dp, dq)| {
                    let mut place = [0; 3];
                    place[axis] = if upper { self.n[axis] } else { 0 };
                    place[u] = p + dp;
                    place[v] = q + dq;
                    self.index(place)
                });
                if !upper {
                    corners.reverse();
                }
                faces.extend(halves(corners));
            }
        }
    }
}
