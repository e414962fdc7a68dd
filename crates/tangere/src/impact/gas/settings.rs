//! Settings of a gas, and validation of its input.

use super::domain::{Axis, Domain};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::{check_points, is_valid_coordinate};
use crate::settings::builders;

/// Allowed initial overlap, relative to the sum of the radii: touching spheres overlap by rounding.
pub(super) const TOUCHING: f64 = 1e-12;

/// The default contact time, in units of the time in which the smallest sphere moves by its radius,
/// or falls by half of it.
const CONTACT: f64 = 1e-4;

/// Settings of a [`Gas`](super::Gas).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GasSettings {
    /// Open space, periods or walls.
    pub domain: Domain,
    /// The common acceleration of all spheres.
    pub gravity: [f64; 3],
    /// Coefficient of restitution of two spheres: normal speed after a collision over that before;
    /// above 0 and at most 1.
    pub restitution: f64,
    /// The same for a sphere and a wall.
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
        /// Open space, periods or walls.
        with_domain(domain: Domain),
        /// The common acceleration of all spheres.
        with_gravity(gravity: [f64; 3]),
        /// Coefficient of restitution of two spheres; above 0 and at most 1.
        with_restitution(restitution: f64),
        /// The same for a sphere and a wall.
        with_wall_restitution(wall_restitution: f64),
        /// The time after a collision within which another loses no energy.
        with_contact_time(contact_time: impl Into<Option<f64>>),
        /// The time at which the gas starts.
        with_time(time: f64),
    }
}

impl GasSettings {
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

    /// The contact time of these spheres.
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
            true => norm(self.gravity),
            false => 0.0,
        };
        let time = CONTACT * (radius / speed).min((radius / fall).sqrt());
        match time.is_finite() {
            true => time,
            // Points, or nothing moves.
            false => 0.0,
        }
    }

    /// Whether gravity acts along an axis with walls.
    pub(super) fn falls_on_walls(&self, k: usize) -> bool {
        self.gravity[k] != 0.0 && self.domain.axes()[k].has_wall()
    }
}

pub(super) fn norm(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

const RANGE: &str = "a finite number, 0 or of magnitude 4.9e-91 to 1.6e60";

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

/// Input: spheres as they are given.
#[derive(Clone, Copy)]
pub(super) struct GivenSpheres<'a> {
    pub centers: &'a [[f64; 3]],
    pub velocities: &'a [[f64; 3]],
    pub radii: &'a [f64],
    pub masses: Option<&'a [f64]>,
}

impl GivenSpheres<'_> {
    /// Rejects invalid spheres, and spheres outside the domain; overlaps are checked later.
    pub fn check(&self, domain: &Domain) -> Result<()> {
        let count = self.centers.len();
        if count > u32::MAX as usize {
            return Err(Error::too_many(Argument::Centers, count, u32::MAX as usize));
        }
        let masses = self.masses.map_or(count, <[f64]>::len);
        let lengths = [
            (Argument::Velocities, self.velocities.len()),
            (Argument::Radii, self.radii.len()),
            (Argument::Masses, masses),
        ];
        for (what, length) in lengths {
            if length != count {
                let expected = format!("{count}, one for each centre");
                return Err(Error::argument(what, length, expected));
            }
        }
        check_points(Argument::Centre, self.centers)?;
        check_points(Argument::Velocity, self.velocities)?;
        for (i, &radius) in self.radii.iter().enumerate() {
            if !(radius >= 0.0 && is_valid_coordinate(radius)) {
                let expected = "0, or from 4.9e-91 to 1.6e60";
                return Err(Error::item(Argument::Radius, i, number(radius), expected));
            }
            let mass = self.mass(i);
            if !(mass > 0.0 && is_valid_coordinate(mass)) {
                let expected = "a number from 4.9e-91 to 1.6e60";
                let found = match self.masses {
                    Some(_) => number(mass),
                    None => format!("{}, the cube of the radius", number(mass)),
                };
                return Err(Error::item(Argument::Mass, i, found, expected));
            }
            self.check_place(i, domain)?;
        }
        Ok(())
    }

    /// The mass of a sphere, the cube of its radius if none is given.
    pub fn mass(&self, i: usize) -> f64 {
        match self.masses {
            Some(masses) => masses[i],
            None => self.radii[i] * self.radii[i] * self.radii[i],
        }
    }

    /// Rejects a sphere that sticks out of a wall or overlaps its own image.
    fn check_place(&self, i: usize, domain: &Domain) -> Result<()> {
        let (center, radius) = (self.centers[i], self.radii[i]);
        for (k, axis) in domain.axes().iter().enumerate() {
            let x = center[k];
            let excess = match *axis {
                Axis::Open => continue,
                Axis::Periodic { length, .. } => 2.0 * radius - length,
                Axis::Walls { lower, upper } => (lower - (x - radius)).max(x + radius - upper),
            };
            if excess <= tolerance(2.0 * radius, &[x]) {
                continue;
            }
            let excess = number(excess);
            let (found, expected) = match axis.period() {
                Some((_, length)) => (
                    format!("an overlap of {excess} with its own image along axis {k}"),
                    format!("a diameter of at most the period, {}", number(length)),
                ),
                None => (
                    format!(
                        "{} and radius {}, out of a wall by {excess}",
                        number(x),
                        number(radius)
                    ),
                    format!("a sphere within the walls along axis {k}"),
                ),
            };
            return Err(Error::item(Argument::Sphere, i, found, expected));
        }
        Ok(())
    }
}

/// Allowed initial overlap of spheres that touch at a distance and have these coordinates: the
/// rounding of touching spheres.
pub(super) fn tolerance(touching: f64, coordinates: &[f64]) -> f64 {
    let largest = coordinates.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    TOUCHING * touching + 4.0 * f64::EPSILON * largest
}
