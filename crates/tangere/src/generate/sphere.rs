//! Unit sphere: an octahedron refined recursively.
//!
//! Cost: linear in the number of triangles, without search. The vertices of the refined octahedron
//! are the integer points with `|i| + |j| + |k| = n`, `n = 2^level`, and their indices have a
//! closed form.
//!
//! A new vertex is the midpoint of an edge, moved out to the sphere. So triangles differ in area by
//! a factor of about 2; the factor would be above 5 if the flat octahedron were refined first and
//! projected at the end.

use rayon::prelude::*;

use super::reserved;
use crate::error::{Argument, Error, Result};
use crate::memory;
use crate::shape::TriMesh;

/// The largest level of refinement of a sphere, at which it has 134 217 728 triangles.
const LEVEL_MAX: u32 = 12;

/// Returns a unit sphere of triangles, an octahedron refined `level` times: `8 * 4^level` triangles
/// and `4 * 4^level + 2` vertices around the origin.
///
/// Vertices are the points on the sphere rounded to `f32`; the set of them is symmetric, bit for
/// bit, under changes of sign and permutations of the axes.
///
/// # Errors
/// If `level` is above 12.
///
/// ```
/// let sphere = tangere::generate::sphere(3)?;
/// assert_eq!(sphere.faces().len(), 8 * 4usize.pow(3));
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn sphere(level: u32) -> Result<TriMesh> {
    if level > LEVEL_MAX {
        return Err(Error::argument(
            Argument::SphereLevel,
            level,
            format!("0 to {LEVEL_MAX}, which is 134217728 triangles"),
        ));
    }

    // The last two lattices, and the last one once more while its rows are joined.
    let count = (4usize << (2 * level)) + 2;
    let bytes = size_of::<[f64; 3]>() * (2 * count + count / 4);
    memory::check(Argument::Points, count, bytes)?;
    let mut lattice = Lattice { n: 1 };
    let mut points: Vec<[f64; 3]> = lattice.points().map(|p| p.map(|x| x as f64)).collect();
    for _ in 0..level {
        let finer = Lattice { n: 2 * lattice.n };
        points = (0..=2 * finer.n)
            .into_par_iter()
            .flat_map_iter(|row| {
                let points = &points;
                finer.row(row).map(move |p| refined(lattice, points, p))
            })
            .collect();
        lattice = finer;
    }
    points
        .par_iter_mut()
        .for_each(|p| *p = p.map(|x| f64::from(x as f32)));
    TriMesh::new(points, triangles(lattice)?)
}

/// Returns the vertex of the refined sphere at point `p` of the finer lattice, which has half the
/// spacing of `lattice`: one of the vertices `points` of `lattice`, or the midpoint of one of its
/// edges, moved out to the sphere.
fn refined(lattice: Lattice, points: &[[f64; 3]], p: [i64; 3]) -> [f64; 3] {
    // `|i| + |j| + |k|` is even, so none or two coordinates are odd. The edge that a new point
    // halves keeps the sum and the even coordinate.
    let (mut a, mut b) = (p, p);
    let mut outward = 1;
    for axis in (0..3).filter(|&axis| p[axis] % 2 != 0) {
        let step = outward * p[axis].signum();
        a[axis] += step;
        b[axis] -= step;
        outward = -outward;
    }
    let at = |p: [i64; 3]| points[lattice.index(p.map(|x| x / 2))];
    if a == b {
        return at(a);
    }
    let (a, b) = (at(a), at(b));
    normalized(std::array::from_fn(|axis| a[axis] + b[axis]))
}

/// Projects a vertex of the refined octahedron onto the unit sphere: returns the direction of `v`.
/// The squares are added in the order of their size, so that a permutation of the axes permutes the
/// result.
fn normalized(v: [f64; 3]) -> [f64; 3] {
    let mut squares = v.map(|x| x * x);
    squares.sort_unstable_by(f64::total_cmp);
    let length = (squares[0] + squares[1] + squares[2]).sqrt();
    v.map(|x| x / length)
}

/// The lattice of the refined octahedron: the integer points with `|i| + |j| + |k| = n`, ordered in
/// rows from `k = n` down to `k = -n`, each row around the third axis from `i > 0, j = 0`.
#[derive(Clone, Copy)]
struct Lattice {
    n: i64,
}

impl Lattice {
    /// Iterates over the lattice points of the refined sphere in the order of their indices.
    fn points(self) -> impl Iterator<Item = [i64; 3]> {
        (0..=2 * self.n).flat_map(move |row| self.row(row))
    }

    /// Iterates over the lattice points of one row of the refined sphere.
    fn row(self, row: i64) -> impl Iterator<Item = [i64; 3]> {
        let k = self.n - row;
        let m = self.n - k.abs();
        (0..(4 * m).max(1)).map(move |around| {
            // Both poles have `m = 0`.
            let (quarter, s) = if m == 0 {
                (0, 0)
            } else {
                (around / m, around % m)
            };
            match quarter {
                0 => [m - s, s, k],
                1 => [-s, m - s, k],
                2 => [s - m, -s, k],
                _ => [s, s - m, k],
            }
        })
    }

    /// Returns the index of a lattice point among the vertices of the refined sphere.
    fn index(self, [i, j, k]: [i64; 3]) -> usize {
        let m = self.n - k.abs();
        // The rows above hold `1 + 4 (1 + 2 + ...)` points.
        let start = match (k >= 0, m) {
            (true, 0) => 0,
            (true, _) => 1 + 2 * m * (m - 1),
            (false, _) => 4 * self.n * self.n + 2 - 1 - 2 * m * (m + 1),
        };
        let around = if i > 0 && j >= 0 {
            j
        } else if i <= 0 && j > 0 {
            m - i
        } else if i < 0 && j <= 0 {
            2 * m - j
        } else if m > 0 {
            3 * m + i
        } else {
            0
        };
        (start + around) as usize
    }
}

/// Returns the triangles of the refined sphere, octant by octant, counterclockwise from outside.
fn triangles(lattice: Lattice) -> Result<Vec<[u32; 3]>> {
    let n = lattice.n;
    let mut faces = reserved(8 * (n * n) as usize)?;
    for octant in 0..8 {
        let sign: [i64; 3] = std::array::from_fn(|axis| 1 - 2 * ((octant >> axis) & 1));
        let mirrored = sign[0] * sign[1] * sign[2] < 0;
        let at =
            |a: i64, b: i64, c: i64| lattice.index([sign[0] * a, sign[1] * b, sign[2] * c]) as u32;
        let mut push =
            |[a, b, c]: [u32; 3]| faces.push(if mirrored { [a, c, b] } else { [a, b, c] });
        for a in 0..n {
            for b in 0..n - a {
                let c = n - 1 - a - b;
                push([at(a + 1, b, c), at(a, b + 1, c), at(a, b, c + 1)]);
                if c > 0 {
                    push([at(a, b + 1, c), at(a + 1, b, c), at(a + 1, b + 1, c - 1)]);
                }
            }
        }
    }
    Ok(faces)
}

#[cfg(test)]
mod tests {
    use super::Lattice;

    #[test]
    fn indices_count_the_points() {
        for n in [1, 2, 3, 8] {
            let lattice = Lattice { n };
            let points: Vec<_> = lattice.points().collect();
            assert_eq!(points.len() as i64, 4 * n * n + 2);
            for (i, &p) in points.iter().enumerate() {
                assert_eq!(p.iter().map(|x| x.abs()).sum::<i64>(), n);
                assert_eq!(lattice.index(p), i, "{p:?}");
            }
        }
    }
}
