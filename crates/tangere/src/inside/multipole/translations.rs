//! Translations of expansions: to a parent (23), to a place far away (24), to a
//! child (25) of `muth2006`. O(p^4) each, eight at once.
//!
//! Lengths in moments are in units of the radius of their cluster, those in local
//! expansions in units of the radius of their cell, so that nothing overflows: a
//! moment of degree `n` is measured in `radius^(n+1)`, a local coefficient in
//! `radius^-n`. A conversion over a distance `R` needs `(radius / R)^(n+1)` and
//! `(radius / R)^n`, all below 1.
//!
//! Local coefficients are kept conjugated, so that both kinds of expansion are
//! evaluated alike.
//!
//! *Deviates:* the sum in (24) ends at the degree of the moments.

use super::harmonics::{Complex, IRREGULAR, MOST, REGULAR, count, count_all, index, spread};
use crate::simd::{LANES, RealKernel, Reals};

/// Coefficients of eight expansions.
pub(super) type Lanes = [[f64; LANES]; 2];

/// Moments about the centres of eight clusters become those about the centres of
/// their parents.
pub(super) struct Upward<'a> {
    pub(super) degree: usize,
    /// Radii in units of the parents'.
    pub(super) ratios: &'a [f64; LANES],
    /// From the parents' centres, in units of their radii.
    pub(super) shifts: &'a [[f64; LANES]; 3],
    pub(super) moments: &'a mut [Lanes],
}

impl RealKernel for Upward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let p = self.degree;
        let zero = [V::splat(0.0); 2];
        let mut half = [zero; count(MOST)];
        let mut moments = [zero; count_all(MOST)];
        let mut shifts = [zero; count_all(MOST)];
        let ratio = V::load(self.ratios);
        let mut power = ratio;
        for n in 0..=p {
            for m in 0..=n {
                let [re, im] = &self.moments[index(n, m)];
                half[index(n, m)] = [V::load(re) * power, V::load(im) * power];
            }
            power = power * ratio;
        }
        spread(p, &half, &mut moments);
        let at = self.shifts.each_ref().map(|lanes| V::load(lanes));
        let square = at[0].mul_add(at[0], at[1].mul_add(at[1], at[2] * at[2]));
        REGULAR.all(p, at, square, V::splat(1.0), &mut half);
        spread(p, &half, &mut shifts);
        for n in 0..=p {
            for m in 0..=n {
                let mut sum = zero;
                for s in 0..=n {
                    let rest = n - s;
                    // |t| <= s and |m - t| <= n - s
                    let low = (m as isize - rest as isize).max(-(s as isize));
                    let high = (m + rest).min(s) as isize;
                    let from = (s * s + s) as isize;
                    let to = (rest * rest + rest + m) as isize;
                    for t in low..=high {
                        let a = shifts[(from + t) as usize];
                        let b = moments[(to - t) as usize];
                        sum[0] = a[1].neg_mul_add(b[1], a[0].mul_add(b[0], sum[0]));
                        sum[1] = a[1].mul_add(b[0], a[0].mul_add(b[1], sum[1]));
                    }
                }
                let out = &mut self.moments[index(n, m)];
                sum[0].store(&mut out[0]);
                sum[1].store(&mut out[1]);
            }
        }
    }
}

/// Moments of eight clusters become a local expansion, which is added to one of a
/// cell.
pub(super) struct Across<'a> {
    pub(super) degree: usize,
    /// From the clusters' centres to the cell's, any number but 0 in unused lanes.
    pub(super) shifts: &'a [[f64; LANES]; 3],
    /// Radii of the clusters.
    pub(super) radii: &'a [f64; LANES],
    /// The radius of the cell.
    pub(super) radius: f64,
    /// Moments, all 0 in unused lanes.
    pub(super) moments: [&'a [Complex]; LANES],
    pub(super) local: &'a mut [Complex],
}

impl RealKernel for Across<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let p = self.degree;
        let zero = [V::splat(0.0); 2];
        let one = V::splat(1.0);
        let shifts = self.shifts.each_ref().map(|lanes| V::load(lanes));
        let [x, y, z] = shifts;
        let distance = x.mul_add(x, y.mul_add(y, z * z)).sqrt();
        let inverse = one.div(distance);
        let mut half = [zero; count(2 * MOST)];
        let mut irregular = [zero; count_all(2 * MOST)];
        // On the unit sphere, so inversion changes nothing.
        IRREGULAR.all(2 * p, shifts.map(|x| x * inverse), one, one, &mut half);
        spread(2 * p, &half, &mut irregular);

        let mut moments = [zero; count_all(MOST)];
        let ratio = V::load(self.radii) * inverse;
        let mut power = ratio;
        for n in 0..=p {
            for m in 0..=n {
                let mut lanes: Lanes = [[0.0; LANES]; 2];
                for lane in 0..LANES {
                    let [re, im] = self.moments[lane][index(n, m)];
                    lanes[0][lane] = re;
                    lanes[1][lane] = im;
                }
                let [re, im] = lanes.each_ref().map(|lanes| V::load(lanes) * power);
                half[index(n, m)] = [re, im];
            }
            power = power * ratio;
        }
        spread(p, &half, &mut moments);

        let ratio = V::splat(self.radius) * inverse;
        let mut power = one;
        for n in 0..=p {
            for m in 0..=n {
                // The sum of S[n+s,m+t] conj(M[s,t]).
                let mut sum = zero;
                for s in 1..=p {
                    let to = n + s;
                    let irregular = &irregular[to * to + to + m - s..][..2 * s + 1];
                    let moments = &moments[s * s..][..2 * s + 1];
                    for (a, b) in irregular.iter().zip(moments) {
                        sum[0] = a[1].mul_add(b[1], a[0].mul_add(b[0], sum[0]));
                        sum[1] = a[0].neg_mul_add(b[1], a[1].mul_add(b[0], sum[1]));
                    }
                }
                let sign = if n % 2 == 0 { power } else { V::splat(0.0) - power };
                let out = &mut self.local[index(n, m)];
                out[0] += (sum[0] * sign).sum();
                out[1] += (sum[1] * sign).sum();
            }
            power = power * ratio;
        }
    }
}

/// A local expansion about the centre of a cell becomes those about the centres of
/// eight others within it.
pub(super) struct Downward<'a> {
    pub(super) degree: usize,
    pub(super) local: &'a [Complex],
    /// From the cell's centre, in units of its radius.
    pub(super) shifts: &'a [[f64; LANES]; 3],
    /// Radii in units of the cell's.
    pub(super) ratios: &'a [f64; LANES],
    pub(super) out: &'a mut [Lanes],
}

impl RealKernel for Downward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let p = self.degree;
        let zero = [V::splat(0.0); 2];
        let mut half = [zero; count(MOST)];
        let mut local = [zero; count_all(MOST)];
        let mut shifts = [zero; count_all(MOST)];
        for (to, from) in half.iter_mut().zip(&self.local[..count(p)]) {
            *to = from.map(V::splat);
        }
        spread(p, &half, &mut local);
        let at = self.shifts.each_ref().map(|lanes| V::load(lanes));
        let square = at[0].mul_add(at[0], at[1].mul_add(at[1], at[2] * at[2]));
        REGULAR.all(p, at, square, V::splat(1.0), &mut half);
        spread(p, &half, &mut shifts);
        let ratio = V::load(self.ratios);
        let mut power = V::splat(1.0);
        for n in 0..=p {
            for m in 0..=n {
                // The sum of conj(R[s-n,t-m]) L[s,t], both conjugated.
                let mut sum = zero;
                for s in n..=p {
                    let rest = s - n;
                    let shifts = &shifts[rest * rest..][..2 * rest + 1];
                    let local = &local[s * s + s + m - rest..][..2 * rest + 1];
                    for (a, b) in shifts.iter().zip(local) {
                        sum[0] = a[1].mul_add(b[1], a[0].mul_add(b[0], sum[0]));
                        sum[1] = a[1].neg_mul_add(b[0], a[0].mul_add(b[1], sum[1]));
                    }
                }
                let out = &mut self.out[index(n, m)];
                (sum[0] * power).store(&mut out[0]);
                (sum[1] * power).store(&mut out[1]);
            }
            power = power * ratio;
        }
    }
}
