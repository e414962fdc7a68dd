//! Items to search, borrowed from the caller, and their validation.

use crate::error::{Argument, Error, Result, number};
use crate::geometry::{check_points, is_valid_coordinate};

/// Maximum number of items to search, query items included. Half of the indices of a scene are then
/// left for ghosts.
pub(super) const MOST: usize = 1 << 30;

/// Spheres or boxes to search, borrowed from the caller.
#[derive(Clone, Copy, Debug)]
pub enum Items<'a, const D: usize> {
    /// Discs or spheres: as many centres as radii.
    Spheres {
        /// The centres of the spheres to search.
        centers: &'a [[f64; D]],
        /// The radii of the spheres to search, not negative.
        radii: &'a [f64],
    },
    /// Boxes: as many lower as upper corners.
    Boxes {
        /// The lower corners of the boxes to search.
        lower: &'a [[f64; D]],
        /// The upper corners of the boxes to search. No coordinate is below that of the lower
        /// corner.
        upper: &'a [[f64; D]],
    },
}

impl<'a, const D: usize> From<&'a crate::shape::Spheres<D>> for Items<'a, D> {
    fn from(spheres: &'a crate::shape::Spheres<D>) -> Self {
        Items::Spheres {
            centers: spheres.centers(),
            radii: spheres.radii(),
        }
    }
}

impl<'a, const D: usize> From<(&'a [[f64; D]], &'a [f64])> for Items<'a, D> {
    fn from((centers, radii): (&'a [[f64; D]], &'a [f64])) -> Self {
        Items::Spheres { centers, radii }
    }
}

impl<const D: usize> Items<'_, D> {
    /// The number of items (spheres or boxes) to search.
    pub fn len(&self) -> usize {
        match self {
            Items::Spheres { centers, .. } => centers.len(),
            Items::Boxes { lower, .. } => lower.len(),
        }
    }

    /// Whether there are no items to search.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name, in error messages, of the centre of an item.
    pub(super) fn middle_name(&self) -> Argument {
        match self {
            Items::Spheres { .. } => Argument::Centre,
            Items::Boxes { .. } => Argument::BoxMiddle,
        }
    }

    /// Checks that both arrays of the items have the same length and at most [`MOST`] entries.
    pub(super) fn check_lengths(&self) -> Result<()> {
        let (what, found, expected) = match *self {
            Items::Spheres { centers, radii } => (Argument::Radii, radii.len(), centers.len()),
            Items::Boxes { lower, upper } => (Argument::Upper, upper.len(), lower.len()),
        };
        if found != expected {
            let expected = format!("{expected}, one for each item");
            return Err(Error::argument(what, format!("{found} rows"), expected));
        }
        match found <= MOST {
            true => Ok(()),
            false => Err(Error::too_many(Argument::Items, found, MOST)),
        }
    }

    /// Checks that both arrays of the items have the same length and that no item is invalid: NaN,
    /// negative radius, inverted box.
    pub fn check(&self) -> Result<()> {
        self.check_lengths()?;
        match *self {
            Items::Spheres { centers, radii } => {
                check_points(Argument::Centre, centers)?;
                let valid = |&r: &f64| r >= 0.0 && is_valid_coordinate(r);
                match radii.iter().position(|r| !valid(r)) {
                    None => Ok(()),
                    Some(i) => Err(Error::item(
                        Argument::Radius,
                        i,
                        number(radii[i]),
                        "a finite number that is not negative",
                    )),
                }
            }
            Items::Boxes { lower, upper } => {
                check_points(Argument::LowerCorner, lower)?;
                check_points(Argument::UpperCorner, upper)?;
                let ordered = |i: &usize| (0..D).all(|k| lower[*i][k] <= upper[*i][k]);
                match (0..lower.len()).find(|i| !ordered(i)) {
                    None => Ok(()),
                    Some(i) => Err(Error::item(
                        Argument::Box,
                        i,
                        format!("{:?} to {:?}", lower[i], upper[i]),
                        "a lower corner nowhere above the upper",
                    )),
                }
            }
        }
    }
}
