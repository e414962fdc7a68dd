//! How much memory something takes: an allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes in use, and the most since the last [`peak_of`] began.
static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a count of bytes.
struct Counting;

fn grown(bytes: usize) {
    let used = USED.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(used, Relaxed);
}

// SAFETY: every call is handed on unchanged to the system's allocator; counting
// touches nothing but two atomic numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `memory` came from the system's allocator with this layout.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks count: the old one is still there while its bytes are moved.
        grown(size);
        USED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `memory` came from the system's allocator with this layout,
        // and the caller keeps the contract of `realloc`.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bytes that were in use beyond those before, at most while something ran
/// and after it.
pub fn peak_of(work: impl FnOnce()) -> [usize; 2] {
    let before = USED.load(Relaxed);
    PEAK.store(before, Relaxed);
    work();
    [PEAK.load(Relaxed), USED.load(Relaxed)].map(|bytes| bytes.saturating_sub(before))
}
