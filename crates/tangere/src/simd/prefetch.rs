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

/// Prefetches every cache line of some items that begin where a cache line does. Indices that are out of range
/// do no harm.
#[inline(always)]
pub fn prefetch_lines<T>(items: &[T], indices: std::ops::Range<usize>) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        const LINE: usize = 64;
        let start = items.as_ptr().wrapping_add(indices.start).cast::<i8>();
        for offset in (0..indices.len() * size_of::<T>()).step_by(LINE) {
            // SAFETY: as above.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(offset)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, indices);
}
