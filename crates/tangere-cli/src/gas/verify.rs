//! Check of a gas for overlapping spheres by the broad phase (`pairs`), which does not use the
//! event queue of the gas.

use crate::failure::Failure;
use tangere::impact::gas::{Axis, Gas};
use tangere::pairs::{Auto, PairFinder, PairSettings, Periodic};

/// The deepest overlap of two spheres that is accepted as rounding error, as a fraction of the
/// diameter of the smaller sphere.
const DEEPEST: f64 = 1e-12;

/// Finder of the overlapping spheres of a gas, with the broad phase.
pub struct Overlaps {
    finder: Auto<3>,
    radii: Vec<f64>,
    centers: Vec<[f64; 3]>,
}

impl Overlaps {
    /// Returns a finder for the spheres of a gas.
    pub fn of(gas: &Gas) -> Result<Self, Failure> {
        let periods = gas.settings().domain.axes().map(|axis| match axis {
            Axis::Periodic { length, .. } => length,
            _ => 0.0,
        });
        let periodic = match periods == [0.0; 3] {
            true => None,
            false => Some(Periodic::new(periods)?),
        };
        let settings = PairSettings {
            periodic,
            every_image: periodic.is_some(),
            ..PairSettings::default()
        };
        Ok(Overlaps {
            finder: Auto::new(settings)?,
            radii: gas.radii().collect(),
            centers: Vec::new(),
        })
    }

    /// Returns the deepest overlap of two spheres at the current time, as a fraction of the
    /// diameter of the smaller sphere. It is an error if an overlap exceeds both `DEEPEST` and the
    /// rounding error of the coordinates.
    pub fn deepest(&mut self, gas: &Gas) -> Result<f64, Failure> {
        gas.centers(&mut self.centers);
        let spheres = (&self.centers[..], &self.radii[..]);
        self.finder.update(spheres.into())?;
        let mut contacts = Vec::new();
        self.finder.contacts(&mut contacts)?;
        let mut deepest = 0.0;
        for contact in contacts.iter().filter(|contact| contact.gap < 0.0) {
            let [a, b] = contact.pair.map(|i| self.radii[i as usize]);
            let depth = -contact.gap / (2.0 * a.min(b));
            // The rounding error of coordinates, in diameters of the smaller sphere.
            let ends = contact.pair.map(|i| self.centers[i as usize]);
            let largest = ends
                .as_flattened()
                .iter()
                .fold(0.0, |m: f64, x| m.max(x.abs()));
            let rounding = 16.0 * f64::EPSILON * largest / (2.0 * a.min(b));
            if depth > DEEPEST.max(rounding) {
                let [i, j] = contact.pair;
                return Err(Failure::Work(format!(
                    "spheres {i} and {j} overlap by {depth:.1e} of a diameter at time {}",
                    gas.time()
                )));
            }
            deepest = f64::max(deepest, depth);
        }
        Ok(deepest)
    }
}
