//! Settings of a sphere packing: number of spheres, filling, smallest radius.

use crate::error::{Argument, Error, Result, number};
use crate::geometry::is_valid_coordinate;
use crate::settings::builders;

/// The largest number of spheres of a packing.
const SPHERES_MAX: usize = 1 << 31;

/// Limits of a sphere packing: it is complete when the first of them is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PackSettings {
    /// The largest number of spheres.
    pub spheres: Option<usize>,
    /// The share of the volume to fill, below 1.
    pub filling: Option<f64>,
    /// The smallest radius of a sphere.
    pub smallest: Option<f64>,
}

builders! {
    PackSettings {
        /// Sets the largest number of spheres.
        with_spheres(spheres: impl Into<Option<usize>>),
        /// Sets the share of the volume to fill, below 1.
        with_filling(filling: impl Into<Option<f64>>),
        /// Sets the smallest radius of a sphere.
        with_smallest(smallest: impl Into<Option<f64>>),
    }
}

impl PackSettings {
    /// Returns settings of a sphere packing that limit the number of spheres.
    pub fn spheres(count: usize) -> Self {
        Self {
            spheres: Some(count),
            ..Self::default()
        }
    }

    /// Returns settings of a sphere packing that fill this share of the volume. The unfilled volume
    /// falls about as the inverse fifth root of the number of spheres: half as much takes thirty
    /// times as many.
    pub fn filling(share: f64) -> Self {
        Self {
            filling: Some(share),
            ..Self::default()
        }
    }

    /// Returns settings of a sphere packing down to a smallest radius.
    pub fn smallest(radius: f64) -> Self {
        Self {
            smallest: Some(radius),
            ..Self::default()
        }
    }

    /// Rejects settings of a sphere packing that have no limit, or a limit out of its range.
    pub(super) fn check(&self) -> Result<()> {
        if *self == Self::default() {
            let expected = "a number of spheres, a filling or a smallest radius";
            return Err(Error::argument(Argument::PackingEnd, "none", expected));
        }
        if let Some(count) = self.spheres
            && !(1..=SPHERES_MAX).contains(&count)
        {
            let expected = format!("1 to {SPHERES_MAX}");
            return Err(Error::argument(Argument::Spheres, count, expected));
        }
        if let Some(share) = self.filling
            && !(share > 0.0 && share < 1.0)
        {
            let expected = "a share of the volume, above 0 and below 1";
            return Err(Error::argument(Argument::Filling, number(share), expected));
        }
        if let Some(radius) = self.smallest
            && !(radius > 0.0 && is_valid_coordinate(radius))
        {
            let expected = "a radius above 0, from 4.9e-91 to 1.6e60";
            return Err(Error::argument(
                Argument::Smallest,
                number(radius),
                expected,
            ));
        }
        Ok(())
    }
}
