//! Algebraic times: exact roots of polynomials, and the signs of other polynomials at them.
//!
//! A time between 0 and 1 is a fraction, or a simple root of a cubic that is isolated in an
//! interval whose ends are multiples of a power of two.
//!
//! Let `τ` be such a root of a cubic `f`, and `g` a quadratic with leading coefficient `lc`. The
//! sign of `g(τ)` needs only division with remainder and values of `f`. With `lc² f = q g + r`,
//! where `q` and `r` are linear, `0 = q(τ) g(τ) + r(τ)`, so the sign of `g(τ)` follows from those
//! of `q(τ)` and `r(τ)`. The sign of a linear `p` at `τ` follows from the order of `τ` and the zero
//! `ρ` of `p`. This order is given by the sign of `f(ρ)`, since `f` changes its sign at `τ` and
//! nowhere else in the interval. Where `q(τ) = 0`, `τ` is a fraction.
//!
//! At first `g(τ)` is estimated in floats; exact integers are needed only if it is 0 or nearly so.

use crate::geometry::Sign;
use crate::impact::integer::{Integer, Limbs, parts, power_of_two};

/// Coefficients of a polynomial of degree 3 or less, the constant one first. If the degree is below
/// 3, the last coefficients are 0.
pub(super) type Polynomial<L> = [Integer<L>; 4];

/// Every time below this, 2^-100, has the same bracket (bounds in floats): from 0 to this. With a
/// float nearer to 0 as bound, the exact value of a polynomial there would be very long.
pub(super) const SHORTEST: f64 = f64::from_bits((1023 - 100) << 52);

/// The largest width of a bracket, the lower and upper bound in floats of an algebraic time,
/// relative to that time: 2^-43 (1.1e-13).
pub(super) const WIDTH: f64 = f64::from_bits((1023 - 43) << 52);

/// An algebraic time from 0 to 1, stored exactly.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "few exist, and none is kept")]
pub(super) enum AlgebraicTime<L: Limbs> {
    /// Time 0.
    Zero,
    /// Time 1.
    One,
    /// A fraction: numerator and positive denominator.
    Fraction(Integer<L>, Integer<L>),
    /// The only root of a cubic in some interval.
    Root(Root<L>),
}

/// An algebraic time: the only root of the cubic `f` in an open interval.
#[derive(Clone, Debug)]
pub(super) struct Root<L: Limbs> {
    f: Polynomial<L>,
    degree: usize,
    /// The interval that contains the root begins at `index / 2^depth`. Its width is `1 / 2^depth`;
    /// `depth` is the next field.
    index: Integer<L>,
    depth: u32,
    /// The sign of the cubic `f` between the start of the interval and its root.
    before: Sign,
    /// Lower and upper bound of the root, in floats.
    bracket: (f64, f64),
}

/// The degree of a polynomial whose sign at an algebraic time is sought: the index of the last
/// coefficient that is not 0; `None` for the zero polynomial.
pub(super) fn degree<L: Limbs>(f: &[Integer<L>]) -> Option<usize> {
    f.iter().rposition(|c| !c.is_zero())
}

/// The exact sign of a polynomial at an algebraic time that is a fraction `n / d`, where `d > 0`.
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

/// The exact sign of a polynomial at an algebraic time that is a float `x` between [`SHORTEST`] and
/// 1.
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
    /// The algebraic time that is the only root of `f` in an interval. The interval begins at
    /// `index / 2^depth` and has the width `1 / 2^depth`. `before` is the sign of `f` in the
    /// interval before the root. `near` is a guess of the root, as a fraction of the interval from
    /// 0 to 1.
    pub fn new(
        f: &Polynomial<L>,
        degree: usize,
        (index, depth): (&Integer<L>, u32),
        before: Sign,
        near: f64,
    ) -> Self {
        let mut root = Root {
            f: f.clone(),
            degree,
            index: index.clone(),
            depth,
            before,
            bracket: (0.0, 1.0),
        };
        let width = power_of_two(-(depth.min(1000) as i32));
        let start = index.to_f64(depth);
        // The interval is rounded outward.
        let slack = 4.0 * f64::EPSILON;
        let within = match depth {
            0 => (0.0, 1.0),
            _ => (
                start * (1.0 - slack),
                ((start + width) * (1.0 + slack)).min(1.0),
            ),
        };
        root.bracket = bracket_around(start + width * near, within, |x| root.minus(x));
        root
    }

    /// The sign of `τ - n / d`, where the algebraic time `τ` is this root.
    fn minus_fraction(&self, n: &Integer<L>, d: &Integer<L>) -> Sign {
        let (scaled, unit) = (n.shifted(self.depth), self.index.times(d));
        if scaled.minus(&unit).sign() != Sign::Positive {
            return Sign::Positive;
        }
        if scaled.minus(&unit.plus(d)).sign() != Sign::Negative {
            return Sign::Negative;
        }
        self.side(sign_at_fraction(&self.f, self.degree, n, d))
    }

    /// The sign of `τ - x`, where the algebraic time `τ` is this root of `f`, and `x` is in its
    /// interval. `value` is the sign of `f` at `x`.
    fn side(&self, value: Sign) -> Sign {
        match value {
            Sign::Zero => Sign::Zero,
            _ if value == self.before => Sign::Positive,
            _ => Sign::Negative,
        }
    }

    /// The sign of `τ - x`, where the algebraic time `τ` is this root, for a float `x` between
    /// [`SHORTEST`] and 1.
    fn minus(&self, x: f64) -> Sign {
        if self.depth > 0 {
            let (mantissa, exponent) = parts(x);
            // x = n / 2^k, and the interval begins at index / 2^depth.
            let k = (-exponent).max(0) as u32;
            let n = Integer::of(i128::from(mantissa), exponent.max(0) as u32);
            let common = k.max(self.depth);
            let n = n.shifted(common - k);
            let begin = self.index.shifted(common - self.depth);
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

    /// The exact sign of `p0 + p1 t` at an algebraic time `t`, this root.
    fn sign_of_linear(&self, p0: &Integer<L>, p1: &Integer<L>) -> Sign {
        match p1.sign() {
            Sign::Zero => p0.sign(),
            Sign::Positive => self.minus_fraction(&p0.negated(), p1),
            Sign::Negative => -self.minus_fraction(p0, &p1.negated()),
        }
    }

    /// The exact sign of a quadratic at an algebraic time, this root.
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
            // The root is -q0 / q1: q does not vanish identically, as f is at least quadratic.
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

    /// The sign of a quadratic at an algebraic time, this root, computed in floats; `None` if
    /// rounding leaves it undecided.
    fn rounded_sign_of(&self, g: &[Integer<L>; 3]) -> Option<Sign> {
        let exponent = g.iter().map(Integer::bits).max().unwrap_or(0);
        let [g0, g1, g2] = g.each_ref().map(|c| c.to_f64(exponent));
        let (low, high) = self.bracket;
        let value = g0 + low * (g1 + low * g2);
        // Two roundings for each of three coefficients and four of the sums, on numbers of
        // magnitude at most 1; plus the change of g over the bracket.
        let doubt = 64.0 * f64::EPSILON + (high - low) * (g1.abs() + 2.0 * g2.abs()) * 1.01;
        (value.abs() > doubt).then(|| Sign::of(value))
    }
}

impl<L: Limbs> AlgebraicTime<L> {
    /// The exact sign of a quadratic at this algebraic time.
    pub fn sign_of(&self, g: &[Integer<L>; 3]) -> Sign {
        match self {
            AlgebraicTime::Zero => g[0].sign(),
            AlgebraicTime::One => g[0].plus(&g[1]).plus(&g[2]).sign(),
            AlgebraicTime::Fraction(n, d) => match degree(g) {
                None => Sign::Zero,
                Some(degree) => sign_at_fraction(g, degree, n, d),
            },
            AlgebraicTime::Root(root) => match degree(g) {
                None => Sign::Zero,
                Some(0) => g[0].sign(),
                Some(_) => root.sign_of(g),
            },
        }
    }

    /// Lower and upper bound of this algebraic time, in floats. Both are the time itself if it is
    /// found to be a float.
    pub fn bracket(&self) -> (f64, f64) {
        match self {
            AlgebraicTime::Zero => (0.0, 0.0),
            AlgebraicTime::One => (1.0, 1.0),
            AlgebraicTime::Fraction(n, d) => {
                // Numerator and denominator are divided by powers of two that make both at most 1.
                let (e, f) = (n.bits(), d.bits());
                let near =
                    n.to_f64(e) / d.to_f64(f) * power_of_two(-((f - e.min(f)).min(1000) as i32));
                let sign = |x: f64| {
                    let (mantissa, exponent) = parts(x);
                    let k = (-exponent).max(0) as u32;
                    let x = Integer::of(i128::from(mantissa), exponent.max(0) as u32);
                    n.shifted(k).minus(&x.times(d)).sign()
                };
                bracket_around(near, (0.0, 1.0), sign)
            }
            AlgebraicTime::Root(root) => root.bracket,
        }
    }
}

/// A bracket of an algebraic time: its lower and upper bound, in floats. The time lies strictly
/// inside `within`, and `near` is a guess of it; `sign(x)` is the sign of the time minus `x`.
fn bracket_around(near: f64, within: (f64, f64), sign: impl Fn(f64) -> Sign) -> (f64, f64) {
    let (mut low, mut high) = within;
    // Narrows the bracket by the sign at x.
    let narrow = |x: f64, low: &mut f64, high: &mut f64| {
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
        narrow(near, &mut low, &mut high);
        let mut step = near * (0.25 * WIDTH);
        for _ in 0..4 {
            if high - low <= WIDTH * high {
                return (low, high);
            }
            narrow((near - step).max(SHORTEST), &mut low, &mut high);
            narrow(near + step, &mut low, &mut high);
            step *= 64.0;
        }
    }
    if low < SHORTEST {
        narrow(SHORTEST, &mut low, &mut high);
        if high <= SHORTEST {
            return (0.0, SHORTEST);
        }
    }
    // Bisects the logarithm while the ends are far from each other, then the interval.
    while high - low > WIDTH * high {
        let middle = match high > 4.0 * low {
            true => (low * high).sqrt(),
            false => 0.5 * (low + high),
        };
        if !(middle > low && middle < high) {
            break;
        }
        narrow(middle, &mut low, &mut high);
    }
    (low, high)
}
