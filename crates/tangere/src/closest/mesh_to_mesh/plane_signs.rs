//! Plane signs: for eight pairs of triangles in lanes, the side of the plane of each triangle on
//! which every corner of the other lies.
//!
//! The second triangle of each pair is moved by a pose; moved corners have the bits of
//! [`Pose::apply`]. Sums and error bounds are those of `PlaneOf`, the scalar form of this
//! predicate, lane by lane and without fused operations, so that signs are right where the error
//! bound decides. Where it does not, the pair is [`Doubtful`](Planes::Doubtful).

use crate::geometry::{BOUND_3D, COORDINATE_MIN, Pose, Sign};
use crate::simd::{LANES, RealKernel, Reals, run_reals};

/// The corners of eight triangles, indexed by corner, coordinate and lane.
type Eight = [[[f64; LANES]; 3]; 3];

/// Points in lanes: each of the three coordinates has one value for each lane.
type Point<V> = [V; 3];

/// The plane signs of eight pairs of triangles `a` and `b`: the side of the plane of each triangle
/// on which every corner of the other lies.
pub(super) struct PlaneSigns {
    /// The eight triangles `b` after the pose has moved them.
    moved: Eight,
    /// Mask of pairs whose triangles are apart: the plane of one has all corners of the other on
    /// one side.
    apart: u32,
    /// Mask of pairs with at least one plane sign that rounding leaves undecided.
    doubtful: u32,
    /// For each corner of `a`, the mask of pairs where the corner is above the plane of `b`; then
    /// the same for the corners of `b` and the plane of `a`.
    above: [[u32; 3]; 2],
}

/// The plane signs of one pair of triangles `a` and `b`: the side of the plane of each triangle on
/// which the corners of the other lie.
pub(super) enum Planes {
    /// The triangles are apart: the plane of one has all corners of the other on one side.
    Apart,
    /// The plane of each triangle cuts the other, with no corner on it. The values are the signs of
    /// the corners of `a` relative to the plane of `b`, then those of the corners of `b`.
    Cross([Sign; 3], [Sign; 3]),
    /// Some sign is undecided in floating point, or a corner may lie on a plane.
    Doubtful,
}

impl PlaneSigns {
    /// The initial plane signs of eight pairs, all undecided.
    pub fn new() -> Self {
        Self {
            moved: NONE,
            apart: 0,
            doubtful: !0,
            above: [[0; 3]; 2],
        }
    }

    /// Computes the plane signs of eight pairs of triangles; those of `b` are given before the pose
    /// moves them.
    #[inline(always)]
    pub fn update(&mut self, a: &Eight, b: &Eight, pose: &Pose) {
        run_reals(Kernel {
            a,
            b,
            pose,
            plane_signs: self,
        });
    }

    /// The plane signs of pair `i`.
    #[inline(always)]
    pub fn planes(&self, i: usize) -> Planes {
        if self.apart >> i & 1 != 0 {
            return Planes::Apart;
        }
        if self.doubtful >> i & 1 != 0 {
            return Planes::Doubtful;
        }
        let sign = |above: u32| match above >> i & 1 {
            0 => Sign::Negative,
            _ => Sign::Positive,
        };
        let [of_a, of_b] = &self.above;
        Planes::Cross(
            [sign(of_a[0]), sign(of_a[1]), sign(of_a[2])],
            [sign(of_b[0]), sign(of_b[1]), sign(of_b[2])],
        )
    }

    /// The triangle `b` of pair `i`, moved by the pose: the one for which the plane signs were
    /// computed.
    #[inline(always)]
    pub fn moved(&self, i: usize) -> [[f64; 3]; 3] {
        let mut corners = [[0.0; 3]; 3];
        for c in 0..3 {
            for k in 0..3 {
                corners[c][k] = self.moved[c][k][i];
            }
        }
        corners
    }
}

/// Eight degenerate triangles: the contents of lanes into which no triangle has been put.
pub(super) const NONE: Eight = [[[0.0; LANES]; 3]; 3];

/// Puts a triangle into lane `i` of eight triangles, for which plane signs are then computed.
#[inline(always)]
pub(super) fn put(eight: &mut Eight, i: usize, triangle: &[[f64; 3]; 3]) {
    for c in 0..3 {
        for k in 0..3 {
            eight[c][k][i] = triangle[c][k];
        }
    }
}

/// The kernel that computes plane signs in lanes.
struct Kernel<'a> {
    a: &'a Eight,
    b: &'a Eight,
    pose: &'a Pose,
    plane_signs: &'a mut PlaneSigns,
}

impl RealKernel for Kernel<'_> {
    type Output = ();

    /// Moves eight triangles `b` by the pose and computes the plane signs of all eight pairs in
    /// lanes.
    #[inline(always)]
    fn run<V: Reals>(self) {
        let a = load::<V>(self.a);
        let mut b = load::<V>(self.b);
        let moved = &mut self.plane_signs.moved;
        let (matrix, translation) = (self.pose.rotation_matrix(), self.pose.translation());
        let least = V::splat(COORDINATE_MIN);
        let all = V::splat(0.0).below(least);
        for c in 0..3 {
            let [x, y, z] = b[c];
            for k in 0..3 {
                let m = &matrix[k];
                let sum = V::splat(m[0]) * x + V::splat(m[1]) * y + V::splat(m[2]) * z;
                let p = sum + V::splat(translation[k]);
                b[c][k] = p.only(V::and_not(all, p.abs().below(least)));
                b[c][k].store(&mut moved[c][k]);
            }
        }
        let of_a = plane_signs(&b, &a);
        let of_b = plane_signs(&a, &b);
        self.plane_signs.apart = of_a.one_sided() | of_b.one_sided();
        self.plane_signs.doubtful = !(of_a.known & of_b.known);
        self.plane_signs.above = [of_a.above, of_b.above];
    }
}

/// Loads eight triangles into lanes, for their plane signs.
#[inline(always)]
fn load<V: Reals>(eight: &Eight) -> [Point<V>; 3] {
    let mut points = [[V::splat(0.0); 3]; 3];
    for c in 0..3 {
        for k in 0..3 {
            points[c][k] = V::load(&eight[c][k]);
        }
    }
    points
}

/// The signs of the three corners of one triangle relative to the plane of the other, for each pair
/// of triangles.
struct Known {
    /// Mask of pairs whose three signs are certain.
    known: u32,
    /// For each corner, the mask of pairs where the corner is above the plane.
    above: [u32; 3],
}

impl Known {
    /// Mask of pairs whose plane signs are certainly equal: the corners are all above or all below.
    #[inline(always)]
    fn one_sided(&self) -> u32 {
        let [a, b, c] = self.above;
        self.known & (a & b & c | !(a | b | c))
    }
}

/// The plane signs in lanes: those of the corners of eight triangles `others`, relative to the
/// planes of the eight triangles `plane`.
#[inline(always)]
fn plane_signs<V: Reals>(plane: &[Point<V>; 3], others: &[Point<V>; 3]) -> Known {
    let zero = V::splat(0.0);
    let (mut u, mut v) = ([zero; 3], [zero; 3]);
    for k in 0..3 {
        u[k] = plane[1][k] - plane[0][k];
        v[k] = plane[2][k] - plane[0][k];
    }
    let (mut normal, mut size) = ([zero; 3], [zero; 3]);
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (left, right) = (u[i] * v[j], u[j] * v[i]);
        normal[k] = left - right;
        size[k] = left.abs() + right.abs();
    }
    let mut known = !0;
    let mut above = [0; 3];
    for c in 0..3 {
        let (mut determinant, mut permanent) = (zero, zero);
        for k in 0..3 {
            let w = others[c][k] - plane[0][k];
            // Summed in the order of `PlaneOf`: adding to zero first does not round.
            determinant = determinant + normal[k] * w;
            permanent = permanent + size[k] * w.abs();
        }
        let bound = permanent * V::splat(BOUND_3D);
        known &= V::bits(bound.below(determinant.abs()));
        above[c] = V::bits(zero.below(determinant));
    }
    Known { known, above }
}
