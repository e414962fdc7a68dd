//! Observables of a gas: energy, momentum, pressure, and counts of events.

use super::Gas;
use super::domain::Axis;
use super::given_spheres::GivenSpheres;
use super::motion::Sphere;
use crate::geometry::vector::dot;
use crate::parallel;

/// The number of events of each kind since a gas was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of collisions of two spheres of the gas.
    pub spheres: u64,
    /// Number of collisions of a sphere of the gas and a wall.
    pub walls: u64,
    /// Number of escapes: events at which a sphere left its bounding sphere and got new neighbours.
    pub escapes: u64,
    /// Number of stale events: predicted collisions that were discarded because the other sphere
    /// had changed its motion.
    pub stale: u64,
    /// Number of setups of the gas, in which all neighbours and events are found again.
    pub set_ups: u64,
}

/// Sums from which the pressure of a gas follows.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// For each axis, whether all spheres of the gas had equal coordinates and velocity 0 along it
    /// at the start.
    flat: [bool; 3],
    /// Twice the current kinetic energy of the gas along each axis, in the falling frame.
    kinetic: [f64; 3],
    /// Twice the kinetic energy of the gas along each axis, integrated over time since the start.
    passed: [f64; 3],
    /// The time up to which the kinetic energy of the gas is integrated in `passed`, counted from
    /// the last setup.
    since: f64,
    /// The length of the time over which the kinetic energy of the gas is integrated in `passed`.
    time: f64,
    virial: [f64; 3],
    /// For each axis, the sum of the magnitudes of all impulses on its walls.
    hits: [f64; 3],
}

impl Tally {
    /// The sums for the pressure of a gas at its start, all 0. Also finds the axes along which all
    /// spheres have equal coordinates and velocity 0.
    pub fn of(given: GivenSpheres<'_>) -> Self {
        let is_flat = |k: usize| {
            let first = given.centers.first().map(|x| x[k]);
            let is_there = |x: &[f64; 3]| Some(x[k]) == first;
            given.centers.iter().all(is_there) && given.velocities.iter().all(|v| v[k] == 0.0)
        };
        Tally {
            flat: [0, 1, 2].map(is_flat),
            ..Tally::default()
        }
    }

    /// Integrates the kinetic energy over time up to the time `now`; the pressure follows from this
    /// integral.
    #[inline]
    pub fn integrate_to(&mut self, now: f64) {
        let time = now - self.since;
        for k in 0..3 {
            self.passed[k] += time * self.kinetic[k];
        }
        self.time += time;
        self.since = now;
    }

    /// Takes over the sums for the pressure from an earlier tally, integrated up to `now`.
    pub fn continue_from(&mut self, before: &Tally, now: f64) {
        let mut before = before.clone();
        before.integrate_to(now);
        (self.passed, self.time) = (before.passed, before.time);
        (self.virial, self.hits) = (before.virial, before.hits);
    }

    /// Restarts the clock of the observables at 0, because a setup counts times anew; the sums
    /// stay.
    pub fn start_from_zero(&mut self) {
        self.since = 0.0;
    }

    /// Computes the kinetic energy of the gas from all velocities, so that rounding errors of
    /// single changes do not accumulate.
    pub fn measure(&mut self, spheres: &[Sphere], masses: &[f64]) {
        self.kinetic = parallel::sums(spheres.len(), |i| {
            spheres[i].velocity.map(|v| masses[i] * v * v)
        });
    }

    /// Adds the contribution of a collision to the virial, from which the pressure follows.
    #[inline]
    pub fn add_virial(&mut self, virial: [f64; 3]) {
        for k in 0..3 {
            self.virial[k] += virial[k];
        }
    }

    /// Adds the change of the kinetic energy of one sphere, from velocity `before` to velocity
    /// `after`, to the kinetic energy of the gas.
    #[inline]
    pub fn add_change(&mut self, mass: f64, before: [f64; 3], after: [f64; 3]) {
        for k in 0..3 {
            self.kinetic[k] += mass * (after[k] - before[k]) * (after[k] + before[k]);
        }
    }

    /// Adds an impulse on a wall of an axis to the sum from which the pressure on walls follows.
    pub fn add_hit(&mut self, axis: usize, impulse: f64) {
        self.hits[axis] += impulse;
    }
}

impl Gas {
    /// The energy of the gas: the sum of kinetic and potential energy. Potential energy is 0 at the
    /// origin. Along periodic axes it depends on how far spheres have fallen since the start, also
    /// across the ends of periods.
    pub fn energy(&self) -> f64 {
        let (spheres, masses, half) = (&self.spheres, &self.masses, &self.half);
        let [energy] = parallel::sums(spheres.len(), |i| {
            let (x, v) = spheres[i].at(self.now, half);
            [masses[i] * (0.5 * dot(v, v) - 2.0 * dot(*half, x))]
        });
        energy + self.fallen
    }

    /// The total momentum of the gas: the sum of mass times velocity.
    pub fn momentum(&self) -> [f64; 3] {
        let (spheres, masses) = (&self.spheres, &self.masses);
        let elapsed = self.elapsed();
        let gained = self.fall.map(|g| g * elapsed);
        parallel::sums(spheres.len(), |i| {
            let v = spheres[i].at(self.now, &self.half).1;
            [0, 1, 2].map(|k| masses[i] * (v[k] + gained[k]))
        })
    }

    /// The number of events of each kind since the gas was made.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The number of collisions of the gas so far, with spheres and walls.
    pub fn collisions(&self) -> u64 {
        self.counts.spheres + self.counts.walls
    }

    /// The pressure of the gas, averaged over the time since the start and over the axes. Along
    /// periodic axes it follows from the virial theorem, without the motion of the centre of mass;
    /// along axes with walls from the impulses on both walls.
    ///
    /// `None` before any time has passed, or if an axis is open. An open axis along which all
    /// coordinates are equal and all velocities 0 is ignored; the pressure is then a force per
    /// length.
    pub fn pressure(&self) -> Option<f64> {
        let mut tally = self.tally.clone();
        tally.integrate_to(self.now);
        let counted = |k: &usize| {
            let is_open = matches!(self.settings.domain.axes()[*k], Axis::Open);
            !(is_open && tally.flat[*k] && self.fall[*k] == 0.0)
        };
        let axes = || {
            (0..3)
                .filter(counted)
                .map(|k| (k, self.settings.domain.axes()[k]))
        };
        let volume: f64 = axes().map(|(_, axis)| axis.length()).product();
        let [mass, p, q, r] = parallel::sums(self.spheres.len(), |i| {
            let (m, v) = (self.masses[i], self.spheres[i].velocity);
            [m, m * v[0], m * v[1], m * v[2]]
        });
        let along = |(k, axis): (usize, Axis)| match axis {
            Axis::Walls { .. } => 0.5 * tally.hits[k] * axis.length(),
            _ => {
                let together = [p, q, r][k] * [p, q, r][k] / mass * tally.time;
                tally.passed[k] - together + tally.virial[k]
            }
        };
        let count = axes().count();
        let sum: f64 = axes().map(along).sum();
        let pressure = sum / (count as f64 * volume * tally.time);
        (count > 0 && volume.is_finite() && tally.time > 0.0 && pressure.is_finite())
            .then_some(pressure)
    }
}
