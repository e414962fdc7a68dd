//! Damping of the normal motion: the force `-eta v_n`, for the velocity `v_n` at which bodies part.
//!
//! | law | coefficient `eta` |
//! |---|---|
//! | velocity | `c` |
//! | mass_velocity | `c m` |
//! | viscoelastic | `c m a` |
//! | tsuji, coeff_restitution | `c sqrt(m F_n / d)` |
//!
//! with the effective mass `m`, the contact radius `a`, the elastic force `F_n` and the overlap `d`.
//! For tsuji, `c` is the polynomial of the coefficient of restitution of Marshall 2009, eq. 53, times
//! `sqrt(2)` (Tsuji, Tanaka and Ishida 1992 with the effective mass). For coeff_restitution it is exact:
//! `-2 ln e / sqrt(pi^2 + ln^2 e)` with hooke, `-sqrt(5) ln e / sqrt(pi^2 + ln^2 e)` with Hertz contact.

use crate::vector::zero;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, SQRT_2};
use tangere::simd::Reals;

/// The damping of a contact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Damping {
    /// No damping.
    None,
    /// A constant coefficient.
    Velocity(f64),
    /// A coefficient per effective mass.
    MassVelocity(f64),
    /// A coefficient per effective mass and contact radius.
    Viscoelastic(f64),
    /// A coefficient per root of effective mass and secant stiffness.
    Stiffness(f64),
}

impl Damping {
    /// Damping by Tsuji, from a coefficient of restitution of Hertz contact.
    pub fn tsuji(restitution: f64) -> Self {
        const POLYNOMIAL: [f64; 7] = [1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218];
        let value = POLYNOMIAL.iter().rev();
        let value = value.fold(0.0, |sum, coefficient| sum * restitution + coefficient);
        Self::Stiffness(SQRT_2 * value)
    }

    /// Damping with which a linear spring has a coefficient of restitution.
    pub fn restitution_of_hooke(restitution: f64) -> Self {
        Self::Stiffness(2.0 * damping_ratio(restitution))
    }

    /// Damping with which Hertz contact has a coefficient of restitution.
    pub fn restitution_of_hertz(restitution: f64) -> Self {
        Self::Stiffness(5.0_f64.sqrt() * damping_ratio(restitution))
    }

    /// The coefficient `eta` of contacts with these effective masses, contact radii and secant
    /// stiffnesses.
    #[inline(always)]
    pub(super) fn coefficient<V: Reals>(&self, mass: V, contact_radius: V, secant: V) -> V {
        match *self {
            Self::None => zero(),
            Self::Velocity(c) => V::splat(c),
            Self::MassVelocity(c) => V::splat(c) * mass,
            Self::Viscoelastic(c) => V::splat(c) * mass * contact_radius,
            Self::Stiffness(c) => V::splat(c) * (mass * secant).sqrt(),
        }
    }
}

/// The damping ratio of a linear oscillator with a coefficient of restitution: `-ln e / sqrt(pi^2 +
/// ln^2 e)`, from 1 for `e = 0` to 0 for `e = 1`.
fn damping_ratio(restitution: f64) -> f64 {
    let logarithm = libm::log(restitution);
    match logarithm.is_finite() {
        true => 0.0 - logarithm / (PI * PI + logarithm * logarithm).sqrt(),
        false => 1.0,
    }
}
