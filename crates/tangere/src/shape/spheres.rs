//! Sets of discs (`D = 2`) or spheres (`D = 3`).

use crate::error::{Argument, Error, Result, number};
use crate::geometry::{Aabb, Ball, check_points};

/// A set of spheres, validated: coordinates and radii are 0 or of magnitude 4.9e-91 to 1.6e60, and
/// radii are not negative. A radius of 0 is a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spheres<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
}

impl<const D: usize> Spheres<D> {
    /// Returns a set of spheres from their centres and radii, as many of one as of the other. The
    /// set may be empty.
    pub fn new(centers: Vec<[f64; D]>, radii: Vec<f64>) -> Result<Self> {
        if centers.len() != radii.len() {
            return Err(Error::argument(
                Argument::Radii,
                format!("{} radii", radii.len()),
                format!("{}, one for each centre", centers.len()),
            ));
        }
        check_points(Argument::Centre, &centers)?;
        if let Some(i) = radii
            .iter()
            .position(|&r| !(r >= 0.0 && crate::geometry::is_valid_coordinate(r)))
        {
            return Err(Error::item(
                Argument::Radius,
                i,
                number(radii[i]),
                "0, or from 4.9e-91 to 1.6e60",
            ));
        }
        Ok(Self { centers, radii })
    }

    /// Returns a set of spheres from their centres and radii, as many of one as of the other, which
    /// are known to be valid.
    pub(super) fn of_valid(centers: Vec<[f64; D]>, radii: Vec<f64>) -> Self {
        Self { centers, radii }
    }

    /// The centres of the spheres of the set.
    pub fn centers(&self) -> &[[f64; D]] {
        &self.centers
    }

    /// The radii of the spheres of the set.
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// Returns the AABB of sphere `i` of the set, rounded outward.
    #[inline]
    pub fn bounds(&self, i: usize) -> Aabb<D> {
        Aabb::of_ball(&Ball {
            center: self.centers[i],
            radius: self.radii[i],
        })
    }

    /// The number of spheres in the set.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Whether the set has no spheres.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// Returns the centres and the radii of the set of spheres.
    pub fn into_parts(self) -> (Vec<[f64; D]>, Vec<f64>) {
        (self.centers, self.radii)
    }
}
