//! Random convex hull with an exact number of triangles, no two of them in one plane.
//!
//! Cost: that of a few hulls of `faces / 2 + 2` points.
//!
//! # Construction
//! By Euler's formula a convex body of `n` vertices whose faces are all triangles has `2 n - 4`
//! faces. So `n = faces / 2 + 2` random points on an ellipsoid with the semi-axes 1, 3/4 and 1/2
//! have the right hull, if each is a corner of the hull and no four corners share a plane. On the
//! exact ellipsoid this holds with probability one. When points are rounded to `f32`, some points
//! of a fine hull fall below the plane of their neighbours; such points are drawn again until none
//! is left. (The body of schinner1995's table has `3 F + 2` features of all kinds for `F` faces, so
//! its faces are triangles, too.)

use std::f64::consts::TAU;

use super::{Random, reserved};
use crate::error::{Argument, Error, Result};
use crate::shape::{ConvexPolyhedron, TriMesh};

/// The least number of triangles that can be requested for a hull: that of a tetrahedron.
const FACES_MIN: usize = 4;

/// The largest number of triangles that can be requested for a hull. Edges are then about 4e-3
/// long, and a vertex is about 2e-6 above the plane of its neighbours, thirty times the spacing of
/// `f32`.
const FACES_MAX: usize = 1 << 20;

/// The semi-axes of the ellipsoid on which the vertices of the hull lie.
const SEMI_AXES: [f64; 3] = [1.0, 0.75, 0.5];

/// Maximum number of rounds in which points that are not corners of the hull are replaced by new
/// random points. At most 5 were ever needed.
const ROUNDS: usize = 100;

/// Returns a random convex hull of exactly `faces` triangles and `faces / 2 + 2` vertices, random
/// on the ellipsoid around the origin with semi-axes 1, 3/4 and 1/2, rounded to `f32`. No two faces
/// lie in one plane.
///
/// # Errors
/// If `faces` is odd (every edge of a closed surface has two triangles, so their
/// number is even), below 4 or above 1048576.
///
/// ```
/// let hull = tangere::generate::hull(920, 1)?;
/// assert_eq!((hull.faces().len(), hull.vertices().len()), (920, 462));
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn hull(faces: usize, seed: u64) -> Result<TriMesh> {
    if !faces.is_multiple_of(2) || !(FACES_MIN..=FACES_MAX).contains(&faces) {
        return Err(Error::argument(
            Argument::HullFaces,
            faces,
            format!("an even number from {FACES_MIN} to {FACES_MAX}"),
        ));
    }
    let count = faces / 2 + 2;
    let mut random = Random::new(seed);
    let mut points = reserved(count)?;
    points.extend((0..count).map(|_| on_ellipsoid(&mut random)));
    for _ in 0..ROUNDS {
        let hull = ConvexPolyhedron::hull(&points)?;
        let misplaced = misplaced(count, &hull);
        if misplaced.is_empty() {
            return hull.to_mesh();
        }
        for i in misplaced {
            points[i as usize] = on_ellipsoid(&mut random);
        }
    }
    Err(Error::argument(
        Argument::HullFaces,
        faces,
        "a number for which random points in f32 have such a hull",
    ))
}

/// Returns the indices of the random points to draw again: those that are not corners of the hull,
/// and one corner of each face with more than three corners. Empty if the hull is as required.
fn misplaced(count: usize, hull: &ConvexPolyhedron) -> Vec<u32> {
    let mut sources = hull.sources().iter().copied().peekable();
    let mut misplaced: Vec<u32> = (0..count as u32)
        .filter(|i| sources.next_if_eq(i).is_none())
        .collect();
    let larger = (0..hull.face_count() as u32).filter(|&f| hull.face_vertices(f).len() > 3);
    let last = larger.filter_map(|f| hull.face_vertices(f).last());
    misplaced.extend(last.map(|v| hull.sources()[v as usize]));
    if hull.dimension() < 3 {
        misplaced.extend(hull.sources());
    }
    misplaced.sort_unstable();
    misplaced.dedup();
    misplaced
}

/// Returns a random point of the hull on its ellipsoid: uniform on the sphere by its height and
/// longitude (Archimedes), then stretched.
fn on_ellipsoid(random: &mut Random) -> [f64; 3] {
    let z = 2.0 * random.unit() - 1.0;
    let (sin, cos) = libm::sincos(TAU * random.unit());
    let r = (1.0 - z * z).sqrt();
    let unit = [r * cos, r * sin, z];
    [0, 1, 2].map(|k| f64::from((SEMI_AXES[k] * unit[k]) as f32))
}
