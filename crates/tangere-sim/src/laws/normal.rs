//! Normal force of a contact with overlap `d`, effective radius `R` and contact radius `a`.
//!
//! | law | force | contact radius |
//! |---|---|---|
//! | hooke | `k d` | `sqrt(R d)` |
//! | hertz | `k a d` | `sqrt(R d)` |
//! | hertz/material | `4/3 E a d`, `1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2` | `sqrt(R d)` |
//! | DMT | hertz/material less `4 pi gamma R` | `sqrt(R d)` |
//! | JKR | `4/3 E a^3 / R - 2 pi a^2 sqrt(4 gamma E / (pi a))` | root of `d = a^2/R - 2 sqrt(pi gamma a / E)` |
//!
//! Hertz 1882; Derjaguin, Muller and Toporov 1975; Johnson, Kendall and Roberts 1971, in the form of
//! Marshall 2009 for the contact radius. `gamma` is the surface energy as LAMMPS defines it: the
//! largest force that holds two bodies together, of all overlaps, is `4 pi gamma R` for DMT and
//! `3 pi gamma R` for JKR.

use crate::vector::zero;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use tangere::simd::{LANES, Reals};

/// The normal force of a contact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Normal {
    /// A linear spring.
    Hooke {
        /// Force per overlap.
        stiffness: f64,
    },
    /// The force of elastic spheres.
    Hertz {
        /// Force per overlap and contact radius: `4/3` of the effective modulus.
        stiffness: f64,
    },
    /// Elastic spheres with a constant adhesion (Derjaguin, Muller and Toporov).
    Dmt {
        /// As of [`Normal::Hertz`].
        stiffness: f64,
        /// The surface energy.
        energy: f64,
    },
    /// Elastic spheres with adhesion within the contact area (Johnson, Kendall and Roberts).
    Jkr {
        /// The effective modulus.
        modulus: f64,
        /// The surface energy.
        energy: f64,
    },
}

/// The effective modulus of two bodies: `1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2`.
pub fn effective_modulus([e, f]: [f64; 2], [nu, mu]: [f64; 2]) -> f64 {
    1.0 / ((1.0 - nu * nu) / e + (1.0 - mu * mu) / f)
}

/// The effective shear modulus of two bodies: `1/G = 2 (2 - nu_1)(1 + nu_1)/E_1 + 2 (2 - nu_2)(1 +
/// nu_2)/E_2`.
pub fn effective_shear_modulus([e, f]: [f64; 2], [nu, mu]: [f64; 2]) -> f64 {
    1.0 / (2.0 * (2.0 - nu) * (1.0 + nu) / e + 2.0 * (2.0 - mu) * (1.0 + mu) / f)
}

impl Normal {
    /// Hertz contact of two bodies of one material, by Young's modulus and Poisson's ratio.
    pub fn hertz_material(modulus: f64, ratio: f64) -> Self {
        Self::Hertz {
            stiffness: 4.0 / 3.0 * effective_modulus([modulus; 2], [ratio; 2]),
        }
    }

    /// DMT contact of two bodies of one material.
    pub fn dmt(modulus: f64, ratio: f64, energy: f64) -> Self {
        Self::Dmt {
            stiffness: 4.0 / 3.0 * effective_modulus([modulus; 2], [ratio; 2]),
            energy,
        }
    }

    /// JKR contact of two bodies of one material.
    pub fn jkr(modulus: f64, ratio: f64, energy: f64) -> Self {
        Self::Jkr {
            modulus: effective_modulus([modulus; 2], [ratio; 2]),
            energy,
        }
    }

    /// The radius of the contact area.
    #[inline(always)]
    pub(super) fn contact_radius<V: Reals>(&self, overlap: V, radius: V) -> V {
        match *self {
            Self::Jkr { modulus, energy } => {
                let (mut overlaps, mut radii) = ([0.0; LANES], [0.0; LANES]);
                overlap.store(&mut overlaps);
                radius.store(&mut radii);
                for (overlap, radius) in overlaps.iter_mut().zip(radii) {
                    *overlap = jkr_radius(*overlap, radius, modulus, energy);
                }
                V::load(&overlaps)
            }
            _ => (radius * zero::<V>().max(overlap)).sqrt(),
        }
    }

    /// The elastic and cohesive force; positive if it pushes the bodies apart.
    #[inline(always)]
    pub(super) fn force<V: Reals>(&self, overlap: V, contact_radius: V, radius: V) -> V {
        match *self {
            Self::Hooke { stiffness } => V::splat(stiffness) * overlap,
            Self::Hertz { stiffness } => V::splat(stiffness) * contact_radius * overlap,
            Self::Dmt { stiffness, energy } => {
                let pressed = V::splat(stiffness) * contact_radius * overlap;
                pressed - V::splat(4.0 * PI * energy) * radius
            }
            Self::Jkr { modulus, energy } => {
                let a = contact_radius;
                let pressed = (V::splat(4.0 / 3.0 * modulus) * a * a * a).div(radius);
                let root = V::splat(4.0 * energy * modulus / PI).div(a).sqrt();
                pressed - V::splat(2.0 * PI) * a * a * root
            }
        }
    }

    /// The secant stiffness: elastic and cohesive force over overlap; 0 where that is no repulsion.
    #[inline(always)]
    pub(super) fn secant<V: Reals>(&self, overlap: V, contact_radius: V, elastic: V) -> V {
        match *self {
            Self::Hooke { stiffness } => V::splat(stiffness),
            Self::Hertz { stiffness } => V::splat(stiffness) * contact_radius,
            Self::Dmt { .. } | Self::Jkr { .. } => {
                let is_pressed = zero::<V>().below(overlap);
                elastic.div(overlap).max(zero()).only(is_pressed)
            }
        }
    }

    /// The normal force that bounds friction, from the total and the elastic normal force. Adhesion
    /// presses bodies together as much as twice the pull-off force (Marshall 2009, eq. 45).
    #[inline(always)]
    pub(super) fn critical<V: Reals>(&self, total: V, elastic: V, radius: V) -> V {
        let twice = |factor: f64| (elastic + V::splat(2.0 * factor) * radius).abs();
        match *self {
            Self::Hooke { .. } | Self::Hertz { .. } => total.abs(),
            Self::Dmt { energy, .. } => twice(4.0 * PI * energy),
            Self::Jkr { energy, .. } => twice(3.0 * PI * energy),
        }
    }

    /// The largest force that holds two bodies together.
    pub fn pull_off_force(&self, radius: f64) -> f64 {
        match *self {
            Self::Hooke { .. } | Self::Hertz { .. } => 0.0,
            Self::Dmt { energy, .. } => 4.0 * PI * energy * radius,
            Self::Jkr { energy, .. } => 3.0 * PI * energy * radius,
        }
    }

    /// The gap up to which bodies that were in contact stay so: of JKR that at which it pulls most.
    pub fn pull_off_gap(&self, radius: f64) -> f64 {
        match *self {
            Self::Jkr { modulus, energy } if radius > 0.0 => {
                let scaled = radius * energy * energy / (modulus * modulus);
                libm::cbrt(3.0 * PI * PI / 16.0 * scaled)
            }
            _ => 0.0,
        }
    }
}

/// The contact radius of JKR: the largest root `a` of `d = a^2/R - 2 sqrt(pi gamma a / E)`, by the
/// resolvent of the quartic equation for `a`.
fn jkr_radius(overlap: f64, radius: f64, modulus: f64, energy: f64) -> f64 {
    let product = overlap * radius;
    let square = radius * radius;
    let adhesive = energy * energy * square * square * modulus;
    let constant = 27.0 * PI * PI * adhesive;
    let elastic = 8.0 * product * product * product * modulus * modulus * modulus;
    let discriminant = (adhesive * (constant + 2.0 * elastic)).max(0.0);
    let root = 3.0 * 3.0_f64.sqrt() * PI * discriminant.sqrt();
    let resolvent = libm::cbrt(constant + elastic + root);
    let middle = 4.0 * product * product * modulus / resolvent + resolvent / modulus;
    let outer = (2.0 * product + middle).max(0.0).sqrt();
    let bond = 6.0 * 6.0_f64.sqrt() * energy * PI * square / (modulus * outer);
    let inner = (4.0 * product - middle + bond).max(0.0).sqrt();
    (outer + inner) / 6.0_f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangere::simd::One;

    fn radius_and_force(law: &Normal, overlap: f64, radius: f64) -> [f64; 2] {
        let a = law.contact_radius(One(overlap), One(radius));
        [a.0, law.force(One(overlap), a, One(radius)).0]
    }

    /// The contact radius is a root, and the least force of all overlaps is the pull-off force.
    #[test]
    fn jkr_is_that_of_its_equations() {
        let (modulus, energy, radius) = (2.5e10, 0.1, 0.005);
        let law = Normal::Jkr { modulus, energy };
        let gap = law.pull_off_gap(radius);
        let mut least = f64::INFINITY;
        for i in 0..=2000 {
            let overlap = gap * (-1.0 + f64::from(i) / 200.0);
            let [a, force] = radius_and_force(&law, overlap, radius);
            let back = a * a / radius - 2.0 * (PI * energy * a / modulus).sqrt();
            assert!((back - overlap).abs() < 1e-7 * gap, "{overlap} {back}");
            least = least.min(force);
        }
        assert!(
            (least / law.pull_off_force(radius) + 1.0).abs() < 1e-4,
            "{least}"
        );
    }

    #[test]
    fn without_adhesion_all_are_hertz() {
        let hertz = Normal::hertz_material(7e10, 0.3);
        for law in [Normal::dmt(7e10, 0.3, 0.0), Normal::jkr(7e10, 0.3, 1e-12)] {
            let (overlap, radius) = (1e-6, 2e-3);
            let force = |law: &Normal| radius_and_force(law, overlap, radius)[1];
            assert!((force(&law) / force(&hertz) - 1.0).abs() < 1e-5);
        }
    }
}
