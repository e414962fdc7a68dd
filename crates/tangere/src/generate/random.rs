//! Random number generator, the same on every machine.
//!
//! It is SplitMix64 (Steele, Lea, Flood 2014): a counter whose bits are mixed by a bijection. It is
//! implemented here because sequences are part of the contract, and a crate may change its own from
//! one version to the next.

/// The increment of the counter, 2^64 divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of the counter of the random number generator as SplitMix64 does (variant 13 of
/// Stafford's mixing functions).
#[inline]
fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A sequence of random numbers, which is the same on every machine and in every version.
#[derive(Clone, Debug)]
pub struct Random {
    counter: u64,
}

impl Random {
    /// Returns the sequence of random numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(STEP);
        mixed(self.counter)
    }

    /// Returns the next random number in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// Checks the first outputs of the authors' reference implementation for seed 1234567.
    #[test]
    fn reference_sequence() {
        let mut random = Random::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected, std::array::from_fn(|_| random.bits()));
    }
}
