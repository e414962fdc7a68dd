//! Input of a gas: the given spheres, and their validation.

use super::domain::{Axis, Domain};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::{check_points, is_valid_coordinate};

/// Allowed overlap of two touching spheres at the start of a gas, relative to the sum of their
/// radii.
const TOUCHING: f64 = 1e-12;

/// The spheres of a gas as its caller gives them.
#[derive(Clone, Copy)]
pub(super) struct GivenSpheres<'a> {
    pub centers: &'a [[f64; 3]],
    pub velocities: &'a [[f64; 3]],
    pub radii: &'a [f64],
    pub masses: Option<&'a [f64]>,
}

impl GivenSpheres<'_> {
    /// An error if a given sphere of a gas is invalid or outside the domain. Overlaps of two
    /// spheres are checked at the setup.
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
            self.check_position(i, domain)?;
        }
        Ok(())
    }

    /// The mass of given sphere `i`; the cube of its radius if no masses are given.
    pub fn mass(&self, i: usize) -> f64 {
        match self.masses {
            Some(masses) => masses[i],
            None => self.radii[i] * self.radii[i] * self.radii[i],
        }
    }

    /// An error if given sphere `i` sticks out of a wall or overlaps its own periodic image.
    fn check_position(&self, i: usize, domain: &Domain) -> Result<()> {
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

/// Allowed overlap of two given spheres: an upper bound of the overlap that rounding causes if they
/// touch. `touching` is the sum of their radii, `coordinates` are the coordinates of their centres.
pub(super) fn tolerance(touching: f64, coordinates: &[f64]) -> f64 {
    let largest = coordinates.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    TOUCHING * touching + 4.0 * f64::EPSILON * largest
}
