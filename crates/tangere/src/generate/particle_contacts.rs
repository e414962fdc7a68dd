//! Density of random particles for a given number of contacts: how large a box must be for each
//! particle to touch a given number of others. Cost: linear in the number of particles.
//!
//! Two random points in a cube of edge 1 are at most `s <= 1` apart with the probability (Philip
//! 2007, the integral of the density of line picking)
//!
//! ```text
//! square  pi s^2 - 8/3 s^3 + 1/2 s^4
//! cube    4/3 pi s^3 - 3/2 pi s^4 + 8/5 s^5 - 1/6 s^6
//! ```
//!
//! The first term is the volume of the ball; the others are the parts that the walls cut off.
//! Particles of diameters `d_i` and `d_j` touch up to `s = (d_i + d_j) / 2`. The sum of powers of
//! `s` over all pairs follows from the sums of powers of the diameters. These are the diameters
//! that the seed will draw, because with very different sizes the few largest particles have most
//! of the contacts, and their number varies much.

use std::f64::consts::PI;

use super::ParticleBox;
use crate::error::{Argument, Error, Result, number};

/// The number of coefficients of a probability (head of this file): for the powers of the distance
/// `s` from 0 to 6.
const POWERS: usize = 7;

/// The probability that two random points in a square of edge 1 are at most `s` apart, as the
/// coefficients of the powers of `s`.
const SQUARE: [f64; POWERS] = [0.0, 0.0, PI, -8.0 / 3.0, 0.5, 0.0, 0.0];
/// The probability that two random points in a cube of edge 1 are at most `s` apart, as the
/// coefficients of the powers of `s`.
const CUBE: [f64; POWERS] = [0.0, 0.0, 0.0, 4.0 / 3.0 * PI, -1.5 * PI, 1.6, -1.0 / 6.0];

impl ParticleBox {
    /// Returns these settings of particles with the density at which a particle touches `contacts`
    /// others on average: the expected number of touching pairs is `count * contacts / 2`. The huge
    /// particle is not counted.
    ///
    /// # Errors
    /// In other than two or three dimensions, when a setting is invalid (see
    /// [`particles()`](super::particles())), when the number of contacts is not
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
            _ => return Err(Error::argument(Argument::Dimension, dimension, "2 or 3")),
        };
        self.check(dimension)?;
        let largest = self.drawn(dimension).fold(0.0, f64::max);
        // From here on, lengths are in units of the largest diameter.
        let mut sums = [0.0; POWERS];
        for diameter in self.drawn(dimension) {
            let mut power = 1.0;
            for sum in &mut sums {
                *sum += power;
                power *= diameter / largest;
            }
        }
        let terms: [f64; POWERS] = std::array::from_fn(|k| chances[k] * over_pairs(&sums, k));
        let expected = |edge: f64| {
            let power = |(k, term): (usize, &f64)| term / libm::pow(edge, k as f64);
            let pairs: f64 = terms.iter().enumerate().map(power).sum();
            2.0 * pairs / self.count as f64
        };
        let most = if largest > 0.0 { expected(1.0) } else { 0.0 };
        if !(contacts > 0.0 && contacts <= most) {
            return Err(Error::argument(
                Argument::Contacts,
                number(contacts),
                format!(
                    "above 0 and at most {}, what {} such particles have in a box as large as \
                     the largest of them",
                    number(most),
                    self.count
                ),
            ));
        }
        // The expectation falls from `most` to 0 as the box grows: the logarithm of the edge is
        // bisected until neighbouring numbers are left.
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
}

/// Returns the sum of `((t_i + t_j) / 2)^k` over all pairs of particles, from which their contacts
/// follow, computed from the sums of the powers of the diameters `t`: half of the sum over all `i`
/// and `j` without those where `i = j`.
fn over_pairs(sums: &[f64; POWERS], k: usize) -> f64 {
    let mut all = 0.0;
    let mut binomial = 1.0;
    for m in 0..=k {
        all += binomial * sums[m] * sums[k - m];
        binomial *= (k - m) as f64 / (m + 1) as f64;
    }
    0.5 * (all / f64::from(1u32 << k) - sums[k])
}
