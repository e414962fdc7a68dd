//! Sphere-sphere intersection: volume and moments of the lens in closed form.
//!
//! Let the centres be `d` apart. The circle in which the spheres meet lies in the plane at the
//! distances
//!
//! ```text
//! x = (d² + r² - s²) / (2 d),   y = d - x
//! ```
//!
//! from the centres of the spheres of radii `r` and `s`. The plane cuts the lens into a cap of each
//! sphere, of heights `h = r - x` and `k = s - y` and volumes `π/3 h² (3r - h)` and
//! `π/3 k² (3s - k)`. Where one sphere lies in the other, the plane misses both; `x` and `y`,
//! clamped to the radii, then give all of the smaller sphere and nothing of the larger one. The
//! first moment of each cap about its sphere's centre is `π/4 a⁴`, with `a` the radius of the
//! circle, and the two moments have opposite directions. They cancel, so the lens is balanced as if
//! its caps were at the centres of their spheres,
//!
//! ```text
//! ∫ p dV = c V(cap of r) + c' V(cap of s).
//! ```

use crate::simd::{Reals, run_one};

/// If the distance of the centres is below this fraction of the smaller radius, then the force
/// fades out as the centres approach each other.
pub(super) const FADE: f64 = 0.125;

/// The least distance of centres that computations use, as a fraction of the sum of the radii, so
/// that nothing is divided by 0.
const LEAST: f64 = 1e-18;

/// The lens: the intersection of two spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// The volume of the lens.
    pub volume: f64,
    /// The volumes of the two caps into which the plane of the common circle cuts the lens: that of
    /// the first sphere, then that of the second. The centroid of the lens is the mean of the
    /// spheres' centres, weighted by these volumes.
    pub caps: [f64; 2],
    /// The factor of the force: the force is this number times the vector from the first centre to
    /// the second. It is the volume divided by the distance of the centres, or by an eighth of the
    /// smaller radius if that is more.
    pub push: f64,
}

/// Returns the lens, the intersection of two spheres of these radii whose centres are `distance`
/// apart; all of its numbers are 0 where the spheres do not overlap.
///
/// ```
/// use std::f64::consts::PI;
/// use tangere::overlap::lens;
///
/// // Two unit spheres through each other's centres.
/// let found = lens(1.0, [1.0, 1.0]);
/// assert!((found.volume - 5.0 / 12.0 * PI).abs() < 1e-15);
/// // One sphere in the other.
/// assert!((lens(0.25, [2.0, 0.5]).volume - PI / 6.0).abs() < 1e-15);
/// assert_eq!(lens(3.0, [1.0, 1.0]).volume, 0.0);
/// ```
pub fn lens(distance: f64, radii: [f64; 2]) -> Lens {
    run_one(Alone { distance, radii })
}

/// The kernel that computes a single lens.
struct Alone {
    distance: f64,
    radii: [f64; 2],
}

impl crate::simd::RealKernel for Alone {
    type Output = Lens;
    #[inline(always)]
    fn run<V: Reals>(self) -> Lens {
        let [r, s] = self.radii;
        let parts = lenses::<V>(
            V::splat(self.distance * self.distance),
            V::splat(r),
            V::splat(s),
        );
        let [first, second, push] = [parts[0], parts[1], parts[2]].map(|v| {
            let mut lanes = [0.0; crate::simd::LANES];
            v.store(&mut lanes);
            lanes[0]
        });
        Lens {
            volume: first + second,
            caps: [first, second],
            push,
        }
    }
}

/// Returns eight lenses (sphere-sphere intersections), from the squared distances of the centres
/// and the radii `r` and `s`: the volumes of the caps of the first spheres, those of the second
/// spheres, and [`Lens::push`].
#[inline(always)]
pub(super) fn lenses<V: Reals>(squared: V, r: V, s: V) -> [V; 3] {
    let zero = V::splat(0.0);
    let third = V::splat(std::f64::consts::FRAC_PI_3);
    let both = r + s;
    // Coinciding centres are taken as this far apart: equal spheres then halve their lens.
    let distance = squared.sqrt().max(both * V::splat(LEAST));
    let depth = (both - distance).max(zero);
    // `h = r - x = (r + s - d) (d + s - r) / (2 d)` is a product, in which nothing cancels.
    let ratio = depth * V::splat(0.5).div(distance);
    let h = (ratio * (distance + (s - r))).max(zero).min(r + r);
    let k = (ratio * (distance + (r - s))).max(zero).min(s + s);
    let three = V::splat(3.0);
    let first = third * h * h * (three * r - h);
    let second = third * k * k * (three * s - k);
    let push = (first + second).div(distance.max(V::splat(FADE) * r.min(s)));
    [first, second, push]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Returns the volume of the lens, and its first moment along the line of centres, by a sum
    /// over slices.
    fn slices(d: f64, [r, s]: [f64; 2]) -> [f64; 2] {
        let (from, to) = ((-r).max(d - s), r.min(d + s));
        let count = 200_000;
        let step = (to - from).max(0.0) / f64::from(count);
        (0..count).fold([0.0; 2], |[volume, moment], i| {
            let x = from + (f64::from(i) + 0.5) * step;
            let area = PI * (r * r - x * x).min(s * s - (x - d) * (x - d)).max(0.0);
            [volume + area * step, moment + area * step * x]
        })
    }

    #[test]
    fn lenses_are_what_slices_add_up_to() {
        for radii in [[1.0, 1.0], [1.0, 0.3], [0.2, 1.0], [1.0, 0.999]] {
            for tenth in 0..25 {
                let d = f64::from(tenth) * 0.1;
                let found = lens(d, radii);
                let [volume, moment] = slices(d, radii);
                assert!((found.volume - volume).abs() < 1e-8, "{radii:?} {d}");
                assert!((found.caps[1] * d - moment).abs() < 1e-8, "{radii:?} {d}");
            }
        }
    }

    #[test]
    fn shallow_lenses_keep_their_digits() {
        // π depth² (d² + 4d) / (12 d) with d = 2 - depth.
        let depth = 2f64.powi(-30);
        let found = lens(2.0 - depth, [1.0, 1.0]).volume;
        let exact = PI * depth * depth * (6.0 - depth) / 12.0;
        assert!((found / exact - 1.0).abs() < 1e-14, "{found} {exact}");
    }

    #[test]
    fn ends_meet() {
        for [r, s] in [[1.0, 1.0], [1.0, 0.5]] {
            let whole = 4.0 / 3.0 * PI * f64::min(r, s).powi(3);
            assert!((lens(0.0, [r, s]).volume / whole - 1.0).abs() < 1e-15);
            assert!((lens(r - s, [r, s]).volume / whole - 1.0).abs() < 1e-15);
            assert_eq!(lens(r + s, [r, s]), lens(1e9, [r, s]));
            assert!(lens(0.0, [r, s]).push.is_finite());
        }
    }
}
