//! The critical time step: above it a simulation is not stable.
//!
//! | law | step |
//! |---|---|
//! | hooke | `2 sqrt(m / k)`: the limit of velocity Verlet for a pair of effective mass `m`, half that of the lightest sphere in a pair, all of it at a wall |
//! | hertz, DMT, JKR | Rayleigh's `pi r sqrt(rho / G) / (0.1631 nu + 0.8766)`: the time of a surface wave around the smallest sphere (Ning and Ghadiri 2006) |
//!
//! The shear modulus `G = (1 - nu) E*` follows from the effective modulus `E*` of two equal bodies.
//! Poisson's ratio `nu` follows from the stiffnesses of Mindlin's and Hertz' contact, `k_t / k_n = 3 (1 -
//! nu) / (2 - nu)`; it is 0.25 where that is none from 0 to 0.5.

use crate::laws::{Law, Normal, Tangential};
use crate::setup::{Effect, Setup, Spheres};
use std::f64::consts::PI;
use std::fmt;

/// The critical step of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CriticalStep {
    /// The least of Rayleigh's steps, and the id of its sphere; none without elastic spheres.
    pub rayleigh: Option<(f64, u64)>,
    /// The least of the steps of linear springs, and the id of its sphere; none without such springs.
    pub spring: Option<(f64, u64)>,
}

impl CriticalStep {
    /// The least of both.
    pub fn step(&self) -> f64 {
        let steps = [self.rayleigh, self.spring].into_iter().flatten();
        steps.fold(f64::INFINITY, |least, (step, _)| least.min(step))
    }
}

impl fmt::Display for CriticalStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rayleigh = self.rayleigh.map(|found| ("Rayleigh step", found));
        let spring = self.spring.map(|found| ("step of a linear spring", found));
        let both = [rayleigh, spring].into_iter().flatten();
        match both.min_by(|a, b| a.1.0.total_cmp(&b.1.0)) {
            Some((name, (step, id))) => {
                write!(f, "the critical step {step:.3e} ({name}, sphere {id})")
            }
            None => f.write_str("any step"),
        }
    }
}

/// The critical step of spheres; `None` where nothing touches.
pub fn critical_step(setup: &Setup, spheres: &Spheres) -> Option<CriticalStep> {
    let laws = &setup.laws;
    let kinds = laws.kinds.max(1);
    // Of each kind the lightest sphere, and that with the least r sqrt(rho): of free ones.
    let mut lightest: Vec<Option<(f64, u64)>> = vec![None; kinds];
    let mut smallest: Vec<Option<(f64, u64)>> = vec![None; kinds];
    let least = |best: &mut Option<(f64, u64)>, value: f64, id: u64| {
        if best.is_none_or(|(so_far, _)| value < so_far) {
            *best = Some((value, id));
        }
    };
    let moving = setup
        .actions
        .iter()
        .filter_map(|action| match action.effect {
            Effect::Integrate { .. } => Some(action.group),
            _ => None,
        });
    let moving = moving.fold(0, |all, group| all | group);
    for i in 0..spheres.ids.len() {
        let kind = spheres.kinds[i] as usize;
        if kind >= kinds || spheres.groups[i] & moving == 0 {
            continue;
        }
        let (mass, radius, id) = (spheres.masses[i], spheres.radii[i], spheres.ids[i]);
        let density = mass / (4.0 / 3.0 * PI * radius * radius * radius);
        least(&mut lightest[kind], mass, id);
        least(&mut smallest[kind], radius * density.sqrt(), id);
    }
    let mut found = CriticalStep {
        rayleigh: None,
        spring: None,
    };
    let mut consider = |law: &Law, kind: usize, share: f64| match law.normal {
        Normal::Hooke { stiffness } => {
            if let Some((mass, id)) = lightest[kind] {
                let step = 2.0 * (share * mass / stiffness).sqrt();
                least(&mut found.spring, step, id);
            }
        }
        Normal::Hertz { stiffness } | Normal::Dmt { stiffness, .. } => {
            if let Some((size, id)) = smallest[kind] {
                let step = rayleigh(size, 0.75 * stiffness, poisson(law, stiffness));
                least(&mut found.rayleigh, step, id);
            }
        }
        Normal::Jkr { modulus, .. } => {
            if let Some((size, id)) = smallest[kind] {
                let ratio = poisson(law, 4.0 / 3.0 * modulus);
                least(&mut found.rayleigh, rayleigh(size, modulus, ratio), id);
            }
        }
    };
    for i in 0..laws.kinds {
        for j in 0..laws.kinds {
            if let Some(number) = laws.table[i * laws.kinds + j] {
                consider(&laws.laws[number as usize], i, 0.5);
            }
        }
    }
    for action in &setup.actions {
        if let Effect::Wall(wall) = &action.effect {
            for kind in 0..kinds {
                consider(&wall.law, kind, 1.0);
            }
        }
    }
    (found.rayleigh.is_some() || found.spring.is_some()).then_some(found)
}

/// Rayleigh's step of a sphere with this `r sqrt(rho)`.
fn rayleigh(size: f64, modulus: f64, ratio: f64) -> f64 {
    let shear = (1.0 - ratio) * modulus;
    PI * size / shear.sqrt() / (0.1631 * ratio + 0.8766)
}

/// Poisson's ratio of a law, from its tangential stiffness.
fn poisson(law: &Law, stiffness: f64) -> f64 {
    const DEFAULT: f64 = 0.25;
    let Tangential::Spring(spring) = law.tangential else {
        return DEFAULT;
    };
    let share = spring.stiffness / stiffness;
    let ratio = (3.0 - 2.0 * share) / (3.0 - share);
    match spring.scales && (0.0..=0.5).contains(&ratio) {
        true => ratio,
        false => DEFAULT,
    }
}
