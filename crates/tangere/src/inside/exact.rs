//! Exact ray-triangle tests: the crossing of a triangle by an axis-parallel ray (column) or a
//! segment.
//!
//! A column is the ray from a point along a coordinate axis, up or down. It never has to be
//! replaced by another ray (simulation of simplicity): where it meets an edge or a vertex, the
//! point is treated as moved by an infinitesimal `(e, e^2)` in the two other coordinates. The
//! column then meets faces only, so that a crossing at an edge is neither missed nor counted twice.
//! The moved point is off the surface, so its winding number is that of the point itself. A test
//! costs at most three `orient2d` and one `orient3d`, all of them filtered.

use crate::geometry::{
    SegmentFeature, SegmentTriangle, Shared, Sign, TriangleFeature, orient2d, orient3d,
    point_of_plane_on_triangle, point_on_triangle, segment_triangle,
};
use crate::shape::TriMesh;
use rayon::prelude::*;

/// The number of points in a parallel task. Each point is tested against all triangles that its
/// column, an axis-parallel ray, can meet.
const SLAB: usize = 4096;

/// The result of a ray-triangle test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crossing {
    /// The ray misses the triangle.
    Misses,
    /// The ray crosses the triangle: `1` along the normal `(b - a) x (c - a)`, `-1` against it. The
    /// sum over all triangles is the winding number.
    Through(i32),
    /// The ray starts on the triangle, on this feature (vertex, edge or face) of it.
    StartsOn(TriangleFeature),
    /// The ray touches the boundary of the triangle or runs within its plane, so that another ray
    /// must be tried. A column never has this result.
    Degenerate,
}

/// A column: the direction of an axis-parallel ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// The axis of the column: 0, 1 or 2; other values are taken modulo 3.
    pub axis: usize,
    /// Whether the column points toward greater coordinates.
    pub upward: bool,
}

impl Column {
    /// The column, an axis-parallel ray, toward greater coordinates along an axis.
    pub const fn up(axis: usize) -> Self {
        let upward = true;
        Column { axis, upward }
    }

    /// The column, an axis-parallel ray, toward smaller coordinates along an axis.
    pub const fn down(axis: usize) -> Self {
        let upward = false;
        Column { axis, upward }
    }
}

/// Simulation of simplicity for exact column tests: the sign of `orient2d(a, b, p)` after `p` has
/// moved by the infinitesimal `(e, e^2)`, given the sign `sign` before the move. The determinant
/// changes by `(b - a).x e^2 - (b - a).y e`; the result is 0 if `a == b` and `sign` is 0.
#[inline]
pub(super) fn nudged(sign: Sign, a: [f64; 2], b: [f64; 2]) -> Sign {
    if !sign.is_zero() {
        sign
    } else if a[1] != b[1] {
        Sign::of(a[1] - b[1])
    } else {
        Sign::of(b[0] - a[0])
    }
}

/// Exact ray-triangle test of the axis-parallel ray from `p`, a column.
///
/// ```
/// use tangere::inside::exact::{Column, Crossing, column_crossing};
///
/// let triangle = [[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]];
/// assert_eq!(column_crossing([1.0, 1.0, 0.0], triangle, Column::up(2)), Crossing::Through(1));
/// assert_eq!(column_crossing([1.0, 1.0, 2.0], triangle, Column::up(2)), Crossing::Misses);
/// assert!(matches!(column_crossing([1.0, 1.0, 1.0], triangle, Column::up(2)), Crossing::StartsOn(_)));
/// // The edges of a square's two halves count once.
/// let other = [[4.0, 4.0, 1.0], [0.0, 4.0, 1.0], [4.0, 0.0, 1.0]];
/// let both = [triangle, other].map(|t| column_crossing([2.0, 2.0, 0.0], t, Column::up(2)));
/// assert_eq!(both.iter().filter(|&&c| c == Crossing::Through(1)).count(), 1);
/// ```
#[inline]
pub fn column_crossing(p: [f64; 3], triangle: [[f64; 3]; 3], column: Column) -> Crossing {
    let (i, j, k) = (
        (column.axis + 1) % 3,
        (column.axis + 2) % 3,
        column.axis % 3,
    );
    let [a, b, c] = triangle;
    // Beside or beyond the box there is no crossing.
    let least = |m: usize| a[m].min(b[m]).min(c[m]);
    let most = |m: usize| a[m].max(b[m]).max(c[m]);
    let beyond = match column.upward {
        true => p[k] > most(k),
        false => p[k] < least(k),
    };
    if beyond || p[i] < least(i) || p[i] > most(i) || p[j] < least(j) || p[j] > most(j) {
        return Crossing::Misses;
    }
    let flat = |v: [f64; 3]| [v[i], v[j]];
    let (q, corners) = (flat(p), triangle.map(flat));
    let edges = [(0, 1), (1, 2), (2, 0)].map(|(u, v)| (corners[u], corners[v]));
    let signs = edges.map(|(u, v)| orient2d(u, v, q));
    if signs.contains(&Sign::Negative) && signs.contains(&Sign::Positive) {
        return Crossing::Misses;
    }
    let side = orient3d(a, b, c, p);
    if side.is_zero()
        && let Some(feature) = point_of_plane_on_triangle(p, triangle)
    {
        return Crossing::StartsOn(feature);
    }
    let [first, second, third] = [0, 1, 2].map(|e| nudged(signs[e], edges[e].0, edges[e].1));
    // An edge-on triangle has different signs, as they add up to its area. The plane lies above
    // the point if the point is on the side away from its upper face.
    if first != second || second != third || (first == side) == column.upward {
        return Crossing::Misses;
    }
    match (first, column.upward) {
        (Sign::Positive, true) | (Sign::Negative, false) => Crossing::Through(1),
        (Sign::Negative, true) | (Sign::Positive, false) => Crossing::Through(-1),
        (Sign::Zero, _) => Crossing::Misses,
    }
}

/// Exact ray-triangle test of a segment, from its first point to its second. The second point must
/// not lie on the triangle; the first may.
#[inline]
pub fn segment_crossing(segment: [[f64; 3]; 2], triangle: [[f64; 3]; 3]) -> Crossing {
    match segment_triangle(segment, triangle) {
        SegmentTriangle::Disjoint
        | SegmentTriangle::Coplanar(Shared::Nothing)
        | SegmentTriangle::Degenerate(Shared::Nothing) => Crossing::Misses,
        SegmentTriangle::Crosses { upward } => Crossing::Through(if upward { 1 } else { -1 }),
        SegmentTriangle::Touches {
            at: SegmentFeature::Start,
            on,
            ..
        } => Crossing::StartsOn(on),
        SegmentTriangle::Touches { .. } => Crossing::Degenerate,
        SegmentTriangle::Coplanar(_) | SegmentTriangle::Degenerate(_) => {
            match point_on_triangle(segment[0], triangle) {
                Some(on) => Crossing::StartsOn(on),
                None => Crossing::Degenerate,
            }
        }
    }
}

/// The exact winding number of a surface about a point; `None` if the point lies on the surface.
/// Every triangle is tested. This function is the reference with which all methods are compared.
pub fn winding(p: [f64; 3], triangles: impl IntoIterator<Item = [[f64; 3]; 3]>) -> Option<i64> {
    let mut winding = 0;
    for triangle in triangles {
        match column_crossing(p, triangle, Column::up(2)) {
            Crossing::Misses | Crossing::Degenerate => {}
            Crossing::Through(sign) => winding += i64::from(sign),
            Crossing::StartsOn(_) => return None,
        }
    }
    Some(winding)
}

/// The exact winding numbers of a surface about many points, as [`winding`] computes them one by
/// one; `None` for points on the surface. Points are sorted by x. The column of a point, upward
/// along z, is tested against every triangle whose range of x contains the point's. The only code
/// shared with the methods of this module is [`column_crossing`].
pub fn windings(points: &[[f64; 3]], mesh: &TriMesh) -> Vec<Option<i64>> {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.par_sort_unstable_by(|&i, &j| {
        let (a, b) = (points[i as usize][0], points[j as usize][0]);
        a.total_cmp(&b).then(i.cmp(&j))
    });
    let slabs: Vec<Vec<Option<i64>>> = order
        .par_chunks(SLAB)
        .map(|slab| {
            let x = |i: u32| points[i as usize][0];
            let mut sums = vec![Some(0); slab.len()];
            for face in 0..mesh.faces().len() {
                let triangle = mesh.triangle(face);
                let least = triangle.iter().fold(f64::INFINITY, |m, v| m.min(v[0]));
                let most = triangle.iter().fold(f64::NEG_INFINITY, |m, v| m.max(v[0]));
                if most < x(slab[0]) || least > x(slab[slab.len() - 1]) {
                    continue;
                }
                let first = slab.partition_point(|&i| x(i) < least);
                let met = slab[first..].iter().take_while(|&&i| x(i) <= most);
                for (&i, sum) in met.zip(&mut sums[first..]) {
                    match column_crossing(points[i as usize], triangle, Column::up(2)) {
                        Crossing::Misses | Crossing::Degenerate => {}
                        Crossing::Through(sign) => {
                            *sum = sum.map(|sum| sum + i64::from(sign));
                        }
                        Crossing::StartsOn(_) => *sum = None,
                    }
                }
            }
            sums
        })
        .collect();
    let mut windings = vec![None; points.len()];
    for (&i, sum) in order.iter().zip(slabs.into_iter().flatten()) {
        windings[i as usize] = sum;
    }
    windings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    fn triangles(mesh: &TriMesh) -> impl Iterator<Item = [[f64; 3]; 3]> + Clone {
        (0..mesh.faces().len()).map(|f| mesh.triangle(f))
    }

    /// The side of the point `twice / 2` in a Menger sponge whose cells have integer corners:
    /// `true` inside, `false` outside, `None` on the surface. Write the three indices of a cell as
    /// ternary numbers. The cell is solid if at no place two or more of the numbers have the digit
    /// 1.
    fn sponge_side(level: u32, twice: [i64; 3]) -> Option<bool> {
        let size = 2 * 3i64.pow(level);
        let solid = |cell: [i64; 3]| {
            cell.iter().all(|&c| (0..size / 2).contains(&c))
                && (0..level).all(|l| {
                    let middle = |c: i64| c / 3i64.pow(l) % 3 == 1;
                    cell.iter().filter(|&&c| middle(c)).count() < 2
                })
        };
        // The cells whose closure contains the point.
        let around = |t: i64| [(t - 1).div_euclid(2), t.div_euclid(2)];
        let (mut some, mut every) = (false, true);
        for corner in 0..8 {
            let cell = [0, 1, 2].map(|k| around(twice[k])[corner >> k & 1]);
            some |= solid(cell);
            every &= solid(cell);
        }
        (some == every).then_some(some)
    }

    #[test]
    fn columns_and_the_lattice_of_a_sponge() {
        let sponge = generate::sponge(1).unwrap();
        let bounds = sponge.bounds();
        // Which integers the generator uses does not matter: the box is 3 cells wide.
        let unit = bounds.extent()[0] / 3.0;
        for x in -1..=7 {
            for y in -1..=7 {
                for z in -1..=7 {
                    let at = |t: i64, k: usize| bounds.min[k] + 0.5 * unit * t as f64;
                    let p = [at(x, 0), at(y, 1), at(z, 2)];
                    let found = winding(p, triangles(&sponge));
                    let expected = sponge_side(1, [x, y, z]).map(i64::from);
                    assert_eq!(found, expected, "{p:?}");
                }
            }
        }
    }

    #[test]
    fn every_column_gives_the_same_winding() {
        let mesh = generate::sphere(2).unwrap();
        // Columns through vertices meet other vertices and edges.
        for &v in mesh.vertices() {
            for scale in [0.0, 0.5, 0.75, 1.0, 1.25] {
                let p = v.map(|x| scale * x);
                let windings = [0, 1, 2, 3, 4, 5].map(|n| {
                    let column = Column {
                        axis: n % 3,
                        upward: n < 3,
                    };
                    triangles(&mesh).try_fold(0, |sum, t| match column_crossing(p, t, column) {
                        Crossing::Through(sign) => Some(sum + sign),
                        Crossing::StartsOn(_) => None,
                        _ => Some(sum),
                    })
                });
                let expected = if scale == 1.0 {
                    None
                } else {
                    Some(i32::from(scale < 1.0))
                };
                assert_eq!(windings, [expected; 6], "{p:?}");
            }
        }
    }

    #[test]
    fn many_points_at_once() {
        let mesh = generate::sponge(1).unwrap();
        let mut points = crate::inside::Grid::around(&mesh.bounds(), 18)
            .unwrap()
            .points();
        points.extend_from_slice(mesh.vertices());
        let expected: Vec<_> = points
            .iter()
            .map(|&p| winding(p, triangles(&mesh)))
            .collect();
        assert!(points.len() > SLAB);
        assert_eq!(windings(&points, &mesh), expected);
        assert!(windings(&[], &mesh).is_empty());
    }

    #[test]
    fn degenerate_segments_are_reported() {
        let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let crossing = |p, r| segment_crossing([p, r], triangle);
        assert_eq!(
            crossing([1.0, 1.0, -1.0], [1.0, 1.0, 5.0]),
            Crossing::Through(1)
        );
        assert_eq!(
            crossing([1.0, 1.0, 1.0], [1.0, 1.0, -5.0]),
            Crossing::Through(-1)
        );
        assert_eq!(
            crossing([2.0, 2.0, -1.0], [2.0, 2.0, 5.0]),
            Crossing::Degenerate
        );
        assert_eq!(
            crossing([-1.0, 1.0, 0.0], [9.0, 1.0, 0.0]),
            Crossing::Degenerate
        );
        assert_eq!(
            crossing([-1.0, 1.0, 0.0], [-9.0, 1.0, 0.0]),
            Crossing::Misses
        );
        let on = Crossing::StartsOn(TriangleFeature::Face);
        assert_eq!(crossing([1.0, 1.0, 0.0], [9.0, 1.0, 0.0]), on);
        assert_eq!(crossing([1.0, 1.0, 0.0], [9.0, 1.0, 7.0]), on);
    }
}
