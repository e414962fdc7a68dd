//! One hash of a state: a function of content alone, whatever the order in which spheres are stored, the
//! number of threads, and restarts.
//!
//! The hash is the sum, modulo 2^64, of a mixed word for each sphere and each contact.

/// Mixes words into one (splitmix64's finaliser after each).
pub(crate) fn mixed(words: &[u64]) -> u64 {
    words.iter().fold(0x9e37_79b9_7f4a_7c15, |state, &word| {
        let x = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    })
}

/// The bits of a number; those of 0 for both zeros.
pub(crate) fn bits(x: f64) -> u64 {
    (x + 0.0).to_bits()
}
