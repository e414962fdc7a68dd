//! Domain of a gas: along each axis open, periodic, or between walls.

use crate::error::{Argument, Error, Result, number};
use crate::geometry::{Aabb, is_valid_coordinate};

/// Boundary conditions of a gas along one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Axis {
    /// The gas is unbounded along the axis.
    #[default]
    Open,
    /// The gas repeats periodically along the axis.
    Periodic {
        /// The coordinate of the lower end of the first period along a periodic axis.
        lower: f64,
        /// The length of a period along a periodic axis.
        length: f64,
    },
    /// The gas is between two hard walls normal to the axis. If the coordinate of one is infinite,
    /// there is only the other.
    Walls {
        /// The coordinate of the lower wall; negative infinity if there is none.
        lower: f64,
        /// The coordinate of the upper wall; infinity if there is none.
        upper: f64,
    },
}

/// The domain of a gas: boundary conditions along each axis.
///
/// ```
/// use tangere::impact::gas::{Axis, Domain};
///
/// // A layer that repeats along x and y, on a floor.
/// let side = Axis::Periodic { lower: 0.0, length: 10.0 };
/// let floor = Axis::Walls { lower: 0.0, upper: f64::INFINITY };
/// let domain = Domain::new([side, side, floor])?;
/// assert_eq!(domain.volume(), f64::INFINITY);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Domain {
    axes: [Axis; 3],
}

impl Domain {
    /// The domain without boundaries: all axes are open.
    pub const OPEN: Self = Domain {
        axes: [Axis::Open; 3],
    };

    /// A domain of a gas with the given boundary conditions along each axis.
    ///
    /// # Errors
    /// When a period is not a finite number above 0, or two walls are not a positive distance
    /// apart.
    pub fn new(axes: [Axis; 3]) -> Result<Self> {
        for (k, axis) in axes.iter().enumerate() {
            check(k, axis)?;
        }
        Ok(Domain { axes })
    }

    /// The domain of a gas in a periodic box with its lower corner at the origin; an axis of length
    /// 0 is open.
    ///
    /// # Errors
    /// When a length is negative or not finite, or all are 0.
    pub fn periodic(lengths: [f64; 3]) -> Result<Self> {
        if lengths == [0.0; 3] {
            let expected = "at least one above 0";
            return Err(Error::argument(Argument::Periodic, "0, 0, 0", expected));
        }
        Self::new(lengths.map(|length| match length == 0.0 {
            true => Axis::Open,
            false => Axis::Periodic { lower: 0.0, length },
        }))
    }

    /// The domain of a gas in a box with six hard walls.
    ///
    /// # Errors
    /// When the box has no volume, or a coordinate is not finite.
    pub fn walls(bounds: &Aabb<3>) -> Result<Self> {
        let axis = |k: usize| Axis::Walls {
            lower: bounds.min[k],
            upper: bounds.max[k],
        };
        Self::new([0, 1, 2].map(axis))
    }

    /// The boundary conditions of the domain along each axis.
    pub fn axes(&self) -> &[Axis; 3] {
        &self.axes
    }

    /// The volume of the domain, infinite if an axis is unbounded.
    pub fn volume(&self) -> f64 {
        self.axes.iter().map(Axis::length).product()
    }

    /// The length of the shortest period of the domain; infinite if no axis is periodic.
    pub(super) fn shortest_period(&self) -> f64 {
        let periods = self.axes.iter().filter_map(Axis::period);
        periods
            .map(|(_, length)| length)
            .fold(f64::INFINITY, f64::min)
    }

    /// The periodic image of a point that lies in the first period along each periodic axis of the
    /// domain.
    #[inline]
    pub(super) fn wrapped(&self, mut x: [f64; 3]) -> [f64; 3] {
        for (x, axis) in x.iter_mut().zip(&self.axes) {
            if let Axis::Periodic { lower, length } = *axis {
                *x = wrapped(*x, lower, length);
            }
        }
        x
    }

    /// The translation that moves a point into the first period of the domain, up to rounding: a
    /// whole number of periods along each periodic axis.
    #[inline]
    pub(super) fn shift_of(&self, x: [f64; 3]) -> [f64; 3] {
        let mut shift = [0.0; 3];
        for k in 0..3 {
            if let Axis::Periodic { lower, length } = self.axes[k]
                && !(x[k] >= lower && x[k] < lower + length)
            {
                shift[k] = -length * ((x[k] - lower) / length).floor();
            }
        }
        shift
    }

    /// The translation of a periodic image of the domain: `image[k]` periods along axis `k`.
    #[inline]
    pub(super) fn shift(&self, image: [i8; 3]) -> [f64; 3] {
        let mut shift = [0.0; 3];
        if image != [0; 3] {
            for k in 0..3 {
                if let Axis::Periodic { length, .. } = self.axes[k] {
                    shift[k] = f64::from(image[k]) * length;
                }
            }
        }
        shift
    }
}

impl Axis {
    /// The extent of the domain along this axis: the period or the distance of both walls; infinite
    /// if the axis is open or has only one wall.
    pub(super) fn length(&self) -> f64 {
        match *self {
            Axis::Open => f64::INFINITY,
            Axis::Periodic { length, .. } => length,
            Axis::Walls { lower, upper } => upper - lower,
        }
    }

    /// The lower end and the length of the first period of the domain along this axis; `None` if
    /// the axis is not periodic.
    #[inline]
    pub(super) fn period(&self) -> Option<(f64, f64)> {
        match *self {
            Axis::Periodic { lower, length } => Some((lower, length)),
            _ => None,
        }
    }

    /// Whether the domain has a wall at one end or both ends of this axis.
    pub(super) fn has_wall(&self) -> bool {
        matches!(*self, Axis::Walls { lower, upper } if lower.is_finite() || upper.is_finite())
    }
}

/// Wraps a coordinate into the first period of a domain, `lower..lower + length`.
#[inline]
fn wrapped(x: f64, lower: f64, length: f64) -> f64 {
    let upper = lower + length;
    if x >= lower && x < upper {
        return x;
    }
    let moved = x - length * ((x - lower) / length).floor();
    // Rounding may leave the interval.
    match moved < lower || moved >= upper {
        true => lower,
        false => moved,
    }
}

/// An error unless the boundary conditions of the domain along axis `k` are valid.
fn check(k: usize, axis: &Axis) -> Result<()> {
    match *axis {
        Axis::Open => Ok(()),
        Axis::Periodic { lower, length } => {
            let is_sound = is_valid_coordinate(lower) && is_valid_coordinate(length);
            // The period must not be so small that adding it to its beginning changes nothing.
            if is_sound && length > 0.0 && lower + length > lower {
                return Ok(());
            }
            let found = format!("{} from {} on", number(length), number(lower));
            let expected = "a finite length above 0, from a finite coordinate on";
            Err(Error::item(Argument::AxisPeriod, k, found, expected))
        }
        Axis::Walls { lower, upper } => {
            let may_be = |x: f64, none: f64| is_valid_coordinate(x) || x == none;
            let is_sound = may_be(lower, f64::NEG_INFINITY) && may_be(upper, f64::INFINITY);
            if is_sound && lower < upper {
                return Ok(());
            }
            let found = format!("{} and {}", number(lower), number(upper));
            let expected = "the lower one below the upper one, each finite or infinitely far";
            Err(Error::item(Argument::AxisWalls, k, found, expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_wrapped_into_the_first_period() {
        for (x, expected) in [
            (1.0, 1.0),
            (4.0, 1.0),
            (-0.5, 2.5),
            (31.0, 1.0),
            (1.0 - 1e-17, 1.0),
            (-1e-300, 3.0),
        ] {
            assert_eq!(wrapped(x, 1.0, 3.0), expected, "{x}");
        }
        // A point just below the lower end is wrapped to the lower end, never to the upper one.
        assert_eq!(wrapped(-1e-300, 0.0, 3.0), 0.0);
        let mut x = -1e20;
        while x < 1e20 {
            assert!((-7.0..-6.0).contains(&wrapped(x, -7.0, 1.0)), "{x}");
            x += 1.234e18;
        }
    }

    #[test]
    fn domains_have_room() {
        assert!(Domain::periodic([0.0; 3]).is_err());
        assert!(Domain::periodic([1.0, -1.0, 0.0]).is_err());
        assert!(Domain::periodic([1.0, f64::NAN, 0.0]).is_err());
        assert!(Domain::periodic([1.0, f64::INFINITY, 0.0]).is_err());
        assert_eq!(Domain::periodic([2.0, 3.0, 4.0]).unwrap().volume(), 24.0);
        let walls = |lower, upper| Domain::new([Axis::Walls { lower, upper }; 3]);
        assert!(walls(0.0, 0.0).is_err() && walls(1.0, 0.0).is_err());
        assert!(walls(f64::NAN, 0.0).is_err() && walls(f64::INFINITY, f64::INFINITY).is_err());
        assert!(walls(0.0, f64::INFINITY).is_ok());
        let lower = 1e30;
        let axis = Axis::Periodic { lower, length: 1.0 };
        assert!(Domain::new([axis; 3]).is_err());
    }
}
