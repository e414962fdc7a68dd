//! Properties of spheres by LAMMPS' names: columns of dumps, computes and formulas.

use super::book::{fractions, unwrapped};
use super::now::Now;
use super::printf::Number;

/// The names that formulas know as columns.
pub(super) const OF_VARIABLES: [&str; 13] = [
    "id", "mass", "type", "radius", "x", "y", "z", "vx", "vy", "vz", "fx", "fy", "fz",
];

/// All names.
pub(super) const NAMES: [&str; 34] = [
    "id", "type", "mass", "radius", "diameter", "x", "y", "z", "xs", "ys", "zs", "xu", "yu", "zu",
    "xsu", "ysu", "zsu", "ix", "iy", "iz", "vx", "vy", "vz", "fx", "fy", "fz", "omegax", "omegay",
    "omegaz", "tqx", "tqy", "tqz", "proc", "procp1",
];

/// A property of spheres; components by their axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    Id,
    Kind,
    /// The number of the processor: 0, or 1 where it is counted from 1.
    Processor(i64),
    Mass,
    Radius,
    Diameter,
    Position(usize),
    /// From 0 to 1 within the cell.
    Fraction(usize),
    /// As if the sphere had not been taken back into the cell.
    Unwrapped(usize),
    UnwrappedFraction(usize),
    Image(usize),
    Velocity(usize),
    Force(usize),
    Spin(usize),
    Torque(usize),
}

impl Attribute {
    /// The property with a name; none if spheres have no such property.
    pub fn parse(name: &str) -> Option<Self> {
        let axis = |prefix: &str, suffix: &str| {
            let axis = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
            ["x", "y", "z"].iter().position(|own| *own == axis)
        };
        match name {
            "id" => return Some(Self::Id),
            "type" => return Some(Self::Kind),
            "proc" => return Some(Self::Processor(0)),
            "procp1" => return Some(Self::Processor(1)),
            "mass" => return Some(Self::Mass),
            "radius" => return Some(Self::Radius),
            "diameter" => return Some(Self::Diameter),
            _ => {}
        }
        let vectors = [
            ("", "", Self::Position as fn(usize) -> Self),
            ("", "s", Self::Fraction),
            ("", "u", Self::Unwrapped),
            ("", "su", Self::UnwrappedFraction),
            ("i", "", Self::Image),
            ("v", "", Self::Velocity),
            ("f", "", Self::Force),
            ("omega", "", Self::Spin),
            ("tq", "", Self::Torque),
        ];
        vectors
            .into_iter()
            .find_map(|(prefix, suffix, made)| axis(prefix, suffix).map(made))
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(
            self,
            Self::Id | Self::Kind | Self::Processor(_) | Self::Image(_)
        )
    }

    /// The property of a sphere.
    pub fn value(self, now: &Now, i: usize) -> Number {
        let (spheres, cell) = (now.spheres, &now.setup.cell);
        Number::Real(match self {
            Self::Id => return Number::Integer(spheres.ids[i] as i64),
            Self::Kind => return Number::Integer(i64::from(spheres.kinds[i]) + 1),
            Self::Processor(number) => return Number::Integer(number),
            Self::Image(k) => return Number::Integer(i64::from(spheres.images[i][k])),
            Self::Mass => spheres.masses[i],
            Self::Radius => spheres.radii[i],
            Self::Diameter => 2.0 * spheres.radii[i],
            Self::Position(k) => spheres.positions[i][k],
            Self::Fraction(k) => fractions(cell, spheres.positions[i])[k],
            Self::Unwrapped(k) => unwrapped(cell, spheres.positions[i], spheres.images[i])[k],
            Self::UnwrappedFraction(k) => {
                fractions(cell, spheres.positions[i])[k] + f64::from(spheres.images[i][k])
            }
            Self::Velocity(k) => spheres.velocities[i][k],
            Self::Force(k) => spheres.forces[i][k],
            Self::Spin(k) => spheres.spins[i][k],
            Self::Torque(k) => spheres.torques[i][k],
        })
    }
}

/// A property of all spheres; none if there is no such property of spheres.
pub(super) fn values(now: &Now, name: &str) -> Option<Vec<f64>> {
    let attribute = Attribute::parse(name)?;
    let rows = 0..now.spheres.ids.len();
    Some(rows.map(|i| attribute.value(now, i).value()).collect())
}

/// Whether spheres have this property.
pub(super) fn is_known(name: &str) -> bool {
    Attribute::parse(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known() {
        assert!(NAMES.iter().all(|name| is_known(name)));
        assert!(OF_VARIABLES.iter().all(|name| NAMES.contains(name)));
        for name in ["", "xx", "sx", "v", "omega", "q", "mol", "xsx"] {
            assert!(!is_known(name), "{name}");
        }
    }
}
