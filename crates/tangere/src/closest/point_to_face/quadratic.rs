//! Quadratic function: its minimum on the reference domain of a face, which is a segment, a
//! triangle or a square; exact up to rounding.
//!
//! If the unconstrained minimum is in the domain, it is the answer. Otherwise the answer is on the
//! border. From there the function decreases along the segment to the unconstrained minimum, so the
//! segment leaves the domain at once: the answer is on a side beyond which the unconstrained
//! minimum lies. So at most two sides are tried.

use super::lane_vectors::{clamped, selected};
use super::polynomial::Domain;
use crate::simd::Reals;

/// The convex quadratic function `g . p + p . H p / 2` with gradient `g` and Hessian `H`. The
/// vector `p` goes from a given point of the reference domain to the point where the function is
/// evaluated.
#[derive(Clone, Copy, Debug)]
pub(in crate::closest) struct Quadratic<V> {
    pub gradient: [V; 2],
    /// The Hessian `H` as `H_uu, H_uv, H_vv`; positive definite.
    pub hessian: [V; 3],
}

impl<V: Reals> Quadratic<V> {
    /// The value of the quadratic function at `place` in the reference domain. `from` is the point
    /// of the domain at which the function is 0 and its gradient is given.
    #[inline(always)]
    fn value(&self, from: [V; 2], place: [V; 2]) -> V {
        let (p, q) = (place[0] - from[0], place[1] - from[1]);
        let [g, f] = self.gradient;
        let [h, k, l] = self.hessian;
        let half = V::splat(0.5);
        let along_p = (half * h).mul_add(p, k.mul_add(q, g));
        let along_q = (half * l).mul_add(q, f);
        along_p.mul_add(p, along_q * q)
    }

    /// The point of the reference domain where the quadratic function is least. `from` is the point
    /// of the domain at which the function is 0 and its gradient is given.
    #[inline(always)]
    pub fn least(&self, domain: Domain, from: [V; 2]) -> [V; 2] {
        match domain {
            Domain::Segment => {
                let u = from[0] - self.gradient[0].div(self.hessian[0]);
                [clamped(u, -1.0, 1.0), V::splat(0.0)]
            }
            Domain::Triangle => self.least_on_triangle(from),
            Domain::Square => self.least_on_square(from),
        }
    }

    /// The unconstrained minimum of the quadratic function, where its gradient vanishes; it may lie
    /// outside the reference domain. `from` is the point at which the gradient is given.
    #[inline(always)]
    fn free(&self, from: [V; 2]) -> [V; 2] {
        let [g, f] = self.gradient;
        let [h, k, l] = self.hessian;
        let inverse = V::splat(1.0).div(k.neg_mul_add(k, h * l));
        [
            f.neg_mul_add(k, g * l).neg_mul_add(inverse, from[0]),
            g.neg_mul_add(k, f * h).neg_mul_add(inverse, from[1]),
        ]
    }

    /// The `u` of the minimum of the quadratic function along the line of the reference domain with
    /// this `v`. `from` is the point at which the gradient is given.
    #[inline(always)]
    fn along_u(&self, from: [V; 2], v: V) -> V {
        let slope = self.hessian[1].mul_add(v - from[1], self.gradient[0]);
        from[0] - slope.div(self.hessian[0])
    }

    /// The `v` of the minimum of the quadratic function along the line of the reference domain with
    /// this `u`. `from` is the point at which the gradient is given.
    #[inline(always)]
    fn along_v(&self, from: [V; 2], u: V) -> V {
        let slope = self.hessian[1].mul_add(u - from[0], self.gradient[1]);
        from[1] - slope.div(self.hessian[2])
    }

    /// The minimum of the quadratic function on the square, a reference domain. `from` is the point
    /// at which the gradient is given.
    #[inline(always)]
    fn least_on_square(&self, from: [V; 2]) -> [V; 2] {
        let one = V::splat(1.0);
        let free = self.free(from);
        let (beyond_u, beyond_v) = (one.below(free[0].abs()), one.below(free[1].abs()));
        if V::bits(V::or(beyond_u, beyond_v)) == 0 {
            return free;
        }
        let (u, v) = (clamped(free[0], -1.0, 1.0), clamped(free[1], -1.0, 1.0));
        let on_u = [u, clamped(self.along_v(from, u), -1.0, 1.0)];
        let on_v = [clamped(self.along_u(from, v), -1.0, 1.0), v];
        let is_less = self.value(from, on_v).below(self.value(from, on_u));
        let worse = V::and(beyond_v, is_less);
        let take_u = V::and_not(beyond_u, worse);
        let take_v = V::and_not(beyond_v, take_u);
        selected(take_u, on_u, selected(take_v, on_v, free))
    }

    /// The minimum of the quadratic function on the triangle, a reference domain. `from` is the
    /// point at which the gradient is given.
    #[inline(always)]
    fn least_on_triangle(&self, from: [V; 2]) -> [V; 2] {
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let free = self.free(from);
        let below_u = free[0].below(zero);
        let below_v = free[1].below(zero);
        let above = one.below(free[0] + free[1]);
        let outside = V::or(V::or(below_u, below_v), above);
        if V::bits(outside) == 0 {
            return free;
        }
        let on_u = [zero, clamped(self.along_v(from, zero), 0.0, 1.0)];
        let on_v = [clamped(self.along_u(from, zero), 0.0, 1.0), zero];
        // Along (-1, 1) from the corner (1, 0).
        let [h, k, l] = self.hessian;
        let [p, q] = [one - from[0], zero - from[1]];
        let slope_u = h.mul_add(p, k.mul_add(q, self.gradient[0]));
        let slope_v = k.mul_add(p, l.mul_add(q, self.gradient[1]));
        let t = clamped((slope_u - slope_v).div(h - (k + k) + l), 0.0, 1.0);
        let on_sum = [one - t, t];
        let far = V::splat(f64::INFINITY);
        let a = V::select(below_u, self.value(from, on_u), far);
        let b = V::select(below_v, self.value(from, on_v), far);
        let c = V::select(above, self.value(from, on_sum), far);
        let (take_b, take_c) = (b.below(a), c.below(a.min(b)));
        let side = selected(take_c, on_sum, selected(take_b, on_v, on_u));
        selected(outside, side, free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::simd::One;

    /// No point of a grid has a lesser value, and the minimum is in the domain.
    #[test]
    fn least_values_are_the_least() {
        let mut random = Random::new(17);
        for domain in [Domain::Segment, Domain::Triangle, Domain::Square] {
            let inside = |[u, v]: [f64; 2]| match domain {
                Domain::Segment => u.abs() <= 1.0 && v == 0.0,
                Domain::Triangle => u >= 0.0 && v >= 0.0 && u + v <= 1.0,
                Domain::Square => u.abs() <= 1.0 && v.abs() <= 1.0,
            };
            for _ in 0..500 {
                let mut number = || 2.0 * random.unit() - 1.0;
                let (a, b, c) = (number(), number(), 0.1 + number().abs());
                let flat = domain == Domain::Segment;
                // L L^T with a little more.
                let hessian = [a * a + 0.01, a * b, b * b + c * c];
                let hessian = if flat {
                    [hessian[0], 0.0, 1.0]
                } else {
                    hessian
                };
                let gradient = [2.0 * number(), if flat { 0.0 } else { 2.0 * number() }];
                let from = [0.3, if flat { 0.0 } else { 0.4 }].map(One);
                let model = Quadratic {
                    gradient: gradient.map(One),
                    hessian: hessian.map(One),
                };
                let found = model.least(domain, from);
                assert!(inside(found.map(|x| x.0)), "{model:?} {found:?}");
                let least = model.value(from, found).0;
                for i in -20..=20 {
                    for j in -20..=20 {
                        let place = [0.05 * f64::from(i), 0.05 * f64::from(j)];
                        if inside(place) {
                            let value = model.value(from, place.map(One)).0;
                            assert!(value >= least - 1e-12, "{model:?} {found:?} {place:?}");
                        }
                    }
                }
            }
        }
    }
}
