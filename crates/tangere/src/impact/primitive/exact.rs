//! Exact vertex-face and edge-edge tests in integers: certain for any input.
//!
//! Coordinates are multiples of a power of two. Differences of corners are linear in time, so all
//! conditions are polynomials with integer coefficients. Four corners can touch only when they are
//! coplanar, at the roots of a cubic. There, the side of a line on which a corner lies is the sign
//! of a cross product. All these cross products are parallel to the normal of the plane, so any
//! coordinate in which one of them is not 0 gives the signs of all: quadratics at a root of a cubic
//! ([`super::algebraic_time`]). If all are 0 the corners are collinear. Then the signs of dot
//! products, which are quadratics again, decide which corner is between which.
//!
//! If the cubic vanishes identically, the corners stay coplanar (in a plane that may rotate), and
//! contact depends on the signs of the same quadratics alone. The times of contact are a closed set
//! that begins at time 0 or where one of these signs changes, so the roots of all quadratics are
//! tried.
//!
//! Differences of `B` bits make quadratics of `2B + 5` bits, a cubic of `3B + 8`, remainders of
//! `7B + 20`, and the cubic at a fraction of these `24B + 70`, the longest number of all. Cost: 2
//! to 10 µs where `B <= 64`, up to ten times that if corners stay coplanar. Where `B` is in the
//! hundreds it is tens of milliseconds, since roots may be so close that isolating them takes as
//! many halvings.

use super::algebraic_time::{AlgebraicTime, Polynomial};
use super::cubic_roots::roots;
use super::{FirstContact, Pair};
use crate::geometry::Sign;
use crate::impact::integer::{Integer, Limbs, Overlong, parts};

/// A vector that is linear in time: its value at time 0, and its change from time 0 to time 1.
struct Linear<L: Limbs> {
    start: [Integer<L>; 3],
    growth: [Integer<L>; 3],
}

type Quadratic<L> = [Integer<L>; 3];

/// The largest number of bits that a difference of coordinates may have if exact tests are to need
/// no more than this many limbs (of 64 bits).
const fn most_bits(limbs: u32) -> u32 {
    (64 * limbs - 110) / 24
}

/// The exact first contact of a pair of primitives, computed in integers. `start` and `end` are the
/// positions of its corners at times 0 and 1, which must be finite.
pub(super) fn first_contact<const K: usize>(
    pair: Pair,
    start: &[[f64; 3]; K],
    end: &[[f64; 3]; K],
) -> FirstContact {
    let (mut lowest, mut highest) = (i32::MAX, i32::MIN);
    for &x in start.iter().chain(end).flatten() {
        let (mantissa, exponent) = parts(x);
        if mantissa != 0 {
            lowest = lowest.min(exponent);
            let bits = 64 - mantissa.unsigned_abs().leading_zeros();
            highest = highest.max(exponent + bits as i32);
        }
    }
    if lowest > highest {
        (lowest, highest) = (0, 0);
    }
    // A difference may have one bit more than coordinates.
    let bits = (highest - lowest) as u32 + 1;
    let short = match bits {
        _ if bits <= most_bits(26) => decided::<[u64; 26], K>(pair, start, end, lowest),
        _ if bits <= most_bits(64) => decided::<[u64; 64], K>(pair, start, end, lowest),
        _ => Err(Overlong),
    };
    short
        .or_else(|Overlong| decided::<Vec<u64>, K>(pair, start, end, lowest))
        .unwrap_or(FirstContact::UNKNOWN)
}

/// The exact first contact of a pair of primitives, with integers stored in `L`. All coordinates
/// are multiples of `2^lowest`.
#[inline(never)]
fn decided<L: Limbs, const K: usize>(
    pair: Pair,
    start: &[[f64; 3]; K],
    end: &[[f64; 3]; K],
    lowest: i32,
) -> Result<FirstContact, Overlong> {
    let whole = |x: f64| match parts(x) {
        (0, _) => Integer::<L>::ZERO,
        (mantissa, exponent) => Integer::of(i128::from(mantissa), (exponent - lowest) as u32),
    };
    let difference = |to: usize, from: usize| {
        let at = |points: &[[f64; 3]; K]| {
            [0, 1, 2].map(|k| match points[to][k] == points[from][k] {
                true => Integer::ZERO,
                false => whole(points[to][k]).minus(&whole(points[from][k])),
            })
        };
        let (start, end) = (at(start), at(end));
        let growth = [0, 1, 2].map(|k| end[k].minus(&start[k]));
        Linear { start, growth }
    };
    match pair {
        Pair::VertexFace => {
            let [u, v, w] = [1, 2, 3].map(|i| difference(i, 0));
            VertexFace { u, v, w }.first()
        }
        Pair::EdgeEdge => EdgeEdge {
            ab: difference(1, 0),
            ac: difference(2, 0),
            ad: difference(3, 0),
            cd: difference(3, 2),
            cb: difference(1, 2),
            bd: difference(3, 1),
        }
        .first(),
        Pair::EdgeVertex => {
            let [u, v] = [0, 1].map(|i| difference(i, 2));
            EdgeVertex { u, v }.first()
        }
        Pair::VertexVertex => VertexVertex {
            u: difference(1, 0),
        }
        .first(),
    }
}

/// Coordinate `k` of the exact cross product of two vectors that are linear in time, a quadratic.
fn cross<L: Limbs>(u: &Linear<L>, v: &Linear<L>, k: usize) -> Quadratic<L> {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let minor =
        |a: &[Integer<L>; 3], b: &[Integer<L>; 3]| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [
        minor(&u.start, &v.start),
        minor(&u.start, &v.growth).plus(&minor(&u.growth, &v.start)),
        minor(&u.growth, &v.growth),
    ]
}

/// The exact dot product of two vectors that are linear in time, a quadratic.
fn dot<L: Limbs>(u: &Linear<L>, v: &Linear<L>) -> Quadratic<L> {
    let sum = |a: &[Integer<L>; 3], b: &[Integer<L>; 3]| {
        let [x, y, z] = [0, 1, 2].map(|k| a[k].times(&b[k]));
        x.plus(&y).plus(&z)
    };
    [
        sum(&u.start, &v.start),
        sum(&u.start, &v.growth).plus(&sum(&u.growth, &v.start)),
        sum(&u.growth, &v.growth),
    ]
}

/// The exact determinant of three vectors that are linear in time, a cubic.
fn determinant<L: Limbs>(u: &Linear<L>, v: &Linear<L>, w: &Linear<L>) -> Polynomial<L> {
    let mut f = [Integer::ZERO; 4];
    for k in 0..3 {
        let x = cross(v, w, k);
        for (i, c) in x.iter().enumerate() {
            f[i] = f[i].plus(&c.times(&u.start[k]));
            f[i + 1] = f[i + 1].plus(&c.times(&u.growth[k]));
        }
    }
    f
}

/// Extends a quadratic of an exact test to a cubic, whose leading coefficient is 0.
fn cubic<L: Limbs>([a, b, c]: Quadratic<L>) -> Polynomial<L> {
    [a, b, c, Integer::ZERO]
}

/// Whether a polynomial of an exact test vanishes identically.
fn is_null<L: Limbs>(f: &Polynomial<L>) -> bool {
    f.iter().all(Integer::is_zero)
}

/// Contact conditions of a kind of pair of primitives, as exact signs of polynomials in time.
trait Touching<L: Limbs> {
    /// Whether the primitives exactly touch at a time. That time must be a root of
    /// [`Touching::necessary`], unless this polynomial vanishes identically.
    fn touches(&self, at: &AlgebraicTime<L>) -> bool;

    /// A polynomial with exact coefficients that is 0 whenever the primitives touch; `None` if it
    /// vanishes identically.
    fn necessary(&self) -> Option<Polynomial<L>>;

    /// Visits the polynomials whose exact signs decide contact if [`Touching::necessary`] vanishes
    /// identically.
    fn deciding(&self, visit: impl FnMut(Quadratic<L>));

    /// Whether the primitives exactly touch at time 0.
    fn touches_at_start(&self, necessary: Option<&Polynomial<L>>) -> bool {
        necessary.is_none_or(|f| f[0].is_zero()) && self.touches(&AlgebraicTime::Zero)
    }

    /// The exact first contact of the pair: time 0, or the first root of its polynomials at which
    /// the primitives touch.
    fn first(&self) -> Result<FirstContact, Overlong> {
        let necessary = self.necessary();
        if self.touches_at_start(necessary.as_ref()) {
            return Ok(FirstContact::at(0.0, 0.0));
        }
        let (mut early, mut late) = (f64::INFINITY, f64::INFINITY);
        let mut test = |moment: &AlgebraicTime<L>| {
            // Another polynomial may have given an earlier contact.
            if late < f64::INFINITY && moment.bracket().0 > late {
                return true;
            }
            let touches = self.touches(moment);
            if touches {
                let bracket = moment.bracket();
                early = early.min(bracket.0);
                late = late.min(bracket.1);
            }
            touches
        };
        match necessary {
            Some(f) => roots(&f, test)?,
            None => {
                let mut fits = Ok(());
                self.deciding(|g| {
                    if fits.is_ok() {
                        fits = roots(&cubic(g), &mut test);
                    }
                });
                fits?;
            }
        }
        Ok(match late == f64::INFINITY {
            true => FirstContact::FREE,
            false => FirstContact::at(early, late),
        })
    }
}

/// A vertex and a face: the corners of the face relative to the vertex.
struct VertexFace<L: Limbs> {
    u: Linear<L>,
    v: Linear<L>,
    w: Linear<L>,
}

impl<L: Limbs> VertexFace<L> {
    /// Coordinate `k` of exact cross products, one for each two corners of the face, relative to
    /// the vertex. It is twice the signed area of the triangle of the vertex and these two corners,
    /// projected along axis `k`.
    fn sides(&self, k: usize) -> [Quadratic<L>; 3] {
        let Self { u, v, w } = self;
        [(v, w), (w, u), (u, v)].map(|(p, q)| cross(p, q, k))
    }
}

impl<L: Limbs> Touching<L> for VertexFace<L> {
    /// Whether the vertex exactly touches the face at a time.
    ///
    /// Let `u`, `v`, `w` be the corners of the face relative to the vertex. Coplanar: the signed
    /// areas `x`, `y`, `z` of the triangles of the vertex with `v` and `w`, `w` and `u`, `u` and
    /// `v` are the barycentric weights of the vertex, `x u + y v + z w = 0`. The vertex is inside
    /// if no two of them have opposite signs. Collinear: the vertex touches if it is between two
    /// corners.
    fn touches(&self, at: &AlgebraicTime<L>) -> bool {
        for k in 0..3 {
            let [x, y, z] = self.sides(k).map(|g| at.sign_of(&g));
            if !(x.is_zero() && y.is_zero() && z.is_zero()) {
                let signs = [x, y, z];
                return !(signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative));
            }
        }
        let Self { u, v, w } = self;
        let between = |p, q| at.sign_of(&dot(p, q)) != Sign::Positive;
        between(u, v) || between(v, w) || between(w, u)
    }

    /// The exact cubic that is 0 whenever the vertex is in the plane of the face.
    fn necessary(&self) -> Option<Polynomial<L>> {
        let f = determinant(&self.u, &self.v, &self.w);
        (!is_null(&f)).then_some(f)
    }

    /// Visits the exact quadratics whose signs decide whether a vertex touches a face in its plane.
    fn deciding(&self, mut visit: impl FnMut(Quadratic<L>)) {
        for k in 0..3 {
            self.sides(k).into_iter().for_each(&mut visit);
        }
        let Self { u, v, w } = self;
        for (p, q) in [(u, v), (v, w), (w, u)] {
            visit(dot(p, q));
        }
    }
}

/// Two edges, from `a` to `b` and from `c` to `d`: the vectors between their ends, linear in time.
struct EdgeEdge<L: Limbs> {
    ab: Linear<L>,
    ac: Linear<L>,
    ad: Linear<L>,
    cd: Linear<L>,
    cb: Linear<L>,
    bd: Linear<L>,
}

impl<L: Limbs> EdgeEdge<L> {
    /// Exact quadratics whose signs say on which side of the line of the other edge each end lies:
    /// coordinate `k` of cross products. First those of `c` and `d` beside `ab`, then those of `a`
    /// and `b` beside `cd`.
    fn sides(&self, k: usize) -> [Quadratic<L>; 4] {
        let Self {
            ab, ac, ad, cd, cb, ..
        } = self;
        // (d - c) x (a - c) = (c - a) x (d - c).
        [(ab, ac), (ab, ad), (ac, cd), (cd, cb)].map(|(p, q)| cross(p, q, k))
    }

    /// For each of the ends `c`, `d`, `a`, `b` of two collinear edges, an exact quadratic and a
    /// flag. If the flag is `false`, the quadratic is 0 or negative where this end is between the
    /// ends of the other edge. If the flag is `true`, it is 0 or positive there.
    fn betweens(&self) -> [(Quadratic<L>, bool); 4] {
        let Self { ac, ad, cb, bd, .. } = self;
        [
            (dot(ac, cb), true),
            (dot(ad, bd), false),
            (dot(ac, ad), false),
            (dot(cb, bd), true),
        ]
    }
}

impl<L: Limbs> Touching<L> for EdgeEdge<L> {
    /// Whether the edges exactly touch at a time.
    ///
    /// Coplanar: neither edge lies entirely on one side of the line of the other. Collinear: an end
    /// of one edge is between the ends of the other.
    fn touches(&self, at: &AlgebraicTime<L>) -> bool {
        for k in 0..3 {
            let [c, d, a, b] = self.sides(k).map(|g| at.sign_of(&g));
            if !(c.is_zero() && d.is_zero() && a.is_zero() && b.is_zero()) {
                let apart = |p: Sign, q: Sign| !p.is_zero() && p == q;
                return !apart(c, d) && !apart(a, b);
            }
        }
        self.betweens().iter().any(|(g, is_turned)| {
            let sign = at.sign_of(g);
            sign != if *is_turned {
                Sign::Negative
            } else {
                Sign::Positive
            }
        })
    }

    /// The exact cubic that is 0 whenever both edges are in one plane.
    fn necessary(&self) -> Option<Polynomial<L>> {
        let f = determinant(&self.ab, &self.ac, &self.ad);
        (!is_null(&f)).then_some(f)
    }

    /// Visits the exact quadratics whose signs decide whether two edges in one plane touch.
    fn deciding(&self, mut visit: impl FnMut(Quadratic<L>)) {
        for k in 0..3 {
            self.sides(k).into_iter().for_each(&mut visit);
        }
        for (g, _) in self.betweens() {
            visit(g);
        }
    }
}

/// An edge and a vertex: the positions of the ends of the edge relative to the vertex, linear in
/// time.
struct EdgeVertex<L: Limbs> {
    u: Linear<L>,
    v: Linear<L>,
}

impl<L: Limbs> Touching<L> for EdgeVertex<L> {
    /// Whether the vertex exactly touches the edge at a time: they are collinear, and the vertex is
    /// between the ends.
    fn touches(&self, at: &AlgebraicTime<L>) -> bool {
        (0..3).all(|k| at.sign_of(&cross(&self.u, &self.v, k)).is_zero())
            && at.sign_of(&dot(&self.u, &self.v)) != Sign::Positive
    }

    /// An exact quadratic that is 0 whenever the vertex is on the line of the edge.
    fn necessary(&self) -> Option<Polynomial<L>> {
        let mut sides = (0..3).map(|k| cubic(cross(&self.u, &self.v, k)));
        sides.find(|f| !is_null(f))
    }

    /// Visits the exact quadratic whose sign decides whether a vertex on the line of an edge
    /// touches it.
    fn deciding(&self, mut visit: impl FnMut(Quadratic<L>)) {
        visit(dot(&self.u, &self.v));
    }
}

/// Two vertices: the position of the second relative to the first, linear in time.
struct VertexVertex<L: Limbs> {
    u: Linear<L>,
}

impl<L: Limbs> VertexVertex<L> {
    /// Coordinate `k` of the exact difference of two vertices, linear in time.
    fn coordinate(&self, k: usize) -> Quadratic<L> {
        [
            self.u.start[k].clone(),
            self.u.growth[k].clone(),
            Integer::ZERO,
        ]
    }
}

impl<L: Limbs> Touching<L> for VertexVertex<L> {
    /// Whether the two vertices exactly coincide at a time.
    fn touches(&self, at: &AlgebraicTime<L>) -> bool {
        (0..3).all(|k| at.sign_of(&self.coordinate(k)).is_zero())
    }

    /// An exact polynomial that is 0 whenever two vertices coincide: a coordinate of their
    /// difference.
    fn necessary(&self) -> Option<Polynomial<L>> {
        let mut coordinates = (0..3).map(|k| cubic(self.coordinate(k)));
        coordinates.find(|f| !is_null(f))
    }

    /// Visits nothing: two vertices whose exact difference vanishes always coincide.
    fn deciding(&self, _: impl FnMut(Quadratic<L>)) {}
}
