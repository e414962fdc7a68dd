//! Pair limit: reserves memory for the pairs of an answer, and makes the errors for too many pairs
//! and for running out of memory.

use crate::error::{Argument, Count, Error, Result};
use crate::memory;

/// The limit of raw pairs that a search stores if the answer may have `most` pairs. Raw pairs
/// include those that exclusions remove later, and each image of a pair.
pub(super) fn raw_pair_limit(most: usize) -> usize {
    most.saturating_mul(4).max(1 << 20)
}

/// Reserves memory for `more` entries of `out`, the answer of a search. If that fails, the error
/// reports `pairs`, the number of pairs of the whole answer.
pub(super) fn reserve<T>(out: &mut Vec<T>, more: usize, pairs: usize) -> Result<()> {
    out.try_reserve(more).map_err(|_| no_memory(pairs))
}

/// The error of the pair limit when memory for `pairs` pairs runs out.
pub(super) fn no_memory(pairs: usize) -> Error {
    /// The number of bytes that a pair takes in total: in the lists of the search, while sorting,
    /// and in the answer.
    const BYTES: usize = 24;
    memory::exhausted(Argument::Pairs, Count::Exactly(pairs as u64), BYTES)
}

/// The error of the pair limit when there are more pairs than `most`.
pub(super) fn too_many(found: usize, most: usize) -> Error {
    Error::too_many(Argument::Pairs, found, most)
}
