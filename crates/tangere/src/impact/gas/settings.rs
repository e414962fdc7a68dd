//! Settings of a gas: domain, gravity, restitution, contact time.

use super::domain::Domain;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::is_valid_coordinate;
use crate::geometry::vector::dot;
use crate::settings::builders;

/// The default contact time, in units of the time in which the smallest sphere moves by its radius
/// at the root mean square speed, or in which it falls by half its radius, whichever is shorter.
const CONTACT: f64 = 1e-4;

/// Settings of a [`Gas`](super::Gas).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GasSettings {
    /// The boundary conditions: open, periodic, or walls.
    pub domain: Domain,
    /// The common acceleration of all spheres.
    pub gravity: [f64; 3],
    /// Coefficient of restitution of two spheres: normal speed after a collision over that before;
    /// above 0 and at most 1.
    pub restitution: f64,
    /// Coefficient of restitution of a sphere and a wall; above 0 and at most 1.
    pub wall_restitution: f64,
    /// Contact time of the TC model. Dissipative spheres may collide infinitely often in finite
    /// time (inelastic collapse), so a collision loses no energy if one of the spheres has collided
    /// within this time before. A sphere that rests on a wall hops, and each hop takes at least
    /// this time. 0 turns it off; `None` is a short time that follows from sizes and speeds.
    pub contact_time: Option<f64>,
    /// The time at which the gas starts.
    pub time: f64,
}

impl Default for GasSettings {
    fn default() -> Self {
        GasSettings {
            domain: Domain::OPEN,
            gravity: [0.0; 3],
            restitution: 1.0,
            wall_restitution: 1.0,
            contact_time: None,
            time: 0.0,
        }
    }
}

builders! {
    GasSettings {
        /// The boundary conditions: open, periodic, or walls.
        with_domain(domain: Domain),
        /// The common acceleration of all spheres.
        with_gravity(gravity: [f64; 3]),
        /// Coefficient of restitution of two spheres; above 0 and at most 1.
        with_restitution(restitution: f64),
        /// Coefficient of restitution of a sphere and a wall; above 0 and at most 1.
        with_wall_restitution(wall_restitution: f64),
        /// The contact time of the TC model: within this time after a collision, another loses no
        /// energy.
        with_contact_time(contact_time: impl Into<Option<f64>>),
        /// The time at which the gas starts.
        with_time(time: f64),
    }
}

impl GasSettings {
    /// An error unless every setting of the gas is valid.
    pub(super) fn check(&self) -> Result<()> {
        check_vector(Argument::Gravity, self.gravity)?;
        let shares = [
            (Argument::Restitution, self.restitution),
            (Argument::WallRestitution, self.wall_restitution),
        ];
        for (what, share) in shares {
            if !(share > 0.0 && share <= 1.0) {
                let expected = "a number above 0 and at most 1";
                return Err(Error::argument(what, number(share), expected));
            }
        }
        if let Some(time) = self.contact_time
            && !(time >= 0.0 && is_valid_coordinate(time))
        {
            let expected = "a finite number, 0 or more";
            return Err(Error::argument(
                Argument::ContactTime,
                number(time),
                expected,
            ));
        }
        match is_valid_coordinate(self.time) {
            true => Ok(()),
            false => Err(Error::argument(Argument::Time, number(self.time), RANGE)),
        }
    }

    /// The contact time of a gas of these spheres: that of the settings, or a default from sizes,
    /// speeds and gravity. The default is 0 if no energy is lost and nothing falls on walls.
    pub(super) fn contact_time(&self, velocities: &[[f64; 3]], radii: &[f64]) -> f64 {
        let falls = (0..3).any(|k| self.falls_on_walls(k));
        let loses = self.restitution < 1.0 || self.wall_restitution < 1.0;
        if let Some(time) = self.contact_time {
            return time;
        }
        if !(falls || loses) {
            return 0.0;
        }
        let is_sphere = |r: &f64| *r > 0.0;
        let sizes = radii.iter().copied().filter(is_sphere);
        let radius = sizes.fold(f64::INFINITY, f64::min);
        let squares = velocities.as_flattened().iter().map(|v| v * v);
        let speed = (squares.sum::<f64>() / velocities.len().max(1) as f64).sqrt();
        let fall = match falls {
            true => dot(self.gravity, self.gravity).sqrt(),
            false => 0.0,
        };
        let time = CONTACT * (radius / speed).min((radius / fall).sqrt());
        match time.is_finite() {
            true => time,
            // All spheres are points, or nothing moves.
            false => 0.0,
        }
    }

    /// Whether the settings of the gas have gravity along axis `k` and this axis has walls.
    pub(super) fn falls_on_walls(&self, k: usize) -> bool {
        self.gravity[k] != 0.0 && self.domain.axes()[k].has_wall()
    }
}

/// Expected value in errors about a single number.
const RANGE: &str = "a finite number, 0 or of magnitude 4.9e-91 to 1.6e60";

/// An error unless every coordinate of a vector among the settings of a gas is valid.
fn check_vector(what: Argument, vector: [f64; 3]) -> Result<()> {
    match vector.iter().all(|&x| is_valid_coordinate(x)) {
        true => Ok(()),
        false => {
            let found = format!("{vector:?}");
            let expected = "finite numbers, each 0 or of magnitude 4.9e-91 to 1.6e60";
            Err(Error::argument(what, found, expected))
        }
    }
}
