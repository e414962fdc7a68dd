//! Maxwell-Boltzmann distribution: random velocities of a given temperature.

use crate::error::{Argument, Error, Result, number};
use crate::generate::Random;
use crate::geometry::is_valid_coordinate;
use crate::memory;
use std::f64::consts::PI;

/// Random thermal velocities from the Maxwell-Boltzmann distribution for spheres of these masses,
/// in 2 or 3 dimensions. The total momentum is 0, and the kinetic energy is half the temperature
/// for each sphere and dimension. The same seed gives the same velocities on every machine.
///
/// # Errors
/// When a mass is not positive, the temperature is negative or not finite, or the dimension is
/// neither 2 nor 3.
///
/// ```
/// use tangere::impact::gas::thermal_velocities;
///
/// let masses = [1.0, 2.0, 3.0];
/// let velocities = thermal_velocities(&masses, 4.0, 3, 1)?;
/// let energy: f64 = (0..3).map(|i| 0.5 * masses[i] * velocities[i].map(|v| v * v).iter().sum::<f64>()).sum();
/// assert!((energy - 0.5 * 4.0 * 9.0).abs() < 1e-12);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn thermal_velocities(
    masses: &[f64],
    temperature: f64,
    dimensions: usize,
    seed: u64,
) -> Result<Vec<[f64; 3]>> {
    if !(temperature >= 0.0 && is_valid_coordinate(temperature)) {
        let expected = "a finite number, 0 or more";
        return Err(Error::argument(
            Argument::Temperature,
            number(temperature),
            expected,
        ));
    }
    if !(2..=3).contains(&dimensions) {
        return Err(Error::argument(Argument::Dimensions, dimensions, "2 or 3"));
    }
    let is_mass = |m: &f64| *m > 0.0 && is_valid_coordinate(*m);
    if let Some(i) = masses.iter().position(|m| !is_mass(m)) {
        let expected = "a number from 4.9e-91 to 1.6e60";
        return Err(Error::item(Argument::Mass, i, number(masses[i]), expected));
    }
    let mut random = Random::new(seed);
    // Box-Muller transform.
    let mut normal = || {
        let (u, angle) = (1.0 - random.unit(), 2.0 * PI * random.unit());
        (-2.0 * libm::log(u)).sqrt() * libm::cos(angle)
    };
    let mut velocities = memory::filled([0.0; 3], masses.len(), Argument::Velocities)?;
    for (velocity, mass) in velocities.iter_mut().zip(masses) {
        let spread = (1.0 / mass).sqrt();
        velocity[..dimensions].fill_with(|| spread * normal());
    }
    let total: f64 = masses.iter().sum();
    for k in 0..dimensions {
        let momentum: f64 = velocities.iter().zip(masses).map(|(v, m)| m * v[k]).sum();
        velocities.iter_mut().for_each(|v| v[k] -= momentum / total);
    }
    let twice: f64 = velocities
        .iter()
        .zip(masses)
        .map(|(v, m)| m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))
        .sum();
    // A single sphere is at rest.
    let wanted = temperature * (masses.len() * dimensions) as f64;
    let scale = match twice > 0.0 {
        true => (wanted / twice).sqrt(),
        false => 0.0,
    };
    for velocity in &mut velocities {
        *velocity = velocity.map(|v| v * scale);
    }
    Ok(velocities)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_are_of_the_temperature() {
        let masses: Vec<f64> = (0..20_000).map(|i| [1.0, 4.0][i % 2]).collect();
        for dimensions in [2, 3] {
            let all = thermal_velocities(&masses, 2.0, dimensions, 5).unwrap();
            for k in 0..3 {
                let along = |i: usize| all[i][k];
                let momentum: f64 = (0..all.len()).map(|i| masses[i] * along(i)).sum();
                assert!(momentum.abs() < 1e-9);
                for kind in 0..2 {
                    let square: f64 = (kind..all.len()).step_by(2).map(|i| along(i).powi(2)).sum();
                    let found = square * masses[kind] / 10_000.0;
                    let expected = if k < dimensions { 2.0 } else { 0.0 };
                    assert!((found - expected).abs() < 0.1, "{found}");
                }
            }
        }
        assert_eq!(thermal_velocities(&[], 1.0, 3, 0), Ok(Vec::new()));
        assert_eq!(thermal_velocities(&[1.0], 1.0, 3, 0), Ok(vec![[0.0; 3]]));
        assert_eq!(
            thermal_velocities(&[1.0; 2], 0.0, 3, 0),
            Ok(vec![[0.0; 3]; 2])
        );
        for (mass, temperature, dimensions) in [
            (0.0, 1.0, 3),
            (1.0, -1.0, 3),
            (1.0, f64::NAN, 3),
            (1.0, f64::INFINITY, 3),
            (1.0, 1.0, 1),
        ] {
            assert!(thermal_velocities(&[mass], temperature, dimensions, 0).is_err());
        }
    }
}
