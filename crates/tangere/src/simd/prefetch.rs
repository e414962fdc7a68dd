//! Prefetch: loads an item into the cache before it is read.

/// Prefetches the first and last byte of the item at `index`, which will be read soon. An index that is out
/// of range does no harm.
#[inline(always)]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = items.as_ptr().wrapping_add(index).cast::<i8>();
        // SAFETY: a prefetch changes nothing and faults on no address; SSE is part
        // of every x86-64.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(start);
            // What is as large as its alignment is in one cache line.
            if size_of::<T>() > align_of::<T>().min(64) {
                _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(size_of::<T>() - 1));
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}
