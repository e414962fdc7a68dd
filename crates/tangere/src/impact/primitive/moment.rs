//! Moments at which a polynomial is 0, and the signs of others there, exactly.
//!
//! A moment between 0 and 1 is a fraction, or a simple root of a cubic, alone in an interval
//! whose ends are multiples of a power of two. The sign of a quadratic g at a root τ of a cubic f
//! needs no more than divisions with remainder and values of f: with lc² f = q g + r, where lc is the
//! leading coefficient of g and q and r are linear, 0 = q(τ) g(τ) + r(τ), so that the sign of g
//! follows from those of q and r; and a linear p is at τ what τ is to the zero ρ of p, which f(ρ)
//! tells, since f changes its sign at τ and nowhere else in the interval. Where q(τ) = 0, τ is a
//! fraction. A float bounds g first, and decides unless g(τ) is 0 or nearly so.
//!
//! Roots are parted by halving (Vincent's theorem in Bernstein's form: no change of sign among the
//! coefficients means no root, one change means one root), which ends because roots are simple:
//! a cubic with a double root has fractions for roots, which are written down.

use super::filter::rounded_root;
use super::integer::{Integer, Limbs, parts, power_of_two};
use crate::geometry::Sign;

/// A polynomial, the constant first; shorter ones end in zeros.
pub(super) type Polynomial<L: Limbs> = [Integer<L>; 4];

/// Moments before this one are not told apart from 0 in brackets: 2^-100. Floats nearer to 0
/// have exponents that would make values at them long.
pub(super) const SHORTEST: f64 = f64::from_bits((1023 - 100) << 52);

/// The width of a bracket relative to its moment, 2^-43 (1.1e-13).
const WIDTH: f64 = f64::from_bits((1023 - 43) << 52);

/// More bits than there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overlong;

/// A moment from 0 to 1.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "few exist, and none is kept")]
pub(super) enum Moment<L: Limbs> {
    /// The beginning.
    Zero,
    /// The end.
    One,
    /// A fraction; the denominator is positive.
    Fraction(Integer<L>, Integer<L>),
    /// A root.
    Root(Root<L>),
}

/// A root of a cubic, alone in an open interval.
#[derive(Clone, Debug)]
pub(super) struct Root<L: Limbs> {
    f: Polynomial<L>,
    degree: usize,
    /// The interval begins at `place / 2^depth` and has the width `1 / 2^depth`.
    place: Integer<L>,
    depth: u32,
    /// The sign of `f` in the interval before the root.
    before: Sign,
    /// Floats below and above the root.
    bracket: (f64, f64),
}

/// The index of the last coefficient that is not 0; none for the polynomial 0.
fn degree<L: Limbs>(f: &[Integer<L>]) -> Option<usize> {
    f.iter().rposition(|c| !c.is_zero())
}

/// The sign of a polynomial of this degree at `n / d`, `d > 0`.
fn sign_at_fraction<L: Limbs>(
    f: &[Integer<L>],
    degree: usize,
    n: &Integer<L>,
    d: &Integer<L>,
) -> Sign {
    // Horner's rule for d^degree f(n / d).
    let (mut value, mut power) = (f[degree].clone(), d.clone());
    for i in (0..degree).rev() {
        value = value.times(n).plus(&f[i].times(&power));
        if i > 0 {
            power = power.times(d);
        }
    }
    value.sign()
}

/// The sign at a float between [`SHORTEST`] and 1.
fn sign_at<L: Limbs>(f: &[Integer<L>], degree: usize, x: f64) -> Sign {
    let (mantissa, exponent) = parts(x);
    let (n, k) = match exponent {
        ..=0 => (Integer::of(i128::from(mantissa), 0), (-exponent) as u32),
        _ => (Integer::of(i128::from(mantissa), exponent as u32), 0),
    };
    let mut value = f[degree].clone();
    for (power, i) in (0..degree).rev().enumerate() {
        let shift = k * (power as u32 + 1);
        value = value.times(&n).plus(&f[i].shifted(shift));
    }
    value.sign()
}

impl<L: Limbs> Root<L> {
    /// The sign of τ - n / d.
    fn minus_fraction(&self, n: &Integer<L>, d: &Integer<L>) -> Sign {
        let (scaled, unit) = (n.shifted(self.depth), self.place.times(d));
        if scaled.minus(&unit).sign() != Sign::Positive {
            return Sign::Positive;
        }
        if scaled.minus(&unit.plus(d)).sign() != Sign::Negative {
            return Sign::Negative;
        }
        self.side(sign_at_fraction(&self.f, self.degree, n, d))
    }

    /// The sign of τ - x, from that of f at an x in the interval.
    fn side(&self, value: Sign) -> Sign {
        match value {
            Sign::Zero => Sign::Zero,
            _ if value == self.before => Sign::Positive,
            _ => Sign::Negative,
        }
    }

    /// The sign of τ - x for a float between [`SHORTEST`] and 1.
    fn minus(&self, x: f64) -> Sign {
        if self.depth > 0 {
            let (mantissa, exponent) = parts(x);
            // x = n / 2^k, and the interval begins at place / 2^depth.
            let k = (-exponent).max(0) as u32;
            let n = Integer::of(i128::from(mantissa), exponent.max(0) as u32);
            let common = k.max(self.depth);
            let n = n.shifted(common - k);
            let begin = self.place.shifted(common - self.depth);
            if n.minus(&begin).sign() != Sign::Positive {
                return Sign::Positive;
            }
            let end = begin.plus(&Integer::of(1, common - self.depth));
            if n.minus(&end).sign() != Sign::Negative {
                return Sign::Negative;
            }
        } else if x >= 1.0 {
            return Sign::Negative;
        }
        self.side(sign_at(&self.f, self.degree, x))
    }

    /// The sign of `p0 + p1 t` at the root.
    fn sign_of_linear(&self, p0: &Integer<L>, p1: &Integer<L>) -> Sign {
        match p1.sign() {
            Sign::Zero => p0.sign(),
            Sign::Positive => self.minus_fraction(&p0.negated(), p1),
            Sign::Negative => -self.minus_fraction(p0, &p1.negated()),
        }
    }

    fn sign_of(&self, g: &[Integer<L>; 3]) -> Sign {
        let [g0, g1, g2] = g;
        if g2.is_zero() {
            return self.sign_of_linear(g0, g1);
        }
        if let Some(sign) = self.rounded_sign_of(g) {
            return sign;
        }
        // lc² f = (q0 + q1 t) g + (r0 + r1 t), from the top.
        let [f0, f1, f2, f3] = &self.f;
        let q1 = f3.times(g2);
        let q0 = f2.times(g2).minus(&f3.times(g1));
        let lc2 = g2.times(g2);
        let r1 = f1.times(&lc2).minus(&q1.times(g0)).minus(&q0.times(g1));
        let r0 = f0.times(&lc2).minus(&q0.times(g0));
        let of_q = self.sign_of_linear(&q0, &q1);
        if of_q.is_zero() {
            // The root is -q0 / q1: q is not 0 altogether, as f is at least quadratic.
            let (n, d) = match q1.sign() {
                Sign::Negative => (q0, q1.negated()),
                _ => (q0.negated(), q1),
            };
            return sign_at_fraction(g, 2, &n, &d);
        }
        match (self.sign_of_linear(&r0, &r1), of_q) {
            (of_r, Sign::Positive) => -of_r,
            (of_r, _) => of_r,
        }
    }

    /// The sign of a quadratic at the root if floats tell.
    fn rounded_sign_of(&self, g: &[Integer<L>; 3]) -> Option<Sign> {
        let exponent = g.iter().map(Integer::bits).max().unwrap_or(0);
        let [g0, g1, g2] = g.each_ref().map(|c| c.to_f64(exponent));
        let (low, high) = self.bracket;
        let value = g0 + low * (g1 + low * g2);
        // Two roundings for each coefficient, four of the sums, on numbers of magnitude 1 at
        // most, three of them; and how far g goes from one end of the bracket to the other.
        let doubt = 64.0 * f64::EPSILON + (high - low) * (g1.abs() + 2.0 * g2.abs()) * 1.01;
        (value.abs() > doubt).then(|| Sign::of(value))
    }
}

impl<L: Limbs> Moment<L> {
    /// The sign of a quadratic at this moment.
    pub fn sign_of(&self, g: &[Integer<L>; 3]) -> Sign {
        match self {
            Moment::Zero => g[0].sign(),
            Moment::One => g[0].plus(&g[1]).plus(&g[2]).sign(),
            Moment::Fraction(n, d) => match degree(g) {
                None => Sign::Zero,
                Some(degree) => sign_at_fraction(g, degree, n, d),
            },
            Moment::Root(root) => match degree(g) {
                None => Sign::Zero,
                Some(0) => g[0].sign(),
                Some(_) => root.sign_of(g),
            },
        }
    }

    /// Floats of which the first is not after and the second not before the moment.
    pub fn bracket(&self) -> (f64, f64) {
        match self {
            Moment::Zero => (0.0, 0.0),
            Moment::One => (1.0, 1.0),
            Moment::Fraction(n, d) => {
                // Relative to powers of two that make both at most 1.
                let (e, f) = (n.bits(), d.bits());
                let near =
                    n.to_f64(e) / d.to_f64(f) * power_of_two(-((f - e.min(f)).min(1000) as i32));
                let sign = |x: f64| {
                    let (mantissa, exponent) = parts(x);
                    let k = (-exponent).max(0) as u32;
                    let x = Integer::of(i128::from(mantissa), exponent.max(0) as u32);
                    n.shifted(k).minus(&x.times(d)).sign()
                };
                around(near, (0.0, 1.0), sign)
            }
            Moment::Root(root) => root.bracket,
        }
    }
}

/// Floats about a moment that lies strictly between those of `within` and probably `near`;
/// `sign(x)` is that of the moment minus x.
fn around(near: f64, within: (f64, f64), sign: impl Fn(f64) -> Sign) -> (f64, f64) {
    let (mut low, mut high) = within;
    // Looks at x and says where the moment is.
    let look = |x: f64, low: &mut f64, high: &mut f64| {
        if x > *low && x < *high {
            let side = sign(x);
            if side != Sign::Negative {
                *low = x;
            }
            if side != Sign::Positive {
                *high = x;
            }
        }
    };
    if near > SHORTEST {
        look(near, &mut low, &mut high);
        let mut step = near * (0.25 * WIDTH);
        for _ in 0..4 {
            if high - low <= WIDTH * high {
                return (low, high);
            }
            look((near - step).max(SHORTEST), &mut low, &mut high);
            look(near + step, &mut low, &mut high);
            step *= 64.0;
        }
    }
    if low < SHORTEST {
        look(SHORTEST, &mut low, &mut high);
        if high <= SHORTEST {
            return (0.0, SHORTEST);
        }
    }
    // Halves the logarithm while the ends are far from each other, then the interval.
    while high - low > WIDTH * high {
        let middle = match high > 4.0 * low {
            true => (low * high).sqrt(),
            false => 0.5 * (low + high),
        };
        if !(middle > low && middle < high) {
            break;
        }
        look(middle, &mut low, &mut high);
    }
    (low, high)
}

/// Calls `visit` with the zeros of a polynomial after 0 until 1, in their order, until it says
/// that it has seen enough. The polynomial must not be 0 altogether.
pub(super) fn zeros<L: Limbs>(
    f: &Polynomial<L>,
    mut visit: impl FnMut(&Moment<L>) -> bool,
) -> Result<(), Overlong> {
    let mut f = f.clone();
    let Some(mut degree) = degree(&f) else {
        return Ok(());
    };
    while degree > 0 && f[0].is_zero() {
        f.rotate_left(1);
        degree -= 1;
    }
    let mut ends_in_zero = false;
    while degree > 0 && value_at_one(&f).is_zero() {
        // Division by t - 1: sums from the top.
        for i in (1..degree).rev() {
            f[i] = f[i].plus(&f[i + 1]);
        }
        f.rotate_left(1);
        f[3] = Integer::ZERO;
        degree -= 1;
        ends_in_zero = true;
    }
    let is_enough = match degree {
        0 => false,
        1 => fraction(f[0].negated(), f[1].clone()).is_some_and(|m| visit(&m)),
        2 => between_of_quadratic(&f, &mut visit)?,
        _ => between_of_cubic(&f, &mut visit)?,
    };
    if ends_in_zero && !is_enough {
        visit(&Moment::One);
    }
    Ok(())
}

fn value_at_one<L: Limbs>(f: &Polynomial<L>) -> Integer<L> {
    f[0].plus(&f[1]).plus(&f[2]).plus(&f[3])
}

/// A fraction if it is between 0 and 1.
fn fraction<L: Limbs>(n: Integer<L>, d: Integer<L>) -> Option<Moment<L>> {
    let (n, d) = match d.sign() {
        Sign::Negative => (n.negated(), d.negated()),
        _ => (n, d),
    };
    let is_between = n.sign() == Sign::Positive && n.minus(&d).sign() == Sign::Negative;
    is_between.then_some(Moment::Fraction(n, d))
}

fn between_of_quadratic<L: Limbs>(
    f: &Polynomial<L>,
    visit: &mut impl FnMut(&Moment<L>) -> bool,
) -> Result<bool, Overlong> {
    let [c, b, a, _] = f;
    let discriminant = b.times(b).minus(&a.times(c).shifted(2));
    match discriminant.sign() {
        Sign::Negative => Ok(false),
        Sign::Zero => Ok(fraction(b.negated(), a.shifted(1)).is_some_and(|m| visit(&m))),
        Sign::Positive => parted(f, 2, visit),
    }
}

/// With the cubic a t³ + b t² + c t + d: a double root makes the discriminant 0 and is
/// (9ad - bc) / 2(b² - 3ac), beside the simple one (4abc - 9a²d - b³) / a(b² - 3ac); a triple root
/// makes b² - 3ac = 0 as well, and is -b / 3a.
fn between_of_cubic<L: Limbs>(
    f: &Polynomial<L>,
    visit: &mut impl FnMut(&Moment<L>) -> bool,
) -> Result<bool, Overlong> {
    let [d, c, b, a] = f;
    let (ac, bc, ad, bb) = (a.times(c), b.times(c), a.times(d), b.times(b));
    let spread = bb.minus(&ac.scaled(3));
    // b²c² - 4ac³ - 4b³d - 27a²d² + 18abcd.
    let discriminant = bc
        .times(&bc)
        .minus(&ac.times(&c.times(c)).shifted(2))
        .minus(&bb.times(&b.times(d)).shifted(2))
        .minus(&ad.times(&ad).scaled(27))
        .plus(&ad.times(&bc).scaled(18));
    if !discriminant.is_zero() {
        return parted(f, 3, visit);
    }
    if spread.is_zero() {
        return Ok(fraction(b.negated(), a.scaled(3)).is_some_and(|m| visit(&m)));
    }
    let double = fraction(ad.scaled(9).minus(&bc), spread.shifted(1));
    let n = a
        .times(&bc)
        .shifted(2)
        .minus(&a.times(&ad).scaled(9))
        .minus(&bb.times(b));
    let simple = fraction(n, a.times(&spread));
    let is_ordered = match (&double, &simple) {
        (Some(Moment::Fraction(n, d)), Some(Moment::Fraction(m, e))) => {
            n.times(e).minus(&m.times(d)).sign() == Sign::Negative
        }
        _ => true,
    };
    let both = if is_ordered {
        [double, simple]
    } else {
        [simple, double]
    };
    Ok(both.into_iter().flatten().any(|m| visit(&m)))
}

/// An interval with the coefficients of Bernstein's form there, times a power of two.
struct Part<L: Limbs> {
    b: [Integer<L>; 4],
    place: Integer<L>,
    depth: u32,
}

/// What is still to be looked at.
#[allow(clippy::large_enum_variant, reason = "a handful on the stack")]
enum Rest<L: Limbs> {
    Part(Part<L>),
    /// A root in the middle of what was halved, `place / 2^depth`.
    Middle(Integer<L>, u32),
}

/// Roots between 0 and 1 of a polynomial without multiple ones, which is 0 neither at 0 nor at 1.
fn parted<L: Limbs>(
    f: &Polynomial<L>,
    degree: usize,
    visit: &mut impl FnMut(&Moment<L>) -> bool,
) -> Result<bool, Overlong> {
    // Thrice the coefficients: 3 b_i = 3 f0 + i f1 + i (i - 1) / 2 f2, and all for i = 3.
    let constant = f[0].scaled(3);
    let whole = Part {
        b: [
            constant.clone(),
            constant.plus(&f[1]),
            constant.plus(&f[1].shifted(1)).plus(&f[2]),
            value_at_one(f).scaled(3),
        ],
        place: Integer::ZERO,
        depth: 0,
    };
    // Halves have no more changes of sign together than the whole, a root in the middle included,
    // and parts without are left: never more than three wait.
    let mut stack = [const { None }; 4];
    stack[0] = Some(Rest::Part(whole));
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let part = match stack[height].take() {
            Some(Rest::Part(part)) => part,
            Some(Rest::Middle(place, depth)) => {
                if visit(&Moment::Fraction(place, Integer::of(1, depth))) {
                    return Ok(true);
                }
                continue;
            }
            None => continue,
        };
        match sign_changes(&part.b) {
            0 => continue,
            1 => {
                if visit(&Moment::Root(root(f, degree, &part))) {
                    return Ok(true);
                }
                continue;
            }
            _ => {}
        }
        // Coefficients grow by three bits, and values at later ends by no more.
        if !part.b.iter().all(|c| c.has_room(8)) {
            return Err(Overlong);
        }
        let (left, right) = halves(&part);
        let middle = right.b[0]
            .is_zero()
            .then(|| Rest::Middle(right.place.clone(), right.depth));
        for rest in [Some(Rest::Part(right)), middle, Some(Rest::Part(left))] {
            let waits = match &rest {
                Some(Rest::Part(part)) => sign_changes(&part.b) > 0,
                Some(Rest::Middle(..)) => true,
                None => false,
            };
            if waits && height < stack.len() {
                stack[height] = rest;
                height += 1;
            }
        }
    }
    Ok(false)
}

/// How often signs change from one coefficient to the next, zeros left out.
fn sign_changes<L: Limbs>(b: &[Integer<L>; 4]) -> usize {
    let mut last = Sign::Zero;
    let mut changes = 0;
    for sign in b.iter().map(Integer::sign) {
        if sign.is_zero() {
            continue;
        }
        changes += usize::from(sign == -last);
        last = sign;
    }
    changes
}

/// De Casteljau's halves, times 8.
fn halves<L: Limbs>(part: &Part<L>) -> (Part<L>, Part<L>) {
    let [b0, b1, b2, b3] = &part.b;
    let (c0, c1, c2) = (b0.plus(b1), b1.plus(b2), b2.plus(b3));
    let (d0, d1) = (c0.plus(&c1), c1.plus(&c2));
    let middle = d0.plus(&d1);
    let (place, depth) = (part.place.shifted(1), part.depth + 1);
    let left = Part {
        b: [b0.shifted(3), c0.shifted(2), d0.shifted(1), middle.clone()],
        place: place.clone(),
        depth,
    };
    let right = Part {
        b: [middle, d1.shifted(1), c2.shifted(2), b3.shifted(3)],
        place: place.plus(&Integer::of(1, 0)),
        depth,
    };
    (left, right)
}

/// The one root in a part.
fn root<L: Limbs>(f: &Polynomial<L>, degree: usize, part: &Part<L>) -> Root<L> {
    let signs = part.b.iter().map(Integer::sign);
    let before = signs.clone().find(|s| !s.is_zero()).unwrap_or(Sign::Zero);
    let exponent = part.b.iter().map(Integer::bits).max().unwrap_or(0);
    let b = part.b.each_ref().map(|c| c.to_f64(exponent));
    let width = power_of_two(-(part.depth.min(1000) as i32));
    let start = part.place.to_f64(part.depth);
    let near = start + width * rounded_root(&b, before == Sign::Positive).0;
    let mut root = Root {
        f: f.clone(),
        degree,
        place: part.place.clone(),
        depth: part.depth,
        before,
        bracket: (0.0, 1.0),
    };
    // A little outward, as these are rounded.
    let slack = 4.0 * f64::EPSILON;
    let within = match part.depth {
        0 => (0.0, 1.0),
        _ => (
            start * (1.0 - slack),
            ((start + width) * (1.0 + slack)).min(1.0),
        ),
    };
    root.bracket = around(near, within, |x| root.minus(x));
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    type Short = [u64; 26];
    type Whole = Integer<Short>;

    fn polynomial(coefficients: [i64; 4]) -> Polynomial<Short> {
        coefficients.map(|c| Whole::of(i128::from(c), 0))
    }

    fn times(f: [i64; 4], g: [i64; 4]) -> [i64; 4] {
        let mut out = [0; 4];
        for i in 0..4 {
            for j in 0..4 - i {
                out[i + j] += f[i] * g[j];
            }
        }
        out
    }

    /// Brackets of all zeros.
    fn brackets(f: [i64; 4]) -> Vec<(f64, f64)> {
        let mut found = Vec::new();
        zeros(&polynomial(f), |moment| {
            found.push(moment.bracket());
            false
        })
        .unwrap();
        found
    }

    fn linear(root: (i64, i64)) -> [i64; 4] {
        [-root.0, root.1, 0, 0]
    }

    #[test]
    fn zeros_come_in_order_and_in_their_brackets() {
        let fractions = [
            (0, 1),
            (1, 7),
            (1, 4),
            (1, 3),
            (1, 2),
            (3, 4),
            (1, 1),
            (9, 8),
            (-1, 3),
        ];
        for &p in &fractions {
            for &q in &fractions {
                for &r in &fractions {
                    let f = times(linear(p), times(linear(q), linear(r)));
                    let value = |(n, d): (i64, i64)| n as f64 / d as f64;
                    let mut expected: Vec<f64> = [p, q, r].map(value).to_vec();
                    expected.retain(|&x| x > 0.0 && x <= 1.0);
                    expected.sort_by(f64::total_cmp);
                    expected.dedup();
                    for f in [f, f.map(|c| -c)] {
                        let found = brackets(f);
                        assert_eq!(found.len(), expected.len(), "{f:?}");
                        for (&(low, high), x) in found.iter().zip(&expected) {
                            assert!(low <= *x && *x <= high && high - low <= WIDTH * high);
                        }
                    }
                }
            }
        }
        assert!(brackets([1, 0, 0, 0]).is_empty() && brackets([0; 4]).is_empty());
        assert!(brackets([1, 0, 1, 0]).is_empty() && brackets([5, -4, 1, 0]).is_empty());
    }

    #[test]
    fn signs_at_irrational_roots() {
        // 8 t² - 8 t + 1 is 0 at (1 ± √½) / 2.
        let quadratic = [1, -8, 8, 0];
        for other in [[-3, 1, 0, 0], [1, 2, 0, 0], [-1, 2, 0, 0], [1, 0, 0, 0]] {
            let f = polynomial(times(quadratic, other));
            let mut seen = Vec::new();
            zeros(&f, |moment| {
                let sign = |g: [i64; 3]| moment.sign_of(&g.map(|c| Whole::of(i128::from(c), 0)));
                seen.push([
                    sign([1, -8, 8]),
                    sign([-3, 24, -24]),
                    sign([1, -8, 9]),
                    sign([-1, 2, 0]),
                    sign([-1, 7, -1]),
                    sign([0, 0, 0]),
                    sign([-2, 0, 0]),
                    // 0.1464466094067262 is below the first root, by 4e-17.
                    sign([-1_464_466_094_067_262, 10_000_000_000_000_000, 0]),
                ]);
                false
            })
            .unwrap();
            seen.retain(|signs| signs[0].is_zero());
            let (minus, zero, plus) = (Sign::Negative, Sign::Zero, Sign::Positive);
            assert_eq!(
                seen,
                [
                    [zero, zero, plus, minus, plus, zero, minus, plus],
                    [zero, zero, plus, plus, plus, zero, minus, plus],
                ]
            );
        }
    }

    /// Roots nearer to each other than floats are, parted by halving.
    #[test]
    fn roots_that_floats_do_not_part() {
        // (t - 1/3)² - 2^-120, times 9 * 2^120.
        let big = |x: i128, shift: u32| Integer::<Vec<u64>>::of(x, shift);
        let constant = big(1, 120).minus(&big(9, 0));
        let f = [constant, big(-6, 120), big(9, 120), Integer::ZERO];
        // The sign of t - 1/3 tells which root it is.
        let g = [big(-1, 0), big(3, 0), Integer::ZERO];
        let mut seen = Vec::new();
        zeros(&f, |moment| {
            seen.push(moment.sign_of(&g));
            let (low, high) = moment.bracket();
            assert!(low <= 1.0 / 3.0 && high >= 1.0 / 3.0 && high - low < 1e-12);
            false
        })
        .unwrap();
        assert_eq!(seen, [Sign::Negative, Sign::Positive]);
    }
}
