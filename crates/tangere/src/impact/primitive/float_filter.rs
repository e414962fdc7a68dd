//! Float filter: first contact in floats with error bounds, where these suffice.
//!
//! The polynomials are those of [`super::exact`], in Bernstein form on the step. If all
//! coefficients have one sign, so has the polynomial throughout the step. Halving the step brings
//! the coefficients nearer to the values of the polynomial. Every coefficient has an error bound;
//! uncertain pairs go to exact integers. A pair without contact mostly needs only the signs of
//! coordinates or of four coefficients.
//!
//! An error bound is a number of roundings, times `ε` = 2^-53, times the sum of the magnitudes of
//! all products. In these products each coordinate of a vector is the larger of its magnitudes at
//! both ends of the step. A coefficient of a cross product has 2 roundings of differences, 1 of
//! products and 3 of sums. The cubic has in addition 1 of a difference, 1 of a product, 3 of sums
//! and 2 for the factor of a third. Each linear interpolation has 3 roundings, at the midpoint 1.
//! Products that underflow are off by less than `ε` times [`TINY`], which is added to the sums.
//! Nothing overflows: coordinates are at most [`LARGEST`].

use super::cubic_roots::rounded_root;
use crate::geometry::vector::minus;

/// Result of the float filter for a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// The primitives do not touch.
    Free,
    /// The primitives certainly touch, for the first time between these two times.
    Contact(f64, f64),
    /// Floats cannot decide the pair.
    Unclear,
}

const ROUNDOFF: f64 = f64::EPSILON / 2.0;
const TINY: f64 = 1e-290;
/// The largest coordinate that the float filter accepts, 2^300: products of three coordinates stay
/// far from overflow.
pub(super) const LARGEST: f64 = f64::from_bits((1023 + 300) << 52);
/// How often the float filter halves the step, at most, to isolate the roots of a cubic.
const DEPTH: u32 = 8;
/// The largest width of the bracket (lower and upper bound) of a contact time from the float
/// filter, relative to the lower bound.
const WIDTH: f64 = 1e-12;

/// A vector that is linear in time, at both ends of the step.
#[derive(Clone, Copy)]
struct Ends {
    start: [f64; 3],
    end: [f64; 3],
    /// For each coordinate of the vector, the larger of its magnitudes at both ends of the step.
    size: [f64; 3],
}

impl Ends {
    /// The vector from corner `from` to corner `to` at both ends of the step, with the magnitudes
    /// that the error bounds of the float filter need.
    #[inline(always)]
    fn between<const K: usize>(
        start: &[[f64; 3]; K],
        end: &[[f64; 3]; K],
        to: usize,
        from: usize,
    ) -> Self {
        let (start, end) = (minus(start[to], start[from]), minus(end[to], end[from]));
        let size = [0, 1, 2].map(|k| {
            let (a, b) = (start[k].abs(), end[k].abs());
            if a > b { a } else { b }
        });
        Ends { start, end, size }
    }
}

/// The cross product of two vectors that are linear in time: its Bernstein coefficients `b`, and
/// for each coordinate the sum `size` of the magnitudes of its terms.
#[derive(Clone, Copy)]
struct Cross {
    b: [[f64; 3]; 3],
    size: [f64; 3],
}

impl Cross {
    /// The cross product of two vectors that are linear in time, in Bernstein form, with the sums
    /// of magnitudes that the error bounds of the float filter need.
    #[inline(always)]
    fn new(u: &Ends, v: &Ends) -> Self {
        let minor = |a: &[f64; 3], b: &[f64; 3], k: usize| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            a[i] * b[j] - a[j] * b[i]
        };
        let axes = [0, 1, 2];
        let middle = |k| 0.5 * (minor(&u.start, &v.end, k) + minor(&u.end, &v.start, k));
        Cross {
            b: [
                axes.map(|k| minor(&u.start, &v.start, k)),
                axes.map(middle),
                axes.map(|k| minor(&u.end, &v.end, k)),
            ],
            size: axes.map(|k| {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                u.size[i] * v.size[j] + u.size[j] * v.size[i] + TINY
            }),
        }
    }

    /// The signs of the coordinates of a cross product throughout an interval of time, 0 where the
    /// float filter is not certain.
    #[inline(always)]
    fn signs(&self, low: f64, high: f64) -> [i8; 3] {
        let [p, q, r] = &self.b;
        let mix = |a: f64, b: f64, t: f64| (1.0 - t) * a + t * b;
        [0, 1, 2].map(|k| {
            let (a, b) = (mix(p[k], q[k], low), mix(q[k], r[k], low));
            let (c, d) = (mix(p[k], q[k], high), mix(q[k], r[k], high));
            let values = [mix(a, b, low), mix(a, b, high), mix(c, d, high)];
            one_sign(values, 16.0 * ROUNDOFF * self.size[k])
        })
    }

    /// The signs of the coordinates of a cross product throughout the step, 0 where the float
    /// filter is not certain.
    #[inline(always)]
    fn signs_in_step(&self) -> [i8; 3] {
        let [p, q, r] = &self.b;
        [0, 1, 2].map(|k| one_sign([p[k], q[k], r[k]], 16.0 * ROUNDOFF * self.size[k]))
    }
}

/// The common sign, -1 or 1, of floats with errors of at most `doubt`; 0 if signs differ or the
/// float filter is not certain.
#[inline(always)]
fn one_sign<const M: usize>(values: [f64; M], doubt: f64) -> i8 {
    let is_positive = values.iter().fold(true, |all, &x| all & (x > doubt));
    let is_negative = values.iter().fold(true, |all, &x| all & (x < -doubt));
    i8::from(is_positive) - i8::from(is_negative)
}

/// The determinant of three vectors that are linear in time: the Bernstein coefficients `b` of a
/// cubic, and the bound `doubt` of their errors.
#[derive(Clone, Copy)]
struct Cubic {
    b: [f64; 4],
    doubt: f64,
}

impl Cubic {
    /// The determinant of the vector `u` and the two vectors whose cross product is `x`, with the
    /// error bound of the float filter.
    #[inline(always)]
    fn new(u: &Ends, x: &Cross) -> Self {
        let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let third = 1.0 / 3.0;
        Cubic {
            b: [
                dot(&u.start, &x.b[0]),
                (dot(&u.end, &x.b[0]) + 2.0 * dot(&u.start, &x.b[1])) * third,
                (dot(&u.start, &x.b[2]) + 2.0 * dot(&u.end, &x.b[1])) * third,
                dot(&u.end, &x.b[2]),
            ],
            // 13 roundings; 16 because this sum itself is rounded.
            doubt: 16.0 * ROUNDOFF * (dot(&u.size, &x.size) + TINY),
        }
    }

    /// The sign of the cubic at time `t`; 0 if the float filter is not certain. The evaluation has
    /// 9 roundings and the coefficients have 13; the error bound allows for 24.
    #[inline(always)]
    fn sign_at(&self, t: f64) -> i8 {
        let mix = |a: f64, b: f64| (1.0 - t) * a + t * b;
        let [p, q, r, s] = self.b;
        let (a, b, c) = (mix(p, q), mix(q, r), mix(r, s));
        one_sign([mix(mix(a, b), mix(b, c))], 1.5 * self.doubt)
    }
}

/// Whether a coplanar pair of primitives is apart, or touches, throughout an interval of time.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    Apart,
    Together,
    Unclear,
}

/// Contact test of a coplanar pair of primitives. Signs of cross products give on which side of the
/// lines of the edges each corner lies.
trait Sides {
    /// The relative position of a coplanar pair of primitives throughout an interval of time;
    /// `None` is the entire step. The result is [`Position::Unclear`] if the float filter is not
    /// certain.
    fn position(&self, interval: Option<(f64, f64)>) -> Position;
}

/// The sides of a vertex and a face: for each edge of the face, twice the area vector of the
/// triangle of that edge and the vertex.
struct FaceSides([Cross; 3]);

impl Sides for FaceSides {
    /// The relative position of a vertex and a face in one plane, as far as the float filter is
    /// certain.
    #[inline(always)]
    fn position(&self, interval: Option<(f64, f64)>) -> Position {
        let [x, y, z] = self.0.each_ref().map(|side| match interval {
            Some((low, high)) => side.signs(low, high),
            None => side.signs_in_step(),
        });
        let mut position = Position::Unclear;
        for k in 0..3 {
            let (least, most) = (x[k].min(y[k]).min(z[k]), x[k].max(y[k]).max(z[k]));
            if least < 0 && most > 0 {
                return Position::Apart;
            }
            if least == most && most != 0 {
                position = Position::Together;
            }
        }
        position
    }
}

/// The sides of two edges, from `a` to `b` and from `c` to `d`: for each of the ends `c`, `d`, `a`,
/// `b`, the cross product whose signs give on which side of the line of the other edge this end
/// lies.
struct EdgeSides([Cross; 4]);

impl Sides for EdgeSides {
    /// The relative position of two edges in one plane, as far as the float filter is certain.
    #[inline(always)]
    fn position(&self, interval: Option<(f64, f64)>) -> Position {
        let [c, d, a, b] = self.0.each_ref().map(|side| match interval {
            Some((low, high)) => side.signs(low, high),
            None => side.signs_in_step(),
        });
        let mut position = Position::Unclear;
        for k in 0..3 {
            if c[k] * d[k] > 0 || a[k] * b[k] > 0 {
                return Position::Apart;
            }
            if c[k] * d[k] < 0 && a[k] * b[k] < 0 {
                position = Position::Together;
            }
        }
        position
    }
}

/// First stage of the float filter: whether two groups of corners are separated along one
/// coordinate at both ends of the step, and hence throughout the step. Comparisons do not round.
#[inline(always)]
fn are_apart<const K: usize>(
    start: &[[f64; 3]; K],
    end: &[[f64; 3]; K],
    is_of_first: impl Fn(usize) -> bool,
) -> bool {
    let mut apart = false;
    for k in 0..3 {
        let (mut above, mut below) = (true, true);
        for points in [start, end] {
            let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
            for (i, p) in points.iter().enumerate() {
                let group = usize::from(is_of_first(i));
                low[group] = if p[k] < low[group] { p[k] } else { low[group] };
                high[group] = if p[k] > high[group] {
                    p[k]
                } else {
                    high[group]
                };
            }
            above &= low[0] > high[1];
            below &= high[0] < low[1];
        }
        apart |= above | below;
    }
    apart
}

/// First contact of a vertex and a face by the float filter.
#[inline]
pub(super) fn vertex_face(start: &[[f64; 3]; 4], end: &[[f64; 3]; 4]) -> Verdict {
    if are_apart(start, end, |i| i == 0) {
        return Verdict::Free;
    }
    let [u, v, w] = [1, 2, 3].map(|i| Ends::between(start, end, i, 0));
    let x = Cross::new(&v, &w);
    let f = Cubic::new(&u, &x);
    if one_sign(f.b, f.doubt) != 0 {
        return Verdict::Free;
    }
    let sides = FaceSides([x, Cross::new(&w, &u), Cross::new(&u, &v)]);
    verdict(&f, &sides)
}

/// First contact of two edges by the float filter.
#[inline]
pub(super) fn edge_edge(start: &[[f64; 3]; 4], end: &[[f64; 3]; 4]) -> Verdict {
    if are_apart(start, end, |i| i < 2) {
        return Verdict::Free;
    }
    let [ab, ac, ad] = [1, 2, 3].map(|i| Ends::between(start, end, i, 0));
    let c = Cross::new(&ab, &ac);
    let f = Cubic::new(&ad, &c);
    if one_sign(f.b, f.doubt) != 0 {
        return Verdict::Free;
    }
    let cd = Ends::between(start, end, 3, 2);
    let cb = Ends::between(start, end, 1, 2);
    let sides = EdgeSides([
        c,
        Cross::new(&ab, &ad),
        Cross::new(&ac, &cd),
        Cross::new(&cd, &cb),
    ]);
    verdict(&f, &sides)
}

/// The verdict of the float filter on a pair of primitives: whether and when they touch. Contact is
/// at the first root of the cubic at which they do.
fn verdict(f: &Cubic, sides: &impl Sides) -> Verdict {
    if sides.position(None) == Position::Apart {
        return Verdict::Free;
    }
    let mut stack = [(0.0, 1.0, f.b); DEPTH as usize + 2];
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let (low, high, b) = stack[height];
        // Halving has three roundings, at most two on each level.
        let width: f64 = high - low;
        let depth = 1023 - (width.to_bits() >> 52) as u32;
        let doubt = f.doubt * (1.0 + 0.25 * f64::from(depth));
        let signs = b.map(|x| one_sign([x], doubt));
        if signs[0] != 0 && signs == [signs[0]; 4] {
            continue;
        }
        if has_one_root(&b, signs, doubt) {
            let bracket = bracket(f, low, high, &b);
            match sides.position(Some(bracket)) {
                Position::Apart => continue,
                Position::Together if bracket.1 - bracket.0 <= WIDTH * bracket.0 => {
                    return Verdict::Contact(bracket.0, bracket.1);
                }
                _ => return Verdict::Unclear,
            }
        }
        if depth > 0 && sides.position(Some((low, high))) == Position::Apart {
            continue;
        }
        if depth == DEPTH {
            return Verdict::Unclear;
        }
        let [p, q, r, s] = b;
        let (c, d, e) = (0.5 * (p + q), 0.5 * (q + r), 0.5 * (r + s));
        let (g, h) = (0.5 * (c + d), 0.5 * (d + e));
        let (middle, value) = (0.5 * (low + high), 0.5 * (g + h));
        stack[height] = (middle, high, [value, h, e, s]);
        stack[height + 1] = (low, middle, [p, c, g, value]);
        height += 2;
    }
    Verdict::Free
}

/// Whether the float filter is certain that the cubic has exactly one root in an interval. The
/// signs at both ends must differ, and either the Bernstein coefficients `b` change sign once, or
/// the cubic is monotone.
#[inline(always)]
fn has_one_root(b: &[f64; 4], signs: [i8; 4], doubt: f64) -> bool {
    if signs[0] * signs[3] >= 0 {
        return false;
    }
    let [s0, s1, s2, s3] = signs;
    // Of the signs +, ?, ?, - there is one change unless the middle two are - and +.
    let once = s1 == s0 || s2 == s3;
    once || one_sign([b[1] - b[0], b[2] - b[1], b[3] - b[2]], 2.5 * doubt) != 0
}

/// The bracket (lower and upper bound), by the float filter, of the only root of the cubic between
/// `low` and `high`. `b` are the Bernstein coefficients of the cubic on this interval.
#[inline]
fn bracket(f: &Cubic, low: f64, high: f64, b: &[f64; 4]) -> (f64, f64) {
    let is_falling = b[0] > 0.0;
    let (s, slope) = rounded_root(b, is_falling);
    let t = low + s * (high - low);
    // The distance from the root from which on signs are certain, and a little more.
    let mut reach = 1.75 * f.doubt / slope.abs() * (high - low) + 4.0 * ROUNDOFF * t;
    let before = if is_falling { 1 } else { -1 };
    for _ in 0..3 {
        let (from, to) = (t - reach, t + reach);
        let is_before = from <= low || f.sign_at(from) == before;
        let is_after = to >= high || f.sign_at(to) == -before;
        if is_before && is_after {
            return (from.max(low), to.min(high));
        }
        reach *= 8.0;
    }
    (low, high)
}

/// First contact of an edge and a vertex by the float filter. They touch only when the cross
/// product of the ends of the edge relative to the vertex is 0 in all coordinates. The filter can
/// exclude that, but never proves a contact.
#[inline]
pub(super) fn edge_vertex(start: &[[f64; 3]; 3], end: &[[f64; 3]; 3]) -> Verdict {
    if are_apart(start, end, |i| i < 2) {
        return Verdict::Free;
    }
    let [u, v] = [0, 1].map(|i| Ends::between(start, end, i, 2));
    let x = Cross::new(&u, &v);
    if x.signs_in_step() != [0; 3] {
        return Verdict::Free;
    }
    let mut stack = [(0.0, 1.0); 2 * DEPTH as usize + 2];
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let (low, high) = stack[height];
        if x.signs(low, high) != [0; 3] {
            continue;
        }
        if high - low < 1.0 / f64::from(1u32 << (2 * DEPTH - 1)) {
            return Verdict::Unclear;
        }
        let middle = 0.5 * (low + high);
        stack[height] = (middle, high);
        stack[height + 1] = (low, middle);
        height += 2;
    }
    Verdict::Free
}

/// First contact of two vertices by the float filter. When they meet in one coordinate they must
/// meet in the others too; the filter can exclude that, but never proves a contact.
#[inline]
pub(super) fn vertex_vertex(start: &[[f64; 3]; 2], end: &[[f64; 3]; 2]) -> Verdict {
    if are_apart(start, end, |i| i == 0) {
        return Verdict::Free;
    }
    let u = Ends::between(start, end, 1, 0);
    let widest = [0, 1, 2]
        .into_iter()
        .filter(|&k| u.start[k] * u.end[k] < 0.0)
        .max_by(|&i, &j| u.size[i].total_cmp(&u.size[j]));
    let Some(k) = widest else {
        return Verdict::Unclear;
    };
    // Signs differ, so nothing cancels: four roundings, of differences, sum and quotient.
    let t = u.start[k] / (u.start[k] - u.end[k]);
    let are_elsewhere = |j: usize| {
        let value = (1.0 - t) * u.start[j] + t * u.end[j];
        // The error of t times the change of u, and 4 roundings here.
        value.abs() > 16.0 * ROUNDOFF * 2.0 * u.size[j] + TINY
    };
    match (0..3).any(|j| j != k && are_elsewhere(j)) {
        true => Verdict::Free,
        false => Verdict::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pair, exact};
    use super::*;
    use test_support::Random;

    /// The number of pairs that the float filter decides; every decision must be correct.
    fn decided<const K: usize>(
        pair: Pair,
        mut coordinate: impl FnMut() -> f64,
        filter: impl Fn(&[[f64; 3]; K], &[[f64; 3]; K]) -> Verdict,
    ) -> usize {
        let mut count = 0;
        for _ in 0..10_000 {
            let mut points = || [(); K].map(|()| [(); 3].map(|()| coordinate()));
            let (start, end) = (points(), points());
            let verdict = filter(&start, &end);
            let truth = exact::first_contact(pair, &start, &end);
            count += usize::from(verdict != Verdict::Unclear);
            match verdict {
                Verdict::Free => assert!(!truth.is_contact(), "{start:?} {end:?}"),
                Verdict::Contact(early, late) => {
                    assert!(truth.is_contact(), "{start:?} {end:?}");
                    assert!(early <= truth.late && truth.early <= late);
                }
                Verdict::Unclear => {}
            }
        }
        count
    }

    #[test]
    fn floats_are_never_wrong_and_mostly_decide() {
        let mut numbers = Random::new(1);
        let mut random = || numbers.unit();
        let count = decided(Pair::VertexFace, &mut random, vertex_face);
        assert!(count > 9900, "{count}");
        let count = decided(Pair::EdgeEdge, &mut random, edge_edge);
        assert!(count > 9900, "{count}");
        let count = decided(Pair::EdgeVertex, &mut random, edge_vertex);
        assert!(count > 9900, "{count}");
        let count = decided(Pair::VertexVertex, &mut random, vertex_vertex);
        assert!(count > 9900, "{count}");
        let mut lattice = || numbers.below(5) as f64;
        let count = decided(Pair::VertexFace, &mut lattice, vertex_face);
        assert!(count > 4000, "{count}");
        let count = decided(Pair::EdgeEdge, &mut lattice, edge_edge);
        assert!(count > 4000, "{count}");
        let count = decided(Pair::EdgeVertex, &mut lattice, edge_vertex);
        assert!(count > 4000, "{count}");
        let count = decided(Pair::VertexVertex, &mut lattice, vertex_vertex);
        assert!(count > 4000, "{count}");
        let mut tiny = || numbers.below(9) as f64 * 1e-105 - 4e-105;
        decided(Pair::VertexFace, &mut tiny, vertex_face);
        decided(Pair::EdgeEdge, &mut tiny, edge_edge);
    }
}
