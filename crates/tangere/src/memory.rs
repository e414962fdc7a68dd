//! Fallible allocation: running out of memory is an [`Error::Memory`].
//!
//! Rust aborts the process when a `Vec` cannot grow. The functions here reserve lists whose length
//! depends on the input, and return an error instead. They mark these requests ([`is_fallible`]): a
//! program whose allocator ends the process on failure returns null for them.

mod free;

pub use free::free;

use crate::error::{Argument, Count, Error, Result};
use std::cell::Cell;
use std::collections::TryReserveError;

thread_local! {
    /// Whether the allocation that this thread requests may fail.
    static FALLIBLE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `request`, which handles the failure of every allocation that it makes, and marks them as
/// fallible ([`is_fallible`]).
pub fn fallibly<T>(request: impl FnOnce() -> T) -> T {
    /// Restores the mark, also if the request panics.
    struct Mark(bool);
    impl Drop for Mark {
        fn drop(&mut self) {
            FALLIBLE.set(self.0);
        }
    }
    let _mark = Mark(FALLIBLE.replace(true));
    request()
}

/// Returns whether the caller of the present allocation handles its failure. For a global
/// allocator: it returns null then, and may otherwise end the program in its own way, since Rust
/// would abort it. Allocates nothing.
pub fn is_fallible() -> bool {
    FALLIBLE.get()
}

/// Reserves memory in a list for `more` values, as `Vec::try_reserve`, and marks the request as
/// fallible.
///
/// # Errors
/// When allocation fails.
pub fn try_reserve<T>(list: &mut Vec<T>, more: usize) -> std::result::Result<(), TryReserveError> {
    fallibly(|| list.try_reserve(more))
}

/// Reserves memory in a list for `more` values without spare capacity, as
/// `Vec::try_reserve_exact`, and marks the request as fallible.
///
/// # Errors
/// When allocation fails.
pub fn try_reserve_exact<T>(
    list: &mut Vec<T>,
    more: usize,
) -> std::result::Result<(), TryReserveError> {
    fallibly(|| list.try_reserve_exact(more))
}

/// Returns the error of exhausted memory, [`Error::Memory`], for `count` items of `size` bytes
/// each.
pub fn exhausted(what: Argument, count: Count, size: usize) -> Error {
    Error::Memory {
        what,
        count,
        bytes: count.least().saturating_mul(size as u64),
    }
}

/// Reserves memory in a list for `more` values; allocates nothing where the capacity suffices.
///
/// # Errors
/// [`Error::Memory`] with the number of all values that the list would hold.
pub fn reserve<T>(list: &mut Vec<T>, more: usize, what: Argument) -> Result<()> {
    try_reserve(list, more).map_err(|_| {
        let all = list.len().saturating_add(more) as u64;
        exhausted(what, Count::Exactly(all), size_of::<T>())
    })
}

/// Reserves memory in a list for `more` values, without spare capacity.
///
/// # Errors
/// [`Error::Memory`] with the number of all values that the list would hold.
pub fn reserve_exact<T>(list: &mut Vec<T>, more: usize, what: Argument) -> Result<()> {
    try_reserve_exact(list, more).map_err(|_| {
        let all = list.len().saturating_add(more) as u64;
        exhausted(what, Count::Exactly(all), size_of::<T>())
    })
}

/// Appends a value to a list. When memory runs out, the list is freed, so that others have memory.
///
/// # Errors
/// [`Error::Memory`] with the number of values that the list would hold, at least.
#[inline]
pub fn push<T>(list: &mut Vec<T>, value: T, what: Argument) -> Result<()> {
    if list.len() == list.capacity() && try_reserve(list, 1).is_err() {
        let count = Count::AtLeast(list.len() as u64 + 1);
        *list = Vec::new();
        return Err(exhausted(what, count, size_of::<T>()));
    }
    list.push(value);
    Ok(())
}

/// Returns an empty list with memory reserved for `count` values.
///
/// # Errors
/// [`Error::Memory`] if allocation fails.
pub fn reserved<T>(count: usize, what: Argument) -> Result<Vec<T>> {
    let mut list = Vec::new();
    reserve_exact(&mut list, count, what)?;
    Ok(list)
}

/// Returns a list of `count` equal values in newly allocated memory.
///
/// # Errors
/// [`Error::Memory`] if allocation fails.
pub fn filled<T: Clone>(value: T, count: usize, what: Argument) -> Result<Vec<T>> {
    let mut list = reserved(count, what)?;
    list.resize(count, value);
    Ok(list)
}

/// Memory that an answer leaves to the rest of the system.
pub(crate) const SPARE: u64 = 128 << 20;

/// Returns whether `bytes` more bytes can be used before the system runs out of memory ([`free()`]),
/// with some to spare. True if that is not known.
pub(crate) fn has_room(bytes: u64) -> bool {
    free().is_none_or(|free| free >= bytes.saturating_add(SPARE))
}

/// Sets a list to `count` copies of a value and reuses its memory.
pub(crate) fn refill<T: Clone>(list: &mut Vec<T>, count: usize, value: T) {
    list.clear();
    list.resize(count, value);
}

/// Checks that memory of `bytes` bytes can be allocated at once, for `count` items. Allocating
/// piece by piece could fail halfway through the work.
///
/// # Errors
/// [`Error::Memory`] if the bytes cannot be allocated.
pub fn check(what: Argument, count: usize, bytes: usize) -> Result<()> {
    let probe = try_reserve_exact(&mut Vec::<u8>::new(), bytes);
    probe.map_err(|_| Error::Memory {
        what,
        count: Count::Exactly(count as u64),
        bytes: bytes as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_allocation_is_an_error_with_its_size() {
        let most = isize::MAX as usize;
        let mut list = vec![0u64; 3];
        let error = reserve(&mut list, most, Argument::Pairs).unwrap_err();
        let count = Count::Exactly(most as u64 + 3);
        assert_eq!(error, exhausted(Argument::Pairs, count, 8));
        let text = "out of memory: 9.2e18 pairs need 18 EB";
        assert_eq!(error.to_string(), text);
        assert!(reserved::<u8>(most, Argument::Points).is_err());
        assert!(check(Argument::Points, 7, usize::MAX).is_err());
        assert_eq!(list, [0; 3]);
    }

    #[test]
    fn fallible_requests_are_marked_until_they_end() {
        assert!(!is_fallible());
        assert!(fallibly(|| fallibly(is_fallible) && is_fallible()));
        let panicked = std::panic::catch_unwind(|| fallibly(|| panic!("on purpose")));
        assert!(panicked.is_err() && !is_fallible());
    }

    #[test]
    fn sufficient_capacity_is_kept() {
        let mut list: Vec<u32> = reserved(10, Argument::Pairs).unwrap();
        let room = list.capacity();
        reserve(&mut list, room, Argument::Pairs).unwrap();
        assert_eq!(list.capacity(), room);
        assert_eq!(filled(1u8, 3, Argument::Pairs).unwrap(), [1; 3]);
    }
}
