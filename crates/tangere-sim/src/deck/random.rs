//! Random numbers: the generator of Park and Miller 1988 ("minimal standard"), as LAMMPS' `create_atoms
//! random` and `velocity create` use it, so that the same seeds give the same positions and velocities.

use super::error::Problem;

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Random {
    state: i64,
    /// The second number of the last pair of normal ones.
    kept: Option<f64>,
}

const MULTIPLIER: i64 = 16807;
const MODULUS: i64 = 2147483647;

impl Random {
    /// A stream from a seed above 0.
    pub fn new(seed: i64) -> Result<Self, Problem> {
        if !(1..MODULUS).contains(&seed) {
            let expected = format!("a seed from 1 to {}", MODULUS - 1);
            return Err(Problem::new(seed.to_string(), expected));
        }
        Ok(Self {
            state: seed,
            kept: None,
        })
    }

    /// A number between 0 and 1.
    pub fn uniform(&mut self) -> f64 {
        self.state = self.state * MULTIPLIER % MODULUS;
        // The reciprocal first: the product has LAMMPS' bits.
        (1.0 / MODULUS as f64) * self.state as f64
    }

    /// A number of the normal distribution (polar method of Marsaglia).
    pub fn normal(&mut self) -> f64 {
        if let Some(kept) = self.kept.take() {
            return kept;
        }
        loop {
            let x = 2.0 * self.uniform() - 1.0;
            let y = 2.0 * self.uniform() - 1.0;
            let r = x * x + y * y;
            if r < 1.0 && r > 0.0 {
                let factor = (-2.0 * libm::log(r) / r).sqrt();
                self.kept = Some(x * factor);
                return y * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check of Park and Miller: from 1, the 10,000th state is 1043618065.
    #[test]
    fn minimal_standard() {
        let mut random = Random::new(1).unwrap();
        for _ in 0..10_000 {
            random.uniform();
        }
        assert_eq!(random.state, 1043618065);
        assert!(Random::new(0).is_err());
    }

    #[test]
    fn normal_numbers_have_unit_variance() {
        let mut random = Random::new(12345).unwrap();
        let numbers: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 2e4;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 2e4;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03);
    }
}
