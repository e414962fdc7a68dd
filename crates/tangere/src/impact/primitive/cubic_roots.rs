//! Roots of a cubic between 0 and 1: exactly, in ascending order, or approximately in floats.
//!
//! Exact roots are isolated by halving intervals, with the cubic in Bernstein form (Vincent's
//! theorem: no sign change among its coefficients means no root, one change means one root).
//! Halving ends because roots are simple: a cubic with a double root has rational roots, which are
//! given by formulas.

use super::algebraic_time::{AlgebraicTime, Polynomial, Root, degree};
use crate::geometry::Sign;
use crate::impact::integer::{Integer, Limbs, Overlong};

/// Calls `visit` with each exact root of a cubic that is above 0 and at most 1, in ascending order,
/// until `visit` returns true. The cubic must not be identically 0.
pub(super) fn roots<L: Limbs>(
    f: &Polynomial<L>,
    mut visit: impl FnMut(&AlgebraicTime<L>) -> bool,
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
        // Division by t - 1: the coefficients are sums from the top.
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
        2 => roots_of_quadratic(&f, &mut visit)?,
        _ => roots_of_cubic(&f, &mut visit)?,
    };
    if ends_in_zero && !is_enough {
        visit(&AlgebraicTime::One);
    }
    Ok(())
}

/// The value at 1 of a cubic with exact coefficients.
fn value_at_one<L: Limbs>(f: &Polynomial<L>) -> Integer<L> {
    f[0].plus(&f[1]).plus(&f[2]).plus(&f[3])
}

/// The exact root `n / d` of a cubic as an algebraic time, if it is between 0 and 1; otherwise
/// `None`.
fn fraction<L: Limbs>(n: Integer<L>, d: Integer<L>) -> Option<AlgebraicTime<L>> {
    let (n, d) = match d.sign() {
        Sign::Negative => (n.negated(), d.negated()),
        _ => (n, d),
    };
    let is_between = n.sign() == Sign::Positive && n.minus(&d).sign() == Sign::Negative;
    is_between.then_some(AlgebraicTime::Fraction(n, d))
}

/// Calls `visit` with each exact root between 0 and 1 of a cubic whose leading coefficient is 0,
/// until `visit` returns true; returns whether it did.
fn roots_of_quadratic<L: Limbs>(
    f: &Polynomial<L>,
    visit: &mut impl FnMut(&AlgebraicTime<L>) -> bool,
) -> Result<bool, Overlong> {
    let [c, b, a, _] = f;
    let discriminant = b.times(b).minus(&a.times(c).shifted(2));
    match discriminant.sign() {
        Sign::Negative => Ok(false),
        Sign::Zero => Ok(fraction(b.negated(), a.shifted(1)).is_some_and(|m| visit(&m))),
        Sign::Positive => isolate(f, 2, visit),
    }
}

/// Calls `visit` with each exact root between 0 and 1 of the cubic `a t³ + b t² + c t + d`, until
/// `visit` returns true; returns whether it did.
///
/// If there is a double root, the discriminant is 0, and the root is `(9ad - bc) / 2(b² - 3ac)`.
/// The simple root beside it is `(4abc - 9a²d - b³) / a(b² - 3ac)`. If there is a triple root,
/// `b² - 3ac` is 0 as well, and the root is `-b / 3a`.
fn roots_of_cubic<L: Limbs>(
    f: &Polynomial<L>,
    visit: &mut impl FnMut(&AlgebraicTime<L>) -> bool,
) -> Result<bool, Overlong> {
    let [d, c, b, a] = f;
    let (ac, bc, ad, bb) = (a.times(c), b.times(c), a.times(d), b.times(b));
    let spread = bb.minus(&ac.scaled(3));
    // The discriminant b²c² - 4ac³ - 4b³d - 27a²d² + 18abcd.
    let discriminant = bc
        .times(&bc)
        .minus(&ac.times(&c.times(c)).shifted(2))
        .minus(&bb.times(&b.times(d)).shifted(2))
        .minus(&ad.times(&ad).scaled(27))
        .plus(&ad.times(&bc).scaled(18));
    if !discriminant.is_zero() {
        return isolate(f, 3, visit);
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
        (Some(AlgebraicTime::Fraction(n, d)), Some(AlgebraicTime::Fraction(m, e))) => {
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

/// The interval from `index / 2^depth` to `(index + 1) / 2^depth`, in which roots of a cubic are
/// isolated, and the Bernstein coefficients `b` of the cubic on it, times a positive constant.
struct Part<L: Limbs> {
    b: [Integer<L>; 4],
    index: Integer<L>,
    depth: u32,
}

/// An entry of the stack of the isolation of roots: an interval that is still to be searched, or a
/// root that is still to be visited.
#[allow(clippy::large_enum_variant, reason = "a handful on the stack")]
enum Pending<L: Limbs> {
    Part(Part<L>),
    /// An exact root of the cubic at the midpoint of an interval that was halved:
    /// `index / 2^depth`.
    Middle(Integer<L>, u32),
}

/// Isolates the roots of a cubic between 0 and 1 and calls `visit` with each, in ascending order,
/// until `visit` returns true; returns whether it did. All roots must be simple, and none may be 0
/// or 1.
fn isolate<L: Limbs>(
    f: &Polynomial<L>,
    degree: usize,
    visit: &mut impl FnMut(&AlgebraicTime<L>) -> bool,
) -> Result<bool, Overlong> {
    // Three times the coefficients: 3 b_i = 3 f0 + i f1 + i (i - 1) / 2 f2; for i = 3 three times
    // the sum of all.
    let constant = f[0].scaled(3);
    let whole = Part {
        b: [
            constant.clone(),
            constant.plus(&f[1]),
            constant.plus(&f[1].shifted(1)).plus(&f[2]),
            value_at_one(f).scaled(3),
        ],
        index: Integer::ZERO,
        depth: 0,
    };
    // The two halves and a root at the midpoint have together no more sign changes than the
    // interval, and halves without sign changes are dropped. So the stack never has more than three
    // entries.
    let mut stack = [const { None }; 4];
    stack[0] = Some(Pending::Part(whole));
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let part = match stack[height].take() {
            Some(Pending::Part(part)) => part,
            Some(Pending::Middle(index, depth)) => {
                if visit(&AlgebraicTime::Fraction(index, Integer::of(1, depth))) {
                    return Ok(true);
                }
                continue;
            }
            None => continue,
        };
        match sign_changes(&part.b) {
            0 => continue,
            1 => {
                if visit(&AlgebraicTime::Root(root(f, degree, &part))) {
                    return Ok(true);
                }
                continue;
            }
            _ => {}
        }
        // Halving makes coefficients longer by three bits.
        if !part.b.iter().all(|c| c.fits_longer_by(8)) {
            return Err(Overlong);
        }
        let (left, right) = halves(&part);
        let middle = right.b[0]
            .is_zero()
            .then(|| Pending::Middle(right.index.clone(), right.depth));
        for rest in [
            Some(Pending::Part(right)),
            middle,
            Some(Pending::Part(left)),
        ] {
            let waits = match &rest {
                Some(Pending::Part(part)) => sign_changes(&part.b) > 0,
                Some(Pending::Middle(..)) => true,
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

/// The number of sign changes among the Bernstein coefficients of a cubic; zeros are skipped. It is
/// an upper bound of the number of roots in the interval of these coefficients.
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

/// Halves an interval in which roots of a cubic are isolated, by de Casteljau subdivision. The
/// Bernstein coefficients are multiplied by 8, so that they stay integers.
fn halves<L: Limbs>(part: &Part<L>) -> (Part<L>, Part<L>) {
    let [b0, b1, b2, b3] = &part.b;
    let (c0, c1, c2) = (b0.plus(b1), b1.plus(b2), b2.plus(b3));
    let (d0, d1) = (c0.plus(&c1), c1.plus(&c2));
    let middle = d0.plus(&d1);
    let (index, depth) = (part.index.shifted(1), part.depth + 1);
    let left = Part {
        b: [b0.shifted(3), c0.shifted(2), d0.shifted(1), middle.clone()],
        index: index.clone(),
        depth,
    };
    let right = Part {
        b: [middle, d1.shifted(1), c2.shifted(2), b3.shifted(3)],
        index: index.plus(&Integer::of(1, 0)),
        depth,
    };
    (left, right)
}

/// The root of a cubic in an interval that contains exactly one.
fn root<L: Limbs>(f: &Polynomial<L>, degree: usize, part: &Part<L>) -> Root<L> {
    let mut signs = part.b.iter().map(Integer::sign);
    let before = signs.find(|s| !s.is_zero()).unwrap_or(Sign::Zero);
    let exponent = part.b.iter().map(Integer::bits).max().unwrap_or(0);
    let b = part.b.each_ref().map(|c| c.to_f64(exponent));
    let (near, _) = rounded_root(&b, before == Sign::Positive);
    Root::new(f, degree, (&part.index, part.depth), before, near)
}

/// The approximate root, in floats, between 0 and 1 of a cubic with Bernstein coefficients `b`, and
/// the slope there. `is_falling` is whether the cubic goes from positive to negative at the root.
#[inline]
pub(super) fn rounded_root(b: &[f64; 4], is_falling: bool) -> (f64, f64) {
    let (mut low, mut high) = (0.0, 1.0);
    // The root of the line through both ends.
    let mut s = match b[0] * b[3] < 0.0 {
        true => b[0] / (b[0] - b[3]),
        false => 0.5,
    };
    let mut slope = b[3] - b[0];
    for _ in 0..60 {
        let r = 1.0 - s;
        let c = [
            r * b[0] + s * b[1],
            r * b[1] + s * b[2],
            r * b[2] + s * b[3],
        ];
        let d = [r * c[0] + s * c[1], r * c[1] + s * c[2]];
        let value = r * d[0] + s * d[1];
        match (value > 0.0) == is_falling {
            true => low = s,
            false => high = s,
        }
        slope = 3.0 * (d[1] - d[0]);
        let newton = s - value / slope;
        let next = match newton > low && newton < high {
            true => newton,
            false => 0.5 * (low + high),
        };
        if (next - s).abs() <= 4.0 * f64::EPSILON * next {
            return (next, slope);
        }
        s = next;
    }
    (s, slope)
}

#[cfg(test)]
mod tests {
    use super::super::algebraic_time::WIDTH;
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

    /// Brackets of all roots of a cubic between 0 and 1.
    fn brackets(f: [i64; 4]) -> Vec<(f64, f64)> {
        let mut found = Vec::new();
        roots(&polynomial(f), |moment| {
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
    fn roots_come_in_order_and_in_their_brackets() {
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
            roots(&f, |moment| {
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

    /// Two roots with no float between them are isolated by halving.
    #[test]
    fn roots_that_floats_do_not_separate() {
        // (t - 1/3)² - 2^-120, times 9 * 2^120.
        let big = |x: i128, shift: u32| Integer::<Vec<u64>>::of(x, shift);
        let constant = big(1, 120).minus(&big(9, 0));
        let f = [constant, big(-6, 120), big(9, 120), Integer::ZERO];
        // The sign of t - 1/3 identifies the root.
        let g = [big(-1, 0), big(3, 0), Integer::ZERO];
        let mut seen = Vec::new();
        roots(&f, |moment| {
            seen.push(moment.sign_of(&g));
            let (low, high) = moment.bracket();
            assert!(low <= 1.0 / 3.0 && high >= 1.0 / 3.0 && high - low < 1e-12);
            false
        })
        .unwrap();
        assert_eq!(seen, [Sign::Negative, Sign::Positive]);
    }
}
