//! Settings of a sphere packing: number of spheres, filled fraction of the volume, smallest radius.

use crate::error::{Argument, Error, Result, number};
use crate::geometry::is_valid_coordinate;
use crate::settings::builders;

/// The largest number of spheres of a packing that settings may request.
const SPHERES_MAX: usize = 1 << 31;

/// Limits of a sphere packing. The packing ends when the first of them is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PackSettings {
    /// The maximum number of spheres of the packing; no limit if `None`.
    pub spheres: Option<usize>,
    /// The filled fraction of the body's volume at which the packing ends, above 0 and below 1; no
    /// limit if `None`.
    pub filling: Option<f64>,
    /// The smallest radius of a sphere of the packing; no limit if `None`.
    pub smallest: Option<f64>,
}

builders! {
    PackSettings {
        /// Sets the maximum number of spheres of the packing.
        with_spheres(spheres: impl Into<Option<usize>>),
        /// Sets the filled fraction of the body's volume at which the packing ends, above 0 and
        /// below 1.
        with_filling(filling: impl Into<Option<f64>>),
        /// Sets the smallest radius of a sphere of the packing.
        with_smallest(smallest: impl Into<Option<f64>>),
    }
}

impl PackSettings {
    /// Returns settings of a sphere packing that ends with `count` spheres.
    pub fn spheres(count: usize) -> Self {
        Self {
            spheres: Some(count),
            ..Self::default()
        }
    }

    /// Returns settings of a sphere packing that ends when the fraction `share` of the body's
    /// volume is filled. The unfilled volume falls about as the inverse fifth root of the number of
    /// spheres: to halve it takes thirty times as many spheres.
    pub fn filling(share: f64) -> Self {
        Self {
            filling: Some(share),
            ..Self::default()
        }
    }

    /// Returns settings of a sphere packing that ends when no sphere of at least the given radius
    /// fits.
    pub fn smallest(radius: f64) -> Self {
        Self {
            smallest: Some(radius),
            ..Self::default()
        }
    }

    /// Returns an error if the settings of a sphere packing have no limit, or a limit out of its
    /// range.
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
