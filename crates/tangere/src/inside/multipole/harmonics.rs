//! Solid harmonics: regular ones `R` and irregular ones `S`, eqs. (14) and (15)
//! of `muth2006`, by recurrences that are stable upward in the degree.
//!
//! For a point `(x, y, z)` at the distance `r` from the origin, with `e = x + iy`, degree `n` and
//! order `m`, they follow from the recurrences of the Legendre functions:
//!
//! ```text
//! R[0,0] = 1                    S[0,0] = 1 / r
//! R[m,m] = e / (2m) R[m-1,m-1]  S[m,m] = (2m - 1) e / r^2 S[m-1,m-1]
//! (n+m)(n-m) R[n,m] = (2n-1) z R[n-1,m] - r^2 R[n-2,m]
//!        r^2 S[n,m] = (2n-1) z S[n-1,m] - ((n-1)^2 - m^2) S[n-2,m]
//! ```
//!
//! So both kinds follow one recurrence, that of `S` in the inverted point `(x, y, z) / r^2`.
//! Coefficients of real fields are kept for orders `m >= 0` alone, degree by degree, so that those
//! up to a lower degree come first ([`index`]).
//!
//! *Deviates:* (14) and (15) define negative orders as conjugates. The translations (23) to (25)
//! hold if these have the sign `(-1)^m` as well, which (13) allows since it has products of two
//! harmonics; this sign is used here ([`spread`]).

use crate::simd::{Reals, Wide};

/// The largest degree `p` of multipole and local expansions. Conversions between them use irregular
/// harmonics up to twice the degree, which grow as `(4p - 1)!!`, and their squares must not
/// overflow.
pub(super) const MOST: usize = 30;

/// A complex number, its real part first.
pub(super) type Complex = [f64; 2];

/// The index of the harmonic of degree `n` and order `m >= 0`, or of its coefficient, in a list
/// that is sorted by degree, then by order.
#[inline(always)]
pub(super) const fn index(n: usize, m: usize) -> usize {
    n * (n + 1) / 2 + m
}

/// The number of harmonics of degrees up to `p`, without those of negative orders.
#[inline(always)]
pub(super) const fn count(p: usize) -> usize {
    index(p + 1, 0)
}

/// The number of harmonics of degrees up to `p`, of all orders, negative ones included.
pub(super) const fn count_all(p: usize) -> usize {
    (p + 1) * (p + 1)
}

/// The factors of the recurrence by which solid harmonics, regular or irregular, follow from those
/// of lower degrees.
#[derive(Debug)]
pub(super) struct Recurrence {
    /// Entry `m` is the factor of the recurrence from the harmonic of degree and order `m - 1` to
    /// that of degree and order `m`.
    diagonal: [f64; 2 * MOST + 1],
    /// For each degree and order, two factors of the recurrence: of the harmonic one degree lower
    /// and of that two degrees lower, both of the same order.
    steps: [[f64; 2]; count(2 * MOST)],
}

/// The recurrence of regular harmonics.
pub(super) static REGULAR: Recurrence = Recurrence::new(true);
/// The recurrence of irregular harmonics.
pub(super) static IRREGULAR: Recurrence = Recurrence::new(false);

impl Recurrence {
    /// The recurrence of regular or irregular solid harmonics.
    const fn new(is_regular: bool) -> Self {
        let mut diagonal = [0.0; 2 * MOST + 1];
        let mut steps = [[0.0; 2]; count(2 * MOST)];
        let mut n = 1;
        while n <= 2 * MOST {
            let double = (2 * n - 1) as f64;
            diagonal[n] = if is_regular {
                1.0 / (2 * n) as f64
            } else {
                double
            };
            let mut m = 0;
            while m < n {
                steps[index(n, m)] = if is_regular {
                    let divisor = ((n + m) * (n - m)) as f64;
                    [double / divisor, 1.0 / divisor]
                } else {
                    let square = (n - 1) * (n - 1) - m * m;
                    [double, square as f64]
                };
                m += 1;
            }
            n += 1;
        }
        Recurrence { diagonal, steps }
    }

    /// The solid harmonic of degree `m` and order `m` at a point, from `[re, im]`, that of degree
    /// and order `m - 1`. `[x, y]` are coordinates of the point or, for irregular harmonics, of the
    /// inverted point.
    #[inline(always)]
    fn next_diagonal<V: Reals>(&self, m: usize, [re, im]: [V; 2], [x, y]: [V; 2]) -> [V; 2] {
        let d = V::splat(self.diagonal[m]);
        let [x, y] = [x * d, y * d];
        [im.neg_mul_add(y, re * x), re.mul_add(y, im * x)]
    }

    /// Writes all solid harmonics of a point up to degree `p` to `out`. `square` is the squared
    /// length of the vector `[x, y, z]`, `first` the harmonic of degree 0. For regular harmonics
    /// this vector is the point, for irregular ones the inverted point, `(x, y, z) / r^2`.
    #[inline(always)]
    pub(super) fn all<V: Reals>(
        &self,
        p: usize,
        [x, y, z]: [V; 3],
        square: V,
        first: V,
        out: &mut [Wide],
    ) {
        let out = &mut out[..count(p)];
        let mut diagonal = [first, V::splat(0.0)];
        for m in 0..=p {
            if m > 0 {
                diagonal = self.next_diagonal(m, diagonal, [x, y]);
            }
            let (mut last, mut before) = (diagonal, [V::splat(0.0); 2]);
            out[index(m, m)].store(last);
            for n in m + 1..=p {
                let [a, b] = self.steps[index(n, m)];
                let (a, b) = (V::splat(a) * z, V::splat(b) * square);
                let next = [
                    before[0].neg_mul_add(b, last[0] * a),
                    before[1].neg_mul_add(b, last[1] * a),
                ];
                (before, last) = (last, next);
                out[index(n, m)].store(next);
            }
        }
    }

    /// The real part of the sum, over degrees up to `p` and all orders, of `coefficients` times the
    /// conjugated solid harmonics of a point. `[x, y, z]`, `square` and `first` have the same
    /// meaning as for [`Recurrence::all`].
    #[inline(always)]
    pub(super) fn sum<V: Reals>(
        &self,
        p: usize,
        coefficients: &[Complex],
        [x, y, z]: [V; 3],
        square: V,
        first: V,
    ) -> V {
        let zero = V::splat(0.0);
        let coefficients = &coefficients[..count(p)];
        let mut total = zero;
        let mut diagonal = [first, zero];
        for m in 0..=p {
            if m > 0 {
                diagonal = self.next_diagonal(m, diagonal, [x, y]);
            }
            // Relative to the diagonal, harmonics of an order are real.
            let (mut last, mut before) = (V::splat(1.0), zero);
            let [re, im] = coefficients[index(m, m)];
            let mut sums = [V::splat(re), V::splat(im)];
            for n in m + 1..=p {
                let [a, b] = self.steps[index(n, m)];
                let part = V::splat(a) * z * last;
                let next = (V::splat(b) * square).neg_mul_add(before, part);
                (before, last) = (last, next);
                let [re, im] = coefficients[index(n, m)];
                sums[0] = next.mul_add(V::splat(re), sums[0]);
                sums[1] = next.mul_add(V::splat(im), sums[1]);
            }
            let part = diagonal[0].mul_add(sums[0], diagonal[1] * sums[1]);
            // Order -m adds the same.
            total = if m == 0 {
                part
            } else {
                part.mul_add(V::splat(2.0), total)
            };
        }
        total
    }
}

/// Extends coefficients of harmonics of orders 0 and above to all orders. In the result, degree `n`
/// and order `m` have the index `n^2 + n + m`.
#[inline(always)]
pub(super) fn spread<V: Reals>(p: usize, from: &[Wide], to: &mut [Wide]) {
    let zero = V::splat(0.0);
    let (from, to) = (&from[..count(p)], &mut to[..count_all(p)]);
    for n in 0..=p {
        let middle = n * n + n;
        for m in 0..=n {
            let [re, im] = from[index(n, m)].load::<V>();
            to[middle + m].store([re, im]);
            if m > 0 {
                to[middle - m].store(if m % 2 == 0 {
                    [re, zero - im]
                } else {
                    [zero - re, im]
                });
            }
        }
    }
}

/// The weight `(n - m)! (n + m)!` of the harmonic of degree `n` and order `m`. With it the weighted
/// sum of squared coefficients of a degree is invariant under rotation.
pub(super) fn weight(n: usize, m: usize) -> f64 {
    let factorial = |k: usize| (1..=k).fold(1.0, |product, i| product * i as f64);
    factorial(n - m) * factorial(n + m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{LANES, RealKernel, run_reals};

    /// The kernel `1 / |x - y|` as the sum (13) of `muth2006` over products of harmonics up to
    /// degree `p`.
    struct Expanded {
        p: usize,
        x: [f64; 3],
        y: [f64; 3],
    }

    impl RealKernel for Expanded {
        type Output = f64;
        #[inline(always)]
        fn run<V: Reals>(self) -> f64 {
            let square = |x: [f64; 3]| x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
            let length = square(self.y);
            let inverted = self.y.map(|k| V::splat(k / length));
            let mut irregular = [Wide::default(); count(MOST)];
            IRREGULAR.all(
                self.p,
                inverted,
                V::splat(1.0 / length),
                V::splat(1.0 / length.sqrt()),
                &mut irregular,
            );
            let coefficients: Vec<Complex> = irregular
                .iter()
                .map(|pair| pair.0.map(|lanes| lanes[3]))
                .collect();
            let point = self.x.map(V::splat);
            let one = V::splat(1.0);
            let sum = REGULAR.sum(self.p, &coefficients, point, V::splat(square(self.x)), one);
            let mut out = [0.0; LANES];
            sum.store(&mut out);
            out[5]
        }
    }

    #[test]
    fn the_kernel_is_the_sum_of_its_expansion() {
        let x = [0.3, -0.2, 0.1];
        let y = [-0.7, 0.9, 1.1];
        let distance = f64::sqrt(1.0 + 1.1 * 1.1 + 1.0);
        let mut last = f64::INFINITY;
        for p in [2, 6, 12, 30] {
            let error = (run_reals(Expanded { p, x, y }) * distance - 1.0).abs();
            assert!(error < 0.5f64.powi(p as i32).max(1e-14), "{p}: {error:e}");
            assert!(error <= last.max(1e-15));
            last = error;
        }
    }

    #[test]
    fn the_largest_degree_does_not_overflow() {
        assert!(weight(MOST, MOST).is_finite());
        let double = (1..=2 * MOST).fold(1.0, |product, k| product * (2 * k - 1) as f64);
        assert!((double * double).is_finite());
    }
}
