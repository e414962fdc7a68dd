//! Separating axes of two triangles: how long they stay separated along normals and edge cross
//! products.
//!
//! Triangles that are disjoint and not coplanar are separated along one of these eleven axes. Along
//! each axis, the gap of two corners is bounded from below by a parabola in time, and the gap of
//! the triangles by the least of the parabolas of the nine pairs of corners. The axis with the
//! latest time gives the bound. Axes are tested in two batches of eight SIMD lanes; five of these
//! sixteen lanes repeat another.

use super::gap_bound::{U, closing_times};
use super::lane_vectors::{product, unit, vector_product};
use super::triangle_pair::TrianglePair;
use crate::geometry::vector::{largest, minus};
use crate::simd::{LANES, One, RealKernel, Reals, load_all, run_reals};

/// For each separating axis, the indices of the two edges whose cross product it is. Axes are in
/// two batches of one axis per SIMD lane: `FACTORS[batch][lane]`. Edges 0 to 2 are of triangle `a`,
/// edges 3 to 5 of triangle `b`.
const FACTORS: [[[usize; 2]; LANES]; 2] = [
    [
        [0, 3],
        [0, 4],
        [0, 5],
        [1, 3],
        [1, 4],
        [1, 5],
        [2, 3],
        [2, 4],
    ],
    [
        [2, 5],
        [0, 1],
        [3, 4],
        [0, 1],
        [0, 1],
        [0, 1],
        [0, 1],
        [0, 1],
    ],
];

/// How long two moving triangles certainly stay separated along the separating axis for which this
/// time is longest; 0 if no axis separates them.
pub(super) fn separated_for(pair: &TrianglePair) -> f64 {
    run_reals(Normals(pair))
}

/// SIMD kernel: how long a pair of triangles stays separated along each of its separating axes.
struct Normals<'a>(&'a TrianglePair<'a>);

impl RealKernel for Normals<'_> {
    type Output = f64;

    /// The longest time for which two triangles stay separated along one of their separating axes.
    /// Eight axes at once are tested in lanes.
    #[inline(always)]
    fn run<V: Reals>(self) -> f64 {
        let pair = self.0;
        let (of_a, of_b) = (scaled(pair.a.edges()), scaled(pair.b.edges()));
        let edges = [of_a[0], of_a[1], of_a[2], of_b[0], of_b[1], of_b[2]];
        let mut latest = V::splat(0.0);
        for half in 0..2 {
            let [mut u, mut v] = [[[0.0; LANES]; 3]; 2];
            for lane in 0..LANES {
                let [from, to] = FACTORS[half][lane];
                for k in 0..3 {
                    (u[k][lane], v[k][lane]) = (edges[from][k], edges[to][k]);
                }
            }
            let (u, v) = (load_all::<V, 3>(&u), load_all::<V, 3>(&v));
            latest = latest.max(along(pair, unit(vector_product(&u, &v))));
        }
        let mut times = [0.0; LANES];
        latest.store(&mut times);
        times.into_iter().fold(0.0, f64::max)
    }
}

/// The edges of a triangle, scaled so that their cross products, the separating axes, neither
/// overflow nor underflow.
#[inline(always)]
fn scaled(edges: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let size = largest(edges[0]).max(largest(edges[1]));
    let scale = One(size.max(f64::MIN_POSITIVE)).inverse_power().0;
    let mut out = edges;
    for edge in &mut out {
        for x in edge {
            *x *= scale;
        }
    }
    out
}

/// How long two moving triangles stay separated along the separating axes `n`, lane by lane.
#[inline(always)]
fn along<V: Reals>(pair: &TrianglePair, n: [V; 3]) -> V {
    let zero = V::splat(0.0);
    let between = minus(pair.b.middle(), pair.a.middle());
    let is_back = product(&between, &n).below(zero);
    let mut unit = n;
    for x in &mut unit {
        *x = V::select(is_back, zero - *x, *x);
    }
    let n = unit;
    let frame = pair.frame;
    let (mut from, mut to) = ([zero; 3], [zero; 3]);
    for i in 0..3 {
        from[i] = product(&pair.a.corners[i], &n);
        to[i] = product(&pair.b.corners[i], &n);
    }
    let closed = V::splat(pair.margin() + frame.slack);
    let least = to[0].min(to[1]).min(to[2]);
    let gap = least - from[0].max(from[1]).max(from[2]) - closed;
    let is_open = zero.below(gap);
    if V::bits(is_open) == 0 {
        return zero;
    }
    let bend = product(&frame.acceleration, &n);
    if frame.is_translating {
        // All corners of a triangle have the same velocity.
        return closing_times(gap, product(&frame.velocity, &n), bend);
    }
    let bend = bend - V::splat((pair.a.bend + pair.b.bend) * (1.0 + 2.0 * U));
    let (mut rate_from, mut rate_to) = ([zero; 3], [zero; 3]);
    for i in 0..3 {
        rate_from[i] = product(&pair.a.velocities[i], &n);
        rate_to[i] = product(&pair.b.velocities[i], &n);
    }
    let mut time = V::splat(f64::INFINITY);
    for i in 0..3 {
        for j in 0..3 {
            let gap = to[j] - from[i] - closed;
            time = time.min(closing_times(gap, rate_to[j] - rate_from[i], bend));
        }
    }
    // A degenerate axis proves nothing.
    time.only(is_open)
}
