//! Pair limit: reserves memory for the pairs of an answer, and makes the errors for too many pairs
//! and for running out of memory.

use crate::error::{Argument, Count, Error, Result};
use crate::memory;

/// The number of bytes from which on an answer is checked against the memory that is free.
const LARGE: usize = 64 << 20;

/// The limit of raw pairs that a search stores if the answer may have `most` pairs. Raw pairs
/// include those that exclusions remove later, and each image of a pair.
pub(super) fn raw_pair_limit(most: usize) -> usize {
    most.saturating_mul(4).max(1 << 20)
}

/// Whether a limit of pairs is the default, which is as many pairs as there is free memory for.
pub(super) fn is_default(most: usize) -> bool {
    most == usize::MAX
}

/// The number of pairs of `bytes` bytes each for which there is free memory, as far as it is known.
pub(super) fn most_in_memory(bytes: usize) -> usize {
    let Some(free) = memory::free() else {
        return usize::MAX;
    };
    let most = free.saturating_sub(memory::SPARE).max(LARGE as u64) / bytes.max(1) as u64;
    usize::try_from(most).unwrap_or(usize::MAX)
}

/// Reserves memory for `more` entries of `out`, the answer of a search. If that fails, the error
/// reports `pairs`, the number of pairs of the whole answer.
pub(super) fn reserve<T>(out: &mut Vec<T>, more: usize, pairs: usize) -> Result<()> {
    memory::try_reserve(out, more).map_err(|_| no_memory(Count::Exactly(pairs as u64)))
}

/// Reserves memory as [`reserve`] does, for an answer with the limit `most`. If that is the default,
/// an answer for which there is not enough free memory is an error: to reserve it might succeed, and
/// to fill it would then end the process.
pub(super) fn reserve_within<T>(out: &mut Vec<T>, count: usize, most: usize) -> Result<()> {
    let bytes = count.saturating_mul(size_of::<T>());
    if is_default(most) && bytes > LARGE && !memory::has_room(bytes as u64) {
        return Err(no_memory(Count::Exactly(count as u64)));
    }
    reserve(out, count, count)
}

/// The error of the pair limit when memory for `pairs` pairs runs out.
pub(super) fn no_memory(pairs: Count) -> Error {
    /// The number of bytes that a pair takes at most while it is searched.
    const BYTES: usize = 12;
    memory::exhausted(Argument::Pairs, pairs, BYTES)
}

/// The error of the pair limit when there are more pairs than `most`. How many more is not known: a
/// search ends once it has found too many, since counting all of them may take hours.
pub(super) fn too_many(most: usize) -> Error {
    Error::TooMany {
        what: Argument::Pairs,
        found: Count::AtLeast((most as u64).saturating_add(1)),
        most: most as u64,
    }
}
