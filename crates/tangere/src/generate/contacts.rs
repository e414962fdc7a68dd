//! The density at which random particles have as many contacts as wanted.
//!
//! Question: how large must a box be for its particles to touch so many others?
//! Cost: constant.
//!
//! Two points thrown into a cube of edge 1 are at most `s <= 1` apart with the
//! probability (Philip 2007, the integral of the density of line picking)
//!
//! ```text
//! square  pi s^2 - 8/3 s^3 + 1/2 s^4
//! cube    4/3 pi s^3 - 3/2 pi s^4 + 8/5 s^5 - 1/6 s^6
//! ```
//!
//! of which the first term is the volume of the ball and the others are what
//! the walls cut off. Particles touch up to `s = (d_i + d_j) / 2`, hence the
//! expectation over sizes needs only the moments of the diameters.

use std::f64::consts::PI;

use super::{ParticleBox, Sizes};
use crate::error::{Error, Result, number};

/// Coefficients of the powers 0 to 6 of `s`.
const SQUARE: [f64; 7] = [0.0, 0.0, PI, -8.0 / 3.0, 0.5, 0.0, 0.0];
const CUBE: [f64; 7] = [0.0, 0.0, 0.0, 4.0 / 3.0 * PI, -1.5 * PI, 1.6, -1.0 / 6.0];

impl ParticleBox {
    /// The same particles at the density at which one of them touches
    /// `contacts` others on average; there are half as many pairs as contacts.
    /// Among a finite number of very different sizes the number found scatters.
    /// A huge particle is not counted.
    ///
    /// # Errors
    /// In other than two or three dimensions, when a setting is none (see
    /// [`particles`](super::particles)), when the number of contacts is not
    /// positive, or so large that the box would be smaller than the largest particle.
    ///
    /// ```
    /// use tangere::generate::{ParticleBox, particles};
    /// let settings = ParticleBox::test_a(3, 1000, 42).with_contacts(3, 2.0)?;
    /// let spheres = particles::<3>(&settings)?;
    /// assert_eq!(spheres.len(), 1000);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    pub fn with_contacts(self, dimension: usize, contacts: f64) -> Result<Self> {
        let chances = match dimension {
            2 => SQUARE,
            3 => CUBE,
            _ => return Err(Error::argument("dimension", dimension, "2 or 3")),
        };
        self.check(dimension)?;
        // Everything below is in units of the largest diameter.
        let largest = self.diameters[1];
        let moments: [f64; 7] = std::array::from_fn(|k| self.moment(k, dimension));
        let terms: [f64; 7] = std::array::from_fn(|k| chances[k] * reach_moment(&moments, k));
        let others = self.count.saturating_sub(1) as f64;
        let expected = |edge: f64| {
            let power = |(k, term): (usize, &f64)| term / libm::pow(edge, k as f64);
            others * terms.iter().enumerate().map(power).sum::<f64>()
        };
        let most = if largest > 0.0 { expected(1.0) } else { 0.0 };
        if !(contacts > 0.0 && contacts <= most) {
            return Err(Error::argument(
                "contacts",
                number(contacts),
                format!(
                    "above 0 and at most {}, the contacts of {} such particles in a box as \
                     large as the largest",
                    number(most),
                    self.count
                ),
            ));
        }
        // The expectation falls from `most` to 0 as the box grows: halve the
        // logarithm of the edge until neighbouring numbers are left.
        let (mut low, mut high) = (1.0, 2.0);
        while expected(high) > contacts && high < f64::MAX.sqrt() {
            (low, high) = (high, high * high);
        }
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            if middle <= low || middle >= high {
                break;
            }
            if expected(middle) > contacts {
                low = middle;
            } else {
                high = middle;
            }
        }
        let edge = low * largest;
        let volume: f64 = std::iter::repeat_n(edge, dimension).product();
        let density = self.count as f64 / volume;
        let settings = ParticleBox { density, ..self };
        settings.check(dimension)?;
        Ok(settings)
    }

    /// The mean of `(d / hi)^k`.
    ///
    /// The number of particles per diameter goes with `d^-(1 + s)`, where
    /// `s = -1` (uniform), `0` (log) or `D` (volume). With `x = ln(hi / lo)` and
    /// `f(q)`, the integral of `t^(q-1)` from `exp(-x)` to 1, the moment is
    /// `f(k - s) / f(-s)`. Written by `f(-q) = exp(q x) f(q)` with positive `q`
    /// only, nothing overflows however small `lo` is.
    fn moment(&self, k: usize, dimension: usize) -> f64 {
        let [lo, hi] = self.diameters;
        let x = libm::log(hi / lo);
        if k == 0 || x == 0.0 || hi == 0.0 {
            return 1.0;
        }
        let s = match self.sizes {
            Sizes::Uniform => -1.0,
            Sizes::Log => 0.0,
            Sizes::Volume => dimension as f64,
        };
        let k = k as f64;
        let integral = |q: f64| match q.abs() {
            0.0 => x,
            q => -libm::expm1(-q * x) / q,
        };
        let factor = if s > 0.0 {
            libm::exp(-x * k.min(s))
        } else {
            1.0
        };
        factor * integral(k - s) / integral(s)
    }
}

/// The mean of `((t_i + t_j) / 2)^k` over independent diameters, by the binomial theorem.
fn reach_moment(moments: &[f64; 7], k: usize) -> f64 {
    let mut sum = 0.0;
    let mut binomial = 1.0;
    for m in 0..=k {
        sum += binomial * moments[m] * moments[k - m];
        binomial *= (k - m) as f64 / (m + 1) as f64;
    }
    sum / f64::from(1u32 << k)
}
