//! Menger sponge: exact integer coordinates, high genus.
//!
//! Cost: linear in the number of small cubes tested (`27^level`); memory for two layers of vertex
//! indices besides the result.
//!
//! *Deviates* from the unit cube of the textbooks: thirds are not representable,
//! so the cube has the edge `3^level`, small cubes have edge 1 and all
//! coordinates are integers.
//!
//! The surface is manifold in edges and vertices: no two cubes of the sponge touch in an edge or a
//! corner without other cubes that join them there.

use super::reserved;
use crate::error::{Argument, Error, Result};
use crate::shape::TriMesh;

/// The largest level of a sponge, at which it has 13 062 144 triangles.
const LEVEL_MAX: u32 = 5;

/// Marks a lattice point of the sponge that is not a vertex of any triangle yet.
const UNUSED: u32 = u32::MAX;

/// Returns the Menger sponge in the cube `[0, 3^level]^3`: the squares between its small cubes and
/// the outside, each split in two, which makes `4 * 20^level + 8 * 8^level` triangles and the genus
/// `(21 * 20^level + 38 * 8^level - 59) / 133`. The volume is `20^level`.
///
/// The number of squares `q` follows from one step of refinement: it turns each small cube into 20
/// and each square on the surface into 8, and makes 24 new squares in the holes of each cube. So
/// `q' = 8 q + 24 * 20^level` with `q = 6` at level 0, which is solved by
/// `q = 2 * 20^level + 4 * 8^level`.
///
/// # Errors
/// If `level` is above 5.
///
/// ```
/// let sponge = tangere::generate::sponge(2)?;
/// assert_eq!(sponge.faces().len(), 4 * 20 * 20 + 8 * 8 * 8);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn sponge(level: u32) -> Result<TriMesh> {
    if level > LEVEL_MAX {
        return Err(Error::argument(
            Argument::SpongeLevel,
            level,
            format!("0 to {LEVEL_MAX}, which is 13062144 triangles"),
        ));
    }
    let edge = 3usize.pow(level);
    let count = 4 * 20usize.pow(level) + 8 * 8usize.pow(level);
    let mut surface = Surface {
        edge,
        layers: [(); 2].map(|()| vec![UNUSED; (edge + 1) * (edge + 1)]),
        // By Euler's formula `V - E + F = 2 - 2 genus` with `E = 3 F / 2`, so `V <= F / 2 + 2`.
        vertices: reserved(count / 2 + 2)?,
        faces: reserved(count)?,
    };
    for z in 0..edge {
        for y in 0..edge {
            for x in 0..edge {
                if is_solid([x, y, z].map(Some), edge) {
                    surface.cube([x, y, z]);
                }
            }
        }
        surface.layers.swap(0, 1);
        surface.layers[1].fill(UNUSED);
    }
    TriMesh::new(surface.vertices, surface.faces)
}

/// Returns whether the small cube at the indices `place` is in the sponge, which is `edge` small
/// cubes wide along each axis. `None` is an index below 0.
fn is_solid(place: [Option<usize>; 3], edge: usize) -> bool {
    let [Some(mut x), Some(mut y), Some(mut z)] = place else {
        return false;
    };
    if x.max(y).max(z) >= edge {
        return false;
    }
    // A cube is missing if at some scale two of its indices are in the middle third.
    while x + y + z > 0 {
        if [x, y, z].into_iter().filter(|c| c % 3 == 1).count() >= 2 {
            return false;
        }
        (x, y, z) = (x / 3, y / 3, z / 3);
    }
    true
}

/// The surface of the sponge while layers of cubes are added from below.
struct Surface {
    edge: usize,
    /// The vertex indices of the lattice points in the plane below the present layer of cubes, then
    /// of those in the plane above it. `UNUSED` for a lattice point that is not a vertex yet.
    layers: [Vec<u32>; 2],
    vertices: Vec<[f64; 3]>,
    faces: Vec<[u32; 3]>,
}

impl Surface {
    /// Adds those faces of a solid cube of the sponge on whose other side there is no solid cube.
    fn cube(&mut self, place: [usize; 3]) {
        for axis in 0..3 {
            for upper in [false, true] {
                let mut beyond = place.map(Some);
                beyond[axis] = if upper {
                    Some(place[axis] + 1)
                } else {
                    place[axis].checked_sub(1)
                };
                if !is_solid(beyond, self.edge) {
                    self.square(place, axis, upper);
                }
            }
        }
    }

    /// Adds one face of a cube of the sponge as two triangles.
    fn square(&mut self, place: [usize; 3], axis: usize, upper: bool) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        // Corners are counterclockwise as seen from the positive side of the axis.
        let mut corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(du, dv)| {
            let mut offset = [0; 3];
            offset[axis] = usize::from(upper);
            offset[u] = du;
            offset[v] = dv;
            self.corner(place, offset)
        });
        if !upper {
            corners.reverse();
        }
        let [a, b, c, d] = corners;
        self.faces.extend([[a, b, c], [a, c, d]]);
    }

    /// Returns the index of the vertex at a corner of a cube of the sponge: the corner at `offset`,
    /// 0 or 1 along each axis, from `place`. The vertex is added at its first use.
    fn corner(&mut self, place: [usize; 3], offset: [usize; 3]) -> u32 {
        let [x, y, z]: [usize; 3] = std::array::from_fn(|k| place[k] + offset[k]);
        let index = &mut self.layers[offset[2]][y * (self.edge + 1) + x];
        if *index == UNUSED {
            *index = self.vertices.len() as u32;
            self.vertices.push([x as f64, y as f64, z as f64]);
        }
        *index
    }
}
