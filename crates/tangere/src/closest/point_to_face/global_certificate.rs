//! Global certificate: proof that a local minimum of the distance from a point to a finite element
//! face is the global one.
//!
//! Let `x*` be the local minimum, at the reference coordinates `xi*`, with `w = y - x*` the vector
//! to the query point. For any other point `x` at `xi` let `delta = xi - xi*`. Then
//!
//! `|y - x|^2 - |w|^2 = -2 w . J delta + |x - x*|^2 - 2 w . r`,
//!
//! where the columns of `J` are the tangents at `xi*`, and `r = x - x* - J delta` is of second
//! order in `delta`. The first term is `2 sum lambda_i c_i`, with `lambda_i` the Lagrange
//! multiplier and `c_i` the constraint of side `i`; it is not negative in the domain. With
//! `x - x* = A delta`, where `A` is the mean of `J` along the segment from `xi*` to `xi`, and
//! `r = delta . S delta`, where `S` has the higher derivatives, the sum of all terms is at least
//! `delta . M delta` with
//!
//! `M = A^T A - 2 w . S + Lambda`.
//!
//! `Lambda` is the contribution of active sides: `c_i >= c_i^2 / c_max`, where `c_max` is the
//! maximum of `c_i` in the domain, or in the part of it under test. If all control matrices of `M`
//! in Bernstein form are positive definite, so is `M` on all of the domain, and no point is nearer.
//! That is a weaker condition than convexity of the distance, and needs only derivatives at `xi*`.
//!
//! For faces with third derivatives `A^T A` would be of degree 4 in each coordinate. It is replaced
//! by its lower bound `A^T B + B^T A - B^T B`, which holds for any constant `B`; `B` is `A` in the
//! middle of the domain.

use super::lane_vectors::{Point, dot, plus, times};
use super::polynomial::Domain;
use super::polynomial_lanes::{Form, Jet};
use crate::simd::Reals;

/// A control matrix counts as positive definite if its determinant is more than this fraction of
/// the product of its diagonal. Control matrices are the coefficients in Bernstein form of `M`, the
/// matrix of the global certificate.
const SOUND: f64 = 1e-9;

/// The rounding error of an entry of the matrix `M` of the global certificate, relative to 1 plus
/// the distance of the query point. The unit is that of the face row, in which the face is of size
/// 1 to 2.
const ROUNDING: f64 = 1e-14;

/// A part of the reference domain of a face: all `place + size xi'` for `xi'` in the reference
/// domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<V> {
    pub place: [V; 2],
    pub size: V,
}

impl<V: Reals> Part<V> {
    /// The part that is all of the reference domain. With it, the global certificate holds for the
    /// whole face.
    #[inline(always)]
    pub fn whole() -> Self {
        Part {
            place: [V::splat(0.0); 2],
            size: V::splat(1.0),
        }
    }

    /// The corner of this part of the domain, for the global certificate, that corresponds to the
    /// corner `u`, `v` of the whole domain.
    #[inline(always)]
    fn corner(&self, u: f64, v: f64) -> [V; 2] {
        [
            self.size.mul_add(V::splat(u), self.place[0]),
            self.size.mul_add(V::splat(v), self.place[1]),
        ]
    }
}

/// A local minimum of the distance to a face, as input of the global certificate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minimum<V> {
    pub xi: [V; 2],
    pub jet: Jet<V>,
    /// The vector from the local minimum to the query point `y`.
    pub way: Point<V>,
    /// The length of `way`.
    pub distance: V,
    /// The Lagrange multipliers of the sides of the reference domain at the local minimum.
    pub multipliers: [V; 4],
}

/// The constant part of the matrix `M` of the global certificate, which must be positive definite:
/// the contribution `Lambda` of the active sides, minus the rounding error.
struct Constant<V> {
    uu: V,
    uv: V,
    vv: V,
}

impl<V: Reals> Constant<V> {
    /// The constant part of the matrix `M` of the global certificate, for a minimum and a part of
    /// the domain.
    #[inline(always)]
    fn new(domain: Domain, foot: &Minimum<V>, part: &Part<V>) -> Self {
        let (zero, one, two) = (V::splat(0.0), V::splat(1.0), V::splat(2.0));
        let slack = (foot.distance + one) * V::splat(ROUNDING);
        let [u, v] = part.place;
        let [a, b, c, d] = foot.multipliers;
        // 2 lambda c >= 2 lambda c^2 / c_max, with the greatest c of the part.
        match domain {
            Domain::Segment => {
                let left = (two * a).div(one + u + part.size);
                let right = (two * b).div(one - u + part.size);
                Constant {
                    uu: left + right - slack,
                    uv: zero,
                    vv: zero,
                }
            }
            Domain::Square => {
                let low = (two * a).div(one + v + part.size);
                let right = (two * b).div(one - u + part.size);
                let high = (two * c).div(one - v + part.size);
                let left = (two * d).div(one + u + part.size);
                Constant {
                    uu: left + right - slack,
                    uv: zero,
                    vv: low + high - slack,
                }
            }
            Domain::Triangle => {
                // Parts may be rotated by half a turn: sizes may be negative.
                let more = part.size.max(zero);
                let less = part.size.min(zero);
                let low = (two * a).div(v + more);
                let slope = (two * b).div(one - u - v - less);
                let left = (two * c).div(u + more);
                Constant {
                    uu: left + slope - slack,
                    uv: slope,
                    vv: low + slope - slack,
                }
            }
        }
    }
}

/// The test of the global certificate whether all control matrices so far are positive definite.
struct Test<V: Reals> {
    constant: Constant<V>,
    holds: V::Mask,
}

impl<V: Reals> Test<V> {
    /// Tests for the global certificate whether the control matrix `[uu, uv; uv, vv]`, with the
    /// constant part added, is positive definite.
    #[inline(always)]
    fn with(&mut self, uu: V, uv: V, vv: V) {
        let zero = V::splat(0.0);
        let (a, b, c) = (
            uu + self.constant.uu,
            uv + self.constant.uv,
            vv + self.constant.vv,
        );
        let positive = V::and(zero.below(a), zero.below(c));
        let definite = (b * b).below(a * c * V::splat(1.0 - SOUND));
        self.holds = V::and(self.holds, V::and(positive, definite));
    }
}

/// The global certificate: mask of lanes where it proves that no point of a part of the face is
/// nearer to the query point than the local minimum.
#[inline(always)]
pub(super) fn is_global_minimum<V: Reals, F: Form>(foot: &Minimum<V>, part: &Part<V>) -> V::Mask {
    let mut test = Test {
        constant: Constant::new(F::DOMAIN, foot, part),
        holds: V::splat(0.0).below(V::splat(1.0)),
    };
    match F::DOMAIN {
        Domain::Segment => on_segment(foot, part, &mut test),
        Domain::Triangle => on_triangle(foot, part, &mut test),
        Domain::Square if F::HAS_CUBES => on_biquadratic(foot, part, &mut test),
        Domain::Square => on_bilinear(foot, part, &mut test),
    }
    test.holds
}

/// Tests the control matrices of the global certificate for a face that is a segment.
#[inline(always)]
fn on_segment<V: Reals>(foot: &Minimum<V>, part: &Part<V>, test: &mut Test<V>) {
    let (jet, [u, _]) = (&foot.jet, foot.xi);
    let a = plus(jet.u, part.corner(-1.0, 0.0)[0] - u, jet.uu);
    let b = plus(jet.u, part.corner(1.0, 0.0)[0] - u, jet.uu);
    let bend = dot(foot.way, jet.uu) * V::splat(2.0);
    let (zero, one) = (V::splat(0.0), V::splat(1.0) - test.constant.vv);
    test.with(dot(a, a) - bend, zero, one);
    test.with(dot(a, b) - bend, zero, one);
    test.with(dot(b, b) - bend, zero, one);
}

/// Tests the control matrices of the global certificate for a triangle of six nodes.
#[inline(always)]
fn on_triangle<V: Reals>(foot: &Minimum<V>, part: &Part<V>, test: &mut Test<V>) {
    let jet = &foot.jet;
    let half = V::splat(0.5);
    let uv = times(jet.uv, half);
    // A at the corners.
    let mut a = [(jet.u, jet.v); 3];
    let corners = [
        part.corner(0.0, 0.0),
        part.corner(1.0, 0.0),
        part.corner(0.0, 1.0),
    ];
    for i in 0..3 {
        let (p, q) = (corners[i][0] - foot.xi[0], corners[i][1] - foot.xi[1]);
        a[i] = (
            plus(plus(jet.u, p, jet.uu), q, uv),
            plus(plus(jet.v, p, uv), q, jet.vv),
        );
    }
    let two = V::splat(2.0);
    test.constant.uu = test.constant.uu - dot(foot.way, jet.uu) * two;
    test.constant.uv = test.constant.uv - dot(foot.way, jet.uv);
    test.constant.vv = test.constant.vv - dot(foot.way, jet.vv) * two;
    for i in 0..3 {
        test.with(
            dot(a[i].0, a[i].0),
            dot(a[i].0, a[i].1),
            dot(a[i].1, a[i].1),
        );
        let j = (i + 1) % 3;
        let mixed = dot(a[i].0, a[j].1) + dot(a[j].0, a[i].1);
        test.with(dot(a[i].0, a[j].0), half * mixed, dot(a[i].1, a[j].1));
    }
}

/// The three coefficients in Bernstein form, of degree 2, of `|a(t)|^2`, for the control matrices
/// of the global certificate. The vector `a(t)` is linear in `t`, with the values `a[0]` and `a[1]`
/// at the ends.
#[inline(always)]
fn squares<V: Reals>(a: [Point<V>; 2]) -> [V; 3] {
    [dot(a[0], a[0]), dot(a[0], a[1]), dot(a[1], a[1])]
}

/// The three coefficients in Bernstein form, of degree 2, of a linear function with the values `a`
/// and `b` at the ends, for the control matrices of the global certificate.
#[inline(always)]
fn raised<V: Reals>(a: V, b: V) -> [V; 3] {
    [a, V::splat(0.5) * (a + b), b]
}

/// A coefficient in Bernstein form of `c[0] + c[1] x + c[2] x^2`, for the control matrices of the
/// global certificate. The arguments `x` and `xx` are the coefficients in Bernstein form of the
/// coordinate and of its square.
#[inline(always)]
fn along<V: Reals>(c: [V; 3], x: V, xx: V) -> V {
    c[2].mul_add(xx, c[1].mul_add(x, c[0]))
}

/// Tests the control matrices of the global certificate for a quadrilateral of four nodes.
#[inline(always)]
fn on_bilinear<V: Reals>(foot: &Minimum<V>, part: &Part<V>, test: &mut Test<V>) {
    let jet = &foot.jet;
    let half = V::splat(0.5);
    let uv = times(jet.uv, half);
    let (low, high) = (part.corner(-1.0, -1.0), part.corner(1.0, 1.0));
    // The tangent along u depends on v only, and the other way round.
    let along_u = [
        plus(jet.u, low[1] - foot.xi[1], uv),
        plus(jet.u, high[1] - foot.xi[1], uv),
    ];
    let along_v = [
        plus(jet.v, low[0] - foot.xi[0], uv),
        plus(jet.v, high[0] - foot.xi[0], uv),
    ];
    let (uu, vv) = (squares(along_u), squares(along_v));
    test.constant.uv = test.constant.uv - dot(foot.way, jet.uv);
    // Of degree 1 in both coordinates, raised to 2: `mixed[i]` along u = low or high.
    let mixed = [
        raised(dot(along_u[0], along_v[0]), dot(along_u[1], along_v[0])),
        raised(dot(along_u[0], along_v[1]), dot(along_u[1], along_v[1])),
    ];
    for j in 0..3 {
        let row = raised(mixed[0][j], mixed[1][j]);
        for i in 0..3 {
            test.with(uu[j], row[i], vv[i]);
        }
    }
}

/// Tests the control matrices of the global certificate for a quadrilateral of eight or nine nodes.
/// The matrices `A` and `S` of the head of this file are, with `delta = (p, q)` and the Taylor
/// coefficients `u`, `v`, `uu`, ... of the jet:
///
/// ```text
/// A_u = u + uu p + uv q / 2 + 2 uuv p q / 3 + uvv q^2 / 3 + uuvv p q^2 / 2
/// A_v = v + vv q + uv p / 2 + 2 uvv p q / 3 + uuv p^2 / 3 + uuvv p^2 q / 2
/// S_uu = uu + uuv q / 3 + uuvv q^2 / 6
/// S_uv = uv / 2 + uuv p / 3 + uvv q / 3 + uuvv p q / 3
/// S_vv = vv + uvv p / 3 + uuvv p^2 / 6
/// ```
#[inline(always)]
fn on_biquadratic<V: Reals>(foot: &Minimum<V>, part: &Part<V>, test: &mut Test<V>) {
    let jet = &foot.jet;
    let (one, half, third) = (V::splat(1.0), V::splat(0.5), V::splat(1.0 / 3.0));
    let uv = times(jet.uv, half);
    let (uuv, uvv) = (times(jet.uuv, third), times(jet.uvv, third));
    let uuvv = times(jet.uuvv, half);
    let (low, high) = (part.corner(-1.0, -1.0), part.corner(1.0, 1.0));
    let (p0, p1) = (low[0] - foot.xi[0], high[0] - foot.xi[0]);
    let (q0, q1) = (low[1] - foot.xi[1], high[1] - foot.xi[1]);
    let (p, q) = (half * (p0 + p1), half * (q0 + q1));

    // B = A in the middle of the part.
    let b_u = plus(
        plus(jet.u, q, plus(uv, q, uvv)),
        p,
        plus(jet.uu, q, plus(plus(uuv, one, uuv), q, uuvv)),
    );
    let b_v = plus(
        plus(jet.v, p, plus(uv, p, uuv)),
        q,
        plus(jet.vv, p, plus(plus(uvv, one, uvv), p, uuvv)),
    );

    // The entries of B^T A + A^T B - 2 w . S by powers of p and q; those of uu and vv are
    // products with 2 B_u and 2 B_v, those of uv with B_u and B_v.
    let two = V::splat(2.0);
    let w = foot.way;
    let (c_u, c_v) = (times(b_u, two), times(b_v, two));
    let w2 = times(w, two);
    let (w_uuv, w_uvv) = (dot(w2, uuv), dot(w2, uvv));
    let w_uuvv = dot(w2, uuvv) * third;
    // 1, q, q^2; p, p q, p q^2.
    let uu = [
        dot(c_u, jet.u) - dot(w2, jet.uu),
        dot(c_u, uv) - w_uuv,
        dot(c_u, uvv) - w_uuvv,
        dot(c_u, jet.uu),
        two * dot(c_u, uuv),
        dot(c_u, uuvv),
    ];
    // 1, p, p^2; q, p q, p^2 q.
    let vv = [
        dot(c_v, jet.v) - dot(w2, jet.vv),
        dot(c_v, uv) - w_uvv,
        dot(c_v, uuv) - w_uuvv,
        dot(c_v, jet.vv),
        two * dot(c_v, uvv),
        dot(c_v, uuvv),
    ];
    // 1, q, q^2; p, p q, p q^2; p^2, p^2 q.
    let mixed = [
        dot(b_u, jet.v) + dot(b_v, jet.u) - dot(w, jet.uv),
        dot(b_u, jet.vv) + dot(b_v, uv) - w_uvv,
        dot(b_v, uvv),
        dot(b_u, uv) + dot(b_v, jet.uu) - w_uuv,
        two * (dot(b_u, uvv) + dot(b_v, uuv) - w_uuvv),
        dot(b_v, uuvv),
        dot(b_u, uuv),
        dot(b_u, uuvv),
    ];
    test.constant.uu = test.constant.uu - dot(b_u, b_u);
    test.constant.uv = test.constant.uv - dot(b_u, b_v);
    test.constant.vv = test.constant.vv - dot(b_v, b_v);

    // Control values of 1, p and p^2 on the interval are 1, the ends and their mean, and the
    // products of the ends.
    let (ps, pps) = ([p0, p, p1], [p0 * p0, p0 * p1, p1 * p1]);
    let (qs, qqs) = ([q0, q, q1], [q0 * q0, q0 * q1, q1 * q1]);
    for j in 0..3 {
        let (x, xx) = (qs[j], qqs[j]);
        let u0 = along([uu[0], uu[1], uu[2]], x, xx);
        let u1 = along([uu[3], uu[4], uu[5]], x, xx);
        let m0 = along([mixed[0], mixed[1], mixed[2]], x, xx);
        let m1 = along([mixed[3], mixed[4], mixed[5]], x, xx);
        let m2 = mixed[7].mul_add(x, mixed[6]);
        let v0 = vv[3].mul_add(x, vv[0]);
        let v1 = vv[4].mul_add(x, vv[1]);
        let v2 = vv[5].mul_add(x, vv[2]);
        for i in 0..3 {
            test.with(
                u1.mul_add(ps[i], u0),
                along([m0, m1, m2], ps[i], pps[i]),
                along([v0, v1, v2], ps[i], pps[i]),
            );
        }
    }
}
