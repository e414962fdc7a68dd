//! Memory that ends.
//!
//! The allocator refuses memory to the whole process, so what uses it is one test in a
//! program of its own. Whatever does not ask before it takes ends the program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static ALLOWED: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The system's allocator, up to an allowance.
struct Limited;

// SAFETY: every call is handed on unchanged to the system's allocator, or answered with
// null, which means that there is no memory.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let before = IN_USE.fetch_add(layout.size(), Ordering::SeqCst);
        if before.saturating_add(layout.size()) > ALLOWED.load(Ordering::SeqCst) {
            IN_USE.fetch_sub(layout.size(), Ordering::SeqCst);
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the promises that the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::SeqCst);
        // SAFETY: `memory` came from the system's allocator with this layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

/// What `work` returns, done with at most so many bytes more than are in use.
pub fn with_at_most<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let allowed = IN_USE.load(Ordering::SeqCst) + bytes;
    ALLOWED.store(allowed, Ordering::SeqCst);
    let result = work();
    ALLOWED.store(usize::MAX, Ordering::SeqCst);
    result
}
